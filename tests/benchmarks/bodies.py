"""The benchmarks by name: what to run, how often usually, and how often to see that it still runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from satellites import there

from . import (
    asked,
    batches,
    comparison,
    cute_composition,
    cute_operations,
    footprint,
    growing_sizes,
    linear_layouts,
    masked_merge,
    reshapes,
    scaling,
    searching,
    swizzled_layouts,
    symbolic_questions,
    tinygrad_merge,
    torch_views,
)
from .measure import Table


class Body(NamedTuple):
    """`run(count)` measures and gives a table."""

    run: Callable[..., Table]
    usual: int
    few: int


BODIES = {
    "peers at all questions": Body(comparison.against_all, 1000, 2),
    "merge against tinygrad": Body(tinygrad_merge.against_tinygrad, 2000, 3),
    "masked merge against tinygrad": Body(masked_merge.against_tinygrad, 2000, 5),
    "reshape against tinygrad": Body(reshapes.against_tinygrad, 2000, 3),
    "conditions at 10^3 and 10^15 indices": Body(scaling.growth, 400, 2),
    "symbolic sizes to 10^3 and 10^9": Body(growing_sizes.growth, 200, 2),
    "symbolic questions against a new solver": Body(symbolic_questions.against_a_solver, 200, 2),
    "row spaces against enumeration": Body(scaling.against_enumeration, 6, 0),
    "conditions up to 10^18": Body(scaling.huge, 600, 3),
    "row spaces against an affine hull": Body(searching.against_affine_hull, 300, 2),
    "smallest counterexamples": Body(searching.smallest_counterexamples, 400, 2),
    "reshape against PyTorch's fake tensors": Body(torch_views.against_torch, 200, 2),
    "composition of CuTe layouts against peers": Body(cute_composition.against_peers, 4000, 3),
    "making CuTe layouts against a bare loop": Body(cute_composition.making, 200, 2),
    "operations on CuTe layouts against pycute": Body(cute_operations.against_pycute, 2000, 8),
    "composition of CuTe layouts at 10^3 and 10^12": Body(cute_composition.growth, 400, 2),
    "linear layouts at 2^10 and 2^30": Body(linear_layouts.growth, 100, 2),
    "swizzled layouts at 2^9 and 2^40": Body(swizzled_layouts.growth, 50, 2),
    "swizzled layouts in memory against tensor-layouts": Body(swizzled_layouts.against_peer, 100, 2),
    "what is asked most, beside a merge": Body(asked.against_a_merge, 500, 2),
    "lines of a batch": Body(batches.overhead, 1000, 3),
    "imports": Body(footprint.imports, 20, 1),
    "memory": Body(footprint.memory, 60, 1),
}
if there("verify"):
    from . import checking

    BODIES["the checker's CPU time against its steps"] = Body(checking.law, 100, 3)
if there("torch"):
    from . import torch_compiling, torch_copies, torch_guards, torch_installed

    BODIES |= {
        "guards of views of dynamic sizes against PyTorch": Body(torch_guards.dynamic, 200, 2),
        "guards of views of real tensors": Body(torch_guards.real, 20_000, 20),
        "compilations with symview installed": Body(torch_installed.compilations, 23, 1),
        "guards of samples with symview installed": Body(torch_installed.samples, 32, 1),
        "random programs with symview installed": Body(torch_installed.random_programs, 500, 4),
        "reports of copies": Body(torch_copies.reports, 149, 2),
        "times of views with symview installed": Body(torch_installed.times, 200, 2),
        "functions of public models compiled with symview": Body(torch_compiling.public, 10, 1),
    }
