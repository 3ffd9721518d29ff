"""Where a proved theorem may help: readings of its names as terms that a statement has.

Nothing here is trusted. Every reading gives a true instance of the theorem, and which instances count is the kernel's
to say; a reading that is missed costs a proof, never its truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from symview.logic.divisions import Formula
from symview.logic.terms import LEAVES, Term, names, walk
from symview.proof.statement import Query

Reading = dict[str, Term]

_MAX_READINGS = 40  # of one theorem
_MAX_TERMS, _MAX_PARTS = 60, 8  # of the formulas that are looked at, and of one sum or product


def readings(theorem: Query, formulas: Sequence[Formula]) -> Iterator[Reading]:
    """Readings under which parts of the theorem stand in the formulas, each once.

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
    """Parts of the theorem that have all its names: single ones or as few as do, in groups to be tried in turn.

    Those with divisions come first, and what is a part of another comes after it.
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
    """Readings under which every pattern is one of the terms."""
    if not patterns:
        yield known
        return
    for term in terms:
        for reading in _matched(patterns[0], term, known):
            yield from _read_all(patterns[1:], terms, reading)


def _matched(pattern: Term, term: Term, known: Reading) -> Iterator[Reading]:
    """Readings that extend the known one and under which the pattern is the term."""
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
    """The parts of a sum or product in any order; the last name left takes all terms that are left."""
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
