"""`symview draw`: views, layouts, overflows and conditions as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from symview.cli.options import Options, argument, entry, option, takes
from symview.cli.replies import Code, Reply
from symview.errors import InputError
from symview.view import View
from symview.view_notation import read_shape

if TYPE_CHECKING:
    from symview.show.pictures.shapes import Picture

_PLOTTED = (".png", ".pdf", ".eps", ".jpg")


@takes("assume", doing="drawing")
def draw(
    views: Annotated[list[str], argument("VIEW...", "One view, or several, the one that lays out memory first.")],
    layout: Annotated[bool, option("--layout", text="VIEW is a CuTe layout, perhaps behind a swizzle.")] = False,
    reshape: Annotated[
        str | None, option("--reshape", text="Draw when VIEW can have this shape.", metavar="SHAPE")
    ] = None,
    output: Annotated[
        str | None,
        option("-o", "--output", text="Where to; .svg, or with matplotlib .png and .pdf. Without, the SVG is printed.",
               metavar="FILE"),
    ] = None,
    force: Annotated[bool, option("--force", text="Write over a file that is there.")] = False,
    *,
    options: Options,
) -> Reply:  # fmt: skip
    """Draw a view or a layout, the overflows of two views, or conditions on one or two sizes.

    One view is a table of its addresses, with the memory that they take. Two views whose sizes are numbers: where the
    steps of the inner one lead in the outer shape, and where they carry. Views with symbolic sizes: which case of their
    conditions holds where.

    Exit code: 0.

    JSON keys: title, told (what can be seen, in words), and svg, or file where one is written.
    """
    picture = _picture(views, layout, reshape, options)
    if output is None:
        return Reply(
            Code.YES,
            lambda: {"title": picture.title, "told": picture.told, "svg": picture.svg()},
            lambda: [picture.svg().rstrip()],
        )
    _write(picture, Path(output), force)
    told = {"title": picture.title, "told": picture.told, "file": output}
    return Reply(Code.YES, lambda: told, lambda: [f"{output}: {picture.title}"])


def _picture(texts: Sequence[str], layout: bool, reshape: str | None, options: Options) -> Picture:
    from symview import conditions, overflows, reshape_conditions
    from symview.drawing import picture

    if layout + (reshape is not None) + (len(texts) > 1) > 1:
        raise InputError("choose one of several views, --layout and --reshape")
    if layout:
        from symview.cute import parse

        return picture(parse(texts[0]))
    views = [View.parse(text) for text in texts]
    if reshape is not None:
        shape = read_shape(reshape)
        return picture(reshape_conditions(views[0], shape, assume=options.assume, budget=options.budget))
    if len(views) == 1:
        return picture(views[0])
    if len(views) == 2 and all(type(n) is int for n in (*views[0].shape, *views[1].entries())):
        return picture(overflows(views[0], views[1], budget=options.budget))
    return picture(conditions(views[0], *views[1:], assume=options.assume, budget=options.budget))


def _write(picture: Picture, path: Path, force: bool) -> None:
    """Writes the picture in the form that the file's name asks for; InputError for what cannot be written."""
    kind = path.suffix.lower()
    if kind != ".svg" and kind not in _PLOTTED:
        raise InputError(f"{path}: the name has to end in .svg, {', '.join(_PLOTTED[:-1])} or {_PLOTTED[-1]}")
    plotted = None if kind == ".svg" else picture.figure()
    try:
        with path.open("wb" if force else "xb") as file:
            if plotted is None:
                file.write(picture.svg().encode())
            else:
                plotted.savefig(file, format=kind[1:])
    except FileExistsError:
        raise InputError(f"{path} exists: give another name, or --force to write over it") from None


COMMANDS = (
    entry(draw,
          ('"(10,3,3):(σ1,σ2,σ3)" "(6):(4)" -o overflows.svg',
           "overflows.svg: Where (6):(4) leads in (10,3,3):(σ1,σ2,σ3)"),
          ('"((4,2),8):((2,1),8)" --layout -o layout.svg', "layout.svg: ((4,2),8):((2,1),8)")),
)  # fmt: skip
