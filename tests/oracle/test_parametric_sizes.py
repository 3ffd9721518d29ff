"""Inner views whose sizes have names in them, behind concrete outer shapes: every case at every small size.

`--effort 100` makes it 20,000 views with one name and 5,000 with two.
"""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import pytest
import sympy
from bridge import equation_rows, named, orthogonal, strides_with, symbolic

from oracle import brute, generate, parametric
from oracle.brute import V
from oracle.parametric import Cases, Open, OpenSizes, compiled, is_inside, merged, opened
from symview import Conditions, InputError, Status, View, conditions

FAR = 10**15


# The oracle and its generator


def test_numpy_walks_as_the_obvious_oracle_does(turns, full) -> None:
    rng, seen = Random("numpy walks"), Counter()
    for n in turns(200):
        outer, inner = (generate.pair if n % 2 else generate.accidental)(rng)
        if rng.random() < 0.2:
            inner = inner._replace(offset=inner.offset + rng.randint(-9, 9))
        found, expected = merged(outer, inner), obvious(outer, inner)
        seen[type(expected)] += 1
        if isinstance(expected, brute.OutOfBounds):
            assert parametric.broken_at(outer, inner, expected.index)
            assert found is parametric.row_space(outer.shape, inner) is None
            continue
        if isinstance(expected, brute.Merged):
            assert found == (expected if 0 not in inner.shape else ((0,) * len(inner.shape), 0))
        else:
            assert found is None
            assert parametric.broken_at(outer, inner, expected.index)
        assert parametric.row_space(outer.shape, inner) == brute.row_space(outer.shape, inner)
        assert parametric.reshaped(outer, outer.shape) is not None
    if full:
        assert min(seen[k] for k in (brute.OutOfBounds, brute.Merged, brute.Broken)) > 10


def obvious(outer: V, inner: V) -> brute.Merged | brute.Broken | brute.OutOfBounds:
    try:
        return brute.merge(outer, inner)
    except brute.OutOfBounds as error:
        return error


def test_formulas_of_sympy_and_texts_have_the_same_values() -> None:
    a, b = sympy.symbols("a b", integer=True)
    formula = sympy.Or(sympy.And(a > 2, sympy.Ne(b, 1)), sympy.Eq(sympy.Mod(a, 3) + sympy.floor(b / 2), a * b - 2))
    text = "a > 2 and b != 1 or a % 3 + b // 2 == a*b - 2"
    for values in parametric.all_values({"a": range(-4, 5), "b": range(-4, 5)}):
        assert compiled(formula)(values) == parametric.at(text, values)
        assert compiled(sympy.Not(formula))(values) == (not parametric.at(text, values))
    v = opened("(2*n,m+1):((m+1)*t,t)+o")
    assert v == Open(("2*n", "m+1"), ("(m+1)*t", "t"), "o")
    assert v.at({"n": 3, "m": 1, "t": 5, "o": 7}) == V((6, 2), (10, 5), 7)
    assert v.names() == ("n", "m", "t", "o")


def test_the_generator_reaches_what_it_says(turns, full, least) -> None:
    rng, seen = Random("reach"), Counter()
    for n in turns(300):
        found = parametric.open_sizes(rng, ("n", "m")[: 1 + n % 2])
        shape, inner = found.shape, found.inner
        grid = found.grid()
        seen["outer 1"] += 1 in shape
        seen["no outer dim"] += not shape
        places = [p for p in brute.place_values(shape) if 1 < p < prod(shape)]
        seen["equal place values"] += len(places) > len(set(places))
        seen["size 0"] += "0" in inner.shape
        seen["size 1"] += "1" in inner.shape
        seen["twice"] += any(inner.shape.count(name) > 1 for name in found.names)
        seen["falls"] += any("-" in text for text in inner.shape)
        seen["negative"] += any(t.startswith("-") for t in inner.strides)
        seen["zero"] += "0" in inner.strides
        seen["offset"] += inner.offset != "0"
        grid = list(filter(found.admits, grid))
        inside = [is_inside(shape, inner.at(v)) for v in grid]
        seen["both"] += len(set(inside)) == 2
        seen["first outside"] += bool(inside) and not inside[0] and any(inside)
        spaces = {parametric.row_space(shape, inner.at(v)) for v in grid} - {None}
        seen["changes"] += len(spaces) > 1
        seen["changes twice"] += len(spaces) > 2
    assert min(seen[k] for k in ("both", "changes", "negative", "offset")) > least(50), seen
    if full:
        assert min(seen.values()) > 5, seen


