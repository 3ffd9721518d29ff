"""The machines behind every answer with symbols: numeric algorithms run on integers that ask."""
