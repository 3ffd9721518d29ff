"""The reply of a command before it is printed: for a terminal or as JSON, on the command line or in a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from symview.answers import Exact, Sound, Status, TooStrong, TooWeak
from symview.commands.options import Options
from symview.counterexample import values_text
from symview.displayed import Json
from symview.errors import InputError, NotSupported
from symview.logic.notation import joined
from symview.logic.polynomial import ONE, as_term, poly_of
from symview.logic.solve import is_impossible
from symview.logic.terms import Term, negated, nonzero_divisors, num
from symview.show.formulas import clauses_text
from symview.show.grid import Block

if TYPE_CHECKING:
    from symview.cases.conditions import Conditions

VERSION: str = import_module("symview").__version__  # the package lists all names, and this needs none of them
Found: TypeAlias = "Conditions[Any]"
Answer = Literal["yes", "no", "conditions", "undecided"]


class Code(IntEnum):
    """The exit codes."""

    YES = 0
    NO = 1
    BAD_INPUT = 2
    UNDECIDED = 3
    DEFECT = 70
    INTERRUPTED = 130
    PIPE_CLOSED = 141


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a command: its code, the fields of its JSON and the blocks of its text; one of the two is printed.

    `conditional`: the answer is yes under conditions, which it contains. `hint`: what to type next, on stderr.
    """

    code: Code
    fields: Callable[[], Json]
    blocks: Callable[[], Iterable[Block]]
    conditional: bool = False
    hint: str = ""

    @property
    def answer(self) -> Answer:
        """The answer in one word; unreadable input has none, which is not yes."""
        if self.code is Code.UNDECIDED:
            return "undecided"
        if self.code is not Code.YES:
            return "no"
        return "conditions" if self.conditional else "yes"

    def to_dict(self, command: str) -> Json:
        """The reply as JSON: the keys of every command, then its own (docs/json.md)."""
        fields = self.fields()
        return {**heading(command, self.answer), **fields}


def heading(command: str, answer: Answer) -> dict[str, str]:
    """The keys that every reply has."""
    return {"command": command, "answer": answer, "version": VERSION}


def reply(fields: Json, text: object, yes: bool = True) -> Reply:
    """A reply yes or no with these keys and this text."""
    return Reply(Code.YES if yes else Code.NO, lambda: fields, lambda: [str(text)])


def conditions_reply(
    found: Found,
    options: Options,
    at: Callable[[Found], Reply],
    blocks: Callable[[Found], Iterable[Block]],
    numbers: bool = False,
) -> Reply:
    """Formats conditions as the options say: at the values `at`, or else as `blocks`.

    `numbers`: without symbols the answer is yes or no.
    """
    found = found.within(options.rest())
    if options.at or (numbers and not options.wants_text() and not found.symbols()):
        return at(found)
    if options.guard is not None:
        return _compared(found, options.guard)

    def shown() -> Iterator[Block]:
        sizes = _sizes_assumed(found)
        if options.python:
            note = f"  # assumed: {joined(sizes)}" if sizes else ""
            yield f"{found.guards()}{note}"
        elif options.latex or options.smt2:
            yield found.to_latex() if options.latex else found.to_smt2().rstrip()
        else:
            first, *rest = blocks(found)
            yield first
            if sizes:
                yield f"assumed: {clauses_text(sizes)}"
            yield from rest

    code, sure = code_of(found)
    python = {"python": found.guards()} if options.python and options.json else {}
    return Reply(code, lambda: {**found.to_dict(), **python}, shown, conditional=not sure)


def _sizes_assumed(found: Found) -> list[Term]:
    """That a size such as n - p is positive, where neither the other facts nor the condition imply it."""
    given = [f for f in found.facts if f not in found.assumed]
    sizes = [f for f in given if f.op == ">=" and f.args[1] == num(1) and f.args[0].op != "sym"]
    if not sizes or code_of(found)[0] is not Code.YES:
        return []
    known, condition, unsaid = [f for f in found.facts if f not in sizes], found.term(), []
    divided_by = {d.args[0] for d in nonzero_divisors([condition])}  # a guard raises where one is 0
    for fact in sizes:
        also = [] if fact.args[0] in divided_by else [condition]
        if not is_impossible([*known, *also, negated(fact)], found.budget):
            known.append(fact)
            unsaid.append(_without_minus(fact))
    return unsaid


def _without_minus(fact: Term) -> Term:
    """The fact that a sum is positive as a comparison of two sums: p < n, not n - p >= 1."""
    try:
        p = poly_of(fact.args[0])
    except (InputError, NotSupported):  # the size has divisions
        return fact
    low, high = {m: -c for m, c in p.items() if c < 0}, {m: c for m, c in p.items() if c > 0}
    if not low:
        return fact
    if len(high) > 1 and high.get(ONE) == 1:
        return Term("<=", (as_term(low), as_term({m: c for m, c in high.items() if m != ONE})))
    return Term("<", (as_term(low), as_term(high)))


def at_values(found: Found, options: Options, told: Callable[[bool, Any], tuple[str, Json]]) -> Reply:
    """The reply at the values of `--at`, or of numbers.

    `told`: its text and further fields, of whether it is yes, and of the question's answer; None if not all values are
    given.
    """
    holds = found.holds(options.at)
    whole = all(n in options.at for n in found.symbols())
    text, fields = told(holds, found.question.at(dict(options.at), options.budget) if whole else None)
    text += f" with {values_text(options.at)}" if options.at else ""
    return reply({**found.question.head(), "values": dict(options.at), "holds": holds, **fields}, text, holds)


def code_of(found: Found) -> tuple[Code, bool]:
    """The exit code: 0 if some case is possible, 1 if none is, 3 if one is undecided; and whether it always holds."""
    seen = {case.status for case in found.cases}
    if Status.UNDECIDED in seen:
        return Code.UNDECIDED, False
    if not seen & {Status.ALWAYS, Status.WHEN}:
        return Code.NO, False
    return Code.YES, seen == {Status.ALWAYS} and not found.clauses


def _compared(found: Found, guard: str) -> Reply:
    """Compares the guard with the weakest condition."""
    verdict = found.compare(guard)
    code = Code.NO
    fields: Json = {"verdict": "exact", "sound": "proved", "values": None, "index": None}
    match verdict:
        case Exact():
            code = Code.YES
        case Sound():
            code = Code.UNDECIDED
            fields |= {"verdict": "sound"}
        case TooStrong(values, sound):
            fields |= {"verdict": "too_strong", "sound": sound, "values": dict(values)}
        case TooWeak(values, index):
            fields |= {"verdict": "too_weak", "sound": "no", "values": dict(values)}
            fields |= {"index": None if index is None else list(index)}
    return Reply(code, lambda: {**found.to_dict(), "guard": fields}, lambda: [str(verdict)])
