"""The commands on views: `symview conditions`, `merge`, `reshape`, `chain`, `overflows`, `counterexample`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, TypeAlias, cast

import symview
from symview.cli.forms import break_blocks, give, merge_reply, refusal_blocks, views_dict, worked_blocks
from symview.cli.options import Options, argument, entry, option, takes
from symview.cli.replies import Code, Reply
from symview.logic.sympy_bridge import is_number
from symview.show.grid import Block
from symview.view import View
from symview.view_notation import read_shape

if TYPE_CHECKING:
    from symview.answers import Counterexample
    from symview.engine.overflow_space import Engine

Outer: TypeAlias = Annotated[
    str, argument("OUTER", "The view that lays out memory: (shape):(strides)+offset [mask].")
]  # fmt: skip
Inner: TypeAlias = Annotated[str, argument("INNER", "The view of the tensor that OUTER describes.")]
More: TypeAlias = Annotated[
    list[str] | None, argument("[MORE]...", "Further views, each of the tensor that the one before it describes.")
]


@takes("assume", "at", "guard", "explain", "python", "pytest", "latex", "smt2", "all", doing="looking for overflows")
def conditions(
    outer: Outer,
    inner: Inner,
    more: More = None,
    engine: Annotated[
        str, option("--engine", metavar="auto|enumerate|smt", text="How overflows are found, never what is answered.")
    ] = "auto",
    *,
    options: Options,
) -> Reply:
    """The exact, weakest conditions under which the views merge into one, by cases of the sizes.

    Sizes, strides and offsets may be names. With --at, whether they merge at these values; with
    --guard, whether that check is the weakest one; with --python, the weakest check to run;
    with --pytest, a test of examples on both sides of each condition.

    Exit code: 0 where they merge, at least under conditions; 1 where they never do within
    bounds; 3 where a case stayed undecided. With --at: 0 or 1. With --guard: 0 exact, 1 too strong
    or too weak.

    JSON keys: outer, inner, views, headline, cases, and clauses where the whole condition is one
    formula; with --python also python; with --guard also guard, an object of verdict (exact,
    too_strong, too_weak), values and index; with --at: outer, inner, views, values, merges, view,
    counterexample.
    """
    views = map(View.parse, (outer, inner, *(more or ())))
    found = symview.conditions(*views, assume=options.assume, engine=cast("Engine", engine), budget=options.budget)
    return give(found, options)


@takes(doing="merging", explain="Show the steps: place values, carries, and what they say.")
def merge(outer: Outer, inner: Inner, more: More = None, *, options: Options) -> Reply:
    """The one view that views of numbers merge into, or where that breaks.

    With names, the view that is right for all their values, if there is one. With --explain, the
    steps by which a person works that out.

    Exit code: 0 where they merge, 1 where they do not, 3 undecided.

    JSON keys: outer, inner, views, merges, view, counterexample.
    """
    views = [View.parse(text) for text in (outer, inner, *(more or ()))]
    merged = symview.merge(*views, budget=options.budget)

    def blocks() -> Iterator[Block]:
        yield from [str(merged)] if isinstance(merged, View) else break_blocks(merged, *views)
        if options.explain:
            yield from worked_blocks(views, merged, options.rest())

    return merge_reply(merged, blocks, views_dict(views))


@takes("assume", "at", "guard", "explain", "python", "pytest", "latex", "smt2", "all", doing="looking for conditions")
def reshape(
    view: Annotated[str, argument("VIEW", "The view: (shape):(strides)+offset [mask].")],
    shape: Annotated[str, argument("SHAPE", "The new shape; one size may be -1, as in (2,-1).")],
    *,
    options: Options,
) -> Reply:
    """The view of another shape with the same elements in row-major order, or why there is none.

    With names, the exact, weakest condition under which there is one. That the sizes agree, and
    that -1 comes out whole, is part of it. With --at, whether there is one at these values; with
    --guard, whether that check is the weakest one; with --python, the weakest check to run;
    with --pytest, a test of examples on both sides of each condition.

    Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided.
    With --guard: 0 exact, 1 too strong or too weak.

    JSON keys: view_given, shape, merges, view, counterexample; with names, and with options about
    conditions, those of `conditions`: outer, inner, views, headline, clauses, cases, python, guard;
    with --at also sizes_agree, beside outer, inner, views, values, merges, view, counterexample.
    """
    from symview.questions.reshaping import target_shape

    first, sizes = View.parse(view), read_shape(shape)
    if options.assume or options.asks() or not (first.is_numeric() and all(map(is_number, sizes))):
        found = symview.reshape_conditions(first, sizes, assume=options.assume, budget=options.budget)
        return give(found, options, reshaped=True)
    target = View(target_shape(first, sizes))
    asked = {"view_given": str(first), "shape": list(target.shape)}
    merged = symview.merge(first, target, budget=options.budget)
    if isinstance(merged, View):
        return merge_reply(merged, lambda: [str(merged)], asked)
    return merge_reply(merged, lambda: refusal_blocks(merged, first, target), asked)


@takes(doing="simplifying")
def chain(
    views: Annotated[list[str], argument("VIEWS...", "The views, from the one that lays out memory to the last.")],
    equals: Annotated[
        list[str] | None,
        option("--equals", text="Compare with this chain instead; repeat it for each of its views.", metavar="VIEW"),
    ] = None,
    *,
    options: Options,
) -> Reply:
    """As few views as can be found that mean the same as a chain of views of numbers.

    With --equals, whether two chains mean the same, and at which index they differ.

    Exit code: 0; with --equals 0 where they mean the same, 1 where not, 3 undecided.

    JSON keys: views, minimal, why; with --equals those of `prove`.
    """
    given = [View.parse(text) for text in views]
    if equals:
        from symview.cli.rule_files import verdict_reply

        return verdict_reply(symview.equivalent(given, [View.parse(text) for text in equals], budget=options.budget))
    found = symview.simplify(*given, budget=options.budget)
    return Reply(
        Code.YES,
        lambda: {"views": list(map(str, found.views)), "minimal": found.minimal, "why": found.why},
        lambda: [
            "\n".join(map(str, found.views)),
            f"{'minimal' if found.minimal else 'not proved minimal'}: {found.why}",
        ],
    )


@takes(doing="looking for overflows")
def overflows(
    outer: Outer,
    inner: Inner,
    every: Annotated[bool, option("--all", text="One row for each index, as in the papers.")] = False,
    *,
    options: Options,
) -> Reply:
    """Which digits overflow into which, at which index first, and what that demands of the strides.

    Sizes are numbers; the strides of OUTER may be names.

    Exit code: 0, or 3 where the search was stopped.

    JSON keys: outer, inner, boundaries, complete, reason, rows.
    """
    from symview.show.overflow_table import overflow_blocks

    table = symview.overflows(View.parse(outer), View.parse(inner), every=every, budget=options.budget)
    return Reply(Code.YES if table.complete else Code.UNDECIDED, table.to_dict, lambda: overflow_blocks(table))


@takes(
    "assume", "at", doing="looking for a counterexample",
    pytest="Print the counterexample as a test that runs on numpy and pytest alone.",
)  # fmt: skip
def counterexample(outer: Outer, inner: Inner, more: More = None, *, options: Options) -> Reply:
    """The smallest place where the views do not merge: sizes first, then strides, then the index.

    With --at, which then has to give every symbol, the smallest index at these values.

    Exit code: 1 where there is one, for then the views do not (always) merge; 0 where there is
    none; 3 undecided.

    JSON keys: outer, inner, views, counterexample (null where there is none).
    """
    views = [View.parse(text) for text in (outer, inner, *(more or ()))]
    found = _smallest(views, options)
    asked = views_dict(views)
    if found is None:
        return Reply(
            Code.YES, lambda: {**asked, "counterexample": None}, lambda: ["No counterexample: the views merge."]
        )

    def blocks() -> Iterable[Block]:
        if not options.pytest:
            return break_blocks(found, *views)
        from symview.questions.examples import Example
        from symview.show.numpy_test import numpy_test

        given = Example(found.values, tuple([v.with_values(found.values) for v in views]), None, found)
        return [numpy_test(f"{' then '.join(map(str, views))}: where they do not merge.", [given]).rstrip()]

    return Reply(Code.NO, lambda: {**asked, "counterexample": found.to_dict()}, blocks)


def _smallest(views: Sequence[View], options: Options) -> Counterexample | None:
    """The smallest break; without loading a solver where there are only numbers."""
    if all(v.is_numeric() for v in views) and not options.at and not options.assume:
        merged = symview.merge(*views, budget=options.budget)
        return None if isinstance(merged, View) else merged
    found = symview.conditions(*views, assume=options.assume, budget=options.budget)
    return replace(found, budget=options.rest()).counterexample(options.at or None)


WORKED = ('"(10,3,3):(σ1,σ2,σ3)" "(s):(4)"', """\
1 ≤ s ≤ 3: always
4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3
6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3
s ≥ 24: out of bounds

