"""A mode of PyTorch that follows tensors through views to their readers; this module imports PyTorch."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from symview.errors import NotSupported
from symview.rules.programs.program import Program, tensor
from symview.torch.places import here
from symview.view import View

_ATEN = torch.ops.aten
_SAME = {_ATEN.alias.default, _ATEN.detach.default}
_SLICE: list[Any] = [0, None, None, 1]
_SHAPED = {
    _ATEN.view.default, _ATEN._unsafe_view.default, _ATEN._reshape_alias.default, _ATEN.unsqueeze.default,
    _ATEN.squeeze.default, _ATEN.squeeze.dim, _ATEN.squeeze.dims, _ATEN.unsqueeze_.default, _ATEN.squeeze_.default,
    _ATEN.squeeze_.dim, _ATEN.squeeze_.dims,
}  # fmt: skip


@dataclass(frozen=True)
class Traced:
    """The trace of a function: its tensors by name, the programs that read them; bytes of one copy, and of all.

    `copies` are the results that it copies now, `places` the lines of those by `contiguous`; `given` the current layout
    of each tensor, `made` the operation and the line that makes a result.
    """

    given: Mapping[str, View]
    programs: tuple[Program, ...]
    bytes: Mapping[str, int]
    weights: Mapping[str, int]
    copies: tuple[str, ...]
    places: Mapping[str, str]
    made: Mapping[str, str]


def on_fakes(examples: Sequence[Any]) -> tuple[Any, ...]:
    """The examples with fake tensors in place of real ones."""
    mode = next((x.fake_mode for x in tree_leaves(examples) if isinstance(x, FakeTensor)), None)
    mode = mode or FakeTensorMode(allow_non_fake_inputs=True)

    def faked(x: Any) -> Any:
        return mode.from_tensor(x) if isinstance(x, torch.Tensor) and not isinstance(x, FakeTensor) else x

    return tuple(tree_map(faked, list(examples)))


def traced(fn: Callable[..., Any], examples: Sequence[Any], layouts: Mapping[str, View] | None = None) -> Traced:
    """Traces what a function does with its tensors, under these layouts if they are set."""
    mode = _Following(layouts)
    with torch.no_grad():
        given = mode.inputs(fn, examples)
        fakes = [x for x in tree_leaves(given) if isinstance(x, FakeTensor)]
        with fakes[0].fake_mode if fakes else torch.no_grad(), mode:
            mode.read(fn(*given))
    weights = {text: size * max(mode.times[text], 1) for text, size in mode.bytes.items()}
    copies = tuple(map(str, mode.copies))
    return Traced(mode.given, tuple(mode.programs.values()), mode.bytes, weights, copies, mode.places, mode.makers)


def is_made_of_others(func: Any) -> bool:
    """Whether an operation only calls others; without gradients PyTorch leaves decomposing it to the modes."""
    try:
        return bool(func._can_decompose())
    except RuntimeError:  # it exists only in TorchScript
        return False


class _Following(TorchDispatchMode):  # type: ignore[misc]
    """Maps each tensor to the program that computes it from an input or a result."""

    def __init__(self, layouts: Mapping[str, View] | None) -> None:
        super().__init__()
        self.layouts = layouts
        self.known: dict[int, tuple[Any, Program | None, Any]] = {}  # the tensor, its program, its replacement
        self.given: dict[str, View] = {}
        self.programs: dict[str, Program] = {}
        self.bytes: dict[str, int] = {}
        self.times: Counter[str] = Counter()
        self.copies: list[Program] = []
        self.places: dict[str, str] = {}
        self.makers: dict[str, str] = {}

    def inputs(self, fn: Callable[..., Any], examples: Sequence[Any]) -> list[Any]:
        """The examples; records each tensor under the name of its parameter."""
        try:
            named = list(inspect.signature(fn).bind(*examples).arguments.items())
        except (TypeError, ValueError):
            named = []
        for name, value in named:
            if isinstance(value, torch.Tensor) and name.isidentifier():
                self.made(value, name)
        return list(tree_map(lambda x: self.known[id(x)][2] if id(x) in self.known else x, list(examples)))

    def made(self, value: Any, name: str) -> Any:
        """Records a tensor whose strides are free; returns its replacement in the planned layout."""
        shape = tuple(value.shape)
        if not all(isinstance(n, int) for n in (*shape, *value.stride())):
            raise NotSupported("symview.torch.plan of sizes that are symbols: give examples of numbers")
        while name in self.given:
            head = name.rstrip("0123456789")
            name = f"{head}{int(name[len(head) :] or 0) + 1}"
        self.given[name], stand_in = View(shape, value.stride()), value
        if self.layouts and name in self.layouts and tuple(self.layouts[name].strides) != value.stride():
            new = torch.empty_strided(shape, self.layouts[name].strides, dtype=value.dtype, device=value.device)
            stand_in = new.copy_(value)
        self.note(stand_in, tensor(name, shape))
        self.known[id(value)] = (value, self.known[id(stand_in)][1], stand_in)
        return stand_in

    def note(self, value: Any, program: Program, before: Program | None = None) -> None:
        """Records the program of a tensor and its source; repeated copies count repeatedly."""
        self.known[id(value)] = (value, program, value)
        self.times[str(program)] += program is not before
        for part in program.chain():
            sizes: Any = part.shape
            self.bytes.setdefault(str(part), prod(sizes) * value.element_size())

    def read(self, values: Any) -> None:
        """Records that an operation that is not a view reads these."""
        for x in tree_leaves(values):
            program = self.known[id(x)][1] if isinstance(x, torch.Tensor) and id(x) in self.known else None
            if program is not None:
                self.programs[str(program)] = program

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        options = kwargs or {}
        if is_made_of_others(func):
            with self:
                found = func.decompose(*args, **options)
            if found is not NotImplemented:
                return found
        args, options = (tree_map(self._known, x) for x in (args, options))
        first = next((x for x in tree_leaves(args) if isinstance(x, torch.Tensor)), None)
        program = None if first is None or first.dim() == 0 else self.known[id(first)][1]
        if first is None or program is None:
            return self._made(func, args, options)
        rows = options.get("memory_format") is torch.contiguous_format
        if func is _ATEN.clone.default and rows and not first.is_contiguous():
            return self._laid_out(first, program, options)
        if func in _SHAPED:
            return self._shaped(func, first, program, args, options)
        steps = _steps(func, args, program)
        if steps is None:
            return self._made(func, args, options)
        out = func(*args, **options)
        for x, step in zip(out if isinstance(out, (list, tuple)) else [out], steps, strict=True):
            self.note(x, step, program)
        return out

    def _known(self, x: Any) -> Any:
        """The tensor, or its replacement; an unknown tensor counts as an input."""
        if not isinstance(x, torch.Tensor):
            return x
        if id(x) not in self.known:
            return self.made(x, "tensor")
        _, program, found = self.known[id(x)]
        if program is not None and tuple(found.shape) != program.shape:
            raise NotSupported(f"symview.torch.plan: {program} is given another shape in place")
        return found

    def _made(self, func: Any, args: Any, options: Any) -> Any:
        """Runs an operation that is not a view: it reads its arguments, and its results are new."""
        self.read([args, options])
        out, name = func(*args, **options), func.overloadpacket.__name__.strip("_")
        old = [x for x in tree_leaves([args, options]) if isinstance(x, torch.Tensor)]

        def new(x: Any) -> Any:
            if not isinstance(x, torch.Tensor) or any(x is y for y in old):
                return x
            if any(x.untyped_storage()._cdata == y.untyped_storage()._cdata for y in old):
                self.known[id(x)] = x, None, x  # another kind of view, which is not followed
                return x
            count, site = len(self.given), here()
            made = self.made(x, name)
            for added in list(self.given)[count:]:
                self.makers[added] = f"{site.call or name} at {site.library or site.place}"
            return made

        return tree_map(new, out)

    def _laid_out(self, first: Any, program: Program, options: Any) -> Any:
        """A copy into row-major order: with planned layouts, the view after it decides whether to copy."""
        if self.layouts is not None:
            return first
        out = _ATEN.clone.default(first, **options)
        self.note(out, program, program)
        self.copies.append(program)
        site = here()
        if site.call == "contiguous":
            self.places[str(program)] = str(site.library or site.place)
        return out

    def _shaped(self, func: Any, first: Any, program: Program, args: Any, options: Any) -> Any:
        """A view of another shape, or the result of a reshape that copies."""
        try:
            out = func(*args, **options)
        except (RuntimeError, ValueError):
            if self.layouts is None:
                raise
            out = func(first.contiguous(), *args[1:], **options)
        new = reshaped(program, out.shape)
        if self.layouts is not None and out.untyped_storage().data_ptr() != first.untyped_storage().data_ptr():
            self.copies.append(new)
        elif self.layouts is None and self.copies and self.copies[-1] is program and func is _ATEN._unsafe_view.default:
            self.copies[-1] = new
        self.note(out, new, program)
        return out


def reshaped(program: Program, shape: Sequence[int]) -> Program:
    """The program reshaped; itself if it has that shape."""
    return program if tuple(shape) == program.shape else program.reshape(tuple(shape))


def _steps(func: Any, args: Any, program: Program) -> list[Program] | None:
    """The programs of the results of a view; None if the operation is not one."""
    sizes, rest = list[int](program.shape), list[Any](args[1:])  # type: ignore[arg-type]
    rank = len(sizes)

    def cut(dim: int, first: int, end: int, step: int = 1) -> Program:
        if (first, end, step) == (0, sizes[dim], 1):
            return program
        rows = [(first, end, step) if d == dim % rank else (0, n, 1) for d, n in enumerate(sizes)]
        return program.slice(*[list(column) for column in zip(*rows, strict=True)])

    def at(dim: int, index: int) -> Program:
        index %= sizes[dim]
        return cut(dim, index, index + 1).reshape([n for d, n in enumerate(sizes) if d != dim % rank])

    def swapped(a: int, b: int) -> Program:
        order = list(range(rank))
        order[a], order[b] = order[b], order[a]
        return program.permute(order)

    if func in _SAME:
        return [program]
    match func.overloadpacket:
        case _ATEN.permute:
            return [program.permute([d % rank for d in rest[0]])]
        case _ATEN.transpose | _ATEN.transpose_:
            return [swapped(*rest)]
        case _ATEN.t | _ATEN.t_:
            return [swapped(0, -1)]
        case _ATEN.select:
            return [at(*rest)]
        case _ATEN.unbind:
            dim = rest[0] if rest else 0
            return [at(dim, i) for i in range(sizes[dim])]
        case _ATEN.slice:
            dim, start, end, step = [*rest, *_SLICE[len(rest) :]]
            first, last, by = slice(start, end, step).indices(int(sizes[dim]))
            return [cut(dim, first, max(first, last), by)]
        case _ATEN.split | _ATEN.split_with_sizes | _ATEN.unsafe_split | _ATEN.unsafe_split_with_sizes:
            dim, size = rest[1] if len(rest) > 1 else 0, rest[0]
            parts = size if isinstance(size, (list, tuple)) else [size] * -(-sizes[dim] // size)
            starts = [sum(parts[:n]) for n in range(len(parts))]
            return [cut(dim, low, min(low + n, sizes[dim])) for low, n in zip(starts, parts, strict=True)]
        case _ATEN.expand:
            new = list(rest[0])
            old = [1] * (len(new) - rank) + list(sizes)
            shape = [m if n == -1 else n for n, m in zip(new, old, strict=True)]
            return [program if shape == sizes else reshaped(program, old).expand(shape)]
    return None
