"""View: construction, the notation both ways, what equality means, addresses."""

from __future__ import annotations

from itertools import product
from math import prod
from random import Random

import numpy as np
import pytest
import sympy
from bridge import view
from hypothesis import given
from hypothesis import strategies as st
from oracle import brute, generate
from oracle.brute import V
from strategies import pairs

from symview import OutOfBounds, SymbolError, View, compose_at

GREEK = [sympy.Symbol(n, integer=True) for n in ("σ1", "σ_2", "τ", "N", "S", "I", "b0", "λ", "µs")]
PLAIN = sympy.symbols("a b", integer=True)


def integers_and_symbols(symbols=GREEK):
    """Ints, symbols and polynomials over them."""
    leaf = st.one_of(st.integers(-30, 30), st.sampled_from(symbols))
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
            st.tuples(inner, inner).map(lambda p: p[0] - p[1]),
            st.tuples(st.integers(-5, 5), inner).map(lambda p: p[0] * p[1]),
            st.tuples(inner, st.sampled_from(symbols)).map(lambda p: p[0] * p[1]),
            st.tuples(inner, st.integers(2, 5)).map(lambda p: divided(*p)),
        ),
        max_leaves=4,
    ).map(lambda v: int(v) if getattr(v, "is_Integer", False) else v)


def divided(value, by):
    return value // by if isinstance(value, int) else sympy.floor(value / by)


NUMBERS = st.integers(-50, 50)


@st.composite
def views(draw, entries=NUMBERS, masks=True) -> View:
    shape = draw(st.lists(st.integers(0, 6), max_size=4))
    strides = draw(st.lists(entries, min_size=len(shape), max_size=len(shape)))
    mask = None
    if masks and draw(st.booleans()):
        mask = [sorted((draw(st.integers(0, n)), draw(st.integers(0, n)))) for n in shape]
    return View(shape, strides, draw(st.one_of(st.just(0), entries)), mask)


# Construction


def test_strides_left_out_are_row_major() -> None:
    assert View((2, 3, 4)).strides == (12, 4, 1)
    assert View.contiguous((2, 3, 4)) == View((2, 3, 4))
    assert View(()).strides == ()
    n = sympy.Symbol("n", integer=True)
    assert View((2, n)).strides == (n, 1)
    for shape in ((), (1,), (3, 1, 2), (2, 2, 2)):
        assert [View(shape).at(i) for i in brute.indices(shape)] == list(range(prod(shape)))


def test_what_the_fields_hold() -> None:
    v = View([2, 3], range(2), np.int64(7), [[0, 1], (0, 3)])
    assert (v.shape, v.strides, v.offset, v.mask) == ((2, 3), (0, 1), 7, ((0, 1), (0, 3)))
    assert all(type(x) is int for x in v.entries())
    assert (v.rank, v.size, v.is_numeric()) == (2, 6, True)
    assert View(np.array([2, 3])) == View((2, 3))


def test_a_view_cannot_be_changed_and_is_truthy() -> None:
    v = View((0,))
    with pytest.raises(AttributeError):
        v.shape = (1,)
    assert v
    assert View(())


def test_the_symbols_in_order_of_appearance() -> None:
    v = View.parse("(n,2):(b,a)+n*c [0:n,0:d]")
    assert list(v.symbols()) == ["n", "b", "a", "c", "d"]
    assert not v.is_numeric()


def test_one_name_for_two_symbols_is_refused() -> None:
    one, other = sympy.Symbol("a", integer=True), sympy.Symbol("a", integer=True, positive=True)
    with pytest.raises(SymbolError, match="different assumptions"):
        View((2, 2), (one, other))


# Notation


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(2,3)", View((2, 3), (3, 1))),
        ("()", View(())),
        ("():()+3", View((), (), 3)),
        ("(2,3):(1,2)", View((2, 3), (1, 2))),
        (" ( 2 , 3 ) : ( 1 , 2 ) + 5 ", View((2, 3), (1, 2), 5)),
        ("(2,3,):(1,2,)-5", View((2, 3), (1, 2), -5)),
        ("(9):(-1)+7 [2:8]", View((9,), (-1,), 7, [(2, 8)])),
        ("(9):(-1)+7[2:8,]", View((9,), (-1,), 7, [(2, 8)])),
        ("(2*3):(2+2*2)+7//2", View((6,), (6,), 3)),
        ("(4):(7%4)+-1", View((4,), (3,), -1)),
        ("(3):(σ1)+2σ1", View((3,), (sympy.Symbol("σ1", integer=True),), 2 * sympy.Symbol("σ1", integer=True))),
        ("(4):(2·x)", View((4,), (2 * sympy.Symbol("x", integer=True),))),
    ],
)
def test_reading_the_notation(text, expected) -> None:
    found = View.parse(text)
    assert (found.shape, found.strides, found.offset, found.mask) == (
        expected.shape, expected.strides, expected.offset, expected.mask
    )  # fmt: skip


@pytest.mark.parametrize("text", ["(k):(s)-s*k + n*s", "(2):(1)-p", "(2):(1)-3", "(2):(1)-p*q", "(2):(1)+n*s - p"])
def test_an_offset_has_one_sign_and_is_read_back(text: str) -> None:
    view = View.parse(text)
    assert "+-" not in str(view)
    assert View.parse(str(view)) == view


def test_names_are_ordinary_whatever_sympy_calls_so() -> None:
    v = View.parse("(N):(S)+I*E+pi+O")
    assert list(v.symbols()) == ["N", "S", "E", "I", "O", "pi"] or set(v.symbols()) == set("NSEIO") | {"pi"}
    assert all(s == sympy.Symbol(n, integer=True) for n, s in v.symbols().items())


