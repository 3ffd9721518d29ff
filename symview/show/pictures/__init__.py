"""Pictures of views, overflows and conditions: shapes on a page, and what writes them down."""