sizes       merged view    with the equations used
1 ≤ s ≤ 3   (s):(σ2 + σ3)
4 ≤ s ≤ 5   (s):(σ2 + σ3)
6 ≤ s ≤ 23  (s):(σ2 + σ3)  (s):(4*σ3)""")  # fmt: skip

COMMANDS = (
    entry(conditions, WORKED,
          ('"(10,3,3):(σ1,σ2,σ3)" "(6):(4)" --python', "σ1 == 3*σ2 and σ2 == 3*σ3"),
          ('"(10,3,3):(σ1,σ2,σ3)" "(s):(4)" --guard "s <= 3"',
           "too strong: it refuses σ1 = 0, σ2 = 0, σ3 = 0, s = 4, where the views merge")),
    entry(merge,
          ('"(10,3,3):(9,3,1)" "(4,2):(4,-1)+1"', "(4,2):(4,-1)+1")),
    entry(reshape,
          ('"(B,S,D):(t0,t1,t2)" "(B*S,D)" --assume "B >= 2"', """\
S = 1 or t0 = S*t1

sizes  condition  merged view
S = 1  always     (B*S,D):(t0,t2)
S ≠ 1  t0 = S*t1  (B*S,D):(t1,t2)"""),
          ('"(B,S,D):(t0,t1,t2)" "(B*S,D)" --python', "B == 1 or S == 1 or t0 == S*t1"),
          ('"(i0,192)" "(12,-1,192)" --at i0=36', "The views merge with i0 = 36: (12,3,192):(576,192,1)"),
          ('"(i0,192)" "(12,-1,192)" --guard "i0 > 12"', "too weak: it allows i0 = 13, where the sizes do not fit")),
    entry(chain, ('"(2,4):(1,2)" "(2,4):(1,2)" "(8):(1)"', """\
(2,2,2):(2,1,4)
(8):(1)

minimal: no single view does: at index (2): one view would reach 8, the composition reaches 1""")),
    entry(overflows,
          ('"(10,3,3):(σ1,σ2,σ3)" "(4):(4)" --all', """\
i  i1  i2  i3  Equation
0  0   0   0
1  0   1   1   σ̃ = σ2 + σ3
2  0   2   2   σ̃ = σ2 + σ3
3  1   1   0   σ1 + σ2 = 2σ2 + 2σ3 + σ̃""")),
    entry(counterexample,
          ('"(10,3,3):(a,b,c)" "(s):(4)" --assume "s >= 6"', """\
The views do not merge with a = 0, b = 0, c = 1, s = 6.
At index (3) one view would reach address 3, the composition reaches 0.

step along axis 0  digits              overflow             moves by
(0) to (1)         (0,0,0) to (0,1,1)  none                 1
(2) to (3)         (0,2,2) to (1,1,0)  dim 2 into 1 into 0  -2

A single view moves by the same amount on every step along an axis.""")),
)  # fmt: skip
