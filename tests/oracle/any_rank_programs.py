"""Random rules with `...` in their shapes, and what they are at a rank: each further dim has names of its own."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

EACH = ("flip", "pad", "shrink", "slice")


class Op(NamedTuple):
    """An operation on the further dims (`each`), on the two stated ones (`last`), or a reshape that merges them."""

    name: str
    each: tuple[str, ...] | None
    last: tuple[str, ...]


class Rule(NamedTuple):
    """Two lists of operations on the tensor x of shape (...s,n,m)."""

    left: tuple[Op, ...]
    right: tuple[Op, ...]

    def text(self, rank: int | None) -> str:
        """The rule with `...`, or with so many further dims."""
        return f"{_text(self.left, rank)} == {_text(self.right, rank)}"

    def sides(self, rank: int) -> tuple[str, str]:
        """Both sides with so many further dims."""
        return _text(self.left, rank), _text(self.right, rank)


def _own(entry: str, dim: int) -> str:
    """An entry for one further dim, whose names get its number."""
    return "".join(f"{c}{dim}" if c in "sabc" else c for c in entry)


def _dims(each: tuple[str, ...] | None, nothing: tuple[str, ...], rank: int | None) -> list[tuple[str, ...]]:
    if rank is None:
        return [] if each is None else [tuple(f"...{e}" for e in each)]
    return [tuple(_own(e, d) for e in each or nothing) for d in range(rank)]


def _text(ops: tuple[Op, ...], rank: int | None) -> str:
    sizes = ["...s"] if rank is None else [f"s{d}" for d in range(rank)]
    parts = [f"x({','.join([*sizes, 'n', 'm'])})"]
    size = "s"
    for op in ops:
        if op.name == "swap":
            axes = [-1, -2] if rank is None else [*range(rank), rank + 1, rank]
            parts.append(f"permute({','.join(map(str, axes))})")
        elif op.name == "flip":
            block = (
                ([] if op.each is None else ["..."])
                if rank is None
                else list(map(str, range(rank))) * (op.each is not None)
            )
            last = op.last if rank is None else [str(rank + 2 + int(a)) for a in op.last]
            parts.append(f"flip({','.join([*block, *last])})")
        elif op.name == "slice":
            rows = [*_dims(op.each, ("0", size, "1"), rank), *(tuple(r.split(":")) for r in op.last)]
            columns = list(zip(*rows, strict=True)) if rank is not None or op.each is not None else None
            if columns is None:
                columns = [("...", *c) for c in zip(*rows, strict=True)]
            parts.append(f"slice({','.join('(' + ','.join(c) + ')' for c in columns)})")
        else:
            rows = [
                *_dims(op.each, ("0", size if op.name == "shrink" else "0"), rank),
                *(tuple(r.split(":")) for r in op.last),
            ]
            parts.append(f"{op.name}({','.join('(' + ','.join(r) + ')' for r in rows)})")
        size = _after(op, size)
    return ".".join(parts)


def _after(op: Op, size: str) -> str:
    """The size of a further dim after the operation."""
    if op.each is None or op.name == "flip":
        return size
    first, second, *steps = op.each
    if op.name == "pad":
        return f"({first}+{size}+{second})"
    return f"(({second}-({first})+{steps[0]}-1)//{steps[0]})" if steps else f"({second}-({first}))"


def _op(rng: Random, size: str, last: tuple[str, str]) -> Op:
    """One operation, on the further dims or the last two, of these sizes."""
    name = rng.choice((*EACH, "swap"))
    alike = rng.random() < 0.6
    n, m = last
    if name == "swap":
        return Op("swap", None, ())
    if name == "flip":
        return Op("flip", () if alike else None, tuple(rng.sample(("-1", "-2"), rng.randint(0, 2))))
    if name == "pad":
        return Op(
            "pad",
            rng.choice((("a", "b"), ("0", "1"), ("a", "0"))) if alike else None,
            (rng.choice(("0:0", "0:1")), "0:0"),
        )
    if name == "shrink":
        each = rng.choice((("a", size), ("0", size), ("a", "a"), ("0", "c"))) if alike else None
        return Op("shrink", each, (f"0:{n}", f"0:{m}"))
    each = rng.choice((("0", size, "2"), ("a", size, "1"), ("0", size, "c"))) if alike else None
    return Op("slice", each, (f"0:{n}:1", f"0:{m}:1"))


def random_rule(rng: Random) -> Rule:
    """Two programs that share most operations, in one order or another."""
    ops: list[Op] = []
    size, last = "s", ("n", "m")
    for _ in range(rng.randint(1, 3)):
        op = _op(rng, size, last)
        ops.append(op)
        if op.name == "swap":
            last = (last[1], last[0])
        if op.name == "pad" and op.last[0] == "0:1":
            last = (f"({last[0]}+1)", last[1])
        size = _after(op, size)
    other = list(ops)
    kind = rng.random()
    if kind < 0.3:
        other += [Op("flip", (), ()), Op("flip", (), ())]
    elif kind < 0.5:
        other += [Op("swap", None, ()), Op("swap", None, ())]
    elif kind < 0.7:
        rng.shuffle(other)
    elif kind < 0.85:
        other.insert(rng.randint(0, len(other)), Op("flip", (), ()))
    return Rule(tuple(ops), tuple(other))
