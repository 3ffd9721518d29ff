"""Rules and how they are checked: theorems as pytest functions, files of rules, the pytest plugin."""

from symview.rules.theorems import TheoremFailed, checked, refuted, theorem

__all__ = ["TheoremFailed", "checked", "refuted", "theorem"]
