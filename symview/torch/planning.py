"""Layouts of inputs and results that would save copies of a PyTorch program: traced on fake tensors, checked on real.

Inputs, and results of operations that are not views, are tensors whose strides may be chosen. Their readers, through
views, are programs, and `symview.plan` finds strides that make all of them views.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.plans.answers import Plan, short
from symview.plans.plan import plan as plan_of
from symview.view import View
from symview.views.stride_faults import is_dense, order_of

if TYPE_CHECKING:
    from symview.torch.plan_modes import Traced

_DROP = "drop the .contiguous()"


@dataclass(frozen=True)
class TorchPlan:
    """The copies of a function, and layouts of tensors that would save them; truthy if nothing copies.

    `copies` and `bytes`: of the function as it is; `plan`: the layouts, and the copies that none avoids;
    `left`: the bytes that are copied with the changes. `changes`: code that lays out each tensor, by the name of an
    input, or the operation and number of a result; or the `contiguous()` to drop, where the layout is right already.
    `made`: the operation and the line that makes each result. `check(*examples)` runs the function with these layouts
    and lists the remaining copies.
    """

    copies: tuple[str, ...]
    bytes: int
    plan: Plan
    changes: Mapping[str, str]
    left: int
    made: Mapping[str, str]
    _function: Callable[..., Any] = field(repr=False, compare=False)

    def __bool__(self) -> bool:
        return not self.copies

    def __str__(self) -> str:
        lines = [
            f"{len(self.copies)} cop{'y' if len(self.copies) == 1 else 'ies'} now, {self.bytes} bytes"
            if self.copies
            else "nothing copies"
        ]
        lines += [f"  {short(name)}" for name in self.copies]
        lines += [self._line(name, how) for name, how in self.changes.items()]
        used = [name for name in self.made if any(copy.startswith(f"{name}(") for copy in self.copies)]
        lines += [f"{name} is the result of {self.made[name]}" for name in used]
        if self.copies:
            least = ", and no layouts save more" if self.plan.optimal != "undecided" else ", perhaps more than needed"
            lines.append(f"then {self.left} bytes are copied" + (least if self.left else ""))
        conflicts = [f"  {conflict}" for conflict in self.plan.conflicts] if self.left else []
        return "\n".join([*lines, *dict.fromkeys(conflicts)])

    def _line(self, name: str, how: str) -> str:
        return how if how.startswith(_DROP) else f"lay out {name} as {how}"

    def check(self, *examples: Any) -> tuple[str, ...]:
        """Runs the function on these examples with the planned layouts, and lists the copies.

        An extra copy lays out each result, in place of a kernel that would write it there; `contiguous()` is skipped.
        A result is a view if it has the storage of its tensor (`data_ptr`).
        """
        from symview.torch.plan_modes import traced  # loads PyTorch

        layouts = {name: self.plan.layouts[name] for name in self.changes}
        return traced(self._function, examples, layouts).copies


def plan(fn: Callable[..., Any], *examples: Any, budget: Budget | None = None) -> TorchPlan:
    """Finds the copies of a function of tensors, and strides of inputs and results that would save them.

    `examples`: real or fake tensors; nothing is computed. Views, `reshape`, `contiguous` and their clones are programs
    of their tensor; all other operations read tensors in any layout and make new ones, whose strides are free.
    Copies into channels-last formats remain. Raises NotSupported if sizes are symbols, or change in place;
    InputError without tensors.
    """
    from symview.torch.plan_modes import on_fakes, traced  # loads PyTorch

    found = traced(fn, on_fakes(examples))
    if not found.programs:
        raise InputError("symview.torch.plan: give a function and tensors for it")
    before = sum(found.bytes[c] for c in found.copies)
    parts = {str(part) for program in found.programs for part in program.chain()}
    weights = {name: weight for name, weight in found.weights.items() if name in parts}
    answer = plan_of(*found.programs, weights=weights, element_bytes=1, budget=budget)
    now = {n: sum(found.bytes[c] for c in found.copies if c.startswith(f"{n}(")) for n in found.given}
    then = {n: sum(found.weights[c] for c in answer.copies if c.startswith(f"{n}(")) for n in found.given}
    changes = {n: _change(n, found, answer) for n in found.given if then[n] < now[n]}
    left = sum(min(now[n], then[n]) for n in now)
    return TorchPlan(found.copies, before, answer, changes, left, found.made, fn)


def _change(name: str, found: Traced, answer: Plan) -> str:
    """What saves the copies of a tensor: a layout, or, where it has this layout, that it is not laid out once more."""
    view, new = found.given[name], answer.layouts[name]
    if all(a == b or n == 1 for n, a, b in zip(view.shape, view.strides, new.strides, strict=True)):
        saved = [c for c in found.copies if c.startswith(f"{name}(") and c not in answer.copies]
        places = dict.fromkeys(found.places[c] for c in saved if c in found.places)
        return f"{_DROP} at {' and '.join(places)}" if places else f"{_DROP} before its views"
    return _how(name, new)


def _how(name: str, view: View) -> str:
    """Code that lays out a tensor as the view."""
    if not is_dense(view):
        return f"torch.empty_strided({view.shape}, {view.strides}).copy_({name})"
    order = order_of(view)[::-1]
    back = tuple([order.index(d) for d in range(view.rank)])
    return f"{name}.permute{order}.contiguous().permute{back}, strides {view.strides}"
