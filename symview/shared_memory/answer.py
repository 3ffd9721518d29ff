"""The answer about a tile in shared memory: a layout, its cost, and why none is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from symview.cute.analysis.machines import Row
from symview.cute.int_tuple import profile_text
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.swizzle import ComposedLayout
from symview.displayed import Displayed, Json
from symview.errors import InternalError, Undecided
from symview.shared_memory.accesses import Coordinate
from symview.shared_memory.banks import bank_table, cells_of_banks
from symview.shared_memory.design import Design
from symview.shared_memory.spaces import Clash
from symview.show.cells import Cells
from symview.show.grid import Block, Grid, joined

if TYPE_CHECKING:
    from symview.cute.explained import Explanation

PROOFS = {
    "pigeonhole": "No layout with these vectors has fewer: the words of a phase, spread evenly over the banks, need"
    " these ways.",
    "cover": "Optimal for these vectors: there are more elements than banks of which any two meet in a phase.",
    "search": "Optimal among linear layouts: all were searched.",
    "words": "Optimal among the linear layouts searched; not every choice of the elements of a word was.",
    "swizzles": "Optimal among orders and swizzles: all were tried. Reads and writes have different banks; no linear"
    " layout was tried.",
    "forms": "Optimal among the allowed forms: all were tried.",
    "all residues": "Optimal: all pitches of one period were tried, and no shorter one is as good.",
    "none": "Whether there is a better one is undecided.",
}


@dataclass(frozen=True, slots=True)
class BestLayout(Displayed):
    """A layout of a tile, from coordinates to elements, with its cost; falsy, `layout` None, if vectors clash.

    `ways`: of each access, by name. `vectors`: in bytes. `along`: the dim along which they extend, if they do.
    `instructions` and `wavefronts`: for each access once, times its weight. `proof`: why none is better. `cover`:
    coordinates whose sums, by bits, differ by coordinates in a phase of some access. `clash`: two accesses whose
    vectors no layout has both; `reason` says why. `rows`: of a machine, its banks and phases for each access, how
    certain they are and the source; `others`: the same by another source, if that counts other ways, with these.
    """

    layout: Layout | ComposedLayout | LinearLayout | None
    ways: Mapping[str, int] = field(hash=False)
    vectors: Mapping[str, int] = field(hash=False)
    wavefronts: int
    instructions: int
    proof: str
    cover: tuple[Coordinate, ...] = ()
    clash: tuple[str, str] | None = None
    along: Mapping[str, int] = field(default_factory=dict, hash=False)
    reason: str = ""
    rows: Mapping[str, Row] = field(default_factory=dict, hash=False)
    others: Mapping[str, tuple[Row, int]] = field(default_factory=dict, hash=False)
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
            return [self.reason]
        rows = [(n, f"{self.vectors[n]} B{self._along(n)}", str(w)) for n, w in self.ways.items()]
        places = f" These are all xors of {', '.join(map(profile_text, self.cover))}."
        said = f"{self._turns()}.\n{PROOFS[self.proof]}{places * bool(self.cover)}"
        sources = [*dict.fromkeys(map(str, self.rows.values()))]
        sources += [f"{row}: {_many(ways, 'way')} of {name}" for name, (row, ways) in self.others.items()]
        return [Grid(("access", "vector", "ways"), tuple(rows)), "\n".join([said, *sources])]

    def _turns(self) -> str:
        """The wavefronts of all accesses, and of each."""
        total = _many(self.wavefronts, "wavefront")
        if self.asked is None:
            return f"{total} for {_many(self.instructions, 'instruction')}"
        vectors = [self.vectors[n] // self.asked.element_bytes for n in self.ways]
        each = zip(self.ways.items(), self.asked.wavefronts(vectors), self.asked.instructions(vectors), strict=True)
        told = [f"{n * w} for {name}{f' in {many} instructions' * (many > 1)}" for (name, w), n, many in each]
        turns = f"{total} (turn{'s' * (self.wavefronts != 1)} of shared memory)"
        return (
            f"{turns}: {', '.join(told)}" if len(told) > 1 else f"{turns}{told[0].removeprefix(str(self.wavefronts))}"
        )

    def _along(self, name: str) -> str:
        return f" along dim {self.along[name]}" if name in self.along else ""

    def explain(self) -> Explanation:
        """The ways of each access, why no layout is better, and the banks of the first rows."""
        from symview.cute.explained import Explanation  # loads the algebra

        banks: list[Block] = [bank_table(self), f"The answer is {self.layout}."] if self else []
        return Explanation(self.layout, (*self._parts(), *banks))

    def cells(self) -> Cells:
        """The banks of the vectors, for a picture; LayoutError if there is no layout."""
        return cells_of_banks(self)

    def to_dict(self) -> Json:
        """The fields for JSON."""
        return {
            "layout": None if self.layout is None else str(self.layout), "form": self.form, "ways": dict(self.ways),
            "vectors": dict(self.vectors), "wavefronts": self.wavefronts, "instructions": self.instructions,
            "proof": self.proof, "cover": [[*x] for x in self.cover], "clash": self.clash and [*self.clash],
            "along": dict(self.along), "reason": self.reason, **self._served(),
        }  # fmt: skip

    def _served(self) -> Json:
        """By access, its banks and phases, and those of another source, for JSON."""
        others = {name: {"other": {**row.to_dict(), "ways": ways}} for name, (row, ways) in self.others.items()}
        served = {name: {**row.to_dict(), **others.get(name, {})} for name, row in self.rows.items()}
        return {"served": served} if served else {}


def answered(
    design: Design, layout: Any, ways: Sequence[int], vectors: Sequence[int], proof: str, cover: Sequence[int] = ()
) -> BestLayout:
    """Builds the answer, and replays the first instruction of each access on addresses; vectors count elements."""
    names = [a.name for a in design.accesses]
    rows, others = dict[str, Row](), dict[str, tuple[Row, int]]()
    for i, (lanes, w, v) in enumerate(zip(design.lanes(), ways, vectors, strict=True)):
        memory, *more = design.memories(i, v)
        found = design.ways(layout, lanes.instructions[0], memory)
        if found > w or (design.forms and found != w):  # of linear layouts all instructions have the same ways
            raise InternalError(f"{layout}: {lanes.name} has {found} ways on addresses, not {w}")
        rows |= {lanes.name: memory.row} if memory.row else {}
        for another in more:
            other = max(design.ways(layout, one, another) for one in lanes.distinct(design.word()))
            others |= {lanes.name: (another.row, other)} if another.row and other != w else {}
    waves = sum(n * w for n, w in zip(design.wavefronts(vectors), ways, strict=True))
    count, widths = sum(design.instructions(vectors)), [v * design.element_bytes for v in vectors]
    counts = dict(zip(names, ways, strict=True)), dict(zip(names, widths, strict=True))
    places = tuple(map(design.coordinate, cover))
    return BestLayout(
        layout, *counts, waves, count, proof, places, None, _dims(design, vectors), "", rows, others, design
    )


def clashing(design: Design, vectors: Sequence[int], found: Clash | None) -> BestLayout:
    """Builds the answer that no layout has these vectors; without a clash, that none costs as little as was asked."""
    widths = {a.name: v * design.element_bytes for a, v in zip(design.accesses, vectors, strict=True)}
    count, along = sum(design.instructions(vectors)), _dims(design, vectors)
    if found is None:
        return BestLayout(
            None, {}, widths, 0, count, "clash", (), None, along, "no layout costs as little", asked=design
        )
    names = design.accesses[found.accesses[0]].name, design.accesses[found.accesses[1]].name
    (a, b), (one, other) = names, [profile_text(design.coordinate(x)) for x in found.elements]
    if a in along and b in along and along[a] != along[b]:
        second = f"{widths[b]} " * (widths[a] != widths[b])
        why = f"{a!r} needs {widths[a]} contiguous bytes along dim {along[a]}, {b!r} {second}along dim {along[b]}"
    elif one == other:
        why = f"{a!r} has {one} at place {found.places[0]} of a vector, {b!r} at place {found.places[1]}"
    else:
        why = f"{a!r} has {one} at place {found.places[0]} of its first vector, {b!r} has {other} there"
    can_be_cut = any(design.lanes()[i].least == 1 for i in found.accesses)
    reason = f"{why}: no layout has both{'; narrower vectors: widest=False, or --tradeoffs' * can_be_cut}."
    return BestLayout(None, {}, widths, 0, count, "clash", (), names, along, reason, asked=design)


def _dims(design: Design, vectors: Sequence[int]) -> dict[str, int]:
    """By access, the dim along which its vectors extend, where there is one."""
    named = zip(design.accesses, design.lanes(), vectors, strict=True)
    return {a.name: lanes.along for a, lanes, v in named if lanes.along is not None and v > 1}


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


class UndecidedLayout(Undecided):
    """The budget ended: `best` is the best layout so far; none with its vectors costs less than `bound`."""

    def __init__(self, reason: str, best: BestLayout | None = None, cost: int = 0, bound: int = 0) -> None:
        self.best, self.cost, self.bound = best, cost, bound
        if best is not None:
            found = f"The best so far is {best.layout}, which costs {cost}"
            reason = f"{reason}. {found}; none with its vectors costs less than {bound}"
        super().__init__(reason)
