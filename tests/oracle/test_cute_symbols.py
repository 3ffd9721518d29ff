"""Conditions of CuTe operations on symbols, at many values, against brute force and the operations on numbers."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from math import prod
from random import Random

import pytest
import sympy
import z3
from satellites import needs, there
from scripts import z3_answers

from oracle import cute_brute
from symview import Conditions, cute
from symview.answers import Exact, Status, TooStrong, TooWeak
from symview.cases.simplify.clauses import parts_of
from symview.cute import Layout, LayoutError
from symview.errors import InputError, NotSupported, SymbolError, Undecided
from symview.logic.sympy_bridge import as_integer, free_symbols

A, B, C, D = sympy.symbols("a b c d", integer=True)


def table(layout: Layout) -> list[int]:
    return [layout(x) for x in range(layout.size())]


def nested(rng: Random, modes: cute_brute.Modes) -> Layout:
    """The modes as a layout, nested at random."""
    sizes, strides = tuple(n for n, _ in modes), tuple(d for _, d in modes)
    if len(modes) == 1:
        return Layout(sizes[0], strides[0])
    if len(modes) == 3 and rng.random() < 0.5:
        return Layout((sizes[:2], sizes[2]), (strides[:2], strides[2]))
    return Layout(sizes, strides)


def unsat(script: str) -> bool:
    """Whether no check-sat of an SMT-LIB script answers sat, and most answer unsat in a moment."""
    said = Counter(z3_answers(script, 300_000, seeds=1))
    return said["sat"] == 0 and said["unsat"] >= said["unknown"]


def test_compositions_with_symbolic_strides(turns, full) -> None:
    """At every value of the strides: a case holds exactly if the table is a layout, and its layout is that one."""
    rng, seen = Random("conditions"), Counter()
    for turn in turns(60):
        outer = [(n, 0) for n, _ in cute_brute.random_outer(rng, 3)]
        inner = cute_brute.random_inner(rng, 2 * cute_brute.size(outer), 2)
        if rng.random() < 0.4:  # few carries apart: orders of 2 and 3 that ask for different things
            outer, inner = [(2, 0)] * 3 + [(rng.choice((2, 3)), 0)], [(rng.choice((6, 12)), rng.randint(1, 12))]
        if prod(n for n, _ in inner) > 60:
            continue
        names = [A, B, C, D][: len(outer)]
        answer = cute.composition_conditions(Layout(tuple(n for n, _ in outer), tuple(names)), nested(rng, inner))
        assert turn % 5 or not there("verify") or unsat(answer.to_smt2())
        guard = answer.guards()
        assert turn % 10 or isinstance(answer.compare(guard), Exact)
        for _ in range(25):
            steps = [rng.randint(0, 6)]
            for n, _ in outer[:-1]:
                steps.append(steps[-1] * n + rng.choice((0, 0, 1, -1)) if rng.random() < 0.7 else rng.randint(0, 9))
            known = dict(zip(names, steps, strict=True))
            values = {s.name: v for s, v in known.items()}
            modes = [(n, v) for (n, _), v in zip(outer, steps, strict=True)]
            expected = cute_brute.composition(modes, inner)
            assert answer.holds(values) == (expected is not None) == eval(guard, dict(values)), (modes, inner)
            assert (answer.counterexample(values) is None) == (expected is not None)
            seen[expected is not None] += 1
            if expected is not None:
                wanted = [cute_brute.value(modes, cute_brute.value(inner, x)) for x in range(cute_brute.size(inner))]
                for case in answer.cases:  # where several hold, each of them has the values
                    if case.answer is not None and all(e.subs(known) for e in case.equations):
                        assert table(case.answer.with_values(values)) == wanted
                        seen["cases"] += 1
        seen["answers", len(answer.cases)] += 1
    if full:
        assert min(seen[True], seen[False], seen["answers", 1], seen["answers", 2]) > 3
        assert seen["cases"] > seen[True]


def digits(sizes, address: int) -> list[int]:
    """The digits of an address of A, the last one unbounded."""
    found = []
    for n in sizes[:-1]:
        found.append(address % n)
        address //= n
    return [*found, address]


def demanded(sizes, parts) -> list[list[int]]:
    """The rows that A's strides have to be orthogonal to, for a B refined into these parts to compose."""
    rows = []
    for index in product(*[range(n) for n, _ in parts]):
        row = digits(sizes, sum(i * r for i, (_, r) in zip(index, parts, strict=True)))
        for i, (_, r) in zip(index, parts, strict=True):
            row = [a - i * b for a, b in zip(row, digits(sizes, r), strict=True)]
        rows.append(row)
    return rows


