"""Products, compositions and inverses of linear layouts, and parts of them: Gaussian elimination and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symview.cute.comparer import need_numbers
from symview.cute.errors import LayoutError, NoAnswer, no_layout
from symview.cute.layout import Layout, is_layout
from symview.cute.linear.given import bits_of
from symview.cute.linear.layout import LinearLayout, made, need_linear
from symview.cute.linear.packing import joined, places, split
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.engine.bases import echelon, value_of


def product(inner: LinearLayout, outer: LinearLayout) -> LinearLayout:
    """Triton's product: per input, the bases of `outer` behind those of `inner`; per output, its bits above.

    Names are in an order that keeps those of both; where these differ, `inner`'s come first.

    >>> row, column = LinearLayout.identity(2, "lane", "dim1"), LinearLayout.identity(4, "lane", "dim0")
    >>> print(row * column)
    {lane = [[1, 0], [0, 1], [0, 2]]} -> {dim1 = 2, dim0 = 4}
    """
    need_linear(inner, "product")
    need_linear(outer, "product")
    ins, outs = _added(inner.in_bits, outer.in_bits), _added(inner.out_bits, outer.out_bits)
    low = [_moved(c, inner.out_bits, outs, {}) for c in (*inner.columns, inner.constant)]
    high = [_moved(c, outer.out_bits, outs, inner.out_bits) for c in (*outer.columns, outer.constant)]
    columns: list[int] = []
    below, above = places(inner.in_bits), places(outer.in_bits)
    for name in ins:
        columns += [low[i] for i in below.get(name, ())] + [high[i] for i in above.get(name, ())]
    return made(ins, outs, columns, low[-1] ^ high[-1])


def compose(outer: LinearLayout, inner: LinearLayout) -> LinearLayout:
    """Outer ∘ inner: the outputs of `inner` are the inputs of `outer`, by name, where sizes may only grow.

    With one output and one input the names do not matter. Raises LayoutError where names or sizes do not fit.

    >>> print(compose(LinearLayout([1, 3], ["y"]), LinearLayout([2, 1])))
    {index = [3, 1]} -> {y = 4}
    """
    need_linear(inner, "compose")
    need_linear(outer, "compose")
    wired = inner.out_bits
    if len(wired) == len(outer.in_bits) == 1:
        wired = dict(zip(outer.in_bits, wired.values(), strict=True))
    for name in outer.in_bits.keys() ^ wired.keys():
        raise LayoutError(f"composition: {name} is no output of {inner} and input of {outer} at once: match the names")
    for name, bits in wired.items():
        if bits > outer.in_bits[name]:
            what = f"the output {name} has the size {1 << bits}, the input only {1 << outer.in_bits[name]}"
            raise LayoutError(f"composition: {what}")
    through = [_moved(c, wired, outer.in_bits, {}) for c in (*inner.columns, inner.constant)]
    *columns, start = [value_of(outer.columns, c) for c in through]
    return made(inner.in_bits, outer.out_bits, columns, outer.constant ^ start)


def composed_with_linear(outer: Any, inner: Any) -> LinearLayout | ComposedLayout:
    """Outer ∘ inner where one is linear: linear if the other is linear too, or a swizzle; else one behind the other.

    >>> from symview.cute import composition
    >>> print(composition(Swizzle(1, 0, 2), LinearLayout({"lane": [1, 2, 4]})))
    {lane = [1, 2, 5]} -> {offset = 8}
    >>> print(composition(LinearLayout({"lane": [1, 2, 4]}), Layout((2, 2), (1, 4))))
    {lane = [1, 2, 4]} -> {offset = 8} o 0 o (2,2):(1,4)
    """
    if isinstance(inner, Swizzle):
        return compose(outer, _on(inner, outer.in_bits))
    if isinstance(outer, Swizzle):
        return compose(_on(outer, inner.out_bits), inner)
    if isinstance(outer, LinearLayout) and isinstance(inner, LinearLayout):
        return compose(outer, inner)
    if not is_layout(outer):
        raise no_layout("composition", outer)
    if isinstance(outer, LinearLayout) and isinstance(inner, Layout):
        need_numbers(inner, "composition")
        low, high = (sum((n - 1) * bound(d, 0) for n, d in inner.flat()) for bound in (min, max))
        if low < 0 or high >= outer.size():
            taken = f"{outer} takes 0 to {outer.size() - 1}"
            raise LayoutError(f"composition: {inner} has values from {low} to {high}, {taken}")
    return ComposedLayout(outer, 0, inner)


def _on(swizzle: Swizzle, bits: Mapping[str, int]) -> LinearLayout:
    """The swizzle of these names, put end to end; LayoutError where it leaves their bits."""
    k = sum(bits.values())
    columns = [swizzle(1 << i) for i in range(k)]
    if any(column >> k for column in columns):
        raise LayoutError(f"composition: {swizzle} sets bits beyond the {k} bits of {', '.join(bits)}")
    return made(bits, bits, columns)


def inverse(layout: LinearLayout) -> LinearLayout:
    """The inverse; NoAnswer with two inputs of one value, or a value that does not occur.

    >>> print(inverse(LinearLayout({"lane": [1, 3]}, ["dim0"])))
    {dim0 = [1, 3]} -> {lane = 4}
    """
    _need_injective(layout)
    return right_inverse(layout)


def right_inverse(layout: LinearLayout) -> LinearLayout:
    """A linear R with layout(R(y)) = y; NoAnswer, with a value that does not occur, where there is none.

    >>> print(right_inverse(LinearLayout({"register": [1, 1], "lane": [2]})))
    {offset = [[1, 0], [0, 1]]} -> {register = 4, lane = 2}
    """
    need_linear(layout, "right_inverse")
    found = echelon(layout.columns)
    for bit in range(layout.cosize().bit_length() - 1):
        if found.preimage(1 << bit) is None:
            raise NoAnswer(f"{layout}: no index has the value {layout.values_text((1 << bit) ^ layout.constant)}")
    return pseudo_inverse(layout)


def left_inverse(layout: LinearLayout) -> LinearLayout:
    """A linear K with K(layout(x)) = x, taking values that do not occur anywhere; NoAnswer where two inputs have one.

    >>> print(left_inverse(LinearLayout({"lane": [2, 4]}, {"offset": 16})))
    {offset = [0, 1, 2, 0]} -> {lane = 4}
    """
    _need_injective(layout)
    return pseudo_inverse(layout)


def pseudo_inverse(layout: LinearLayout) -> LinearLayout:
    """A linear K with layout(K(layout(x))) = layout(x); of several indices of a value, one without dependent bases.

    >>> print(pseudo_inverse(LinearLayout([1, 1, 2])))
    {offset = [1, 4]} -> {index = 8}
    """
    need_linear(layout, "pseudo_inverse")
    found = echelon(layout.columns)
    pivots = {top - 1: pair for top, pair in found.pivots.items()}
    columns = [_pulled(1 << bit, pivots) for bit in range(layout.cosize().bit_length() - 1)]
    return made(layout.out_bits, layout.in_bits, columns, value_of(columns, layout.constant))


def _pulled(y: int, pivots: Mapping[int, tuple[int, int]]) -> int:
    """The input whose value agrees with y at all pivots' top bits."""
    x, rest = 0, y
    for top in sorted(pivots, reverse=True):
        if rest >> top & 1:
            rest ^= pivots[top][0]
            x ^= pivots[top][1]
    return x


