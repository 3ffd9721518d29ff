"""The guards of compiled programs: the lightest of them against all of them at small sizes."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch

from symview.errors import InputError
from symview.torch import installed, program_guards


def heads(x: torch.Tensor) -> torch.Tensor:
    return x.view(x.shape[0], x.shape[1], 8, -1).transpose(1, 2) + 1


def flattened(x: torch.Tensor) -> torch.Tensor:
    return x[:, 1:].reshape(-1) * 2


def swapped(x: torch.Tensor) -> torch.Tensor:
    return x.reshape(x.shape[1], x.shape[0])


def two(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x.view(-1, 2) + y


CALLS: dict[Any, list[Any]] = {
    heads: [torch.ones(4, 6, 64), torch.ones(4, 6, 96), torch.ones(3, 5, 8)],
    flattened: [torch.ones(4, 6), torch.ones(1, 6), torch.ones(5, 2)],
    swapped: [torch.ones(5, 7), torch.ones(6, 8), torch.ones(6, 6), torch.ones(9, 3)],
    two: [(torch.ones(4, 6), torch.ones(12, 2)), (torch.ones(2, 6), torch.ones(6, 2))],
}


def _holds(guard: str, values: dict[str, int]) -> bool:
    try:
        return bool(eval(guard, {"min": min, "max": max, "abs": abs}, dict(values)))
    except ZeroDivisionError:
        return False


@pytest.mark.parametrize("function", CALLS, ids=lambda f: f.__name__)
def test_kept_guards_imply_all(function: Any) -> None:
    for within in (None, installed()):
        if within is None:
            found = program_guards(function, *CALLS[function])
        else:
            with within:
                found = program_guards(function, *CALLS[function])
        assert found.calls == len(CALLS[function])
        assert [bool(p.refused) for p in found.programs] == [False] + [True] * (len(found.programs) - 1)
        for program in found.programs:
            guards, names = program.guards, list(program.sources)
            assert guards.optimal == "proved"
            for point in product((0, 1, 2, 3, 6, 8, 16), repeat=len(names)):
                values = dict(zip(names, point, strict=True))
                kept = all(_holds(g, values) for g in guards.kept)
                assert kept == all(_holds(g, values) for g in (*guards.kept, *guards.dropped)), values
    assert str(found).startswith("compilations: ")
    assert found.to_dict()["calls"] == found.calls


def test_a_square_compiles_again_without_symview() -> None:
    found = program_guards(swapped, *CALLS[swapped])
    assert [p.call for p in found.programs][:2] == [1, 3]
    assert found.programs[1].refused
    with installed():
        assert len(program_guards(swapped, *CALLS[swapped]).programs) < len(found.programs)


def test_a_number_that_is_given_may_be_negative() -> None:
    def shifted(x: torch.Tensor, n: int) -> torch.Tensor:
        return x + 1 if n * n >= 4 and n <= 5 else x

    (program,) = program_guards(shifted, (torch.ones(3), -4)).programs
    name = next(n for n, source in program.sources.items() if "size" not in source)
    guards = (*program.guards.kept, *program.guards.dropped)
    for value in range(-9, 10):
        values = {**dict.fromkeys(program.sources, 3), name: value}
        assert all(_holds(g, values) for g in program.guards.kept) == all(_holds(g, values) for g in guards)


def test_no_calls() -> None:
    with pytest.raises(InputError, match="give calls"):
        program_guards(heads)
