"""The command that finds layouts from their uses: `symview plan`."""

from __future__ import annotations

from symview.commands.options import Options
from symview.commands.replies import Code, Reply
from symview.plans.plan import plan as planned
from symview.rules.files import read_text
from symview.rules.programs.notation import split_entries


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
    found = planned(
        *(line for one in (tensor, *(programs or [])) for line in _lines(one)),
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


def _lines(given: str) -> list[str]:
    """The programs of an argument: itself, or the lines of a file."""
    if not given.endswith(".txt"):
        return [given.strip()]
    lines = [line.partition("#")[0].strip() for line in read_text(given).splitlines()]
    return [line for line in lines if line]
