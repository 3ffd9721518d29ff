"""Finds refutations that plain arithmetic checks, in the format of `symview.trusted.linear`.

The simplex method finds sums of facts. If it finds rational values instead, the search splits on something that these
values violate: a choice, the sign of a number with a fractional value, or of a factor of a product. Unused facts and
splits are removed from a refutation.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from symview.displayed import Json
from symview.errors import NotSupported, Undecided
from symview.features import feature
from symview.logic.budget import Budget
from symview.logic.nonlinear import by_lemmas, few_residues
from symview.logic.polynomial import Poly, compared, negative, plus
from symview.logic.terms import Term, conj, disj
from symview.logic.z3_door import Unsat
from symview.proof.crossed import crossed
from symview.proof.known_facts import Closed, Facts, Item, Pair, item, pair_key, sign_of
from symview.trusted.document import BadCertificate
from symview.trusted.formulas import Tree, names, walk
from symview.trusted.linear import Known, Scope
from symview.trusted.work import ENDLESS, TooMuchWork, Work

Steps: TypeAlias = list[Any]  # of a refutation, as JSON

_MAX_DEPTH = 24  # depth of nested splits
_WORK_PER_OBLIGATION = 8_000_000  # work for one obligation
_WORK_ALONE = 1_000_000  # work before Z3 is asked for hints
_MAX_SIGNS = 30  # signs that are tried before one is split


def digits(formulas: Iterable[Tree]) -> list[Tree]:
    """Rewrites quotients by products, and quotients of quotients, as digits; names in most divisors come first.

    >>> digits([("==", ("//", "x", ("*", "a", "b")), ("//", "x", "b"))])
    [('//', ('//', 'x', 'b'), 'a')]
    """
    nodes = _divided(formulas)
    flat = [one for one in map(_flat, nodes) if all(type(f) is str for f in one[2])]
    common = [name for name, _ in Counter(f for fs in dict.fromkeys(fs for *_, fs in flat) for f in fs).most_common()]
    found = []
    for op, x, factors in flat:
        if len(factors) > 1:
            if (whole := (op, x, ("*", *factors))) not in nodes and (op.replace("//", "%"), *whole[1:]) not in nodes:
                found.append(whole)
            for f in sorted(factors, key=common.index):
                x = (op, x, f)
            found.append(x)
    return list(dict.fromkeys(found))


def signs(formulas: Iterable[Tree]) -> list[Tree]:
    """Divisors, and dividends whose sign matters.

    >>> signs([("==", ("//trunc", "x", ("*", "a", "b")), ("//", "x", "a"))])
    ['a', ('*', 'a', 'b'), 'x']
    """
    nodes = _divided(formulas)
    divisors = sorted(dict.fromkeys(t[2] for t in nodes), key=lambda t: len(_factors(t)))
    return [*divisors, *dict.fromkeys(t[1] for t in nodes if t[0].endswith("trunc"))]


def _divided(formulas: Iterable[Tree]) -> dict[Tree, None]:
    """The quotients and remainders in the formulas."""
    return dict.fromkeys(t for f in formulas for t in walk(f) if type(t) is tuple and t[0][0] in "/%")


def _flat(t: Tree) -> tuple[str, Tree, tuple[Tree, ...]]:
    """The innermost dividend of nested quotients, and all their divisors."""
    op, x, factors = t[0].replace("%", "//"), t[1], _factors(t[2])
    while type(x) is tuple and x[0] == op:
        x, factors = x[1], _factors(x[2]) + factors
    return op, x, tuple(sorted(factors, key=str))


def _factors(tree: Tree) -> tuple[Tree, ...]:
    if type(tree) is tuple and tree[0] == "*":
        return tuple(f for part in tree[1:] for f in _factors(part))
    return (tree,)


@dataclass(eq=False, slots=True)
class Split:
    """A choice each of whose alternatives, with the items that it adds, is refuted."""

    choice: Item
    cases: Sequence[tuple[Sequence[Item], Why]]
    used: frozenset[Item] = field(init=False)

    def __post_init__(self) -> None:
        self.used = frozenset({self.choice}).union(*(why.used.difference(items) for items, why in self.cases))


Why: TypeAlias = Closed | Split
Search: TypeAlias = Callable[[Facts, Scope], Why | None]
Way: TypeAlias = Callable[[Sequence[Tree], Sequence[Known]], tuple[Sequence[Tree], Search]]


def refutation(formulas: Sequence[Tree], budget: Budget, briefly: bool = False) -> Steps | None:
    """Steps that refute the formulas (trees of a certificate); None if none are found in the budget.

    `briefly`: without hints from Z3, and without enumerating remainders.

    >>> from symview.logic.budget import DEFAULT
    >>> refutation([("<=", ("*", 2, "x"), 1), (">=", "x", 1)], DEFAULT.started())
    [['sum', [1, 0], [1, 1]]]
    """
    ways: tuple[Way, ...] = (_alone,) if briefly else (_alone, _by_residues, _guided, _guided_by_digits, _crossed)
    for way in ways:
        with suppress(Undecided, NotSupported, BadCertificate, TooMuchWork):
            scope = Scope.of(*formulas)
            if scope.closed:
                return []
            named, search = way(formulas, scope.known)
            first = [["name", _as_lists(tree)] for tree in named]
            scope.closed_by(first)
            items = [Item(one) for one in scope.known]
            part = budget.part(1, _WORK_ALONE if way in (_alone, _crossed) else None)
            facts = Facts(part, list(_polynomials([scope.known])))
            if (why := facts.add(items) or search(facts, scope)) is not None:
                steps = _Writer(scope.names).steps(why, {one: n for n, one in enumerate(items)}, len(items))
                if scope.closed_by(steps):
                    return [*first, *steps]
    return None


def with_refutations(certificate: Json, budget: Budget) -> Json:
    """Adds refutations of obligations, in their order, to the evidence of a certificate, as far as they are found.

    Obligations that the checker enumerates need none. Without the checker, there are none.
    """
    obligations = feature("obligations")
    if obligations is None:
        return certificate
    budget, found = budget.started(), list[Steps | None]()
    asked = obligations(json.loads(json.dumps(certificate)), Work(ENDLESS))
    for obligation in (one for one in asked if hasattr(one, "claim")):
        open_ = type(obligation.claim) is tuple and not obligation.points(Work(ENDLESS))[1]
        found.append(refutation(obligation.denied(), budget.part(1, _WORK_PER_OBLIGATION)) if open_ else None)
    if not any(steps is not None for steps in found):
        return certificate
    return {**certificate, "evidence": {**certificate["evidence"], "refutations": found}}


def _polynomials(choice: Known) -> Iterator[Poly]:
    for one in (one for parts in choice for one in parts):
        yield from [one[0]] if type(one) is tuple else _polynomials(one)


def _refuted(facts: Facts, deep: int) -> Why | None:
    """A refutation of the known facts; None if none is found."""
    products = _with_products(facts)
    if isinstance(products, Closed):
        return products

    def deeper(branch: Facts, _: int) -> Why | None:
        return _refuted(branch, deep + 1) if deep < _MAX_DEPTH else None

    broken = [c for c in facts.choices if not facts.holds(c.known)]
    if broken:
        return _Cases(facts, min(broken, key=lambda c: len(c.known))).refuted(deeper)
    if (p := facts.fraction()) is not None:
        return _Cases(facts, sign_of(p)).refuted(deeper)
    best: _Cases | None = None
    for p in _unknown(facts, products)[:_MAX_SIGNS]:
        cases = _Cases(facts, sign_of(p))
        if best is None or cases.rank() < best.rank():
            best = cases
        if best.rank()[0] == 0:
            break
    return None if best is None else best.refuted(deeper)


# Search strategies: which expressions get names, and the next step


def _alone(formulas: Sequence[Tree], known: Sequence[Known]) -> tuple[Sequence[Tree], Search]:
    return [], lambda facts, _: _refuted(facts, 0)


def _guided(formulas: Sequence[Tree], known: Sequence[Known]) -> tuple[Sequence[Tree], Search]:
    def search(facts: Facts, scope: Scope) -> Why | None:
        return _after_signs(facts, [scope.poly(t) for t in signs(formulas)], _by_guide)

    return [], search


def _guided_by_digits(formulas: Sequence[Tree], known: Sequence[Known]) -> tuple[Sequence[Tree], Search]:
    named = digits(formulas)
    return named, _guided([*formulas, *named], known)[1]


def _crossed(formulas: Sequence[Tree], known: Sequence[Known]) -> tuple[Sequence[Tree], Search]:
    split, weak = signs(formulas), [n for n in names(*formulas) if ({("." + n,): 1}, False) in known]

    def search(facts: Facts, scope: Scope) -> Why | None:
        return _by_crossing(facts.copy(), scope, split) or _by_crossing(facts, scope, [*split, *weak])

    return [], search


def _by_crossing(facts: Facts, scope: Scope, split: Sequence[Tree]) -> Why | None:
    """A refutation that compares quotients, for each sign of these and each alternative of the choices."""
    divisors = {name: dict(key[2]) for key, name in scope.names.items() if key[0][0] == "/"}

    def go_on(branch: Facts) -> Why | None:
        if branch.choices:
            return _Cases(branch, branch.choices[0]).refuted(lambda deeper, _: go_on(deeper))
        return crossed(branch, divisors)

    return _after_signs(facts, [scope.poly(t) for t in split], go_on) if divisors else None


def _by_residues(formulas: Sequence[Tree], known: Sequence[Known]) -> tuple[Sequence[Tree], Search]:
    multiplied, modulus = few_residues(map(_formula, known), lambda name: name[0] == ".")
    left = [("%", n.removeprefix("."), modulus) for n in multiplied] if modulus else []
    return left, lambda facts, scope: _residue(facts, [scope.poly(t) for t in left], modulus) if left else None


def _after_signs(facts: Facts, left: Sequence[Poly], go_on: Callable[[Facts], Why | None]) -> Why | None:
    """A refutation for each sign of these expressions, then for the remaining choices."""
    if left:
        p, *later = facts.plain(left[0]), *left[1:]
        if not any(p) or facts.sign(p) is not None:
            return _after_signs(facts, later, go_on)
        facts.look([({m[k : k + 1]: 1}, {m[k + 1 :]: 1}) for m in p for k in range(len(m) - 1)])
        return _Cases(facts, sign_of(p)).refuted(lambda branch, _: _after_signs(branch, later, go_on))
    facts.look([])
    for choice in facts.choices:
        cases = _Cases(facts, choice)
        if cases.rank()[0] < 2:
            return cases.refuted(lambda branch, _: _after_signs(branch, [], go_on))
    return go_on(facts)


def _by_guide(facts: Facts, looks: Sequence[tuple[Poly | None, Sequence[Pair]]] | None = None) -> Why | None:
    """A refutation that uses only relevant products, for one polynomial after another that must be 0.

    Z3 finds these products, and the polynomials, by a linear relaxation; the refutation does not depend on Z3.
    """
    if looks is None:
        known = dict.fromkeys(_formula(one.known) for one in facts.all())
        answer, stages = by_lemmas(tuple(known), facts.budget)
        looks = [(s.zero, s.attempt.products()) for s in stages] if isinstance(answer, Unsat) else []
    if not looks:
        return None
    (zero, products), *later = looks
    facts.look(products)
    if zero is None:
        return _refuted(facts, 0)
    cases = _Cases(facts, sign_of(facts.plain(zero)))
    return cases.refuted(lambda branch, n: _by_guide(branch, later) if n == 1 else _refuted(branch, 0))


def _formula(one: Known) -> Term:
    if type(one) is tuple:
        return compared("==" if one[1] else ">=", one[0])
    return disj([conj(list(map(_formula, parts))) for parts in one])


def _residue(facts: Facts, left: Sequence[Poly], modulus: int, least: int = 0) -> Why | None:
    """A refutation for each value of these remainders; those of the first one start at `least`."""
    if not left or least == modulus:
        return _refuted(facts, 0)

    def go_on(branch: Facts, n: int) -> Why | None:
        above = _residue(branch, left, modulus, least + 1) if n == 0 else None
        return above or (_residue(branch, left[1:], modulus) if n == 1 else _refuted(branch, 0))

    return _Cases(facts, sign_of(plus(facts.plain(left[0]), {(): -least}))).refuted(go_on)


def _with_products(facts: Facts) -> Closed | list[Pair]:
    """Adds products of factors with known signs until none is violated or a conflict is found."""
    while True:
        if (closed := facts.conflict()) is not None:
            return closed
        products = facts.broken_products()
        known = [(pair, fact) for pair in products if (fact := facts.product(*pair)) is not None]
        if not known:
            return products
        for pair, fact in known:
            facts.multiplied.add(pair_key(*pair))
            if (closed := facts.add([fact])) is not None:
                return closed


def _unknown(facts: Facts, products: Sequence[Pair]) -> list[Poly]:
    """Factors of unknown sign in violated products: those whose other factor's sign is known first, then by length."""
    pairs = [(f, g) for p, q in products for f, g in ((p, q), (q, p)) if facts.sign(f) is None]
    pairs.sort(key=lambda pair: (facts.sign(pair[1]) is None, -len(pair[0])))
    return list({pair_key(f, negative(f)): f for f, _ in reversed(pairs)}.values())[::-1]


