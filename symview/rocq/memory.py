"""Main theorems of shared memory: the ways of each access to a tile under a swizzle or a padding.

A phase, the elements that are read at once, is a list of coordinates; all phases of an access are computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from math import gcd, lcm, prod
from operator import xor

from symview.rocq.book import MANY, Book, Open
from symview.verify.document import Object, get, integers
from symview.verify.kinds.swizzles import Memory, of_tile, pitches

_PITCHES = 256  # to compare


def shared_memory(book: Book, question: Object, answer: Object) -> str:
    """No two elements share a place, each access has these ways and, for paddings, no pitch costs less."""
    if any(one.claim is False for one in of_tile(question, answer, book.effort)):
        raise Open("that the layout has these ways")
    tile = integers(question, "tile")
    accesses = get(question, "accesses", list)
    if prod(tile) * len(accesses) > MANY:
        raise Open("a tile of too many elements to compute")
    book.library |= {"Views", "Apart"}
    return "\n".join((_Padded if "strides" in answer else _Swizzled)(book, question, answer).theorem())


class _Layout:
    """Builds the theorem of one certificate."""

    def __init__(self, book: Book, question: Object, answer: Object) -> None:
        self.book, self.question, self.answer = book, question, answer
        self.memory = Memory(*[get(question, key, int) for key in ("element_bytes", "banks", "width")])
        self.tile, self.ways = integers(question, "tile"), integers(answer, "ways")
        self.accesses = get(question, "accesses", list)
        self.read = " ".join(map(str, self.memory))

    def place(self) -> str:
        """The function from coordinates to places."""
        raise NotImplementedError

    def phases(self, n: int) -> str:
        """The places of the phases of an access."""
        raise NotImplementedError

    def definitions(self) -> Iterator[str]:
        """Defines the phases of each access."""
        raise NotImplementedError

    def least(self) -> Iterator[tuple[str, str]]:
        """Statements, with proofs, that nothing costs less; what is not proved is listed as open."""
        raise NotImplementedError

    def cost(self, ways: Sequence[str]) -> str:
        """The cost of accesses with these ways, as text."""
        if get(self.question, "objective", str) == "most":
            return reduce(lambda found, w: f"Z.max ({found}) ({w})", ways)
        return " + ".join(f"{get(a, 'weight', int)} * {w}" for a, w in zip(self.accesses, ways, strict=True))

    def reached(self) -> int:
        """The cost of the layout."""
        if get(self.question, "objective", str) == "most":
            return max(self.ways)
        return sum(get(a, "weight", int) * w for a, w in zip(self.accesses, self.ways, strict=True))

    def theorem(self) -> Iterator[str]:
        """The definitions, the statement and its proof."""
        yield from self.definitions()
        box, place = _row(self.tile), self.place()
        apart = f"(forall x y : list Z, in_box {box} x -> in_box {box} y -> {place} x = {place} y -> x = y)"
        shown = [(apart, "apply sv_apart; vm_cast_no_check (eq_refl true)")]
        for n, ways in enumerate(self.ways, 1):
            shown.append((f"most_ways {self.read} {self.phases(n)} = {ways}", f"vm_cast_no_check (eq_refl {ways})"))
        shown += self.least()
        says = "\n  /\\ ".join(claim for claim, _ in shown)
        yield f"Theorem main :\n  {says}."
        yield f"Proof. repeat apply conj. {' '.join(f'{{ {proof}. }}' for _, proof in shown)} Qed."


class _Swizzled(_Layout):
    """A layout by bits: a phase is a sum of some coordinates plus all sums of the others."""

    def place(self) -> str:
        return "by_bases bases"

    def definitions(self) -> Iterator[str]:
        bases = [integers({"of": x}, "of") for x in get(self.answer, "bases", list)]
        yield f"Definition bases : list (list Z) := {_rows(bases)}."
        zero = _row([0] * len(self.tile))
        for n, one in enumerate(self.accesses, 1):
            vector, lanes, rest = ([integers({"at": x}, "at") for x in get(one, key, list)]
                                   for key in ("vector", "lanes", "rest"))  # fmt: skip
            served = self.memory.together(1 << len(vector), 1 << len(lanes)).bit_length() - 1
            yield f"Definition access_{n} : list (list (list Z)) :="
            phase = [*vector, *lanes[:served]]
            starts = _apart([*lanes[served:], *rest], phase)
            yield f"  map (sums {_rows(phase)})\n    (sums {_rows(starts)} {zero})."

    def phases(self, n: int) -> str:
        return self.phases_at(n, self.place())

    def phases_at(self, n: int, place: str) -> str:
        """The places of the phases under any function `place`."""
        return f"(map (map ({place})) access_{n})" if " " in place else f"(map (map {place}) access_{n})"

    def least(self) -> Iterator[tuple[str, str]]:
        """Each access has at least one way under any placement; that more are necessary is left open."""
        if get(self.answer, "proof", str) in ("words", "forms", "none"):
            return
        if max(self.ways) > 1:
            self.book.open.append("that no layout costs less")
            return
        numbers = range(1, len(self.accesses) + 1)
        total = self.cost([f"most_ways {self.read} {self.phases_at(n, 'place')}" for n in numbers])
        known = [
            f"sv_any_place {self.read} place access_{n} eq_refl eq_refl eq_refl ltac:(discriminate)" for n in numbers
        ]
        proof = "intros place; " + "; ".join(f"pose proof ({k}) as w'{n}" for n, k in enumerate(known))
        yield f"(forall place : list Z -> Z, {self.reached()} <= {total})", f"{proof}; lia"


class _Padded(_Layout):
    """A layout by strides: each instruction lists the starts of its lanes, which read vectors along the last dim."""

    def place(self) -> str:
        return "dot strides"

    def definitions(self) -> Iterator[str]:
        yield f"Definition strides : list Z := {_row(integers(self.answer, 'strides'))}."
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

    def least(self) -> Iterator[tuple[str, str]]:
        """Each pitch of one period costs more, or costs as much and is no shorter."""
        if get(self.answer, "proof", str) != "all residues":
            return
        words = self.memory.width // gcd(self.memory.width, self.memory.element)
        step = lcm(words, *[get(a, "elements", int) for a in self.accesses])
        period = lcm(step, words * self.memory.banks) // step
        if period ** (len(self.tile) - 1) > _PITCHES:
            self.book.open.append("that no pitch costs less")
            return
        numbers = range(1, len(self.accesses) + 1)
        total = self.cost([f"most_ways {self.read} {self.phases_at(n, 'dot d')}" for n in numbers])
        first, reached = integers(self.answer, "strides")[0], self.reached()
        rows = _rows([*pitches(self.tile, step, period)])
        test = f"let c := {total} in ({reached} <? c) || ((c =? {reached}) && ({first} <=? hd 0 d))"
        says = f"let c := {total} in {reached} < c \\/ (c = {reached} /\\ {first} <= hd 0 d)"
        self.book.open.append("that every pitch has the ways of one of these")
        yield (
            f"(forall d : list Z, In d {rows} ->\n    {says})",
            (
                f"assert (c' : forallb (fun d => {test}) {rows} = true) by (vm_cast_no_check (eq_refl true)); "
                "intros d i'; cbv zeta; pose proof (proj1 (forallb_forall _ _) c' d i') as t'; cbv zeta beta in t'; lia"
            ),
        )


def _apart(vectors: Sequence[Sequence[int]], known: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """The vectors that are not sums, by bits, of earlier ones; the others lead to no new phase."""
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
