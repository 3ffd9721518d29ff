"""`LinearLayout`: bases of named inputs over the field of two elements, with named outputs, as in Triton."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import is_int
from symview.cute.layout import LayoutBase
from symview.cute.linear.given import bits_of, parts_of, read_given
from symview.cute.linear.notation import listing, read_linear
from symview.cute.linear.packing import joined, named, packed, places, split
from symview.displayed import number_text
from symview.engine.bases import echelon, value_of

Basis = int | Sequence[int]
_WIDEST = 1 << 12  # bits of a side


class LinearLayout(LayoutBase):
    """x ↦ constant ⊕ the bases at the set bits of x. Inputs and outputs are named; their sizes are powers of two.

    `bases` maps each input to the outputs at 1, 2, 4, …, each a list with one number per output (a plain number if
    there is one output). `outs` gives the outputs with their sizes, or only their names: then each has the least size
    that the bases need. By default they are dim0, dim1, …, or `offset` for plain numbers. `constant` gives the outputs
    where all inputs are 0, usually 0; another constant makes the map affine.

    The index concatenates the inputs, the first one lowest, and the value concatenates the outputs likewise:
    `layout(index)` returns the value as one integer, and `at` takes and returns them by name. `==` compares names,
    their order, sizes and bases; `same_function` compares values. Frozen. Raises LayoutError for other arguments.
    Source: Zhou et al., "Linear Layouts: Robust Code Generation of Efficient Tensor Computation Using 𝔽₂"; the names
    are those of Triton.

    >>> tile = LinearLayout({"register": [[0, 1], [1, 0]], "lane": [[0, 2], [2, 0]]})
    >>> print(tile)
    {register = [[0, 1], [1, 0]], lane = [[0, 2], [2, 0]]} -> {dim0 = 4, dim1 = 4}
    >>> tile.at(register=1, lane=2), tile.size()
    ({'dim0': 2, 'dim1': 1}, 16)
    >>> LinearLayout([1, 2, 5])(6)
    7
    """

    __slots__ = ("columns", "constant", "in_bits", "out_bits")
    in_bits: dict[str, int]  # by name, the fastest first
    out_bits: dict[str, int]  # by name, the lowest bits of the value first
    columns: tuple[int, ...]  # the matrix: its columns are the bases as values, one per bit of the index
    constant: int  # the value at 0

    def __init__(
        self,
        bases: Mapping[str, Sequence[Basis]] | Iterable[tuple[str, Sequence[Basis]]] | Sequence[int],
        outs: Mapping[str, int] | Iterable[str] | None = None,
        constant: Mapping[str, int] | Sequence[int] | int | None = None,
    ) -> None:
        rows, sizes, start = read_given(bases, outs, constant)
        self._set(
            {name: len(bs) for name, bs in rows.items()},
            {out: size.bit_length() - 1 for out, size in sizes.items()},
            [packed(b, sizes) for bs in rows.values() for b in bs],
            packed(start, sizes),
        )

    def _set(self, ins: dict[str, int], outs: dict[str, int], columns: Sequence[int], constant: int) -> None:
        for what, bits in (("input", ins), ("output", outs)):
            if sum(bits.values()) > _WIDEST:
                raise LayoutError(f"the {what}s have {sum(bits.values())} bits in all: give at most {_WIDEST}")
        put = object.__setattr__
        put(self, "in_bits", ins)
        put(self, "out_bits", outs)
        put(self, "columns", tuple(columns))
        put(self, "constant", constant)

    @staticmethod
    def parse(text: str) -> LinearLayout:
        """Parses a layout: the `str` of one, Triton's listing of bases, or Triton's MLIR attribute.

        Raises NotationError, with a caret under the place.

        >>> LinearLayout.parse("#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = []}>").ins
        {'register': 2, 'lane': 4, 'warp': 1}
        """
        return LinearLayout(*read_linear(text))

    @staticmethod
    def of(x: Any) -> LinearLayout:
        """Converts a Triton object: its LinearLayout, or one of Gluon's linear layouts."""
        return LinearLayout(*parts_of(x))

    @staticmethod
    def identity(size: int, input: str = "index", output: str = "offset") -> LinearLayout:
        """X ↦ x on [0, size): Triton's identity1D.

        >>> print(LinearLayout.identity(4, "lane", "dim0"))
        {lane = [1, 2]} -> {dim0 = 4}
        """
        return LinearLayout.strided(size, 1, input, output)

    @staticmethod
    def strided(size: int, stride: int, input: str = "index", output: str = "offset") -> LinearLayout:
        """X ↦ stride·x on [0, size), both powers of two: Triton's strided1D.

        >>> print(LinearLayout.strided(4, 2, "lane", "dim0"))
        {lane = [2, 4]} -> {dim0 = 8}
        """
        bits, step = bits_of(size, f"the input {input}"), 1 << bits_of(stride, "the stride")
        return LinearLayout({input: [step << i for i in range(bits)]}, {output: (1 << bits) * step})

    @staticmethod
    def zeros(size: int, input: str = "index", output: str = "offset", out_size: int = 1) -> LinearLayout:
        """X ↦ 0 on [0, size): Triton's zeros1D.

        >>> print(LinearLayout.zeros(4, "lane", "dim0"))
        {lane = [0, 0]} -> {dim0 = 1}
        """
        return LinearLayout({input: [0] * bits_of(size, f"the input {input}")}, {output: out_size})

    # Its parts

    @property
    def ins(self) -> dict[str, int]:
        """The inputs with their sizes, the fastest first."""
        return {name: 1 << bits for name, bits in self.in_bits.items()}

    @property
    def outs(self) -> dict[str, int]:
        """The outputs with their sizes, the lowest bits of the value first."""
        return {name: 1 << bits for name, bits in self.out_bits.items()}

    @property
    def bases(self) -> dict[str, list[list[int]]]:
        """For each input, the outputs at 1, 2, 4, …, without the constant."""
        rest = iter(self.columns)
        return {name: [self._split(next(rest)) for _ in range(bits)] for name, bits in self.in_bits.items()}

    def matrix(self) -> list[list[int]]:
        """The matrix of 0 and 1: a row for each bit of the value, a column for each bit of the index, lowest first.

        >>> LinearLayout([1, 3]).matrix()
        [[1, 1], [0, 1]]
        """
        return [[column >> row & 1 for column in self.columns] for row in range(sum(self.out_bits.values()))]

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the inputs."""
        return tuple(self.ins.values())

    def size(self) -> int:
        """The number of indices."""
        return 1 << len(self.columns)

    def cosize(self) -> int:
        """The number of values that fit into the outputs."""
        return 1 << sum(self.out_bits.values())

    # Evaluation and properties

    def __call__(self, *given: Any) -> int:
        """The value at an index, or at one number per input; raises LayoutError outside the domain.

        >>> tile = LinearLayout({"register": [1, 2], "lane": [4]})
        >>> tile(5), tile(1, 1)
        (5, 5)
        """
        index = given[0] if len(given) == 1 else given
        if isinstance(index, tuple):
            if len(index) != len(self.in_bits):
                raise LayoutError(f"{index} has {len(index)} numbers, and {self} {len(self.in_bits)} inputs")
            index = self.index(dict(zip(self.in_bits, index, strict=True)))
        self._need_index(index)
        return self.constant ^ value_of(self.columns, index)

    def at(self, inputs: Mapping[str, int] | None = None, **more: int) -> dict[str, int]:
        """The outputs by name, for inputs by name; omitted inputs are 0. Raises LayoutError outside the domain."""
        return dict(zip(self.out_bits, self._split(self(self.index(named(inputs, more)))), strict=True))

    def index(self, inputs: Mapping[str, int]) -> int:
        """Concatenates the inputs to an index; omitted inputs are 0.

        >>> LinearLayout({"register": [1, 2], "lane": [4]}).index({"lane": 1})
        4
        """
        return joined(inputs, self.in_bits, "inputs of ", self)

    def _need_index(self, index: Any) -> None:
        if not is_int(index) or not 0 <= index < self.size():
            raise LayoutError(f"{index!r} is not an index of {self}: give one of 0 to {number_text(self.size() - 1)}")

    def inputs(self, index: int) -> dict[str, int]:
        """The inputs of an index, by name; raises LayoutError outside the domain."""
        self._need_index(index)
        return dict(zip(self.in_bits, split(index, self.in_bits), strict=True))

    def _split(self, value: int) -> list[int]:
        return split(value, self.out_bits)

    def is_injective(self) -> bool:
        """Whether no two indices have the same value."""
        return not echelon(self.columns).kernel

    def is_surjective(self) -> bool:
        """Whether every value of the outputs occurs."""
        return len(echelon(self.columns).pivots) == sum(self.out_bits.values())

    def is_bijective(self) -> bool:
        """Whether every value of the outputs occurs once."""
        return self.size() == self.cosize() and self.is_injective()

    def kernel(self) -> list[dict[str, int]]:
        """A basis of the kernel: xoring an index with these inputs does not change its value.

        >>> LinearLayout({"register": [1, 2], "lane": [3]}).kernel()
        [{'register': 3, 'lane': 1}]
        """
        return [self.inputs(x) for x in echelon(self.columns).kernel]

    def image_basis(self) -> list[int]:
        """A basis of the differences of values: xoring one value with their sums gives all 2^len values, equally often.

        >>> LinearLayout([3, 3, 5]).image_basis()
        [3, 5]
        """
        return sorted(pivot for pivot, _ in echelon(self.columns).pivots.values())

    def preimage(self, value: int) -> int:
        """An index with this value; raises NoAnswer if there is none."""
        if not is_int(value) or not 0 <= value < self.cosize():
            raise LayoutError(f"{value!r} is not a value of the outputs, 0 to {number_text(self.cosize() - 1)}")
        found = echelon(self.columns).preimage(value ^ self.constant)
        if found is None:
            raise NoAnswer(f"{self}: no index has the value {self.values_text(value)}")
        return found

    def values_text(self, value: int) -> str:
        """A value as text, by output."""
        parts = dict(zip(self.out_bits, self._split(value), strict=True))
        return str(value) if len(parts) == 1 else ", ".join(f"{k} = {v}" for k, v in parts.items())

    # Operations

    def __mul__(self, outer: LinearLayout) -> LinearLayout:
        """Triton's product: appends `outer`'s bases."""
        return product(self, need_linear(outer, "*"))

    def compose(self, outer: LinearLayout) -> LinearLayout:
        """Outer ∘ self, as Triton's compose."""
        return compose(need_linear(outer, "compose"), self)

    def inverse(self) -> LinearLayout:
        """The inverse; raises NoAnswer if two inputs share a value, or a value does not occur."""
        return inverse(self)

    def fixed(self, inputs: Mapping[str, int] | None = None, **more: int) -> LinearLayout:
        """Restricts the layout by fixing some inputs; the result is affine, without these inputs."""
        return fixed(self, named(inputs, more))

    def __getitem__(self, name: str | int) -> LinearLayout:
        """The sublayout of one input, by name or number, with all others at 0."""
        names = list(self.in_bits)
        if not isinstance(name, str) and is_int(name) and -len(names) <= name < len(names):
            name = names[name]
        if not isinstance(name, str):
            raise LayoutError(f"{name!r} is not an input of {self}: {', '.join(names)}")
        return sublayout(self, [name], list(self.out_bits))

    def __len__(self) -> int:
        return len(self.in_bits)

    def __iter__(self) -> Iterator[LinearLayout]:
        return (self[name] for name in self.in_bits)

    # As a value

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"LinearLayout is frozen: make a new one to change {name}")

    def __bool__(self) -> Literal[True]:
        return True

    def _key(self) -> Any:
        return tuple(self.in_bits.items()), tuple(self.out_bits.items()), self.columns, self.constant

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, LinearLayout) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> Any:
        return made, (self.in_bits, self.out_bits, self.columns, self.constant)

    def __repr__(self) -> str:
        last = f", {self._split(self.constant)}" if self.constant else ""
        return f"LinearLayout({self.bases}, {self.outs}{last})"

    def __str__(self) -> str:
        ins = ", ".join(f"{_shown(name)} = {self._bases_text(bs)}" for name, bs in self.bases.items())
        outs = ", ".join(f"{_shown(name)} = {size}" for name, size in self.outs.items())
        last = f" ^ {self._split(self.constant)}" if self.constant else ""
        return f"{{{ins}}} -> {{{outs}}}{last}"

    def _bases_text(self, bases: list[list[int]]) -> str:
        return str([b[0] for b in bases]) if len(self.out_bits) == 1 else str(bases)

    def listing(self) -> str:
        """The bases as Triton prints them, one per line. `parse` reads it back, except for a constant.

        >>> print(LinearLayout({"lane": [[0, 1], [1, 0]], "warp": []}).listing())
         - lane=1 -> (0, 1)
           lane=2 -> (1, 0)
         - warp is a size 1 dimension
        where out dims are: [dim0 (size 2), dim1 (size 2)]
        """
        return listing(self.bases, self.outs)


