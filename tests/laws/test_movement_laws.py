"""Laws of the movement operations on masked views, each at every index."""

from __future__ import annotations

from math import prod
from typing import Any

from bridge_chains import at, meaning
from hypothesis import assume, given
from hypothesis import strategies as st

from symview import NotAView, View, compose_at, equivalent, merge, reshape, simplify


@st.composite
def masked_views(draw: st.DrawFn, ranks: int = 3, least: int = 0) -> View:
    """Small views with any strides and offset, and a mask, which may be empty."""
    shape = draw(st.lists(st.integers(least, 4), max_size=ranks))
    strides = draw(st.lists(st.integers(-5, 9), min_size=len(shape), max_size=len(shape)))
    kind = draw(st.sampled_from(("none", "mask", "mask", "contiguous", "empty")))
    if kind == "contiguous":
        strides = None
    mask: Any = None
    if kind == "mask":
        mask = [sorted((draw(st.integers(0, n)), draw(st.integers(0, n)))) for n in shape]
    elif kind == "empty":
        mask = draw(st.sampled_from((None, "empty")))
    return View(shape, strides, draw(st.integers(-9, 9)), mask)


def orders(v: View) -> st.SearchStrategy[tuple[int, ...]]:
    return st.permutations(range(v.rank)).map(tuple)


def axes(v: View) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, v.rank - 1), unique=True, max_size=v.rank) if v.rank else st.just([])


def pairs(v: View, top: int = 3) -> st.SearchStrategy[list[tuple[int, int]]]:
    one = st.tuples(st.integers(0, top), st.integers(0, top))
    return st.lists(one, min_size=v.rank, max_size=v.rank)


@st.composite
def cuts(draw: st.DrawFn, v: View) -> list[tuple[int, int]]:
    """Bounds within the shape."""
    return [tuple(sorted((draw(st.integers(0, n)), draw(st.integers(0, n))))) for n in v.shape]


def same(a: View, b: View) -> None:
    """Equal, and alike at every index."""
    assert a.shape == b.shape
    assert meaning(a) == meaning(b)
    assert a == b
    assert hash(a) == hash(b)


# Permute


@given(masked_views(), st.data())
def test_permutations_compose(v, data) -> None:
    p, q = data.draw(orders(v)), data.draw(orders(v))
    same(v.permute(p).permute(q), v.permute([p[a] for a in q]))
    same(v.permute(range(v.rank)), v)
    back = [p.index(a) for a in range(v.rank)]
    same(v.permute(p).permute(back), v)
    moved = v.permute(p)
    for index, address in meaning(v).items():
        assert moved.at([index[a] for a in p]) == address


# Flip


@given(masked_views(), st.data())
def test_flips_are_their_own_inverse_and_commute(v, data) -> None:
    a, b = data.draw(axes(v)), data.draw(axes(v))
    same(v.flip(a).flip(a), v)
    same(v.flip(a).flip(b), v.flip(b).flip(a))
    same(v.flip(a).flip(b), v.flip(sorted(set(a) ^ set(b))))
    flipped = v.flip(a)
    for index, address in meaning(v).items():
        mirrored = [n - 1 - i if x in a else i for x, (i, n) in enumerate(zip(index, v.shape, strict=True))]
        assert flipped.at(mirrored) == address


@given(masked_views(), st.data())
def test_flip_then_permute(v, data) -> None:
    p, a = data.draw(orders(v)), data.draw(axes(v))
    same(v.flip(a).permute(p), v.permute(p).flip([p.index(x) for x in a]))


# Shrink and pad


@given(masked_views(), st.data())
def test_shrink_of_shrink(v, data) -> None:
    first = data.draw(cuts(v))
    once = v.shrink(first)
    second = data.draw(cuts(once))
    both = [(low + a, low + b) for (low, _), (a, b) in zip(first, second, strict=True)]
    same(once.shrink(second), v.shrink(both))
    same(v.shrink([(0, n) for n in v.shape]), v)


