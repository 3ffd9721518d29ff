"""`symview batch`: questions as JSON lines in, answers as JSON lines out, in one process or on several cores."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from itertools import chain, islice
from json import dumps, loads
from typing import IO, TypeAlias

from symview.cli.running import error_dict, meaning
from symview.cli.table import COMMANDS, MANY
from symview.commands.entries import REQUIRED, Command, Parameter
from symview.commands.options import Given
from symview.commands.replies import Code, Reply
from symview.commands.waiting import progress
from symview.displayed import Json
from symview.errors import InputError
from symview.rules.outcomes import cores, processes

Line: TypeAlias = tuple[int, bytes]  # its number, from 1, and its text
Answer: TypeAlias = tuple[Code, str]

_CHUNK = 32  # lines that a process takes at once
_AHEAD = 4  # chunks that wait for each process

_WORST = (Code.DEFECT, Code.BAD_INPUT, Code.UNDECIDED)


def batch(file: str, jobs: int) -> Code:
    """Answers questions that are JSON lines, each by one JSON line, in their order and as they come."""
    with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as stream:
        answers = _answers(stream, cores() if jobs == 0 else jobs)
        return _written(answers if sys.stdout.isatty() else progress(answers, _count(stream), "answering"))


def _count(stream: IO[bytes]) -> int | None:
    """Counts the lines that are not empty; None if the stream can be read only once."""
    if not (sys.stderr.isatty() and stream.seekable()):
        return None
    count = sum(1 for line in stream if line.strip())
    stream.seek(0)
    return count


def _written(answers: Iterable[Answer]) -> Code:
    """Prints the answers as they come; returns the worst exit code of a line."""
    seen = set[Code]()
    for code, text in answers:
        seen.add(code)
        print(text, flush=True)
    return next((code for code in _WORST if code in seen), Code.YES)


def _answers(stream: IO[bytes], jobs: int) -> Iterator[Answer]:
    lines = ((n, line) for n, line in enumerate(stream, 1) if line.strip())
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    if jobs == 1:
        return (answered(line, ascii_only) for line in lines)
    return _by_processes(lines, jobs, ascii_only)


def _by_processes(lines: Iterator[Line], jobs: int, ascii_only: bool) -> Iterator[Answer]:
    """Yields the answers in the order of the lines; reads ahead only as many lines as keep the processes busy.

    If a process dies, the chunk that is due is answered line by line, and the chunks read ahead are submitted again.
    """
    chunks: Iterator[list[Line]] = iter(lambda: list(islice(lines, _CHUNK)), [])
    waiting = deque[list[Line]]()  # chunks that were read and have no answers yet
    while True:
        try:
            yield from _by_pool(chunks, waiting, jobs, ascii_only)
            return
        except BrokenProcessPool:
            first, *others = waiting
            waiting.clear()
            chunks = chain(others, chunks)
            yield from _one_by_one(first, ascii_only)


def _by_pool(chunks: Iterator[list[Line]], waiting: deque[list[Line]], jobs: int, ascii_only: bool) -> Iterator[Answer]:
    """Answers the chunks with one pool of processes."""
    pending = deque[Future[list[Answer]]]()
    with processes(jobs) as pool:
        while (chunk := next(chunks, None)) or pending:
            if chunk:
                waiting.append(chunk)
                pending.append(pool.submit(_answered_all, chunk, ascii_only))
            while pending and (not chunk or len(pending) > _AHEAD * jobs or pending[0].done()):
                answers = pending.popleft().result()
                waiting.popleft()
                yield from answers


def _one_by_one(lines: list[Line], ascii_only: bool) -> Iterator[Answer]:
    """Answers lines one of which kills its process: that line gets an error."""
    left = deque(lines)
    while left:
        with processes(1) as pool:
            try:
                while left:
                    yield pool.submit(answered, left[0], ascii_only).result()
                    left.popleft()
            except BrokenProcessPool:
                error = "the process that answered it died; was there enough memory?"
                yield Code.DEFECT, dumps({"line": left.popleft()[0], "error": error, "kind": "ProcessDied"})


def _answered_all(lines: list[Line], ascii_only: bool) -> list[Answer]:
    return [answered(line, ascii_only) for line in lines]


def answered(line: Line, ascii_only: bool = False) -> Answer:
    """Answers one line as JSON; also returns the command's exit code.

    >>> print(answered((3, b'{"command": "chain"}'))[1])
    {"line": 3, "error": "chain needs views; it takes views, equals, budget, timeout", "kind": "InputError"}
    """
    number, text = line
    command = ""
    try:
        question = _read(text)
        command = question.get("command", "") if isinstance(question, dict) else ""
        name, reply = _reply_to(question)
        code, fields = reply.code, reply.to_dict(name)
    except Exception as error:
        code, fields = meaning(error)[2], error_dict(error, command)
    return code, dumps({"line": number, **fields}, ensure_ascii=ascii_only)


def _read(text: bytes) -> object:
    try:
        return loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the line is not JSON: {error}") from None


# A question: the command, and its arguments and options as keys


def _reply_to(question: object) -> tuple[str, Reply]:
    """Returns the command of a question and its reply; raises InputError if it is not a question."""
    if not isinstance(question, dict) or not isinstance(question.get("command"), str):
        raise InputError('a question is an object with a command: {"command": "merge", "views": ["(4,6)", "(24)"]}')
    name = question["command"]
    if name not in COMMANDS or name in MANY:
        raise InputError(f"no command {name[:40]!r}; there are {', '.join(c for c in COMMANDS if c not in MANY)}")
    command = COMMANDS[name]
    given: Given = {p.name: p.default for p in command.parameters} | _values(command, question)
    missing = [p.key for p in command.own if given[p.name] is REQUIRED]
    if missing:
        raise InputError(f"{name} needs {' and '.join(missing)}; it takes {_named(command)}")
    if "-" in (given.get("files") or ()):
        raise InputError("files: stdin has the questions here, so that - is not a file")
    return name, command.ask({**given, "json": True})


def _values(command: Command, question: Json) -> Given:
    """Maps parameter names to the values in a question; views may be given as one list."""
    rest = {key: value for key, value in question.items() if key != "command"}
    keys = _keys(command)
    if "outer" in keys and "views" in rest:
        rest |= _views(command, rest.pop("views"))
    given = {}
    for key, value in rest.items():
        if value is not None:
            if key not in keys:
                raise InputError(f"{command.name} has no key {key!r}; it takes {_named(command)}")
            given[keys[key].name] = keys[key].of_json(value)
    return given


def _keys(command: Command) -> dict[str, Parameter]:
    """The parameters that a question may set."""
    return {p.key: p for p in command.parameters if p.key != "json"}


def _named(command: Command) -> str:
    """Lists the keys that a question may have."""
    keys = _keys(command)
    return ", ".join(["views", *keys] if "outer" in keys else keys)


def _views(command: Command, views: object) -> Given:
    """Distributes a question's list of views over the command's arguments."""
    several = "more" in _keys(command)
    if not isinstance(views, list) or len(views) < 2 or (len(views) > 2 and not several):
        most = "two views or more" if several else "two views"
        raise InputError(f"views: {command.name} takes a list of {most}, from the one that lays out memory")
    return {"outer": views[0], "inner": views[1], **({"more": views[2:]} if views[2:] else {})}