def conversion(source: LinearLayout, target: LinearLayout) -> LinearLayout:
    """C with target ∘ C = source: where in `target` lies what `source` holds. Triton's invertAndCompose.

    The outputs of both have the same names. NoAnswer, with an input, where a value of `source` is none of `target`.

    >>> a = LinearLayout({"register": [1], "lane": [2]}, {"dim0": 4})
    >>> print(conversion(a, LinearLayout({"register": [2], "lane": [1]}, {"dim0": 4})))
    {register = [[0, 1]], lane = [[1, 0]]} -> {register = 2, lane = 2}
    """
    need_linear(source, "conversion")
    need_linear(target, "conversion")
    for name in source.out_bits.keys() ^ target.out_bits.keys():
        raise LayoutError(f"conversion: {name} is an output of one of the two only: {source} and {target}")
    outs = {n: max(bits, target.out_bits[n]) for n, bits in source.out_bits.items()}
    wide = made(target.in_bits, outs, [_moved(c, target.out_bits, outs, {}) for c in target.columns])
    start = _moved(source.constant, source.out_bits, outs, {}) ^ _moved(target.constant, target.out_bits, outs, {})
    found, columns = echelon(wide.columns), []
    values = [_moved(c, source.out_bits, outs, {}) for c in source.columns]
    for x, value in [(0, start), *((1 << i, value) for i, value in enumerate(values))]:
        back = found.preimage(value)
        if back is None:
            at = ", ".join(f"{k} = {v}" for k, v in source.inputs(x).items())
            raise NoAnswer(f"conversion: at {at} is {source.values_text(source(x))}, which is no value of {target}")
        columns.append(back)
    return made(source.in_bits, target.in_bits, columns[1:], columns[0])


