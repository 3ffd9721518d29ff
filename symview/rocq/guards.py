"""Main theorems of guards that are not exact: they are wrong at these values, and sufficient, if that is proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from operator import itemgetter

from symview.rocq.book import Book, Open
from symview.rocq.computed import first_box
from symview.rocq.places import both
from symview.rocq.views import PRIME, OneView, alternatives
from symview.trusted.document import Object, View, formula, get, values
from symview.trusted.formulas import Tree, degree, made, put, truth
from symview.verify.kinds.chains import Index, moved, walked
from symview.verify.meaning import Case
from symview.verify.obligations import volume

MOST = 20_000  # indices to compute


def inexact(book: Book, question: Object, evidence: Object) -> str:
    """Too weak: `exists …, facts /\\ guard /\\ ~ (exists a view)`. Too strong: `exists …, facts /\\ ~ guard /\\ (exists
    a view)` and, if proved, `forall …, facts -> guard -> (exists a view)`.
    """
    return _Guard(book, question, evidence).main()


class _Guard(OneView):
    """Builds the theorem of one certificate."""

    def __init__(self, book: Book, question: Object, evidence: Object) -> None:
        guard = formula(question.get("guard"))
        super().__init__(book, {**question, "kind": "inexact", "cases": []}, evidence, guard)
        self.guard, self.at_values = guard, values(question, "values")
        self.weak = get(question, "verdict", str) == "too weak"
        if {*self.about} != {*self.at_values}:
            raise Open("a guard with values of other names")

    def main(self) -> str:
        """Statement and proof."""
        exists = self.one()
        needs = self.text.all([*self.facts, self.guard if self.weak else ("not", self.guard)])
        witness = f"{self.text.binder(self.about, 'exists')}({needs}) /\\\n  {'~ ' if self.weak else ''}{exists}"
        proof = [*self._at_values()]
        enough = [] if self.weak else self._where_guarded()
        if not enough:
            note = [] if self.weak else ["(* Not proved here: that the guard is sufficient. *)"]
            return "\n".join([*note, f"Theorem main : {witness}.", "Proof.", *proof, "Qed."])
        given = "".join(f"{self.text.premise(f)} -> " for f in (*self.facts, self.guard))
        always = f"({self.text.binder(self.about)}{given}".rstrip() + f"\n  {exists})"
        return "\n".join(
            [f"Theorem main : {always}\n  /\\ ({witness}).", "Proof. split.", "{", *enough, "}", *proof, "Qed."]
        )

    # values at which the guard is wrong

    def _at_values(self) -> Iterator[str]:
        """Proves that the guard is wrong at these values."""
        at = self.at_values
        views = [v.put(at) for v in self.views]
        if self.about:
            yield f"exists {', '.join(self.text.integer(at[n]) for n in self.about)}."
        yield "split; [sv_numbers|]."
        if not truth(self.fitting, at):
            yield "intros [h' _]; revert h'; sv_numbers."
            return
        found, out = walked(views, {}, self.book.effort)
        if self.weak:
            yield from self._no_view(views, found, out)
        else:
            if self.fitting is not True:
                yield "split; [sv_numbers|]."
            yield from self._view(views, found)

    def _no_view(self, views: list[View], found: dict[Index, int], out: Index | None) -> Iterator[str]:
        """Proves that no strides, offset and bounds agree with the chain at some indices."""
        points = [out] if out is not None else telling(found, tuple(map(int, views[-1].shape)))
        fits = "" if self.fitting is True else "_ & "
        yield f"intros ({fits}{' & '.join([*[self.text.names[n] for n in self.own()], 'hyp' + PRIME])})."
        for k, index in enumerate(points):
            row = "".join(f" {self.text.integer(x)}" for x in index)
            yield f"pose proof (hyp'{row}{' ltac:(lia)' * len(index)}) as h'{k}; sv_looked h'{k}."
        yield "" if out is not None else "clear hyp'; lia."

    def _view(self, views: list[View], found: dict[Index, int]) -> Iterator[str]:
        """Proves that strides, offset and bounds agree with the chain, by computation at every index."""
        text, shape = self.text, tuple(map(int, views[-1].shape))
        if volume([range(n) for n in shape]) > MOST:
            raise Open("a box of too many indices to compute")
        low, ends = first_box(found) if found else ((0,) * len(shape), (0,) * len(shape))
        steps = [found.get(moved(low, a, low[a] + 1), found.get(low, 0)) - found.get(low, 0) for a in range(len(low))]
        offset = found.get(low, 0) - sum(k * s for k, s in zip(low, steps, strict=True))
        own = [*steps, offset, *[x for pair in zip(low, ends, strict=True) for x in pair if self.masked]]
        told = self.reached(dict(zip(self.own(), own, strict=True)))
        yield f"exists {', '.join(map(text.integer, own))}."
        index = "; ".join(map(text.integer, self.index))
        yield self.taken()
        sizes = "; ".join(map(text.integer, shape))
        there = f"(fun i' => match i' with [{index}] => {told} | _ => Outside end)"
        yield f"refine (sv_all_shown [{sizes}] _ {there} _ [{index}] _);"
        yield "  [vm_cast_no_check (eq_refl true)|cbn [in_box]; lia]."

    # the guard is sufficient

    def _where_guarded(self) -> list[str]:
        """The tactics that prove a view wherever the guard holds; empty if there is no proof."""
        if self.masked:
            self.book.open.append("that the guard is sufficient: the main theorem says that it is not necessary")
            return []
        try:
            return [*self._guarded()]
        except Open:
            self.book.open.append("that the guard is sufficient: the main theorem says that it is not necessary")
            return []

    def _guarded(self) -> Iterator[str]:
        yield f"intros {' '.join([*[self.text.names[n] for n in self.about], *self.given])}."
        ways = self.guard[1:] if type(self.guard) is tuple and self.guard[0] == "or" else [self.guard]
        first, near = self._chain_at(0), [self._chain_at(a + 1) for a in range(len(self.shape))]
        found = View(self.shape, tuple(made("-", x, first) for x in near), first)
        yield f"intros {alternatives(len(ways))}."
        for way in ways:
            parts = way[1:] if type(way) is tuple and way[0] == "and" else [way]
            equations = [
                f for f in parts if type(f) is tuple and f[0] == "==" and degree(("-", *f[1:]), self.free) == 1
            ]
            case = Case(both(*[f for f in parts if f not in equations]), "undecided", equations, found)
            says = self.text.all([put(case.where, {}), *equations])
            yield f"{{ assert (g' : {says}) by tauto; clear w'; rename g' into w'."
            yield from (*self.case_enough(case), "}")

    def _chain_at(self, axis: int) -> Tree:
        return self.at(tuple(int(a + 1 == axis) for a in range(len(self.shape))))[1].address


def telling(found: dict[Index, int], shape: Index) -> list[Index]:
    """Indices of a chain of numbers that exclude every single view."""
    if not found:
        return []
    low, ends = first_box(found)
    units = [moved(low, a, low[a] + 1) for a in range(len(low))]
    steps = [found.get(p, found.get(low, 0)) - found.get(low, 0) for p in units]
    near = [moved(low, a, x) for a in range(len(low)) for x in (low[a] + 1, ends[a], ends[a] - 1)]
    near += [pick(found, key=itemgetter(a)) for a in range(len(low)) for pick in (min, max)]
    whole = product(*[range(n) for n in shape])
    near += islice((p for p in whole if _is_wrong(p, found, low, ends, steps)), 1)
    return list(dict.fromkeys(p for p in (low, *near) if all(0 <= x < n for x, n in zip(p, shape, strict=True))))


def _is_wrong(index: Index, found: dict[Index, int], low: Index, ends: Index, steps: Sequence[int]) -> bool:
    """Whether the chain differs at an index from the only view that agrees with it at the first indices."""
    inside = all(a <= x < b for a, x, b in zip(low, index, ends, strict=True))
    line = found.get(low, 0) + sum((x - a) * s for x, a, s in zip(index, low, steps, strict=True))
    return found.get(index) != (line if inside else None)
