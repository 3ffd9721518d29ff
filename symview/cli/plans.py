"""The command that finds layouts from their uses: `symview plan`."""

from __future__ import annotations

import re

import symview
from symview.cli.options import Options
from symview.cli.replies import Code, Reply
from symview.errors import InputError
from symview.rules.files import read_text
from symview.rules.programs.notation import split_entries

_OPERATION = re.compile(r"(copy|permute|flip|shrink|slice|expand|reshape|pad|concat|read)\s*\(")


def plan(
    tensor: str,
    programs: list[str] | None,
    names: str | None,
    bytes: int | None,
    unit: str | None,
    align: str | None,
    signed: bool,
    layouts: int,
    options: Options,
) -> Reply:
    """Finds the layouts under which programs are views, or the least copies."""
    found = symview.plan(
        *_programs([tensor, *(programs or [])]),
        names=None if names is None else split_entries(names),
        element_bytes=bytes,
        unit=unit,
        align=align,
        positive=not signed,
        layouts=layouts,
        assume=options.assume,
        budget=options.budget,
    )
    code = Code.UNDECIDED if found.optimal == "undecided" else Code.YES if found else Code.NO
    return Reply(code, found.to_dict, lambda: [found.explain() if options.explain else str(found)])


def _programs(given: list[str]) -> list[str]:
    """Parses the programs: one that begins with an operation continues the last tensor; a file has one per line."""
    found, tensor = list[str](), ""
    for text in (line for one in given for line in _lines(one)):
        if _OPERATION.match(text):
            if not tensor:
                raise InputError(f"{text}: begin with a tensor, such as q(B,S,H,D)")
            found.append(f"{tensor}.{text}")
            continue
        parts = symview.Program.parse(text).chain()
        tensor = str(parts[0])
        found += [text] if len(parts) > 1 else []
    return found or [tensor]


def _lines(given: str) -> list[str]:
    if not given.endswith(".txt"):
        return [given.strip()]
    lines = [line.partition("#")[0].strip() for line in read_text(given).splitlines()]
    return [line for line in lines if line]
