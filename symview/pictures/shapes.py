"""The shapes of a picture, and its output as SVG, without a library, or in matplotlib if that is installed.

Lengths are in pixels, y goes down. The colours are those of Okabe and Ito, which are distinct for people with any
colour vision; no information is in a colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from symview.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Point: TypeAlias = tuple[float, float]

INK, PALE, PAPER = "#1a1a1a", "#6b6b6b", "#ffffff"
BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, YELLOW = (
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442",
)  # fmt: skip
CASES = (BLUE, ORANGE, PURPLE, SKY, VERMILION, YELLOW)  # in this order, then from the start again
PATTERNS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE)
_FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
_WIDE = 0.602  # of a letter, as a fraction of the font size
_APART = 6.0  # distance of the lines of a hatch
_HEAD = 9.0  # length of the head of an arrow
_POINTS = 0.72  # of a pixel, in matplotlib's points


def width_of(text: str, size: float = 13.0) -> float:
    """The width of a line of text."""
    return len(text) * size * _WIDE


def over(fill: str) -> str:
    """The colour of text that is readable on this colour."""
    red, green, blue = (int(fill[n : n + 2], 16) for n in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else PAPER


def blend(one: str, other: str, share: float) -> str:
    """The colour between the two at this fraction of the way.

    >>> blend("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = [(int(one[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _number(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".")


def _attributes(**lengths: float) -> str:
    return " ".join(f'{name}="{_number(x)}"' for name, x in lengths.items())


class Box(NamedTuple):
    """A rectangle from its upper left corner; `hatched` if it represents something hidden or missing."""

    x: float
    y: float
    width: float
    height: float
    fill: str = PAPER
    stroke: str = INK
    thick: float = 1.0
    hatched: bool = False

    def svg(self) -> list[str]:
        """The lines of an SVG file."""
        place = _attributes(x=self.x, y=self.y, width=self.width, height=self.height)
        lines = [f'<rect {place} fill="{self.fill}" stroke="{self.stroke}" stroke-width="{_number(self.thick)}"/>']
        if self.hatched:
            ends = [f"M{_number(a)} {_number(b)}L{_number(c)} {_number(d)}" for (a, b), (c, d) in self._hatch()]
            lines.append(f'<path d="{" ".join(ends)}" stroke="{PALE}" stroke-width="0.8"/>')
        return lines

    def plot(self, axes: Axes) -> None:
        """Adds it to axes of matplotlib."""
        from matplotlib.patches import Rectangle  # slow to load

        outline = {"edgecolor": self.stroke, "linewidth": self.thick * _POINTS}
        axes.add_patch(Rectangle((self.x, self.y), self.width, self.height, facecolor=self.fill, **outline))
        for (a, b), (c, d) in self._hatch() if self.hatched else ():
            axes.plot([a, c], [b, d], color=PALE, linewidth=0.6)

    def _hatch(self) -> list[tuple[Point, Point]]:
        """Lines from the lower left to the upper right, within the box."""
        lines, total, at = [], self.width + self.height, _APART / 2
        while at < total:
            low = (self.x + max(0.0, at - self.height), self.y + min(at, self.height))
            high = (self.x + min(at, self.width), self.y + max(0.0, at - self.width))
            lines.append((low, high))
            at += _APART
        return lines


class Label(NamedTuple):
    """A line of text; `x` is its start, middle or end, as `anchor` says. `y` is the middle of its height."""

    x: float
    y: float
    text: str
    size: float = 13.0
    anchor: str = "middle"
    colour: str = INK
    bold: bool = False

    def svg(self) -> list[str]:
        """The lines of an SVG file."""
        font = f'dy="0.35em" font-size="{_number(self.size)}" text-anchor="{self.anchor}" fill="{self.colour}"'
        weight = ' font-weight="bold"' if self.bold else ""
        place = _attributes(x=self.x, y=self.y)
        return [f'<text {place} {font}{weight} xml:space="preserve">{escape(self.text)}</text>']

    def plot(self, axes: Axes) -> None:
        """Adds it to axes of matplotlib."""
        align = {"start": "left", "middle": "center", "end": "right"}[self.anchor]
        font = {"weight": "bold" if self.bold else "normal", "family": ["DejaVu Sans Mono"], "color": self.colour}
        axes.text(self.x, self.y, self.text, fontsize=self.size * _POINTS, ha=align, va="center_baseline", **font)


class Disc(NamedTuple):
    """A circle with centre (x, y)."""

    x: float
    y: float
    radius: float
    fill: str = PAPER
    stroke: str = INK

    def svg(self) -> list[str]:
        """The lines of an SVG file."""
        place = _attributes(cx=self.x, cy=self.y, r=self.radius)
        return [f'<circle {place} fill="{self.fill}" stroke="{self.stroke}"/>']

    def plot(self, axes: Axes) -> None:
        """Adds it to axes of matplotlib."""
        from matplotlib.patches import Circle  # slow to load

        colours = {"facecolor": self.fill, "edgecolor": self.stroke}
        axes.add_patch(Circle((self.x, self.y), self.radius, zorder=2.5, **colours))  # above lines, below text


class Path(NamedTuple):
    """A line through points, perhaps with an arrowhead at its end."""

    points: tuple[Point, ...]
    colour: str = INK
    thick: float = 1.5
    arrow: bool = False
    dashed: bool = False

    def svg(self) -> list[str]:
        """The lines of an SVG file."""
        stroke = f'stroke="{self.colour}" stroke-width="{_number(self.thick)}"'
        dashes = ' stroke-dasharray="4 3"' if self.dashed else ""
        lines = [f'<polyline points="{_listed(self.points)}" fill="none" {stroke}{dashes}/>']
        return lines + [f'<polygon points="{_listed(self._head())}" fill="{self.colour}"/>'] * self.arrow

    def plot(self, axes: Axes) -> None:
        """Adds it to axes of matplotlib."""
        from matplotlib.patches import Polygon  # slow to load

        xs, ys = zip(*self.points, strict=True)
        axes.plot(xs, ys, color=self.colour, linewidth=self.thick * _POINTS, linestyle="--" if self.dashed else "-")
        if self.arrow:
            axes.add_patch(Polygon(self._head(), closed=True, color=self.colour, linewidth=0))

    def _head(self) -> tuple[Point, ...]:
        """The triangle at the end of the line."""
        (x, y), (u, v) = self.points[-2:]
        length = max(1e-6, ((u - x) ** 2 + (v - y) ** 2) ** 0.5)
        along = ((u - x) / length * _HEAD, (v - y) / length * _HEAD)
        back = (u - along[0], v - along[1])
        side = (-along[1] * 0.42, along[0] * 0.42)
        return (u, v), (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])


def _listed(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


Shape: TypeAlias = Box | Disc | Label | Path


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes on a page of this size, with a title and a description in words."""

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
            lines += shape.svg()
        return "\n".join([*lines, "</svg>", ""])

    def figure(self) -> Figure:
        """The picture as a figure of matplotlib; InputError if that cannot be imported."""
        try:
            from matplotlib.figure import Figure  # slow to load
        except ImportError:
            raise InputError("this needs matplotlib: pip install matplotlib, or write .svg") from None
        figure = Figure(figsize=(self.width / 100, self.height / 100), dpi=100)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, self.width), ylim=(self.height, 0))
        axes.axis("off")
        for shape in self.shapes:
            shape.plot(axes)
        return figure
