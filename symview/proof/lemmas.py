"""Lemmas for a statement: instances of proved theorems that fit it, and theorems about its folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, islice
from typing import NamedTuple

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.divisions import Formula
from symview.logic.solve import HINT, is_impossible
from symview.logic.terms import LEAVES, Term, conj, conjuncts, divisors, names, nonzero_divisors, substituted, walk
from symview.proof.data import Folds
from symview.proof.kernel import Proved, fixed_of, folds_of, formulas_of, is_built, is_exception, is_mixed, named
from symview.proof.lists import check_each
from symview.proof.statement import Query

Reading = dict[str, Term]

_MAX_READINGS = 40  # patterns of one theorem
_MAX_TERMS, _MAX_PARTS = 60, 8  # terms of the formulas, and of one sum or product
_MAX_INSTANCES = 24  # instances for one statement
_MAX_ROUNDS = 2  # in the second round, instances may fit terms of the first ones


def readings(theorem: Query, formulas: Sequence[Formula]) -> Iterator[Reading]:
    """Substitutions under which parts of the theorem occur in the formulas, each once.

    >>> from symview.proof.statement import read
    >>> lemma = read("(x//a)//b == x//(a*b)", "a >= 1 and b >= 1", "floor")
    >>> goal = read("(y + 1)//(m*n) <= y", (), "floor")
    >>> [[(n, t.args[0]) for n, t in r.items() if n != "x"] for r in readings(lemma, goal.formulas())]
    [[('a', 'm'), ('b', 'n')], [('a', 'n'), ('b', 'm')]]
    """
    wanted = set(theorem.names())
    stated = dict.fromkeys(flat(node) for f in formulas for node in walk(f.term) if not node.is_formula())
    terms = list(islice(stated, _MAX_TERMS))
    for patterns in _triggers(theorem, wanted):
        if found := [r for some in patterns for r in islice(_read_all(some, terms, {}), _MAX_READINGS)]:
            return iter({frozenset(r.items()): r for r in found[:_MAX_READINGS]}.values())
    return iter(())


def flat(term: Term) -> Term:
    """The term with sums and products in one level, and a - b as a + (-b)."""
    if term.op in LEAVES:
        return term
    args = tuple(flat(a) for a in term.args)
    if term.op == "-":
        return flat(Term("+", (args[0], Term("neg", (args[1],)))))
    if term.op == "neg" and args[0].op == "neg":
        return args[0].args[0]  # type: ignore[no-any-return]
    if term.op in ("+", "*"):
        args = tuple(part for a in args for part in (a.args if a.op == term.op else (a,)))
    return Term(term.op, args)


def _triggers(theorem: Query, wanted: set[str]) -> Iterator[list[tuple[Term, ...]]]:
    """Parts of the theorem that together have all its names: as few as possible, in groups to be tried in turn.

    Those with divisions come first; a part of another comes after it.
    """
    parts = dict.fromkeys(
        flat(node)
        for f in (theorem.claim, *theorem.assumptions)
        for node in walk(f.term)
        if not node.is_formula() and node.op not in ("int", "sym")
    )
    divided = [p for p in parts if p.op not in ("+", "-", "*", "neg")]
    for some in (divided, list(parts)):
        for count in (1, 2, 3):
            whole = [c for c in combinations(some, count) if set(names(*c)) == wanted]
            outer = [c for c in whole if count > 1 or not any(c != d and c[0] in walk(d[0]) for d in whole)]
            yield outer
            yield [c for c in whole if c not in outer]
            if whole:
                break


def _read_all(patterns: Sequence[Term], terms: Sequence[Term], known: Reading) -> Iterator[Reading]:
    """Substitutions under which every pattern is one of the terms."""
    if not patterns:
        yield known
        return
    for term in terms:
        for reading in _matched(patterns[0], term, known):
            yield from _read_all(patterns[1:], terms, reading)


def _matched(pattern: Term, term: Term, known: Reading) -> Iterator[Reading]:
    """Substitutions that extend the known one and make the pattern equal to the term."""
    if pattern.op == "sym":
        (name,) = pattern.args
        if known.get(name, term) == term:
            yield {**known, name: term}
    elif pattern.op == "int":
        if pattern == term:
            yield known
    elif pattern.op == term.op:
        if pattern.op in ("+", "*") and len(term.args) <= _MAX_PARTS:
            yield from _matched_parts(pattern.op, pattern.args, term.args, known)
        elif pattern.op not in ("+", "*") and len(pattern.args) == len(term.args):
            yield from _matched_in_order(pattern.args, term.args, known)


def _matched_in_order(patterns: Sequence[Term], terms: Sequence[Term], known: Reading) -> Iterator[Reading]:
    if not patterns:
        yield known
        return
    for reading in _matched(patterns[0], terms[0], known):
        yield from _matched_in_order(patterns[1:], terms[1:], reading)


def _matched_parts(op: str, patterns: Sequence[Term], terms: Sequence[Term], known: Reading) -> Iterator[Reading]:
    """Matches the parts of a sum or product in any order; the last open name takes all remaining terms."""
    if not patterns:
        if not terms:
            yield known
        return
    first = next((p for p in patterns if p.op != "sym"), patterns[0])
    rest = list(patterns)
    rest.remove(first)
    most = len(terms) - len(rest) if first.op == "sym" else 1
    for count in range(1, most + 1) if rest or first.op != "sym" else (len(terms),):
        for chosen in combinations(range(len(terms)), count):
            taken = [terms[n] for n in chosen]
            left = [t for n, t in enumerate(terms) if n not in chosen]
            whole = taken[0] if count == 1 else Term(op, tuple(taken))
            for reading in _matched(first, whole, known):
                yield from _matched_parts(op, rest, left, reading)


class UsedLemmas(NamedTuple):
    """Instances of lemmas: formulas that hold under the statement's assumptions, and what these rest on."""

    claims: tuple[Formula, ...] = ()
    rests_on: frozenset[str] = frozenset()
    lists: tuple[Folds, ...] = ()
    used: tuple[tuple[Proved, Mapping[str, Term]], ...] = ()  # the lemmas, with values of their names


