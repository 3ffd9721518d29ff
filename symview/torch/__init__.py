"""For PyTorch: is this `view` legal, and what is the weakest guard? PyTorch is imported only when it is used."""

from symview.torch.answers import Outcome, ViewGuard, guard_at, view_guard
from symview.torch.asking import KnownConditions, conditions_known, prove, sym_bool
from symview.torch.copying import Copy, CopyReport, copies
from symview.torch.installing import install, installed, uninstall
from symview.torch.planning import TorchPlan, plan
from symview.torch.programs import CompiledProgram, ProgramGuards, program_guards

__all__ = [
    "CompiledProgram", "Copy", "CopyReport", "KnownConditions", "Outcome", "ProgramGuards", "TorchPlan", "ViewGuard",
    "conditions_known", "copies", "guard_at", "install", "installed", "plan", "program_guards", "prove", "sym_bool",
    "uninstall", "view_guard",
]  # fmt: skip
