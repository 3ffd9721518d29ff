"""Programs at numbers: what stands at every index, or what the program asks that does not hold there.

A program becomes a Python function of its names, since thousands of values are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import Any

from symview.logic.points import by_size
from symview.logic.terms import Term, names, num, sym
from symview.rules.programs.meaning import Arm, arms, in_bounds, required, terms_of
from symview.rules.programs.program import Program
from symview.rules.python_loops import GLOBALS, source

Index = tuple[int, ...]
Cell = tuple[str, Index] | None  # an element of a tensor, or padding


class Undefined(Exception):
    """The program has no meaning at these numbers; the message says which operation asks what."""


class TooLarge(Exception):
    """The arrays have more elements than are walked, and were not seen to differ."""


@dataclass(frozen=True, slots=True)
class Array:
    """A shape, and what stands at each index; nothing is made before it is asked for."""

    shape: Index
    at: Callable[[Index], Cell]

    def count(self) -> int:
        """How many indices the shape has."""
        return prod(self.shape)

    def cells(self) -> list[Cell]:
        """What stands at every index, in row-major order."""
        return list(map(self.at, product(*map(range, self.shape))))


def first_difference(left: Array, right: Array, most: int) -> Index | None:
    """The smallest index, by its sum and then lexicographic, at which arrays of one shape show different cells.

    Raises TooLarge where none of the first `most` indices is one, and there are more.

    >>> x = Program.parse("x(n)")
    >>> first_difference(AtNumbers(x)({"n": 10**9}), AtNumbers(x.flip(0))({"n": 10**9}), 100)
    (0,)
    """
    for n, index in enumerate(islice(by_size([(0, size - 1) for size in left.shape]), most + 1)):
        if n == most:
            raise TooLarge(f"{left.count()} elements")
        if left.at(index) != right.at(index):
            return index
    return None


class AtNumbers:
    """A program as a function of its names, where these meet the facts.

    >>> AtNumbers(Program.parse("x(n).pad((1,0)).flip(0)"))({"n": 2}).cells()
    [('x', (1,)), ('x', (0,)), None]
    """

    def __init__(self, program: Program, facts: Sequence[Term] = ()) -> None:
        self._names = names(*facts, *(t for part in program.parts() for t in terms_of(part)))
        self._asked = [*((fact, "an assumption does not hold") for fact in facts), *_asked(program)]
        lines = _Lines(self._names).array(program, [formula for formula, _ in self._asked])
        scope: dict[str, Any] = {}
        exec("\n".join(lines), dict(GLOBALS), scope)
        self._array = scope["array"]

    def __call__(self, values: Mapping[str, int]) -> Array:
        """What the program shows at these numbers. Raises Undefined."""
        try:
            found = self._array(*[values[n] for n in self._names])
        except ZeroDivisionError:
            raise Undefined("a divisor is 0") from None
        if isinstance(found, int):
            raise Undefined(self._asked[found][1])
        return Array(*found)


def _asked(program: Program) -> Iterator[tuple[Term, str]]:
    """All that the program asks, in the order of its steps, and what is wrong where it does not hold."""
    for part in program.parts():
        op = part.step.op
        for one in required(part):
            yield one.formula(), f"{op}: {one.what} does not hold"
        for size in part.sizes if op == "tensor" else ():
            yield Term(">=", (size, num(0))), "the tensor: a size is negative"
        if op == "read":
            yield in_bounds(part), "read: an address is out of bounds"


class _Lines:
    """Writes a program as Python: a function of its names that gives shape and cells, or the number of what fails."""

    def __init__(self, names: Sequence[str]) -> None:
        self.known = {n: f"p{k}" for k, n in enumerate(names)}
        self.parameters = ", ".join(self.known.values())
        self.cells: list[str] = []
        self.count = 0

    def array(self, program: Program, asked: Sequence[Term]) -> list[str]:
        """The lines of the whole."""
        checks = [f"  if not {self._text(formula)}: return {k}" for k, formula in enumerate(asked)]
        cell, shape = self._cell(program), "".join(f"{self._text(n)}, " for n in program.sizes)
        return [f"def array({self.parameters}):", *checks, *self.cells, f"  return ({shape}), {cell}"]

    def _cell(self, program: Program) -> str:
        """Writes the function of an index; its name."""
        index = self._fresh(program.rank)
        name = f"cell{self.count}"
        lines = [f"  def {name}(index):", f"    {self._tuple(index)} = index"]
        while program.before is not None:
            found = list(arms(program, index))
            if not found:
                self.cells += [*lines, "    return None"]
                return name
            first, *others = found
            for arm in others:
                lines.append(f"    if {self._guards(arm)}:")
                moved = self._moved(arm, lines, "      ")
                lines.append(f"      return {self._cell(arm.before)}({self._tuple(moved)})")
            if first.guards:
                lines.append(f"    if not ({self._guards(first)}): return None")
            program, index = first.before, self._moved(first, lines, "    ")
        self.cells += [*lines, f"    return {program.step.given[0]!r}, {self._tuple(index)}"]
        return name

    def _moved(self, arm: Arm, lines: list[str], indent: str) -> list[Term]:
        """Writes the index of the program before."""
        index = self._fresh(arm.before.rank)
        for address, dims in arm.places:
            rest = self._text(index[dims[0]])
            lines.append(f"{indent}{rest} = {self._text(address)}")
            for k in reversed(dims[1:]):
                digit = f"{rest}, {self._text(index[k])}"
                lines.append(f"{indent}{digit} = divmod({rest}, {self._text(arm.before.sizes[k])})")
        return index

    def _fresh(self, rank: int) -> list[Term]:
        """The names of an index."""
        found = []
        for _ in range(rank):
            self.count += 1
            found.append(f"#{self.count}")
            self.known[found[-1]] = f"i{self.count}"
        return list(map(sym, found))

    def _guards(self, arm: Arm) -> str:
        return " and ".join(f"{self._text(g)} >= 0" for g in arm.guards)

    def _tuple(self, terms: Sequence[Term]) -> str:
        return f"({''.join(f'{self._text(t)}, ' for t in terms)})"

    def _text(self, term: Term) -> str:
        return source(term, self.known)
