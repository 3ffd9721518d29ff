"""For PyTorch: is this `view` legal, and what is the weakest guard? PyTorch itself is not imported here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, TypeAlias

from symview.answers import AmbiguousTruth, Counterexample
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.sympy_bridge import Integer, as_integer, free_symbols, is_number, to_term, to_text
from symview.logic.terms import names, value_of
from symview.questions.facade import Conditions
from symview.questions.reshaping import reshape_conditions, target_shape
from symview.tensors import as_entry, environment
from symview.view import View

Outcome: TypeAlias = Literal["view", "copy", "depends"]
_UNBOUNDED = 2**63 - 2  # the largest machine integers stand for no bound, as PyTorch's infinity does


@dataclass(frozen=True, slots=True)
class ViewGuard:
    """Whether a tensor has another shape without a copy, and the weakest guard of that answer.

    Truthy for "view", falsy for "copy"; for "depends" `bool()` raises.
    `outcome`: "view" or "copy" at the tensor's present sizes (the hints of a symbolic tensor);
    "depends" where the answer needs a symbol that has no hint.
    `guard`: Python over the symbols' names, true exactly where the outcome is right (for
    "depends": where it is a view), within the ranges of the symbols; "True" where always.
    `conditions`: the answer for all values. `view`: the view at the present sizes, in symbols;
    None for "copy", and for "depends" where its strides differ between cases. `strides_guard`:
    where `view` has these strides, beside `guard`; "True" unless other sizes have other strides.
    `counterexample`: for "copy", where it breaks at the present sizes.
    """

    outcome: Outcome
    guard: str
    conditions: Conditions
    view: View | None = None
    strides_guard: str = "True"
    counterexample: Counterexample | None = None

    def __bool__(self) -> bool:
        if self.outcome == "depends":
            raise AmbiguousTruth(f"view or copy, that depends on values: look at .outcome and .guard ({self.guard})")
        return self.outcome == "view"

    def __str__(self) -> str:
        where = "" if self.guard == "True" else f" where {self.guard}"
        if self.outcome == "copy":
            return f"copy{where}" if self.counterexample is None else f"copy{where}: {self.counterexample}"
        shown = "view" if self.view is None else f"view {self.view}"
        strides = "" if self.strides_guard == "True" else f" (these strides where {self.strides_guard})"
        return f"{shown}{where}{strides}{', else copy' if self.outcome == 'depends' else ''}"


def view_guard(tensor: Any, shape: Sequence[Any], budget: Budget | None = None) -> ViewGuard:
    """Whether `tensor.view(shape)` is legal, and the weakest guard under which that stays so.

    `tensor`: what `View.of` takes; of a fake tensor, entries are symbols of its ShapeEnv, whose
    ranges are taken for granted and to which no guard is added. `shape`: ints and SymInts, one
    may be -1. Raises InputError where the numbers of elements differ at the present sizes, and
    what `reshape_conditions` raises.

    >>> import numpy
    >>> print(view_guard(numpy.zeros((4, 6))[:, ::2], (2, 2, -1)))
    view (2,2,3):(12,6,2)
    >>> print(view_guard(numpy.zeros((4, 6))[:, :4], (16,)))
    copy: at index (4): one view would reach 4, the composition reaches 6
    """
    view, target = View.of(tensor), _sizes(shape)
    symbols = free_symbols([*view.entries(), *target])
    ranges, hints = _known(environment(tensor, *shape), symbols)
    sizes = [n for n in dict.fromkeys((*view.shape, *target)) if not isinstance(n, int) and not n.is_nonnegative]
    return guard_at(view, target, hints, [*ranges, *(f"{to_text(n)} >= 0" for n in sizes)], budget)


def guard_at(
    view: View, shape: Sequence[Any], values: Mapping[str, int], assume: Any = (), budget: Budget | None = None
) -> ViewGuard:
    """`view_guard` of a view, at values of some of its symbols by name.

    >>> t = View.parse("(B,S,D):(t0,t1,t2)")
    >>> new = View.parse("(B*S,D)").shape
    >>> print(guard_at(t, new, {"B": 4, "S": 5, "D": 6, "t0": 30, "t1": 6, "t2": 1}))
    view (B*S,D):(t1,t2) where B == 1 or S == 1 or t0 == S*t1 (these strides where B != 1 and S != 1)
    >>> print(guard_at(t, new, {}))
    view where B == 1 or S == 1 or t0 == S*t1, else copy
    """
    shape = _sizes(shape)
    conditions = reshape_conditions(view, shape, assume, budget)
    legal = conditions.guards()
    here = {name: values[name] for name in conditions.symbols() if name in values}
    terms = [to_term(n) for n in (*view.shape, *shape)]
    if all(name in here for name in names(*terms)):
        sizes = [value_of(t, here) for t in terms]
        target_shape(View(sizes[: view.rank]), sizes[view.rank :])  # raises where the numbers of elements differ
    if any(name not in here for name in names(conditions.term())):
        return ViewGuard("depends", legal, conditions, *_view(conditions, here))
    if conditions.holds(here):
        return ViewGuard("view", legal, conditions, *_view(conditions, here))
    breaks = conditions.counterexample(here) if len(here) == len(conditions.symbols()) else None
    counts = _count_guard(prod(view.shape), prod(n for n in shape if n != -1), -1 in shape)
    guard = " and ".join(filter(None, (counts, "" if legal == "False" else f"not ({legal})"))) or "True"
    return ViewGuard("copy", guard, conditions, counterexample=breaks)


def _sizes(shape: Any) -> tuple[Integer, ...]:
    """The sizes asked for, SymInts as expressions."""
    if isinstance(shape, str) or not isinstance(shape, Iterable):
        raise InputError(f"shape {shape!r}: give a sequence of sizes")
    return tuple([as_integer(as_entry(n), f"size {axis}") for axis, n in enumerate(shape)])


def _known(env: Any, symbols: Mapping[str, Any]) -> tuple[list[str], dict[str, int]]:
    """What a ShapeEnv knows of these symbols: their ranges as assumptions, and their hints."""
    if env is None:
        return [], {}
    values = env.backed_var_to_val if hasattr(env, "backed_var_to_val") else env.var_to_val  # its older name
    ranges = []
    for name, symbol in symbols.items():
        bounds = env.var_to_range.get(symbol)
        for relation, bound in ((">=", bounds.lower), ("<=", bounds.upper)) if bounds is not None else ():
            if bound.is_Integer and abs(int(bound)) < _UNBOUNDED:
                ranges.append(f"{name} {relation} {int(bound)}")
    return ranges, {name: int(values[symbol]) for name, symbol in symbols.items() if symbol in values}


def _count_guard(have: Integer, given: Integer, hole: bool) -> str:
    """That the numbers of elements agree, with -1 in the shape or without; empty where that is plain."""
    if is_number(have) and is_number(given):
        return ""
    import sympy

    if hole:
        if sympy.cancel(have / given).is_integer:
            return ""
        whole = f"({to_text(have)}) % ({to_text(given)}) == 0"
        return whole if isinstance(given, int) or given.is_positive else f"{to_text(given)} != 0 and {whole}"
    return "" if sympy.expand(have - given) == 0 else f"{to_text(have)} == {to_text(given)}"


def _view(conditions: Conditions, values: Mapping[str, int]) -> tuple[View | None, str]:
    """The view, and where it has its strides: the one of all cases, or of the case that the values are in."""
    found = {case.substituted() for case in conditions.cases if case.view is not None}
    if len(found) == 1:
        return found.pop(), "True"
    if len(values) < len(conditions.symbols()):
        return None, "True"
    case = conditions.case(values)
    return case.substituted(), to_text(case.data.where)