class _Cases:
    """The alternatives of a choice; each is refuted at once if that needs no split."""

    def __init__(self, facts: Facts, choice: Item) -> None:
        self.choice = choice
        self.cases: list[tuple[list[Item], Facts, Closed | None]] = []
        for alternative in choice.known:
            items, branch = [item(one) for one in alternative], facts.copy()
            branch.choices = [c for c in branch.choices if c is not choice]
            closed = branch.add(items)
            if closed is None and isinstance(seen := _with_products(branch), Closed):
                closed = seen
            self.cases.append((items, branch, closed))

    def rank(self) -> tuple[int, bool]:
        """The number of open alternatives; equations count more."""
        left = [items for items, _, closed in self.cases if closed is None]
        return len(left), not all(i.known[1] for items in left for i in items)

    def refuted(self, go_on: Callable[[Facts, int], Why | None]) -> Why | None:
        """Refutes each alternative in turn; those that were refuted at once come first."""
        found: dict[int, Why] = {}
        for n, (items, branch, closed) in sorted(enumerate(self.cases), key=lambda case: case[1][2] is None):
            why = closed or go_on(branch, n)
            if why is None or why.used.isdisjoint(items):
                return why
            found[n] = why
        return Split(self.choice, [(items, found[n]) for n, (items, *_) in enumerate(self.cases)])


