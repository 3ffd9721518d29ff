"""Proving identities of integer arithmetic: `prove` and the kernel's rules."""

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
