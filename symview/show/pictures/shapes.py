"""What a picture is made of, and the two that write it down: SVG, without a library, and matplotlib where it is there.

Lengths are in pixels, y goes down. Colours are those of Okabe and Ito, which people with any colour vision tell apart;
nothing is said by a colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from symview.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Point: TypeAlias = tuple[float, float]

INK, PALE, PAPER = "#1a1a1a", "#6b6b6b", "#ffffff"
BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, YELLOW = (
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442",
)  # fmt: skip
_FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
_WIDE = 0.602  # of a letter, as a part of the size of its font
_APART = 6.0  # lines of a hatch
_HEAD = 9.0  # of an arrow


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle from its upper left corner; `hatched` where it stands for what is hidden or missing."""

    x: float
    y: float
    width: float
    height: float
    fill: str = PAPER
    stroke: str = INK
    thick: float = 1.0
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; `x` is its middle, or what `anchor` says: start, middle, end. `y` is the middle of its height."""

    x: float
    y: float
    text: str
    size: float = 13.0
    anchor: str = "middle"
    colour: str = INK
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points, perhaps with the head of an arrow at its end."""

    points: tuple[Point, ...]
    colour: str = INK
    thick: float = 1.5
    arrow: bool = False
    dashed: bool = False


Shape: TypeAlias = "Box | Label | Path"


def width_of(text: str, size: float = 13.0) -> float:
    """How wide a line of text is."""
    return len(text) * size * _WIDE


def over(fill: str) -> str:
    """The colour of text that can be read on this one."""
    red, green, blue = (int(fill[n : n + 2], 16) for n in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else PAPER


def blend(one: str, other: str, share: float) -> str:
    """The colour that far on the way from one to the other.

    >>> blend("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = [(int(one[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes on a page of that size, with a title, and in words what can be seen."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str
    told: str = ""

    def svg(self) -> str:
        """The picture as the text of an SVG file."""
        size = f'width="{_number(self.width)}" height="{_number(self.height)}"'
        view = f'viewBox="0 0 {_number(self.width)} {_number(self.height)}"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} role="img" font-family={quoteattr(_FONT)}>',
            f"<title>{escape(self.title)}</title>",
            f"<desc>{escape(self.told)}</desc>",
            f'<rect width="100%" height="100%" rx="6" fill="{PAPER}"/>',
        ]
        for shape in self.shapes:
            match shape:
                case Box():
                    lines += _box(shape)
                case Label():
                    lines.append(_label(shape))
                case Path():
                    lines += _path(shape)
        return "\n".join([*lines, "</svg>", ""])

    def figure(self) -> Figure:
        """The picture as a figure of matplotlib; InputError where that cannot be imported."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise InputError("matplotlib cannot be imported: install it, or take the SVG") from None
        figure = Figure(figsize=(self.width / 100, self.height / 100), dpi=100)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, self.width), ylim=(self.height, 0))
        axes.axis("off")
        for shape in self.shapes:
            _plot(axes, shape)
        return figure


def _number(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".")


def _at(**lengths: float) -> str:
    return " ".join(f'{name}="{_number(x)}"' for name, x in lengths.items())


def _box(box: Box) -> list[str]:
    place = _at(x=box.x, y=box.y, width=box.width, height=box.height)
    stroke = f'stroke="{box.stroke}" stroke-width="{_number(box.thick)}"'
    lines = [f'<rect {place} fill="{box.fill}" {stroke}/>']
    if box.hatched:
        ends = " ".join(f"M{_number(a)} {_number(b)}L{_number(c)} {_number(d)}" for (a, b), (c, d) in hatch(box))
        lines.append(f'<path d="{ends}" stroke="{PALE}" stroke-width="0.8"/>')
    return lines


def hatch(box: Box) -> list[tuple[Point, Point]]:
    """Lines from the lower left to the upper right, within the box."""
    lines, total, at = [], box.width + box.height, _APART / 2
    while at < total:
        low = (box.x + max(0.0, at - box.height), box.y + min(at, box.height))
        high = (box.x + min(at, box.width), box.y + max(0.0, at - box.width))
        lines.append((low, high))
        at += _APART
    return lines


def _label(label: Label) -> str:
    weight = ' font-weight="bold"' if label.bold else ""
    place = f'{_at(x=label.x, y=label.y)} dy="0.35em" font-size="{_number(label.size)}" text-anchor="{label.anchor}"'
    return f'<text {place} fill="{label.colour}"{weight} xml:space="preserve">{escape(label.text)}</text>'


def _path(path: Path) -> list[str]:
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in path.points)
    dashes = ' stroke-dasharray="4 3"' if path.dashed else ""
    lines = [f'<polyline points="{points}" fill="none" stroke="{path.colour}" '
             f'stroke-width="{_number(path.thick)}"{dashes}/>']  # fmt: skip
    if path.arrow:
        head = " ".join(f"{_number(x)},{_number(y)}" for x, y in arrow_head(path.points))
        lines.append(f'<polygon points="{head}" fill="{path.colour}"/>')
    return lines


def arrow_head(points: Sequence[Point]) -> tuple[Point, Point, Point]:
    """The triangle at the end of a line."""
    (x, y), (u, v) = points[-2:]
    length = max(1e-6, ((u - x) ** 2 + (v - y) ** 2) ** 0.5)
    along = ((u - x) / length * _HEAD, (v - y) / length * _HEAD)
    back = (u - along[0], v - along[1])
    side = (-along[1] * 0.42, along[0] * 0.42)
    return (u, v), (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])


def _plot(axes: Any, shape: Shape) -> None:
    from matplotlib.patches import Polygon, Rectangle

    match shape:
        case Box():
            put = Rectangle((shape.x, shape.y), shape.width, shape.height, facecolor=shape.fill,
                            edgecolor=shape.stroke, linewidth=shape.thick * 0.72)  # fmt: skip
            axes.add_patch(put)
            for (a, b), (c, d) in hatch(shape) if shape.hatched else ():
                axes.plot([a, c], [b, d], color=PALE, linewidth=0.6)
        case Label():
            align = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
            axes.text(shape.x, shape.y, shape.text, fontsize=shape.size * 0.72, ha=align, va="center_baseline",
                      color=shape.colour, weight="bold" if shape.bold else "normal",
                      family=["DejaVu Sans Mono"])  # fmt: skip
        case Path():
            xs, ys = zip(*shape.points, strict=True)
            axes.plot(xs, ys, color=shape.colour, linewidth=shape.thick * 0.72, linestyle="--" if shape.dashed else "-")
            if shape.arrow:
                axes.add_patch(Polygon(arrow_head(shape.points), closed=True, color=shape.colour, linewidth=0))
