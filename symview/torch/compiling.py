"""A function compiled by PyTorch alone and with symview, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

from symview.displayed import Displayed
from symview.errors import InputError
from symview.torch import evident, forms
from symview.torch.installing import installed, paused


@dataclass(frozen=True, slots=True)
class CompileRun:
    """A function compiled for some calls: the guards of each graph and their characters, the CPU time of each call."""

    name: str
    guards: tuple[int, ...]
    characters: tuple[int, ...]
    seconds: tuple[float, ...]
    outputs: tuple[Any, ...] = ()

    @property
    def graphs(self) -> int:
        """How many graphs were compiled."""
        return len(self.guards)

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON, without the outputs."""
        return {n: getattr(self, n) for n in ("name", "graphs", "guards", "characters", "seconds")}


@dataclass(frozen=True, slots=True)
class CompileReport(Displayed):
    """Two runs, of PyTorch alone and with symview, and whether all outputs are bitwise equal; `str()` is a table."""

    alone: CompileRun
    with_symview: CompileRun
    same: bool

    def __str__(self) -> str:
        rows: list[tuple[str, ...]] = [("", "graphs", "guards", "characters", "CPU seconds of the calls")]
        for run in (self.alone, self.with_symview):
            rows.append((run.name, str(run.graphs), *map(_listed, (run.guards, run.characters, run.seconds))))
        widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([*lines, "the outputs are equal" if self.same else "the outputs differ"])

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"alone": self.alone.to_dict(), "with_symview": self.with_symview.to_dict(), "same": self.same}


def compile_report(
    function: Callable[..., Any], *calls: Any, backend: Any = "eager", dynamic: bool | None = True
) -> CompileReport:
    """Compiles a function for each of the calls, by PyTorch alone and with symview, and compares cost and outputs.

    `calls` are tuples of arguments, or single tensors; the arguments should not be changed by the function. `backend`
    is one of `torch.compile`: "eager" runs the graph as it is, "inductor" is PyTorch's default. Guards are those of the
    ShapeEnv of each graph. Each way runs twice, in turn, and the second run is reported, since whatever runs first pays
    for loading modules. The CPU time is that of this process, without a C++ compiler that Inductor calls.
    Raises InputError without calls, and what the function raises.
    """
    if not calls:
        raise InputError("compile_report(function): give calls, as tuples of arguments")
    given = [call if isinstance(call, tuple) else (call,) for call in calls]
    for _ in range(2):  # what runs first pays for PyTorch's own caches: the second round counts
        with paused():
            alone = _run("PyTorch alone", function, given, backend, dynamic)
        with installed():
            ours = _run("with symview", function, given, backend, dynamic)
    return CompileReport(alone, ours, _equal(alone.outputs, ours.outputs))


def _run(name: str, function: Any, calls: Sequence[tuple[Any, ...]], backend: Any, dynamic: Any) -> CompileRun:
    import torch  # slow to load
    from torch._functorch import config as of_autograd  # slow to load
    from torch._inductor import config as of_inductor  # slow to load

    _empty_caches()
    environments = list[Any]()
    compiled = torch.compile(function, backend=_recording(backend, environments), dynamic=dynamic)
    seconds, outputs = list[float](), list[Any]()
    fresh = of_inductor.patch(fx_graph_cache=False), of_autograd.patch(enable_autograd_cache=False)
    with fresh[0], fresh[1]:  # else the second run finds the graphs of the first on the disk
        for call in calls:
            start = process_time()
            outputs.append(compiled(*call))
            seconds.append(process_time() - start)
    texts = [[str(guard.expr) for guard in env.guards] for env in environments]
    return CompileRun(
        name, tuple(map(len, texts)), tuple([sum(map(len, t)) for t in texts]), tuple(seconds), tuple(outputs)
    )


def _recording(backend: Any, environments: list[Any]) -> Callable[[Any, Any], Any]:
    """The backend, which also notes the ShapeEnv of each graph."""
    from torch._dynamo.backends.registry import lookup_backend  # slow to load
    from torch._guards import TracingContext  # slow to load

    compiler = lookup_backend(backend) if isinstance(backend, str) else backend

    def noting(graph: Any, inputs: Any) -> Any:
        environments.append(TracingContext.get().fake_mode.shape_env)
        return compiler(graph, inputs)

    return noting


def _empty_caches() -> None:
    import torch  # slow to load
    from sympy.core.cache import clear_cache  # slow to load

    torch.compiler.reset()
    clear_cache()
    for cached in (forms.searched, evident.polynomial_of, evident.equation):
        cached.cache_clear()


def _equal(one: Any, other: Any) -> bool:
    """Whether nested outputs are equal: tensors bitwise, with their strides."""
    import torch  # slow to load
    from torch.utils._pytree import tree_flatten  # slow to load

    (left, form), (right, other_form) = tree_flatten(one), tree_flatten(other)
    return form == other_form and all(
        torch.equal(x, y) and x.stride() == y.stride() if isinstance(x, torch.Tensor) else x == y
        for x, y in zip(left, right, strict=True)
    )


def _listed(numbers: Sequence[float]) -> str:
    return ", ".join(str(n) if isinstance(n, int) else f"{n:.2f}" for n in numbers)
