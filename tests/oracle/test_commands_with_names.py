"""Every command answers views and layouts whose sizes, strides, offsets and masks are names, with each way to print."""

from __future__ import annotations

from random import Random

import pytest
from command import typed

from symview.commands.replies import Code

SIZES = ("n", "m", "k", "2*n", "n*m", "n + 1", "(n+3)//4", "1", "2", "3", "6")
STRIDES = ("a", "b", "c", "-a", "a*n", "n//2", "n % 4", "0", "1", "4", "-3")
OFFSETS = ("o", "p", "n - 1", "-a", "5")
PRINTED = ("--json", "--latex", "--smt2", "--all", "--python")
CUTE = ("compose", "coalesce", "complement", "inverse", "divide", "product")
WAYS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("conditions", "reshape", "shard"), ("", "--explain", *PRINTED)),
    **dict.fromkeys(("injective", "contiguous", "overlap", *CUTE), ("", *PRINTED)),
    "dense": ("", "--flips", *PRINTED),
    "recast": ("", *PRINTED, "--dim=0"),
    "span": ("", "--json", "--all", "--bits=32", "--storage=n*m", "--storage=N"),
    "coalesce": ("", "--json", "--latex"),
    "counterexample": ("", "--json"),
}


def shape(rng: Random, most: int = 3) -> str:
    return f"({','.join(rng.choice(SIZES) for _ in range(rng.randint(1, most)))})"


def view(rng: Random, most: int = 3, plain: bool = False) -> str:
    sizes = [rng.choice(SIZES) for _ in range(rng.randint(1, most))]
    text = f"({','.join(sizes)}):({','.join(rng.choice(STRIDES) for _ in sizes)})"
    if not plain and rng.random() < 0.5:
        text += f"+({rng.choice(OFFSETS)})"
    if not plain and rng.random() < 0.25:
        text += f" [{','.join(rng.choice(('0:', '1:', 'p:')) + size for size in sizes)}]"
    return text


def question(rng: Random, command: str) -> list[str]:
    match command:
        case "conditions" | "counterexample":
            return [view(rng), view(rng)]
        case "overlap":
            return [view(rng, 1), view(rng, 1)]
        case "reshape":
            return [view(rng), rng.choice((shape(rng), "(-1)"))]
        case "shard":
            whole, mesh = shape(rng), rng.choice(("m", "2", "k,2", "n + 1"))
            placements = ", ".join(rng.choice(("S(0)", "_S(0, n)", "R")) for _ in mesh.split(","))
            placed = [whole, placements, rng.choice(("(-1)", "(n,-1)", "(-1,2)", whole)), "--mesh", mesh]
            return rng.choice(([whole, "--dim", "0", "--parts", rng.choice(SIZES)], placed))
        case "compose" | "divide" | "product":
            return [view(rng, 2, plain=True), view(rng, 2, plain=True)]
        case "recast":
            return [view(rng), *rng.sample(("8", "fp16", "fp32", "24"), 2)]
        case "complement":
            return [view(rng, 2, plain=True), rng.choice(SIZES)]
    return [view(rng, plain=command in CUTE)]


@pytest.mark.parametrize("command", WAYS)
def test_a_question_with_names_is_answered_or_refused_in_its_words(command, step, turns) -> None:
    rng, answered = Random(command), 0
    for _ in turns(24):
        words = [command, *question(rng, command), *filter(None, [rng.choice(WAYS[command])])]
        found = typed([*words, "--budget", "300000"])
        assert found.exit_code != Code.DEFECT, (words, found.stderr)
        assert "depends on its names" not in found.output, words  # said by an integer that is taken for a number
        answered += found.exit_code != Code.BAD_INPUT
    assert answered > len(turns(24)) // 3
