"""Main theorems of plans: under the layouts each program is a view, and no two elements share a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from symview.rocq.book import MANY, Book, Open
from symview.verify.document import Object, get, integers
from symview.verify.kinds.plans import of_plan

Row = Sequence[int]


def plan(book: Book, question: Object, answer: Object) -> str:
    """Each layout separates its elements and meets the demands on strides; each program is a view."""
    obligations = [one for one in of_plan(question, answer, book.effort) if not one.what.startswith("that no ")]
    if any(one.claim is not True for one in obligations):
        raise Open("that the programs are views under these layouts")
    nodes, positive = get(question, "nodes", list), get(question, "positive", bool)
    layouts = {get(x, "node", int): integers(x, "strides") for x in get(answer, "layouts", list)}
    if sum(prod(integers(node, "shape")) for node in nodes) > MANY:
        raise Open("programs of too many indices to compute")
    book.library |= {"Views", "Apart"}
    if any(get(nodes[v], "weight", int) for v in integers(answer, "copies")):
        book.open.append("that no lighter set of copies suffices")
    shown = [part for v, strides in layouts.items() for part in _layout(nodes[v], strides, positive)]
    shown += [_view(nodes, layouts, v) for v, node in enumerate(nodes)
              if get(node, "consumed", bool) and v not in layouts]  # fmt: skip
    says = "\n  /\\ ".join(claim for claim, _ in shown)
    proofs = " ".join(f"{{ {proof}. }}" for _, proof in shown)
    return f"Theorem main :\n  {says}.\nProof. repeat apply conj. {proofs} Qed."


def _layout(node: Object, strides: Row, positive: bool) -> Iterator[tuple[str, str]]:
    """Statements, with proofs: the elements are apart, and the strides meet the demands."""
    shape, unit, multiples = integers(node, "shape"), node.get("unit"), integers(node, "multiples")
    place = f"dot {_row(strides)}"
    boxes = f"in_box {_row(shape)} x -> in_box {_row(shape)} y"
    yield (f"(forall x y : list Z, {boxes} -> {place} x = {place} y -> x = y)",
           f"apply (sv_apart ({place})); vm_cast_no_check (eq_refl true)")  # fmt: skip
    for d, (n, t) in enumerate(zip(shape, strides, strict=True)):
        if n > 1 and 0 not in shape:
            if positive:
                yield f"0 < {_number(t)}", "reflexivity"
            if d == unit:
                yield f"{_number(t)} = 1", "reflexivity"
            elif multiples and multiples[d] != 1:
                yield f"{_number(t)} mod {_number(multiples[d])} = 0", "reflexivity"


def _view(nodes: Sequence[Object], layouts: Mapping[int, Row], v: int) -> tuple[str, str]:
    """The statement that some strides and an offset have a program's places, with its proof."""
    last = integers(nodes[v], "shape")
    index = "i"
    root = v
    while root not in layouts:
        before = get(nodes[root], "before", int)
        shapes = f"{_row(integers(nodes[before], 'shape'))} {_row(integers(nodes[root], 'shape'))}"
        index, root = f"(shows {_step(get(nodes[root], 'step', list))} {shapes} {index})", before
    place = f"dot {_row(layouts[root])} {index}"
    claim = f"in_box {_row(last)} i -> {place} = dot t i + o"
    told = f"(exists (t : list Z) (o : Z), length t = {len(last)}%nat /\\ forall i : list Z,\n      {claim})"
    zero = _row([0] * len(last))
    units = [_row([int(k == axis) for k in range(len(last))]) for axis in range(len(last))]
    found = "; ".join(f"f' {unit} - f' {zero}" for unit in units)
    return told, (
        f"pose (f' := fun i => {place}); exists [{found}], (f' {zero}); split; [reflexivity|]; "
        f"exact (sv_at_all f' (fun i => dot [{found}] i + f' {zero}) {_row(last)} "
        "ltac:(vm_cast_no_check (eq_refl true)))"
    )


def _step(step: Sequence[object]) -> str:
    """An operation in the notation of Definitions.v."""
    op, given = step
    if op in ("permute", "flip"):
        return f"({str(op).capitalize()} {_row(given)})"  # type: ignore[arg-type]
    if op == "slice":
        rows = "; ".join(f"({_number(first)}, {_number(by)})" for first, _, by in given)  # type: ignore[attr-defined]
        return f"(Slice [{rows}])"
    return str(op).capitalize()


def _number(x: int) -> str:
    return str(x) if x >= 0 else f"({x})"


def _row(xs: Sequence[int]) -> str:
    return f"[{'; '.join(map(_number, xs))}]"
