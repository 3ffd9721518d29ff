"""Rules and how to check them: theorems as pytest functions, files of rules, the pytest plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symview.rules.theorems import TheoremFailed, checked, refuted, theorem

__all__ = ["TheoremFailed", "checked", "refuted", "theorem"]


def __getattr__(name: str) -> Any:
    """Loads the decorators when they are used: the pytest plugin, also in this folder, must import quickly."""
    if name in __all__:
        from symview.rules import theorems  # loads the prover

        return getattr(theorems, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
