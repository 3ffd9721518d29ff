"""Whatever is called with whatever: an answer, or an error of symview's own."""

from __future__ import annotations

from collections import Counter
from inspect import Parameter, signature
from itertools import islice, product

import pytest
import sympy

from symview import cute
from symview.cute import ComposedLayout, Factorisation, Layout, LayoutError, Morphism, Swizzle
from symview.errors import SymbolError, SymviewError

N = sympy.Symbol("n", integer=True)
SYMBOLS = Layout.parse("(n,m):(a,b)")
SWIZZLED = ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 2)))
ODD = [
    None, 5, -1, 0, True, 1.5, "x", (), (2, 0), ((2,), 3), [2, 3], (None, 1), Layout(4), Layout((2, 3)), SYMBOLS,
    SWIZZLED, Swizzle(2, 0, 3), N, 10**30, {1: 2}, object(),
]  # fmt: skip
LAYOUT = Layout((2, (3, 4)))
CALLS = {
    name: getattr(cute, name)
    for name in cute.__all__
    if name[0].islower() and name != "hier_unzip"
} | {
    "ComposedLayout": ComposedLayout, "Factorisation": Factorisation, "Morphism": Morphism, "Swizzle": Swizzle,
    "Layout": Layout, "parse": Layout.parse, "from_view": Layout.from_view, "at": LAYOUT.at, "call": LAYOUT,
    "coordinate": LAYOUT.coordinate, "index": LAYOUT.index, "item": LAYOUT.__getitem__,
    "with_values": SYMBOLS.with_values, "same_function": LAYOUT.same_function, "symbolic at": SYMBOLS.at,
    "swizzled": SWIZZLED, "swizzle": Swizzle(2, 0, 3), "realised": cute.realised,
}  # fmt: skip
OPERATIONS = (
    "coalesce", "complement", "right_inverse", "left_inverse", "composition", "logical_divide", "logical_product",
)  # fmt: skip


def counts(call) -> set[int]:
    """How many arguments it needs, and one more if it takes one more."""
    later = ("arranged", "budget")
    taken = [p for p in signature(call).parameters.values() if p.name not in later and p.kind != Parameter.KEYWORD_ONLY]
    if any(p.kind == Parameter.VAR_POSITIONAL for p in taken):
        return {1, 2}
    needed = sum(p.default is Parameter.empty for p in taken)
    return {n for n in (needed, needed + 1) if 1 <= n <= min(len(taken), 3)}


def tried(call, *args) -> None:
    try:
        found = call(*args)
        str(list(islice(found, 3)) if hasattr(found, "__next__") else found)
    except SymviewError:
        pass


@pytest.mark.parametrize("name", sorted(CALLS))
def test_only_errors_of_symview(name) -> None:
    for count in counts(CALLS[name]):
        for args in product(ODD if count < 3 else ODD[::2], repeat=count):
            if args.count(SYMBOLS) == 0 or count == 1:  # of symbols with anything more, solvers are asked
                tried(CALLS[name], *args)


def outcome(call, *args):
    """The answer, a NoAnswer by its words, the type of any other error."""
    try:
        found = call(*args)
    except cute.NoAnswer as error:
        return str(error)
    except SymviewError as error:
        return type(error)
    return str(found)


@pytest.mark.parametrize("name", OPERATIONS)
def test_explanations_raise_where_the_operation_does(name) -> None:
    operation, seen = getattr(cute, name), Counter()
    wanted = [p for p in signature(operation).parameters if p != "budget"]
    for count in range(1, 1 + len(wanted)):
        for args in product(ODD, repeat=count):
            if count < sum(p.default is Parameter.empty for p in signature(operation).parameters.values()):
                continue
            if args.count(SYMBOLS) == 0 or count == 1:
                expected = outcome(operation, *args)
                found = outcome(lambda *args: cute.explain(name, *args).answer, *args)
                assert found == expected, args
                seen[isinstance(expected, str)] += 1
    assert min(seen.values()) >= 5
    with pytest.raises(LayoutError, match="given 5"):
        cute.explain(name, *[Layout(4)] * 5)


DEEP: tuple = (1,)
for _ in range(3000):
    DEEP = (DEEP,)

