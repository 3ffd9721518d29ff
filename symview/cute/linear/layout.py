"""LinearLayout: bases per named input over the field of two elements, with named outputs, as Triton has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import is_int, number_text
from symview.cute.layout import LayoutBase
from symview.cute.linear.given import bits_of, parts_of, read_given
from symview.cute.linear.packing import joined, named, packed, split
from symview.engine.bases import echelon, value_of

Basis = int | Sequence[int]
_WIDEST = 1 << 12  # bits of a side


class LinearLayout(LayoutBase):
    """x ↦ constant ⊕ the bases at the set bits of x; inputs and outputs are named, of sizes that are powers of two.

    `bases`: by input, the outputs at 1, 2, 4, … of it, each a list with a number for each output (a plain number
    where there is one output). `outs`: the outputs with their sizes, or their names alone, then each has the least
    size that the bases need; without them, dim0, dim1, …, or `offset` for plain numbers. `constant`: the outputs
    where all inputs are 0, usually 0; with another the map is affine.

    Inputs put end to end, the first lowest, are the index, and outputs alike the value: `layout(index)` is the value
    as one integer, and `at` takes and gives them by name. `==` compares names, their order, sizes and bases;
    `same_function` compares values. Frozen. Raises LayoutError for anything else. Source: Zhou et al., "Linear
    Layouts: Robust Code Generation of Efficient Tensor Computation Using 𝔽₂"; the names are those of Triton.

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
    columns: tuple[int, ...]  # the bases as values, one for each bit of the index: the columns of the matrix
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
        """The layout that a text spells: `str` of one, Triton's listing of bases, or its attributes in MLIR.

        Raises NotationError, with a caret under the place.

        >>> LinearLayout.parse("#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = []}>").ins
        {'register': 2, 'lane': 4, 'warp': 1}
        """
        from symview.cute.linear.notation import read_linear

        return LinearLayout(*read_linear(text))

    @staticmethod
    def of(x: Any) -> LinearLayout:
        """The same as one of Triton's objects: its LinearLayout, or Gluon's linear layouts."""
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

    # What it is made of

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
        """By input, the outputs at 1, 2, 4, … of it, without the constant."""
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
        """How many indices there are."""
        return 1 << len(self.columns)

    def cosize(self) -> int:
        """How many values the outputs have room for."""
        return 1 << sum(self.out_bits.values())

    # What it does

    def __call__(self, *given: Any) -> int:
        """The value at an index, or at a number for each input; LayoutError outside.

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
        """The outputs by name; inputs by name, 0 where they are left out. LayoutError for others, or outside."""
        return dict(zip(self.out_bits, self._split(self(self.index(named(inputs, more)))), strict=True))

    def index(self, inputs: Mapping[str, int]) -> int:
        """The inputs put end to end; those left out are 0.

        >>> LinearLayout({"register": [1, 2], "lane": [4]}).index({"lane": 1})
        4
        """
        return joined(inputs, self.in_bits, f"inputs of {self}")

    def _need_index(self, index: Any) -> None:
        if not is_int(index) or not 0 <= index < self.size():
            raise LayoutError(f"{index!r} is no index of {self}: give one of 0 to {number_text(self.size() - 1)}")

    def inputs(self, index: int) -> dict[str, int]:
        """The inputs by name, of an index; LayoutError outside."""
        self._need_index(index)
        return dict(zip(self.in_bits, split(index, self.in_bits), strict=True))

    def _split(self, value: int) -> list[int]:
        return split(value, self.out_bits)

    def is_injective(self) -> bool:
        """Whether no two indices have one value."""
        return not echelon(self.columns).kernel

    def is_surjective(self) -> bool:
        """Whether every value of the outputs occurs."""
        return len(echelon(self.columns).pivots) == sum(self.out_bits.values())

    def is_bijective(self) -> bool:
        """Whether every value of the outputs occurs once."""
        return self.size() == self.cosize() and self.is_injective()

    def kernel(self) -> list[dict[str, int]]:
        """Inputs by which an index can be xored without changing its value; all such are the sums of these.

        >>> LinearLayout({"register": [1, 2], "lane": [3]}).kernel()
        [{'register': 3, 'lane': 1}]
        """
        return [self.inputs(x) for x in echelon(self.columns).kernel]

    def image_basis(self) -> list[int]:
        """Values by which a value can be xored to give the others: 2^len of these occur, each equally often.

        >>> LinearLayout([3, 3, 5]).image_basis()
        [3, 5]
        """
        return sorted(pivot for pivot, _ in echelon(self.columns).pivots.values())

    def preimage(self, value: int) -> int:
        """The index that has this value, of several one; NoAnswer where none has it."""
        if not is_int(value) or not 0 <= value < self.cosize():
            raise LayoutError(f"{value!r} is no value of the outputs, 0 to {number_text(self.cosize() - 1)}")
        found = echelon(self.columns).preimage(value ^ self.constant)
        if found is None:
            raise NoAnswer(f"{self}: no index has the value {self.values_text(value)}")
        return found

    def values_text(self, value: int) -> str:
        """A value in words, by output."""
        parts = dict(zip(self.out_bits, self._split(value), strict=True))
        return str(value) if len(parts) == 1 else ", ".join(f"{k} = {v}" for k, v in parts.items())

    # What is made of it

    def __mul__(self, outer: LinearLayout) -> LinearLayout:
        """Triton's product: `outer`'s bases behind these."""
        from symview.cute.linear.operations import product

        return product(self, need_linear(outer, "*"))

    def compose(self, outer: LinearLayout) -> LinearLayout:
        """Outer ∘ self, as Triton's compose."""
        from symview.cute.linear.operations import compose

        return compose(need_linear(outer, "compose"), self)

    def inverse(self) -> LinearLayout:
        """The inverse; NoAnswer with two inputs of one value, or a value that does not occur."""
        from symview.cute.linear.operations import inverse

        return inverse(self)

    def fixed(self, inputs: Mapping[str, int] | None = None, **more: int) -> LinearLayout:
        """The part where some inputs have given values: affine, without them."""
        from symview.cute.linear.operations import fixed

        return fixed(self, named(inputs, more))

    def __getitem__(self, name: str | int) -> LinearLayout:
        """The part of one input, by name or number, where all others are 0."""
        from symview.cute.linear.operations import sublayout

        names = list(self.in_bits)
        if not isinstance(name, str) and is_int(name) and -len(names) <= name < len(names):
            name = names[name]
        if not isinstance(name, str):
            raise LayoutError(f"{name!r} is no input of {self}: {', '.join(names)}")
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
        """The bases as Triton prints them, one a line; `parse` reads it back, but for a constant, which Triton has not.

        >>> print(LinearLayout({"lane": [[0, 1], [1, 0]], "warp": []}).listing())
         - lane=1 -> (0, 1)
           lane=2 -> (1, 0)
         - warp is a size 1 dimension
        where out dims are: [dim0 (size 2), dim1 (size 2)]
        """
        from symview.cute.linear.notation import listing

        return listing(self.bases, self.outs)


def made(ins: Mapping[str, int], outs: Mapping[str, int], columns: Sequence[int], constant: int = 0) -> LinearLayout:
    """The linear layout of names with their numbers of bits, columns and a constant that are known to fit."""
    found = object.__new__(LinearLayout)
    found._set(dict(ins), dict(outs), columns, constant)
    return found


def need_linear(x: Any, what: str) -> LinearLayout:
    """The linear layout itself; LayoutError for anything else."""
    if not isinstance(x, LinearLayout):
        raise LayoutError(f"{what}: {x!r} is no linear layout; to_linear makes one of a layout")
    return x


def _shown(name: str) -> str:
    return name if name.isidentifier() else repr(name)
