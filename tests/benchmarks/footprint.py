"""What is loaded by an import, and the most memory that a query holds."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from random import Random
from typing import Any

import hard
from bridge import box

from symview.engine import decide, radix
from symview.engine.overflow import active_carries, periodic_sizes
from symview.engine.overflow_space import find_rows

from .measure import Seconds, Table, median, p99, ratio
from .scaling import sized

_LINE = (
    "import sys, symview.cli.running as cli; sys.stdout, shown = sys.stderr, sys.stdout; "
    "cli.run_line({}); sys.stdout = shown"
)
HEAVY = ("z3", "sympy", "islpy", "numpy", "rich")
PROGRAMS = {
    "nothing": "pass",
    "symview": "import symview",
    "symview.cute": "import symview.cute",
    "symview.cute, composition": (
        "from symview.cute import Layout, composition; composition(Layout((4, 4), (4, 1)), Layout(4, 5))"
    ),
    "symview, merge": "from symview import View, merge; merge(View((10, 3, 3)), View((4,), (4,)))",
    "symview, conditions": (
        "from symview import View, conditions; conditions(View.parse('(10,3,3):(a,b,c)'), View((4,), (4,)))"
    ),
    "the command line, merge": _LINE.format(["merge", "(10,3,3)", "(4):(4)"]),
    "the command line, reshape": _LINE.format(["reshape", "(4,6):(12,2)", "(2,2,6)"]),
    "the command line, reshape with names": _LINE.format(["reshape", "(B,S,D):(t0,t1,t2)", "(B*S,D)"]),
    "the command line, overflows with names": _LINE.format(["overflows", "(10,3,3):(a,b,c)", "(6):(4)", "--all"]),
    "the command line, help": _LINE.format(["--help"]),
    "sympy": "import sympy",
    "z3": "import z3",
}


def imports(runs: int) -> Table:
    """A program's time on the processor after the interpreter's start, in fresh processes, and what it loaded."""
    columns = ("program", "runs", "median", "p99", "to import symview", "modules", "heavy ones")
    rows: list[tuple[Any, ...]] = []
    medians: dict[str, Seconds] = {}
    for name, program in PROGRAMS.items():
        times, modules, heavy = [], 0, ""
        for _ in range(runs):
            script = (
                "import sys, time; had = len(sys.modules); start = time.process_time()\n"
                f"{program}\nprint(time.process_time() - start, len(sys.modules) - had, "
                f"*[m for m in {HEAVY!r} if m in sys.modules])"
            )
            run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
            time, modules, *loaded = run.stdout.split()
            times.append(float(time))
            heavy = " ".join(loaded) or "none"
        medians[name] = median(times)
        rows.append((name, runs, medians[name], p99(times), modules, heavy))
    base = medians["symview"]
    rows = [(*row[:4], ratio(medians[row[0]], base), *row[4:]) for row in rows]
    return Table("import time and modules loaded", columns, rows)


def peak(call: Callable[..., Any], *args: Any) -> int:
    """The most bytes that Python held at once during the call."""
    call(*args)  # what is loaded or cached once is not what the query needs
    tracemalloc.start()
    call(*args)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def memory(pairs: int) -> Table:
    """Row spaces at 10^3 and 10^15 indices, and bit sets of residues near their limit."""
    most: dict[str, list[int]] = {}
    for exponent in (3, 15):
        rng = Random("benchmark memory")
        for _ in range(pairs):
            outer, inner = sized(rng, 10**exponent)
            places = radix.boundaries(outer.shape)
            most.setdefault(f"find_rows, 10^{exponent} indices", []).append(peak(find_rows, places, box(inner)))
    name = "residues, modulus over 2^19"
    rng, most[name] = Random("benchmark residues"), []
    while len(most[name]) < pairs:
        outer, inner = hard.in_step(rng, sizes=(400, 1000))
        carries = active_carries(box(inner), radix.boundaries(outer.shape))
        if len(carries) != 2 or not decide.MAX_RESIDUES // 2 < decide.residues_of(carries) <= decide.MAX_RESIDUES:
            continue
        sizes = periodic_sizes(inner.shape, carries)
        most[name].append(peak(decide.search_residues, sizes, carries, (1, -1)))
    rows = [(what, len(found), f"{sorted(found)[len(found) // 2] // 1024} KiB", f"{max(found) // 1024} KiB")
            for what, found in most.items()]  # fmt: skip
    return Table("peak memory", ("query", "runs", "median", "most"), rows)
