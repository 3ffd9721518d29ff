"""What a plan is: layouts, copies, and the conflicts that ask for them."""

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
from symview.rocq import Certified
from symview.view import View

Weight: TypeAlias = int | str


@dataclass(frozen=True, slots=True)
class Conflict(Displayed):
    """Programs that no layout of one tensor, or copy, makes views together, and why; falsy.

    `indices`: two indices of it that would share an address, at the sizes in `where`; none where positive strides alone
    are impossible (`kind` "signs"), or a stride that was asked for ("unit"). `rows` are what the views ask, each
    row·strides = 0; scale·(the difference of the indices) = Σ multiplier·row, `multipliers` having the scale first.
    `copies`: one of these has to be copied.
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
class Plan(Displayed, Certified):
    """Layouts under which every program is a view, or the least copies; truthy where nothing has to copy.

    `layouts`: by tensor, and by copied result, its View; `views`: what each program is then; `blocks`: the dims that
    have to lie together, outermost first, as text; `equations`: what the programs ask of the strides t0, t1, … of
    each tensor. `weight` is in bytes, or in elements without their bytes.
    `optimal` is "proved" where no lighter copies do, "among ordered layouts" where strides without an order of the dims
    might save one at some sizes, "undecided" where it was not settled; then `alternatives` has the other sets of copies
    of which none can be left out. `ones`: where names are 1, which copies do.
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
    _evidence: Json | None = field(default=None, repr=False, compare=False)

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
            lines.append(f"{short(name)}: {view}" + (f", blocks {self.blocks[name]}" if name in self.blocks else ""))
        lines += [f"or copy instead: {', '.join(map(short, s))}" for s in self.alternatives]
        lines += [f"{where}: {', '.join(map(short, s)) or 'no copy'}" for where, s in self.ones]
        return "\n".join([*lines, *[told(c) for c in self.conflicts]])

    def explain(self) -> str:
        """The plan, what each program asks of the strides, and whether fewer copies could do."""
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
        """The exact condition on the strides t0, t1, … of a tensor under which all programs not copied are its views.

        For names in sizes from 2. Elements may then share addresses; `layouts` has strides that keep them apart.
        """
        if tensor not in self.blocks:
            raise InputError(f"conditions_of({tensor!r}): the tensors are {', '.join(self.blocks)}")
        return conditions_on(self.layouts[tensor], self.equations[tensor], budget)

    def certificate(self) -> Json:
        """The layouts, and for each conflict why; for `symview verify`. Raises InputError for names."""
        if self._evidence is None:
            raise InputError("a plan's certificate is about numbers, and one layout of each tensor")
        return self._evidence

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


def told(conflict: Conflict) -> str:
    """A conflict with its programs."""
    return f"{' and '.join(map(short, conflict.programs))}:\n  {conflict}"
