"""Running a line: its page or its answer is printed, and every exception becomes a message and an exit code.

Exit codes: 0 answered yes or with conditions, 1 no, 2 bad input, 3 undecided; 70 is a defect of symview, so that nobody
mistakes a crash for an answer. Errors are `error: …` on stderr, or with `--json` an object with the keys `error` and
`kind` on stdout.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence

import symview
from symview.cli.interrupts import CtrlC
from symview.cli.table import COMMANDS
from symview.cli.terminal import accept_all_text, open_streams, show, show_json
from symview.commands.entries import Command
from symview.commands.options import Given
from symview.commands.replies import Code, heading
from symview.commands.waiting import working
from symview.errors import InputError, InternalError, SymviewError, Undecided

_PACKAGES = ("z3-solver", "sympy", "islpy", "rich", "torch", "jax", "nvidia-cutlass-dsl", "xdsl")
_NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # a full disk and similar errors


def run_line(words: Sequence[str]) -> int:
    """Runs one command line and returns its exit code: the only place that turns errors into messages and codes."""
    given = [as_argument(a) for a in words]
    command = next((a for a in given if a in COMMANDS), "symview")
    lines = "-" in given and not (command in COMMANDS and COMMANDS[command].reads_files)

    def run() -> int:
        return _each_line(given) if lines else _run(given)

    return _guarded(run, command if "--json" in given else None)


def _run(words: Sequence[str]) -> int:
    """Runs a line with one question, or prints the help page or the version that it asks for."""
    if not words:
        print(_page(""), file=sys.stderr)
        return Code.BAD_INPUT
    asked = words[: words.index("--")] if "--" in words else words
    if ("-h" in asked or "--help" in asked) and (words[0] in COMMANDS or words[0].startswith("-")):
        print(_page(words[0]))
        return Code.YES
    if words[0] == "--version":
        if "--json" in asked:
            show_json(_versions())
        else:
            print(f"symview {symview.__version__}")
        return Code.YES
    from symview.cli.parsing import read  # slow to load

    return answer(*read(words))


def _versions() -> dict[str, object]:
    """The versions of symview, of Python and of the packages that it uses where they are installed, for reports."""
    import platform  # slow to load
    from importlib.metadata import PackageNotFoundError, version  # slow to load

    packages = {}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            packages[name] = ""
    here = {"python": platform.python_version(), "platform": platform.platform()}
    return {"symview": symview.__version__, **here, "packages": {n: v for n, v in packages.items() if v}}


def _page(command: str) -> str:
    """The help page of a command; of all, if it is none."""
    from symview.cli.pages import overview, page  # slow to load

    return page(COMMANDS[command]) if command in COMMANDS else overview()


def answer(command: Command, given: Given) -> int:
    """Calls a command with values for all its parameters, prints its reply, and returns the exit code."""
    if not command.shared:
        return int(command.ask(given))
    with working(command.doing):
        reply = command.ask(given)
        fields, blocks = (reply.to_dict(command.name), ()) if given["json"] else (None, list(reply.blocks()))
    if fields is not None:
        show_json(fields)
        return int(reply.code)
    show(blocks)
    if reply.hint:
        sys.stdout.flush()
        print(f"hint: {reply.hint}", file=sys.stderr)
    return int(reply.code)


def _each_line(given: Sequence[str]) -> int:
    """Calls the command for each line of standard input, whose words replace `-`; returns the worst exit code."""
    import shlex  # slow to load

    at, code = given.index("-"), 0
    for number, line in enumerate(sys.stdin, 1):
        try:
            words = [as_argument(w) for w in shlex.split(line, comments=True)]
        except ValueError as error:
            raise InputError(f"line {number} of standard input: {error}") from None
        if words:
            code = max(code, _run([*given[:at], *words, *given[at + 1 :]]))
            sys.stdout.flush()
    return code


def as_argument(text: str) -> str:
    """Puts a space before a number or a statement such as `-x < 3`, so that the parser sees no option."""
    compares = not text.startswith("--") and any(c in text for c in "<>=≤≥≠")
    return f" {text}" if text.startswith("-") and (compares or text[1:].isdecimal()) else text


def _guarded(run: Callable[[], int], command: str | None) -> int:
    """Returns the exit code of a command; turns exceptions into messages and codes.

    The message is JSON if `command` is set.
    """
    open_streams()
    accept_all_text()
    ctrl_c = CtrlC()
    try:
        with ctrl_c:
            code = run()
            sys.stdout.flush()
        return Code.INTERRUPTED if ctrl_c.came else code
    except BrokenPipeError:
        _print_nowhere()
        return Code.PIPE_CLOSED
    except KeyboardInterrupt:
        return Code.INTERRUPTED
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NOT_WRITTEN and error.filename is None:
            _print_nowhere()
            print(f"error: the answer could not be written: {error.strerror}", file=sys.stderr)
            return Code.BAD_INPUT
        return Code.INTERRUPTED if ctrl_c.came else _report(error, command)


def _print_nowhere() -> None:
    """Redirects stdout to nowhere, since its buffered text cannot be written either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(error: Exception, command: str | None) -> Code:
    _, message, code = meaning(error)
    if code is Code.DEFECT:
        import traceback  # slow to load

        traceback.print_exception(error)
    if command is not None:
        show_json(error_dict(error, command))
    else:
        print(f"error: {message}", file=sys.stderr)
    return code


def error_dict(error: Exception, command: str) -> dict[str, str]:
    """An error as JSON; an undecided question counts as an answer."""
    kind, message, code = meaning(error)
    head = heading(command, "undecided") if code is Code.UNDECIDED else {}
    return {**head, "error": message, "kind": kind}


def meaning(error: Exception) -> tuple[str, str, Code]:
    """The kind, message and exit code of an error."""
    kind = type(error).__name__
    if isinstance(error, Undecided):
        return kind, f"{error}{' (see --budget and --timeout)' if error.ended else ''}", Code.UNDECIDED
    if isinstance(error, OSError) and error.filename is not None:
        return InputError.__name__, f"{error.filename}: {error.strerror or error}", Code.BAD_INPUT
    if isinstance(error, SymviewError) and not isinstance(error, InternalError):
        return kind, str(error), Code.BAD_INPUT
    return kind, f"a defect of symview, not an answer; please report it with the command: {error}", Code.DEFECT
