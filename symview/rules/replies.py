"""The replies of the commands on statements: `symview prove`, `weakest`, `index-map`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from symview.commands.options import Options
from symview.commands.replies import Code, Reply
from symview.commands.verdicts import verdict_reply
from symview.commands.waiting import progress, working
from symview.displayed import Json
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.notation import joined
from symview.proof.data import as_typed
from symview.proof.verdicts import Proved, Refuted, Unknown, Verdict
from symview.rules.files import read_rules
from symview.rules.index_maps import OneToOne, read_ranges
from symview.rules.index_maps import index_map as mapped
from symview.rules.outcomes import Outcome, hint, outcomes, query_of, save_query
from symview.rules.premises.premise import premise_blocks
from symview.rules.premises.weakest import weakest as weakest_premise
from symview.rules.prove import prove as proved
from symview.show.grid import Block, Grid

_DIGITS = 10  # the largest width
_SHORT = Budget(work=4_000_000)  # for the condition that a hint leads to


def prove(
    statement: list[str], division: str, bits: str | None, save: str | None, jobs: int, options: Options
) -> Reply:
    """Proves or refutes a statement, or the rules of files."""
    if statement and all(text.endswith(".toml") for text in statement):
        if options.assume or division != "floor" or bits is not None:
            raise InputError("--assume, --division and --bits are for a statement: a file of rules says them itself")
        return _rule_files(statement, options, save, jobs)
    if len(statement) != 1:
        raise InputError("give one statement, or files of rules, whose names end in .toml")
    with working("proving"):
        verdict = proved(statement[0], options.assume, division, bits=_width(bits), budget=options.budget)
    if isinstance(verdict, Unknown) and save:
        save_query(save, statement[0], verdict.smt2)
    return replace(
        verdict_reply(verdict), hint=_to_assume(verdict) or ("" if bits else hint(verdict.to_dict(), _SHORT))
    )


def _to_assume(verdict: Verdict) -> str:
    """The option that states what a theorem needs and is not assumed; empty for other verdicts."""
    if not isinstance(verdict, Proved) or not verdict.unstated:
        return ""
    arithmetic = "" if verdict.query is None else verdict.query.arithmetic()
    return f'add --assume "{joined([as_typed(left, arithmetic) for left in verdict.unstated])}"'


def weakest(statement: str, about: str, division: str, options: Options) -> Reply:
    """Finds the weakest condition on some symbols under which a statement holds."""
    premise = weakest_premise(statement, about, options.assume, division, options.budget)
    code = Code.YES if premise else Code.UNDECIDED
    return Reply(code, premise.to_dict, lambda: premise_blocks(premise), conditional=premise.condition != "true")


def index_map(expressions: str, ranges: str, division: str, options: Options) -> Reply:
    """Decides whether an index map is one-to-one, and finds its inverse."""
    found = mapped(expressions, ranges, options.assume, division, options.budget)
    if not isinstance(found, OneToOne):
        typed = f"{expressions} {ranges} {options.assume}"
        same = _two_indices(found, list(read_ranges(ranges)), typed) if isinstance(found, Refuted) else ""
        told = verdict_reply(found)
        return replace(told, blocks=lambda: [same, *told.blocks()]) if same else told
    code = Code.UNDECIDED if found.theorem.unstated else Code.YES
    return Reply(code, found.to_dict, lambda: [str(found)], hint=_to_assume(found.theorem))


def _two_indices(found: Refuted, axes: Sequence[str], typed: str) -> str:
    """The two indices of an index map that have one value; empty where a name x_2 is not the second one's x."""
    values, seconds = found.values, [f"{axis}_2" for axis in axes]
    if not {*axes, *seconds} <= values.keys() or any(name in typed for name in seconds):
        return ""
    first, second = (", ".join(f"{x} = {values[n]}" for x, n in zip(axes, of, strict=True)) for of in (axes, seconds))
    sizes = joined([f"{n} = {v}" for n, v in values.items() if n not in (*axes, *seconds)])
    return f"not one-to-one{f' with {sizes}' if sizes else ''}: {first} and {second} have the same value"


def _width(text: str | None) -> int | str | None:
    return int(text) if text is not None and text.isdecimal() and len(text) < _DIGITS else text


# Rules of files


def _rule_files(paths: Sequence[str], options: Options, save: str | None, jobs: int) -> Reply:
    """Proves or refutes each rule of some files."""
    rules = [rule for path in paths for rule in read_rules(path)]
    budget = options.budget.plain()
    found = list(progress(outcomes(rules, budget, budget.timeout, jobs or None), len(rules), "proving"))
    for one in found if save else ():
        if query := query_of(one):
            save_query(str(save), one.rule.name, query)
    fields = {"rules": list(map(_rule_dict, found)), "counts": _counts(found)}
    return Reply(_worst(found), lambda: fields, lambda: _rule_blocks(found, save))


def _worst(found: Iterable[Outcome]) -> Code:
    """The worst outcome of the rules: an invalid rule, then an unexpected verdict, then an open one."""
    unmet = {one.answer for one in found if not one.is_met}
    if "invalid" in unmet:
        return Code.BAD_INPUT
    return Code.YES if not unmet else Code.UNDECIDED if unmet == {"unknown"} else Code.NO


def _rule_dict(found: Outcome) -> Json:
    rule = found.rule
    fields = {"name": rule.name, "place": rule.place, "source": rule.source, "expect": rule.expect}
    question = {"statement": rule.claim, "assumptions": list(rule.assume), "division": rule.division}
    premise = None if found.premise is None else str(found.premise.condition)
    return {
        **fields, "met": found.is_met, "problem": found.problem, "premise": premise, "bits": rule.bits,
        "issue": rule.issue, **(found.fields or {"verdict": "invalid", **question}), "seconds": found.seconds,
    }  # fmt: skip


def _counts(found: Sequence[Outcome]) -> dict[str, int]:
    counts = {word: sum(one.answer == word for one in found) for word in ("proved", "refuted", "unknown", "invalid")}
    return {**counts, "not_as_expected": sum(not one.is_met for one in found)}


def _rule_blocks(found: Sequence[Outcome], save: str | None) -> Iterator[Block]:
    """Formats the table, the unexpected verdicts, and the counts."""
    yield Grid(("rule", "verdict", "for", "seconds"), tuple(map(_row, found)))
    for one in found:
        if not one.is_met:
            yield "\n".join(filter(None, [f"{one.rule.place}: {one.rule.name}", one.problem, _advice(one)]))
    if any(query_of(one) for one in found):
        yield f"open questions are in {save}/" if save else "--save DIR writes the open questions as SMT-LIB"
    counts = _counts(found)
    unmet = counts.pop("not_as_expected")
    shown = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    yield f"{shown}; {f'{unmet} not as expected' if unmet else 'all as expected'}"


def _advice(found: Outcome) -> str:
    return f"hint: {found.hint}" if found.hint else ""


def _row(found: Outcome) -> tuple[str, ...]:
    scope = found.scope
    if found.premise:
        scope += f"; weakest premise: {found.premise.condition}"
    return found.rule.name, found.answer + ("" if found.is_met else " (!)"), scope, f"{found.seconds:.2f}"
