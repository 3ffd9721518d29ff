"""Bank conflicts of a layout with one symbol in its strides: by the residue of the symbol."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd, lcm
from typing import Any

from symview.cute.analysis.given import Given, given
from symview.cute.analysis.phases import BankConflicts, Memory, worst
from symview.cute.comparer import running
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import leaves
from symview.cute.swizzled.fronted import Fronted, fronted, in_runs
from symview.displayed import Displayed
from symview.errors import SymbolError, Undecided
from symview.logic.budget import DEFAULT, Budget

_WALKED = 1 << 20


@dataclass(frozen=True, slots=True)
class BankConflictsBy(Displayed):
    """Ways by the residue of a symbol: `ways[r]` for all values r mod `modulus` that are above `above` in size.

    At smaller values different threads may read one word; `at(value)` tells of any value, with the phase.
    `None` among the ways: a vector is not aligned there.
    """

    symbol: str
    modulus: int
    above: int
    ways: tuple[int | None, ...]
    asked: Fronted = field(repr=False)
    memory: Memory = field(repr=False)
    budget: Budget = field(default=DEFAULT, repr=False, compare=False)

    def at(self, value: int) -> BankConflicts:
        """The conflicts at a value of the symbol."""
        found = self.asked.at({self.symbol: value})
        return worst(given(found, "bank_conflicts"), self.memory, running(self.budget))

    def free(self) -> tuple[int, ...]:
        """The residues without conflicts."""
        return tuple([r for r, ways in enumerate(self.ways) if ways == 1])

    def __str__(self) -> str:
        lines = [f"by {self.symbol} mod {self.modulus}, for |{self.symbol}| > {self.above}:"]
        for ways in sorted({w for w in self.ways if w is not None}):
            residues = [r for r, w in enumerate(self.ways) if w == ways]
            lines.append(f"{ways} way{'s' * (ways > 1)}: {_runs(residues, self.modulus)}")
        odd = [r for r, w in enumerate(self.ways) if w is None]
        return "\n".join([*lines, *[f"not aligned: {_runs(odd, self.modulus)}"][: len(odd)]])

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"symbol": self.symbol, "modulus": self.modulus, "above": self.above, "ways": list(self.ways)}


def _runs(residues: list[int], modulus: int) -> str:
    """The residues as a class of a divisor of the modulus, or as intervals."""
    for divisor in range(1, modulus + 1):
        if modulus % divisor == 0:
            small = sorted({r % divisor for r in residues})
            if len(small) * (modulus // divisor) == len(residues):
                return f"{in_runs(small)} mod {divisor}"
    return f"{in_runs(residues)} mod {modulus}"


def by_stride(asked: Given, memory: Memory, budget: Budget = DEFAULT) -> BankConflictsBy:
    """The ways for all values of the one symbol.

    Value i is a_i + c_i·d. Words of threads with equal c have a fixed distance; others are apart where |d| is above
    all distances of the a, and a swizzle moves nothing out of its blocks. There only d modulo the banks' row and the
    swizzle's period matters, so each residue is asked at one large value.
    """
    if len(asked.symbols) != 1:
        names = ", ".join(asked.symbols)
        raise SymbolError(f"bank_conflicts: the strides have the symbols {names}: give numbers for all but one")
    symbol = asked.symbols[0]
    apart = fronted(asked.layout, "bank_conflicts")
    lengths = [n - 1 for n in leaves(apart.layout.shape)]
    period = apart.period()
    row = memory.banks * memory.width
    modulus = lcm(period, row // gcd(row, memory.element_bytes), memory.vector)
    if modulus * asked.size > _WALKED:
        raise Undecided(f"bank_conflicts: {modulus} residues of {symbol}, each of {asked.size} indices")
    spread = sum(n * abs(d.constant) for n, d in zip(lengths, apart.strides, strict=True))
    above = spread + 2 * max(period, row, memory.vector)
    far = -(-(above + 1) // modulus) * modulus
    if apart.fronts and any(n and d.factors[0] < 0 for n, d in zip(lengths, apart.strides, strict=True)):
        raise SymbolError(f"bank_conflicts: {symbol} leads below 0 in front of a swizzle: give it the other sign")
    running_budget = running(budget)
    ways: list[int | None] = []
    for r in range(modulus):
        try:
            ways.append(worst(given(apart.at({symbol: far + r}), ""), memory, running_budget).ways)
        except NoAnswer:  # not aligned
            ways.append(None)
    shorter = _shortest(ways)
    return BankConflictsBy(symbol, shorter, above, tuple(ways[:shorter]), apart, memory, budget.plain())


def _shortest(ways: list[Any]) -> int:
    """The least period of the table among the divisors of its length."""
    size = len(ways)
    return next(p for p in range(1, size + 1) if size % p == 0 and ways == ways[:p] * (size // p))
