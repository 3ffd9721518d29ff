"""The command line: `main` runs it."""

from symview.cli.commands import app, main

__all__ = ["app", "main"]
