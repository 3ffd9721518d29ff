"""Proving identities of integer arithmetic: `prove`, the kernel's rules, and theorems as pytest functions."""

from symview.proof.kernel import NotProved, by_induction, by_solver, prove
from symview.proof.theorem import TheoremFailed, refuted, theorem

__all__ = ["NotProved", "TheoremFailed", "by_induction", "by_solver", "prove", "refuted", "theorem"]