@given(masked_views(), st.data())
def test_pad_then_shrink_is_nothing(v, data) -> None:
    widths = data.draw(pairs(v))
    padded = v.pad(widths)
    same(padded.shrink([(b, b + n) for (b, _), n in zip(widths, v.shape, strict=True)]), v)
    inside = {tuple(i + b for i, (b, _) in zip(index, widths, strict=True)): x for index, x in meaning(v).items()}
    assert meaning(padded) == {index: inside.get(index) for index in meaning(padded)}


@given(masked_views(), st.data())
def test_pads_add_up(v, data) -> None:
    first, second = data.draw(pairs(v)), data.draw(pairs(v))
    both = [(a + c, b + d) for (a, b), (c, d) in zip(first, second, strict=True)]
    same(v.pad(first).pad(second), v.pad(both))
    same(v.pad([(0, 0)] * v.rank), v)


@given(masked_views(), st.data())
def test_shrink_then_pad_hides_what_was_cut(v, data) -> None:
    bounds = data.draw(cuts(v))
    found = v.shrink(bounds).pad([(low, n - high) for (low, high), n in zip(bounds, v.shape, strict=True)])
    for index, address in meaning(v).items():
        kept = all(low <= i < high for i, (low, high) in zip(index, bounds, strict=True))
        assert found.at(index) == (address if kept else None)


@given(masked_views(), st.data())
def test_flip_commutes_with_pad_and_shrink_mirrored(v, data) -> None:
    a, widths, bounds = data.draw(axes(v)), data.draw(pairs(v)), data.draw(cuts(v))
    mirrored = [(y, x) if n in a else (x, y) for n, (x, y) in enumerate(widths)]
    same(v.pad(widths).flip(a), v.flip(a).pad(mirrored))
    turned = [(n - y, n - x) if k in a else (x, y) for k, ((x, y), n) in enumerate(zip(bounds, v.shape, strict=True))]
    same(v.shrink(bounds).flip(a), v.flip(a).shrink(turned))


# Expand


@given(masked_views(least=1), st.data())
def test_expanded_dims_repeat(v, data) -> None:
    sizes = [data.draw(st.integers(1, 4)) if n == 1 else n for n in v.shape]
    found = v.expand(sizes)
    assert found.shape == tuple(sizes)
    for index, address in meaning(found).items():
        assert address == v.at([0 if n == 1 else i for i, n in zip(index, v.shape, strict=True)])
    same(v.expand(v.shape), v)
    first = [(0, 1) if n == 1 else (0, n) for n in v.shape]
    same(found.shrink(first), v)


@given(masked_views(ranks=2, least=1), st.data())
def test_expansions_need_no_order(v, data) -> None:
    v = v.reshape((1, *v.shape, 1))
    ones = [a for a, n in enumerate(v.shape) if n == 1]
    sizes = {a: data.draw(st.integers(2, 3)) for a in ones}
    at_once = v.expand([sizes.get(a, n) for a, n in enumerate(v.shape)])
    step = v
    for a in data.draw(st.permutations(ones)):
        step = step.expand([sizes[a] if b == a else n for b, n in enumerate(step.shape)])
    same(step, at_once)


# Reshape


@st.composite
def other_shapes(draw: st.DrawFn, size: int) -> tuple[int, ...]:
    if size == 0:
        sizes = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
        sizes[draw(st.integers(0, len(sizes) - 1))] = 0
        return tuple(sizes)
    shape: list[int] = []
    while size > 1:
        shape.append(draw(st.sampled_from([d for d in range(1, size + 1) if size % d == 0])))
        size //= shape[-1]
    return tuple(shape)


def flat(v: View) -> list[int | None]:
    """The addresses in row-major order."""
    return list(meaning(v).values())