def refined(rng: Random, inner: cute_brute.Modes) -> cute_brute.Modes:
    """B with each mode split into primes, in some order."""
    parts = []
    for n, r in inner:
        primes = [p for p, times in sympy.factorint(n).items() for _ in range(times)]
        rng.shuffle(primes)
        for p in primes:
            parts.append((p, r))
            r *= p
    return parts


def test_strides_that_some_refinement_asks_for(turns, full, least) -> None:
    """Strides that satisfy what any ordered refinement demands satisfy some case, and no others are found to."""
    rng, seen = Random("refinements"), Counter()
    for _ in turns(40):
        sizes, inner = [2, 2, 2, rng.choice((2, 3))], [(rng.choice((6, 12, 18)), rng.randint(1, 12))]
        if rng.random() < 0.5:
            sizes = [rng.choice((2, 2, 2, 3, 4, 5, 6)) for _ in range(rng.randint(2, 4))]
            second = (rng.choice((1, 2, 3, 6)), rng.choice((1, 4, 6)))
            inner = [(rng.choice((4, 6, 6, 8, 12, 18)), rng.choice((1, 1, 2, 3, 5))), second][: rng.randint(1, 2)]
        names = [A, B, C, D][: len(sizes)]
        answer = cute.composition_conditions(Layout(tuple(sizes), tuple(names)), nested(rng, inner))
        for _ in range(6):
            rows = sympy.Matrix(demanded(sizes, refined(rng, inner)))
            basis = rows.nullspace()
            if not basis:
                continue
            vector = sum((rng.randint(-3, 3) * v for v in basis), sympy.zeros(len(sizes), 1))
            vector *= sympy.ilcm(1, *[x.q for x in vector])
            strides = [int(x) for x in vector]
            assert answer.holds(dict(zip("abcd", strides, strict=False))), (sizes, inner, strides)
            strides[rng.randrange(len(strides))] += rng.choice((-1, 1))
            expected = cute_brute.composition(list(zip(sizes, strides, strict=True)), inner) is not None
            assert answer.holds(dict(zip("abcd", strides, strict=False))) == expected
            seen[expected] += 1
        seen["cases", min(len(answer.cases), 2)] += 1
    assert seen[False] > least(20)
    if full:
        assert seen["cases", 2] > 2


def test_refinements_that_are_too_many_to_list() -> None:
    """(360,360,360) has 216,000 ordered refinements into primes; what they demand is found by divisors."""
    inner = Layout((360, 360, 360), (1, 360, 129600))
    answer = cute.composition_conditions(Layout.parse("(2,3,5):(a,b,c)"), inner)
    assert len(answer.cases) == 1
    for strides in ((1, 2, 6), (1, 2, 7), (0, 0, 1), (5, 1, 3)):
        numbers = cute.try_composition(Layout((2, 3, 5), strides), inner)
        assert answer.holds(dict(zip("abc", strides, strict=True))) == bool(numbers)


def only_answers(operation, *args):
    """What the operation gives, None where there is no answer."""
    try:
        return operation(*args)
    except LayoutError:
        return None


