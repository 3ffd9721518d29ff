"""The commands on CuTe layouts: `symview compose`, `coalesce`, `complement`, `inverse`, `divide`, `product`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from symview import cute
from symview.answers import values_text
from symview.cli.forms import conditions_reply, give
from symview.cli.options import Options, argument, entry, option, takes
from symview.cli.replies import Code, Reply
from symview.cute import operations
from symview.cute.algebra import ARRANGEMENTS, operation
from symview.cute.composition_failure import NoComposition, NoLayout
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout, is_layout
from symview.cute.modes import coalesce as coalesced
from symview.cute.operations import Anything
from symview.cute.swizzle import Swizzle
from symview.cute.swizzle_notation import parse
from symview.cute.symbols.question import Question, put
from symview.cute.text import BEHIND, read_layout_or_tiler
from symview.errors import InputError, Undecided
from symview.logic.budget import Budget
from symview.logic.notation import parse_expression
from symview.logic.sympy_bridge import to_sympy
from symview.show.composition_test import Composed, composition_test
from symview.show.grid import Block

if TYPE_CHECKING:
    from symview.cute.symbols.conditions import LayoutConditions


A: TypeAlias = Annotated[
    str,
    argument(
        "A", "A layout in CuTe's notation: ((2,2),8):((1,4),2); of coordinates: (4,5):(1@0,2@1);"
        " behind a swizzle: 'Sw<2,0,3> o 0 o (8,8):(8,1)'."
    ),
]  # fmt: skip
B: TypeAlias = Annotated[
    str, argument("B", "A layout, a size, or one for each mode of A: <4:1,_,8>, where _ leaves a mode alone.")
]
How: TypeAlias = Annotated[
    str, option("--as", text="How tiles and rests are arranged.", metavar="logical|zipped|tiled|flat")
]
Side: TypeAlias = Annotated[
    str,
    option(
        "--side", metavar="right|left", text="right: A(R(i)) = i for R's indices; left: A(L(A(i))) = A(i) for A's."
    ),
]  # fmt: skip
ProductHow: TypeAlias = Annotated[
    str,
    option(
        "--as", text="How blocks and copies are arranged.", metavar="logical|zipped|tiled|flat|blocked|raked"
    ),
]  # fmt: skip
_STEPS, _DOING = "Show the steps; needs numbers.", "looking for carries"
_cases = takes("assume", "at", "latex", "smt2", "all", explain=_STEPS, doing=_DOING)
_conditions = takes("assume", "at", "guard", "python", "latex", "smt2", "all", explain=_STEPS, doing=_DOING)


@takes(
    "assume", "at", "guard", "python", "latex", "smt2", "all", explain=_STEPS, doing=_DOING,
    pytest="Print the answer as a test in plain integers that runs on pytest alone; with names, examples.",
)  # fmt: skip
def compose(a: A, b: B, options: Options) -> Reply:
    """The layout A ∘ B of B's shape, each mode perhaps split; with names, under which conditions there is one.

    Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided.
    With --guard: 0 exact, 1 too strong or too weak.

    JSON keys: layout, or no_layout with mode_b, mode_a, coordinate, expected, got, reason; with
    names: question, headline, cases, each with where, status, equations, layout, reason; with --at:
    values and layout or no_layout; with --python also python, with --guard also guard.
    """
    args = (_layout(a), read_layout_or_tiler(b))
    return _tested(args, options) if options.pytest else _give("composition", args, options)


@_cases
def coalesce(a: A, options: Options) -> Reply:
    """The layout of the same function with the fewest modes; with names, by cases.

    Exit code: 0, or 3 where a case stayed undecided.

    JSON keys: layout; with names or --at as for compose.
    """
    return _give("coalesce", (_layout(a),), options)


@_conditions
def complement(
    a: A,
    bound: Annotated[str, argument("BOUND", "Up to where the gaps are filled: a number, or an expression.")],
    options: Options,
) -> Reply:
    """Where copies of A stand apart, up to the bound; with names, by cases.

    Where every gap of A is a multiple of what comes before it, A and the copies reach each number once.

    Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided.

    JSON keys: layout, or no_layout with the reason; with names or --at as for compose.
    """
    return _give("complement", (_layout(a), to_sympy(parse_expression(bound))), options)


@_conditions
def inverse(a: A, options: Options, side: Side = "right") -> Reply:
    """The right or the left inverse of A, as CuTe has them; with names, by cases.

    Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided.

    JSON keys: layout, or no_layout with the reason; with names or --at as for compose.
    """
    if side not in ("right", "left"):
        raise InputError(f"--side {side}: choose right or left")
    return _give(f"{side}_inverse", (_layout(a),), options)


@_conditions
def divide(a: A, b: B, options: Options, arranged: How = "logical") -> Reply:
    """A split into the tile B and the rest; with names, by cases.

    Exit code: 0 where that is a layout, at least under conditions; 1 where it is none; 3 undecided.

    JSON keys: as for compose.
    """
    return _give(_arranged("divide", arranged), (_layout(a), read_layout_or_tiler(b)), options)


@_conditions
def product(a: A, b: B, options: Options, arranged: ProductHow = "logical") -> Reply:
    """A and its copies, placed as B says; with names, by cases.

    Exit code: 0 where that is a layout, at least under conditions; 1 where it is none; 3 undecided.

    JSON keys: as for compose.
    """
    return _give(_arranged("product", arranged), (_layout(a), read_layout_or_tiler(b)), options)


# From the arguments to the answer


def _arranged(kind: str, how: str) -> str:
    """The operation with tiles and rests, or blocks and copies, arranged so."""
    if how not in ARRANGEMENTS[kind]:
        raise InputError(f"--as {how}: choose one of {', '.join(ARRANGEMENTS[kind])}")
    return f"{how}_{kind}"


def _layout(text: str) -> Any:
    """The layout that the text spells: of numbers, of coordinates, or behind others."""
    return parse(text) if BEHIND.match(text) or "@" in text else Layout.parse(text)


def _give(name: str, args: tuple[Any, ...], options: Options) -> Reply:
    """The operation of that name on numbers; the conditions where there are names, or such were asked for."""
    if not _plain(args):
        return _of_other_layouts(name, args, options)
    run = operation(name)
    numbers = not Question(name, args).symbols()
    if numbers and not options.assume and (options.explain or not options.asks()):
        return _on_numbers(name, lambda: run(Anything(options.budget.started()), *args), args, options)
    if options.explain:
        raise InputError("--explain shows the steps on numbers; with names, --smt2 prints the evidence")
    from symview.cute.symbols.queries import answered

    found = answered(name, args, options.assume, options.budget)
    if options.at:
        return _at(replace(found, budget=options.rest()), options)
    return (
        give(found, options)
        if options.asks()
        else conditions_reply(found, options, lambda: [found.headline(options.cap())])
    )


def _tested(args: tuple[Any, Any], options: Options) -> Reply:
    """What a composition is, as a test: at the values given, or at examples on both sides of each condition."""
    if not _plain(args):
        return _of_other_layouts("composition", args, options)
    asked = Question("composition", args)
    if options.at or not (asked.symbols() or options.assume):
        reply = _give("composition", args, replace(options, pytest=False))
        points: Iterable[Mapping[str, int]] = [options.at]
    else:
        from symview.cute.symbols.queries import answered

        found = answered("composition", args, options.assume, options.budget)
        reply = conditions_reply(found, options, list)
        points = [example.values for example in found.examples()]

    def blocks() -> list[Block]:
        examples = [row for values in points for row in _rows(values_text(values), put(args, values), options.rest())]
        return [composition_test(f"{asked}: where it is a layout, and where not.", examples).rstrip()]

    return replace(reply, blocks=blocks)


def _rows(shown: str, args: tuple[Any, Any], budget: Budget) -> list[Composed]:
    """The composition of two layouts of numbers, mode by mode where there is a tiler."""
    try:
        found = operation("composition")(Anything(budget), *args)
    except NoComposition as error:
        why = error.found
        index = Layout(why.inner.shape).index(why.coordinate)
        return [Composed(shown, why.outer.flat(), why.inner.flat(), None, (index, why.expected, why.got))]
    return [Composed(shown, a.flat(), b.flat(), layout.flat()) for a, b, layout in _parts(*args, found)]


def _parts(outer: Layout, tiler: Any, found: Layout) -> Iterator[tuple[Layout, Layout, Layout]]:
    """The layouts that are composed, and what comes of them: for a tiler, those of its modes."""
    if isinstance(tiler, tuple):
        for mode, tile, layout in zip(outer.modes(), tiler, found.modes(), strict=False):
            yield from _parts(mode, tile, layout)
    elif tiler is not None:
        yield outer, tiler if isinstance(tiler, Layout) else Layout(tiler), found


def _on_numbers(name: str, run: Callable[[], Any], args: tuple[Any, ...], options: Options) -> Reply:
    if options.explain:
        from symview.cute.explained import explain

        steps = explain(name, *args, budget=options.budget)
        if isinstance(steps.answer, Undecided):
            raise steps.answer
        none = isinstance(steps.answer, NoLayout | NoAnswer)
        return Reply(Code.NO if none else Code.YES, dict, lambda: steps.blocks)
    return _found(run)


def _plain(args: tuple[Any, ...]) -> bool:
    """Whether there are sizes and layouts of a shape and strides alone, of which cases of symbols are told apart."""
    return not any(isinstance(x, Swizzle) or (is_layout(x) and not isinstance(x, Layout)) for x in leaves(args))


def _of_other_layouts(name: str, args: tuple[Any, ...], options: Options) -> Reply:
    """The operation where a layout's values are coordinates, or swizzled: there is an answer, without conditions."""
    if options.explain or options.assume or options.asks():
        kind = "coordinates" if any(isinstance(x, CoordinateLayout) for x in leaves(args)) else "swizzled values"
        raise InputError(f"{name} of {args[0]}: of layouts of {kind} there is the answer, without steps or cases")
    if name == "complement" and isinstance(args[0], CoordinateLayout):
        raise InputError(f"complement of {args[0]}: gaps are between numbers, its values are coordinates")
    special: dict[str, Callable[..., Any]] = {"coalesce": coalesced, "complement": cute.complement}
    run = special.get(name) or partial(getattr(operations, name), budget=options.budget)
    return _found(lambda: run(*args))


