"""Converts layouts between the DSL and symview; run-time entries are read from the operations that compute them.

A size or stride that is known only at run time is an SSA value. The operation that computes it is read: the DSL's own
pass `cute-expand-ops` turns it into arithmetic, and that becomes an integer expression in the arguments of the kernel.
A value that is no arithmetic becomes a symbol. Sizes and strides at run time are assumed to be nonnegative, and to fit
into their types.
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
from symview.logic import integer
from symview.logic.integer import Int, greatest, least
from symview.logic.sympy_bridge import free_symbols

Entries = list[Any]  # the entries known only at run time, in the order of the type

_UNKNOWN = re.compile(r"\?(?:\{(?:i\d+ ?)?(?:div=(\d+))?\})?")
_QUOTED = re.compile(r'"([^"]*)"')
_EXPANDING = "builtin.module(cute-desugar,cute-expand-ops)"


def from_dsl(layout: Any) -> Any:
    """The layout of symview for a layout, or a tensor, of the DSL.

    Sizes and strides known only at run time become expressions in the kernel's arguments, named as in the calling code
    where possible. Raises InputError if the argument is not a layout of the DSL.
    """
    return Reader(user_frame()).layout(layout)


def to_dsl(layout: Any) -> Any:
    """The layout of the DSL for a layout of symview; inside a trace, of numbers. InputError for other layouts."""
    if isinstance(layout, ComposedLayout):
        front = layout.layoutB
        if not isinstance(front, Swizzle | Layout):
            raise InputError(f"to_dsl: {layout} has neither a swizzle nor a layout in front")
        made = cute.make_swizzle(front.bits, front.base, front.shift) if isinstance(front, Swizzle) else to_dsl(front)
        return cute.make_composed_layout(made, layout.offset, to_dsl(layout.layoutA))
    if isinstance(layout, CoordinateLayout):
        return cute.make_layout(layout.shape, stride=_basis(layout.stride))
    if not isinstance(layout, Layout) or not layout.numeric:
        raise InputError(f"to_dsl: {layout!r} is not a layout of numbers; substitute numbers with with_values")
    return cute.make_layout(layout.shape, stride=layout.stride)


def _basis(stride: Any) -> Any:
    if isinstance(stride, tuple):
        return tuple(map(_basis, stride))
    return cute.core.ScaledBasis(stride.value, list(stride.mode)) if isinstance(stride, ScaledBasis) else stride


@contextmanager
def _nothing_added() -> Iterator[None]:
    """Reads tensors only as values; otherwise the DSL adds an operation to the kernel for each tensor it reads."""

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
    """The text of the layout in the type of a layout or a tensor."""
    found = _QUOTED.findall(str(type_))
    if not found:
        raise InputError(f"{type_} is not a type of a layout")
    return str(found[-1])


def has_empty_mode(text: str) -> bool:
    """Whether a size of the layout in this text is 0."""
    shape = text.rpartition(" o ")[2].partition(":")[0]
    return "0" in re.findall(r"\d+", shape)


@lru_cache(maxsize=4096)
def static_layout(text: str) -> Any:
    """The numeric layout in this text."""
    return parse(text)


def layout_of(text: str, entries: Sequence[Any]) -> Any:
    """The layout in this text, with these entries in place of `?`."""
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
        if not names.keys().isdisjoint(free_symbols(d for d in leaves(layout.stride) if isinstance(d, Int))):
            raise NotSupported("coordinates with steps that are known at run time only")
        return CoordinateLayout(_all(layout.shape, names), layout.stride)
    return Layout(_all(layout.shape, names), _all(layout.stride, names))


def _all(t: Any, names: dict[str, Any]) -> Any:
    return like(t, iter([_put(x, names) for x in leaves(t)]))


def _put(entry: Any, names: dict[str, Any]) -> Any:
    """The entry that the name stands for; known divisors come from the value, not from the type."""
    return next((names[n] for n in entry.names() if n in names), entry) if isinstance(entry, Int) else entry


# Values


class Reader:
    """Reads values of one trace: equal values become equal expressions. `facts`: numbers that divide symbols."""

    def __init__(self, frame: FrameType | None = None) -> None:
        self.facts: dict[Any, int] = {}
        self.unread = False  # whether it met an operation that it cannot read
        self.guessed = False  # whether a symbol stands for what the DSL's own pass computes of others
        self._known: dict[int, Entries] = {}
        self._named = {} if frame is None else _names(frame)
        self._taken: set[str] = set()

    def layout(self, x: Any) -> Any:
        """The layout for a layout or a tensor of the DSL."""
        value = value_of(x)
        if value is None:
            raise InputError(f"from_dsl: {x!r} is neither a layout nor a tensor of the DSL")
        text = layout_text(value.type)
        if "?" not in text:
            return static_layout(text)
        with _nothing_added():
            return layout_of(text, self.entries(value))

    def tile(self, x: Any) -> Any:
        """A tile: a layout, an integer, None, or a tuple of these."""
        if isinstance(x, tuple):
            return tuple(map(self.tile, x))
        if x is None or isinstance(x, int):
            return x
        return self.layout(x) if is_layout(x) else self.integer(x)

    def integer(self, x: Any) -> Any:
        """A number, or the expression for a run-time integer."""
        if isinstance(x, bool) or not (isinstance(x, int) or hasattr(x, "ir_value") or isinstance(x, ir.Value)):
            raise InputError(f"{x!r} is not an integer of the DSL")
        if isinstance(x, int):
            return x
        with _nothing_added():
            return self.entries(x.ir_value() if hasattr(x, "ir_value") else x)[0]

    def entries(self, value: Any) -> Entries:
        """The run-time entries of a value."""
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
            chosen = next((x for x in (self._sign(operation), self._quotient(operation)) if x is not None), None)
            return self._symbols(value) if chosen is None else [chosen]
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
        """The entries of a layout made of a shape alone."""
        entries = self.entries(shape)
        spelled, _, strides = layout_text(value.type).partition(":")
        steps = flatten(layout_of(spelled, entries).stride)
        words = re.findall(r"[^(),]+", strides)
        return [*entries, *(x for word, x in zip(words, steps, strict=True) if "?" in word)]

    def _half(self, layout: Any, first: bool) -> Entries:
        entries = self.entries(layout)
        shape = layout_text(layout.type).partition(":")[0]
        if " o " in shape:
            raise NotSupported("the shape of a composed layout, at run time")
        cut = shape.count("?")
        return entries[:cut] if first else entries[cut:]

    def _leaf(self, value: Any, operation: Any) -> Entries:
        """One of the leaves, or one of the run-time leaves."""
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
        if divisor is not None and isinstance(entries[0], Int) and entries[0].is_name():
            self._known_multiple(entries[0], int(divisor[1]))
        return entries

    def _known_multiple(self, symbol: Any, divisor: int) -> None:
        self.facts[symbol] = lcm(self.facts.get(symbol, 1), divisor)

    def _symbols(self, value: Any) -> Entries:
        """New symbols for a value that cannot be read; its type may have a known divisor."""
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
        text, numbers = base, count(1)
        while text in self._taken:
            text = f"{base}{next(numbers)}"
        self._taken.add(text)
        return integer.name(text)

    def _expanded(self, value: Any, operation: Any) -> Entries:
        """The entries by the DSL's own pass, from those of the operands."""
        operands = _values(operation.operands)
        found = expanded(operation)
        if found is None:
            self.unread = True
            return self._symbols(value)
        _module, block = found  # the block belongs to the module, which has to stay alive
        results = _values(list(block.operations)[-1].operands)
        inside = Reader()
        for argument, operand in zip(_values(block.arguments), operands, strict=True):
            inside._known[ir.Value.__hash__(argument)] = self.entries(operand)
        inside._taken = self._taken
        before, found_ = len(self._taken), [inside.entries(x)[0] for x in results]
        self.guessed |= inside.guessed or len(self._taken) > before
        return found_

    def _sign(self, operation: Any) -> Any:
        """Reads the pass's form of the sign, min(1, x) for x >= 0; None for any other choice."""
        condition = _operation(value_of(operation.operands[0]))
        first = list(operation.regions[0].blocks[0].operations)
        compared = condition is not None and condition.name == "arith.cmpi" and len(first) == 2
        if not compared or ir.IntegerAttr(condition.attributes["predicate"]).value != _GREATER:
            return None
        left, right = (self.entries(x)[0] for x in _values(condition.operands))
        chosen = self.entries(value_of(first[-1].operands[0]))[0]
        return least(1, left) if (right, chosen) == (0, 1) else None

    def _quotient(self, operation: Any) -> Any:
        """Reads the pass's form of a stride that is divided: x // n if that is not 0, else the sign of x."""
        condition, blocks = _operation(value_of(operation.operands[0])), [r.blocks[0] for r in operation.regions]
        if condition is None or condition.name != "arith.cmpi" or len(blocks) != 2:
            return None
        quotient, zero = _values(condition.operands)
        divided, (then, other) = _operation(quotient), [self.entries(_last(block))[0] for block in blocks]
        if divided is None or divided.name != "arith.divsi" or self.entries(zero)[0] != 0:
            return None
        sign = least(1, self.entries(_values(divided.operands)[0])[0])
        different = ir.IntegerAttr(condition.attributes["predicate"]).value == _DIFFERENT
        return greatest(then, sign) if different and (then, other) == (self.entries(quotient)[0], sign) else None


