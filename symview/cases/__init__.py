"""The machines that answer questions with symbols: numeric algorithms run on symbolic integers."""
