"""A checker of certificates that shares nothing with what writes them: it imports nothing else of symview.

It works out what has to hold for an answer to be right: formulas that hold for all integers, some of them in a box.
Small boxes are walked in plain integers; a solver is asked, in SMT-LIB, for values at which another formula fails,
and what it finds is replayed. Importing it loads nothing of that, so that the kernel of proofs loads its core alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symview.verify.checking import BadCertificate, Limits, Report, Solver, verify

__all__ = ["BadCertificate", "Limits", "Report", "Solver", "verify"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from symview.verify import checking

        return getattr(checking, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
