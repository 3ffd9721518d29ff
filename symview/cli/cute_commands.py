"""The commands on CuTe layouts: `symview compose`, `coalesce`, `complement`, `divide`, `product`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from symview.cli.forms import code_of, give
from symview.cli.options import (
    Assume,
    At,
    Guard,
    Json,
    Latex,
    Options,
    Python,
    Smt2,
    Timeout,
    Work,
    argument,
    budget_of,
    example,
    form_of,
    option,
)
from symview.cli.running import Code
from symview.cli.terminal import show, show_json, working
from symview.cute.composition_failure import NoLayout
from symview.cute.errors import NoAnswer, NoComposition
from symview.cute.layout import Layout
from symview.cute.notation import read_tiler
from symview.cute.symbols.question import Question
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.notation import parse_expression
from symview.logic.sympy_bridge import evaluate

if TYPE_CHECKING:
    from symview.cute.symbols.conditions import LayoutConditions


A: TypeAlias = Annotated[str, argument("A", "A layout in CuTe's notation, such as ((2,2),8):((1,4),2).")]
B: TypeAlias = Annotated[
    str, argument("B", "A layout, a size, or one for each mode of A: <4:1,_,8>, where _ leaves a mode alone.")
]
Steps: TypeAlias = Annotated[bool, option("--explain", "-v", text="Show the steps; needs numbers.")]
How: TypeAlias = Annotated[
    str, typer.Option("--as", help="How tiles and rests are arranged.", metavar="logical|zipped|tiled|flat")
]
ProductHow: TypeAlias = Annotated[
    str,
    typer.Option(
        "--as", help="How blocks and copies are arranged.", metavar="logical|zipped|tiled|flat|blocked|raked"
    ),
]  # fmt: skip


def add_commands(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    add = app.command
    add(
        "compose",
        short_help="The composition of two CuTe layouts.",
        epilog=example('compose "(4,6,8):(a,b,c)" "6:3"', "b = 4a: 6:3*a"),
    )(compose)
    add(
        "coalesce",
        short_help="A CuTe layout with the fewest modes.",
        epilog=example('coalesce "(2,(1,6)):(1,(6,2))"', "12:1"),
    )(coalesce)
    add(
        "complement",
        short_help="The CuTe layout that fills the gaps of another.",
        epilog=example('complement "4:2" 16', "(2,2):(1,8)"),
    )(complement)
    add(
        "divide",
        short_help="A CuTe layout split into a tile and the rest.",
        epilog=example('divide "(4,6)" "<2,3>" --as zipped', "((2,3),(2,2)):((1,4),(2,12))"),
    )(divide)
    add(
        "product",
        short_help="A CuTe layout repeated as another says.",
        epilog=example('product "(2,2):(4,1)" 6', "((2,2),(2,3)):((4,1),(2,8))"),
    )(product)


def compose(
    a: A,
    b: B,
    assume: Assume = None,
    at: At = None,
    guard: Guard = None,
    explain: Steps = False,
    python: Python = False,
    json: Json = False,
    latex: Latex = False,
    smt2: Smt2 = False,
    budget: Work = None,
    timeout: Timeout = None,
) -> int:
    """The layout A ∘ B of B's shape, each mode perhaps split; with names, under which conditions there is one.

    Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided.
    With --guard: 0 exact, 1 too strong or too weak.

    JSON keys: layout, or no_layout with mode_b, mode_a, coordinate, expected, got, reason; with
    names: question, headline, cases, each with where, status, equations, layout, reason; with --at:
    values and layout or no_layout; with --python also python, with --guard also guard.
    """
    form = form_of(at, explain=explain, json=json, latex=latex, smt2=smt2, python=python, guard=guard)
    given = Layout.parse(a), read_tiler(b)
    return _give("composition", "composition", given, form, assume, budget_of(budget, timeout))


def coalesce(
    a: A,
    assume: Assume = None,
    at: At = None,
    explain: Steps = False,
    json: Json = False,
    latex: Latex = False,
    smt2: Smt2 = False,
    budget: Work = None,
    timeout: Timeout = None,
) -> int:
    """The layout of the same function with the fewest modes; with names, by cases.

    JSON keys: layout; with names or --at as for compose.
    """
    form = form_of(at, explain=explain, json=json, latex=latex, smt2=smt2)
    return _give("coalesce", "coalesce", (Layout.parse(a),), form, assume, budget_of(budget, timeout))


def complement(
    a: A,
    bound: Annotated[str, argument("BOUND", "Up to where the gaps are filled: a number, or an expression.")],
    assume: Assume = None,
    at: At = None,
    guard: Guard = None,
    explain: Steps = False,
    python: Python = False,
    json: Json = False,
    latex: Latex = False,
    smt2: Smt2 = False,
    budget: Work = None,
    timeout: Timeout = None,
) -> int:
    """The layout that with A reaches every number below the bound once; with names, by cases.

    Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided.

    JSON keys: layout, or no_layout with the reason; with names or --at as for compose.
    """
    form = form_of(at, explain=explain, json=json, latex=latex, smt2=smt2, python=python, guard=guard)
    given = Layout.parse(a), evaluate(parse_expression(bound))
    return _give("complement", "complement", given, form, assume, budget_of(budget, timeout))


def divide(
    a: A,
    b: B,
    arranged: How = "logical",
    assume: Assume = None,
    at: At = None,
    guard: Guard = None,
    explain: Steps = False,
    python: Python = False,
    json: Json = False,
    latex: Latex = False,
    smt2: Smt2 = False,
    budget: Work = None,
    timeout: Timeout = None,
) -> int:
    """A split into the tile B and the rest; with names, by cases.

    Exit code: 0 where that is a layout, at least under conditions; 1 where it is none; 3 undecided.

    JSON keys: as for compose.
    """
    form = form_of(at, explain=explain, json=json, latex=latex, smt2=smt2, python=python, guard=guard)
    given = Layout.parse(a), read_tiler(b)
    return _give(f"{arranged}_divide", "logical_divide", given, form, assume, budget_of(budget, timeout))


def product(
    a: A,
    b: B,
    arranged: ProductHow = "logical",
    assume: Assume = None,
    at: At = None,
    guard: Guard = None,
    explain: Steps = False,
    python: Python = False,
    json: Json = False,
    latex: Latex = False,
    smt2: Smt2 = False,
    budget: Work = None,
    timeout: Timeout = None,
) -> int:
    """A and its copies, placed as B says; with names, by cases.

    Exit code: 0 where that is a layout, at least under conditions; 1 where it is none; 3 undecided.

    JSON keys: as for compose.
    """
    form = form_of(at, explain=explain, json=json, latex=latex, smt2=smt2, python=python, guard=guard)
    given = Layout.parse(a), read_tiler(b)
    return _give(f"{arranged}_product", "logical_product", given, form, assume, budget_of(budget, timeout))


# From the arguments to the answer


def _give(name: str, kind: str, args: tuple[Any, ...], form: Options, assume: Any, budget: Budget) -> int:
    """The operation of that name on numbers; the conditions where there are names, or such were asked for.

    `kind` is the operation that explains itself. Only compositions of numbers take a budget.
    """
    from symview import cute
    from symview.cute.symbols import queries

    arranged = name.rpartition("_")[0]
    known = ("logical", "zipped", "tiled", "flat", *(("blocked", "raked") if kind == "logical_product" else ()))
    if "_" in name and arranged not in known:
        raise InputError(f"--as {arranged}: choose one of {', '.join(known)}")
    numbers = not Question(coalesce, args).symbols()
    if numbers and not assume and (form.explain or not form.asks()):
        limits = {"budget": budget} if name == "composition" else {}
        return _on_numbers(lambda: getattr(cute, name)(*args, **limits), kind, args, form)
    if form.explain:
        raise InputError("--explain shows the steps on numbers; with names, --smt2 prints the evidence")
    more = {"arranged": arranged} if arranged else {}
    with working("looking for carries"):
        found = getattr(queries, f"{kind}_conditions")(*args, assume=assume or (), budget=budget, **more)
    return _with_conditions(found, form)


def _on_numbers(run: Callable[[], Any], kind: str, args: tuple[Any, ...], form: Options) -> int:
    try:
        found, code = run(), Code.YES
    except NoAnswer as error:
        found, code = error, Code.NO
    if form.json:
        show_json({"layout": str(found)} if code is Code.YES else {"layout": None, "no_layout": _reason(found)})
    elif form.explain:
        from symview.cute.explaining import explain

        steps = explain(kind, *args)
        last = [] if str(steps.answer) == str(found) else [f"Arranged: {found}."]
        show([*steps.blocks, *last])
    else:
        show([str(found)])
    return code


def _with_conditions(found: LayoutConditions, form: Options) -> int:
    if form.at:
        return _at(found, form)
    if form.asks() or form.json:
        return give(found, form)
    show([str(found)])
    return code_of(found)


def _at(found: LayoutConditions, form: Options) -> int:
    """The layout at the values of `--at`, or why there is none."""
    with working("looking at these values"):
        layout = found.layout(form.at)
        broken = None if layout is not None else found.counterexample(form.at)
    if form.json:
        why = {} if broken is None else {"no_layout": _reason(broken.found)}
        shown = None if layout is None else str(layout)
        show_json({"question": str(found.question), "values": dict(form.at), "layout": shown, **why})
    else:
        show([str(broken if layout is None else layout)])
    return Code.NO if layout is None else Code.YES


def _reason(found: Any) -> dict[str, Any]:
    """Why there is no layout."""
    why = found.found if isinstance(found, NoComposition) else found
    return why.to_dict() if isinstance(why, NoLayout) else {"reason": str(why)}
