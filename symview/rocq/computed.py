"""Main theorems about views of numbers, proved by computation: merges, and chains."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count
from math import prod
from operator import itemgetter
from typing import Any

from symview.rocq.book import MANY, Book, Open
from symview.trusted.document import Object, View, chain, get, integers, maybe
from symview.verify.kinds.chains import Index, moved, walked


def merge(book: Book, question: Object, evidence: Object) -> str:
    """The merged view and the composition have the same address at every index; or no single view has."""
    views = chain(question, "views", 2, numeric=True)
    if question.get("view") is not None:
        return _same(book, views, chain({"views": [question["view"]]}, "views", 1, numeric=True))
    return _no_view(book, views, integers(question, "index"))


def chains(book: Book, question: Object, evidence: Object) -> str:
    """Both chains have the same addresses at every index; or they differ at this one."""
    first, second = (chain(question, key, numeric=True) for key in ("first", "second"))
    if get(question, "same", bool):
        if maybe(question, "minimal", bool) and len(second) > 1:
            book.open.append("that no fewer views suffice")
        return _same(book, first, second)
    index = integers(question, "index")
    both = f"look chain_a {_row(index)} <> look chain_b {_row(index)}"
    inside = f"in_box {_row(first[-1].shape)} {_row(index)} /\\ "
    return "\n".join([_chain("chain_a", first), _chain("chain_b", second), f"Theorem main : {inside}{both}.",
                      "Proof. split; [cbn; lia|vm_compute; discriminate]. Qed."])  # fmt: skip


def first_box(found: Collection[Index]) -> tuple[Index, Index]:
    """The least valid index, and along each axis the first later one that is not valid."""
    low = tuple(map(min, zip(*found, strict=True)))
    return low, tuple(next(e for e in count(k) if moved(low, a, e) not in found) for a, k in enumerate(low))


def _row(xs: Sequence[Any]) -> str:
    return f"[{'; '.join(map(str, xs))}]"


def _chain(name: str, views: Sequence[View]) -> str:
    """Views of numbers as a definition, the last one first."""

    def told(v: View) -> str:
        mask = [(0, 0)] * len(v.shape) if v.void else v.mask or ()
        if v.void and not v.shape:
            raise Open("a main theorem of views without dims that are masked")
        return f"({_row(v.shape)}, {_row(v.strides)}, {v.offset}, {_row(mask)})"

    rows = ";\n   ".join(map(told, reversed(views)))
    return f"Definition {name} : list view :=\n  [{rows}]."


def _same(book: Book, first: Sequence[View], second: Sequence[View]) -> str:
    book.library.add("Views")
    shape = first[-1].shape
    if prod(shape) > MANY:
        raise Open("a box of too many indices to compute")
    return "\n".join([
        _chain("chain_a", first), _chain("chain_b", second),
        f"Theorem main : forall i : list Z, in_box {_row(shape)} i ->",
        "  look chain_a i = look chain_b i /\\ look chain_a i <> Outside.",
        "Proof. apply sv_looks_same; vm_cast_no_check (eq_refl true). Qed.",
    ])  # fmt: skip


def _no_view(book: Book, views: Sequence[View], index: Index) -> str:
    """No strides, offset and mask have the composition's addresses at the index and near it."""
    book.library.add("Views")
    shape = views[-1].shape
    found, out = walked(views, {}, book.effort)
    if out is not None:
        where = f"in_box {_row(shape)} {_row(index)} /\\ look chain_a {_row(index)} = Outside"
        proof = "Proof. split; [cbn; lia|reflexivity]. Qed."
        return "\n".join([_chain("chain_a", views), f"Theorem main : {where}.", proof])
    low, ends = first_box(found)
    near = [moved(low, a, x) for a in range(len(low)) for x in (low[a] + 1, ends[a], ends[a] - 1)]
    if low not in found:
        near = [pick(found, key=itemgetter(a)) for a in range(len(low)) for pick in (min, max)]
    near = [p for p in (low, *near, index) if all(0 <= x < n for x, n in zip(p, shape, strict=True))]
    points = "".join(f"; sv_look H {_row(p)}" for p in dict.fromkeys(near))
    return "\n".join([
        _chain("chain_a", views),
        "Theorem main : ~ exists (t : list Z) (o : Z) (m : list (Z * Z)),",
        f"  length t = {len(shape)}%nat /\\ (length m = {len(shape)}%nat \\/ m = []) /\\",
        f"  forall i : list Z, in_box {_row(shape)} i -> look chain_a i = look [({_row(shape)}, t, o, m)] i.",
        f"Proof. intros (t & o & m & T & M & H){points}; clear H.",
        "repeat (destruct t as [|? t]; try discriminate T).",
        "destruct M as [M| ->]; [repeat (destruct m as [|[? ?] m]; try discriminate M)|];",
        "cbn [dot in_mask] in *; lia. Qed.",
    ])  # fmt: skip