def checked_lemmas(by: Iterable[Proved]) -> tuple[Proved, ...]:
    """The lemmas; raises InputError if one is not a theorem, or not a formula."""
    if not isinstance(by, Iterable):
        raise InputError(f"by={by!r}: give a list of theorems")
    lemmas = tuple(by)
    for lemma in lemmas:
        if not is_built(lemma):
            raise InputError(f"by: {lemma} is not proved, by a rule in this process; only theorems are lemmas")
        formulas_of(lemma)
    return lemmas


def from_instances(query: Query, lemmas: Sequence[Proved], budget: Budget) -> UsedLemmas:
    """Instances of lemmas that fit the statement, and hold if its assumptions do and its divisors are not 0.

    There, the divisors of an instance are proved to be nonzero. The assumptions of the lemma are proved too, or become
    a premise of the instance.
    """
    nonzero = [Formula(d, f.division) for f in query.formulas() for d in nonzero_divisors([f.term])]
    known = tuple(dict.fromkeys((*query.assumptions, *nonzero)))
    follows = cache(lambda formula: _follows(formula, known, budget.at_most(HINT)))
    claims, rests_on, used = dict[Formula, None](), set[str](), list[tuple[Proved, Mapping[str, Term]]]()
    for _ in range(_MAX_ROUNDS):
        formulas = (*query.formulas(), *claims)
        for lemma in lemmas:
            own = formulas_of(lemma)
            for reading in readings(own, formulas) if not lemma.lists else ():
                divided = any(map(any, map(divisors, reading.values())))
                if len(claims) >= _MAX_INSTANCES or (divided and is_mixed(own)):
                    continue
                instance = [Formula(substituted(f.term, reading), f.division) for f in own.formulas()]
                if (claim := _guarded(instance, follows)) is not None:
                    used += [(lemma, reading)] if claim not in claims else []
                    claims[claim] = None
                    rests_on |= named(lemma)
    return UsedLemmas(tuple(claims), frozenset(rests_on), used=tuple(used))


