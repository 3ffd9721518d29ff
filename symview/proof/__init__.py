"""Proving identities of integer arithmetic: `prove` and the kernel's rules."""

from __future__ import annotations

from typing import Any

from symview.proof.kernel import (
    NotProved,
    by_induction,
    by_instance,
    by_list_induction,
    by_permutation,
    by_solver,
    prove,
)

__all__ = [
    "NotProved", "TheoremFailed", "by_induction", "by_instance", "by_list_induction", "by_permutation", "by_solver",
    "prove", "refuted", "theorem",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """The decorators, which moved to `symview.rules`."""
    if name in ("TheoremFailed", "refuted", "theorem"):
        from symview.rules import theorems

        return getattr(theorems, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