def test_names_given_by_the_caller() -> None:
    n = sympy.Symbol("n", integer=True, positive=True)
    assert View.parse("(n):(m)", {"n": n, "m": 5}) == View((n,), (5,))


@given(views())
def test_numbers_survive_the_notation(v) -> None:
    for back in (View.parse(str(v)), eval(repr(v), {"View": View})):
        assert (back.shape, back.strides, back.offset, back.mask) == (v.shape, v.strides, v.offset, v.mask)
        assert back == v
        assert hash(back) == hash(v)


@given(views(integers_and_symbols()))
def test_symbols_survive_the_notation(v) -> None:
    for back in (View.parse(str(v)), eval(repr(v), {"View": View})):
        assert (back.shape, back.mask) == (v.shape, v.mask)
        for a, b in zip((*back.strides, back.offset), (*v.strides, v.offset), strict=True):
            assert a == b or sympy.expand(a - b) == 0
    assert "Symbol" not in repr(v)


@given(views(integers_and_symbols(list(PLAIN)), masks=False))
def test_symbols_with_assumptions_survive_repr(v) -> None:
    positive = {s: sympy.Symbol(s.name, integer=True, positive=True) for s in PLAIN}
    strides = [x if isinstance(x, int) else sympy.sympify(x).subs(positive) for x in v.strides]
    declared = View(v.shape, [int(x) if getattr(x, "is_Integer", False) else x for x in strides])
    names = {**vars(sympy), "View": View, "sympy": sympy}
    back = eval(repr(declared), names)
    assert back.symbols() == declared.symbols()
    for a, b in zip(back.strides, declared.strides, strict=True):
        assert sympy.expand(a - b) == 0


# Equality


def meaning(v: View) -> tuple:
    """What a numeric view says: its shape, and the address of each valid index."""
    there = {i: v.at(i) for i in brute.indices(v.shape)}
    return v.shape, {i: a for i, a in there.items() if a is not None}


@given(views(st.integers(-2, 2)), views(st.integers(-2, 2)))
def test_equal_views_have_equal_hashes_and_the_same_addresses(v, w) -> None:
    for a, b in ((v, w), (v, variant(v))):
        if a == b:
            assert meaning(a) == meaning(b)
            assert hash(a) == hash(b)
    assert v == variant(v)


def variant(v: View) -> View:
    """The same view with the strides of size-1 dims changed and a mask that hides nothing."""
    strides = [s + 5 if n == 1 and v.mask is None else s for n, s in zip(v.shape, v.strides, strict=True)]
    return View(v.shape, strides, v.offset, v.mask or [(0, n) for n in v.shape])


def test_views_with_the_same_addresses_are_equal() -> None:
    """Over all small one- and two-dimensional views: the key separates exactly what the addresses do."""
    every = [
        View((n,), (t,), o, mask)
        for n, t, o in product(range(4), (-1, 0, 1, 2), (0, 1))
        for mask in [None, *([(a, b)] for a in range(n + 1) for b in range(a, n + 1))]
    ]
    by_key, by_meaning = {}, {}
    for v in every:
        said = str(meaning(v))
        assert by_key.setdefault(v.key(), said) == said
        assert by_meaning.setdefault(said, v) == v


def test_equality_with_what_is_no_view() -> None:
    assert View((2,)) != (2,)
    assert View((2,)) != "(2):(1)"
    assert View((2,)) is not None


# Addresses


def test_at_is_the_definition(turns) -> None:
    rng = Random("at")
    for _ in turns(200):
        for v in generate.pair(rng):
            mask = tuple(tuple(sorted((rng.randint(0, n), rng.randint(0, n)))) for n in v.shape)
            v = rng.choice((v, v._replace(mask=mask)))
            for index in brute.indices(v.shape)[:30]:
                assert view(v).at(index) == brute.address(v, index)


def test_at_takes_numbers_and_numpy_numbers() -> None:
    assert View((2, 3)).at([1, np.int64(2)]) == 5
    a = sympy.Symbol("a", integer=True)
    assert View((2, 3), (a, 1), 2 * a).at((1, 2)) == 3 * a + 2


@given(pairs())
def test_compose_at_is_the_definition(pair) -> None:
    outer, inner = pair
    for index in brute.indices(inner.shape)[:40]:
        assert compose_at(view(outer), view(inner), index=index) == brute.compose(outer, inner, index)


def test_compose_at_of_three_views_and_masks() -> None:
    rng = Random("three")
    for _ in range(60):
        middle = generate.movement_pair(rng)
        last = V((2, 2), (1, 0), 0, rng.choice((None, ((0, 1), (0, 2)))))
        first, second = (view(v) for v in middle)
        if second.size < 2:
            continue
        for index in brute.indices((2, 2)):
            x = brute.address(last, index)
            expected = None if x is None else brute.compose(*middle, brute.unravel(x, middle[1].shape))
            assert compose_at(first, second, view(last), index=index) == expected


def test_index_into_is_unravelling() -> None:
    assert View((4,), (4,)).index_into((10, 3, 3), (3,)) == (1, 1, 0)
    assert View((4,), (4,), 0, [(0, 3)]).index_into((10, 3, 3), (3,)) is None
    for i in range(24):
        assert View((24,)).index_into((2, 3, 4), (i,)) == brute.unravel(i, (2, 3, 4))
    with pytest.raises(OutOfBounds):
        View((4,), (4,)).index_into((2, 3), (3,))
