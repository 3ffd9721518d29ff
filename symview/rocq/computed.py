"""Main theorems about numbers, proved by computation: operations on layouts, merges, chains of views."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from operator import itemgetter
from typing import Any

from symview.rocq.book import MANY, Book, Open
from symview.verify.document import Object, View, chain, get, integers, layout, maybe
from symview.verify.kinds.chains import Index, first_box, moved, walked
from symview.verify.kinds.maps import leaves

# Layouts: values at every index


def layouts(book: Book, question: Object, answer: Object) -> str:
    """The defining property of the operation, at all indices; raises Open for operations without a main theorem."""
    operation, of = get(question, "operation", str), get(question, "layouts", list)
    if operation not in _OPERATIONS or any(x is None or "modes" in x for x in of):
        raise Open(f"no main theorem is written for {operation if operation.isidentifier() else 'it'} yet")
    given = [layout(x) for x in of]
    found = layout(answer.get("layout"))
    lines = [_defined(name, x) for name, x in zip("AB", given, strict=False)] + [_defined("R", found)]
    sizes = {n: prod(size for size, _ in leaves(x)) for n, x in (*zip("AB", given, strict=False), ("R", found))}
    claims = _OPERATIONS[operation](sizes)
    parts, proofs = zip(*claims, strict=True)
    proof = "split; [" + "|".join(proofs) + "]" if len(parts) > 1 else proofs[0]
    says = "\n  /\\ ".join(parts)
    return "\n".join([*lines, f"Theorem main : {says}.", f"Proof. {proof}. Qed."])


def _defined(name: str, of: Any) -> str:
    modes = "; ".join(f"({n}, {d})" for n, d in leaves(of))
    if any(type(x) is not int for leaf in leaves(of) for x in leaf):
        raise Open("a main theorem of layouts with symbols")
    return f"Definition {name} : list (Z * Z) := [{modes}]."


def _everywhere(sides: str, over: str, sizes: dict[str, int]) -> tuple[str, str]:
    """The statement that both sides agree at each index of a layout, and its proof."""
    if sizes[over] > MANY:
        raise Open("a layout of too many values to compute each")
    claim = f"(forall i : Z, 0 <= i < layout_size {over} -> {sides})"
    test = f"forallb (fun i => {sides.replace(' = ', ' =? ')}) (sv_range 0 (layout_size {over})) = true"
    proof = f"assert (c' : {test}) by (vm_cast_no_check (eq_refl true)); intros i a'"
    return claim, f"{proof}; exact (proj1 (Z.eqb_eq _ _) (sv_everywhere _ _ _ c' i a'))"


def _complement(sizes: dict[str, int]) -> Iterator[tuple[str, str]]:
    """The statement that its values increase, and that sums of its values and the layout's are all different."""
    if sizes["A"] ** 2 * sizes["R"] ** 2 > MANY * 10:
        raise Open("a complement of too many values to compute each")
    spans = {"i": "A", "j": "R", "k": "A", "l": "R"}
    test = "(layout_at A i + layout_at R j =? layout_at A k + layout_at R l)"
    test = f"(negb {test} || ((layout_at A i =? layout_at A k) && (j =? l)))"
    for x, over in reversed(spans.items()):
        test = f"forallb (fun {x} => {test}) (sv_range 0 (layout_size {over}))"
    bounds = " -> ".join(f"0 <= {x} < layout_size {over}" for x, over in spans.items())
    claim = f"(forall i j k l : Z, {bounds} ->\n    layout_at A i + layout_at R j = layout_at A k + layout_at R l"
    lifted = "t'"
    for x in spans:
        lifted = f"(sv_everywhere _ _ _ {lifted} {x} {x}')"
    yield (f"{claim} -> layout_at A i = layout_at A k /\\ j = l)",
           f"assert (t' : {test} = true) by (vm_cast_no_check (eq_refl true)); intros i j k l i' j' k' l' e'; "
           f"pose proof {lifted} as f'; cbv beta in f'; lia")  # fmt: skip
    rises = "layout_at R j <? layout_at R (j + 1)"
    yield ("(forall j : Z, 0 <= j < layout_size R - 1 -> layout_at R j < layout_at R (j + 1))",
           f"assert (c' : forallb (fun j => {rises}) (sv_range 0 (layout_size R - 1)) = true) by "
           "(vm_cast_no_check (eq_refl true)); intros j a'; "
           "exact (proj1 (Z.ltb_lt _ _) (sv_everywhere _ _ _ c' j a'))")  # fmt: skip


_OPERATIONS: dict[str, Callable[[dict[str, int]], Any]] = {
    "composition": lambda n: [("layout_size R = layout_size B", "reflexivity"),
                              _everywhere("layout_at R i = layout_at A (layout_at B i)", "B", n)],
    "coalesce": lambda n: [("layout_size R = layout_size A", "reflexivity"),
                           _everywhere("layout_at R i = layout_at A i", "A", n)],
    "right_inverse": lambda n: [_everywhere("layout_at A (layout_at R i) = i", "R", n)],
    "left_inverse": lambda n: [_everywhere("layout_at A (layout_at R (layout_at A i)) = layout_at A i", "A", n)],
    "strict_left_inverse": lambda n: [_everywhere("layout_at R (layout_at A i) = i", "A", n)],
    "complement": _complement,
}  # fmt: skip

# Views: the address of each index


def merge(book: Book, question: Object, answer: Object) -> str:
    """The merged view and the composition have the same address at every index; or no single view has."""
    views = chain(question, "views", 2, numeric=True)
    if answer.get("view") is not None:
        return _same(book, views, chain({"views": [answer["view"]]}, "views", 1, numeric=True))
    claim = get(answer, "counterexample", dict)
    return _no_view(book, views, integers(claim, "index"))


def chains(book: Book, question: Object, answer: Object) -> str:
    """Both chains have the same addresses at every index; or they differ at this one."""
    first, second = (chain(question, key, numeric=True) for key in ("first", "second"))
    if get(answer, "same", bool):
        if maybe(answer, "minimal", bool) and len(second) > 1:
            book.open.append("that no fewer views do")
        return _same(book, first, second)
    index = integers(answer, "index")
    both = f"look chain_a {_row(index)} <> look chain_b {_row(index)}"
    inside = f"in_box {_row(first[-1].shape)} {_row(index)} /\\ "
    return "\n".join([_chain("chain_a", first), _chain("chain_b", second), f"Theorem main : {inside}{both}.",
                      "Proof. split; [cbn; lia|vm_compute; discriminate]. Qed."])  # fmt: skip


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
        raise Open("a box of too many indices to compute each")
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
