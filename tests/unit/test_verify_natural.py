"""Obligations in natural coordinates fail at the same values as before."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from random import Random

import pytest

from symview import View, conditions, reshape_conditions
from symview.trusted.document import View as Strided
from symview.trusted.formulas import compiled
from symview.trusted.formulas import names as formula_names
from symview.trusted.work import Work
from symview.verify import Solver, verify
from symview.verify.kinds.chains import affine_at
from symview.verify.obligations import Obligation

SIZES = ("a", "b", "c")


def _size(rng: Random):
    kind = rng.random()
    if kind < 0.5:
        return rng.choice((*SIZES, 2, 3))
    if kind < 0.85:
        return ("*", rng.choice(SIZES), rng.choice((*SIZES, 2, 3)))
    return ("+", rng.choice(SIZES), rng.choice((*SIZES, 1, 2)))


def _expression(rng: Random, names, depth: int = 3):
    if depth == 0 or rng.random() < 0.25:
        return rng.choice((*names, *names, rng.randint(-2, 4)))
    op = rng.choice(("+", "+", "*", "*", "-", "//", "//", "%", "neg", "min", "if", "ceildiv"))
    if op in ("//", "%", "ceildiv"):
        return (op, _expression(rng, names, depth - 1), _size(rng) if rng.random() < 0.8 else rng.choice(names))
    if op == "if":
        return (op, _formula(rng, names, 0), *[_expression(rng, names, depth - 1) for _ in range(2)])
    return (op, *[_expression(rng, names, depth - 1) for _ in range(1 if op == "neg" else 2)])


def _formula(rng: Random, names, depth: int = 1):
    if depth == 0 or rng.random() < 0.5:
        left, right = (_expression(rng, names, rng.choice((1, 2, 3))) for _ in range(2))
        if rng.random() < 0.4:  # likely to hold
            by = _size(rng)
            left, right = ("//", ("+", ("*", by, left), right), by), ("+", left, ("//", right, by))
        return (rng.choice(("==", "==", "!=", "<", "<=", ">", ">=")), left, right)
    op = rng.choice(("and", "or", "not", "->", "<->"))
    return (op, *[_formula(rng, names, depth - 1) for _ in range(1 if op == "not" else 2)])


def _obligation(rng: Random) -> Obligation:
    ranges = {f"#{n}": (0 if rng.random() < 0.9 else rng.choice((1, -1, "t")), _size(rng))
              for n in range(rng.randint(0, 2))}  # fmt: skip
    names = (*SIZES, "t", *ranges, *ranges, *ranges)
    lets, here = {}, [*names]
    for n in range(rng.randint(0, 3)):
        lets[f"#q{n}"] = _expression(rng, here, 2)
        here += [f"#q{n}"] * 3
    given = [(">=", n, 1) for n in SIZES if rng.random() < 0.85]
    for _ in range(rng.choice((0, 1, 1, 2))):
        name = rng.choice((*SIZES, "t"))
        given.append((rng.choice(("==", ">=", "<=", ">", "<")), name, _expression(rng, SIZES, rng.choice((0, 1, 2)))))
    if rng.random() < 0.3:
        some = [("*", rng.choice(SIZES), rng.choice((*SIZES, "t"))) for _ in range(2)]
        given.append((rng.choice(("==", ">=", "<")), some[0], rng.choice((some[1], rng.randint(-1, 4)))))
    if rng.random() < 0.2:
        given.append(_formula(rng, here))
    rng.shuffle(given)
    return Obligation("", _formula(rng, here, 2), given, ranges, lets)


def _named(simple: Obligation, at: dict[str, int]) -> dict[str, int]:
    """With the names of what sides of equations differ by: such a name is a given side, once or less once."""
    for f in simple.given[::-1]:
        new = [n for n in formula_names(f) if n[:2] == "#=" and n not in at]
        if new and f[0] == "==" and f[1] in at and not [n for n in formula_names(f) if n not in at and n not in new]:
            zero, one = (compiled(f[2])({**at, new[0]: e}) for e in (0, 1))
            at = {**at, new[0]: (at[f[1]] - zero) // (one - zero)}
    return at


def _extended(simple: Obligation, at: dict[str, int]):
    """All values of the digits that stand for indices."""
    new = [n for n in simple.ranges if n not in at]
    for point in product(*[range(max(at.values(), default=0) ** 2 + 13) for _ in new]):
        yield {**at, **dict(zip(new, point, strict=True))}


def _fails(o: Obligation, at: dict[str, int]) -> bool:
    """In the ranges, and the claim fails."""
    if not list(o.failures([at], [], Work())):
        return False
    return all(compiled(low)(at) <= at[n] < compiled(high)(at) for n, (low, high) in o.ranges.items())


def _divides(query: Obligation, at: dict[str, int]) -> bool:
    """Whether nothing is divided by 0."""
    try:
        return all(isinstance(compiled(t)(at), int) for t in (*query.lets.values(), *query.given, query.claim))
    except ArithmeticError:
        return False


def test_claims_fail_where_they_did(turns, full) -> None:
    rng, seen = Random("natural"), Counter()
    for _ in turns(140):
        query = _obligation(rng)
        simple = query.natural(Work())
        seen["settled" if simple.claim is True else "changed" if simple != query else "same"] += 1
        seen["split"] += any(n[:2] in ("#'", '#"') for n in simple.ranges)
        points = [{**dict(zip((*SIZES, "t"), p, strict=True))} for p in product((-1, 0, 1, 2, 3, 4), repeat=4)]
        for base in rng.sample(points, 60):
            try:
                at = next(query.failures(query.box(base), [], Work()), None)
            except ArithmeticError:
                continue
            if at is None or not _divides(query, at):
                continue
            seen["fails"] += 1
            assert simple.claim is not True, (query, at)
            start = _named(simple, {n: at[n] for n in (*base, *query.ranges)})
            if sum(n not in at for n in simple.ranges) > 2:
                continue
            hits = (e for e in _extended(simple, start) if _fails(simple, e))
            assert next(hits, None) is not None, (query, simple, start)
            seen["fails alike"] += 1
            break
    if full:
        assert min(seen["settled"], seen["split"], seen["fails alike"]) > 12, seen


RESHAPES = {
    "two dims into one": ("(a,b):(t0,t1)", "(a*b)"),
    "the last two of three": ("(a,b,c):(t0,t1,t2)", "(a,b*c)"),
    "a cube into one": ("(a,a,a):(t0,t1,t2)", "(a*a*a)"),
    "tiles": ("(4*m,4*n):(t0,t1)", "(m,4,n,4)"),
    "tiles back": ("(m,4,n,4):(t0,t1,t2,t3)", "(4*m,4*n)"),
    "split one way, merged the other": ("(a*b,c):(t0,t1)", "(a,b*c)"),
    "two dims swapped": ("(a,b):(t0,t1)", "(b,a)"),
    "numbers that meet a product": ("(n,4,m):(t0,t1,t2)", "(n*2,m*2)"),
    "a broadcast between": ("(a,b,c):(c,0,1)", "(a*b,c)"),
}
PAIRS = {
    "a line": ("(M,N):(a,b)", "(n):(1)"),
    "all in a line": ("(M,N):(a,b)", "(M*N):(1)"),
    "tiles of unknown size": ("(p*m,q*n):(a,b)", "(m,p,n,q):(p*q*n,q*n,q,1)"),
    "both backwards": ("(M,N):(a,b)", "(M,N):(-N,-1)+M*N-1"),
    "three dims, two merged": ("(A,B,C):(a,b,c)", "(A*B,C):(C,1)"),
    "two steps of a name": ("(N,K,M):(a,b,c)", "(2):(t)"),
    "a size is not 1": ("(1,K,M):(a,b,c)", "(n,m):(M,7)"),
}


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=3_000_000) as found:
        yield found


def _certificate(name):
    if name in RESHAPES:
        view, shape = RESHAPES[name]
        return reshape_conditions(View.parse(view), View.parse(shape).shape).certificate()
    return conditions(*map(View.parse, PAIRS[name])).certificate()


@pytest.mark.sampled
@pytest.mark.parametrize("name", [*RESHAPES, *PAIRS])
def test_conditions_with_sizes_that_are_names(name, solver) -> None:
    """All is confirmed; with an equation that is lost or added, or another stride or offset, it is refuted."""
    whole = _certificate(name)
    found = verify(json.dumps(whole), solver)
    assert (found.verdict, found.open) == ("confirmed", [])
    for n, case in enumerate(whole["claim"]["cases"]):
        for change in _changes(case):
            other = json.loads(json.dumps(whole))
            other["claim"]["cases"][n] |= change
            assert verify(json.dumps(other), solver).wrong, (n, change)


def _changes(case):
    view, equations = case["view"], case["equations"]
    if case["status"] == "when":
        yield {"status": "always", "equations": []}
        yield {"status": "never", "equations": [], "view": None}
        yield {"equations": [["==", ["+", x, 1], y] for _, x, y in equations]}
    elif case["status"] == "always":
        yield {"status": "never", "view": None}
    if view is not None and case["status"] != "never":
        yield {"view": view | {"offset": ["+", view["offset"], 1]}}


def test_an_index_is_not_split_by_what_may_be_below_0() -> None:
    x_or_not = ("or", (">=", "x", 1), ("==", ("//", ("*", "#0", "y"), ("*", "x", "y")), 12345))
    obligation = Obligation("", x_or_not, [(">=", ("*", "x", "y"), 1)], {"#0": (0, ("*", "x", "m"))})
    assert _fails(obligation, {"x": -1, "y": -1, "m": -1, "#0": 0})
    assert obligation.natural(Work()).claim is not True


def test_what_a_merge_implies_holds_where_views_merge() -> None:
    """At the last index, also of dims of size 1; and it tells of views that do not merge."""
    rng, text = Random("affine"), 0
    for _ in range(60):
        rows, columns, steps = 20, rng.randint(1, 4), [rng.randint(0, 4) for _ in range(2)]
        inner = Strided(("m", "n"), tuple(steps), rng.randint(0, 2), rng.choice((None, ((0, "m"), (0, 1)))))
        for strides in ((columns, 1), (rng.randint(-3, 3), 1)):
            views, last = [Strided((rows, columns), strides, 0), inner], [("-", "m", 1), ("-", "n", 1)]
            lets, implied = affine_at(views, (0, 0), last, Work())
            claim = Obligation("", implied, (), {}, lets)
            failing = list(claim.failures(({"m": m, "n": n} for m, n in product((1, 2, 3), repeat=2)), [], Work()))
            assert not failing or strides[0] != columns
            text += bool(failing)
    assert text > 5


def test_what_differs_gets_a_name_and_fails_where_it_did() -> None:
    """A factor that may be 0 does not make the other one 0; a bound on a name is kept."""
    given = [(">=", "n", 1), ("not", ("!=", ("*", ("-", "n", 1), ("-", "a", ("*", "n", "b"))), 0))]
    obligation = Obligation("", ("==", "a", ("*", "n", "b")), given)
    assert obligation.natural(Work()).claim is not True
    assert Obligation("", obligation.claim, [(">", "n", 1), *given]).natural(Work()).claim is True
    assert Obligation("", ("==", "a", "b"), [(">=", "a", 1), ("<=", "a", "b")]).natural(Work()).claim is not True


def test_what_is_given_lifts_bounds() -> None:
    """Where n at its bound makes a fact fail, n is above it; a quotient of what is at least d is at least 1."""
    sizes = [(">=", "d", 1), (">=", "n", 1), (">=", "t", 0)]
    lifted, quotient = (">=", ("*", ("-", "n", 1), "t"), "d"), ("//", ("*", ("-", "n", 1), "t"), "d")
    for claim in ((">=", "n", 2), (">=", quotient, 1)):
        assert Obligation("", claim, [*sizes, lifted]).natural(Work()).claim is True
        assert Obligation("", claim, [*sizes, (">=", lifted[1], ("-", "d", 1))]).natural(Work()).claim is not True
    assert Obligation("", (">=", "n", 3), [*sizes, lifted]).natural(Work()).claim is not True


def test_quotients_are_parted_by_steps() -> None:
    """The sum of the remainders has to be seen to be below the divisor."""
    sizes = [(">=", "d", 1), (">=", "n", 1), (">=", "t", 0)]
    claim = ("==", ("//", ("*", "#0", "t"), "d"), ("*", "#0", ("//", "t", "d")))
    small = ("<", ("*", ("-", "n", 1), ("%", "t", "d")), "d")
    less = ("<=", ("*", ("-", "n", 1), ("%", "t", "d")), "d")
    assert Obligation("", claim, [*sizes, small], {"#0": (0, "n")}).natural(Work()).claim is True
    assert Obligation("", claim, [*sizes, less], {"#0": (0, "n")}).natural(Work()).claim is not True
