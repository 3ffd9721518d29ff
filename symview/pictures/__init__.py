"""Pictures of views, overflows and conditions: shapes on a page, and their output formats."""
