"""The guards of compiled programs: which of them imply all others, and why a call compiled a program again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from symview.cases.least_guards import LeastGuards, least_guards
from symview.displayed import Displayed
from symview.errors import InputError, SymviewError
from symview.logic.budget import Budget
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term, names, num, sym
from symview.torch.knowledge import UNBOUNDED, relations


@dataclass(frozen=True, slots=True)
class CompiledProgram:
    """One compilation: the call, why the earlier programs rejected it, and the guards on its sizes.

    `guards` has the lightest of PyTorch's guards that imply all of them; `unread` are those that are no statements
    about integers, which all have to be kept. `sources` names the origin of each symbol, such as `x.size()[0]`.
    """

    call: int
    refused: tuple[str, ...]
    guards: LeastGuards
    unread: tuple[str, ...]
    sources: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "call": self.call,
            "refused": list(self.refused),
            "guards": self.guards.to_dict(),
            "unread": list(self.unread),
            "sources": dict(self.sources),
        }


@dataclass(frozen=True, slots=True)
class ProgramGuards(Displayed):
    """The programs that some calls compiled, in order; `str()` is a summary, a few lines for each."""

    programs: tuple[CompiledProgram, ...]
    calls: int

    def __str__(self) -> str:
        lines = [f"compilations: {len(self.programs)}, calls: {self.calls}"]
        for program in self.programs:
            found = program.guards
            count = len(found.kept) + len(found.dropped) + len(program.unread)
            lines.append(f"call {program.call}: {count} guards, of which {len(found.kept)} imply all: {found}")
            lines += [f"  compiled again, since {reason}" for reason in program.refused]
            used = [f"{name} is {source}" for name, source in program.sources.items() if name in str(found)]
            lines += [f"  {', '.join(used)}"] if used else []
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"calls": self.calls, "programs": [p.to_dict() for p in self.programs]}


def program_guards(
    function: Callable[..., Any], *calls: Any, dynamic: bool | None = True, budget: Budget | None = None
) -> ProgramGuards:
    """Compiles a function for each of the calls, as PyTorch does, and finds the guards that the programs need.

    `calls` are tuples of arguments, or single tensors. The function is traced by `torch.compile(dynamic=dynamic)` and
    run uncompiled; within `symview.torch.installed()` views have the weakest guards.
    Claim: if the kept guards of a program hold, all of its guards on sizes and strides hold, for all sizes from 0 up.
    Raises InputError without calls.
    """
    import torch  # slow to load
    from torch._dynamo.utils import guard_failures  # slow to load
    from torch._guards import TracingContext  # slow to load

    if not calls:
        raise InputError("program_guards(function): give calls, as tuples of arguments")
    environments = list[Any]()

    def backend(graph: Any, _: Any) -> Any:
        environments.append(TracingContext.get().fake_mode.shape_env)
        return graph.forward

    torch.compiler.reset()
    compiled = torch.compile(function, backend=backend, dynamic=dynamic)
    programs = list[CompiledProgram]()
    for number, call in enumerate(calls, 1):
        known, reported = len(environments), {code: len(reasons) for code, reasons in guard_failures.items()}
        compiled(*call) if isinstance(call, tuple) else compiled(call)
        reasons = [r for code, found in guard_failures.items() for r in found[reported.get(code, 0) :]]
        for env in environments[known:]:
            programs.append(_program(number, tuple(map(_reason, reasons)), env, budget))
    return ProgramGuards(tuple(programs), len(calls))


def _program(call: int, refused: tuple[str, ...], env: Any, budget: Budget | None) -> CompiledProgram:
    read, unread = list[Term](), list[str]()
    for relation in relations(env):
        try:
            read.append(to_term(relation))
        except (SymviewError, AttributeError, TypeError, ValueError):  # it is not about integers
            unread.append(str(relation))
    guards = [*read, *_bounds(env)]
    sources = {s.name: _plain(source) for source, s in _sources(env).items() if hasattr(s, "name")}
    natural = {n for n, source in sources.items() if ".size()" in source or ".stride()" in source}  # not numbers given
    sizes = [Term(">=", (sym(name), num(0))) for name in names(*guards) if name in natural]
    return CompiledProgram(call, refused, least_guards(*guards, assume=sizes, budget=budget), tuple(unread), sources)


def _bounds(env: Any) -> Iterator[Term]:
    """The bounds on sizes that PyTorch checks, from its ranges."""
    for symbol, bounds in env.var_to_range.items():
        low, high = (int(b) if getattr(b, "is_Integer", False) else None for b in (bounds.lower, bounds.upper))
        if low is not None and low > 0:
            yield Term(">=", (sym(symbol.name), num(low)))
        if high is not None and high < UNBOUNDED:
            yield Term("<=", (sym(symbol.name), num(high)))


def _sources(env: Any) -> Mapping[str, Any]:
    return getattr(env, "source_to_symbol", None) or getattr(env, "source_to_var", None) or {}


def _plain(source: str) -> str:
    """The source as in the user's code: `x.size()[0]` for L['x'].size()[0]."""
    return source.replace("L['", "").replace("']", "", 1) if source.startswith("L['") else source


def _reason(text: str) -> str:
    """The guard that failed, without the place in PyTorch that wrote it."""
    return text.partition(": ")[2].partition("  #")[0].strip() or text.strip()
