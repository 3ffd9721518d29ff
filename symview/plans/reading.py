"""The programs of a question about layouts, as programs and as texts."""

from __future__ import annotations

from collections.abc import Iterable

from symview.errors import InputError
from symview.rules.programs.notation import SLICES, read_calls
from symview.rules.programs.program import ELSEWHERE, OPERATIONS, Program, instead_of


def read_programs(given: Iterable[Program | str]) -> tuple[Program, ...]:
    """The programs; text that begins with an operation continues the last tensor.

    The first text may be a tensor alone. A further tensor has dims and is followed by an operation, so that a word that
    is neither is an error.

    >>> list(map(str, read_programs(["q(4,6)", "permute(1,0)", "k(n,m).flip(0)", "t()"])))
    ['q(4,6).permute(1,0)', 'k(n,m).flip(0)', 'k(n,m).permute(1,0)']
    """
    found, tensors = list[Program](), dict[str, Program]()
    last: Program | None = None
    for one in given:
        if isinstance(one, Program):
            program, alone = one, False
        elif not isinstance(one, str):
            raise InputError(f"plan of {one!r}: give programs, such as tensor('q', '(B,S)').permute(1, 0)")
        else:
            first, *rest = read_calls(one)
            if first.name in (*OPERATIONS, SLICES) and not (first.name == "t" and first.given):
                if last is None:
                    raise InputError(f"{one}: begin with a tensor, such as q(B,S,H,D)")
                program, alone = last.then(one), False
            else:
                if tensors and first.name.lower() in ELSEWHERE:
                    raise InputError(f"{one}: no operation {first.name!r}: {instead_of(first.name)}")
                program, alone = Program.parse(one), not rest
                if tensors and str(program.chain()[0]) not in tensors and (alone or not first.given):
                    raise InputError(
                        f"{one}: {first.name} is not an operation; a tensor has sizes, and an operation follows it"
                    )
        last = program.chain()[0]
        tensors[str(last)] = last
        found += [] if alone else [program]
    return tuple(found or tensors.values())