def fixed(layout: LinearLayout, inputs: Mapping[str, int]) -> LinearLayout:
    """The part where these inputs have these values: affine, without them.

    >>> print(fixed(LinearLayout({"register": [1, 2], "lane": [5]}), {"lane": 1}))
    {register = [1, 2]} -> {offset = 8} ^ [5]
    """
    need_linear(layout, "fixed")
    start = layout(layout.index(inputs))
    kept = {n: bits for n, bits in layout.in_bits.items() if n not in inputs}
    where = places(layout.in_bits)
    return made(kept, layout.out_bits, [layout.columns[i] for n in kept for i in where[n]], start)


def sublayout(layout: LinearLayout, ins: Sequence[str], outs: Sequence[str]) -> LinearLayout:
    """The bases of these inputs, and of them the parts of these outputs, in that order; the other inputs are 0.

    >>> tile = LinearLayout({"register": [[0, 1]], "lane": [[2, 3]]})
    >>> print(sublayout(tile, ["lane"], ["dim1"]))
    {lane = [3]} -> {dim1 = 4}
    """
    need_linear(layout, "sublayout")
    ins, outs = _names(ins), _names(outs)
    for name, known in [*((n, layout.in_bits) for n in ins), *((n, layout.out_bits) for n in outs)]:
        if name not in known:
            raise LayoutError(f"sublayout: {name!r} is none of {', '.join(known)}")
    kept = {n: layout.out_bits[n] for n in outs}
    if len(kept) < len(outs) or len(set(ins)) < len(ins):
        raise LayoutError("sublayout: a name is given twice")

    def part(value: int) -> int:
        named = dict(zip(layout.out_bits, split(value, layout.out_bits), strict=True))
        return joined({n: named[n] for n in kept}, kept, "outputs")

    where = places(layout.in_bits)
    columns = [part(layout.columns[i]) for n in ins for i in where[n]]
    return made({n: layout.in_bits[n] for n in ins}, kept, columns, part(layout.constant))


def reshaped(layout: LinearLayout, ins: Mapping[str, int] | None, outs: Mapping[str, int] | None) -> LinearLayout:
    """The same bits under other names: sizes whose product is the same, the fastest first. None keeps a side.

    >>> print(reshaped(LinearLayout({"register": [1], "lane": [2, 4]}), {"index": 8}, None))
    {index = [1, 2, 4]} -> {offset = 8}
    """
    need_linear(layout, "reshape")
    sides: list[Mapping[str, int]] = []
    for what, bits, sizes in (("inputs", layout.in_bits, ins), ("outputs", layout.out_bits, outs)):
        if not isinstance(sizes, Mapping | None):
            raise LayoutError(f"reshape: {sizes!r} are no {what} with their sizes")
        wanted = bits if sizes is None else {n: bits_of(size, str(n)) for n, size in sizes.items()}
        if sum(wanted.values()) != sum(bits.values()):
            raise LayoutError(f"reshape: the {what} of {layout} have {sum(bits.values())} bits, those given others")
        sides.append(wanted)
    return made(sides[0], sides[1], layout.columns, layout.constant)


def _names(given: Any) -> list[str]:
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise LayoutError(f"sublayout: {given!r} is no list of names")
    return list(given)


def _need_injective(layout: LinearLayout) -> None:
    need_linear(layout, "an inverse")
    for x in layout.kernel():
        at = ", ".join(f"{k} = {v}" for k, v in x.items())
        raise NoAnswer(f"{layout}: at {at} is the same value as at 0, so it has no inverse from the left")


def _added(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {name: a.get(name, 0) + b.get(name, 0) for name in _merged(list(a), list(b))}


def _merged(a: list[str], b: list[str]) -> list[str]:
    """The names of both, each in front of those behind it in either: a's own as early as can be, then b's own."""
    if [x for x in a if x in b] != [x for x in b if x in a]:
        return [*a, *[x for x in b if x not in a]]
    found, a_left, b_left = list[str](), a[::-1], b[::-1]
    while a_left or b_left:
        if a_left and a_left[-1] not in b:
            found.append(a_left.pop())
        elif b_left and b_left[-1] not in a:
            found.append(b_left.pop())
        else:
            found.append(a_left.pop())
            b_left.pop()
    return found


def _moved(value: int, source: Mapping[str, int], target: Mapping[str, int], shift: Mapping[str, int]) -> int:
    """The value of one list of names as one of another, each part shifted by its bits."""
    parts = dict(zip(source, split(value, source), strict=True))
    return joined({name: x << shift.get(name, 0) for name, x in parts.items()}, target, "names")
