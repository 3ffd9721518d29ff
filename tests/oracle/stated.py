"""Whether a statement is false somewhere: its nodes read once more, and tried at small values, in plain integers.

    PYTHONPATH=tests python -m oracle.stated [KIND …] --count 1000 --seed 1

changes right certificates as `oracle.forged` does, and tries the statement of each that is confirmed or refuted: what
is printed must not say more than was checked. 1 is returned where a confirmed one is false, or a refuted one true.

A part without a value is unknown, as a quotient by 0 is some number: what is found false is false whatever it is.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from symview.trusted.document import BadCertificate, View, parsed
from symview.verify import Solver, verify
from symview.verify.meaning import statement

from . import answers, decided
from .decided import NoValueError
from .forged import WORK, Recalled, changed, originals

WRONG = (("confirmed", False), ("refuted", True))
TRIED = 250  # values of the names of a statement
LOGIC = ("and", "or", "not", "->", "<->")
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
KINDS = (
    "theorem",
    "premise",
    "conditions",
    "size",
    "reshapes",
    "compare",
    "merge",
    "masked",
    "chains",
    "strides",
    "overlap",
)


def truth(node: Any, at: dict[str, int], rng: Random) -> bool | None:
    """Whether a statement holds at values of its free names; None where that is not known."""
    if isinstance(node, bool):
        return node
    op, *of = node
    if op in RELATIONS:
        return decided.holds(listed(node), at)
    if op in LOGIC:
        return joined(op, [truth(part, at, rng) for part in of])
    try:
        return NODES[op](*of, at, rng)
    except NoValueError:
        return None


def joined(op: str, parts: Sequence[bool | None]) -> bool | None:
    """Formulas of which some are not known."""
    if op in ("and", "or"):
        end = op == "or"
        return end if end in parts else None if None in parts else not end
    if op == "->":
        return joined("or", [denied(parts[0]), parts[1]])
    return denied(parts[0]) if op == "not" else None if None in parts else parts[0] == parts[1]


def denied(so: bool | None) -> bool | None:
    """The opposite."""
    return None if so is None else not so


def listed(tree: Any) -> Any:
    """A formula as the lists of a certificate."""
    return [listed(x) for x in tree] if isinstance(tree, tuple) else tree


def _all(names: Sequence[str], body: Any, at: dict[str, int], rng: Random) -> bool | None:
    """False at some values of the names; else not known, unless there are none."""
    if not names:
        return truth(body, at, rng)
    some = (dict(zip(names, decided.drawn(len(names), rng), strict=True)) for _ in range(TRIED if not at else 30))
    return False if any(truth(body, {**at, **one}, rng) is False for one in some) else None


def _given(formulas: Sequence[Any], body: Any, at: dict[str, int], rng: Random) -> bool | None:
    if not all(truth(f, at, rng) is True for f in formulas):
        return None
    return truth(body, at, rng)


def _along(one: Any, body: Any, at: dict[str, int], rng: Random) -> bool | None:
    """False at the end of a short list."""
    state = {n: decided.value(listed(first), at) for n, (first, _) in one.folds.items()}
    for _ in range(4):
        whole = {**at, **state}
        if truth(body, whole, rng) is False:
            return False
        whole |= {n: rng.choice((-1, 0, 1, 2, 3, 5)) for n in one.own}
        if not all(truth(e, whole, rng) is True for e in one.each):
            return None
        state = {n: decided.value(listed(later), whole) for n, (_, later) in one.folds.items()}
    return None


def _one_of(formulas: Sequence[Any], words: Sequence[str], at: dict[str, int], rng: Random) -> bool | None:
    known = [truth(f, at, rng) for f in formulas]
    return None if None in known else known.count(True) == 1


def numeric(view: View, at: dict[str, int]) -> Any:
    """A view at values of its names."""
    shape, strides = ([decided.value(listed(x), at) for x in row] for row in (view.shape, view.strides))
    bounds = [tuple(decided.value(listed(x), at) for x in b) for b in view.mask or ()]
    if view.void and not shape:
        raise NoValueError
    bounds = [(0, 0)] * len(shape) if view.void else bounds if view.mask is not None else [(0, n) for n in shape]
    return shape, strides, decided.value(listed(view.offset), at), bounds


def table(of: Any, at: dict[str, int], rng: Random) -> Any:
    """Where a chain leads, if its sizes fit; None if it is out of bounds somewhere."""
    return decided.shown([numeric(v, at) for v in of.views])


def _one_view(of: Any, at: dict[str, int], rng: Random) -> bool | None:
    return joined("and", [truth(of.fits, at, rng), decided.merges(table(of, at, rng))])


def _is(of: Any, found: Any, at: dict[str, int], rng: Random) -> bool | None:
    if not isinstance(found, View):
        return None  # a layout
    mine, last = numeric(found, at), numeric(of.views[-1], at)
    there = table(of, at, rng)
    same = mine[0] == last[0] and there is not None and there == decided.shown([mine])
    return joined("and", [truth(of.fits, at, rng), same])


def _leaves(of: Any, at: dict[str, int], rng: Random) -> bool | None:
    return table(of, at, rng) is None


def _breaks(of: Any, index: tuple[int, ...], at: dict[str, int], rng: Random) -> bool | None:
    """False if the index is none, or if the chain is one view; where that breaks is not decided here."""
    shape = numeric(of.views[-1], at)[0]
    inside = len(index) == len(shape) and all(0 <= i < n for i, n in zip(index, shape, strict=True))
    return None if inside and not decided.merges(table(of, at, rng)) else False


def _same(first: Any, second: Any, last: Any, at: dict[str, int], rng: Random) -> bool | None:
    one, other = table(first, at, rng), table(second, at, rng)
    if one is None or other is None:
        return False
    if first.views[-1].shape != second.views[-1].shape:
        return False
    before = [i for i in one if last is None or (sum(i), i) < (sum(last), last)]
    return one.keys() == other.keys() and all(one[i] == other[i] for i in before)


def _differ(first: Any, second: Any, index: Any, sides: Any, at: dict[str, int], rng: Random) -> bool | None:
    one, other = table(first, at, rng), table(second, at, rng)
    if one is None or other is None or index not in one or index not in other:
        return None
    return one[index] != other[index] and (sides is None or sides == (one[index], other[index]))


def _has(of: Any, at: dict[str, int], rng: Random) -> bool | None:
    view = {"shape": of.view.shape, "strides": of.view.strides, "offset": of.view.offset}
    mask = "empty" if of.view.void else of.view.mask and [listed(b) for b in of.view.mask]
    question = {"property": of.name, "flips": of.flips, "order": of.order,
                "view": {**{key: listed(x) for key, x in view.items()}, "mask": mask}}  # fmt: skip
    return decided.has(question, at)


def _share(pair: Any, at: dict[str, int], rng: Random) -> bool | None:
    return decided.meet(*[numeric(v, at) for v in pair])


NODES: dict[str, Any] = {
    "all": _all, "given": _given, "along": _along, "one_of": _one_of, "one_view": _one_view, "is": _is,
    "leaves": _leaves, "breaks": _breaks, "same": _same, "differ": _differ, "has": _has,
    "share": _share, "at": lambda values, body, at, rng: truth(body, {**at, **values}, rng),
    **dict.fromkeys(("open", "exists", "shows", "apart"), lambda *given: None),
}  # fmt: skip


def stated(document: Any) -> Any:
    """The statement of a certificate."""
    return statement(parsed(json.dumps(document))["claim"])


def tried(kind: str, count: int, seed: int, solver: Solver, most: int = 40) -> Iterator[tuple[str, bool | None, Any]]:
    """Right certificates of a kind and changed ones: whether they are confirmed or refuted, and what is found here."""
    rng, right = Random(f"{kind} {seed}"), originals(kind, most)
    for n in range(count):
        document = right[n] if n < len(right) else changed(rng.choice(right), rng)[0]
        try:
            verdict = verify(json.dumps(document), solver, WORK).verdict
            if verdict in ("confirmed", "refuted"):
                yield verdict, truth(stated(document), {}, Random(0)), document
        except BadCertificate:
            continue


def main() -> int:
    """Tries the statements of each kind."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(answers.KINDS)}")
    options.add_argument("--count", type=int, default=300, help="changed certificates of each kind")
    options.add_argument("--seed", type=int, default=0)
    chosen, bad = options.parse_args(), 0
    for kind in chosen.kinds or KINDS:
        seen = Counter[tuple[str, bool | None]]()
        with Recalled() as solver:
            for verdict, found, document in tried(kind, chosen.count, chosen.seed, solver):
                seen[verdict, found] += 1
                if (verdict, found) in WRONG:
                    print("   ", verdict, found, json.dumps(document)[:1500], flush=True)
        told = [f"{n} {verdict} and found {found}" for (verdict, found), n in sorted(seen.items(), key=str)]
        print(f"{kind}: {', '.join(told)}", flush=True)
        bad += sum(seen[one] for one in WRONG)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