# The tests


def ask(found: OpenSizes, assume=()) -> Conditions:
    return conditions(symbolic(V(found.shape, (0,) * len(found.shape))), View.parse(str(found.inner)), assume=assume)


def expected_status(rows: brute.Rows | None) -> Status:
    return Status.OUT_OF_BOUNDS if rows is None else Status.WHEN if rows else Status.ALWAYS


def check_everywhere(rng: Random, found: OpenSizes, answer: Conditions, grid: list[dict[str, int]]) -> Counter:
    """Status and equations at all values, `holds` and the view at those where something changes and a few others."""
    cases, seen, known, chosen = Cases(answer), Counter(), {}, {}
    for values in grid:
        if not found.admits(values):
            if rng.random() < 0.2:
                with pytest.raises(InputError):
                    answer.holds(named((1,) * len(found.shape), **values))
            continue
        case, rows = cases.at(values), parametric.row_space(found.shape, found.inner.at(values))
        seen[case.status] += 1
        assert case.status is expected_status(rows), (found, values, case)
        if (case.where, rows) not in known:
            known[case.where, rows] = values
            assert rows is None or equation_rows(found.shape, case.equations) == rows, (found, values, case)
            chosen[tuple(values.items())] = values
    for values in [*chosen.values(), *rng.sample(grid, min(2, len(grid)))]:
        if found.admits(values):
            check_strides(rng, found.shape, found.inner.at(values), answer, cases, values)
    seen["spaces"] = len({rows for _, rows in known} - {None})
    return seen


def check_strides(rng: Random, shape, inner: V, answer: Conditions, cases: Cases, values: dict[str, int]) -> None:
    case = cases.at(values)
    for strides in some_strides(rng, shape, parametric.row_space(shape, inner)):
        outer, given = V(shape, strides), named(strides, **values)
        expected = merged(outer, inner)
        assert answer.holds(given) == (expected is not None), (shape, inner, given, case)
        if expected is not None:
            cases.check_view(given, inner.shape, expected)


def some_strides(rng: Random, shape, rows: brute.Rows | None):
    """Strides that satisfy all equations, all but each one of them, and whatever comes."""
    width = len(brute.over_defects(shape, (0,) * len(shape)))
    yield tuple(rng.randint(-5, 5) for _ in shape)
    yield tuple(rng.choice((0, 1, 2, 3)) for _ in shape)
    if rows is None:
        yield brute.place_values(shape)
        return
    yield strides_with(rng, shape, orthogonal(rng, rows, width))
    for n, row in enumerate(rows):
        others = orthogonal(rng, rows[:n] + rows[n + 1 :], width)
        if sum(a * b for a, b in zip(row, others, strict=True)):
            yield strides_with(rng, shape, others)


