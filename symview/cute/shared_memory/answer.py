"""The answer about a tile in shared memory: a layout, its cost, and why none is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from symview.cute.int_tuple import profile_text
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.shared_memory.accesses import Coordinate
from symview.cute.shared_memory.banks import bank_table, picture_of_banks
from symview.cute.shared_memory.design import Design
from symview.cute.swizzle import ComposedLayout
from symview.displayed import Displayed, Json, paints
from symview.errors import InternalError, Undecided
from symview.show.grid import Block, Grid, joined

if TYPE_CHECKING:
    from symview.cute.explained import Explanation

PROOFS = {
    "pigeonhole": "No layout with these vectors is better: a phase has as many places for each bank, at least.",
    "cover": "No layout with these vectors is better: any two of more places than banks meet in a phase.",
    "search": "No linear layout is better: all were searched.",
    "words": "No linear layout is better of those words that were tried: which elements share one is left open.",
    "forms": "None of the allowed forms is better: all were tried.",
    "all residues": "No pitch is better, and none as good is shorter: a whole period of pitches was tried.",
    "none": "Whether another one is better is left undecided.",
}


@dataclass(frozen=True, slots=True)
class BestLayout(Displayed):
    """A layout of a tile, from coordinates to elements, with its cost; falsy, `layout` None, if vectors clash.

    `ways`: of each access, by name. `vectors`: in bytes. `instructions` and `wavefronts`: for each access once, times
    its weight. `proof`: why none is better. `cover`: coordinates whose sums, by bits, differ by coordinates in a phase
    of some access. `clash`: two accesses whose vectors no layout has both.
    """

    layout: Layout | ComposedLayout | LinearLayout | None
    ways: Mapping[str, int] = field(hash=False)
    vectors: Mapping[str, int] = field(hash=False)
    wavefronts: int
    instructions: int
    proof: str
    cover: tuple[Coordinate, ...] = ()
    clash: tuple[str, str] | None = None
    asked: Design | None = field(default=None, compare=False, repr=False)

    def __bool__(self) -> bool:
        return self.layout is not None

    @property
    def form(self) -> str:
        """Its form: an order, a padding, a swizzle, or a linear layout; none."""
        if isinstance(self.layout, Layout):
            return "order" if self.layout.cosize() == self.layout.size() else "padding"
        return "none" if self.layout is None else "swizzle" if isinstance(self.layout, ComposedLayout) else "linear"

    def __str__(self) -> str:
        return joined([str(self.layout), *self._parts()][not self :])

    def _parts(self) -> list[Block]:
        if not self:
            return [f"no layout has the vectors of {' and '.join(self.clash or ())}: cut one of them"]
        rows = [(n, f"{self.vectors[n]} B", str(w)) for n, w in self.ways.items()]
        counts = f"{self.wavefronts} wavefronts of {self.instructions} instructions."
        places = f" Such places: all sums, by bits, of {', '.join(map(profile_text, self.cover))}."
        said = f"{counts} {PROOFS[self.proof]}{places * bool(self.cover)}"
        return [Grid(("access", "vector", "ways"), tuple(rows)), said]

    def explain(self) -> Explanation:
        """The ways of each access, why no layout is better, and the banks of the first rows."""
        from symview.cute.explained import Explanation

        banks: list[Block] = [bank_table(self), f"The answer is {self.layout}."] if self else []
        return Explanation(self.layout, (*self._parts(), *banks))

    def to_dict(self) -> Json:
        """The fields for JSON."""
        return {
            "layout": None if self.layout is None else str(self.layout), "form": self.form, "ways": dict(self.ways),
            "vectors": dict(self.vectors), "wavefronts": self.wavefronts, "instructions": self.instructions,
            "proof": self.proof, "cover": [[*x] for x in self.cover], "clash": self.clash and [*self.clash],
        }  # fmt: skip


def answered(
    design: Design, layout: Any, ways: Sequence[int], vectors: Sequence[int], proof: str, cover: Sequence[int] = ()
) -> BestLayout:
    """Builds the answer, and replays the first instruction of each access on addresses; vectors count elements."""
    names = [a.name for a in design.accesses]
    for lanes, w, v in zip(design.lanes(), ways, vectors, strict=True):
        found = design.ways(layout, lanes.instructions[0], v)
        if found > w or (design.forms and found != w):  # of linear layouts all instructions have the same ways
            raise InternalError(f"{layout}: {lanes.name} has {found} ways on addresses, not {w}")
    waves = sum(n * w for n, w in zip(design.wavefronts(vectors), ways, strict=True))
    count, widths = sum(design.instructions(vectors)), [v * design.element_bytes for v in vectors]
    counts = dict(zip(names, ways, strict=True)), dict(zip(names, widths, strict=True))
    return BestLayout(layout, *counts, waves, count, proof, tuple(map(design.coordinate, cover)), None, design)


def clashing(design: Design, vectors: Sequence[int], both: tuple[str, str] | None) -> BestLayout:
    """Builds the answer that no layout has these vectors."""
    widths = {a.name: v * design.element_bytes for a, v in zip(design.accesses, vectors, strict=True)}
    return BestLayout(None, {}, widths, 0, sum(design.instructions(vectors)), "clash", (), both, design)


class UndecidedLayout(Undecided):
    """The budget ended: `best` is the best layout so far; none with its vectors costs less than `bound`."""

    def __init__(self, reason: str, best: BestLayout | None = None, cost: int = 0, bound: int = 0) -> None:
        self.best, self.cost, self.bound = best, cost, bound
        if best is not None:
            found = f"The best so far is {best.layout}, which costs {cost}"
            reason = f"{reason}. {found}; none with its vectors costs less than {bound}"
        super().__init__(reason)


paints(BestLayout, picture_of_banks)