_COLLECTING = (
    "cute.make_shape", "cute.make_stride", "cute.make_coord", "cute.make_int_tuple", "cute.make_tile",
    "cute.make_layout", "cute.make_composed_layout",
)  # fmt: skip
_KEEPING = (  # the DSL merges or adds static entries, and keeps the order of the others
    "cute.coalesce", "cute.filter", "cute.filter_zeros", "cute.append_to_rank", "cute.prepend_to_rank",
)  # fmt: skip
_TENSORS = ("!cute.memref", "!cute.coord_tensor")
_PLAIN = ("!cute.layout", "!cute.shape", "!cute.stride", "!cute.int_tuple", "!cute.coord", "!cute.tile")
_DIFFERENT, _GREATER = 1, 4  # of arith.cmpi
_PASSING = ("cute.to_int_tuple", "cute.to_shape", "cute.to_stride", "cute.to_coord", "cute.get_layout")


def expanded(operation: Any) -> tuple[Any, Any] | None:
    """A function that computes the operation's run-time entries by arithmetic in its arguments.

    None if the DSL has no arithmetic for it.
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
        except Exception:  # the pass does not support the operation
            return None
        block = function.entry_block
        return None if any(o.name == operation.name for o in block.operations) else (module, block)


def _names(frame: FrameType) -> dict[int, str]:
    """The names of values in the frame."""
    found: dict[int, str] = {}
    for name, x in frame.f_locals.items():
        value = value_of(x)
        if value is not None and name.isidentifier():
            found.setdefault(ir.Value.__hash__(value), name)
    return found


def value_of(x: Any) -> Any:
    """The SSA value of an object of the DSL; None if it has none."""
    if isinstance(x, ir.Value):
        return x
    value = getattr(x, "value", None)
    return value if isinstance(value, ir.Value) else None


def _last(block: Any) -> Any:
    """The value that a block ends with."""
    return value_of(list(block.operations)[-1].operands[0])


def _values(values: Any) -> list[Any]:
    """The SSA values: the DSL's bindings return some of them as tensors and other objects."""
    return [value_of(x) for x in values]


def is_layout(x: Any) -> bool:
    """Whether it is a layout of the DSL that has a type."""
    return isinstance(x, cute.Layout) or (isinstance(x, cute.ComposedLayout) and value_of(x) is not None)


def is_tensor(x: Any) -> bool:
    """Whether it is a tensor of the DSL; its layout is not read, since that adds an operation to the kernel."""
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
    "floordivsi": lambda a, b: a // b, "ceildivsi": lambda a, b: -(-a // b),
    "divsi": lambda a, b: a // b, "absi": lambda a: a,  # of numbers from 0 on
    "maxsi": greatest, "minsi": least, "extsi": lambda a: a, "trunci": lambda a: a, "index_cast": lambda a: a,
}  # fmt: skip
