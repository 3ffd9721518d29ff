"""Wraps the DSL's functions that return layouts: each result of a trace is compared with the exact one."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from threading import RLock
from typing import Any, NamedTuple

from cutlass.cute import core

from symview.cute import ComposedLayout, Layout, LayoutError
from symview.cute.complements import gaps
from symview.displayed import Displayed
from symview.dsl.contracts import DIVISIONS, PRODUCTS, Fault, answer, fault, reason
from symview.dsl.frames import Place, place_of, user_frame
from symview.dsl.reading import Reader, has_empty_mode, is_layout, is_tensor, layout_text, value_of
from symview.dsl.symbolic import Verdict, answer_by_cases, has_symbols, verdict
from symview.errors import InputError, NotSupported, SymviewError, Undecided

_LAYOUT, _TILE, _SHAPE, _PLAIN, _FIXED = "layout", "tile", "shape", "plain", "coordinate"

# The arguments of each checked function of `cutlass.cute.core`, in the order of symview's own function.
ARGUMENTS: dict[str, dict[str, str]] = {
    "coalesce": {"input": _LAYOUT, "target_profile": _PLAIN},
    "filter": {"input": _LAYOUT},
    "filter_zeros": {"input": _LAYOUT, "target_profile": _PLAIN},
    "flatten": {"a": _LAYOUT},
    "select": {"input": _LAYOUT, "mode": _PLAIN},
    "get": {"input": _LAYOUT, "mode": _PLAIN},
    "group_modes": {"input": _LAYOUT, "begin": _PLAIN, "end": _PLAIN},
    "slice_": {"src": _LAYOUT, "coord": _FIXED},
    "dice": {"src": _LAYOUT, "dicer": _FIXED},
    "append": {"input": _LAYOUT, "elem": _LAYOUT, "up_to_rank": _PLAIN},
    "prepend": {"input": _LAYOUT, "elem": _LAYOUT, "up_to_rank": _PLAIN},
    "composition": {"lhs": _LAYOUT, "rhs": _TILE},
    "complement": {"input": _LAYOUT, "cotarget": _TILE},
    "right_inverse": {"input": _LAYOUT},
    "left_inverse": {"input": _LAYOUT},
    **{f"{how}_divide": {"target": _LAYOUT, "tiler": _TILE} for how in DIVISIONS},
    **{f"{how}_product": {"block": _LAYOUT, "tiler": _TILE} for how in PRODUCTS},
    "make_ordered_layout": {"shape": _SHAPE, "order": _PLAIN},
    "make_layout_like": {"input": _LAYOUT},
    "recast_layout": {"new_type_bits": _PLAIN, "old_type_bits": _PLAIN, "src_layout": _LAYOUT},
    "tile_to_shape": {"atom": _LAYOUT, "trg_shape": _SHAPE, "order": _PLAIN},
    "max_common_layout": {"a": _LAYOUT, "b": _LAYOUT},
    "nullspace": {"layout": _LAYOUT},
    "local_tile": {"input": _LAYOUT, "tiler": _TILE, "coord": _FIXED, "proj": _PLAIN},
}  # fmt: skip


class WrongLayout(SymviewError):
    """A function of the DSL returned a wrong layout: which function, where the layout is wrong, and the right one."""

    def __init__(self, question: str, given: str, found: Fault | Verdict, place: Place) -> None:
        super().__init__(question, given, found, place)
        self.question, self.given, self.found, self.place = question, given, found, place

    @property
    def right(self) -> Any:
        """The right layout; None if there is none, or none for all values."""
        return self.found.right if isinstance(self.found, Fault) else None

    def __str__(self) -> str:
        lines = [f"cute.{self.question} gave {self.given}", f"{self.found}"]
        if isinstance(self.found, Fault):
            right = self.right
            lines.append("no layout is right" if right is None else f"right is {right}")
        return "\n  ".join([*lines, str(self.place)])


class RefusedLayout(SymviewError):
    """A function of the DSL would end the process, or returned no layout, without an explanation."""


class LayoutWarning(UserWarning):
    """A layout is right only for some values, has elements outside the layout that is divided, or is missing."""


class Checked(NamedTuple):
    """A checked call: its function, its line, and its outcome."""

    name: str
    place: Place
    outcome: str  # right, undecided, unanswered, told, refused, wrong, failed
    text: str = ""


@dataclass(slots=True)
class Report(Displayed):
    """The calls that a `checked()` has examined so far."""

    calls: list[Checked] = field(default_factory=list)

    def count(self, outcome: str) -> int:
        """The number of calls with this outcome: right, undecided, unanswered, told, refused, wrong or failed."""
        return sum(call.outcome == outcome for call in self.calls)

    def stop(self) -> None:
        """Ends these checks, and restores all bindings if no other checks run."""
        with _LOCK:
            _REPORTS[:] = [other for other in _REPORTS if other is not self]
            if not _REPORTS and _WRAPPED:
                _uninstall()

    def __str__(self) -> str:
        shown = [f"{self.count(o)} {o}" for o in dict.fromkeys(call.outcome for call in self.calls)]
        return f"{len(self.calls)} layouts checked" + (f": {', '.join(shown)}" if shown else "")


def what_is_checked() -> tuple[str, ...]:
    """The names of the functions of `cutlass.cute.core` whose layouts are compared with symview's."""
    return tuple(name for name in ARGUMENTS if hasattr(core, name))


