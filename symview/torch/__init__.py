"""For PyTorch: is this `view` legal, and what is the weakest guard? PyTorch is imported only where it is in use."""

from symview.torch.answers import Outcome, ViewGuard, guard_at, view_guard
from symview.torch.installing import install, installed, uninstall

__all__ = ["Outcome", "ViewGuard", "guard_at", "install", "installed", "uninstall", "view_guard"]
