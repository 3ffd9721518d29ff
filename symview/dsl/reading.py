"""Between the DSL's layouts and symview's: what is known at compile time from types, the rest from what computes it.

A size or stride that is known at run time only is an SSA value. What computes it is read back: the DSL's own pass
`cute-expand-ops` turns one operation into arithmetic, and that is read as integer expressions in the arguments of the
kernel. What is no arithmetic is a symbol of its own. Sizes and strides at run time are taken to be from 0 up, and small
enough for their types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from math import lcm
from types import FrameType
from typing import Any

import sympy
from cutlass import cute
from cutlass._mlir import ir, passmanager
from cutlass._mlir.dialects import cute as cute_ir
from cutlass._mlir.dialects import func
from cutlass.cute.tensor import _Tensor

from symview.cute import ComposedLayout, CoordinateLayout, Layout, Swizzle, parse
from symview.cute.basis import ScaledBasis
from symview.cute.int_tuple import flatten, leaves, like
from symview.dsl.frames import user_frame
from symview.errors import InputError, NotSupported

Entries = list[Any]  # of the entries that are known at run time only, in the order in which a type has them

_UNKNOWN = re.compile(r"\?(?:\{(?:i\d+ ?)?(?:div=(\d+))?\})?")
_QUOTED = re.compile(r'"([^"]*)"')
_EXPANDING = "builtin.module(cute-desugar,cute-expand-ops)"


def from_dsl(layout: Any) -> Any:
    """The layout of symview that a layout of the DSL is, or that of a tensor.

    Sizes and strides that are known at run time only are expressions in the kernel's arguments, which have the names
    that the caller has for them where it has any. Raises InputError for what is no layout of the DSL.
    """
    return Reader(user_frame()).layout(layout)


def to_dsl(layout: Any) -> Any:
    """The layout of the DSL that a layout of symview is; inside a trace, of numbers. InputError for others."""
    if isinstance(layout, ComposedLayout):
        front = layout.layoutB
        if not isinstance(front, Swizzle | Layout):
            raise InputError(f"to_dsl: {layout} has neither a swizzle nor a layout in front")
        made = cute.make_swizzle(front.bits, front.base, front.shift) if isinstance(front, Swizzle) else to_dsl(front)
        return cute.make_composed_layout(made, layout.offset, to_dsl(layout.layoutA))
    if isinstance(layout, CoordinateLayout):
        return cute.make_layout(layout.shape, stride=_basis(layout.stride))
    if not isinstance(layout, Layout) or not layout.numeric:
        raise InputError(f"to_dsl: {layout!r} is no layout of numbers; substitute numbers with with_values")
    return cute.make_layout(layout.shape, stride=layout.stride)


def _basis(stride: Any) -> Any:
    if isinstance(stride, tuple):
        return tuple(map(_basis, stride))
    return cute.core.ScaledBasis(stride.value, list(stride.mode)) if isinstance(stride, ScaledBasis) else stride


@contextmanager
def _nothing_added() -> Iterator[None]:
    """Reads tensors as values alone; the DSL adds an operation to the kernel for each that it takes from there."""

    def light(tensor: Any, value: Any, dtype: Any = None, **_: Any) -> None:
        tensor.value, tensor._dtype = value_of(value), dtype

    kept = _Tensor.__init__
    _Tensor.__init__ = light
    try:
        yield
    finally:
        _Tensor.__init__ = kept


# Types


def layout_text(type_: Any) -> str:
    """The layout that the type of a layout, or of a tensor, spells."""
    found = _QUOTED.findall(str(type_))
    if not found:
        raise InputError(f"{type_} is no type of a layout")
    return str(found[-1])


def has_empty_mode(text: str) -> bool:
    """Whether a size of the layout that is spelled is 0."""
    shape = text.rpartition(" o ")[2].partition(":")[0]
    return "0" in re.findall(r"\d+", shape)


@lru_cache(maxsize=4096)
def static_layout(text: str) -> Any:
    """The layout of numbers that is spelled."""
    return parse(text)


def layout_of(text: str, entries: Sequence[Any]) -> Any:
    """The layout that is spelled, with these entries where the type has `?`."""
    names = {f"unknown{k}": x for k, x in enumerate(entries)}
    numbers = count()
    spelled = _UNKNOWN.sub(lambda _: f"unknown{next(numbers)}", text)
    if next(numbers) != len(names):
        raise NotSupported(f"{text} has other entries than {list(entries)}")
    return _filled(parse(spelled), names) if names else static_layout(text)


def _filled(layout: Any, names: dict[str, Any]) -> Any:
    if isinstance(layout, ComposedLayout):
        front = layout.layoutB if isinstance(layout.layoutB, Swizzle) else _filled(layout.layoutB, names)
        return ComposedLayout(front, _put(layout.offset, names), _filled(layout.layoutA, names))
    if isinstance(layout, CoordinateLayout):
        if any(s.name in names for d in leaves(layout.stride) for s in getattr(d, "free_symbols", ())):
            raise NotSupported("coordinates with steps that are known at run time only")
        return CoordinateLayout(_all(layout.shape, names), layout.stride)
    return Layout(_all(layout.shape, names), _all(layout.stride, names))


def _all(t: Any, names: dict[str, Any]) -> Any:
    return like(t, iter([_put(x, names) for x in leaves(t)]))


def _put(entry: Any, names: dict[str, Any]) -> Any:
    """The entry with what it stands for; a multiple that the type knows of is left to what is known of the value."""
    found = [names[s.name] for s in getattr(entry, "free_symbols", ()) if s.name in names]
    return found[0] if found else entry


# Values


class Reader:
    """Reads values of one trace: equal values are equal expressions. `facts`: numbers that divide symbols."""

    def __init__(self, frame: FrameType | None = None) -> None:
        self.facts: dict[Any, int] = {}
        self.unread = False  # whether an operation was met that is read no further
        self._known: dict[int, Entries] = {}
        self._named = {} if frame is None else _names(frame)
        self._taken: set[str] = set()

    def layout(self, x: Any) -> Any:
        """The layout that a layout or a tensor of the DSL is."""
        value = value_of(x)
        if value is None:
            raise InputError(f"from_dsl: {x!r} is no layout and no tensor of the DSL")
        text = layout_text(value.type)
        if "?" not in text:
            return static_layout(text)
        with _nothing_added():
            return layout_of(text, self.entries(value))

    def tile(self, x: Any) -> Any:
        """What layouts are tiled by: a layout, an integer, None, or a tuple of these."""
        if isinstance(x, tuple):
            return tuple(map(self.tile, x))
        if x is None or isinstance(x, int):
            return x
        return self.layout(x) if is_layout(x) else self.integer(x)

    def integer(self, x: Any) -> Any:
        """A number, or the expression that a run-time integer is."""
        if isinstance(x, bool) or not (isinstance(x, int) or hasattr(x, "ir_value") or isinstance(x, ir.Value)):
            raise InputError(f"{x!r} is no integer of the DSL")
        if isinstance(x, int):
            return x
        with _nothing_added():
            return self.entries(x.ir_value() if hasattr(x, "ir_value") else x)[0]

    def entries(self, value: Any) -> Entries:
        """The entries of a value that are known at run time only."""
        key = ir.Value.__hash__(value)
        if key not in self._known:
            self._known[key] = self._read(value)
        return self._known[key]

    def _read(self, value: Any) -> Entries:
        if "?" not in str(value.type) and not _is_integer(value.type):
            return []
        operation = _operation(value)
        if operation is None:
            return self._symbols(value)
        name, operands = operation.name, _values(operation.operands)
        if name.startswith(("arith.", "math.")):
            found = _arithmetic(operation, [self.entries(x)[0] for x in operands])
            return self._symbols(value) if found is None else [found]
        if name == "scf.if":
            sign = self._sign(operation)
            return self._symbols(value) if sign is None else [sign]
        if name == "cute.assume":
            return self._assumed(value, self.entries(operands[0]))
        if name in _COLLECTING and not (name == "cute.make_layout" and len(operands) < 2):
            return [e for x in operands for e in self.entries(x)]
        if name in _PASSING:
            return self.entries(operands[0])
        if name == "cute.make_layout" and operands:
            return self._compact(value, operands[0])
        if name == "cute.make_view":
            return self.entries(operands[-1])
        if name in ("cute.get_shape", "cute.get_stride"):
            return self._half(operands[0], name == "cute.get_shape")
        if name in ("cute.get_leaves", "cute.get_scalars"):
            return self._leaf(value, operation)
        if name in _KEEPING and layout_text(value.type).count("?") == str(operands[0].type).count("?"):
            return self.entries(operands[0])
        if name.startswith("cute."):
            return self._expanded(value, operation)
        return self._symbols(value)

    def _compact(self, value: Any, shape: Any) -> Entries:
        """Of a layout that is made of a shape alone."""
        entries = self.entries(shape)
        spelled, _, strides = layout_text(value.type).partition(":")
        steps = flatten(layout_of(spelled, entries).stride)
        words = re.findall(r"[^(),]+", strides)
        return [*entries, *(x for word, x in zip(words, steps, strict=True) if "?" in word)]

    def _half(self, layout: Any, first: bool) -> Entries:
        entries = self.entries(layout)
        shape = layout_text(layout.type).partition(":")[0]
        if " o " in shape:
            raise NotSupported("the shape of a layout behind others, at run time")
        cut = shape.count("?")
        return entries[:cut] if first else entries[cut:]

    def _leaf(self, value: Any, operation: Any) -> Entries:
        """One of the leaves, or of the run-time ones alone."""
        operand = value_of(operation.operands[0])
        entries = iter(self.entries(operand))
        text = _QUOTED.findall(str(operand.type))
        words = re.findall(r"[^(),:]+", re.sub(r"\{[^}]*\}", "", text[-1])) if text else ["?"]
        all_ = [next(entries) if "?" in w else int(w) if w.isdigit() else None for w in words]
        if "only_dynamic" in operation.attributes:
            all_ = [x for w, x in zip(words, all_, strict=True) if "?" in w]
        results = [ir.Value.__hash__(r) for r in _values(operation.results)]
        found = all_[results.index(ir.Value.__hash__(value))] if len(all_) == len(results) else None
        return self._symbols(value) if found is None else [found]

    def _assumed(self, value: Any, entries: Entries) -> Entries:
        divisor = re.search(r"divby (\d+)", str(value.type))
        if divisor is not None and isinstance(entries[0], sympy.Symbol):
            self._known_multiple(entries[0], int(divisor[1]))
        return entries

    def _known_multiple(self, symbol: Any, divisor: int) -> None:
        self.facts[symbol] = lcm(self.facts.get(symbol, 1), divisor)

    def _symbols(self, value: Any) -> Entries:
        """New symbols for what is read no further; the type may know a number that divides them."""
        if _is_integer(value.type):
            return [self._symbol(self._named.get(ir.Value.__hash__(value), "n"))]
        base = self._named.get(ir.Value.__hash__(value), "")
        text = layout_text(value.type)
        shape, _, _ = text.partition(":")
        found = []
        for k, match in enumerate(_UNKNOWN.finditer(text)):
            kind = "n" if match.start() < len(shape) else "d"
            symbol = self._symbol(f"{base}_{kind}{k}" if base else f"{kind}{k}")
            if match[1]:
                self._known_multiple(symbol, int(match[1]))
            found.append(symbol)
        return found

    def _symbol(self, base: str) -> Any:
        name, numbers = base, count(1)
        while name in self._taken:
            name = f"{base}{next(numbers)}"
        self._taken.add(name)
        return sympy.Symbol(name, integer=True)

    def _expanded(self, value: Any, operation: Any) -> Entries:
        """The entries as the DSL's own pass computes them from those of the operands."""
        operands = _values(operation.operands)
        found = expanded(operation)
        if found is None:
            self.unread = True
            return self._symbols(value)
        _module, block = found  # the block is the module's: it has to live as long
        results = _values(list(block.operations)[-1].operands)
        inside = Reader()
        for argument, operand in zip(_values(block.arguments), operands, strict=True):
            inside._known[ir.Value.__hash__(argument)] = self.entries(operand)
        inside._taken = self._taken
        return [inside.entries(x)[0] for x in results]

    def _sign(self, operation: Any) -> Any:
        """1 where a number from 0 on is not 0, which is how the pass spells the sign; None for another choice."""
        condition = _operation(value_of(operation.operands[0]))
        first = list(operation.regions[0].blocks[0].operations)
        compared = condition is not None and condition.name == "arith.cmpi" and len(first) == 2
        if not compared or ir.IntegerAttr(condition.attributes["predicate"]).value != _GREATER:
            return None
        left, right = (self.entries(x)[0] for x in _values(condition.operands))
        chosen = self.entries(value_of(first[-1].operands[0]))[0]
        return sympy.Min(1, left) if (right, chosen) == (0, 1) else None


