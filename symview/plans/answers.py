"""The answers of `plan`: layouts, copies, and the conflicts that force them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from symview.cases.conditions import Conditions
from symview.displayed import Displayed, Json
from symview.engine.index_map import index_text
from symview.engine.row_space import Row
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.plans.equations import conditions_on
from symview.view import View

Weight: TypeAlias = int | str


@dataclass(frozen=True, slots=True)
class Conflict(Displayed):
    """Programs that no layout of one tensor, or copy, makes views at once, and why; falsy.

    `indices`: two indices of it that would share an address, at the sizes in `where`; none if only positive strides
    (`kind` "signs") or a demanded stride ("unit") are impossible. `rows` are the requirements of the views, each
    row·strides = 0; scale·(difference of the indices) = Σ multiplier·row, where `multipliers` starts with the scale.
    `copies`: one of these must be copied.
    """

    root: str
    programs: tuple[str, ...]
    copies: tuple[str, ...]
    kind: str
    indices: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]
    multipliers: tuple[int, ...]
    where: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""

    def __bool__(self) -> bool:
        return False

    def __hash__(self) -> int:
        return hash((self.root, self.programs, self.kind, self.indices))

    def __str__(self) -> str:
        if self.indices:
            one, other = (f"{short(self.root)}[{index_text(i)[1:-1]}]" for i in self.indices)
            at = ", ".join(f"{n} = {x}" for n, x in self.where.items())
            return f"{one} and {other} would share an address{f' at {at}' if at else ''}"
        if self.kind == "signs":
            return f"strides of {short(self.root)} would have opposite signs"
        if self.kind == "layouts":
            return f"of {short(self.root)}, {self.reason}"
        return f"no layout of {short(self.root)} was found{f': {self.reason}' if self.reason else ''}"

    def to_dict(self) -> Json:
        """The fields for JSON."""
        return {
            "root": self.root, "programs": list(self.programs), "copies": list(self.copies), "kind": self.kind,
            "indices": [list(i) for i in self.indices], "rows": [list(r) for r in self.rows],
            "multipliers": list(self.multipliers), "where": dict(self.where), "text": str(self),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan(Displayed):
    """Layouts under which every program is a view, or the least copies; truthy if nothing must be copied.

    `layouts` maps each tensor and copied result to its View; `views` has the view of each program; `blocks`, as text,
    the groups of dims that must be adjacent, outermost first; `equations` the requirements of the programs on the
    strides t0, t1, … of each tensor. `weight` is in bytes, or in elements if their size is not known.
    `optimal` is "proved" if no lighter copies suffice, "among ordered layouts" if strides without an order of the dims
    might save one at some sizes, "undecided" if that is open: copies weigh at least `bound`, and `stopped` says why the
    search ended. `alternatives`: another set of copies that weighs the same; for names all such sets, or, if undecided,
    all other minimal sets. `ones`: the copies that suffice if some names are 1; `untried`: how many further cases of
    names that are 1 were not tried.
    """

    programs: tuple[str, ...]
    layouts: Mapping[str, View]
    copies: tuple[str, ...]
    weight: Weight
    views: Mapping[str, View]
    blocks: Mapping[str, str]
    equations: Mapping[str, tuple[str, ...]]
    dense: bool
    conflicts: tuple[Conflict, ...]
    optimal: str
    unit: str = "elements"
    alternatives: tuple[tuple[str, ...], ...] = ()
    ones: tuple[tuple[str, tuple[str, ...]], ...] = ()
    bound: Weight = 0
    stopped: str = ""
    untried: int = 0

    def __bool__(self) -> bool:
        return not self.copies

    def __hash__(self) -> int:
        return hash((self.programs, self.copies, self.weight))

    def __str__(self) -> str:
        if not self.copies:
            lines = ["no copy"]
        else:
            count = f"{len(self.copies)} cop{'y' if len(self.copies) == 1 else 'ies'}"
            lines = [f"{count}, {self.weight} {self.unit}: {', '.join(map(short, self.copies))}"]
        for name, view in self.layouts.items():
            lines.append(
                f"{short(name)}: {view}"
                + (f", contiguous groups: {self.blocks[name].replace('][', '] [')}" if name in self.blocks else "")
            )
        if self.optimal == "undecided" and self.alternatives:
            lines.append("which of these is the lightest may depend on the sizes:")
        elif self.optimal == "undecided":
            ended = f" ({self.stopped})" if self.stopped else ""
            least = f"; no copies weigh less than {self.bound} {self.unit}" if self.bound else ""
            lines.append(f"not proved to be the lightest{ended}{least}")
        same = "" if self.optimal == "undecided" else ", which weighs the same"
        lines += [f"or copy instead: {', '.join(map(short, s))}{same}" for s in self.alternatives]
        lines += [f"{where}: {', '.join(map(short, s)) or 'no copy'}" for where, s in self.ones]
        lines += [f"{self.untried} more cases of names that are 1 were not tried"] if self.untried else []
        return "\n".join([*lines, *[conflict_text(c) for c in self.conflicts]])

    def explain(self) -> str:
        """The plan, the requirements of each program on the strides, and whether fewer copies could suffice."""
        lines = [str(self), ""]
        for name, equations in self.equations.items():
            lines += [f"{name} needs {' and '.join(equations)}"] if equations else []
        for name, view in self.views.items():
            lines.append(f"{short(name)} is {view}")
        said = {
            "proved": "no lighter set of copies satisfies what the conflicts ask",
            "among ordered layouts": "no lighter set of copies does with dims in any order; strides without an order "
            "are not excluded at sizes without a common divisor",
        }
        lines.append(said.get(self.optimal, "whether a lighter set of copies does is undecided"))
        return "\n".join(lines)

    @property
    def conditions(self) -> Conditions[View]:
        """The exact condition on the strides t0, t1, … of the tensor, if the programs have one tensor.

        >>> from symview import plan
        >>> print(plan("q(B,S,H).permute(0,2,1).reshape(B*H,S)").conditions)
        t0 = H*t2
        """
        if len(self.blocks) != 1:
            raise InputError(f"conditions: give one of the tensors {', '.join(self.blocks)} to conditions_of(tensor)")
        (tensor,) = self.blocks
        return self.conditions_of(tensor)

    def conditions_of(self, tensor: str, budget: Budget | None = None) -> Conditions[View]:
        """The exact condition on the strides t0, t1, … of a tensor under which all uncopied programs are its views.

        Names in sizes are at least 2. Elements may share addresses; `layouts` has strides that separate them.
        """
        if tensor not in self.blocks:
            raise InputError(f"conditions_of({tensor!r}): the tensors are {', '.join(self.blocks)}")
        return conditions_on(self.layouts[tensor], self.equations[tensor], budget)

    def to_dict(self) -> Json:
        """The fields for JSON."""
        return {
            "copies": list(self.copies), "weight": self.weight, "unit": self.unit,
            "layouts": {n: str(v) for n, v in self.layouts.items()},
            "views": {n: str(v) for n, v in self.views.items()},
            "blocks": dict(self.blocks), "equations": {n: list(e) for n, e in self.equations.items()},
            "dense": self.dense, "optimal": self.optimal,
            "conflicts": [c.to_dict() for c in self.conflicts],
            "alternatives": [list(s) for s in self.alternatives],
            "ones": [{"where": where, "copies": list(s)} for where, s in self.ones],
            "bound": self.bound, "stopped": self.stopped, "untried": self.untried,
        }  # fmt: skip


def short(name: str) -> str:
    """The name of a result without the shape of its tensor.

    >>> short("q(n,(2*m)).reshape(2*m*n)")
    'q.reshape(2*m*n)'
    """
    depth, start = 0, name.find("(")
    for at in range(max(start, 0), len(name)):
        depth += (name[at] == "(") - (name[at] == ")")
        if depth == 0:
            return name[: max(start, 0)] + name[at + 1 :] if start >= 0 else name
    return name


def conflict_text(conflict: Conflict) -> str:
    """A conflict with its programs, as text."""
    return f"{' and '.join(map(short, conflict.programs))}:\n  {conflict}"
