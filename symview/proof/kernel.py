"""The proof kernel: theorems, and the rules that build them; a rule that does not apply raises.

A rule derives its obligations from the statement, and takes refutations of their negations, which
`symview.trusted.linear` checks, or theorems as premises. The prover, outside the kernel, finds these. Theorems that
rest on a solver's answer, or on equality of views and programs of tensors, need the seal, and say so in `rests_on`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any, Literal, NoReturn, TypeAlias, final
from weakref import WeakValueDictionary

from symview.displayed import Displayed, Json
from symview.errors import InputError, SymviewError, Undecided, unknown_name
from symview.logic.formula import Formula, tree
from symview.logic.terms import TRUE, Term, conj, conjuncts, divisors, names, nonzero_divisors, num, substituted, sym
from symview.proof.data import EqualChains, EqualPrograms, Folds, Query, as_typed, other_element, reordered, under
from symview.trusted.document import formula as as_core
from symview.trusted.formulas import Tree, defined, put
from symview.trusted.linear import refutes

_SEAL = object()
_FORGED = "only a rule builds a theorem; call symview.prove"
_BUILT: WeakValueDictionary[int, Proved] = WeakValueDictionary()  # the theorems that rules built, by id

Claim: TypeAlias = Query | EqualChains | EqualPrograms
Made: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]  # a rule and its arguments: unpickling runs it again
Lemmas: TypeAlias = tuple[tuple["Proved", Mapping[str, Term]], ...]  # theorems, with values of their names


class ForgedProof(SymviewError, TypeError):
    """A `Proved` was not built by a rule of the kernel."""


def is_exception(note: str) -> bool:
    """Whether it restricts a theorem, such as to nonzero values of a divisor.

    >>> is_exception("divisor y != 0 assumed"), is_exception("z3")
    (True, False)
    """
    return note.endswith(" assumed")


def unstated(rests_on: Iterable[str]) -> tuple[str, ...]:
    """The unstated assumptions in the notes.

    >>> unstated({"z3", "divisor y != 0 assumed", "k >= 0 assumed"})
    ('k >= 0', 'y != 0')
    """
    return tuple(sorted(n.removesuffix(" assumed").removeprefix("divisor ") for n in rests_on if is_exception(n)))


@final
@dataclass(frozen=True, slots=True, weakref_slot=True)
class Proved(Displayed):
    """A theorem: the statement holds for all integers that satisfy the assumptions. Truthy once all these are stated.

    `unstated` are implicit ones: a divisor is not 0, or a shift or an exponent is not negative. Until `assume` states
    them, `bool()` raises Undecided and names them.

    `rests_on` names everything that is trusted: "z3", "induction", "all values tried", "divisor y != 0 assumed", or
    "refutation" alone if the kernel checked one; rules of programs rest on "normal form", and on "any rank" if they
    hold at every rank. `claim` is what was proved, and the only statement: `statement`, `assumptions` and `division`
    (the rounding of // and % in them) are printed from it. `lists` say which of its names are folds, and of which
    lists: the theorem is about these values, not about all integers. `instances` are those that the certificate of a
    rule of programs states. Only rules can build one: those of this module and, for theorems that rest on more, the
    prover, `equivalent`, and `prove` of programs. (`object.__setattr__` changes anything in Python, theorems too.)
    Copies are the theorem itself; unpickling proves it again by the same rule.

    >>> Proved(Query(Formula(Term("==", (num(1), num(2))), "floor"), ()), frozenset(), 0.0, None)
    Traceback (most recent call last):
    ...
    symview.proof.kernel.ForgedProof: only a rule builds a theorem; call symview.prove
    """

    claim: Claim
    rests_on: frozenset[str]
    seconds: float = field(compare=False)
    seal: InitVar[object]
    lists: tuple[Folds, ...] = ()
    by: Lemmas = field(default=(), compare=False, repr=False)
    instances: tuple[Json, ...] = field(default=(), compare=False, repr=False)
    made: Made | None = field(default=None, compare=False, repr=False)

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            _BUILT.pop(id(self), None)  # `__init__` on a theorem: from here on, it is none
            raise ForgedProof(_FORGED)
        _BUILT[id(self)] = self

    def __init_subclass__(cls) -> None:
        raise ForgedProof(f"{cls.__name__}: only a rule builds a theorem, and there are no other kinds of it")

    def __setstate__(self, state: object) -> NoReturn:
        raise ForgedProof("a theorem is not changed; call symview.prove")

    def __reduce__(self) -> Made:
        if self.made is None or not is_built(self):
            raise ForgedProof("no rule built this, so no rule can prove it again")
        return self.made

    def __copy__(self) -> Proved:
        return self

    def __deepcopy__(self, memo: object) -> Proved:
        return self

    @property
    def query(self) -> Query | None:
        """The claim as formulas, if it is about integers."""
        return self.claim if isinstance(self.claim, Query) else None

    @property
    def statement(self) -> str:
        """The claim as text, with the lists that it is about."""
        return self.claim.text() + (f", where {'; and '.join(map(str, self.lists))}" if self.lists else "")

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions as text, the unstated ones last."""
        return (*self.claim.assumed(), *self.unstated)

    @property
    def division(self) -> str:
        """The rounding of quotients."""
        return self.claim.division()

    @property
    def unstated(self) -> tuple[str, ...]:
        """The implicit assumptions, such as a nonzero divisor."""
        return unstated(self.rests_on)

    def __bool__(self) -> Literal[True]:
        if not is_built(self):
            raise ForgedProof(_FORGED)
        if self.unstated:
            raise Undecided(f"{as_typed(self.statement, self._arithmetic())}: {self.to_state()}")
        return True

    def to_state(self) -> str:
        """The assumptions to state, in words; empty if all are stated."""
        from symview.logic.notation import joined  # slow to load: only printing needs it

        left = self.unstated
        return f"proved if {joined(left)}: state it, assume={', '.join(left)!r}" if left else ""

    def __str__(self) -> str:
        within = self._arithmetic()
        notes = sorted(r for r in self.rests_on if r != within and not is_exception(r))
        trusted = ["linear arithmetic" if r == "refutation" else r for r in notes]
        by = "; ".join(filter(None, [", ".join(trusted), f"{self.seconds:.2f} s"]))
        return f"proved{self._under()}: {as_typed(self.statement, within)}  [{by}]"

    def certificate(self) -> Json:
        """Question and answer as JSON, which `symview verify` checks without trusting this package."""
        from symview.proof.documents import of_theorem  # it loads the search for refutations, no part of the kernel

        return of_theorem(self)

    def to_dict(self) -> Json:
        """The answer as JSON."""
        return {"verdict": "proved", **self._stated(), "rests_on": sorted(self.rests_on), "seconds": self.seconds}

    def __repr__(self) -> str:
        stated = as_typed(self.statement, self._arithmetic())
        return f"<Proved {stated!r}{self._under()}, by {', '.join(sorted(self.rests_on))}>"

    def _under(self) -> str:
        return under(self.assumptions, self.division, self.unstated, self._arithmetic())

    def _arithmetic(self) -> str:
        return "" if self.query is None else self.query.arithmetic()

    def _stated(self) -> Json:
        return {"statement": self.statement, "assumptions": list(self.assumptions), "division": self.division}


def is_built(theorem: object) -> bool:
    """Whether a rule built this very object, in this process."""
    return type(theorem) is Proved and _BUILT.get(id(theorem)) is theorem


# Rules


def theorem(
    query: Query, rests_on: frozenset[str], seconds: float, made: Made, seal: object,
    lists: tuple[Folds, ...] = (), by: Lemmas = (),
) -> Proved:  # fmt: skip
    """The theorem that all integers that satisfy the assumptions satisfy the claim; `lists` define its folds."""
    rests_on |= {str(query.width)} if query.width else set()
    return Proved(query, rests_on, seconds, seal, lists, by, made=made)


def needs(query: Query) -> list[tuple[Tree, list[Tree]]]:
    """Conditions for the statement to have a value, each with the facts known before it: no divisor is 0, …"""
    claim, *given = _trees(query)
    conditions = [*dict.fromkeys(defined(claim, *given))]
    sure = [g for g in given if not defined(g)]
    return [(f, [*sure, *conditions[:n]]) for n, f in enumerate(conditions) if put(f, {}) is not True]


def denied(query: Query) -> list[Tree]:
    """Formulas that no integers satisfy if the statement holds wherever it has a value."""
    claim, *given = _trees(query)
    return [*dict.fromkeys(defined(claim, *given)), *given, ("not", claim)]


def by_refutation(
    query: Query,
    steps: object,
    of_needs: Sequence[object],
    notes: frozenset[str] = frozenset(),
    seconds: float = 0.0,
    made: Made | None = None,
    lemmas: Lemmas = (),
) -> Proved:
    """The theorem whose negation plain arithmetic refutes, and which has a value everywhere.

        steps refute: assumptions, lemmas, not statement      steps refute: assumptions, d == 0, for each divisor d
        -----------------------------------------------------------------------------------------------------------
                                          assumptions ⊢ statement

    Lemmas are theorems with values of their names.

    >>> x = sym("x")
    >>> even = Query(Formula(Term("!=", (Term("*", (num(2), x)), num(1))), "floor"), ())
    >>> print(by_refutation(even, [], []).statement)
    2*x != 1
    """
    if not _has_value(query, of_needs) or not refutes(steps, *instances(lemmas, query), *denied(query)):
        raise ForgedProof(f"{query.claim.text}: no refutation of the opposite, or that a divisor is 0")
    made = made or (by_refutation, (query, steps, of_needs, notes, seconds, None, lemmas))
    rests_on = notes.union({"refutation"}, *[named(lemma) for lemma, _ in lemmas])
    return theorem(query, rests_on, seconds, made, _SEAL, by=lemmas)


def _has_value(query: Query, of_needs: Sequence[object]) -> bool:
    """Whether the steps prove that the statement has a value wherever its assumptions hold."""
    conditions = needs(query)
    if len(conditions) != len(of_needs):
        raise ForgedProof(f"{query.claim.text}: {len(conditions)} divisors, and {len(of_needs)} refutations")
    return all(refutes(why, *known, ("not", f)) for (f, known), why in zip(conditions, of_needs, strict=True))


def instances(lemmas: Lemmas, query: Query) -> list[Tree]:
    """The instances of theorems: if all of one has a value, and its assumptions hold, its claim holds.

    Assumptions of the statement itself are left out.
    """
    _, *known = _trees(query)
    found = list[Tree]()
    for lemma, by in lemmas:
        _require(is_built(lemma) and not lemma.lists, "a theorem about all integers")
        claim, *given = _trees(instance_of(lemma, by)[0])
        left = [
            f for f in dict.fromkeys((*defined(claim, *given), *given)) if f not in known and put(f, {}) is not True
        ]
        found.append(("->", ("and", True, *left), claim) if left else claim)
    return found


def named(lemma: Proved) -> set[str]:
    """The notes of an instance: those of the lemma, except on divisors, which are proved to be nonzero here."""
    return {f"lemma: {lemma.statement}", *(r for r in lemma.rests_on if not is_exception(r))}


def carried_on(
    query: Query, along: Folds, base: Proved, step: Proved, notes: frozenset[str], seconds: float, made: Made
) -> Proved:
    """The theorem about folds of every list, or about every integer >= a start, by its base and its step."""
    claim, given, first = query.claim.term, [a.term for a in query.assumptions], along.first()
    _apart(along, [claim, *given, *first.values()], [*given, *first.values()])
    each, word = [*along.each], "list induction"
    if along.over:
        n, start = sym(along.over), first[along.over]
        _require(not each and start.op == "int" and along.later()[along.over] == Term("+", (n, num(1))), along.over)
        each, word = [Term(">=", (n, start))], "induction"
        later = Formula(each[0], "floor")
        query = query._replace(assumptions=(*query.assumptions, later))
    _require(_says(base, substituted(claim, first), given), "the base of the induction")
    _require(_says(step, substituted(claim, along.later()), [*given, *each, claim]), "the step of the induction")
    rests_on = base.rests_on | step.rests_on | notes | {word}
    return theorem(query, rests_on, seconds, made, _SEAL, () if set(first) == {along.over} else (along,))


def swap(along: Folds, given: Sequence[Term]) -> tuple[Term, list[Term]]:
    """The premise of reordering a list: two elements can be swapped; and the conditions on both of them."""
    one, other = along.later(), other_element(along, given)
    second = {f: substituted(term, other) for f, term in one.items()}
    same = conj(Term("==", (substituted(second[f], one), substituted(one[f], second))) for f in along.names())
    return same, [*given, *along.each, *(substituted(e, other) for e in along.each)]


def in_any_order(
    query: Query, along: Folds, swapped: Proved, notes: frozenset[str], seconds: float, made: Made
) -> Proved:
    """The theorem that folds do not depend on the order of the list, as swaps of neighbours generate all orders."""
    given, first = [a.term for a in query.assumptions], along.first()
    _apart(along, [*given, *first.values()], [*given, *first.values(), *along.each])
    _require(_says(swapped, *swap(along, given)), "swap")
    again = reordered(along, given)
    same = conj(Term("==", (sym(f), sym(g))) for f, g in zip(again.names(), along.names(), strict=True))
    query = query._replace(claim=Formula(same, "floor"))
    return theorem(query, swapped.rests_on | notes | {"permutation"}, seconds, made, _SEAL, (along, again))


def instance(
    of: Proved,
    by: Mapping[str, Term],
    of_needs: Sequence[object] | None,
    notes: frozenset[str],
    seconds: float,
    made: Made,
) -> Proved:
    """The theorem for these values of its names.

    If the theorem or a value divides by names, steps refute that the instance divides by 0; without steps, `notes` name
    the divisors that may be 0, and Z3 is trusted on the others.
    """
    _require(is_built(of), "a theorem")
    query, lists = instance_of(of, by)
    rests_on = frozenset(r for r in of.rests_on if not is_exception(r)) | notes
    if not keeps_values(of, by) and nonzero_divisors([f.term for f in query.formulas()]):
        if of_needs is None:
            rests_on |= {"z3"}
        elif lists or not _has_value(query, of_needs):
            raise ForgedProof(f"{query.claim.text}: no refutation that a divisor is 0")
    return theorem(query, rests_on, seconds, made, _SEAL, lists)


def keeps_values(of: Proved, by: Mapping[str, Term]) -> bool:
    """Whether an instance of a theorem never divides by 0, since neither the theorem nor the values do.

    >>> right = Query(Formula(Term("==", (sym("x"), sym("x"))), "floor"), ())
    >>> same = by_refutation(right, [], [])
    >>> keeps_values(same, {"x": num(2)}), keeps_values(same, {"x": Term("//", (num(1), sym("y")))})
    (True, False)
    """
    return not of.unstated and not nonzero_divisors([Term("==", (v, v)) for v in by.values()])


# Checks of the rules' premises


def _require(so: bool, what: str) -> None:
    if not so:
        raise ForgedProof(f"{what}: this is not a premise of the rule")


def _says(premise: Proved, claim: Term, given: Sequence[Term]) -> bool:
    """Whether a theorem without exceptions claims this for all integers, and assumes no more."""
    query = premise.query
    if not is_built(premise) or query is None or query.width or premise.lists or premise.unstated:
        return False
    allowed = {TRUE, *given, *(part for g in given for part in conjuncts(g))}
    floors = all(f.division == "floor" for f in query.formulas())
    return floors and query.claim.term == claim and {a.term for a in query.assumptions} <= allowed


def _apart(along: Folds, fixed: Sequence[Term], still: Sequence[Term]) -> None:
    """Raises unless fixed terms mention no fold, and no part of an element has the name of a fixed term."""
    moving, known = set(along.names()), set(names(*fixed))
    _require(not moving & set(names(*still)), f"what mentions {', '.join(sorted(moving))}")
    parts = set(names(*along.later().values(), *along.each)) - moving - set(names(*fixed))
    _require(set(along.element) == (set() if along.over else parts) or bool(along.over), "the parts of an element")
    _require(not known & set(along.element), "the parts of an element")


def _trees(query: Query) -> list[Tree]:
    """The claim and the assumptions as trees of the core."""
    return [as_core(tree(f.term, f.division)) for f in (query.claim, *query.assumptions)]


def formulas_of(lemma: Proved) -> Query:
    """The theorem as formulas; raises InputError if it has none."""
    if lemma.query is None:
        raise InputError(f"by: {lemma.statement}: not a statement about integers that could have instances")
    return lemma.query


def instance_of(lemma: Proved, by: Mapping[str, Term]) -> tuple[Query, tuple[Folds, ...]]:
    """Substitutes these values for names in the formulas and lists of a theorem.

    Raises InputError if the name of a fold or of an element would get a value instead of a fresh name, or if a value
    would mention one, since it would then change along the list.
    """
    query, lists = formulas_of(lemma), lemma.lists
    moving = folds_of(lemma).union(*(along.element for along in lists))
    fixed = fixed_of(lemma)
    renamed, values = [by.get(n, sym(n)) for n in moving], [by.get(n, sym(n)) for n in fixed]
    if unknown := sorted(set(by) - moving - fixed):
        raise InputError(f"{query.claim.text}: {unknown_name(unknown[0], sorted(moving | fixed), 'theorem')}")
    if any(t.op != "sym" for t in renamed) or len(set(renamed)) < len(moving):
        raise InputError(f"{query.claim.text}: {', '.join(sorted(moving))} change along a list: give each another name")
    if caught := set(names(*renamed)) & set(names(*values)):
        raise InputError(f"{query.claim.text}: {', '.join(sorted(caught))} changes along a list, so is not a value")
    partial = lists and nonzero_divisors([Term("==", (v, v)) for v in values])
    if partial or (any(map(any, map(divisors, values))) and (lists or is_mixed(query))):
        raise InputError(f"{query.claim.text}: give the quotient a name, and assume what it is")
    formulas = [f._replace(term=substituted(f.term, by)) for f in query.formulas()]
    along = tuple(folds.substituted(by) for folds in lists)
    return Query(formulas[-1], tuple(formulas[:-1])), along


def is_mixed(query: Query) -> bool:
    """Whether quotients have different roundings in the query."""
    return len({f.division for f in query.formulas()}) > 1


def folds_of(lemma: Proved) -> set[str]:
    """The names of its folds."""
    return {f for along in lemma.lists for f in along.names()}


def fixed_of(lemma: Proved) -> set[str]:
    """The names that are fixed along its lists."""
    return {*formulas_of(lemma).names(), *(n for along in lemma.lists for n in along.fixed())} - folds_of(lemma)
