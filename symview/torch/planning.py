"""Which layouts of inputs and results would save a PyTorch program its copies: traced on fake tensors, checked on real.

Every input and every result of an operation that is no view is a tensor whose strides may be chosen; what reads it
through views is a program of it, and `symview.plan` says which strides make all these views.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.plans.answers import Plan, short
from symview.plans.plan import plan as plan_of
from symview.rules.programs.program import Program
from symview.view import View
from symview.views.stride_faults import is_dense, order_of


@dataclass(frozen=True)
class Traced:
    """What a function does: its tensors by name, the programs that read them; bytes of one copy, and of all, by text.

    `copies` are the results that it copies as it is; `given` the layout of each tensor as it is.
    """

    given: Mapping[str, View]
    programs: tuple[Program, ...]
    bytes: Mapping[str, int]
    weights: Mapping[str, int]
    copies: tuple[str, ...]


@dataclass(frozen=True)
class TorchPlan:
    """What copies in a function as it is, and the layouts of which tensors would save it; truthy where nothing copies.

    `copies` and `bytes`: of the function as it is; `plan`: the layouts, and what has to copy under any;
    `left`: the bytes that are copied with the changes. `changes`: by
    tensor, inputs by their names and results by operation and number, how to lay it out, as code. `check(*examples)`
    runs the function with these layouts and says what copies then.
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
            lines.append(f"then {self.left} bytes are copied" + (", and no layouts save more" if self.left else ""))
        conflicts = [f"  {conflict}" for conflict in self.plan.conflicts] if self.left else []
        return "\n".join([*lines, *dict.fromkeys(conflicts)])

    def check(self, *examples: Any) -> tuple[str, ...]:
        """What copies where each tensor is laid out as planned; the function is run on these examples.

        Results are laid out by a copy of their own, in place of a kernel that would write there; `contiguous()` is left
        out. A view is one where it has the storage of its tensor (`data_ptr`).
        """
        from symview.torch.plan_modes import traced

        layouts = {name: self.plan.layouts[name] for name in self.changes}
        return traced(self._function, examples, layouts).copies


def plan(fn: Callable[..., Any], *examples: Any, budget: Budget | None = None) -> TorchPlan:
    """What a function of tensors copies, and which strides of which input or result would save it.

    `examples`: real tensors, or fake ones; nothing is computed. Views, `reshape`, `contiguous` and the clones that they
    make are programs of their tensor; all else reads its tensors in any layout and makes new ones, whose strides are
    free; copies into channels-last formats stay. Raises NotSupported where sizes are symbols, or change in place;
    InputError without tensors.
    """
    from symview.torch.plan_modes import on_fakes, traced

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
    """How to lay a tensor out as the view."""
    if not is_dense(view):
        return f"torch.empty_strided({view.shape}, {view.strides}).copy_({name})"
    order = order_of(view)[::-1]
    back = tuple([order.index(d) for d in range(view.rank)])
    return f"{name}.permute{order}.contiguous().permute{back}, strides {view.strides}"