BOTH_OPEN = [  # sizes of both are symbols
    ("composition", "(m,n):(1,d)", (Layout.parse("(4,k):(1,m)"),), ()),
    ("composition", "(m,n):(1,d)", (Layout.parse("(k,6):(m,1)"),), ()),
    ("composition", "(3,n):(1,d)", (Layout.parse("(j,k):(1,3)"),), ()),
    ("composition", "(m,n):(a,b)", (Layout.parse("(2,k):(m,1)"),), ()),
]
QUERIES = [
    ("coalesce", "(2,n,3):(1,a,b)", (), ()),
    ("coalesce", "((n,m),2):((1,n),a)", (), ()),
    ("right_inverse", "(n,2):(a,b)", (), ()),
    ("right_inverse", "(2,n):(n,1)", (), ()),
    ("complement", "(2,3):(a,b)", (24,), "1 <= a < b"),
    ("complement", "n:a", (36,), "a >= 0"),
    ("complement", "4:d", (64,), ()),
    ("complement", "(n,2):(1,n)", (sympy.Symbol("m", integer=True),), ()),
    ("left_inverse", "(2,4):(a,b)", (), "a >= 1 and b >= 1"),
    ("left_inverse", "n:a", (), ()),
    ("left_inverse", "(3,2,1):(a,2,b)", (), ()),
    ("left_inverse", "(3,8,2):(2*a,a,1)", (), ()),
    ("composition", "(n,m):(a,b)", (6,), ()),
    ("composition", "(n,m):(a,b)", (Layout((2, 3), (1, 4)),), ()),
    ("composition", "(2,n,m):(a,b,1)", (Layout(4, 3),), ()),
    ("composition", "(n,m):(a,b)", (Layout(60, 7),), ()),
    ("composition", "(n,4):(1,n)", (Layout.parse("m:2"),), ()),
    ("composition", "(n,n*2):(a,n)", (5,), ()),
    ("composition", "((2,n),(3,m)):((a,b),(c,1))", ((4, 3),), ()),
    ("composition", "(4,6):(a,b)", (Layout.parse("(2,3):(r,4)"),), "r >= -1"),
    *BOTH_OPEN,
    ("logical_divide", "(4,n):(a,b)", (2,), ()),
    ("logical_divide", "(n,4):(a,b)", (4,), ()),
    ("logical_divide", "(n,6):(1,n)", (Layout(2, 3),), ()),
    ("logical_divide", "(4,6):(a,b)", (Layout(3, 2),), ()),
    ("logical_divide", "(12,(4,8)):(a,(b,1))", ((Layout(3, 4), Layout(8, 2)),), ()),
    ("logical_divide", "(n,2*n,n):(a,0,2*a)", (Layout((2, 6), (1, 2)),), ()),
    ("zipped_divide", "((2,3),6):((a,b),c)", ((3, 2),), ()),
    ("tiled_divide", "((2,3),(2,2)):((a,b),(c,1))", ((3, 4),), ()),
    ("flat_divide", "(n,6):(a,b)", ((2, 3),), ()),
    ("logical_product", "4:a", (3,), ()),
    ("logical_product", "(4,2):(1,a)", (3,), "a >= 1"),
    ("logical_product", "(n,2):(1,n)", (Layout.parse("m:2"),), ()),
    ("logical_product", "(2,2):(4,1)", (Layout.parse("(2,3):(a,b)"),), "a >= 0 and b >= 0"),
    ("zipped_product", "(n,3):(1,n)", ((2, 4),), ()),
    ("tiled_product", "(2,3):(1,a)", ((2, 2),), ()),
    ("flat_product", "(2,(n,3)):(1,(2,2*n))", ((2, None),), ()),
    ("zipped_divide", "((n,2),(6,2)):((a,1),(b,c))", ((None, (3, 2)),), ()),
    ("blocked_product", "(2,n):(n,1)", (Layout((3, 2)),), ()),
    ("raked_product", "(n,2):(1,n)", (3,), ()),
]


def conditions(name: str, layout: Layout, args, assume) -> cute.LayoutConditions:
    arranged, _, kind = name.rpartition("_")
    if kind in ("divide", "product"):
        return getattr(cute, f"logical_{kind}_conditions")(layout, *args, assume=assume, arranged=arranged)
    return getattr(cute, f"{name}_conditions")(layout, *args, assume=assume)


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(len(QUERIES)))
def test_operations_with_symbols(number, turns, full) -> None:
    """Named queries at many values."""
    name, text, args, assume = QUERIES[number]
    seen = Counter()
    check_query(Random(f"{name} {text}"), name, Layout.parse(text), args, assume, turns(60), seen)
    if full:
        assert seen[True] + seen[False] > 10


