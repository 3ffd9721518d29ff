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
from typing import IO, Annotated, Any, TypeAlias

from symview.cli.options import argument, entry, option
from symview.cli.questions import reply_to
from symview.cli.replies import Code
from symview.cli.running import error_dict, meaning
from symview.cli.terminal import progress
from symview.errors import InputError
from symview.rules.outcomes import cores, processes

Line: TypeAlias = tuple[int, bytes]  # its number from 1 on, and what it says
Told: TypeAlias = tuple[Code, str]

_CHUNK = 32  # lines that a process takes at once
_AHEAD = 4  # chunks that wait for each process

_WORST = (Code.DEFECT, Code.BAD_INPUT, Code.UNDECIDED)


def batch(
    file: Annotated[str, argument("[FILE]", "A file of questions, one a line; - is stdin.")] = "-",
    jobs: Annotated[int, option("--jobs", text="How many cores; 0 for all.", metavar="INT", min=0)] = 1,
) -> int:
    """Answer questions that are JSON lines, each by one JSON line, in their order and as they come.

    A line is an object: the command, and its arguments and options as keys, such as
    {"command": "merge", "views": ["(10,3,3):(9,3,1)", "(4):(4)"]} or
    {"command": "conditions", "views": ["(10,3,3):(a,b,c)", "(s):(4)"], "at": {"s": 3}, "timeout": 1}.
    Lists of texts may be one text, shapes lists of numbers; empty lines are passed over.

    An answer is what the command prints with --json, and the number of the line. Where a line is no question, it has
    error and kind, and the rest goes on.

    Exit code: 0 where every question has an answer, 2 where a line was no question, 3 where one stayed undecided.

    JSON keys: line, then those of the command, or error and kind; docs/json.md has the schema.
    """
    with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as stream:
        told = _told(stream, cores() if jobs == 0 else jobs)
        return _written(told if sys.stdout.isatty() else progress(told, _count(stream), "answering"))


def _count(stream: IO[bytes]) -> int | None:
    """How many lines say something; None where they can be read but once."""
    if not (sys.stderr.isatty() and stream.seekable()):
        return None
    count = sum(1 for line in stream if line.strip())
    stream.seek(0)
    return count


def _written(answers: Iterable[Told]) -> Code:
    """Prints the answers as they come; the worst of what the lines came to."""
    seen = set[Code]()
    for code, text in answers:
        seen.add(code)
        print(text, flush=True)
    return next((code for code in _WORST if code in seen), Code.YES)


def _told(stream: IO[bytes], jobs: int) -> Iterator[Told]:
    lines = ((n, line) for n, line in enumerate(stream, 1) if line.strip())
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    if jobs == 1:
        return (answered(line, ascii_only) for line in lines)
    return _by_processes(lines, jobs, ascii_only)


def _by_processes(lines: Iterator[Line], jobs: int, ascii_only: bool) -> Iterator[Told]:
    """The answers in the order of the lines; no more lines are read ahead than keep the processes busy.

    Where a process dies, the chunk whose answers are due is asked line by line, and what was read ahead once more.
    """
    chunks: Iterator[list[Line]] = iter(lambda: list(islice(lines, _CHUNK)), [])
    waiting = deque[list[Line]]()
    while True:
        again = iter(list(waiting))
        waiting.clear()
        try:
            yield from _by_pool(chain(again, chunks), waiting, jobs, ascii_only)
            return
        except BrokenProcessPool:
            waiting.extend(again)  # those that were not yet taken once more
            yield from _one_by_one(waiting.popleft(), ascii_only)


def _by_pool(chunks: Iterable[list[Line]], waiting: deque[list[Line]], jobs: int, ascii_only: bool) -> Iterator[Told]:
    """The answers by one pool; `waiting` are the chunks that were taken and have no answer yet."""
    asked = deque[Future[list[Told]]]()
    with processes(jobs) as pool:
        for chunk in chunks:
            waiting.append(chunk)
            asked.append(pool.submit(_answered_all, chunk, ascii_only))
            while asked and (len(asked) > _AHEAD * jobs or asked[0].done()):
                yield from _due(asked, waiting)
        while asked:
            yield from _due(asked, waiting)


def _due(asked: deque[Future[list[Told]]], waiting: deque[list[Line]]) -> list[Told]:
    found = asked.popleft().result()
    waiting.popleft()
    return found


def _one_by_one(lines: list[Line], ascii_only: bool) -> Iterator[Told]:
    """The answers to lines of which one ends its process: that one has an error."""
    left = deque(lines)
    while left:
        with processes(1) as pool:
            try:
                while left:
                    yield pool.submit(answered, left[0], ascii_only).result()
                    left.popleft()
            except BrokenProcessPool:
                error = "the process that was to answer it died; was there enough memory?"
                yield Code.DEFECT, dumps({"line": left.popleft()[0], "error": error, "kind": "ProcessDied"})


def _answered_all(lines: list[Line], ascii_only: bool) -> list[Told]:
    return [answered(line, ascii_only) for line in lines]


def answered(line: Line, ascii_only: bool = False) -> Told:
    """The answer to one line as JSON, and the code that the command would exit with.

    >>> print(answered((3, b'{"command": "chain"}'))[1])
    {"line": 3, "error": "chain needs views; it takes views, equals, budget, timeout", "kind": "InputError"}
    """
    number, text = line
    command = ""
    try:
        question = _read(text)
        command = question.get("command", "") if isinstance(question, dict) else ""
        name, reply = reply_to(question)
        code, told = reply.code, reply.to_dict(name)
    except Exception as error:
        code, told = meaning(error)[2], error_dict(error, command)
    return code, dumps({"line": number, **told}, ensure_ascii=ascii_only)


def _read(text: bytes) -> Any:
    try:
        return loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the line is no JSON: {error}") from None


_ANSWERS = (
    '{"line": 1, "command": "merge", "answer": "yes", "version": "1.0.0", "outer": "(4,6):(6,1)", …\n'
    '{"line": 2, "error": "no command \'paint\'; there are …", "kind": "InputError"}'
)
COMMANDS = (entry(batch, ("questions.jsonl", _ANSWERS)),)
