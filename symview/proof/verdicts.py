"""What a proof attempt comes to: `Verdict = Proved | Refuted | Unknown`, closed and never mixed up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import InitVar, dataclass, field
from os import PathLike
from typing import Any, Literal, NoReturn, TypeAlias, final
from weakref import WeakValueDictionary

from symview.certificates import document, tree
from symview.displayed import Displayed, Json
from symview.errors import SymviewError, Undecided
from symview.logic.budget import Budget
from symview.logic.notation import joined, parse_assumption
from symview.logic.terms import Term
from symview.proof.lists import Folds
from symview.proof.statement import Query, read
from symview.rocq import Certified

_SEAL = object()
_BUILT: WeakValueDictionary[int, Proved] = WeakValueDictionary()  # what rules built, by id
_MAX_WORK = 10_000_000  # for refutations of one certificate

Chains: TypeAlias = tuple[Any, Any] | None  # the views on both sides, as a certificate has them
Programs: TypeAlias = tuple[Any, ...]  # the programs on both sides, with what is assumed, as a certificate has them
Made: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]  # a rule, and what it was asked: a pickle asks it again
Lemmas: TypeAlias = tuple[tuple["Proved", Mapping[str, Term]], ...]  # theorems, with values of their names


class ForgedProof(SymviewError, TypeError):
    """A `Proved` was built by something other than a rule of the kernel."""


def is_exception(note: str) -> bool:
    """Whether a theorem that rests on it holds only where a divisor is not 0, or the like.

    >>> is_exception("divisor y != 0 assumed"), is_exception("z3")
    (True, False)
    """
    return note.endswith(" assumed")


def unstated(rests_on: Iterable[str]) -> tuple[str, ...]:
    """What notes say is taken for granted and nowhere stated, as assumptions.

    >>> unstated({"z3", "divisor y != 0 assumed", "k >= 0 assumed"})
    ('k >= 0', 'y != 0')
    """
    return tuple(sorted(n.removesuffix(" assumed").removeprefix("divisor ") for n in rests_on if is_exception(n)))


@final
@dataclass(frozen=True, slots=True, weakref_slot=True)
class Proved(Displayed, Certified):
    """A theorem: the statement holds for all integers that meet the assumptions. Truthy once all these are stated.

    `unstated` are those that nobody stated: that a divisor is not 0, or a shift or an exponent not negative. Until
    `assume` states them, `bool()` raises Undecided and says so.

    `rests_on` names everything that is trusted beyond the kernel: "z3", "induction", "all values tried",
    "divisor y != 0 assumed"; of rules of programs "normal form", and "any rank" where they hold at every rank.
    `division` is the rounding that // and % mean in the text. `query` holds the statement as formulas, where it is
    one; `lists` say which of its names are folds of lists, and of which: the theorem is about these values, not about
    all integers; `chains` are the views, where it says that two chains are equal, and `programs` both
    sides of a rule. Only rules can build one: those of `symview.proof.kernel`, `equivalent`, and `prove` of programs.
    Copies are the theorem itself; what is unpickled is proved again by the same rule.

    >>> Proved("1 == 2", (), frozenset(), 0.0, "floor", None)
    Traceback (most recent call last):
    ...
    symview.proof.verdicts.ForgedProof: Proved(1 == 2): only a rule builds a theorem; call symview.prove
    """

    statement: str
    assumptions: tuple[str, ...]
    rests_on: frozenset[str]
    seconds: float = field(compare=False)
    division: str
    seal: InitVar[object]
    query: Query | None = field(default=None, compare=False)
    lists: tuple[Folds, ...] = ()
    chains: Chains = field(default=None, compare=False, repr=False)
    programs: Programs = field(default=(), compare=False, repr=False)
    by: Lemmas = field(default=(), compare=False, repr=False)
    made: Made | None = field(default=None, compare=False, repr=False)

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            _BUILT.pop(id(self), None)  # `__init__` on a theorem: it is none from here on
            raise ForgedProof(f"Proved({self.statement}): only a rule builds a theorem; call symview.prove")
        _BUILT[id(self)] = self

    def __init_subclass__(cls) -> None:
        raise ForgedProof(f"{cls.__name__}: only a rule builds a theorem, and there are no other kinds of it")

    def __setstate__(self, state: object) -> NoReturn:
        raise ForgedProof("a theorem is not changed; call symview.prove")

    def __reduce__(self) -> Made:
        if self.made is None or not is_built(self):
            raise ForgedProof(f"Proved({self.statement}): no rule built it, so that no rule proves it again")
        return self.made

    def __copy__(self) -> Proved:
        return self

    def __deepcopy__(self, memo: object) -> Proved:
        return self

    @property
    def unstated(self) -> tuple[str, ...]:
        """The assumptions that nobody stated, such as that a divisor is not 0."""
        return unstated(self.rests_on)

    def __bool__(self) -> Literal[True]:
        if not is_built(self):
            raise ForgedProof(f"Proved({self.statement}): only a rule builds a theorem; call symview.prove")
        if self.unstated:
            raise Undecided(f"{self.statement}: {self.to_state()}")
        return True

    def to_state(self) -> str:
        """What has to be assumed, in words; empty where all is."""
        left = self.unstated
        return f"proved only where {joined(left)}: state it, assume={', '.join(left)!r}" if left else ""

    def __str__(self) -> str:
        trusted = ", ".join(sorted(self.rests_on))
        return f"proved{_under(self)}: {self.statement}  [{trusted}; {self.seconds:.2f} s]"

    def certificate(self) -> Json:
        """Question and answer as JSON, which `symview verify` checks without trusting this package."""
        from symview.proof.refutations import with_refutations

        found = _document(self, {"verdict": "proved"}, {"same": True})
        return with_refutations(found, Budget(work=_MAX_WORK)) if found["kind"] in ("theorem", "rule") else found

    def to_dict(self) -> Json:
        """The answer as JSON."""
        return {"verdict": "proved", **_statement(self), "rests_on": sorted(self.rests_on), "seconds": self.seconds}

    def __repr__(self) -> str:
        return f"<Proved {self.statement!r}{_under(self)}, rests on {sorted(self.rests_on)}>"


@dataclass(frozen=True, slots=True)
class Refuted(Displayed, Certified):
    """The statement is false at `values`, replayed in plain integers. Falsy.

    `sides` are the two sides of the relation that fails, where the statement is one (or implies one);
    `smallest` says that no values with a smaller sum of absolute values refute it. Of a rule of programs, `index` is
    the smallest index at which the sides show different elements, and `sides` says which; without an index it says
    how their shapes differ.

    >>> print(Refuted("x % y == x", {"x": 1, "y": 1}, (0, 1), smallest=True))
    refuted: x % y == x  at x = 1, y = 1 (smallest): 0 on the left, 1 on the right
    """

    statement: str
    values: Mapping[str, int]
    sides: tuple[int | str, int | str] | None = None
    smallest: bool = False
    assumptions: tuple[str, ...] = ()
    division: str = "floor"
    index: tuple[int, ...] | None = None
    arithmetic: str = ""
    chains: Chains = field(default=None, compare=False, repr=False)
    programs: Programs = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", dict(self.values))

    def __bool__(self) -> Literal[False]:
        return False

    def where(self) -> str:
        """The values, and the index, as text."""
        at = [f"{name} = {value}" for name, value in self.values.items()]
        at += [] if self.index is None else [f"index ({','.join(map(str, self.index))})"]
        return ", ".join(at) or "any values"

    def certificate(self) -> Json:
        """Question and answer as JSON, which `symview verify` checks without trusting this package."""
        shown: Any = {"index": self.index and list(self.index)}  # of programs; the sides of others are numbers
        sides = shown if self.programs else {"sides": self.sides and list(self.sides)}
        refuted = {"verdict": "refuted", "values": dict(self.values), **sides, "smallest": self.smallest}
        same = {"same": False, "index": list(self.values.values()), **sides, "smallest": self.smallest}
        return _document(self, refuted, same)

    def to_dict(self) -> Json:
        """The answer as JSON; of programs also the index."""
        sides = None if self.sides is None else list(self.sides)
        index = {} if self.index is None else {"index": list(self.index)}
        found = {"values": dict(self.values), "sides": sides, "smallest": self.smallest}
        return {"verdict": "refuted", **_statement(self), **found, **index}

    def __hash__(self) -> int:
        return hash((self.statement, frozenset(self.values.items()), self.assumptions))

    def __str__(self) -> str:
        where = self.where()
        kind = " (smallest)" if self.smallest and self.values else ""
        sides = f": {self.sides[0]} on the left, {self.sides[1]} on the right" if self.sides else ""
        return f"refuted{_under(self)}: {self.statement}  at {where}{kind}{sides}"


@dataclass(frozen=True, slots=True)
class Unknown(Displayed, Certified):
    """Neither proved nor refuted within the budget. `bool()` raises Undecided, so it passes for nothing.

    `smt2` is the question that stayed open, as SMT-LIB, and `save` writes it: unsatisfiable would mean proved.

    >>> bool(Unknown("x*x != y", "Z3 gave up"))
    Traceback (most recent call last):
    ...
    symview.errors.Undecided: undecided: x*x != y: Z3 gave up
    """

    statement: str
    reason: str
    assumptions: tuple[str, ...] = ()
    division: str = "floor"
    smt2: str = field(default="", repr=False)
    arithmetic: str = ""

    def __bool__(self) -> NoReturn:
        raise Undecided(f"{self.statement}: {self.reason}")

    def certificate(self) -> Json:
        """Question and answer as JSON, which `symview verify` checks without trusting this package."""
        return _document(self, {"verdict": "unknown"})

    def to_dict(self) -> Json:
        """The answer as JSON."""
        return {"verdict": "unknown", **_statement(self), "reason": self.reason, "smt2": self.smt2}

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the open question as SMT-LIB, for another solver or a longer run."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.smt2)

    def __str__(self) -> str:
        return f"unknown{_under(self)}: {self.statement}  ({self.reason})"


Verdict: TypeAlias = Proved | Refuted | Unknown


def _statement(verdict: Verdict) -> Json:
    """What was asked, as JSON."""
    return {
        "statement": verdict.statement, "assumptions": list(verdict.assumptions), "division": verdict.division,
    }  # fmt: skip


def _document(verdict: Verdict, answer: Json, same: Json | None = None) -> Json:
    """The certificate; what is no formula, as a statement about a list in any order, stands there as text alone.

    Where the statement is that two chains of views are equal, `same` is the answer.
    """
    chains = None if isinstance(verdict, Unknown) else verdict.chains
    if chains is not None and same is not None:
        return document("chains", {"first": chains[0], "second": chains[1]}, same)
    if not isinstance(verdict, Unknown) and verdict.programs:
        instances = list(verdict.programs)
        some = isinstance(verdict, Proved) and "any rank" in verdict.rests_on and not instances[0]["more"]
        return document("rule", {"instances": instances, "parts": some or len(instances) > 1}, answer)
    query = _query(verdict)
    question = _theorem_json(verdict) if isinstance(verdict, Proved) else None if query is None else query.as_json()
    text = {"statement": verdict.statement, "assumptions": list(verdict.assumptions)}
    return document("theorem", text if question is None else question, answer)


def _theorem_json(theorem: Proved) -> Json | None:
    """A theorem as formulas: with the lemmas that show it, or by induction along a list; None where it is neither."""
    if theorem.query is None or any(along.order_of for along in theorem.lists):
        return None
    question = theorem.query.as_json()
    if theorem.query.width is None:
        question["assume"] += [tree(parse_assumption(left), theorem.division) for left in theorem.unstated]
    if theorem.by:
        lemmas = [(_theorem_json(lemma), {n: tree(x) for n, x in at.items()}) for lemma, at in theorem.by]
        if any(asked is None for asked, _ in lemmas):
            return None
        return {**question, "by": [{"lemma": asked, "at": at} for asked, at in lemmas]}
    if not theorem.lists:
        return question
    if any(note.startswith("lemma: ") for note in theorem.rests_on) or len(theorem.lists) > 1:
        return None
    return {**question, **theorem.lists[0].as_json()}


def _query(verdict: Verdict) -> Query | None:
    """The statement as formulas about all integers, where it is one."""
    if isinstance(verdict, Proved):
        return verdict.query
    bits, _, sign = verdict.arithmetic.partition("-bit ")
    width = f"{'i' if sign == 'signed' else 'u'}{bits}" if bits else None
    try:
        return read(verdict.statement, verdict.assumptions, verdict.division, width)
    except SymviewError:
        return None


def is_built(theorem: object) -> bool:
    """Whether a rule built this very object, in this process."""
    return type(theorem) is Proved and _BUILT.get(id(theorem)) is theorem


def _under(verdict: Verdict) -> str:
    left = verdict.unstated if isinstance(verdict, Proved) else ()
    stated = [a for a in verdict.assumptions if a not in left]
    given = f" given {joined(stated)}" if stated else ""
    given += f" only where {joined(left)}, which is not stated" if left else ""
    within = f" in {verdict.arithmetic} arithmetic" if not isinstance(verdict, Proved) and verdict.arithmetic else ""
    return within + given if verdict.division == "floor" else f"{within} under {verdict.division} division{given}"
