"""The commands on CuTe layouts: `symview compose`, `coalesce`, `complement`, `divide`, `product`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from symview.cute.compose import composition
from symview.cute.errors import NoAnswer, NoComposition
from symview.cute.layout import Layout, is_layout
from symview.cute.notation import read_tiler
from symview.show.running import Code
from symview.show.terminal import show, show_json, working

if TYPE_CHECKING:
    from symview.cute.conditions import LayoutConditions


def _argument(name: str, text: str) -> Any:
    return typer.Argument(metavar=name, show_default=False, help=text)


def _example(command: str, output: str) -> str:
    return f"\b\nExample:\n\n\b\n$ symview {command}\n{output}"


A: TypeAlias = Annotated[str, _argument("A", "A layout in CuTe's notation, such as ((2,2),8):((1,4),2).")]
B: TypeAlias = Annotated[
    str, _argument("B", "A layout, a size, or one for each mode of A: <4:1,_,8>, where _ leaves a mode alone.")
]
Explain: TypeAlias = Annotated[bool, typer.Option("--explain", "-v", help="Show the steps.", show_default=False)]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.", show_default=False)]
Assume: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--assume", help='What is known of the symbols, such as "n >= 2"; may be repeated.', metavar="TEXT"),
]
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
        epilog=_example('compose "(4,6,8):(a,b,c)" "6:3"', "b = 4a: 6:3*a"),
    )(compose)
    add("coalesce", short_help="A CuTe layout with the fewest modes.")(coalesce)
    add("complement", short_help="The CuTe layout that fills the gaps of another.")(complement)
    add("divide", short_help="A CuTe layout split into a tile and the rest.")(divide)
    add("product", short_help="A CuTe layout repeated as another says.")(product)


def compose(a: A, b: B, assume: Assume = None, explain: Explain = False, json: Json = False) -> int:
    """The layout A ∘ B of B's shape, each mode perhaps split; with names among A's strides, when there is one.

    Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided.

    JSON keys: layout, or no_layout with mode_b, mode_a, coordinate, expected, got, reason; with
    names: question, headline, cases.
    """
    outer, inner = Layout.parse(a), read_tiler(b)
    if _numeric(outer, inner):
        return _answer("composition", (outer, inner), lambda: composition(outer, inner), explain, json)
    from symview.cute.symbolic import composition_conditions

    return _conditions(lambda: composition_conditions(outer, _one(inner), assume or ()), json)


def coalesce(a: A, assume: Assume = None, explain: Explain = False, json: Json = False) -> int:
    """The layout of the same function with the fewest modes; with names, by cases.

    JSON keys: layout; with names: question, headline, cases.
    """
    from symview.cute import modes

    layout = Layout.parse(a)
    if layout.numeric:
        return _answer("coalesce", (layout,), lambda: modes.coalesce(layout), explain, json)
    from symview.cute.splitting import coalesce_conditions

    return _conditions(lambda: coalesce_conditions(layout, assume or ()), json)


def complement(
    a: A,
    bound: Annotated[int, _argument("BOUND", "Up to where the gaps are filled.")],
    assume: Assume = None,
    explain: Explain = False,
    json: Json = False,
) -> int:
    """The layout that with A reaches every number below the bound once; with names, by cases.

    Exit code: 0 where there is one, 1 where there is none.

    JSON keys: layout, or no_layout with the reason; with names: question, headline, cases.
    """
    from symview.cute import complements

    layout = Layout.parse(a)
    if layout.numeric:
        return _answer(
            "complement", (layout, bound), lambda: complements.complement(layout, bound), explain, json
        )  # fmt: skip
    from symview.cute.splitting import complement_conditions

    return _conditions(lambda: complement_conditions(layout, bound, assume or ()), json)


def divide(
    a: A, b: B, arranged: How = "logical", assume: Assume = None, explain: Explain = False, json: Json = False
) -> int:
    """A split into the tile B and the rest; with names, by cases.

    Exit code: 0 where that is a layout, 1 where it is none, 3 undecided.

    JSON keys: as for compose.
    """
    from symview.cute import divide as module

    outer, inner = Layout.parse(a), read_tiler(b)
    ways = _ways("--as", arranged, {n: f"{n}_divide" for n in ("logical", "zipped", "tiled", "flat")})
    if _numeric(outer, inner):
        run = getattr(module, ways)
        return _answer("logical_divide", (outer, inner), lambda: run(outer, inner), explain, json)
    from symview.cute.splitting import logical_divide_conditions
    from symview.errors import NotSupported

    if arranged != "logical":
        raise NotSupported(f"--as {arranged} needs numbers; with names the logical division is answered")
    return _conditions(lambda: logical_divide_conditions(outer, _one(inner), assume or ()), json)


def product(a: A, b: B, arranged: ProductHow = "logical", explain: Explain = False, json: Json = False) -> int:
    """A and its copies, placed as B says.

    Exit code: 0 where that is a layout, 1 where it is none.

    JSON keys: layout, or no_layout as for compose.
    """
    from symview.cute import products

    outer, inner = Layout.parse(a), read_tiler(b)
    known = ("logical", "zipped", "tiled", "flat", "blocked", "raked")
    run = getattr(products, _ways("--as", arranged, {n: f"{n}_product" for n in known}))
    return _answer("logical_product", (outer, inner), lambda: run(outer, inner), explain, json)


def _ways(option: str, chosen: str, ways: Mapping[str, str]) -> str:
    from symview.errors import InputError

    if chosen not in ways:
        raise InputError(f"{option} {chosen}: choose one of {', '.join(ways)}")
    return ways[chosen]


def _numeric(*given: Any) -> bool:
    """Whether there is no symbol anywhere."""
    for x in given:
        if isinstance(x, tuple):
            if not _numeric(*x):
                return False
        elif (is_layout(x) and not x.numeric) or (x is not None and not is_layout(x) and type(x) is not int):
            return False
    return True


def _one(inner: Any) -> Any:
    from symview.errors import NotSupported

    if isinstance(inner, tuple) or inner is None:
        raise NotSupported("conditions are about one layout B, not about a tiler: ask mode by mode")
    return inner if isinstance(inner, Layout) else Layout(inner)


def _answer(name: str, args: tuple[Any, ...], run: Callable[[], Any], explained: bool, json: bool) -> int:
    try:
        found, code = run(), Code.YES
    except NoAnswer as error:
        found, code = error, Code.NO
    if json:
        show_json({"layout": str(found)} if code is Code.YES else {"layout": None, "no_layout": _reason(found)})
    elif explained:
        from symview.cute.explaining import explain

        steps = explain(name, *args)
        last = [] if str(steps.answer) == str(found) else [f"Arranged: {found}."]
        show([*steps.blocks, *last])
    else:
        show([str(found)])
    return code


def _reason(error: Exception) -> dict[str, Any]:
    return error.found.to_dict() if isinstance(error, NoComposition) else {"reason": str(error)}


def _conditions(run: Callable[[], LayoutConditions], json: bool) -> int:
    from symview.answers import Status

    with working("looking for carries"):
        found = run()
    if json:
        show_json(found.to_dict())
    else:
        show([str(found)])
    seen = {case.status for case in found.cases}
    if Status.UNDECIDED in seen:
        return Code.UNDECIDED
    return Code.YES if seen & {Status.ALWAYS, Status.WHEN} else Code.NO
