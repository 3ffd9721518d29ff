"""The command line: `main` runs it."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in `typing`, which takes long to load
if TYPE_CHECKING:
    from symview.cli.interrupts import CtrlC

__all__ = ["INTERRUPTED", "main"]
INTERRUPTED = 130  # the exit code of a command that Ctrl-C ended


def main() -> None:
    """The entry point of the `symview` command. Ctrl-C ends it without a traceback, also while modules load."""
    code, ctrl_c = INTERRUPTED, None
    try:
        from symview.cli.interrupts import CtrlC  # slow to load

        ctrl_c = CtrlC()
        code = _run(ctrl_c)
    except KeyboardInterrupt:
        pass
    except Exception as error:
        if (ctrl_c is None or not ctrl_c.came) and not _comes_from_ctrl_c(error):
            raise
    finally:
        if ctrl_c is not None:
            ctrl_c.ignored()  # everything is printed: only the exit is left
    sys.exit(code)


def _run(ctrl_c: CtrlC) -> int:
    """Loads what the line needs, and runs it."""
    with ctrl_c:
        from symview.cli.running import run_line  # slow to load
    return run_line(sys.argv[1:])


def _comes_from_ctrl_c(error: BaseException | None) -> bool:
    """Whether a half-loaded module turned the interrupt into this error."""
    return error is not None and (
        isinstance(error, KeyboardInterrupt) or _comes_from_ctrl_c(error.__cause__ or error.__context__)
    )
