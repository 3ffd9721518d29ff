"""The commands on CuTe layouts: `symview compose`, `coalesce`, `complement`, `inverse`, `divide`, `product`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from symview import cute
from symview.cli.options import Options
from symview.cli.replies import Code, Reply, conditions_reply, reply
from symview.cute import operations
from symview.cute.algebra import ARRANGEMENTS, operation
from symview.cute.composition_failure import NoComposition, NoLayout
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout, is_layout
from symview.cute.operations import Anything
from symview.cute.swizzle import Swizzle
from symview.cute.swizzled.coalescing import coalesce as coalesced
from symview.cute.symbols.conditions import Operation
from symview.cute.symbols.question import put
from symview.cute.text import parse, read_layout_or_tiler
from symview.errors import InputError, Undecided
from symview.logic.budget import Budget
from symview.logic.notation import parse_expression
from symview.logic.sympy_bridge import to_sympy
from symview.show.test_source import CompositionExample, composition_test

if TYPE_CHECKING:
    from symview.cases.conditions import Conditions


def compose(a: str, b: str, options: Options) -> Reply:
    """The layout A ∘ B of B's shape."""
    return _of_operation("composition", (parse(a), read_layout_or_tiler(b)), options)


def coalesce(a: str, options: Options) -> Reply:
    """The layout of the same function with the fewest modes."""
    return _of_operation("coalesce", (parse(a),), options)


def complement(a: str, bound: str, options: Options) -> Reply:
    """Where copies of A stand apart, up to the bound."""
    return _of_operation("complement", (parse(a), to_sympy(parse_expression(bound))), options)


def inverse(a: str, side: str, options: Options) -> Reply:
    """The right or the left inverse of A."""
    if side not in ("right", "left"):
        raise InputError(f"--side {side}: choose right or left")
    return _of_operation(f"{side}_inverse", (parse(a),), options)


def divide(a: str, b: str, arranged: str, options: Options) -> Reply:
    """A split into the tile B and the rest."""
    return _of_operation(_arranged("divide", arranged), (parse(a), read_layout_or_tiler(b)), options)


def product(a: str, b: str, arranged: str, options: Options) -> Reply:
    """A and its copies, placed as B says."""
    return _of_operation(_arranged("product", arranged), (parse(a), read_layout_or_tiler(b)), options)


# From the arguments to the answer


def _arranged(kind: str, how: str) -> str:
    """The operation with tiles and rests, or blocks and copies, arranged so."""
    if how not in ARRANGEMENTS[kind]:
        raise InputError(f"--as {how}: choose one of {', '.join(ARRANGEMENTS[kind])}")
    return f"{how}_{kind}"


def _of_operation(name: str, args: tuple[Any, ...], options: Options) -> Reply:
    """The operation of that name on numbers; the conditions where there are names, or such were asked for."""
    if any(isinstance(x, Swizzle) or (is_layout(x) and not isinstance(x, Layout)) for x in leaves(args)):
        return _of_other_layouts(name, args, options)
    asked = Operation(name, args)
    on_numbers = not (asked.symbols() or options.assume or options.at)
    if on_numbers and options.explain:
        return _explained(name, args, options)
    if on_numbers and (options.pytest or not options.asks()):
        found = _found(lambda: operation(name)(Anything(options.budget.started()), *args))
        return replace(found, blocks=lambda: [_test_of(asked, [{}], options)]) if options.pytest else found
    if options.explain:
        raise InputError("--explain shows the steps on numbers; with names, --smt2 prints the evidence")
    from symview.cute.symbols.queries import answered

    def test(found: Conditions[Any]) -> str:
        return _test_of(asked, [options.at] if options.at else [e.values for e in found.examples()], options)

    return conditions_reply(
        answered(name, args, options.assume, options.budget),
        options,
        at=lambda found: _at(found, options),
        blocks=lambda found: [found.headline(options.cap())],
        test=test,
    )


def _explained(name: str, args: tuple[Any, ...], options: Options) -> Reply:
    """The steps of an operation on numbers."""
    from symview.cute.explained import explain

    steps = explain(name, *args, budget=options.budget)
    if isinstance(steps.answer, Undecided):
        raise steps.answer
    none = isinstance(steps.answer, NoLayout | NoAnswer)
    return Reply(Code.NO if none else Code.YES, dict, lambda: steps.blocks)


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
        return reply({"layout": None, "no_layout": _reason(error)}, error, yes=False)
    return reply({"layout": str(found)}, found)


def _at(found: Conditions[Any], options: Options) -> Reply:
    """The layout at the values of `--at`, or why there is none."""
    layout = found.layout(options.at)
    asked = {"question": str(found.question), "values": dict(options.at)}
    if layout is not None:
        return reply({**asked, "layout": str(layout)}, layout)
    broken = found.counterexample(options.at)
    why = {} if broken is None else {"no_layout": _reason(broken.reason)}
    return reply({**asked, "layout": None, **why}, broken, yes=False)


def _reason(found: Any) -> dict[str, Any]:
    """Why there is no layout."""
    why = found.found if isinstance(found, NoComposition) else found
    return why.to_dict() if isinstance(why, NoLayout) else {"reason": str(why)}


# A composition as a test


def _test_of(asked: Operation, points: Iterable[Mapping[str, int]], options: Options) -> str:
    """What a composition is at these values, as a test."""
    examples = [row for at in points for row in _rows(at, put(asked.args, at), options.rest())]
    return composition_test(f"{asked}: where it is a layout, and where not.", examples)


def _rows(values: Mapping[str, int], args: tuple[Any, Any], budget: Budget) -> list[CompositionExample]:
    """The composition of two layouts of numbers, mode by mode where there is a tiler."""
    try:
        found = operation("composition")(Anything(budget), *args)
    except NoComposition as error:
        why = error.found
        index = Layout(why.inner.shape).index(why.coordinate)
        return [CompositionExample(values, why.outer.flat(), why.inner.flat(), None, (index, why.expected, why.got))]
    return [CompositionExample(values, a.flat(), b.flat(), layout.flat()) for a, b, layout in _parts(*args, found)]


def _parts(outer: Layout, tiler: Any, found: Layout) -> Iterator[tuple[Layout, Layout, Layout]]:
    """The layouts that are composed, and what comes of them: for a tiler, those of its modes."""
    if isinstance(tiler, tuple):
        for mode, tile, layout in zip(outer.modes(), tiler, found.modes(), strict=False):
            yield from _parts(mode, tile, layout)
    elif tiler is not None:
        yield outer, tiler if isinstance(tiler, Layout) else Layout(tiler), found