_COLLECTING = (
    "cute.make_shape", "cute.make_stride", "cute.make_coord", "cute.make_int_tuple", "cute.make_tile",
    "cute.make_layout", "cute.make_composed_layout",
)  # fmt: skip
_KEEPING = (  # the DSL merges, or adds, what it knows, and keeps the rest in its order
    "cute.coalesce", "cute.filter", "cute.filter_zeros", "cute.append_to_rank", "cute.prepend_to_rank",
)  # fmt: skip
_TENSORS = ("!cute.memref", "!cute.coord_tensor")
_PLAIN = ("!cute.layout", "!cute.shape", "!cute.stride", "!cute.int_tuple", "!cute.coord", "!cute.tile")
_GREATER = 4  # of arith.cmpi
_PASSING = ("cute.to_int_tuple", "cute.to_shape", "cute.to_stride", "cute.to_coord", "cute.get_layout")


def expanded(operation: Any) -> tuple[Any, Any] | None:
    """A function with the operation as arithmetic in its arguments, which returns its run-time entries.

    None where the DSL has no arithmetic for it.
    """
    if not str(value_of(operation.results[0]).type).startswith((*_TENSORS, *_PLAIN)):
        return None
    context = operation.context
    with context, ir.Location.unknown(context):
        module = ir.Module.create()
        types = [x.type for x in _values(operation.operands)]
        with ir.InsertionPoint(module.body):
            function = func.FuncOp("expanded", ir.FunctionType.get(types, []))
            block = function.add_entry_block()
        with ir.InsertionPoint(block):
            copy = operation.clone()
            for n, argument in enumerate(_values(block.arguments)):
                copy.operands[n] = argument
            made = value_of(copy.results[0])
            if str(made.type).startswith(_TENSORS):
                made = cute_ir.get_layout(made)
            entries = cute_ir.get_scalars(made, only_dynamic=True)
            entries = [entries] if isinstance(entries, ir.Value) else list(getattr(entries, "results", entries))
            func.ReturnOp(entries)
        returned = ir.FunctionType.get(types, [x.type for x in entries])
        function.attributes["function_type"] = ir.TypeAttr.get(returned)
        try:
            passmanager.PassManager.parse(_EXPANDING, context=context).run(module.operation)
        except Exception:  # an operation that the pass does not take
            return None
        block = function.entry_block
        return None if any(o.name == operation.name for o in block.operations) else (module, block)