def test_random_compositions_with_symbols_on_both_sides(turns) -> None:
    """Sizes and strides of A and of B from the same few names, so that equations force one another."""
    rng, seen = Random("symbols on both sides"), Counter()
    m, n, k, a = sympy.symbols("m n k a", integer=True)
    for _ in turns(16):
        shape, inner = (
            (rng.choice((m, n, 2, 3)), rng.choice((m, n, 4))),
            (rng.choice((k, 4, 6, m)), rng.choice((k, 2, m))),
        )
        outer = Layout(shape, (1, rng.choice((a, m, 3))))
        tile = Layout(inner, tuple(rng.sample((1, rng.choice((m, 1, n, 3))), 2)))
        check_query(rng, "composition", outer, (tile,), (), range(8), seen)
    assert min(seen[True], seen[False]) > 10, seen


def check_query(rng: Random, name: str, layout: Layout, args, assume, points, seen: Counter) -> None:
    """At every value: one set of comparisons is met, and what the case says is what the numbers give."""
    answer = conditions(name, layout, args, assume)
    assert isinstance(answer, Conditions)
    decided = all(case.status is not Status.UNDECIDED for case in answer.cases)
    in_z3 = cache(answer.to_z3)
    for _ in points:
        low = rng.choice((1, 1, 0, -3))
        values = {n: rng.choice((1, 2, 3, 4, 6, 8, 12, 24, rng.randint(low, 20))) for n in answer.symbols()}
        try:
            holds = answer.holds(values)
        except InputError:
            continue  # a size below 1, or against what is assumed
        except (Undecided, NotSupported):
            seen["undecided"] += 1
            continue
        try:
            expected = only_answers(getattr(cute, name), layout.with_values(values), *(put(x, values) for x in args))
        except Undecided:
            seen["numbers undecided"] += 1
            continue
        assert holds == (expected is not None), (values, expected)
        assert len({parts_of(case.data.where) for case in answer.cases if true_at(case, values)}) == 1
        assert (answer.counterexample(values) is None) == holds
        if expected is not None and name == "left_inverse":
            assert takes_values_back(answer.layout(values), layout.with_values(values)), values
        elif expected is not None:
            found = answer.layout(values)
            assert found.size() == expected.size()
            places = some_of(rng, expected.size())
            assert [found(x) for x in places] == [expected(x) for x in places], (values, found, expected)
        if decided:
            assert z3_holds(in_z3(), values) == holds
        seen[holds] += 1


def takes_values_back(inverse: Layout, layout: Layout) -> bool:
    """L(K(L(i))) = L(i) for all i, as far as these are walked; of left inverses there may be several."""
    values = {layout(i) for i in range(min(layout.size(), 2000))}
    return all(inverse(v) >= 0 and layout(inverse(v)) == v for v in values)


ENTRIES = [sympy.Symbol(name, integer=True) for name in "nmab"]
OPERATIONS = (
    "coalesce", "complement", "right_inverse", "left_inverse", "composition", "composition", "composition",
    "logical_divide", "zipped_divide", "flat_divide", "logical_product", "zipped_product", "blocked_product",
)  # fmt: skip


def random_layout(rng: Random, most: int, symbols: bool) -> Layout:
    """Symbols, products of them and numbers as sizes and strides, 0 and 1 among them; sometimes compact."""
    n, m, a, b = ENTRIES
    shape, stride, place = [], [], 1
    for _ in range(rng.randint(1, most)):
        named = symbols and rng.random() < 0.4
        shape.append(rng.choice((n, n, m, 2 * n)) if named else rng.choice((1, 2, 2, 3, 4, 6)))
        named = symbols and rng.random() < 0.4
        stride.append(rng.choice((a, b, a, n, 2 * a, n * a, a + b)) if named else rng.choice((0, 1, 1, 2, 3, 4, 6, 8)))
        if rng.random() < 0.3:
            stride[-1] = place
        place = place * shape[-1]
    return Layout(tuple(shape), tuple(stride)) if len(shape) > 1 else Layout(shape[0], stride[0])


