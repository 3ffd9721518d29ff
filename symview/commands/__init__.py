"""What a command consists of: its entry in the table, its options, and its reply."""
