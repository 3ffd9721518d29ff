"""CuTe operations with symbolic strides at rank 3, or one symbolic size beside numbers: in few cases, none undecided.

Exceptions are named in `OPEN`. At many values the answers are what the numeric operations give.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
import sympy

from oracle.test_cute_symbols import check_query, conditions, only_answers, put, takes_values_back
from symview import cute
from symview.answers import Exact, Status, TooStrong
from symview.cute import Layout, LayoutError
from symview.errors import InputError, Undecided

N, A, B, C = sympy.symbols("n a b c", integer=True)
SIZES = (1, 2, 2, 3, 4, 4, 6, 8)
OPERATIONS = (
    "coalesce", "complement", "right_inverse", "left_inverse", "composition", "logical_divide", "zipped_divide",
    "logical_product", "blocked_product", "zipped_product",
)  # fmt: skip
OPEN = ("left_inverse",)  # of two unknown strides, and some open sizes
parse = Layout.parse


def layout_of(modes) -> Layout:
    sizes, strides = zip(*modes, strict=True)
    return Layout(sizes, strides) if len(modes) > 1 else Layout(sizes[0], strides[0])


def with_strides(rng: Random, most: int) -> Layout:
    """Sizes numbers, strides symbols, some of them equal, twice another, or numbers."""
    rank, names = rng.randint(1, most), rng.sample((A, B, C), 3)
    strides = [rng.choice((names[k], names[k], names[k], names[0], rng.choice((0, 1, 2, 8)))) for k in range(rank)]
    strides[rng.randrange(rank)] = rng.choice((A, A, 2 * A))
    return layout_of([(rng.choice(SIZES), d) for d in strides])


def with_size(rng: Random, most: int) -> Layout:
    """One size a symbol, strides numbers, often compact."""
    rank = rng.randint(1, most)
    at, place, modes = rng.randrange(rank), 1, []
    for k in range(rank):
        size = N if k == at else rng.choice(SIZES)
        modes.append((size, rng.choice((0, 1, 2, 3, 8, place, place, place))))
        place = place * size
    return layout_of(modes)


def of_numbers(rng: Random, most: int) -> Layout:
    place, modes, compact = 1, [], rng.random() < 0.5
    for _ in range(rng.randint(1, most)):
        size = rng.choice(SIZES)
        modes.append((size, place if compact else rng.choice((0, 1, 1, 2, 3, 4, 8))))
        place *= size
    return layout_of(modes)


def query(rng: Random, symbolic):
    name = rng.choice(OPERATIONS)
    if name in ("coalesce", "right_inverse", "left_inverse"):
        return name, symbolic(rng, 3), ()
    if name == "complement":
        return name, symbolic(rng, 3), (rng.choice((1, 12, 24, 64)),)
    if rng.random() < 0.25:
        return name, of_numbers(rng, 3), (symbolic(rng, 2),)
    layout = symbolic(rng, 3)
    if name == "zipped_divide" and rng.random() < 0.6:
        return name, layout, (tuple([rng.choice((2, 3, 4, None)) for _ in range(min(len(layout), 2))]),)
    return name, layout, (rng.choice((rng.choice((2, 3, 4, 8)), of_numbers(rng, 2))),)


def likely(rng: Random, answer) -> dict[str, int]:
    """Values at which strides often continue each other."""
    values = {name: rng.choice((1, 2, 3, 4, 6, 8, 12, rng.randint(-3, 20))) for name in answer.symbols()}
    for layout in answer.question.layouts():
        place = rng.choice((1, 1, 2))
        for size, stride in rng.sample(layout.flat(), len(layout.flat())):
            if isinstance(stride, sympy.Symbol) and rng.random() < 0.7:
                values[stride.name] = place * rng.choice((0, 1, 1, 1, 2)) + rng.choice((0, 0, 0, 1))
            place = max(put(size, values) * put(stride, values), 1)
    return values


@pytest.mark.parametrize("symbolic", [with_strides, with_size])
def test_few_cases(symbolic, turns, full, least) -> None:
    seen = Counter()
    for turn in turns(28):
        rng = Random(f"few cases {symbolic.__name__} {turn}")
        name, layout, args = query(rng, symbolic)
        try:
            answer = conditions(name, layout, args, ())
        except LayoutError:  # of numbers that do not divide
            seen["bad input"] += 1
            continue
        undecided = [c for c in answer.cases if c.status is Status.UNDECIDED]
        assert not undecided or name in OPEN, (name, layout, args)
        seen["cases", min(len(answer.cases), 3)] += 1
        for _ in range(8):
            check_at(answer, likely(rng, answer), name, layout, args, seen)
    assert seen["bad input"] < 10
    assert min(seen[True], 3 * seen[False]) > least(30)
    if full:
        assert seen["cases", 1] > 10


def test_strides_and_one_size_of_one_symbol(turns) -> None:
    """Compositions of numbers with a layout whose strides go with its open size."""
    seen = Counter()
    for turn in turns(25):
        rng = Random(f"sized residues {turn}")
        outer, rank, place, modes = of_numbers(rng, 3), rng.randint(1, 3), 1, []
        at = rng.randrange(rank)
        for k in range(rank):
            size = N if k == at else rng.choice(SIZES)
            modes.append((size, rng.choice((0, 1, 2, 3, 8, N, N, 2 * N, N + 1, place, place, N - 2))))
            place = place * size
        name = rng.choice(("composition", "composition", "composition", "logical_product"))
        try:
            answer = conditions(name, outer, (layout_of(modes),), ())
        except LayoutError:
            continue
        assert all(c.status is not Status.UNDECIDED for c in answer.cases), (name, outer, modes)
        for n in (1, 2, 3, 4, 6, 7, 12, 32):
            check_at(answer, dict.fromkeys(answer.symbols(), n), name, outer, (layout_of(modes),), seen)
    assert min(seen[True], 3 * seen[False]) > 30


def test_compositions_by_open_strides(turns, least) -> None:
    """What counts is what the strides are modulo A's last place: none is open, and of each splitting there is one."""
    seen = Counter()
    for turn in turns(25):
        rng = Random(f"open strides of B {turn}")
        outer = layout_of([(rng.choice((1, 2, 3, 4, 8)), rng.choice((0, 1, 2, 3, 8, -2))) for _ in range(3)])
        strides = rng.sample(("a", "b", "2*a", "a + b", "b + 2", "3"), rng.randint(1, 2))
        inner = parse(f"({','.join(str(rng.choice((1, 2, 3, 4, 8))) for _ in strides)}):({','.join(strides)})")
        answer = conditions("composition", outer, (inner,), ())
        assert not [c for c in answer.cases if c.status is Status.UNDECIDED], (outer, inner)
        assert len(answer.cases) <= 10, (outer, inner)
        for _ in range(10):
            check_at(answer, likely(rng, answer), "composition", outer, (inner,), seen)
    assert min(seen[True], seen[False]) > least(30)


