"""Random pairs of symbolic programs: equal by construction, by a law, or with one entry or operation changed."""

from __future__ import annotations

from random import Random

from symview.logic.notation import term_text
from symview.rules.programs.program import Program, tensor

NAMES = ("n", "m", "k")


def sizes_of(program: Program) -> list[str]:
    return [term_text(t) for t in program.sizes]


def start(rng: Random) -> Program:
    return tensor("x", [rng.choice((*NAMES, "n", "m", "2", "1", "2*n", "n*m")) for _ in range(rng.randint(1, 3))])


def step(rng: Random, p: Program) -> Program:
    """One more operation, of a symbolic program of a rank up to 4."""
    sizes = sizes_of(p)
    match rng.choice(("permute", "flip", "shrink", "pad", "slice", "reshape", "reshape", "expand", "concat", "read")):
        case "permute":
            return p.permute(rng.sample(range(p.rank), p.rank))
        case "flip":
            return p.flip(rng.sample(range(p.rank), rng.randint(0, p.rank)))
        case "shrink":
            return p.shrink(
                [rng.choice([("0", s), ("0", s), ("a", s), ("0", "a"), ("a", f"{s} - a"), ("1", s)]) for s in sizes]
            )
        case "pad":
            return p.pad([rng.choice([("0", "0"), ("a", "0"), ("1", "a"), ("0", "b"), ("2", "1")]) for _ in sizes])
        case "slice":
            rows = [rng.choice([("0", "1"), ("0", "2"), ("0", "k"), ("a", "1"), ("1", "2")]) for _ in sizes]
            return p.slice([low for low, _ in rows], sizes, [by for _, by in rows])
        case "reshape":
            return reshaped(rng, p)
        case "expand":
            ones = [n for n, s in enumerate(sizes) if s == "1"]
            return p.expand([rng.choice(("n", "2", "k", "1")) if n in ones else s for n, s in enumerate(sizes)])
        case "concat":
            if not p.rank:
                return p
            axis = rng.randrange(p.rank)
            other = tensor(
                rng.choice("yz"), [rng.choice(("k", "1", "n")) if n == axis else s for n, s in enumerate(sizes)]
            )
            return p.concat(other, axis) if rng.random() < 0.6 else other.concat(p, axis)
    if p.rank == 1 and rng.random() < 0.4:
        return p.read(f"(a):(b)+{rng.choice(('0', '1', 'c'))}")
    return p.read(f"({','.join(sizes)}):({','.join(places(sizes))})") if p.rank else p


def places(sizes: list[str]) -> list[str]:
    return ["*".join(["1", *(f"({s})" for s in sizes[n + 1 :])]) for n in range(len(sizes))]


def reshaped(rng: Random, p: Program) -> Program:
    """Dims merged, or one split in its factors, or a size of 1 more or less."""
    sizes = sizes_of(p)
    kind = rng.random()
    if kind < 0.5 and p.rank >= 2:
        at = rng.randrange(p.rank - 1)
        return p.reshape([*sizes[:at], f"({sizes[at]})*({sizes[at + 1]})", *sizes[at + 2 :]])
    if kind < 0.75 and p.rank < 4:
        for at, size in enumerate(sizes):
            if "*" in size and "(" not in size and "+" not in size and "-" not in size:
                first, _, rest = size.partition("*")
                parts = [first, rest] if rng.random() < 0.5 else [rest, first]
                return p.reshape([*sizes[:at], *parts, *sizes[at + 1 :]])
    if "1" in sizes and kind < 0.9:
        at = sizes.index("1")
        return p.reshape([*sizes[:at], *sizes[at + 1 :]])
    at = rng.randint(0, p.rank)
    return p.reshape([*sizes[:at], "1", *sizes[at:]]) if p.rank < 4 else p


def law(rng: Random, p: Program) -> Program:
    """The same program, said with two more operations."""
    sizes = sizes_of(p)
    match rng.randrange(7):
        case 0:
            order = rng.sample(range(p.rank), p.rank)
            return p.permute(order).permute([order.index(a) for a in range(p.rank)])
        case 1:
            axes = rng.sample(range(p.rank), rng.randint(0, p.rank))
            return p.flip(axes).flip(axes)
        case 2:
            return p.pad([("a", "b")] * p.rank).shrink([("a", f"a + {s}") for s in sizes])
        case 3:
            return p.reshape(["*".join(["1", *(f"({s})" for s in sizes)])]).reshape(sizes)
        case 4 if p.rank:
            axis = rng.randrange(p.rank)
            other = tensor("w", ["b" if n == axis else s for n, s in enumerate(sizes)])
            return p.concat(other, axis).shrink([("0", s) for s in sizes])
        case 5:
            return p.read(f"({','.join(sizes)}):({','.join(places(sizes))})")
    return (
        p.reshape([*sizes, "1"]).expand([*sizes, "2"]).shrink([*(("0", s) for s in sizes), ("1", "2")]).reshape(sizes)
    )


def pair(rng: Random) -> tuple[Program, Program]:
    """Two programs of one rank."""
    left = start(rng)
    right = left
    for _ in range(rng.randint(0, 3)):
        kind, seed = rng.random(), rng.random()
        after = step(Random(seed), left)
        other = step(Random(seed), right) if kind < 0.9 or after.rank != left.rank else step(rng, right)
        if other.rank == after.rank:
            left, right = after, other
        if rng.random() < 0.5:
            right = law(rng, right)
        if rng.random() < 0.2:
            left = law(rng, left)
    if rng.random() < 0.5:
        right = law(rng, right)
    if rng.random() < 0.25 and (changed := step(rng, right)).rank == right.rank:
        right = changed
    return left, right
