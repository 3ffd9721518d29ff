"""Laws of row spaces and conditions."""

from __future__ import annotations

import sympy
from bridge import SIZE, STRIDES, box, named, symbolic, view
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import pairs, strides

from symview import Status, View, conditions, merge
from symview.engine import radix
from symview.engine.overflow_space import find_rows


def space(outer, inner):
    return find_rows(radix.boundaries(outer.shape), box(inner)).space


@given(pairs(empty=False), st.data())
def test_a_part_of_the_box_demands_no_more(pair, data) -> None:
    outer, inner = pair
    part = inner._replace(shape=tuple(data.draw(st.integers(1, n)) for n in inner.shape))
    large = space(outer, inner)
    assert all(row in large for row in space(outer, part).rows)


@given(pairs(empty=False), st.randoms(use_true_random=False))
def test_the_row_space_forgets_order_direction_and_size_1_axes(pair, rng) -> None:
    outer, inner = pair
    order = rng.sample(range(len(inner.shape)), len(inner.shape))
    moved = inner._replace(shape=tuple(inner.shape[a] for a in order), strides=tuple(inner.strides[a] for a in order))
    longer = inner._replace(shape=(*inner.shape, 1), strides=(*inner.strides, rng.randint(-50, 50)))
    found = space(outer, inner)
    assert found == space(outer, moved) == space(outer, longer)
    if inner.shape:
        axis = rng.randrange(len(inner.shape))
        n, t = inner.shape[axis], inner.strides[axis]
        flipped = inner._replace(
            strides=tuple(-s if a == axis else s for a, s in enumerate(inner.strides)),
            offset=inner.offset + (n - 1) * t,
        )
        assert found == space(outer, flipped)


@given(pairs(empty=False), st.integers(1, 4), st.integers(2, 3))
def test_the_row_space_repeats_with_the_offset(pair, whole, scale) -> None:
    """An offset of whole multiples of the largest place value changes nothing; nor does one common factor."""
    outer, inner = pair
    places = radix.boundaries(outer.shape)
    assume(places)
    shifted = inner._replace(offset=inner.offset + whole * places[0])
    assert find_rows(places, box(shifted)).space == find_rows(places, box(inner)).space
    scaled = inner._replace(offset=inner.offset * scale, strides=tuple(t * scale for t in inner.strides))
    assert find_rows(tuple(p * scale for p in places), box(scaled)).space == find_rows(places, box(inner)).space


@given(pairs(), st.data())
def test_holds_is_merge(pair, data) -> None:
    outer, inner = pair
    answer = conditions(symbolic(outer), view(inner))
    for _ in range(3):
        numbers = data.draw(strides(outer.shape))
        merged = merge(View(outer.shape, numbers, outer.offset), view(inner))
        assert answer.holds(named(numbers)) == isinstance(merged, View)


@given(pairs(), st.data())
def test_the_solutions_are_a_lattice(pair, data) -> None:
    """Sums and differences of strides that merge do merge; the contiguous ones always do."""
    outer, inner = pair
    answer = conditions(symbolic(outer), view(inner))
    one, other = (data.draw(strides(outer.shape)) for _ in range(2))
    assert answer.holds(named(View.contiguous(outer.shape).strides))
    if answer.holds(named(one)):
        difference = tuple(a - b for a, b in zip(other, one, strict=True))
        assert answer.holds(named(other)) == answer.holds(named(difference))
        assert answer.holds(named(tuple(-3 * a for a in one)))


@given(pairs(), st.permutations(["z", "x1", "S", "β", "n", "a"]))
def test_other_names_change_nothing_but_names(pair, names) -> None:
    outer, inner = pair
    symbols = [sympy.Symbol(n, integer=True) for n in names[: len(outer.shape)]]
    swap = dict(zip(STRIDES, symbols, strict=False))
    plain = conditions(symbolic(outer), view(inner)).cases[0]
    renamed = conditions(View(outer.shape, symbols, outer.offset), view(inner)).cases[0]
    assert plain.status is renamed.status
    assert [e.subs(swap, simultaneous=True) for e in plain.equations] == list(renamed.equations)
    assert [w.index for w in plain.witnesses] == [w.index for w in renamed.witnesses]


@given(pairs(), st.integers(-9, 9))
def test_the_offset_of_the_outer_view_changes_no_condition(pair, offset) -> None:
    outer, inner = pair
    symbol = sympy.Symbol("o", integer=True)
    found = [conditions(View(outer.shape, STRIDES[: len(outer.shape)], o), view(inner)) for o in (0, offset, symbol)]
    assert len({c.cases[0].equations for c in found}) == 1
    assert len({c.cases[0].status for c in found}) == 1


@given(pairs(), st.lists(st.sampled_from([2, 3, -1]), min_size=8, max_size=8), st.data())
def test_scaled_symbols_are_scaled_equations(pair, scales, data) -> None:
    """Conditions on 2·σ hold at σ exactly where those on σ hold at 2·σ."""
    outer, inner = pair
    scaled = View(outer.shape, [k * s for k, s in zip(scales, STRIDES, strict=True)][: len(outer.shape)], outer.offset)
    plain, other = conditions(symbolic(outer), view(inner)), conditions(scaled, view(inner))
    for _ in range(3):
        numbers = data.draw(strides(outer.shape))
        assert other.holds(named(numbers)) == plain.holds(named(tuple(map(int.__mul__, numbers, scales))))


@given(st.lists(st.integers(2, 5), min_size=1, max_size=3), st.integers(-11, 11), st.integers(0, 6), st.data())
def test_one_open_size_is_all_its_sizes(shape, t, o, data) -> None:
    """The case of a size says what the conditions at that size say."""
    outer = View((12, *shape), STRIDES[: len(shape) + 1])
    start = o if t >= 0 else outer.size - 1 - o
    answer = conditions(outer, View((SIZE,), (t,), start))
    n = data.draw(st.integers(1, 14))
    (case,) = [c for c in answer.cases if c.where == sympy.true or bool(c.where.subs(SIZE, n))]
    if 0 <= start + (n - 1) * t < outer.size:
        single = conditions(outer, View((n,), (t,), start)).cases[0]
        assert (case.status, case.equations) == (single.status, single.equations)
        assert n == 1 or case.view.strides == single.view.strides
    else:
        assert case.status is Status.OUT_OF_BOUNDS


@given(st.integers(2, 5), st.integers(1, 11), st.integers(1, 9), st.integers(1, 9))
def test_assumptions_leave_out_cases_and_imply_equations(size, t, low, more) -> None:
    outer, inner = View((12, size, 2), STRIDES[:3]), View((SIZE,), (t,))
    plain = conditions(outer, inner)
    assumed = conditions(outer, inner, assume=[low <= SIZE, f"n <= {low + more}", "σ1 == σ2*" + str(size)])
    for n in range(low, low + more + 1):
        for numbers in ((2 * size, 2, 1), (size * 5, 5, 3), (0, 0, 1)):
            assert assumed.holds(named(numbers, n=n)) == plain.holds(named(numbers, n=n))
    for case in assumed.cases:
        assert any(bool(case.where.subs(SIZE, n)) for n in range(low, low + more + 1))