@pytest.mark.dear
def test_products_of_three_open_strides() -> None:
    """None undecided, also for tiles with gaps; one answer for each order of the strides, and where some are 0."""
    rng, seen, layout = Random("three open strides"), Counter(), parse("(2,2,2):(a,b,c)")
    for tile in (4, parse("(2,2):(1,2)"), parse("(2,2):(1,6)"), parse("(2,3):(8,1)")):
        answer = conditions("logical_product", layout, (tile,), ())
        assert all(c.status is not Status.UNDECIDED for c in answer.cases)
        assert tile == parse("(2,3):(8,1)") or sum(c.answer is not None for c in answer.cases) <= 22
        for _ in range(12):
            check_at(answer, likely(rng, answer), "logical_product", layout, (tile,), seen)
    assert min(seen[True], seen[False]) > 1


@pytest.mark.dear
def test_long_conditions_are_their_own_guards() -> None:
    """In any order of the alternatives; without one of them the guard refuses for nothing."""
    for name, text, tile in (
        ("complement", "(2,4,3):(a,c,b)", 24), ("logical_divide", "(3,8):(4,1)", parse("(2,4):(c,a)")),
        ("zipped_product", "(4,4,1):(c,a,b)", parse("(4,8):(1,4)")),
    ):  # fmt: skip
        answer = conditions(name, parse(text), (tile,), ())
        assert answer.compare(answer.formula()) == Exact()
    answer = conditions("logical_product", parse("(4,2):(a,b)"), (3,), ())
    alternatives = answer.formula().args
    assert len(alternatives) > 4
    for left in alternatives:
        assert isinstance(answer.compare(sympy.Or(*[a for a in alternatives if a != left])), TooStrong)