def _guarded(instance: Sequence[Formula], follows: Callable[[Formula], bool]) -> Formula | None:
    """The last formula of the instance; formulas before it that do not follow from known facts become premises.

    None if a divisor of the instance is not known to be nonzero.
    """
    *assumed, claim = instance
    divided = (Formula(d, f.division) for f in instance for d in nonzero_divisors([f.term]))
    if not all(map(follows, divided)):
        return None
    left = [a for a in assumed if not follows(a)]
    if any(a.division != claim.division for a in left):
        return None
    term = Term("->", (conj(a.term for a in left), claim.term)) if left else claim.term
    return Formula(term, claim.division)


def _follows(formula: Formula, known: Sequence[Formula], budget: Budget) -> bool:
    denied = formula._replace(term=Term("not", (formula.term,)))
    said = any((formula.term, formula.division) == (k.term, k.division) for k in known)
    return said or is_impossible((*known, denied), budget)


# Theorems about lists


def from_lists(question: Query, lemmas: Sequence[Proved], budget: Budget) -> UsedLemmas:
    """The facts about folds in theorems about lists; their names keep their meaning in the statement.

    Lists with a common fold are one list. Any other name of a theorem may be a fold of an earlier theorem, as it
    stands for any integer. The assumptions of a theorem must follow from assumptions that cannot divide by 0 and from
    earlier theorems.
    """
    about = [lemma for lemma in lemmas if lemma.lists]
    if about and (question.width or any(f.division != "floor" for f in question.formulas())):
        raise InputError("by: theorems about lists are about all integers, and // and % in them round down")
    known = [a for a in question.assumptions if not nonzero_divisors([a.term])]
    lists, rests_on, start = list[Folds](), set[str](), len(known)
    for n, lemma in enumerate(about):
        _check_place(question, about, n)
        query = formulas_of(lemma)
        for assumption in query.assumptions:
            if not _follows(assumption, known, budget):
                raise InputError(f"by: {lemma.statement}: assume {assumption.text}, which does not follow here")
        known += [query.claim._replace(term=part) for part in conjuncts(query.claim.term)]
        for along in lemma.lists:
            lists = _with(lists, along)
        rests_on |= named(lemma)
    stated = set(question.names()).union(*map(fixed_of, about))
    for along in lists:
        others = (other.names() for other in lists if other != along)
        rests_on |= check_each(along, (), budget)
        if taken := set(along.element) & stated.union(*others):
            raise InputError(f"by: {', '.join(sorted(taken))} names an element of a list and something else: rename it")
    return UsedLemmas(tuple(known[start:]), frozenset(rests_on), tuple(lists), tuple((lemma, {}) for lemma in about))


def _check_place(question: Query, about: Sequence[Proved], n: int) -> None:
    """Raises InputError unless the theorem's folds occur, only after it, and it holds without exceptions."""
    lemma, before, own = about[n], about[:n], folds_of(about[n])
    if not own & set(question.names()).union(*(folds_of(o) | fixed_of(o) for o in about if o is not lemma)):
        raise InputError(f"by: {lemma.statement}: the statement mentions none of {', '.join(sorted(own))}")
    if early := own & set().union(*map(fixed_of, before)) - set().union(*map(folds_of, before)):
        raise InputError(f"by: {lemma.statement}: it is about {', '.join(sorted(early))}, so it must come first")
    if notes := [r for r in lemma.rests_on if is_exception(r)]:
        raise InputError(f"by: {lemma.statement}: it rests on {', '.join(notes)}; prove it without")


def _with(lists: list[Folds], along: Folds) -> list[Folds]:
    """Adds a list, merging lists with a common fold; raises InputError if these are different lists."""
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
