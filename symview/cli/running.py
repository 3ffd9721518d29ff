"""Running a line: plain lines are parsed here; every exception becomes a message and an exit code.

Typer, which is slow to load, handles help pages, completion and lines with errors.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence

from symview.cli.interrupts import CtrlC
from symview.cli.options import REQUIRED, Given, Parameter
from symview.cli.replies import Code, heading
from symview.cli.table import COMMANDS, Command
from symview.cli.terminal import accept_all_text, open_streams, show, show_json, working
from symview.errors import InputError, InternalError, SymviewError, Undecided

_READ_FILES = ("batch", "verify")  # for these, - means a file
_NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # a full disk and similar errors


def run_line(words: Sequence[str]) -> int:
    """Runs one command line and returns its exit code: the only place that turns errors into messages and codes."""
    given = [_as_argument(a) for a in words]
    command = next((a for a in given if a in COMMANDS), "symview")

    def run() -> int:
        return _each_line(given) if "-" in given and command not in _READ_FILES else _run(given)

    return _guarded(run, command if "--json" in given else None)


def _run(words: Sequence[str]) -> int:
    """Runs a line with one question; passes lines that are not plain to typer."""
    plain = read(words)
    if plain is not None:
        return answer(*plain)
    from symview.cli.pages import parsed

    return parsed(words)


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
    import shlex

    at, code = given.index("-"), 0
    for number, line in enumerate(sys.stdin, 1):
        try:
            words = [_as_argument(w) for w in shlex.split(line, comments=True)]
        except ValueError as error:
            raise InputError(f"line {number} of standard input: {error}") from None
        if words:
            code = max(code, _run([*given[:at], *words, *given[at + 1 :]]))
            sys.stdout.flush()
    return code


def _as_argument(text: str) -> str:
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
        import traceback

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
    usage = getattr(error, "format_message", None)  # the parser's errors, in every version of typer
    if usage is not None:
        context = getattr(error, "ctx", None)
        way_out = f"; see {context.command_path} --help" if context is not None else ""
        return "UsageError", usage().rstrip(".") + way_out, Code.BAD_INPUT
    if isinstance(error, Undecided):
        return kind, f"{error} (see --budget and --timeout)", Code.UNDECIDED
    if isinstance(error, OSError) and error.filename is not None:
        return InputError.__name__, f"{error.filename}: {error.strerror or error}", Code.BAD_INPUT
    if isinstance(error, SymviewError) and not isinstance(error, InternalError):
        return kind, str(error), Code.BAD_INPUT
    return kind, f"a defect of symview, not an answer; please report it with the command: {error}", Code.DEFECT


# Plain lines


def read(words: Sequence[str]) -> tuple[Command, Given] | None:
    """Parses a line into a command and its values; None if the line is not plain, or wrong."""
    if not words or words[0] not in COMMANDS:
        return None
    command = COMMANDS[words[0]]
    try:
        given = {p.name: p.default for p in command.parameters} | _values(words[1:], command.parameters)
    except ValueError:
        return None
    return None if REQUIRED in given.values() else (command, given)


def _values(words: Sequence[str], parameters: Sequence[Parameter]) -> Given:
    """Parses the words of a line; raises ValueError if it is not plain."""
    flags = {flag: p for p in parameters for flag in p.flags}
    given: Given = {}
    loose: list[str] = []
    left = list(reversed(words))
    while left:
        word = left.pop()
        if not word.startswith("-") or word == "-":
            loose.append(word)
            continue
        flag, equals, text = word.partition("=") if word.startswith("--") else (word, "", "")
        option = flags.get(flag)
        if option is None or (option.kind is bool and equals):
            raise ValueError(word)
        if option.kind is bool:
            given[option.name] = True
            continue
        if not equals:
            text = left.pop() if left else "-"
            if text.startswith("-"):
                raise ValueError(word)
        if option.kind is list:
            given.setdefault(option.name, []).append(text)
        elif option.name in given:
            raise ValueError(word)
        else:
            given[option.name] = option.of_word(text)
    return given | _arguments(loose, parameters)


def _arguments(loose: Sequence[str], parameters: Sequence[Parameter]) -> Given:
    """Assigns words that belong to no option to the arguments, in order."""
    given: Given = {}
    left = list(loose)
    for argument in (p for p in parameters if not p.flags):
        if left and argument.kind is list:
            given[argument.name], left = left, []
        elif left:
            given[argument.name] = argument.of_word(left.pop(0))
    if left:
        raise ValueError(left[0])
    return given