def check_at(answer, values, name, layout, args, seen: Counter) -> None:
    """The answer is what the numbers say, as a function; of left inverses there may be several."""
    try:
        holds = answer.holds(values)
        expected = only_answers(getattr(cute, name), put(layout, values), *(put(x, values) for x in args))
    except (InputError, Undecided):
        return
    assert holds == (expected is not None), (name, layout, args, values)
    seen[holds] += 1
    if holds and name == "left_inverse":
        assert takes_values_back(answer.layout(values), put(layout, values)), (layout, values)
    elif holds:
        found = answer.layout(values)
        assert found.size() == expected.size(), (name, layout, args, values, found, expected)
        at = range(min(found.size(), 2000))
        assert all(found(x) == expected(x) for x in at), (name, layout, args, values, found, expected)


@pytest.mark.parametrize(
    ("name", "text", "tile", "values"),
    [
        ("flat_product", "(3,3):(3,b)", 6, {"b": 1}), ("flat_divide", "(n,n):(1,2*a)", parse("4:2"), {"n": 16, "a": 4}),
        ("zipped_divide", "(n,2):(2*a,n)", parse("6:2"), {"n": 24, "a": 3}),
        ("raked_product", "6:b", parse("4:3"), {"b": 0}),
        ("complement", "(m,4*m):(a,a*c)", 64, {"m": 1, "a": -2, "c": -2}),  # a·c counts copies, a and c do not
    ],
)  # fmt: skip
def test_the_layout_of_numbers_as_it_is_nested(name, text, tile, values) -> None:
    found = conditions(name, parse(text), (tile,), ()).layout(values)
    assert found == getattr(cute, name)(put(parse(text), values), tile)


def test_modes_one_by_one(turns, least) -> None:
    """What is promised of nesting: the modes of block and tile are the same functions, and so are the copies."""
    seen = Counter()
    for turn in turns(15):
        rng = Random(f"modes {turn}")
        name = rng.choice(("logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "zipped_product",
                           "tiled_product", "flat_product", "blocked_product", "raked_product"))  # fmt: skip
        layout, tile = rng.choice((with_strides, with_size))(rng, 2), of_numbers(rng, 2)
        try:
            answer = conditions(name, layout, (tile,), ())
        except LayoutError:
            continue
        for _ in range(8):
            values = likely(rng, answer)
            try:
                expected = only_answers(getattr(cute, name), put(layout, values), tile)
            except (InputError, Undecided):
                continue
            if expected is None:
                continue
            found, block = answer.layout(values), layout if name.endswith("product") else tile
            first = {"flat": len(block), "tiled": 1}.get(name.partition("_")[0], len(expected))
            assert first < len(expected) or len(found) == first, (name, layout, tile, values)
            for one, other in zip([*found.modes()][:first], [*expected.modes()][:first], strict=True):
                assert one.size() == other.size(), (name, layout, tile, values)
                assert [one(x) for x in range(one.size())] == [other(x) for x in range(one.size())]
            assert found.size() == expected.size()
            assert all(found(x) == expected(x) for x in range(min(found.size(), 1000)))
            seen[found == expected] += 1
    assert seen[True] > least(30)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "text", "args", "most"),
    [
        ("logical_divide", "(m,k):(1,ld)", ((8, 4),), 1), ("right_inverse", "(4,8):(a,b)", (), 5),
        ("right_inverse", "(4,8,2):(a,b,c)", (), 16), ("complement", "(4,8):(a,b)", (64,), 6),
        ("complement", "(4,8):(1,b)", (64,), 3), ("complement", "(4,6,2):(a,b,c)", (24,), 26),
        ("logical_divide", "(n,6):(a,b)", (4,), 3), ("logical_product", "(4,8):(a,b)", (3,), 8),
        ("logical_product", "(4,8):(a,b)", (parse("(2,2):(1,4)"),), 10), ("zipped_product", "(2,4):(2*a,c)", (8,), 10),
        ("blocked_product", "(4,4):(a,b)", (parse("2:8"),), 6),
        ("logical_divide", "(3,8,3):(2,3,1)", (parse("(2,2):(b,a)"),), 10),
        ("composition", "(4,6):(a,b)", (parse("3:r"),), 3), ("composition", "(6,2):(8,1)", (parse("4:b"),), 3),
        ("logical_divide", "(n+2,m,3):(12,0,1)", (3,), 5),
    ],
)  # fmt: skip
def test_how_many_cases(name, text, args, most) -> None:
    found = conditions(name, parse(text), args, ())
    assert len(found.cases) <= most
    assert all(c.status is not Status.UNDECIDED for c in found.cases)
    seen = Counter()
    check_query(Random(f"{name} {text}"), name, parse(text), args, (), range(20), seen)
    assert seen[True] + seen[False] > 5
