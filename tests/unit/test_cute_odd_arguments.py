"""Whatever is called with whatever: an answer, or an error of symview's own."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from functools import partial
from inspect import Parameter, signature
from itertools import islice, product

import numpy
import pytest
import sympy

from symview import Budget, cute
from symview.cute import (
    ComposedLayout,
    Layout,
    LayoutError,
    LayoutLeft,
    LinearLayout,
    Swizzle,
    make_identity_layout,
)
from symview.errors import SymbolError, SymviewError

N = sympy.Symbol("n", integer=True)
SYMBOLS = Layout.parse("(n,m):(a,b)")
SWIZZLED = ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 2)))
LINEAR = LinearLayout({"lane": [1, 2, 5]})
ODD = [
    None, 5, -1, 0, True, 1.5, "x", (), (2, 0), ((2,), 3), [2, 3], (None, 1), Layout(4), Layout((2, 3)), SYMBOLS,
    SWIZZLED, Swizzle(2, 0, 3), LINEAR, N, 10**30, {1: 2}, object(),
]  # fmt: skip
LAYOUT = Layout((2, (3, 4)))
SHARED = ("best_padding", "best_swizzle", "swizzle_tradeoffs")  # need the bytes of an element as well
CALLS = {
    name: partial(getattr(cute, name), element_bytes=2) if name in SHARED else getattr(cute, name)
    for name in cute.__all__
    if name[0].islower() and name not in ("hier_unzip", "transform_leaf")
} | {
    "ComposedLayout": ComposedLayout, "Swizzle": Swizzle,
    "Layout": Layout, "parse": Layout.parse, "from_view": Layout.from_view, "at": LAYOUT.at, "call": LAYOUT,
    "coordinate": LAYOUT.coordinate, "index": LAYOUT.index, "item": LAYOUT.__getitem__,
    "with_values": SYMBOLS.with_values, "symbolic at": SYMBOLS.at,
    "linear": LINEAR, "linear at": lambda x: LINEAR.at(x), "linear fixed": lambda x: LINEAR.fixed(x),
    "linear inputs": LINEAR.inputs,
    "linear item": LINEAR.__getitem__, "linear preimage": LINEAR.preimage, "linear compose": LINEAR.compose,
    "LinearLayout": LinearLayout, "swizzled": SWIZZLED, "swizzle": Swizzle(2, 0, 3),
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


@pytest.mark.sampled
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


@pytest.mark.sampled
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
    (lambda: cute.layout_of(5), "not a table"),
    (lambda: cute.coalesce(Layout((2, 3)), [1, "x"]), "profile 'x' is not an integer"),
    (lambda: cute.make_layout_like(SWIZZLED), "no plain layout; take its layoutA"),
    (lambda: ComposedLayout(None, 1, Layout(4)), "neither a swizzle nor a layout"),
    (lambda: SWIZZLED(None, 1, 2), "give as many"),
    (lambda: cute.tuple_max(()), "at least one entry"),
    (lambda: cute.idx2crd(5, (2, 0)), "the size 0"),
    (lambda: cute.idx2crd(5, (2, 3), (1, 0)), "by which nothing divides"),
    (lambda: cute.crd2idx((1, 1), (2, 3), (1, 2, 3)), "nested differently"),
    (lambda: cute.crd2idx(1.5, (2, 3)), "the coordinate is 1.5"),
    (lambda: Layout((2, 3))(1.5), "the coordinate is 1.5"),
    (lambda: Layout((2, 3))["x"], "not a number of a mode"),
    (lambda: Layout.parse(5), "not text"),
    (lambda: SYMBOLS.with_values({"n": 1.5, "m": 1, "a": 1, "b": 1}), "the value 1.5 of n"),
    (lambda: cute.explain("composition", Layout(4)), r"composition is of \(layoutA, layoutB, budget\), given 1"),
    (lambda: cute.rank(1.5), "the shape is 1.5"),
    (lambda: cute.crd2idx(LAYOUT, float), "the shape is <class 'float'>"),
    (lambda: cute.transform_leaf((), "x"), "not a function"),
    (lambda: cute.ScaledBasis(3, LayoutLeft), "give an integer and modes"),
    (lambda: cute.is_injective_conditions(LAYOUT, (), 3), "the budget 3 is not a Budget"),
    (lambda: cute.raked_product(Layout(4), (2,)), "is not a layout: give a layout or a size$"),
    (lambda: cute.blocked_product(Layout(4), ComposedLayout(Swizzle(1, 0, 2), 0, LinearLayout([1]))), "is linear"),
    (lambda: cute.bank_conflicts(make_identity_layout((2, 3))), "are coordinates, and numbers are needed"),
    (lambda: cute.composition(make_identity_layout((4, 4)), SWIZZLED), "plain tiles"),
    (lambda: cute.cosize(5), "5 is not a layout"),
    (lambda: cute.zipped_divide(5, (2,)), "5 is not a layout"),
    (lambda: cute.layout_of({0, 1}), "not a table"),
    (lambda: cute.is_bijective(5), "is_bijective: 5 is not a layout"),
    (lambda: cute.is_injective(5), "is_injective: 5 is not a layout"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_is_wrong_is_said(number) -> None:
    call, message = BAD[number]
    with pytest.raises((LayoutError, SymbolError), match=message):
        call()


def test_symbols_are_named_with_the_way_out() -> None:
    layout = Layout.parse("(n,m)")
    for call in (layout.coordinate, layout.at, layout.index):
        with pytest.raises(SymbolError, match="has symbols in its shape: substitute numbers"):
            call(5)
    with pytest.raises(SymbolError, match="ask complement_conditions, or substitute"):
        cute.complement(SYMBOLS)
    with pytest.raises(SymbolError, match="has symbols: substitute numbers"):
        cute.is_injective(SYMBOLS)


def test_the_keywords_of_pycute_and_ours() -> None:
    assert Layout(_shape=(2, 3), _stride=(3, 1)) == Layout(shape=(2, 3), stride=(3, 1)) == Layout((2, 3), (3, 1))


def test_a_swizzle_repeats_no_value() -> None:
    assert cute.is_injective(Swizzle(1, 0, 2))
    assert cute.is_bijective(Swizzle(1, 0, 2))
    assert cute.as_layout(Swizzle(1, 0, 2)).index == (5,)


def test_a_tiler_goes_through_a_swizzle() -> None:
    found = cute.composition(SWIZZLED, (2, 2))
    assert [found(x) for x in range(4)] == [SWIZZLED(i, j) for j in range(2) for i in range(2)]


HUGE = 10**5000  # Python refuses to write it out
FOUR = Layout.parse("(4,6):(a,b)")
UNWRITABLE = [
    lambda: str(Layout(HUGE)), lambda: repr(Layout((2, HUGE), (1, 2))), lambda: Layout(-HUGE),
    lambda: str(cute.try_composition(Layout((HUGE, 2), (1, 3)), Layout(HUGE + 1, 2))),
    lambda: cute.complement(Layout((2, HUGE), (1, 1)), 3), lambda: cute.complement(Layout(4), -HUGE),
    lambda: Layout(4).coordinate(HUGE), lambda: Layout(4).at(HUGE), lambda: Layout((2, 3))[HUGE],
    lambda: str(cute.explain("composition", Layout((HUGE, 2), (1, 3)), Layout(HUGE, 2))),
    lambda: str(cute.explain("right_inverse", Layout((HUGE, 2), (1, HUGE)))),
    lambda: str(cute.explain("complement", Layout(HUGE), HUGE**2)),
    lambda: cute.left_inverse(Layout((2, 2), (HUGE, HUGE))), lambda: cute.layout_of([0, HUGE, 3, 4]),
    lambda: str(cute.layout_of([0, HUGE, 3])), lambda: cute.crd2crd(HUGE, 4), lambda: cute.shape_div(HUGE, HUGE - 1),
    lambda: Swizzle(HUGE, 0, HUGE),
    lambda: str(cute.composition_conditions(FOUR, 6).counterexample({"a": HUGE, "b": 1})),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(UNWRITABLE)))
def test_numbers_that_python_does_not_write_out(number) -> None:
    tried(UNWRITABLE[number])


def test_unwritable_numbers_read_back() -> None:
    layout = Layout((2, HUGE), (1, -HUGE))
    assert eval(repr(layout)) == layout
    assert str(layout) == "(2,10000…(5001 digits)):(1,-10000…(5001 digits))"


@pytest.mark.parametrize(
    "call",
    [
        lambda: cute.layout_of(numpy.array(3)), lambda: cute.make_layout(numpy.array(3), Layout(4)),
        lambda: cute.composition_conditions(SYMBOLS, 3, assume=numpy.array(3)),
    ],
)  # fmt: skip
def test_arrays_without_dims(call) -> None:
    with pytest.raises(SymviewError):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: cute.composition(Layout(4), Layout(2), 5), lambda: cute.logical_divide(Layout(4), 2, budget="x"),
        lambda: cute.left_inverse(Layout(4), 5), lambda: cute.composition_conditions(SYMBOLS, 3, budget=3),
        lambda: cute.is_injective(Layout(4), 5), lambda: cute.is_bijective(SWIZZLED, 5),
        lambda: cute.explain("composition", Layout(4), Layout(2), budget=5), lambda: cute.right_inverse(Layout(4), 5),
    ],
)  # fmt: skip
def test_budgets_that_are_none(call) -> None:
    with pytest.raises(LayoutError, match="is not a Budget"):
        call()


def test_inverses_take_a_budget() -> None:
    for inverse in (cute.right_inverse, cute.left_inverse, cute.strict_left_inverse):
        assert inverse(Layout(4), Budget(work=10**6)) == inverse(Layout(4), budget=None) == Layout(4)


def test_swizzles_of_far_bits() -> None:
    for parts in ((10**12, 0, 10**12), (1, 10**12, 1), (1, 0, -(10**12))):
        with pytest.raises(LayoutError, match="beyond bit"):
            Swizzle(*parts)


ANSWERS = [
    cute.try_composition(Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3))),
    cute.try_composition(Layout((2, 3), (1, 5)), Layout(3)), cute.composition_conditions(FOUR, 6),
    cute.composition_conditions(FOUR, 6).cases[0], cute.composition_conditions(FOUR, 6).counterexample(),
    cute.coalesce_conditions(FOUR), cute.explain("composition", Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3))),
    cute.explain("left_inverse", Layout((3, 3), (2, 3))), cute.explain("divide", Layout(8), 2),
    cute.layout_of([0, 1, 3]),
    Swizzle(1, 0, 2), SWIZZLED, SYMBOLS, Layout((2, HUGE)),
    cute.complement_conditions(Layout.parse("4:d"), 64).counterexample(),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(ANSWERS)))
def test_answers_are_copied_and_pickled(number) -> None:
    answer = ANSWERS[number]
    for other in (pickle.loads(pickle.dumps(answer)), copy.copy(answer), copy.deepcopy(answer)):
        assert (type(other), str(other), repr(other)) == (type(answer), str(answer), repr(answer))
        assert other == answer


def test_errors_are_copied_and_pickled() -> None:
    calls = [
        lambda: cute.composition(Layout((2, 3), (1, 5)), Layout(3)), lambda: cute.complement(Layout((4, 2), (1, 2)), 8),
        lambda: Layout(0), lambda: Layout.parse("(4"), lambda: cute.complement(SYMBOLS),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(SymviewError) as caught:
            call()
        for other in (pickle.loads(pickle.dumps(caught.value)), copy.deepcopy(caught.value)):
            assert (type(other), str(other)) == (type(caught.value), str(caught.value))
