"""The command line: `main` runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symview.cli.commands import app

__all__ = ["app", "main"]


def main() -> None:
    """The entry point of the `symview` command; typer is loaded only where a line is not plain, or to complete one."""
    import os
    import sys

    from symview.cli.running import run_line

    if "_SYMVIEW_COMPLETE" in os.environ:
        from symview.cli.commands import app

        app()
    sys.exit(run_line(sys.argv[1:], _parsed))


def _parsed(words: Sequence[str]) -> int:
    from symview.cli.commands import parsed

    return parsed(words)


def __getattr__(name: str) -> Any:
    if name == "app":
        from symview.cli.commands import app

        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
