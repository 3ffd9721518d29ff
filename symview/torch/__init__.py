"""For PyTorch: is this `view` legal, and what is the weakest guard? PyTorch is imported only where it is in use."""

from symview.torch.answers import Outcome, ViewGuard, guard_at, view_guard
from symview.torch.asking import KnownConditions, conditions_known, prove, sym_bool
from symview.torch.copying import Copy, CopyReport, copies
from symview.torch.installing import install, installed, uninstall
from symview.torch.planning import TorchPlan, plan

__all__ = [
    "Copy", "CopyReport", "KnownConditions", "Outcome", "TorchPlan", "ViewGuard", "conditions_known", "copies",
    "guard_at", "install", "installed", "plan", "prove", "sym_bool", "uninstall", "view_guard",
]  # fmt: skip