BAD = [
    (lambda: Layout(DEEP), "more than 100 deep"),
    (lambda: cute.depth(DEEP), "more than 100 deep"),
    (lambda: Layout(4)(DEEP), "more than 100 deep"),
    (lambda: Layout.parse("(" * 900 + "1" + ")" * 900), "more than 100 deep"),
    (lambda: cute.layout_of([0, True]), "value at 1 is True"),
    (lambda: cute.layout_of([0, "a"]), "value at 1 is 'a'"),
    (lambda: cute.layout_of(5), "no table"),
    (lambda: cute.coalesce(Layout((2, 3)), [1, 1]), r"profile \[1, 1\] is no integer"),
    (lambda: cute.coalesce(SWIZZLED), "stands behind a swizzle"),
    (lambda: cute.zipped_divide(SWIZZLED, (2, 2)), "stands behind a swizzle"),
    (lambda: ComposedLayout(None, 1, Layout(4)), "no swizzle and no layout"),
    (lambda: SWIZZLED(None, 1), "slice the layout behind"),
    (lambda: cute.tuple_max(()), "at least one entry"),
    (lambda: cute.make_layout(5), "5 is no layout"),
    (lambda: cute.idx2crd(5, (2, 0)), "the size 0"),
    (lambda: cute.idx2crd(5, (2, 3), (1, 0)), "by which nothing divides"),
    (lambda: cute.crd2idx((1, 1), (2, 3), (1, 2, 3)), "nested differently"),
    (lambda: cute.crd2idx(1.5, (2, 3)), "the coordinate is 1.5"),
    (lambda: Layout((2, 3))(1.5), "the coordinate is 1.5"),
    (lambda: Layout((2, 3))["x"], "no number of a mode"),
    (lambda: Factorisation(5), "no sequence"),
    (lambda: Morphism((1,), 5), "no Factorisation"),
    (lambda: Factorisation((2, 3)).pulled_back((0,)), "not one of 1..2"),
    (lambda: Layout.parse(5), "no text"),
    (lambda: SYMBOLS.with_values({"n": 1.5, "m": 1, "a": 1, "b": 1}), "the value 1.5 of n"),
    (lambda: cute.explain("composition", Layout(4)), r"composition is of \(layoutA, layoutB, budget\), given 1"),
    (lambda: cute.rank("x"), "the shape is 'x'"),
    (lambda: cute.cosize(5), "5 is no layout"),
    (lambda: cute.admissible_mode((4, 6), Layout((2, 2))), "give a layout of one"),
    (lambda: cute.admissible_mode((), Layout(2)), "no sizes"),
    (lambda: cute.interval_of_definition((), Layout(2)), "no sizes"),
    (lambda: cute.composition_by_definition(Layout(()), Layout(2)), "no sizes"),
    (lambda: cute.composition_by_definition(Layout((2, 3)), Layout((2, 3))), "composition_by_definition: .* of one"),
    (lambda: cute.admissible_for_complementation(Layout(4), 0), "the bound 0 is no positive integer"),
    (lambda: cute.admissible_for_complementation(Layout(4), -4), "the bound -4 is no positive integer"),
    (lambda: cute.admissible_for_complementation(Layout(()), 4), "has no modes"),
    (lambda: cute.left_division((4, None, 8), 2), "only the last factor is ∞"),
    (lambda: cute.left_division(8, 2), "give positive integers"),
    (lambda: cute.zipped_divide(5, (2,)), "5 is no layout"),
    (lambda: cute.layout_of({0, 1}), "no table"),
    (lambda: cute.morphism_of(SWIZZLED), "stands behind a swizzle: as_layout"),
    (lambda: Factorisation({2, 3}), "no sequence"),
    (lambda: cute.realised(5), "no Factorisation and no Morphism"),
    (lambda: cute.is_bijective(5), "is_bijective: 5 is no layout"),
    (lambda: cute.is_injective(5), "is_injective: 5 is no layout"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_is_wrong_is_said(number) -> None:
    call, message = BAD[number]
    with pytest.raises((LayoutError, SymbolError), match=message):
        call()


def test_symbols_are_named_with_the_way_out() -> None:
    layout = Layout.parse("(n,m)")
    for call in (layout.coordinate, layout.at, layout.index):
        with pytest.raises(SymbolError, match=r"layout\.with_values"):
            call(5)
    with pytest.raises(SymbolError, match="ask complement_conditions, or substitute"):
        cute.complement(SYMBOLS)
    with pytest.raises(SymbolError, match="has symbols: substitute numbers with"):
        cute.is_injective(SYMBOLS)


def test_the_keywords_of_pycute_and_ours() -> None:
    assert Layout(_shape=(2, 3), _stride=(3, 1)) == Layout(shape=(2, 3), stride=(3, 1)) == Layout((2, 3), (3, 1))


def test_a_swizzle_repeats_no_value() -> None:
    assert cute.is_injective(Swizzle(1, 0, 2))
    assert cute.is_bijective(Swizzle(1, 0, 2))


def test_a_tiler_goes_through_a_swizzle() -> None:
    found = cute.composition(SWIZZLED, (2, 2))
    assert [found(x) for x in range(4)] == [SWIZZLED(i, j) for j in range(2) for i in range(2)]
