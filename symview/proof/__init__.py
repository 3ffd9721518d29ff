"""Proving identities of integer arithmetic: `prove`, the kernel's rules, and theorems as pytest functions."""

from symview.proof.kernel import NotProved, by_induction, by_solver, prove

__all__ = ["NotProved", "by_induction", "by_solver", "prove"]
