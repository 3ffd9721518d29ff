"""`symview linear`: linear, strided and swizzled layouts, one as another, or two side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from symview.answers import Status
from symview.cli.options import Options, argument, entry, option, takes
from symview.cli.replies import Code, Reply
from symview.cute.errors import LayoutError
from symview.cute.first_failures import NotALayout, NotLinear
from symview.cute.layout import Layout
from symview.cute.linear.conversions import to_linear, to_view
from symview.cute.linear.differences import Differs, same_function
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.unswizzling import to_swizzled
from symview.cute.swizzle import ComposedLayout
from symview.cute.swizzle_notation import parse
from symview.logic.notation import term_text
from symview.show.grid import Block
from symview.view import View

if TYPE_CHECKING:
    from symview.cute.linear.conditions import StrideConditions


@takes("at", doing="looking for differences")
def linear(
    a: Annotated[str, argument("A", "A layout, S<b,m,s> o 0 o one, or {lane = [1, 2]}; Triton's listings too.")],
    b: Annotated[str | None, argument("[B]", "Another: are both the same function of the index?")] = None,
    size: Annotated[int | None, option("--size", text="Only the indices below it.", metavar="INT", min=1)] = None,
    names: Annotated[
        str | None,
        option("--names", text="Linear in the coordinates: a name for each mode, as in i,j.", metavar="NAMES"),
    ] = None,
    *,
    options: Options,
) -> Reply:
    """A layout as a linear layout over bits, as a strided one, and as a swizzle in front of one; or two compared.

    Layouts are read by their index, the first mode or input fastest. Strides may have names: then, for which ones A
    is linear in its coordinates, or both are the same function.

    Exit code: 0 where A is linear, or both are the same function, at least under conditions; 1 where not; 3 undecided.

    JSON keys: of one, linear, not_linear, layout, offset, not_strided, swizzled, injective; of two, same and
    difference (index, left, right); with names headline, status, equations.
    """
    x = _put(parse(a), options)
    if b is None:
        return _one(x, size, names, options)
    if size is not None or names is not None:
        raise LayoutError("--size and --names are about one layout: leave B away")
    return _two(x, _put(parse(b), options), options)


def _put(x: Any, options: Options) -> Any:
    """The layout with numbers for its symbols, where they are given."""
    if not options.at or isinstance(x, LinearLayout):
        return x
    if isinstance(x, ComposedLayout):
        return ComposedLayout(_put(x.layoutB, options), x.offset, _put(x.layoutA, options))
    return x.with_values(options.at) if isinstance(x, Layout) else x


def _one(x: Any, size: int | None, names: str | None, options: Options) -> Reply:
    if isinstance(x, Layout) and size is None and _has_symbols(x):
        from symview.cute.linear.conditions import to_linear_conditions

        return _conditions(to_linear_conditions(x, options.budget))
    view = to_view(x, size, options.budget)
    found = to_linear(x, None if names is None else tuple(names.split(",")), size, options.budget)
    whole = isinstance(found, LinearLayout) and found.size() == (x.size() if size is None else size)
    swizzled = to_swizzled(found) if whole and not view else None
    injective = found.is_injective() if isinstance(found, LinearLayout) and whole else None

    def told() -> dict[str, Any]:
        return {
            "linear": str(found) if found else None,
            "not_linear": _witness(found) if isinstance(found, NotLinear) else None,
            "layout": str(_layout(view)) if isinstance(view, View) else None,
            "offset": view.offset if isinstance(view, View) else None,
            "not_strided": _witness(view) if isinstance(view, NotALayout) else None,
            "swizzled": str(swizzled) if isinstance(swizzled, ComposedLayout) else None,
            "injective": injective,
        }

    def blocks() -> Iterator[Block]:
        yield f"linear     {found}"
        yield f"strided    {_strided_text(view)}"
        if swizzled is not None:
            yield f"swizzled   {swizzled if isinstance(swizzled, ComposedLayout) else 'by no single swizzle'}"
        if injective is not None:
            yield f"injective  {'yes' if injective else 'no'}"

    return Reply(Code.YES if found else Code.NO, told, lambda: ["\n".join(map(str, blocks()))])


def _strided_text(view: View | NotALayout) -> str:
    """The layout, first mode first, and what is added to it."""
    if isinstance(view, NotALayout):
        return str(view)
    return f"{_layout(view)} + {view.offset}" if view.offset else str(_layout(view))


def _layout(view: View) -> Layout:
    return Layout.from_view(View(view.shape, view.strides))


def _witness(found: Any) -> dict[str, Any]:
    return {"index": found.index, "expected": found.expected, "got": found.got, "reason": found.reason}


def _two(x: Any, y: Any, options: Options) -> Reply:
    if _has_symbols(x) or _has_symbols(y):
        from symview.cute.linear.conditions import same_function_conditions

        return _conditions(same_function_conditions(x, y, options.budget))
    same = same_function(x, y, options.budget)
    if isinstance(same, Differs):
        difference = {"index": same.index, "left": same.left, "right": same.right}
        return Reply(Code.NO, lambda: {"same": False, "difference": difference}, lambda: [str(same)])
    return Reply(Code.YES, lambda: {"same": True, "difference": None}, lambda: ["the same function"])


def _conditions(found: StrideConditions) -> Reply:
    equations = [] if found.status is Status.NEVER else [term_text(e) for e in found.required]
    return Reply(
        Code.NO if found.status is Status.NEVER else Code.YES,
        lambda: {"headline": str(found), "status": str(found.status), "equations": equations},
        lambda: [str(found)],
        conditional=found.status is Status.WHEN,
    )


def _has_symbols(x: Any) -> bool:
    if isinstance(x, ComposedLayout):
        return _has_symbols(x.layoutB) or _has_symbols(x.layoutA)
    return isinstance(x, Layout) and bool(x.symbols())


COMMANDS = (
    entry(linear, ('"SW_1_0_2 o 0 o 8:1"', """\
linear     {index = [1, 2, 5]} -> {offset = 8}
strided    no layout: the values at 0 and the multiples of 1, 4 make it (4,2):(1,5), which has 6 at 5, not 4
swizzled   SW_1_0_2 o 0 o 8:1
injective  yes"""),
          ('"(4,2):(a,b)" "{lane = [1, 2], warp = [8]}"', "a = 1 and b = 8")),
)  # fmt: skip
