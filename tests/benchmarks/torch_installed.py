"""PyTorch with `symview.torch.installed()` beside PyTorch alone, in one run.

How often small programs are compiled for calls of several sizes; the guards that samples of PyTorch's own operations
write when they are traced with symbolic sizes; random programs of views held against real tensors; the time of a view.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any

from symview.torch import forms, installed

from .measure import Ratio, Seconds, Table, median

WAYS: tuple[tuple[str, Callable[[], AbstractContextManager[Any]]], ...] = (
    ("PyTorch", nullcontext), ("with symview", installed),
)  # fmt: skip
OPERATIONS = (
    "reshape", "view", "reshape_as", "view_as", "view_copy", "flatten", "unflatten", "ravel", "repeat", "tile",
    "unfold", "squeeze", "unsqueeze", "movedim", "matmul", "tensordot", "kron", "einsum", "inner", "linalg.tensorinv",
    "linalg.tensorsolve", "nn.functional.pixel_shuffle", "nn.functional.pixel_unshuffle",
    "nn.functional.channel_shuffle", "nn.functional.group_norm", "nn.functional.instance_norm", "nn.functional.linear",
    "nn.functional.unfold", "cov", "roll", "take_along_dim", "meshgrid",
)  # fmt: skip
MOST = 30  # samples of an operation
POINTS = 12  # of sizes and strides, at which a random program is tried
PATIENCE = 15  # seconds for a trace
NONE = Table("PyTorch with symview", ("measured",), [("nothing: PyTorch is not installed",)])


def compilations(programs: int) -> Table:
    """How often the first so many programs are compiled, and whether they give what they give uncompiled."""
    if not find_spec("torch"):
        return NONE
    import torch
    from clients.torch_programs import PROGRAMS, compiled

    rows = list[tuple[Any, ...]]()
    for program in PROGRAMS[:programs]:
        expected = [program.run(*arguments) for arguments in program.arguments()]
        counts, same = list[int](), True
        for _, way in WAYS:
            with way():
                count, found = compiled(program)
            counts.append(count)
            same &= all(torch.equal(x, y) and x.stride() == y.stride() for x, y in zip(found, expected, strict=True))
        rows.append((program.name, *counts, same))
    totals = [sum(column) for column in list(zip(*rows, strict=True))[1:3]]
    rows.append(("all", *totals, all(row[3] for row in rows)))
    return Table("compilations with dynamic=True", ("program", *(name for name, _ in WAYS), "same results"), rows)


def samples(operations: int) -> Table:
    """The guards of samples of the first so many operations, traced with symbolic sizes; needs expecttest."""
    if not find_spec("torch") or not find_spec("expecttest"):
        return NONE
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    rows = list[tuple[Any, ...]]()
    for op in [op for op in op_db if op.name in OPERATIONS[:operations] and not op.variant_test_name]:
        count, differ, guards, time = 0, 0, [0, 0], [0.0, 0.0]
        for sample, _ in zip(op.sample_inputs("cpu", torch.float32), range(MOST), strict=False):
            outcomes = [_traced(op.op, sample, way) for _, way in WAYS]
            count += 1
            differ += outcomes[0][0] != outcomes[1][0]
            for n, (_, found, took) in enumerate(outcomes):
                guards[n] += found
                time[n] += took
        rows.append((op.name, count, *guards, differ, *map(Seconds, time)))
    columns = list(zip(*rows, strict=True))
    rows.append(("all", *map(sum, columns[1:5]), *(Seconds(sum(c)) for c in columns[5:])))
    header = ("operation", "samples", *(name for name, _ in WAYS), "other results", "PyTorch: time", "with symview")
    return Table("guards of samples with symbolic sizes", header, rows)


def _traced(operation: Any, sample: Any, way: Callable[[], AbstractContextManager[Any]]) -> tuple[Any, int, float]:
    """What comes out at the hints, the number of guards, and the CPU time."""
    import torch
    from torch._dispatch.python import enable_python_dispatcher
    from torch._dynamo.source import ConstantSource
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext
    from torch.utils._pytree import tree_leaves, tree_map

    env = ShapeEnv(duck_shape=False)
    mode, seen = FakeTensorMode(shape_env=env, allow_non_fake_inputs=True), 0

    def fake(x: Any) -> Any:
        nonlocal seen
        if not isinstance(x, torch.Tensor):
            return x
        seen += 1
        context = StatelessSymbolicContext(
            dynamic_sizes=[DimDynamic.DYNAMIC] * x.dim(), dynamic_strides=[DimDynamic.INFER_STRIDE] * x.dim(),
            constraint_sizes=[None] * x.dim(),
        )  # fmt: skip
        return mode.from_tensor(x.detach(), source=ConstantSource(f"x{seen}"), symbolic_context=context)

    given, args, kwargs = tree_map(fake, (sample.input, sample.args, sample.kwargs))
    start = process_time()
    try:
        with mode, enable_python_dispatcher(), way():
            out = operation(given, *args, **kwargs)
    except Exception as error:
        return type(error).__name__, len(env.guards), process_time() - start
    took = process_time() - start
    tensors = [x for x in tree_leaves(out) if isinstance(x, torch.Tensor)]
    entries = [n if isinstance(n, int) else n.node.hint for x in tensors for n in (*x.shape, *x.stride())]
    return entries, len(env.guards), took


def random_programs(count: int) -> Table:
    """Random programs, each traced once and held against real tensors at several sizes and strides.

    Wrong is what a trace says otherwise than real tensors do, where all of its guards hold; guards refuse the sizes of
    "other", at "cannot tell" there is no trace, and traces without end are given up.
    """
    if not find_spec("torch"):
        return NONE
    from clients.torch_random import fault, numbers_of, random_program, traced

    rows = list[tuple[Any, ...]]()
    for name, way in WAYS:
        rng, seen, guards = Random("random programs"), Counter[str](), 0
        for _ in range(count):
            seed = rng.random()
            program = random_program(Random(seed))
            with way():
                trace = _in_time(lambda p=program, seed=seed: traced(p, Random(seed)))
            if trace is None:
                seen["no end"] += 1
                continue
            guards += len(trace.guards)
            values = Random(seed)
            for _ in range(POINTS):
                wrong, used = fault(program, trace, numbers_of(program, trace.entries, values))
                seen["wrong" if wrong else used] += 1
        kinds = ("view", "empty", "refused", "check fails", "too strong", "cannot tell", "other", "wrong", "no end")
        rows.append((name, count, guards, *(seen[kind] for kind in kinds)))
    header = ("", "programs", "guards", "views", "empty", "refused", "a check fails", "for nothing", "cannot tell",
              "other", "wrong", "no end")  # fmt: skip
    return Table(f"random programs at {POINTS} sizes each", header, rows)


class _Late(BaseException):
    """The time is over."""


def _in_time(trace: Callable[[], Any]) -> Any:
    """What a trace gives; None where it takes too long."""

    def late(*_: Any) -> None:
        raise _Late

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(PATIENCE)
    try:
        return trace()
    except _Late:
        return None
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def times(patterns: int) -> Table:
    """The CPU time of a view of a fake tensor, first asked, of the first so many patterns; and its guards."""
    if not find_spec("torch"):
        return NONE
    from clients.torch_patterns import PATTERNS, made

    found = list[list[tuple[float, int]]]()
    for pattern in PATTERNS[:patterns]:
        found.append([])
        for _, way in WAYS:
            forms.searched.cache_clear()
            m = made(pattern)
            before, start = len(m.env.guards), process_time()
            try:
                with m.mode, way():
                    m.tensor.view(m.shape)
            except (ValueError, RuntimeError):
                pass
            found[-1].append((process_time() - start, len(m.env.guards) - before))
    rows = list[tuple[Any, ...]]()
    for n, (name, _) in enumerate(WAYS):
        taken = [pair[n][0] for pair in found]
        rows.append((name, len(found), median(taken), Seconds(sum(taken)), sum(pair[n][1] for pair in found)))
    rows.append(("ratio", "", Ratio(rows[0][2] / rows[1][2]), Ratio(rows[0][3] / rows[1][3]), ""))
    return Table("a view of a fake tensor", ("", "patterns", "median", "all", "guards"), rows)