# Wrapping


_LOCK = RLock()
_REPORTS: list[Report] = []
_WRAPPED: dict[int, tuple[Any, Any]] = {}  # by the id of the original: original and wrapper
_TOLD: set[tuple[Place, str]] = set()  # warnings already given, until the checks end
_MODULES = "_FRAMEWORK_MODULE_PREFIXES"


@contextmanager
def checked() -> Iterator[Report]:
    """Checks every layout that the DSL computes inside: `with symview.dsl.checked(): cute.compile(kernel, …)`.

    A wrong layout raises WrongLayout at the kernel's line. A layout that is right only for some values, or has elements
    outside the layout that it divides, is a LayoutWarning, once for each line. A refusal of the DSL gets a note that
    explains it. If symview has no answer, there is no message; the report counts it. Leaving the block restores all
    bindings.
    """
    report = check_always()
    try:
        yield report
    finally:
        report.stop()


def check_always() -> Report:
    """Checks all layouts from now on, until `stop()` of the report.

    `CUTE_CHECK=1` in the environment does this as soon as symview and the DSL are imported.
    """
    report = Report()
    with _LOCK:
        if not _REPORTS:
            _install()
        _REPORTS.append(report)
    return report


def _install() -> None:
    for name in what_is_checked():
        original = getattr(core, name)
        _WRAPPED[id(original)] = original, _wrapper(name, original)
    _rebind({id(old): new for old, new in _WRAPPED.values()})
    _frameworks(lambda names: (*names, "symview.dsl"))


def _uninstall() -> None:
    _rebind({id(new): old for old, new in _WRAPPED.values()})
    _WRAPPED.clear()
    _TOLD.clear()
    _frameworks(lambda names: tuple([n for n in names if n != "symview.dsl"]))


def _rebind(instead: dict[int, Any]) -> None:
    """Replaces functions in every module that has one of them under any name."""
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if id(value) in instead and value is not instead[id(value)]:
                module.__dict__[name] = instead[id(value)]


