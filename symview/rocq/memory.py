"""Main theorems of shared memory: how many ways the accesses to a tile have under a swizzle or a padding.

A phase, the elements that are read at once, is a list of coordinates; all phases of an access are computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from operator import xor

from symview.rocq.book import MANY, Book, Open
from symview.verify.document import Object, get, integers
from symview.verify.kinds.swizzles import Memory, of_tile

_PITCHES = 256  # that are compared


def shared_memory(book: Book, question: Object, answer: Object) -> str:
    """Each element has a place of its own, and each access so many ways; of paddings, that no pitch costs less."""
    if any(one.claim is False for one in of_tile(question, answer, book.effort)):
        raise Open("that the layout has these ways")
    tile = integers(question, "tile")
    accesses = get(question, "accesses", list)
    if prod(tile) * len(accesses) > MANY:
        raise Open("a tile of too many elements to compute each")
    book.library.add("Apart")
    return "\n".join((_Padded if "strides" in answer else _Swizzled)(book, question, answer).theorem())


class _Layout:
    """The theorem of one certificate in the making."""

    def __init__(self, book: Book, question: Object, answer: Object) -> None:
        self.book, self.question, self.answer = book, question, answer
        self.memory = Memory(*[get(question, key, int) for key in ("element_bytes", "banks", "width")])
        self.tile, self.ways = integers(question, "tile"), integers(answer, "ways")
        self.accesses = get(question, "accesses", list)
        self.read = " ".join(map(str, self.memory))

    def place(self) -> str:
        """The function that gives each coordinate its place."""
        raise NotImplementedError

    def phases(self, n: int) -> str:
        """The places of the phases of an access."""
        raise NotImplementedError

    def definitions(self) -> Iterator[str]:
        """The phases of each access."""
        raise NotImplementedError

    def least(self) -> Iterator[tuple[str, str]]:
        """That nothing costs less, as far as it is shown, each statement with its proof."""
        yield from ()

    def theorem(self) -> Iterator[str]:
        """Definitions, statement and proof."""
        yield from self.definitions()
        box, place = _row(self.tile), self.place()
        apart = f"(forall x y : list Z, in_box {box} x -> in_box {box} y -> {place} x = {place} y -> x = y)"
        shown = [(apart, "apply sv_apart; vm_cast_no_check (eq_refl true)")]
        for n, ways in enumerate(self.ways, 1):
            shown.append((f"most_ways {self.read} {self.phases(n)} = {ways}", f"vm_cast_no_check (eq_refl {ways})"))
        shown += self.least()
        says = "\n  /\\ ".join(claim for claim, _ in shown)
        yield f"Theorem main : {says}."
        yield f"Proof. repeat apply conj. {' '.join(f'{{ {proof}. }}' for _, proof in shown)} Qed."


class _Swizzled(_Layout):
    """A layout by bits: a phase is what the sums of some coordinates are, from one of the sums of the others on."""

    def place(self) -> str:
        return f"(by_bases {_rows([integers({'of': x}, 'of') for x in get(self.answer, 'bases', list)])})"

    def definitions(self) -> Iterator[str]:
        zero = _row([0] * len(self.tile))
        for n, one in enumerate(self.accesses, 1):
            vector, lanes, rest = ([integers({"at": x}, "at") for x in get(one, key, list)]
                                   for key in ("vector", "lanes", "rest"))  # fmt: skip
            served = self.memory.together(1 << len(vector), 1 << len(lanes)).bit_length() - 1
            yield f"Definition access_{n} : list (list (list Z)) :="
            phase = [*vector, *lanes[:served]]
            starts = _apart([*lanes[served:], *rest], phase)
            yield f"  map (sums {_rows(phase)})\n    (sums {_rows(starts)} {zero})."
        if get(self.answer, "proof", str) not in ("words", "forms", "none"):
            self.book.open.append("that no layout costs less")

    def phases(self, n: int) -> str:
        return f"(map (map {self.place()}) access_{n})"


class _Padded(_Layout):
    """A layout by strides: each instruction lists where lanes begin, of vectors along the last dim."""

    def place(self) -> str:
        return f"(dot {_row(integers(self.answer, 'strides'))})"

    def definitions(self) -> Iterator[str]:
        for n, one in enumerate(self.accesses, 1):
            elements = get(one, "elements", int)
            phases = list[str]()
            for starts in get(one, "instructions", list):
                served = self.memory.together(elements, len(starts))
                told = [_row(integers({"at": x}, "at")) for x in starts]
                phases += [f"[{'; '.join(told[k : k + served])}]" for k in range(0, len(told), served)]
            rows = ";\n   ".join(phases)
            yield f"Definition access_{n} : list (list (list Z)) :=  (* vectors of {elements} begin here *)"
            yield f"  [{rows}]."

    def phases(self, n: int) -> str:
        return self.phases_at(n, self.place())

    def phases_at(self, n: int, place: str) -> str:
        """The places of the phases under some strides."""
        return f"(map (flat_map (fun x => run {get(self.accesses[n - 1], 'elements', int)} ({place} x))) access_{n})"


def _apart(vectors: Sequence[Sequence[int]], known: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """The vectors that are no sums, by bits, of those before them: the others lead to no new phase."""
    found, spanned = list[Sequence[int]](), {(0,) * len(x) for x in (*known, *vectors)}
    for n, x in enumerate([*known, *vectors]):
        if tuple(x) not in spanned:
            spanned |= {tuple(map(xor, x, y)) for y in spanned}
            found += [x] if n >= len(known) else []
    return found


def _row(xs: Sequence[int]) -> str:
    return f"[{'; '.join(str(x) if x >= 0 else f'({x})' for x in xs)}]"


def _rows(rows: Sequence[Sequence[int]]) -> str:
    return f"[{'; '.join(map(_row, rows))}]"
