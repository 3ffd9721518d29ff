"""`symview rules`: the rewrite rules of a compiler's checkout, each proved or refuted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic

from symview.commands.options import Options
from symview.commands.replies import VERSION, Code, Reply
from symview.commands.waiting import progress
from symview.errors import InputError
from symview.readers import read
from symview.readers.checking import Checked, Limits, checked
from symview.readers.output import as_json, sarif, toml, unread_json
from symview.readers.rules import Rule
from symview.readers.running import command
from symview.show.grid import Block

_NONE = "none"
_QUIET = 10.0  # seconds without a word where stderr is no terminal


def rules(
    project: str, checkout: str, bits: str, zero: bool, out: str | None, sarif_file: str | None, only: str | None,
    seconds: float, jobs: int, options: Options,
) -> Reply:  # fmt: skip
    """Proves or refutes the rules of a checkout."""
    widths = _widths(bits)
    every = read(project, checkout, zero)
    every = every if only is None else _at(every, only)
    if out:
        _write(out, toml(every))
    left = options.budget.seconds_left()
    limits = Limits(options.budget.plain(), seconds, None if left is None else monotonic() + left)
    total = sum(bool(rule.claim) for rule in every)
    what = f"proving rules of {project}"
    found = list(progress(checked(every, limits, widths, jobs or None), total, what, seconds=_QUIET))
    if sarif_file:
        _write(sarif_file, sarif(found, VERSION))
    unread = [rule for rule in every if not rule.claim]
    counts = Counter(one.answer for one in found)
    code = Code.NO if counts["refuted"] else Code.UNDECIDED if counts["unknown"] else Code.YES
    fields = {
        "project": project, "bits": widths, "rules": [as_json(one, project) for one in found],
        "unread": list(map(unread_json, unread)),
        "counts": {word: counts[word] for word in ("proved", "refuted", "unknown")} | {"unread": len(unread)},
    }  # fmt: skip
    return Reply(code, lambda: fields, lambda: _blocks(project, found, unread))


def _at(every: Sequence[Rule], only: str) -> tuple[Rule, ...]:
    """The rules of `FILE:LINE`, or of a file; raises InputError if there are none."""
    file, colon, line = only.rpartition(":") if only.rpartition(":")[2].isdecimal() else (only, "", "")
    of_file = [rule for rule in every if f"/{rule.path}".endswith(f"/{file}")]
    found = tuple([rule for rule in of_file if not colon or rule.line == int(line)])
    if not found:
        lines = sorted({rule.line for rule in of_file}, key=lambda n: abs(n - int(line or 0)))[:3]
        near = f"the nearest of that file are in lines {', '.join(map(str, lines))}" if lines else "write FILE:LINE"
        raise InputError(f"--only {only}: no rule there; {near}")
    return found


def _widths(text: str) -> list[str]:
    """Parses the types that wrap, such as `i8 u8`; `none` is the empty list."""
    widths = [] if text.strip() == _NONE else text.replace(",", " ").split()
    for width in widths:
        if width[0] not in "iu" or not width[1:].isdecimal():
            raise InputError(f"--bits {text}: give types such as 'i8 u8', or none")
    return widths


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def _blocks(project: str, found: Sequence[Checked], unread: Sequence[Rule]) -> Iterator[Block]:
    """Lists false rules, undecided rules, and unread ones with reasons, and counts each group."""
    for one in sorted(found, key=lambda one: one.answer == "unknown"):
        if one.answer != "proved":
            yield "\n".join([one.rule.source, *_lines(project, one)])
    if unread:
        reasons = Counter(rule.reason for rule in unread).most_common()
        yield "\n".join(["not read:", *(f"{times:5}  {reason}" for reason, times in reasons)])
    counts = Counter(one.answer for one in found)
    counted = ", ".join(f"{counts[word]} {word}" for word in ("proved", "refuted", "unknown") if counts[word])
    yield f"{len(found)} rules{': ' * bool(found)}{counted}; {len(unread)} not read"


def _lines(project: str, one: Checked) -> Iterator[str]:
    for check in one.checks:
        if check.answer in ("refuted", "unknown"):
            in_type = f" for {check.bits}" if check.answer == "unknown" and check.bits else ""
            yield f"  {check.told if check.answer == 'refuted' else f'undecided{in_type}: {check.told}'}"
        if run := command(project, one.rule, check):
            yield f"  the left side in {project}: {run}"
    if one.premise:
        yield f"  right for all integers where {one.premise}"
