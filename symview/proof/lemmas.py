"""What proved theorems say about a statement: instances of them, and what is known of the folds of lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.divisions import Formula
from symview.logic.solve import HINT, is_impossible
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, conj, conjuncts, divisors, names, nonzero_divisors, substituted, sym
from symview.proof.lists import Folds, check_each
from symview.proof.matching import readings
from symview.proof.statement import Query
from symview.proof.verdicts import Proved, is_built, is_exception

_MAX_INSTANCES = 24  # that one statement takes
_MAX_ROUNDS = 2  # in the second, instances may fit what the first ones mention


class UsedLemmas(NamedTuple):
    """What lemmas say: formulas that hold wherever the statement is asked, and what these rest on."""

    claims: tuple[Formula, ...] = ()
    rests_on: frozenset[str] = frozenset()
    lists: tuple[Folds, ...] = ()
    used: tuple[tuple[Proved, Mapping[str, Term]], ...] = ()  # the lemmas, with values of their names


def checked_lemmas(by: Iterable[Proved]) -> tuple[Proved, ...]:
    """The lemmas; raises InputError for what is no theorem, or no formula."""
    if not isinstance(by, Iterable):
        raise InputError(f"by={by!r}: give a list of theorems")
    lemmas = tuple(by)
    for lemma in lemmas:
        if not is_built(lemma):
            raise InputError(f"by: {lemma} is not proved, by a rule in this process; only theorems are lemmas")
        formulas_of(lemma)
    return lemmas


def formulas_of(lemma: Proved) -> Query:
    """The theorem as formulas; raises InputError where it is none."""
    if lemma.query is None:
        raise InputError(f"by: {lemma.statement}: not a statement about integers that could have instances")
    return lemma.query


def instance_of(lemma: Proved, by: Mapping[str, Term]) -> tuple[Query, tuple[Folds, ...]]:
    """The formulas and lists of a theorem with these values of its names.

    Raises InputError where the name of a fold or of an element would get a value and not a name of its own, or a value
    would mention one: then it would change along the list.
    """
    query, lists = formulas_of(lemma), lemma.lists
    moving = _folds(lemma).union(*(along.element for along in lists))
    fixed = _fixed(lemma)
    renamed, values = [by.get(n, sym(n)) for n in moving], [by.get(n, sym(n)) for n in fixed]
    if unknown := set(by) - moving - fixed:
        raise InputError(f"{query.claim.text}: it has no name {', '.join(sorted(unknown))}")
    if any(t.op != "sym" for t in renamed) or len(set(renamed)) < len(moving):
        raise InputError(f"{query.claim.text}: {', '.join(sorted(moving))} change along a list: give each another name")
    if caught := set(names(*renamed)) & set(names(*values)):
        raise InputError(f"{query.claim.text}: {', '.join(sorted(caught))} changes along a list, and so is no value")
    partial = lists and nonzero_divisors([Term("==", (v, v)) for v in values])
    if partial or (any(map(any, map(divisors, values))) and (lists or _is_mixed(query))):
        raise InputError(f"{query.claim.text}: give the quotient a name, and assume what it is")
    formulas = [f._replace(term=(t := substituted(f.term, by)), text=to_text(t)) for f in query.formulas()]
    along = tuple(folds.substituted(by) for folds in lists)
    return Query(formulas[-1], tuple(formulas[:-1])), along


def _is_mixed(query: Query) -> bool:
    """Whether a quotient would mean one thing here and another there."""
    return len({f.division for f in query.formulas()}) > 1


def from_instances(query: Query, lemmas: Sequence[Proved], budget: Budget) -> UsedLemmas:
    """Instances of lemmas that fit the statement, and hold wherever its assumptions do and its divisors are not 0.

    The divisors of an instance are proved to be nonzero there, and so is what the lemma assumes, or the instance says
    "if this holds".
    """
    nonzero = [Formula(d, f.division, "") for f in query.formulas() for d in nonzero_divisors([f.term])]
    known = tuple(dict.fromkeys((*query.assumptions, *nonzero)))
    follows = cache(lambda formula: _follows(formula, known, budget.at_most(HINT)))
    claims, rests_on, used = dict[Formula, None](), set[str](), list[tuple[Proved, Mapping[str, Term]]]()
    for _ in range(_MAX_ROUNDS):
        formulas = (*query.formulas(), *claims)
        for lemma in lemmas:
            own = formulas_of(lemma)
            for reading in readings(own, formulas) if not lemma.lists else ():
                divided = any(map(any, map(divisors, reading.values())))
                if len(claims) >= _MAX_INSTANCES or (divided and _is_mixed(own)):
                    continue
                instance = [Formula(substituted(f.term, reading), f.division, "") for f in own.formulas()]
                if (claim := _guarded(instance, follows)) is not None:
                    used += [(lemma, reading)] if claim not in claims else []
                    claims[claim] = None
                    rests_on |= _named(lemma)
    return UsedLemmas(tuple(claims), frozenset(rests_on), used=tuple(used))


def _guarded(instance: Sequence[Formula], follows: Callable[[Formula], bool]) -> Formula | None:
    """The last formula of the instance, where the others do not follow from what is known: if these hold.

    None where a divisor of the instance is not known to be nonzero.
    """
    *assumed, claim = instance
    divided = (Formula(d, f.division, "") for f in instance for d in nonzero_divisors([f.term]))
    if not all(map(follows, divided)):
        return None
    left = [a for a in assumed if not follows(a)]
    if any(a.division != claim.division for a in left):
        return None
    term = Term("->", (conj(a.term for a in left), claim.term)) if left else claim.term
    return Formula(term, claim.division, to_text(term))


def _follows(formula: Formula, known: Sequence[Formula], budget: Budget) -> bool:
    denied = formula._replace(term=Term("not", (formula.term,)))
    said = any((formula.term, formula.division) == (k.term, k.division) for k in known)
    return said or is_impossible((*known, denied), budget)


def _named(lemma: Proved) -> set[str]:
    """What an instance rests on: its divisors are known to be nonzero, whatever the lemma takes them to be."""
    return {f"lemma: {lemma.statement}", *(r for r in lemma.rests_on if not is_exception(r))}


# Theorems about lists


def from_lists(asked: Query, lemmas: Sequence[Proved], budget: Budget) -> UsedLemmas:
    """What the theorems about lists say of their folds, whose names keep their meaning in the statement.

    Lists that have a fold in common are one list. Any other name of a theorem may be a fold of a theorem before it: it
    stands for any integer. What a theorem assumes has to follow from assumptions that cannot divide by 0 and from the
    theorems before it.
    """
    about = [lemma for lemma in lemmas if lemma.lists]
    if about and (asked.width or any(f.division != "floor" for f in asked.formulas())):
        raise InputError("by: theorems about lists are about all integers, and // and % in them round down")
    known = [a for a in asked.assumptions if not nonzero_divisors([a.term])]
    lists, rests_on, start = list[Folds](), set[str](), len(known)
    for n, lemma in enumerate(about):
        _check_place(asked, about, n)
        query = formulas_of(lemma)
        for assumption in query.assumptions:
            if not _follows(assumption, known, budget):
                raise InputError(f"by: {lemma.statement}: assume {assumption.text}, which does not follow here")
        known += [query.claim._replace(term=part, text=to_text(part)) for part in conjuncts(query.claim.term)]
        for along in lemma.lists:
            lists = _with(lists, along)
        rests_on |= _named(lemma)
    stated = set(asked.names()).union(*map(_fixed, about))
    for along in lists:
        others = (other.names() for other in lists if other != along)
        rests_on |= check_each(along, (), budget)
        if taken := set(along.element) & stated.union(*others):
            raise InputError(f"by: {', '.join(sorted(taken))} names an element of a list and something else: rename it")
    return UsedLemmas(tuple(known[start:]), frozenset(rests_on), tuple(lists), tuple((lemma, {}) for lemma in about))


def _check_place(asked: Query, about: Sequence[Proved], n: int) -> None:
    """Raises InputError unless the theorem's folds are mentioned, after it alone, and it holds without exceptions."""
    lemma, before, own = about[n], about[:n], _folds(about[n])
    if not own & set(asked.names()).union(*(_folds(o) | _fixed(o) for o in about if o is not lemma)):
        raise InputError(f"by: {lemma.statement}: the statement mentions none of {', '.join(sorted(own))}")
    if early := own & set().union(*map(_fixed, before)) - set().union(*map(_folds, before)):
        raise InputError(f"by: {lemma.statement}: it says what {', '.join(sorted(early))} is, so it has to come first")
    if notes := [r for r in lemma.rests_on if is_exception(r)]:
        raise InputError(f"by: {lemma.statement}: it rests on {', '.join(notes)}; prove it without")