def _names(frame: FrameType) -> dict[int, str]:
    """The names that the frame has for values."""
    found: dict[int, str] = {}
    for name, x in frame.f_locals.items():
        value = value_of(x)
        if value is not None and name.isidentifier():
            found.setdefault(ir.Value.__hash__(value), name)
    return found


def value_of(x: Any) -> Any:
    """The SSA value behind an object of the DSL; None where there is none."""
    if isinstance(x, ir.Value):
        return x
    value = getattr(x, "value", None)
    return value if isinstance(value, ir.Value) else None


def _values(values: Any) -> list[Any]:
    """The values themselves: the DSL's bindings hand on some of them as tensors and the like."""
    return [value_of(x) for x in values]


def is_layout(x: Any) -> bool:
    """Whether it is a layout of the DSL that has a type."""
    return isinstance(x, cute.Layout) or (isinstance(x, cute.ComposedLayout) and value_of(x) is not None)


def is_tensor(x: Any) -> bool:
    """Whether it is a tensor of the DSL; its layout is not asked for, since that adds an operation to the kernel."""
    return isinstance(x, cute.Tensor) and value_of(x) is not None


def _is_integer(type_: Any) -> bool:
    return isinstance(type_, ir.IntegerType | ir.IndexType) or str(type_).startswith("!cute.i")


def _operation(value: Any) -> Any:
    owner = value.owner
    return None if isinstance(owner, ir.Block) else owner.operation if hasattr(owner, "operation") else owner


def _arithmetic(operation: Any, given: Sequence[Any]) -> Any:
    name = operation.name.partition(".")[2]
    if name == "constant":
        return int(ir.IntegerAttr(operation.attributes["value"]).value)
    made = _ARITHMETIC.get(name)
    return None if made is None else made(*given)


_ARITHMETIC: dict[str, Any] = {
    "addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b,
    "floordivsi": lambda a, b: sympy.floor(sympy.sympify(a) / b),
    "ceildivsi": lambda a, b: sympy.ceiling(sympy.sympify(a) / b),
    "divsi": lambda a, b: sympy.floor(sympy.sympify(a) / b), "absi": lambda a: a,  # of numbers from 0 on
    "maxsi": sympy.Max, "minsi": sympy.Min, "extsi": lambda a: a, "trunci": lambda a: a, "index_cast": lambda a: a,
}  # fmt: skip
