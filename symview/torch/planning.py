"""Layouts of inputs and results that would save copies of a PyTorch program: traced on fake tensors, checked on real.

Inputs, and results of operations that are not views, are tensors whose strides may be chosen. Their readers, through
views, are programs, and `symview.plan` finds strides that make all of them views.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.plans.answers import Plan, short
from symview.plans.plan import plan as plan_of
from symview.view import View
from symview.views.stride_faults import is_dense, order_of


@dataclass(frozen=True)
class TorchPlan:
    """The copies of a function, and layouts of tensors that would save them; truthy if nothing copies.

    `copies` and `bytes`: of the function as it is; `plan`: the layouts, and the copies that none avoids;
    `left`: the bytes that are copied with the changes. `changes`: code that lays out each tensor, by the name of an
    input, or the operation and number of a result. `check(*examples)` runs the function with these layouts and lists
    the remaining copies.
    """

    copies: tuple[str, ...]
    bytes: int
    plan: Plan
    changes: Mapping[str, str]
    left: int
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
        lines += [f"lay out {name} as {how}" for name, how in self.changes.items()]
        if self.copies:
            least = ", and no layouts save more" if self.plan.optimal != "undecided" else ", perhaps more than needed"
            lines.append(f"then {self.left} bytes are copied" + (least if self.left else ""))
        conflicts = [f"  {conflict}" for conflict in self.plan.conflicts] if self.left else []
        return "\n".join([*lines, *dict.fromkeys(conflicts)])

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
    changes = {n: _how(n, answer.layouts[n]) for n in found.given if then[n] < now[n]}
    return TorchPlan(found.copies, before, answer, changes, sum(min(now[n], then[n]) for n in now), fn)


def _how(name: str, view: View) -> str:
    """Code that lays out a tensor as the view."""
    if not is_dense(view):
        return f"torch.empty_strided({view.shape}, {view.strides}).copy_({name})"
    order = order_of(view)[::-1]
    back = tuple([order.index(d) for d in range(view.rank)])
    return f"{name}.permute{order}.contiguous().permute{back}, strides {view.strides}"