def _found(run: Callable[[], Any]) -> Reply:
    """The layout that comes of it, or why there is none."""
    try:
        found = run()
    except NoAnswer as error:
        why = error
        return Reply(Code.NO, lambda: {"layout": None, "no_layout": _reason(why)}, lambda: [str(why)])
    return Reply(Code.YES, lambda: {"layout": str(found)}, lambda: [str(found)])


def _at(found: LayoutConditions, options: Options) -> Reply:
    """The layout at the values of `--at`, or why there is none."""
    layout = found.layout(options.at)
    asked = {"question": str(found.question), "values": dict(options.at)}
    if layout is not None:
        return Reply(Code.YES, lambda: {**asked, "layout": str(layout)}, lambda: [str(layout)])
    broken = found.counterexample(options.at)
    why = {} if broken is None else {"no_layout": _reason(broken.found)}
    return Reply(Code.NO, lambda: {**asked, "layout": None, **why}, lambda: [str(broken)])


def _reason(found: Any) -> dict[str, Any]:
    """Why there is no layout."""
    why = found.found if isinstance(found, NoComposition) else found
    return why.to_dict() if isinstance(why, NoLayout) else {"reason": str(why)}


COMMANDS = (
    entry(compose, ('"(4,6,8):(a,b,c)" "6:3"', "b = 4a: 6:3*a")),
    entry(coalesce, ('"(2,(1,6)):(1,(6,2))"', "12:1")),
    entry(complement, ('"4:2" 16', "(2,2):(1,8)")),
    entry(inverse, ('"(4,8):(8,1)"', "(8,4):(4,1)")),
    entry(divide,
          ('"(4,6)" "<2,3>" --as zipped', "((2,3),(2,2)):((1,4),(2,12))")),
    entry(product, ('"(2,2):(4,1)" 6', "((2,2),(2,3)):((4,1),(2,8))")),
)  # fmt: skip
