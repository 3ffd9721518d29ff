"""A checker of certificates that shares no code with the writer: but for its command it imports only the trusted core.

It makes one closed formula of a claim, which it prints, and derives obligations from it: formulas that must hold for
all integers, some of which lie in a box. It enumerates small boxes in plain integers; for other formulas it asks a
solver, in SMT-LIB, for values at which they fail, and replays these values. The checker is loaded at first use, so that
the kernel of proofs loads only its core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symview.verify.checking import BadCertificate, Limits, Report, Solver, verify

__all__ = ["BadCertificate", "Limits", "Report", "Solver", "verify"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from symview.verify import checking  # loads the checker: the kernel needs only what both stand on

        return getattr(checking, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
