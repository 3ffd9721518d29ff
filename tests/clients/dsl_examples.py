"""Traces kernels of CUTLASS's examples with checks on, on a CPU: `python -m clients.dsl_examples FILE …`, in tests/.

Each file runs as a script in a process of its own. Tensors stay on the CPU, what asks a GPU is answered with numbers,
nothing is launched, and the first compilation ends the run: it may fail after the trace, since copies to and from
tensors on a CPU are refused. Prints a line for each file: the outcomes of its layouts, and how it ended.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

MACHINES = {"ampere": "sm_80", "hopper": "sm_90a", "geforce": "sm_120a", "sm103": "sm_103a"}


class Compiled(BaseException):
    """Ends a script after its first compilation."""


def without_gpu(torch: Any) -> Any:
    """Answers for a GPU, and a mode in which tensors for it are made on the CPU."""
    from torch.overrides import TorchFunctionMode

    class OnCpu(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            def moved(x: Any) -> Any:
                return torch.device("cpu") if isinstance(x, str | torch.device) and "cuda" in str(x) else x

            return function(*map(moved, args), **{k: moved(x) for k, x in (kwargs or {}).items()})

    stream = SimpleNamespace(cuda_stream=0, synchronize=lambda: None)
    event = SimpleNamespace(record=lambda *_: None, synchronize=lambda: None, elapsed_time=lambda _: 1.0)
    machine = SimpleNamespace(multi_processor_count=132, name="none", total_memory=1 << 36, major=10, minor=0)
    told = {
        "is_available": True, "current_device": 0, "device_count": 1, "get_device_properties": machine,
        "get_device_capability": (10, 0), "current_stream": stream, "default_stream": stream, "Stream": stream,
        "Event": event, "synchronize": None, "manual_seed": None,
    }  # fmt: skip
    for name, answer in told.items():
        setattr(torch.cuda, name, lambda *_, _answer=answer, **__: _answer)
    torch.Tensor.cuda = lambda self, *_, **__: self
    return OnCpu()


def trace(path: Path) -> str:
    """The outcomes of the layouts of a script, and how it ended."""
    import cutlass.utils
    import torch
    from cutlass import cute
    from cutlass.base_dsl import jit_executor

    import symview.dsl

    class Compile:
        def __init__(self, compile_: Any) -> None:
            self.compile = compile_

        def __getitem__(self, options: Any) -> Compile:
            return Compile(self.compile[options])

        def __call__(self, *args: Any, **given: Any) -> Any:
            self.compile(*args, **given)
            raise Compiled

    mode, hardware = without_gpu(torch), cutlass.utils.HardwareInfo
    hardware.__init__ = lambda *_, **__: None
    hardware.get_max_active_clusters = lambda *_, **__: 74
    for executor in (jit_executor.JitCompiledFunction, jit_executor.JitExecutor):
        executor.run_compiled_program = lambda *_: None
    checks, cute.compile = symview.dsl.check_always(), Compile(cute.compile)
    sys.argv, end = [str(path)], "it compiled nothing"
    sys.path[:0] = [str(path.parent), *(str(p) for p in path.parents if p.name in ("python", "CuTeDSL"))]
    try:
        with mode:
            runpy.run_path(str(path), run_name="__main__")
    except Compiled:
        end = "compiled"
    except Exception as error:
        end = f"{type(error).__name__}: {str(error).strip()[:120]!r}"
    return f"{checks}; {end}"


if __name__ == "__main__":
    files = sys.argv[1:]
    if len(files) == 1:
        machine = next((m for word, m in MACHINES.items() if word in files[0]), "sm_100a")
        os.environ["CUTE_DSL_ARCH"] = machine
        print(f"\n{files[0]}: {trace(Path(files[0]))}")
    for file in files if len(files) > 1 else ():
        command = [sys.executable, "-m", "clients.dsl_examples", file]
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        print(run.stdout.rstrip().rpartition("\n")[2], flush=True)