@pytest.mark.parametrize(("names", "usual", "share"), [(("n",), 200, 40), (("n", "m"), 50, 7)])
def test_the_cases_at_every_small_size(names, usual, share, turns, full) -> None:
    rng, seen, views = Random(f"sizes {names}"), Counter(), Counter()
    for _ in turns(usual):
        found = parametric.open_sizes(rng, names)
        answer, grid = ask(found), found.grid()
        reached = check_everywhere(rng, found, answer, grid)
        views.update(set(reached))
        seen.update(reached)
        views["three spaces"] += reached["spaces"] > 2
        check_far(found, answer)
    least = {Status.ALWAYS: share, Status.WHEN: share, Status.OUT_OF_BOUNDS: share, "three spaces": share // 4}
    if full:
        assert not {k: views[k] for k, count in least.items() if views[k] < count}, views


def check_far(found: OpenSizes, answer: Conditions) -> None:
    """Sizes too large to walk are out of bounds, or there is a case all the same."""
    cases = Cases(answer)
    for far in (FAR, FAR + 1):
        values = dict.fromkeys(found.names, far)
        if found.admits(values):
            outside = not is_inside(found.shape, found.inner.at(values))
            assert (cases.at(values).status is Status.OUT_OF_BOUNDS) == outside, (found, answer)


def test_outer_strides_that_are_numbers_or_share_names(turns, least) -> None:
    """Relations between the strides hold by chance, or make a case settled: always, never, or fewer equations."""
    rng, seen = Random("shared strides"), Counter()
    for _ in turns(60):
        found = parametric.open_sizes(rng, ("n",))
        if not found.shape:
            continue
        grid = list(filter(found.admits, found.grid()))
        strides = shared_strides(rng, found, grid)
        outer = Open(tuple(map(str, found.shape)), strides)
        answer = conditions(View.parse(str(outer)), View.parse(str(found.inner)))
        cases = Cases(answer)
        names = parametric.names_in(*strides)
        for values in grid:
            case, inner = cases.at(values), found.inner.at(values)
            outside = not is_inside(found.shape, inner)
            assert (case.status is Status.OUT_OF_BOUNDS) == outside
            seen[case.status] += 1
            for _ in range(4):
                given = {**values, **{name: rng.choice((0, 1, 2, 3, -1, rng.randint(-9, 9))) for name in names}}
                expected = merged(outer.at(given), inner) is not None
                seen[expected] += 1
                assert answer.holds(given) == expected, (str(outer), found, given)
                assert cases.holds(given) == expected
    assert min(seen[k] for k in (Status.ALWAYS, Status.WHEN, Status.NEVER, Status.OUT_OF_BOUNDS, True, False)) > least(
        20
    )


def shared_strides(rng: Random, found: OpenSizes, grid) -> tuple[str, ...]:
    """Contiguous in a name, or numbers that merge at some size with some of them replaced by names."""
    kind = rng.random()
    if kind < 0.25:
        return tuple(f"{p}*a" for p in brute.place_values(found.shape))
    spaces = [parametric.row_space(found.shape, found.inner.at(v)) for v in grid]
    spaces = [rows for rows in spaces if rows is not None]
    if kind < 0.85 and spaces:
        width = len(brute.over_defects(found.shape, (0,) * len(found.shape)))
        strides = strides_with(rng, found.shape, orthogonal(rng, rng.choice(spaces), width))
    else:
        strides = tuple(rng.randint(-3, 3) for _ in found.shape)
    names = (*"abcd", "2*a", "a+1", "-b")
    return tuple(rng.choice(names) if rng.random() < 0.35 else str(s) for s in strides)


@pytest.mark.parametrize(
    "assume",
    ["n >= 0", "0 <= n", "n > -1", "n == 0 or n > 3", "0 <= n and n <= 6", "not n < 0", "-n <= 0", "2*n >= 0"],
)
@pytest.mark.parametrize(
    "inner",
    ["(n):(3)+1", "(n,2):(3,1)", "(2*n):(2)", "(n,n):(4,1)", "(n):(3)+100", "(n):(-2)+23", "(3,n):(0,5)"],
)
def test_size_zero_merges_where_it_is_allowed(inner, assume) -> None:
    found = OpenSizes((4, 3, 2), opened(inner), ("n",))
    answer = ask(found, assume)
    cases = Cases(answer)
    assert cases.at({"n": 0}).status is Status.ALWAYS
    assert answer.holds(named((7, 5, 2), n=0))
    rng, admitted = Random(inner), 0
    for n in range(1, 12):
        if not parametric.at(assume, {"n": n}):
            with pytest.raises(InputError):
                answer.holds(named((6, 2, 1), n=n))
            continue
        admitted += 1
        rows = parametric.row_space(found.shape, found.inner.at({"n": n}))
        assert cases.at({"n": n}).status is expected_status(rows)
        check_strides(rng, found.shape, found.inner.at({"n": n}), answer, cases, {"n": n})
    assert admitted > 4


def test_size_zero_of_one_of_two_names(turns, least) -> None:
    """0 is allowed of n, so of its multiples, and of its product with the other name, which is a size of its own."""
    rng, seen = Random("zero of two"), Counter()
    for _ in turns(40):
        found = parametric.open_sizes(rng, ("n", "m"))
        if not {"n", "m"} <= set(found.inner.shape):
            continue
        answer = ask(found, "n >= 0")
        cases = Cases(answer)
        for m in range(1, 5):
            values = {"n": 0, "m": m}
            if min(parametric.at(text, values) for text in found.inner.shape if "n" not in text) < 1:
                continue
            assert cases.at(values).status is Status.ALWAYS, (found, values)
            for strides in some_strides(rng, found.shape, ()):
                seen["empty"] += 1
                assert answer.holds(named(strides, **values)), (found, values)
            given = {"n": m, "m": 1}
            if min(parametric.at(text, given) for text in found.inner.shape if not text.isdigit()) >= 1:
                rows = parametric.row_space(found.shape, found.inner.at(given))
                seen["other"] += 1
                assert cases.at(given).status is expected_status(rows), (found, given)
    assert min(seen[k] for k in ("empty", "other")) > least(40), seen


def test_size_zero_without_the_assumption_is_refused() -> None:
    for inner in ("(n):(3)", "(n,2):(3,1)", "(2*n):(2)", "(n,m):(3,1)"):
        answer = ask(OpenSizes((4, 3, 2), opened(inner), ("n",)))
        with pytest.raises(InputError):
            answer.holds(named((6, 2, 1), n=0, **({"m": 1} if "m" in inner else {})))


def test_a_literal_size_0_merges_whatever_else_is_there() -> None:
    for inner in ("(n,0):(5,5)+99", "(0,n,m):(1,2,3)-4", "(0,n*m):(1,2)"):
        answer = conditions(View.parse("(4,3):(a,b)"), View.parse(inner))
        assert {case.status for case in answer.cases} == {Status.ALWAYS}
        for n in (1, 7, FAR):
            values = {"n": n, "m": n + 1} if "m" in inner else {"n": n}
            assert answer.holds({**values, "a": 1, "b": 1})


def test_a_size_of_two_names_that_is_1_wherever_it_is_inside() -> None:
    """Though either name alone may be larger."""
    answer = conditions(View.parse("(2,3):(s,t)"), View.parse("(m+2*o-2):(2)+4"), assume=["m >= 1", "o >= 0"])
    assert [(str(c.where), str(c.status)) for c in answer.cases] == [
        ("Eq(m + 2*o, 3)", "always"),
        ("m + 2*o >= 4", "out_of_bounds"),
    ]


def test_break_points_of_the_papers_example_behind_other_axes() -> None:
    """The line (s):(4) of the README, as a size of its own, doubled, shifted and next to a broadcast."""
    line = [(3, ()), (5, ((1, 1),)), (23, ((1, 0), (0, 1)))]
    for text, size in (("s", 1), ("2*s", 2), ("s+1", None), ("24-s", None)):
        for other in ("", "7,", "m,"):
            inner = Open((*parametric.entries(other), text), (*(("0",) if other else ()), "4"))
            names = inner.names()
            found = OpenSizes((10, 3, 3), inner, names)
            cases = Cases(ask(found))
            for s in range(1, 30 if size != 2 else 15):
                values = dict.fromkeys(names, 3) | {"s": s}
                n = parametric.at(text, values)
                if n < 1:
                    continue
                expected = next((rows for last, rows in line if n <= last), None)
                case = cases.at(values)
                assert case.status is expected_status(expected)
                if expected:
                    assert equation_rows((10, 3, 3), case.equations) == expected