def _frameworks(change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
    """Makes the DSL skip the wrappers when it searches for the line of an operation."""
    module = sys.modules.get("cutlass._mlir_helpers.op")
    if module is not None and hasattr(module, _MODULES):
        setattr(module, _MODULES, change(getattr(module, _MODULES)))


def _wrapper(name: str, original: Any) -> Any:
    if not callable(getattr(original, "func", None)):
        return _checking(name, original)
    return type(original)(_checking(name, original.func), original.mode)  # `select[0, 1](layout)`


def _checking(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    parameters = signature(original)

    @wraps(original)
    def called(*args: Any, **given: Any) -> Any:
        call = _Call(name, parameters, args, given)
        call.survive(original)
        try:
            result = original(*args, **given)
        except Exception as error:
            call.explain(error)
            raise
        try:
            call.compare(result)
        except WrongLayout as error:  # the traceback should end at the kernel's line
            raise error.with_traceback(None) from None
        return result

    return called


# One call


class _Call:
    """A call of a function of the DSL; its arguments are read when they are needed."""

    def __init__(self, name: str, parameters: Any, args: tuple[Any, ...], given: dict[str, Any]) -> None:
        self.name = name
        self.parameters, self.args, self.given = parameters, args, given
        self.frame = user_frame()
        self._read: tuple[Reader, tuple[Any, ...]] | None = None

    @property
    def place(self) -> Place:
        """The kernel's line."""
        return place_of(self.frame)

    def read(self) -> tuple[Reader, tuple[Any, ...]]:
        """The arguments as symview's objects, and their reader; InputError if they are not supported."""
        if self._read is None:
            reader = Reader(self.frame)
            given = self.parameters.bind(*self.args, **self.given).arguments
            kinds = ARGUMENTS[self.name]
            values = [_argument(reader, kind, given.get(name)) for name, kind in kinds.items()]
            while len(values) > 1 and values[-1] is None and self.name not in ("composition", "slice_", "dice"):
                values.pop()
            self._read = reader, tuple(values)
        return self._read

    def text(self) -> str:
        """The call as text."""
        _, args = self.read()
        shown = [_shown(x) for x in args]
        return (
            f"composition of {' ∘ '.join(shown)}" if self.name == "composition" else f"{self.name}({', '.join(shown)})"
        )

    def compare(self, result: Any) -> None:
        """Raises WrongLayout if the result is wrong, warns if it may be; records the outcome."""
        value = value_of(result)
        if value is None or not (is_layout(result) or is_tensor(result)):
            return
        try:
            self._compare(result, value)
        except (WrongLayout, LayoutWarning):
            raise
        except Undecided as error:
            self._keep("undecided", str(error))
        except SymviewError as error:
            self._keep("unanswered", str(error))
        except Exception as error:  # checking must never make a kernel fail
            self._keep("failed", f"{type(error).__name__}: {error}")

    def _compare(self, result: Any, value: Any) -> None:
        text = layout_text(value.type)
        if text == "x:x":
            return self._tell(
                "refused", f"cute.{self.text()} gave no layout, x:x, which no later use takes; {self.advice()}"
            )
        reader, args = self.read()
        guessed, reader.unread = reader.unread, False
        try:
            found = reader.layout(result)
        except LayoutError as error:
            if has_empty_mode(text):
                raise self._wrong(text, self._no_layout(error)) from None
            raise
        if reader.unread:
            raise NotSupported(f"{text}: what computes this at run time is not known at compile time")
        if has_symbols((*args, found)):
            return self._for_all(reader, args, found, guessed or reader.guessed)
        at_fault = fault(self.name, args, found)
        if at_fault is None:
            return self._keep("right")
        if not at_fault.grave:
            return self._tell("told", f"cute.{self.text()} gave {text}: {at_fault}")
        raise self._wrong(text, at_fault)

    def _no_layout(self, error: LayoutError) -> Fault:
        try:
            right, why = answer(self.name, self.read()[1]), str(error)
        except LayoutError as refusal:
            right, why = None, f"{error}; {reason(refusal)}"
        return Fault(None, None, None, right, why)

    def _for_all(self, reader: Reader, args: tuple[Any, ...], found: Any, guessed: bool) -> None:
        """The outcome for all values; `guessed`: facts that hold for some arguments may be unknown."""
        known = _verdict(self.name, args, found, reader)
        if known.never:
            raise self._wrong(f"{found}", known)
        if known.fault is not None and not guessed:
            return self._tell("told", f"cute.{self.text()} gave {found}, {known}")
        proved = known.proved and known.fault is None
        return self._keep("right" if proved else "undecided", "" if proved else f"{found}")

    def _wrong(self, given: str, found: Fault | Verdict) -> WrongLayout:
        self._keep("wrong", str(found))
        return WrongLayout(self.text(), given, found, self.place)

    def _tell(self, outcome: str, text: str) -> None:
        place = self.place
        self._keep(outcome, text)
        if (place, text) not in _TOLD:
            _TOLD.add((place, text))
            warnings.warn_explicit(text, LayoutWarning, place.file, place.line or 1)

    def _keep(self, outcome: str, text: str = "") -> None:
        for report in _REPORTS:
            report.calls.append(Checked(self.name, self.place, outcome, text))

    # Refusals

    def explain(self, error: Exception) -> None:
        """Adds a note to the DSL's error: whether the layout exists, and if not, why."""
        try:
            note = f"symview: cute.{self.text()}: {self.advice()}"
        except Exception:  # symview cannot read the arguments: the DSL's own message remains
            return
        self._keep("refused", note)
        error.add_note(note)

    def advice(self) -> str:
        """Symview's answer, or the reason why there is none."""
        _, args = self.read()
        try:
            if has_symbols(args):
                return f"by symview's answer: {answer_by_cases(self.name, args)}"
            return f"the layout exists, it is {answer(self.name, args)}"
        except LayoutError as error:
            return f"there is no such layout: {reason(error)}"
        except Undecided as error:
            return f"undecided whether there is such a layout: {error}"

    def survive(self, original: Callable[..., Any]) -> None:
        """Raises RefusedLayout if the DSL would end the process, since it divides by 0 when copies do not fit.

        It tries the call in a process of its own, and only if the modes of an argument interleave.
        """
        if self.name not in _ENDING:
            return
        try:
            _, args = self.read()
            if not any(map(_interleaves, _layouts(args))):
                return
        except (SymviewError, TypeError):
            return
        if _dies(lambda: original(*self.args, **self.given)):
            self._keep("refused", self.text())
            raise RefusedLayout(f"cute.{self.text()} would end the process; {self.advice()}\n  {self.place}")


_ENDING = (*(name for name in ARGUMENTS if name.endswith(("_divide", "_product"))), "tile_to_shape", "local_tile")


def _layouts(x: Any) -> Iterator[Layout]:
    """The numeric layouts among the arguments."""
    if isinstance(x, tuple):
        for part in x:
            yield from _layouts(part)
    elif isinstance(x, ComposedLayout):
        yield from _layouts(x.layoutA)
    elif isinstance(x, Layout) and x.numeric:
        yield x


def _interleaves(layout: Layout) -> bool:
    """Whether a mode begins, by stride, before the modes below it end."""
    return any(gap.stride < gap.reach for gap in gaps(layout))


def _dies(attempt: Callable[[], Any]) -> bool:
    """Whether the attempt, in a process of its own, is ended by a signal."""
    child = os.fork()
    if child == 0:
        faulthandler.disable()
        try:
            attempt()
        finally:
            os._exit(0)
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.WIFSIGNALED(status)
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)  # it waits for a lock of another thread of this process: nothing is known
    os.waitpid(child, 0)
    return False


_PATIENCE = 5.0  # seconds


def _argument(reader: Reader, kind: str, x: Any) -> Any:
    if x is None or kind == _PLAIN:
        return x
    if kind == _FIXED:
        return _coordinate(x)
    if kind == _LAYOUT:
        if not is_layout(x) and not is_tensor(x):
            raise InputError(f"{x!r} is not a layout")
        return reader.layout(x)
    return reader.tile(x)


def _coordinate(x: Any) -> Any:
    """The coordinate with 0 for numbers known only at run time: the free modes do not depend on them."""
    if isinstance(x, tuple):
        return tuple(map(_coordinate, x))
    return x if x is None or isinstance(x, int) else 0


def _shown(x: Any) -> str:
    if isinstance(x, tuple):
        return f"({', '.join(map(_shown, x))}{',' * (len(x) == 1)})"
    return str(x)


def _verdict(name: str, args: tuple[Any, ...], found: Any, reader: Reader) -> Verdict:
    key = name, str(args), str(found), str(reader.facts)
    if key not in _ANSWERED:
        if len(_ANSWERED) > _MOST:
            _ANSWERED.clear()
        _ANSWERED[key] = verdict(name, args, found, reader.facts)
    return _ANSWERED[key]


_ANSWERED: dict[Any, Verdict] = {}
_MOST = 1 << 10
