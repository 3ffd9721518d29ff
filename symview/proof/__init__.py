"""Proving identities of integer arithmetic: `prove` and the kernel's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symview.proof.prover import (
        NotProved,
        by_induction,
        by_instance,
        by_list_induction,
        by_permutation,
        by_solver,
        prove,
    )

__all__ = [
    "NotProved", "by_induction", "by_instance", "by_list_induction", "by_permutation", "by_solver", "prove",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Loads the prover when it is used: the kernel does not need it."""
    if name in __all__:
        from symview.proof import prover  # loads the prover

        return getattr(prover, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
