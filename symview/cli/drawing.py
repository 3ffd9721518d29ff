"""`symview draw`: views, layouts, overflows and conditions as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from symview import conditions, overflows, reshape_conditions
from symview.cli.options import Options
from symview.cli.replies import Code, Reply, reply
from symview.errors import InputError
from symview.view import View
from symview.view_notation import read_shape

if TYPE_CHECKING:
    from symview.show.pictures.shapes import Picture

_PLOTTED = (".png", ".pdf", ".eps", ".jpg")


def draw(
    views: list[str], layout: bool, reshape: str | None, output: str | None, force: bool, options: Options
) -> Reply:
    """The picture of a view, a layout, the overflows of two views, or conditions on one or two sizes."""
    picture = _picture(views, layout, reshape, options)
    fields = {"title": picture.title, "told": picture.told}
    if output is None:
        svg = picture.svg()
        return Reply(Code.YES, lambda: {**fields, "svg": svg}, lambda: [svg.rstrip()])
    _write(picture, Path(output), force)
    return reply({**fields, "file": output}, f"{output}: {picture.title}")


def _picture(texts: Sequence[str], layout: bool, reshape: str | None, options: Options) -> Picture:
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