@given(masked_views(), st.data())
def test_reshape_keeps_the_order_of_the_addresses(v, data) -> None:
    shape = data.draw(other_shapes(v.size))
    found = reshape(v, shape)
    if isinstance(found, View):
        assert found.shape == shape
        assert flat(found) == flat(v)
        same(v.reshape(shape), found)
    else:
        assert not found
        # What one view cannot do, two can.
        assert [compose_at(v, View(shape), index=i) for i in meaning(View(shape))] == flat(v)


@given(masked_views(), st.data())
def test_reshape_back_and_forth(v, data) -> None:
    shape = data.draw(other_shapes(v.size))
    same(v.reshape(v.shape), v)
    try:
        there = v.reshape(shape)
    except NotAView:
        return
    same(there.reshape(v.shape), v)
    if v.size:
        same(there.reshape((-1, *there.shape)), there.reshape((1, *there.shape)))


@given(masked_views(), st.data())
def test_reshape_of_reshape_is_one_reshape(v, data) -> None:
    first, second = data.draw(other_shapes(v.size)), data.draw(other_shapes(v.size))
    try:
        twice = v.reshape(first).reshape(second)
    except NotAView:
        return
    same(twice, v.reshape(second))


@given(masked_views(), st.data())
def test_dims_of_size_1_come_and_go(v, data) -> None:
    where = data.draw(st.integers(0, v.rank))
    with_one = (*v.shape[:where], 1, *v.shape[where:])
    same(v.reshape(with_one).reshape(v.shape), v)
    assert flat(v.reshape(with_one)) == flat(v)


# With merge, compose_at and chains


@given(masked_views(), st.data())
def test_an_operation_is_the_merge_with_the_moved_contiguous_view(v, data) -> None:
    """op(v) = v ∘ op(contiguous), for operations that a contiguous view of v's shape can take."""
    plain = View(v.shape)
    p, a, bounds, widths = (data.draw(s) for s in (orders(v), axes(v), cuts(v), pairs(v, 2)))
    for op in (
        lambda w: w.permute(p),
        lambda w: w.flip(a),
        lambda w: w.shrink(bounds),
        lambda w: w.pad(widths),
        lambda w: w.permute(p).flip(a),
        lambda w: w.pad(widths).permute(p),
    ):
        same(merge(v, op(plain)), op(v))


@given(masked_views(), masked_views(), st.data())
def test_moving_the_inner_view_moves_the_merged_one(outer, inner, data) -> None:
    """merge(v, op(w)) = op(merge(v, w)) where both merge; what a flip or permutation breaks was broken before."""
    inner = View(inner.shape, inner.strides, inner.offset, inner.mask)
    assume(inside(outer, inner))
    merged = merge(outer, inner)
    p, a, widths = data.draw(orders(inner)), data.draw(axes(inner)), data.draw(pairs(inner, 2))
    for op in (lambda w: w.permute(p), lambda w: w.flip(a), lambda w: w.pad(widths)):
        moved = merge(outer, op(inner))
        assert bool(moved) == bool(merged)
        if merged:
            same(moved, op(merged))
    bounds = data.draw(cuts(inner))
    if merged:
        same(merge(outer, inner.shrink(bounds)), merged.shrink(bounds))


def inside(outer: View, inner: View) -> bool:
    """Whether every visible address is a place of the outer shape."""
    size = prod(outer.shape)
    return all(x is None or 0 <= x < size for x in meaning(inner).values())


@given(masked_views(), st.data())
def test_neutral_views_in_a_chain(v, data) -> None:
    size = max((x for x in meaning(v).values() if x is not None), default=0) + 1
    assume(all(x is None or x >= 0 for x in meaning(v).values()))
    front, inner = View((size,)), View(v.shape)
    same(merge(front, v), v)
    same(merge(v, inner), v)
    same(merge(front, v, inner), v)
    assert equivalent([front, v, inner], v)
    assert simplify(front, v, inner).views == (v,)
    other = data.draw(other_shapes(v.size))
    both = simplify(v, View(other), inner)
    assert both.views == (v,)
    for index in meaning(v):
        assert at([v, View(other), inner], index) == v.at(index)
