"""The cases of symbolic inner strides: their equations are the weakest, their views right, whatever the form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import prod
from random import Random

import pytest
import sympy
import z3
from bridge import equation_rows, orthogonal, strides_with
from satellites import needs
from scripts import z3_answers

from oracle import brute, generate, parametric
from oracle.parametric import Cases, Open, Pair, at, broken_at, compiled, is_inside, merged, opened
from symview import Budget, Conditions, Exact, OutOfBounds, Status, Undecided, View, conditions, merge

SETTLED = (Status.ALWAYS, Status.WHEN)


def ask(pair: Pair, **more) -> Conditions:
    return conditions(View.parse(str(pair.outer)), View.parse(str(pair.inner)), assume=pair.assume, **more)


def pair_of(outer: str, inner: str, *assume: str) -> Pair:
    return Pair(opened(outer), opened(inner), assume)


def shape_of(pair: Pair) -> tuple[int, ...]:
    return tuple(map(int, pair.outer.shape))


def values_of(rng: Random, pair: Pair, count: int) -> list[dict[str, int]]:
    """Values of the names of the inner view: as many in bounds, if there are, and a third as many elsewhere."""
    names, reach = pair.inner.names(), prod(shape_of(pair)) + 2
    if (2 * reach + 1) ** len(names) <= 2000:
        rows = list(parametric.all_values({n: range(-reach, reach + 1) for n in names}))
    else:
        spans = [rng.choice((2, 5, reach)) for _ in range(2000)]
        rows = [{n: rng.randint(-2, reach) if n == "o" else rng.randint(-s, s) for n in names} for s in spans]
    rows = [v for v in rows if all(at(text, v) for text in pair.assume)]
    inside = [is_inside(shape_of(pair), pair.inner.at(v)) for v in rows]
    chosen = parametric.some(rng, [v for v, i in zip(rows, inside, strict=True) if i], count)
    return chosen + parametric.some(rng, [v for v, i in zip(rows, inside, strict=True) if not i], count // 3)


def weakest(rng: Random, pair: Pair, answer: Conditions, values: list[dict[str, int]]) -> Counter:
    """Outer strides σ1, σ2, …: the equations of the case span what brute force finds, and the view is right.

    Where a case is undecided, strides without defects satisfy its equations, and its view is right there.
    """
    shape, cases, seen = shape_of(pair), Cases(answer), Counter()
    spans = {id(c): equation_rows(shape, c.equations) for c in answer.cases if c.status in SETTLED}
    width = len(brute.over_defects(shape, (0,) * len(shape)))
    for known in values:
        inner = pair.inner.at(known)
        case = cases.at({**known, **{f"σ{n + 1}": 0 for n in range(len(shape))}})
        seen[case.status] += 1
        assert (case.status is Status.OUT_OF_BOUNDS) == (not is_inside(shape, inner)), (pair, known, case)
        rows = parametric.row_space(shape, inner)
        if rows is None:
            continue
        if case.status in SETTLED:
            assert spans[id(case)] == rows, (pair, known, case, rows)
        defects = orthogonal(rng, rows, width) if case.status in SETTLED else (0,) * width
        given = {**known, **{f"σ{n + 1}": x for n, x in enumerate(strides_with(rng, shape, defects))}}
        assert cases.satisfied(case, given)
        expected = merged(pair.outer.at(given), inner)
        assert expected is not None
        cases.check_view(given, inner.shape, expected)
    return seen


def random_pair(rng: Random, plain: bool) -> Pair:
    """One to four outer dims, one to three axes; without `plain`, sums, products and quotients of names as well."""
    limit = rng.choice((6, 12, 24, 48, 100))
    shape = generate._shape(rng, rng.choices((1, 2, 3, 4), (1, 4, 4, 2))[0], limit, (2, 3, 4, 5, 6, 7))
    sizes = [rng.choices("0123459", (0.1, 1, 5, 5, 3, 1, 1))[0] for _ in range(rng.choices((1, 2, 3), (4, 4, 1))[0])]
    strides = []
    for axis in range(len(sizes)):
        n, m = "tuw"[axis], "tuw"[rng.randrange(axis + 1)]
        forms = (n, f"2*{n}", f"-{n}", m, f"{n}+1", str(rng.randint(-4, 9)), f"3-{n}")
        more = (f"{n}+{m}", f"{n}*{m}", f"{n}*{n}", f"{n}//2", f"{n} % 4", f"{n}+o", f"{n}-{m}")
        weights = (8, 1, 1, 1, 0.5, 3, 0.3)
        strides.append(rng.choices(forms, weights)[0] if plain or rng.random() < 0.5 else rng.choice(more))
    offsets = ("o", "o", "o", "0", str(rng.randint(0, prod(shape))), str(prod(shape) - 1), "o+2", "t", "2*t", "t+o")
    offset = rng.choice(offsets)
    if not parametric.names_in(*strides, offset):
        offset = "o"
    outer = Open(tuple(map(str, shape)), tuple(f"σ{n + 1}" for n in range(len(shape))), rng.choice(("0", "5")))
    return Pair(outer, Open(tuple(sizes), tuple(strides), offset))


def settled(rng: Random, pair: Pair, **more) -> Conditions | None:
    """The answer; None where it is refused as out of bounds, as it is everywhere."""
    try:
        return ask(pair, **more)
    except OutOfBounds:
        found = [is_inside(shape_of(pair), pair.inner.at(v)) for v in values_of(rng, pair, 10)]
        assert not any(found), pair
        return None


# Weakest, and with the right view


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "any form"])
def test_the_equations_are_the_weakest(plain, turns, least) -> None:
    rng, seen = Random(f"weakest {plain}"), Counter()
    for _ in turns(25 if plain else 15):
        pair = random_pair(rng, plain)
        answer = settled(rng, pair)
        if answer is not None:
            seen.update(weakest(rng, pair, answer, values_of(rng, pair, 40)))
    assert min(seen[s] for s in (*SETTLED, Status.OUT_OF_BOUNDS)) > least(150), seen


@pytest.mark.sampled
@pytest.mark.parametrize("engine", ["enumerate", "smt"])
def test_every_engine_says_the_same(engine, turns) -> None:
    rng = Random(engine)
    for _ in turns(4):
        pair = random_pair(rng, True)
        answer, other = settled(rng, pair), settled(rng, pair, engine=engine)
        if answer is not None and other is not None and Status.UNDECIDED not in {c.status for c in other.cases}:
            assert answer.cases == other.cases


NAMED = (
    pair_of("(10,3,3):(σ1,σ2,σ3)", "(4):(t)"), pair_of("(10,3,3):(σ1,σ2,σ3)", "(4):(t*t)"),
    pair_of("(12,3,2):(σ1,σ2,σ3)", "(3):(t+u)+(t-u)"), pair_of("(12,3,2):(σ1,σ2,σ3)", "(3):(t+u)+o"),
    pair_of("(6,2,5):(σ1,σ2,σ3)", "(4):(t//3)+(t % 3)"), pair_of("(4,3):(σ1,σ2)", "(2,2):(t*u,u)+o"),
    pair_of("(30,2,2,2,5):(σ1,σ2,σ3,σ4,σ5)", "(9):(t)"), pair_of("(40,3,2):(σ1,σ2,σ3)", "(20):(3)+o"),
    pair_of("(4,3):(σ1,σ2)", "(3,3):(t,-t)+o"), pair_of("(2,7):(σ1,σ2)", "(2,3):(t,u)+o"),
)  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("pair", NAMED, ids=lambda p: f"{p.outer} {p.inner}")
def test_named_pairs(pair, effort) -> None:
    rng = Random(str(pair))
    assert weakest(rng, pair, ask(pair), values_of(rng, pair, 150 * effort))[Status.WHEN] > 5


ASSUMED = (
    pair_of("(4,3):(σ1,σ2)", "(2,2):(t,u)+o", "t >= 0", "u >= 0", "o >= 0"),
    pair_of("(10,3,3):(σ1,σ2,σ3)", "(4):(t)", "t >= 1", "t % 3 == 0"), pair_of("(5,6):(σ1,σ2)", "(3):(t)+o", "t == o"),
    pair_of("(8,4):(σ1,σ2)", "(4):(t)+o", "o % 2 == 0", "t % 4 != 3"), pair_of("(8,4):(σ1,σ2)", "(4):(t)", "t > 2*t"),
    pair_of("(4,3):(σ1,σ2)", "(2,2):(t,u)+o", "t == 3*u"), pair_of("(9,2,2):(σ1,σ2,σ3)", "(3,2):(t,u)", "t > u"),
    pair_of("(4,3):(σ1,σ2)", "(2,2):(t,u)+o", "3 <= t <= 4", "u == 1"),
)  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("pair", ASSUMED, ids=lambda p: f"{p.inner} {p.assume}")
def test_assumptions_count(pair, effort) -> None:
    rng, answer = Random(str(pair)), ask(pair)
    values = values_of(rng, pair, 200 * effort)
    seen = weakest(rng, pair, answer, values)
    assert set(seen) == {c.status for c in answer.cases}
    cases = Cases(answer)
    for case in answer.cases:  # none that no values reach
        zeros = {f"σ{n + 1}": 0 for n in range(len(pair.outer.shape))}
        assert any(cases.at({**v, **zeros}) is case for v in values), (pair, case)


@pytest.mark.parametrize(
    ("inner", "assume", "statuses"),
    [
        ("(2,2):(t*t,1)", (), (Status.ALWAYS, Status.OUT_OF_BOUNDS)),  # no square has the residue 2
        ("(2,2):(3*t*t-6*u,1)", ("t == 2*u",), (Status.ALWAYS, Status.OUT_OF_BOUNDS)),
        ("(2,2):(t,1)", ("t % 3 != 2",), (Status.ALWAYS, Status.OUT_OF_BOUNDS)),
        ("(2,2):(t,1)", ("a == 3*t", "a % 9 == 6"), (Status.WHEN, Status.OUT_OF_BOUNDS)),
        ("(2,2):(t,1)", ("t*t <= 16", "t % 3 == 2", "t >= 0"), (Status.WHEN,)),
        ("(2,2):(t*u,1)", ("t*u >= 0", "t*u <= 10"), (Status.ALWAYS, Status.WHEN)),
        ("(2,2):(3*t*t-t,1)", ("t % 3 != 1",), (Status.ALWAYS, Status.OUT_OF_BOUNDS)),  # the residue 2 is left out
    ],
)
def test_no_case_is_one_that_nothing_reaches(inner, assume, statuses) -> None:
    answer = conditions(View.parse("(4,3):(a,b)"), View.parse(inner), assume=assume)
    assert tuple(c.status for c in answer.cases) == statuses


def test_declared_signs_count() -> None:
    t, u = sympy.Symbol("t", positive=True, integer=True), sympy.Symbol("u", nonnegative=True, integer=True)
    outer = View.parse("(4,3):(a,b)")
    assert [str(c) for c in conditions(outer, View((3,), (t,), u)).cases][-1] == "2*t + u > 11: out of bounds"
    assert str(conditions(outer, View((2,), (t * u,))).cases[-1].where) == "t*u > 11"


def test_sizes_far_beyond_what_could_be_walked(turns, full) -> None:
    rng, seen = Random("large"), Counter()
    for _ in turns(6):
        low = rng.sample((2, 3, 4, 5, 6, 7), rng.choice((1, 2, 2)))
        shape = (rng.randint(10**7, 10**9 // prod(low)), *low)
        names = [["t"], ["t", "o"], ["t", "u", "o"]][rng.randrange(3)]
        sizes = [str(rng.randint(2, 7)) for n in names if n != "o"]
        inner = Open(tuple(sizes), tuple(n for n in names if n != "o"), "o" if "o" in names else "0")
        pair = Pair(Open(tuple(map(str, shape)), tuple(f"σ{n + 1}" for n in range(len(shape)))), inner)
        most = prod(shape) // 40
        near = [{n: rng.choice((2 * most if n == "o" else 0, rng.randint(0, most))) for n in names} for _ in range(60)]
        values = [{n: x + rng.randint(-9, 9) for n, x in v.items()} for v in near]
        seen.update(weakest(rng, pair, ask(pair), values))
    if full:
        assert min(seen[s] for s in SETTLED) > 10, seen


# Short texts


@pytest.mark.parametrize(
    ("outer", "inner", "text"),
    [
        (
            "(5,4):(a,b)", "(3):(t)",
            "0 ≤ t ≤ 9 and t % 4 ≤ 1: always; 0 ≤ t ≤ 9 and t % 4 ≥ 2: a = 4*b; t < 0 or t > 9: out of bounds",
        ),
        ("(2,8):(a,b)", "(3):(t)", "0 ≤ t ≤ 3: always; 4 ≤ t ≤ 7: a = 8*b; t < 0 or t > 7: out of bounds"),
        ("(2,8):(a,b)", "(4):(t)+8", "0 ≤ t ≤ 2: always; -2 ≤ t ≤ -1: a = 8*b; t < -2 or t > 2: out of bounds"),
        ("(4,3):(3,1)", "(3):(t)", "0 ≤ t ≤ 5: always; t < 0 or t > 5: out of bounds"),
        ("(4,3):(a,b)", "(1,1):(t,u)+7", "always"), ("(4,3):(a,b)", "(0,2):(t,u)+99", "always"),
        ("(4,3):(a,b)", "(2):(t)+12", "out of bounds"), ("(1):(a)", "(3):(t)", "t = 0: always; t ≠ 0: out of bounds"),
        (
            "(4,3):(1,1)", "(3):(t)",
            "0 ≤ t ≤ 5 and t % 3 ≤ 1: always; 0 ≤ t ≤ 5 and t % 3 = 2: never; t < 0 or t > 5: out of bounds",
        ),
        (  # one comparison for all corners
            "(9,4):(a,b)", "(3,2):(t,u)",
            "t ≥ 0 and u ≥ 0 and 2*t + u ≤ 35 and 2*(t % 4) + u % 4 ≤ 3: always; "
            "t ≥ 0 and u ≥ 0 and 2*t + u ≤ 35 and 2*(t % 4) + u % 4 > 3: a = 4*b; "
            "t < 0 or u < 0 or 2*t + u > 35: out of bounds",
        ),
    ],
)  # fmt: skip
def test_texts(outer, inner, text) -> None:
    answer = conditions(View.parse(outer), View.parse(inner))
    assert "; ".join(str(c) for c in answer.cases) == text


def test_views_are_as_simple_as_the_case_allows() -> None:
    def views(outer: str, inner: str) -> list[str]:
        return [str(c.view) for c in conditions(View.parse(outer), View.parse(inner)).cases if c.view is not None]

    assert views("(2,8):(a,b)", "(3):(t)") == ["(3):(b*t)", "(3):(b*t)"]
    assert views("(6,4):(a,b)", "(3):(4*t)+1") == ["(3):(a*t)+b"]
    assert views("(9,3):(a,b)", "(2):(t)+1") == ["(2):(a*((t + 1)//3) + b*((t + 1) % 3) - b)+b"]
    assert "(6):(c*t)" in views("(10,3,3):(a,b,c)", "(6):(t)")


# Budgets


def test_what_the_budget_leaves_open_is_said(turns, full) -> None:
    """With hardly any points: all that is settled is exact, and what is not settled has enough equations."""
    rng, seen = Random("budget"), Counter()
    for _ in turns(40):
        pair = random_pair(rng, True)
        answer = settled(rng, pair, budget=Budget(points=60))
        if answer is None:
            continue
        seen.update(weakest(rng, pair, answer, values_of(rng, pair, 30)))
        for case in answer.cases:
            if case.status is Status.UNDECIDED:
                assert "allows 12" in case.reason, case.reason
                with pytest.raises(Undecided):
                    answer.formula()
    if full:
        assert min(seen[s] for s in (*SETTLED, Status.UNDECIDED)) > 60, seen


def test_undecided_says_how_many_residues_there_are() -> None:
    pair = pair_of("(1000,1000,1000):(a,b,c)", "(4):(t)")
    answer = ask(pair)
    (case,) = [c for c in answer.cases if c.status is Status.UNDECIDED]
    assert "1000000 residues" in case.reason
    assert "allows 200000" in case.reason
    assert case.headline() == "undecided; a = 1000*b and b = 1000*c is enough"
    assert answer.holds({"t": 1, "a": 5, "b": 7, "c": 9})
    assert not answer.holds({"t": 400, "a": 5, "b": 7, "c": 9})  # only the inner boundary overflows
    assert not answer.holds({"t": -1, "a": 1, "b": 1, "c": 1})
    outer, inner = View((1000, 1000, 1000), (5, 7, 9)), View((4,), (333_400,))
    assert answer.holds({"t": 333_400, "a": 5, "b": 7, "c": 9}) == bool(merge(outer, inner))  # numbers decide it


def test_one_boundary_needs_no_walk() -> None:
    rng = Random("one boundary")
    pair = pair_of("(1000003,1009):(σ1,σ2)", "(5,6,7):(t,u,w)+o")
    answer = ask(pair, budget=Budget(points=10))
    assert [c.status for c in answer.cases] == [Status.ALWAYS, Status.WHEN, Status.OUT_OF_BOUNDS]
    values = [
        dict(zip("tuwo", map(rng.randint, (-90, -9, 0, 10**5), (90, 9, 30, 10**8)), strict=True)) for _ in range(300)
    ]
    values = [{**v, "u": 1009 * v["u"]} for v in values]
    assert min(weakest(rng, pair, answer, values)[s] for s in SETTLED) > 5


def test_more_axes_than_corners_are_listed_for() -> None:
    """Bounds and overflows by the least and the greatest address, in time that does not double with each axis."""
    rng = Random("many axes")
    pair = pair_of("(20,3):(σ1,σ2)", "(2,2,3,2,2,2,2):(t,u,v,w,-x,y,1)+o")
    answer, names = ask(pair), "tuvwxyo"
    assert [c.status for c in answer.cases] == [Status.ALWAYS, Status.WHEN, Status.OUT_OF_BOUNDS]
    values = [{n: rng.choice((0, 0, 3, rng.randint(-3, 6))) for n in names} for _ in range(60)]
    seen = weakest(rng, pair, answer, [{**v, "o": rng.randint(0, 30)} for v in values])
    assert min(seen[s] for s in (Status.WHEN, Status.OUT_OF_BOUNDS)) > 5, seen


@pytest.mark.dear
@pytest.mark.parametrize("budget", [Budget(timeout=0.2), Budget(work=3_000_000), Budget(work=400_000)], ids=str)
def test_a_table_that_is_stopped_leaves_what_its_boundaries_settle(budget) -> None:
    """Hundreds of thousands of residues: where one boundary overflows at most, the answer stays exact."""
    rng, pair = Random("stopped"), pair_of("(4,12,5,7):(σ1,σ2,σ3,σ4)", "(3):(3-t)+(t*u)")
    answer = ask(pair, budget=budget)
    assert Status.UNDECIDED in {c.status for c in answer.cases}
    assert {c.status for c in answer.cases if "t" in c.reason} >= {Status.UNDECIDED}
    values = [{"t": rng.randint(-60, 60), "u": rng.randint(0, 40)} for _ in range(300)]
    assert weakest(rng, pair, answer, values)[Status.OUT_OF_BOUNDS] > 5


# All forms of the answer

SHARED = (
    pair_of("(4,3):(t,1)", "(3):(t)+o"), pair_of("(4,3):(a,t)", "(3):(t)+o"), pair_of("(4,3):(o,t)", "(2,2):(t,1)+o"),
    pair_of("(6,2):(t*u,u)", "(3):(t)+u"), pair_of("(3,2,2):(a,b,t)", "(2,3):(t,1)+1"),
    pair_of("(4,3):(7,2)", "(3):(t)+o"), pair_of("(4,3):(a,b)", "(3):(t*u)", "a == t"),
    pair_of("(4,4):(a,1)+t", "(2,3):(t,u)", "a >= t", "u == t + 1"),
)  # fmt: skip


def everywhere(rng: Random, pair: Pair, count: int) -> Iterator[dict[str, int]]:
    """Values of all names; the outer strides are contiguous now and then, or what another name is."""
    named = [(n, place) for n, place in zip(pair.outer.strides, brute.place_values(shape_of(pair)), strict=True)]
    inner = tuple(text for text in pair.assume if set(parametric.names_in(text)) <= set(pair.inner.names()))
    for known in values_of(rng, pair._replace(assume=inner), count):
        free = [n for n in pair.outer.names() if n not in known]
        for number in range(8):
            given = {**known, **{n: rng.choice((rng.randint(-3, 6), *known.values())) for n in free}}
            scale = next((known[n] // place for n, place in named if n in known and known[n] % place == 0), 1)
            given |= {n: scale * place for n, place in named if n in free} if number % 4 == 0 else {}
            if all(at(text, given) for text in pair.assume):
                yield given


@needs("verify")
@pytest.mark.sampled
@pytest.mark.parametrize("pair", [*SHARED, *ASSUMED[:3], NAMED[4]], ids=lambda p: f"{p.outer} {p.inner} {p.assume}")
def test_all_forms_agree(pair, effort) -> None:
    rng, answer = Random(str(pair)), ask(pair)
    cases, formula, guards, in_z3 = Cases(answer), compiled(answer.formula()), answer.guards(), answer.to_z3()
    names, seen = tuple(answer.symbols()), Counter()
    for given in everywhere(rng, pair, 10 * effort):
        outer, inner = pair.outer.at(given), pair.inner.at(given)
        expected = merged(outer, inner)
        right = expected is not None
        assert answer.holds(given) == cases.holds(given) == formula(given) == right, (pair, given)
        assert bool(eval(guards, {}, dict(given))) == right, (pair, given)
        at_values = z3.simplify(z3.substitute(in_z3, *[(z3.Int(n), z3.IntVal(given[n])) for n in names]))
        assert z3.is_true(at_values) == right, (pair, given)
        if expected is not None:
            cases.check_view(given, inner.shape, expected)
        seen[right] += 1
    assert min(seen[True], seen[False]) > 4, seen
    assert answer.compare(answer.formula()) == answer.compare(guards) == Exact()
    assert set(z3_answers(answer.within(Budget().started().at_most(500_000 * effort)).to_smt2())) == {"unsat"}
    assert answer.to_latex()
    assert len(answer.to_dict()["cases"]) == len(answer.cases)


SMALL = (
    pair_of("(4,3):(a,b)", "(3):(t)"), pair_of("(3,2,2):(a,b,c)", "(3):(t)+1"),
    pair_of("(4,3):(a,1)", "(2,2):(t,u)+1"), pair_of("(4,3):(1,1)", "(3):(t)+o"),
    pair_of("(4,2):(a,b)", "(3):(t)+o"), pair_of("(2,2,2):(4,a,1)", "(2,2):(1,t)+o"),
)  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("pair", SMALL, ids=lambda p: f"{p.outer} {p.inner}")
def test_the_smallest_break_is_the_smallest(pair) -> None:
    """By the sum of absolute values of all names, then by the sum of the index."""
    found = ask(pair).counterexample()
    assert found is not None
    assert found.smallest
    best = sum(map(abs, found.values.values()))
    for values in parametric.all_values({n: range(-best, best + 1) for n in pair.names()}):
        total = sum(map(abs, values.values()))
        outer, inner = pair.outer.at(values), pair.inner.at(values)
        if total < best and is_inside(outer.shape, inner):
            assert merged(outer, inner) is not None, (pair, values, found)
        if total == best and is_inside(outer.shape, inner) and merged(outer, inner) is None:
            broken = [i for i in brute.indices(inner.shape) if broken_at(outer, inner, i)]
            assert min((sum(i), i) for i in broken) >= (sum(found.index), found.index)
    assert broken_at(pair.outer.at(found.values), pair.inner.at(found.values), found.index)


def test_nothing_but_bounds_can_break() -> None:
    found = ask(pair_of("(4,3):(3,1)", "(3):(t)+o")).counterexample()
    assert found is not None
    assert str(found) == "at index (0) with t = 0, o = -1: address -1 is out of bounds"
    assert ask(pair_of("(4,3):(3,1)", "(3):(t)+o", "0 <= t <= 2", "0 <= o <= 7")).counterexample() is None