def made(ins: Mapping[str, int], outs: Mapping[str, int], columns: Sequence[int], constant: int = 0) -> LinearLayout:
    """Makes a linear layout from parts that are known to fit: names with their numbers of bits, columns, a constant."""
    found = object.__new__(LinearLayout)
    found._set(dict(ins), dict(outs), columns, constant)
    return found


def need_linear(x: Any, what: str) -> LinearLayout:
    """Returns a linear layout unchanged; raises LayoutError for anything else."""
    if not isinstance(x, LinearLayout):
        raise LayoutError(f"{what}: {x!r} is not a linear layout; to_linear makes one of a layout")
    return x


def _shown(name: str) -> str:
    return name if name.isidentifier() else repr(name)


# Products, compositions and inverses, and parts: Gaussian elimination and nothing else


def product(inner: LinearLayout, outer: LinearLayout) -> LinearLayout:
    """Triton's product: appends `outer`'s bases to `inner`'s, input by input; its bits are above, output by output.

    The names keep the order of both; if the orders conflict, `inner`'s names come first.

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
    """Outer ∘ inner: the outputs of `inner` become the inputs of `outer`, by name; sizes may only grow.

    With a single output and a single input the names need not match. Raises LayoutError if names or sizes do not fit.

    >>> print(compose(LinearLayout([1, 3], ["y"]), LinearLayout([2, 1])))
    {index = [3, 1]} -> {y = 4}
    """
    need_linear(inner, "compose")
    need_linear(outer, "compose")
    wired = inner.out_bits
    if len(wired) == len(outer.in_bits) == 1:
        wired = dict(zip(outer.in_bits, wired.values(), strict=True))
    for name in outer.in_bits.keys() ^ wired.keys():
        raise LayoutError(
            f"composition: {name} is only in one of {inner} and {outer}: outputs must have the inputs' names"
        )
    for name, bits in wired.items():
        if bits > outer.in_bits[name]:
            what = f"the output {name} has the size {1 << bits}, the input only {1 << outer.in_bits[name]}"
            raise LayoutError(f"composition: {what}")
    through = [_moved(c, wired, outer.in_bits, {}) for c in (*inner.columns, inner.constant)]
    *columns, start = [value_of(outer.columns, c) for c in through]
    return made(inner.in_bits, outer.out_bits, columns, outer.constant ^ start)


def inverse(layout: LinearLayout) -> LinearLayout:
    """The inverse; raises NoAnswer if two inputs share a value, or a value does not occur.

    >>> print(inverse(LinearLayout({"lane": [1, 3]}, ["dim0"])))
    {dim0 = [1, 3]} -> {lane = 4}
    """
    _need_injective(layout)
    return right_inverse(layout)


def right_inverse(layout: LinearLayout) -> LinearLayout:
    """A linear R with layout(R(y)) = y; raises NoAnswer, with a value that does not occur, if there is none.

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
    """A linear K with K(layout(x)) = x, arbitrary on other values; raises NoAnswer if two inputs share a value.

    >>> print(left_inverse(LinearLayout({"lane": [2, 4]}, {"offset": 16})))
    {offset = [0, 1, 2, 0]} -> {lane = 4}
    """
    _need_injective(layout)
    return pseudo_inverse(layout)


