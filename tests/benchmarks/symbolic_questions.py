"""Symbolic questions, beside what one new Z3 solver with one small linear question takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import sympy
import z3
from bridge import STRIDES, view
from oracle import generate
from oracle.reshape_patterns import PATTERNS

from symview import OutOfBounds, View, conditions, prove
from symview.cute import Layout, composition_conditions
from symview.rules.files import read_rules

from .measure import Table, median, p99, ratio, timed
from .torch_views import answer_to


def against_a_solver(count: int) -> Table:
    """Each question once, warm; the ratio is to the median of the solver."""
    fresh = [timed(_solver)[1] for _ in range(max(count, 5))]
    rows = [("a new Z3 solver", len(fresh), median(fresh), p99(fresh), ratio(1.0, 1.0))]
    for name, questions in (
        ("conditions, 4 outer dims", _four_dims),
        ("conditions, 30 dims of 2", _thirty_dims),
        ("reshape patterns", _reshapes),
        ("compositions of layouts", _layouts),
        ("x + y == y + x given x == 4", lambda n: _proofs(n, "x == 4")),
        ("x + y == y + x given y == 4", lambda n: _proofs(n, "y == 4")),
        ("proofs/rules/scalar.toml", _scalar_rules),
    ):
        times = [timed(question)[1] for question in questions(count)]
        rows.append((name, len(times), median(times), p99(times), ratio(median(times), median(fresh))))
    return Table("symbolic questions", ("question", "count", "median", "p99", "to a solver"), rows)


def _solver() -> None:
    context = z3.Context()
    solver, (a, b) = z3.Solver(ctx=context), z3.Ints("a b", ctx=context)
    solver.add(a == 2 * b + 1, z3.Not(a - 1 == 2 * b))
    assert solver.check() == z3.unsat


def _four_dims(count: int) -> Iterator[Callable[[], object]]:
    """Random pairs in bounds, with a symbol for each of four outer strides."""
    rng, found = Random("four dims"), 0
    while found < count:
        outer, inner = generate.pair(rng)
        if len(outer.shape) != 4 or 0 in outer.shape:
            continue
        try:
            conditions(View(outer.shape, STRIDES[:4]), view(inner))
        except OutOfBounds:
            continue
        found += 1
        yield lambda outer=outer, inner=inner: conditions(View(outer.shape, STRIDES[:4]), view(inner))


def _thirty_dims(count: int) -> Iterator[Callable[[], object]]:
    strides = [sympy.Symbol(f"a{n}", integer=True) for n in range(30)]
    for _ in range(min(count, 3)):
        yield lambda: conditions(View((2,) * 30, strides), View.parse("(n):(3)"))


def _reshapes(count: int) -> Iterator[Callable[[], object]]:
    for pattern in PATTERNS[:count]:
        yield answer_to(pattern.reshape())


def _layouts(count: int) -> Iterator[Callable[[], object]]:
    rng = Random("layouts")
    for _ in range(min(count, 60)):
        inner = Layout((rng.randint(2, 6), rng.randint(2, 4)), (rng.randint(1, 6), rng.randint(1, 12)))
        yield lambda inner=inner: composition_conditions(Layout.parse("(4,6,8):(a,b,c)"), inner)


def _scalar_rules(count: int) -> Iterator[Callable[[], object]]:
    for rule in read_rules(Path(__file__).parents[2] / "proofs" / "rules" / "scalar.toml")[: 3 * count]:
        yield lambda rule=rule: prove(rule.claim, rule.assume, rule.division)


def _proofs(count: int, given: str) -> Iterator[Callable[[], object]]:
    for _ in range(min(count, 5)):
        yield lambda: prove("x + y == y + x", given)
