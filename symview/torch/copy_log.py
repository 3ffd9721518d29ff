"""What is observed of a running program, as little as possible for each copy: texts are written when they are read."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from weakref import ref

from symview.errors import SymviewError
from symview.torch.answers import view_guard
from symview.torch.consumers import Use
from symview.torch.decisions import conditions_known
from symview.torch.places import Site, here
from symview.view import View
from symview.views.density import contiguous_conditions
from symview.views.reshaping import reshape_conditions

Sizes = tuple[int | str, ...]
_CONSTRUCTORS = "tensor", "new_tensor"  # they make a tensor, of the elements of another one, too
_REMEMBERED = 16  # copies that may still be viewed
_SOURCES = 64  # tensors that may be copied again


class Seen(NamedTuple):
    """A tensor of this shape and these strides that was copied, into row-major order or a channels-last format.

    `kind`: clone, to, asked (a `to` because of copy=True alone), or matrix (as the argument of a matrix product).
    `bytes`: of one copy; of symbols at their hints, 0 without these.
    """

    site: Site
    kind: str
    shape: Sizes
    strides: Sizes
    channels_last: bool
    bytes: int


class Copied(NamedTuple):
    """A copy. `target`: the sizes of a reshape; `viewed`: all sizes that it was viewed as soon after.

    `condition`: of symbols, where it is no copy. `uses`: the operations that read it or its views, as far as observed.
    """

    seen: Seen
    target: Sizes | None = None
    viewed: tuple[Sizes, ...] = ()
    condition: str = ""
    uses: tuple[Use, ...] = ()


class Log:
    """Receives what is observed: clones, views of these, operations that read them; counts equal copies."""

    def __init__(self) -> None:
        self.counts = Counter[Copied]()
        self.order: dict[Seen, int] = {}
        self.shared = Counter[tuple[Copied, ...]]()
        self.cloning = False  # whether a clone runs
        self.recent = deque[_Recent]()
        self.sources: dict[Any, _Source] = {}

    def cloned(self, before: Any, after: Any, kind: str, channels_last: bool) -> None:
        """Records that a tensor was cloned into a memory format."""
        seen = _seen(kind, before, channels_last)
        if kind in ("to", "asked") and seen.site.call in _CONSTRUCTORS:
            return
        self.order.setdefault(seen, len(self.order))
        symbolic = before if is_symbolic(before) else None
        source = self._source(before, channels_last)
        self.recent.append(_Recent(ref(after), ref(after.untyped_storage()), seen, source, symbolic))
        if len(self.recent) > _REMEMBERED:
            self._settle(self.recent.popleft())

    def multiplied(self, matrix: Any) -> None:
        """Records that a matrix product copies this argument."""
        seen = _seen("matrix", matrix, False)
        self.order.setdefault(seen, len(self.order))
        self.counts[Copied(seen)] += 1

    def viewed(self, tensor: Any, shape: Sequence[int], of_reshape: bool) -> None:
        """Records that a tensor was viewed: if it is a recent copy, that belongs to it."""
        for recent in self.recent:
            if recent.after() is tensor:
                if of_reshape:
                    self.recent.remove(recent)
                    self._settle(recent, shape)
                elif (sizes := tuple(map(_size, shape))) not in recent.viewed:
                    recent.viewed.append(sizes)
                return
        self.used("view", tensor, tuple(shape))

    def used(self, operation: str, tensor: Any, target: tuple[int, ...] | None = None, work: int = 0) -> None:
        """Records that an operation read a tensor, if that lies in the memory of a recent copy."""
        try:
            storage = tensor.untyped_storage()
        except (RuntimeError, NotImplementedError):  # a wrapper of tensors, or a sparse one
            return
        recent = next((r for r in self.recent if r.storage() is storage and r.symbolic is None), None)
        if recent is None or is_symbolic(tensor) or len(recent.uses) == _REMEMBERED:
            return
        layout = tuple(tensor.shape), tensor.stride(), tensor.storage_offset()
        if all(
            (u.operation, u.shape, u.strides, u.offset, u.target) != (operation, *layout, target) for u in recent.uses
        ):
            recent.uses.append(Use(operation, here(), *layout, target, work))

    def settle(self) -> None:
        """Counts all copies so far."""
        while self.recent:
            self._settle(self.recent.popleft())
        while self.sources:
            self._forget(next(iter(self.sources)))

    def _settle(self, recent: _Recent, target: Sequence[Any] | None = None) -> None:
        condition = "" if recent.symbolic is None else _condition(recent.symbolic, target)
        sizes = None if target is None else tuple(map(_size, target))
        copied = Copied(recent.seen, sizes, tuple(recent.viewed), condition, tuple(recent.uses))
        self.counts[copied] += 1
        if recent.seen.kind != "asked":
            recent.source.copies.append(copied)

    def _source(self, tensor: Any, channels_last: bool) -> _Source:
        """What was copied before of the same elements, as they are now."""
        storage, version = tensor.untyped_storage(), 0 if tensor.is_inference() else tensor._version
        layout = tensor.storage_offset(), *tensor.shape, *tensor.stride()
        key = storage._cdata, tuple(map(_size, layout)), version, channels_last
        known = self.sources.get(key)
        if known is None or known.storage() is not storage:
            self._forget(key)
            known = self.sources[key] = _Source(ref(storage), [])
            if len(self.sources) > _SOURCES:
                self._forget(next(iter(self.sources)))
        return known

    def _forget(self, key: Any) -> None:
        known = self.sources.pop(key, None)
        if known is not None and len(known.copies) > 1:
            self.shared[tuple(known.copies)] += 1


def is_symbolic(tensor: Any) -> bool:
    """Whether sizes or strides of a tensor are symbols."""
    return bool(tensor._has_symbolic_sizes_strides)


def _seen(kind: str, tensor: Any, channels_last: bool) -> Seen:
    """The copy of a tensor at the running line."""
    shape, strides, size = tensor.shape, tensor.stride(), tensor.numel() * tensor.element_size()
    if not is_symbolic(tensor):
        return Seen(here(), kind, tuple(shape), strides, channels_last, size)
    known = size if isinstance(size, int) else size.node.hint if size.node.has_hint() else 0
    return Seen(here(), kind, tuple(map(_size, shape)), tuple(map(_size, strides)), channels_last, known)


def _size(n: Any) -> int | str:
    """A size or stride that can be a key: a symbol by its name, without a guard on its value."""
    return n if isinstance(n, int) else str(n)


def _condition(tensor: Any, target: Sequence[Any] | None) -> str:
    """The sizes at which there is no copy; without PyTorch's guards if these say that there is one."""
    try:
        view = View.of(tensor)
        if target is None:
            known: Any = conditions_known(contiguous_conditions, tensor)
            found = known if str(known) != "never" else contiguous_conditions(view)
        else:
            guard = view_guard(tensor, target)
            known, shape = guard.conditions, guard.question.shape
            found = known if str(known) != "never" else reshape_conditions(view, shape)
    except SymviewError as error:
        return f"depends on the values of the symbols: {error}"
    return f"no copy where {found}"


@dataclass(slots=True, eq=False)
class _Recent:
    after: Any
    storage: Any
    seen: Seen
    source: _Source
    symbolic: Any  # the tensor, if it has symbols
    viewed: list[Sizes] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)


class _Source(NamedTuple):
    storage: Any
    copies: list[Copied]