def pseudo_inverse(layout: LinearLayout) -> LinearLayout:
    """A linear K with layout(K(layout(x))) = layout(x); among the indices of a value, one that avoids dependent bases.

    >>> print(pseudo_inverse(LinearLayout([1, 1, 2])))
    {offset = [1, 4]} -> {index = 8}
    """
    need_linear(layout, "pseudo_inverse")
    found = echelon(layout.columns)
    pivots = {top - 1: pair for top, pair in found.pivots.items()}
    columns = [_pulled(1 << bit, pivots) for bit in range(layout.cosize().bit_length() - 1)]
    return made(layout.out_bits, layout.in_bits, columns, value_of(columns, layout.constant))


def _pulled(y: int, pivots: Mapping[int, tuple[int, int]]) -> int:
    """The input whose value agrees with y in the top bits of all pivots."""
    x, rest = 0, y
    for top in sorted(pivots, reverse=True):
        if rest >> top & 1:
            rest ^= pivots[top][0]
            x ^= pivots[top][1]
    return x


def conversion(source: LinearLayout, target: LinearLayout) -> LinearLayout:
    """C with target ∘ C = source: where `target` holds what `source` holds. Triton's invertAndCompose.

    The outputs of both need the same names. Raises NoAnswer, with an input, if a value of `source` is not a value of
    `target`.

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
            raise NoAnswer(f"conversion: at {at} is {source.values_text(source(x))}, which is not a value of {target}")
        columns.append(back)
    return made(source.in_bits, target.in_bits, columns[1:], columns[0])


def fixed(layout: LinearLayout, inputs: Mapping[str, int]) -> LinearLayout:
    """Restricts the layout by fixing these inputs; the result is affine, without them.

    >>> print(fixed(LinearLayout({"register": [1, 2], "lane": [5]}), {"lane": 1}))
    {register = [1, 2]} -> {offset = 8} ^ [5]
    """
    need_linear(layout, "fixed")
    start = layout(layout.index(inputs))
    kept = {n: bits for n, bits in layout.in_bits.items() if n not in inputs}
    where = places(layout.in_bits)
    return made(kept, layout.out_bits, [layout.columns[i] for n in kept for i in where[n]], start)


def sublayout(layout: LinearLayout, ins: Sequence[str], outs: Sequence[str]) -> LinearLayout:
    """The bases of these inputs, restricted to these outputs, in that order; the other inputs are 0.

    >>> tile = LinearLayout({"register": [[0, 1]], "lane": [[2, 3]]})
    >>> print(sublayout(tile, ["lane"], ["dim1"]))
    {lane = [3]} -> {dim1 = 4}
    """
    need_linear(layout, "sublayout")
    ins, outs = _names(ins), _names(outs)
    for name, known in [*((n, layout.in_bits) for n in ins), *((n, layout.out_bits) for n in outs)]:
        if name not in known:
            raise LayoutError(f"sublayout: unknown name {name!r}: choose from {', '.join(known)}")
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
    """Renames and regroups the bits: new sizes with the same product, the fastest first. None keeps a side.

    >>> print(reshaped(LinearLayout({"register": [1], "lane": [2, 4]}), {"index": 8}, None))
    {index = [1, 2, 4]} -> {offset = 8}
    """
    need_linear(layout, "reshape")
    sides: list[Mapping[str, int]] = []
    for what, bits, sizes in (("inputs", layout.in_bits, ins), ("outputs", layout.out_bits, outs)):
        if not isinstance(sizes, Mapping | None):
            raise LayoutError(f"reshape: {sizes!r}: give {what} with their sizes")
        wanted = bits if sizes is None else {n: bits_of(size, str(n)) for n, size in sizes.items()}
        if sum(wanted.values()) != sum(bits.values()):
            raise LayoutError(f"reshape: the {what} of {layout} have {sum(bits.values())} bits, those given others")
        sides.append(wanted)
    return made(sides[0], sides[1], layout.columns, layout.constant)


def _names(given: Any) -> list[str]:
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise LayoutError(f"sublayout: {given!r} is not a list of names")
    return list(given)


def _need_injective(layout: LinearLayout) -> None:
    need_linear(layout, "an inverse")
    for x in layout.kernel():
        at = ", ".join(f"{k} = {v}" for k, v in x.items())
        raise NoAnswer(f"{layout}: at {at} is the same value as at 0, so it has no inverse from the left")


def _added(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {name: a.get(name, 0) + b.get(name, 0) for name in _merged(list(a), list(b))}


def _merged(a: list[str], b: list[str]) -> list[str]:
    """Merges two lists of names, keeping the order of both: names only in `a` first, then those only in `b`."""
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
    """Repacks a value from one list of names to another, and shifts each part by its number of bits."""
    parts = dict(zip(source, split(value, source), strict=True))
    return joined({name: x << shift.get(name, 0) for name, x in parts.items()}, target, "names")
