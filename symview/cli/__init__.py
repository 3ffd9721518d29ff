"""The command line: `main` runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symview.cli.pages import app

__all__ = ["app", "main"]


def main() -> None:
    """The entry point of the `symview` command; typer is loaded only where a line is not plain, or to complete one.

    Ctrl-C ends it without a traceback, also while modules load.
    """
    import os
    import signal
    import sys

    from symview.cli.interrupts import INTERRUPTED, CtrlC

    ctrl_c = CtrlC()
    code = INTERRUPTED
    try:
        with ctrl_c:
            from symview.cli.running import run_line
        if "_SYMVIEW_COMPLETE" in os.environ:
            from symview.cli.pages import app

            app()
        code = run_line(sys.argv[1:])
    except KeyboardInterrupt:
        pass
    except Exception:
        if not ctrl_c.came:
            raise  # a half-loaded module may turn the interrupt into another error
    finally:
        if ctrl_c.handles:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # everything is printed: only the exit is left
    sys.exit(code)


def __getattr__(name: str) -> Any:
    if name == "app":
        from symview.cli.pages import app

        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
