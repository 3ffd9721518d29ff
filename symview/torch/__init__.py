"""For PyTorch: is this `view` legal, and what is the weakest guard? PyTorch is imported only when it is used."""

from importlib.util import find_spec

from symview.torch.answers import Outcome, ViewGuard, guard_at, view_guard
from symview.torch.compiling import CompileReport, CompileRun, compile_report
from symview.torch.copy_report import Copy, CopyReport
from symview.torch.copying import copies
from symview.torch.decisions import KnownConditions, conditions_known, prove, sym_bool
from symview.torch.installing import install, installed, report, uninstall
from symview.torch.programs import CompiledProgram, ProgramGuards, program_guards
from symview.torch.reporting import Report

__all__ = [
    "CompileReport", "CompileRun", "CompiledProgram", "Copy", "CopyReport", "KnownConditions", "Outcome",
    "ProgramGuards", "Report", "ViewGuard", "compile_report", "conditions_known", "copies", "guard_at", "install",
    "installed", "program_guards", "prove", "report", "sym_bool", "uninstall", "view_guard",
]  # fmt: skip

if find_spec("symview.plans") is not None:  # a satellite: without it, `plan` alone is missing
    from symview.torch.planning import TorchPlan, plan

    __all__ += ["TorchPlan", "plan"]