def _folds(lemma: Proved) -> set[str]:
    """The names of its folds."""
    return {f for along in lemma.lists for f in along.names()}


def _fixed(lemma: Proved) -> set[str]:
    """The names that stay the same along its lists."""
    return {*formulas_of(lemma).names(), *(n for along in lemma.lists for n in along.fixed())} - _folds(lemma)


def _with(lists: list[Folds], along: Folds) -> list[Folds]:
    """The lists and one more, those that have a fold in common as one; InputError where they are not the same list."""
    same = [one for one in lists if set(one.names()) & set(along.names())]
    whole = along
    for one in same:
        folds = {f.name: f for f in (*one.folds, *whole.folds)}
        apart = [f.name for f in (*one.folds, *whole.folds) if folds[f.name] != f]
        element = tuple(dict.fromkeys((*one.element, *whole.element)))
        moving, fixed = {*folds, *element}, {*one.fixed(), *whole.fixed()}
        order_of = {one.order_of, whole.order_of} - {""}
        if apart or one.over != whole.over or len(order_of) > 1 or moving & fixed or set(folds) & set(element):
            mixed = apart or sorted(moving & fixed) or sorted(set(folds) & set(element)) or sorted(folds)
            raise InputError(
                f"by: {', '.join(mixed)} means two things in the theorems: rename one, by_instance does it"
            )
        each = tuple(dict.fromkeys((*one.each, *whole.each)))
        whole = Folds(tuple(folds.values()), each, element, "".join(order_of), one.over)
    at = lists.index(same[0]) if same else len(lists)
    return [*lists[:at], whole, *(one for one in lists[at:] if one not in same)]