def random_query(rng: Random):
    name, layout = rng.choice(OPERATIONS), random_layout(rng, 3, symbols=True)
    if name in ("coalesce", "right_inverse", "left_inverse"):
        return name, layout, ()
    if name == "complement":
        return name, layout, (rng.choice((1, 12, 24, ENTRIES[1])),)
    tiles = (rng.randint(1, 8), random_layout(rng, 2, symbols=False), random_layout(rng, 2, symbols=True))
    if name.startswith(("zipped", "flat")) and rng.random() < 0.5:
        return name, layout, ((rng.choice((2, 3, None)),) * min(len(layout), 2),)
    return name, layout, (rng.choice(tiles),)


def test_random_queries(turns, least) -> None:
    """The same for queries at random."""
    seen = Counter()
    for turn in turns(10):
        rng = Random(f"queries {turn}")
        name, layout, args = random_query(rng)
        try:
            check_query(rng, name, layout, args, (), range(15), seen)
        except LayoutError:
            seen["bad input"] += 1
    assert min(seen[True], seen[False]) > least(30)


def true_at(case, values) -> bool:
    for part in parts_of(case.data.where):
        try:
            if not bool(sympy_of(part, values)):
                return False
        except (ZeroDivisionError, SymbolError):
            return False
    return True


def sympy_of(term, values):
    from symview.logic.sympy_bridge import to_sympy

    return to_sympy(term, values)


def some_of(rng: Random, size: int) -> list[int]:
    """All places of a small table, many of a large one."""
    return list(range(size)) if size <= 400 else [0, size - 1, *rng.sample(range(size), 400)]


def z3_holds(formula, values) -> bool:
    solver = z3.Solver()
    solver.add(formula, *[z3.Int(n) == v for n, v in values.items()])
    return solver.check() == z3.sat


def put(x, values):
    if isinstance(x, tuple):
        return tuple(put(part, values) for part in x)
    if isinstance(x, Layout):
        return x.with_values(values)
    return x if x is None or isinstance(x, int) else as_integer(x, "an entry").at(values)


@needs("verify")
@pytest.mark.sampled
@pytest.mark.parametrize("number", range(0, len(QUERIES), 3))
def test_evidence_and_smallest_counterexamples(number) -> None:
    """Z3 agrees with the evidence; no smaller values are without a layout than those of the counterexample."""
    name, text, args, assume = QUERIES[number]
    answer = conditions(name, Layout.parse(text), args, assume)
    assert "(check-sat)" in answer.to_smt2()
    assert r"\text" in answer.to_latex() or len(answer.cases) == 1
    if any(case.status is Status.UNDECIDED for case in answer.cases):
        return
    assert unsat(answer.to_smt2())
    smallest = answer.counterexample()
    names = list(answer.symbols())
    sizes = list(free_symbols(answer.question.sizes()))
    for point in product(range(-3, 6), repeat=len(names)):
        values = dict(zip(names, point, strict=True))
        try:
            holds = answer.holds(values)
        except InputError:
            continue
        if not holds:
            assert smallest is not None
            order = [([v[n] for n in sizes], sum(map(abs, v.values()))) for v in (smallest.values, values)]
            assert order[0] <= order[1], (smallest, values)
    if smallest is not None:
        assert not answer.holds(smallest.values)
        assert not smallest
        assert isinstance(answer.compare("1 == 1"), TooWeak)
    else:
        assert isinstance(answer.compare("1 == 1"), Exact)
    assert isinstance(answer.compare("1 == 2"), (TooStrong, Exact))


def test_symbols_that_make_no_difference() -> None:
    layout = Layout.parse("(4,6,8):(a,b,c)")
    assert str(cute.composition(layout, Layout((2, 2), (1, 2)))) == "(2,2):(a,2*a)"
    with pytest.raises(ValueError, match=r"b = 4\*a"):
        cute.composition(layout, Layout(6, 3))
    assert str(cute.logical_divide(layout, 4)) == "(4,(6,8)):(a,(b,c))"
    with pytest.raises(LayoutError, match="5 modes"):
        cute.composition(layout, (1, 1, 1, 1, 1))
