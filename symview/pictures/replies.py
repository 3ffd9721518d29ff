"""The reply of `symview draw`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from symview.commands.options import Options
from symview.commands.replies import Code, Reply, reply
from symview.cute import parse
from symview.errors import InputError
from symview.pictures.drawing import picture
from symview.pictures.shapes import Picture
from symview.view import View
from symview.view_notation import read_shape
from symview.views.conditions import conditions
from symview.views.overflow_table import overflows
from symview.views.reshaping import reshape_conditions

_PLOTTED = (".png", ".pdf", ".eps", ".jpg")


def draw(
    views: list[str], layout: bool, reshape: str | None, output: str | None, force: bool, options: Options
) -> Reply:
    """Draws a view, a layout, the overflows of two views, or conditions on one or two sizes."""
    picture = _picture(views, layout, reshape, options)
    fields = {"title": picture.title, "told": picture.told}
    if output is None:
        svg = picture.svg()
        return Reply(Code.YES, lambda: {**fields, "svg": svg}, lambda: [svg.rstrip()])
    _write(picture, Path(output), force)
    return reply({**fields, "file": output}, f"{output}: {picture.title}")


def _picture(texts: Sequence[str], layout: bool, reshape: str | None, options: Options) -> Picture:
    if layout + (reshape is not None) + (len(texts) > 1) > 1:
        raise InputError("choose one of several views, --layout and --reshape")
    if layout:
        return _picture_of_one(parse(texts[0]), "--layout ")
    views = [View.parse(text) for text in texts]
    if reshape is not None:
        shape = read_shape(reshape)
        return picture(reshape_conditions(views[0], shape, assume=options.assume, budget=options.budget))
    if len(views) == 1:
        return _picture_of_one(views[0])
    if len(views) == 2 and all(type(n) is int for n in (*views[0].shape, *views[1].entries())):
        return picture(overflows(views[0], views[1], budget=options.budget))
    return picture(conditions(views[0], *views[1:], assume=options.assume, budget=options.budget))


def _picture_of_one(drawn: Any, option: str = "") -> Picture:
    """Draws a view or a layout; if it has names, the error shows a command with numbers."""
    try:
        return picture(drawn)
    except InputError:
        if not drawn.symbols():
            raise
        numbers = drawn.with_values({name: n for n, name in enumerate(drawn.symbols(), 2)})
        what = f"a picture of {drawn} needs numbers in place of {', '.join(drawn.symbols())}"
        raise InputError(f'{what}: type them, as in symview draw {option}"{numbers}"') from None


def _write(picture: Picture, path: Path, force: bool) -> None:
    """Writes the picture in the format of the file's extension; raises InputError if it cannot be written."""
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