# Writing the steps


class _Writer:
    """Writes steps; `names` are the checker's names of quotients and similar terms."""

    def __init__(self, names: dict[Tree, str]) -> None:
        self.trees = {name: key for key, name in names.items()}

    def tree(self, p: Poly) -> Tree:
        """The polynomial as an expression of a certificate."""
        products = [[c, *map(self.named, m)] for m, c in p.items()]
        terms = [f[0] if len(f) == 1 else f[1] if len(f) == 2 and f[0] == 1 else ["*", *f] for f in products]
        return terms[0] if len(terms) == 1 else ["+", *terms] if terms else 0

    def named(self, name: str) -> Tree:
        """The expression of a name."""
        if name.startswith("."):
            return name[1:]
        op, *parts = self.trees[name]
        return [op, *[self.tree(dict(p)) if isinstance(p, frozenset) else _as_lists(p) for p in parts]]

    def steps(self, why: Why, numbers: dict[Item, int], count: int) -> Steps:
        """The steps, when `count` facts are known; `numbers` are those of the facts used."""
        found: Steps = []

        def number(one: Item) -> int:
            nonlocal count
            if one not in numbers:
                if one.sign is not None:
                    found.append(["sign", self.tree(one.sign)])
                else:
                    found.append(["sum", *[[self.tree(f), *map(number, items)] for f, items in one.terms]])
                numbers[one] = count
                count += 1
            return numbers[one]

        while isinstance(why, Split):
            k, cases = number(why.choice), why.cases
            last = max(range(len(cases)), key=lambda n: _depth(cases[n][1]))
            refuted = []
            for n, (items, inner) in enumerate(cases):
                known = {**numbers, **{i: count + k for k, i in enumerate(items)}}
                if n != last:
                    refuted.append(self.steps(inner, known, count + len(items)))
            found.append(["split", k, last, *refuted])
            items, why = cases[last]
            numbers |= {i: count + n for n, i in enumerate(items)}
            count += len(items)
        number(why.item)
        return found


def _depth(why: Why) -> int:
    return 0 if isinstance(why, Closed) else 1 + max(_depth(inner) for _, inner in why.cases)


def _as_lists(tree: Tree) -> Tree:
    return [_as_lists(x) for x in tree] if isinstance(tree, tuple) else tree
