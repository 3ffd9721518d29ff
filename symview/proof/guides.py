"""What to look at on the way to a refutation: Z3 finds it, and nothing rests on it.

Which products matter, and which equations come first, is what a search loses its time on; Z3 with the linear
relaxation (`symview.logic.relaxation`) knows both, once it sees that nothing satisfies the facts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import lcm
from typing import Any, NamedTuple

from symview.logic.budget import Budget
from symview.logic.nonlinear import RESIDUES, by_lemmas
from symview.logic.polynomial import Poly, compared, forms
from symview.logic.relaxation import Pair
from symview.logic.terms import Term, conj, disj
from symview.logic.z3_door import Unsat
from symview.verify.formulas import walk
from symview.verify.linear import Known


class Look(NamedTuple):
    """Products whose signs show that this polynomial is 0, or, without one, that nothing meets the facts."""

    zero: Poly | None
    products: Sequence[Pair]


def guide(known: Iterable[Known], budget: Budget) -> list[Look]:
    """Where to look, one after the other; empty where Z3 sees no refutation.

    >>> from symview.logic.budget import DEFAULT
    >>> positive = [({("a",): 1, (): -1}, False), ({("b",): 1, (): -1}, False)]
    >>> [look] = guide([*positive, ({("a", "b"): -1}, False)], DEFAULT)
    >>> look.zero, look.products[0]
    (None, ({('a',): 1}, {('b',): 1}))
    """
    answer, stages = by_lemmas(tuple(dict.fromkeys(map(_formula, known))), budget)
    return [Look(s.zero, s.attempt.products()) for s in stages] if isinstance(answer, Unsat) else []


def _formula(one: Known) -> Term:
    if type(one) is tuple:
        return compared("==" if one[1] else ">=", one[0])
    return disj([conj(list(map(_formula, parts))) for parts in one])


def digits(formulas: Iterable[Any]) -> list[Any]:
    """Quotients by products, and quotients of quotients, as digits: by the names that most divisors have first.

    >>> digits([("==", ("//", "x", ("*", "a", "b")), ("//", "x", "b"))])
    [('//', ('//', 'x', 'b'), 'a')]
    """
    nodes = dict.fromkeys(t for f in formulas for t in walk(f) if type(t) is tuple and t[0][0] in "/%")
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


def signs(formulas: Iterable[Any]) -> list[Any]:
    """Divisors, and what is divided so that its sign counts.

    >>> signs([("==", ("//trunc", "x", ("*", "a", "b")), ("//", "x", "a"))])
    ['a', ('*', 'a', 'b'), 'x']
    """
    nodes = dict.fromkeys(t for f in formulas for t in walk(f) if type(t) is tuple and t[0][0] in "/%")
    divisors = sorted(dict.fromkeys(t[2] for t in nodes), key=lambda t: len(_factors(t)))
    return [*divisors, *dict.fromkeys(t[1] for t in nodes if t[0].endswith("trunc"))]


def _flat(t: Any) -> tuple[str, Any, tuple[Any, ...]]:
    """A quotient with all that it is divided by, one after the other."""
    op, x, factors = t[0].replace("%", "//"), t[1], _factors(t[2])
    while type(x) is tuple and x[0] == op:
        x, factors = x[1], _factors(x[2]) + factors
    return op, x, tuple(sorted(factors, key=str))


def _factors(tree: Any) -> tuple[Any, ...]:
    if type(tree) is tuple and tree[0] == "*":
        return tuple(f for part in tree[1:] for f in _factors(part))
    return (tree,)


def residues(known: Sequence[Known]) -> list[Any]:
    """Names that are multiplied, by the number that all their remainders are told apart by; few enough to look at all.

    >>> residues([({(".x", ".x"): 1, ("#0",): -8}, False)])
    [('%', 'x', 8)]
    """
    bounded = forms(map(_formula, known))
    multiplied = list(dict.fromkeys(n for f in bounded for m in f if len(m) > 1 for n in m if n[0] == "."))
    modulus = lcm(*(c for f in bounded for m, c in f.items() if len(m) == 1))
    few = modulus > 1 and modulus ** len(multiplied) <= RESIDUES
    return [("%", n.removeprefix("."), modulus) for n in multiplied] if few else []
