"""Left inverses by the definition: every shape, and for its strides the classical criterion; nothing from symview.

A system of linear equations has an integer solution iff the matrix and the matrix with the right-hand
side have the same rank r, and the same greatest common divisor of all r by r minors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import gcd

Rows = list[list[int]]


def shapes(room: int) -> Iterator[tuple[int, ...]]:
    """The sizes before the last mode, each from 2 on, with a product up to `room`."""
    yield ()
    for first in range(2, room + 1):
        for rest in shapes(room // first):
            yield (first, *rest)


def digits(value: int, sizes: Sequence[int]) -> list[int]:
    """The coordinate at an index; the last mode goes on for ever."""
    found = []
    for n in sizes:
        found.append(value % n)
        value //= n
    return [*found, value]


def determinant(rows: Rows) -> int:
    if not rows:
        return 1
    first, *others = rows
    return sum(
        (-1) ** column * entry * determinant([row[:column] + row[column + 1 :] for row in others])
        for column, entry in enumerate(first)
        if entry
    )


def rank(rows: Rows) -> int:
    """By elimination in fractions."""
    left, found = [[Fraction(x) for x in row] for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in left if row[column]), None)
        if pivot is None:
            continue
        left.remove(pivot)
        left = [[a - b * row[column] / pivot[column] for a, b in zip(row, pivot, strict=True)] for row in left]
        found += 1
    return found


def minors(rows: Rows, order: int) -> int:
    """The greatest common divisor of all minors of that order."""
    found = 0
    for chosen in combinations(rows, order):
        for columns in combinations(range(len(rows[0])), order):
            found = gcd(found, determinant([[row[c] for c in columns] for row in chosen]))
            if found == 1:
                return 1
    return found


def solvable(rows: Rows, wanted: Sequence[int]) -> bool:
    """Whether whole numbers solve rows · e = wanted."""
    both = [[*row, w] for row, w in zip(rows, wanted, strict=True)]
    order = rank(rows)
    return rank(both) == order and minors(rows, order) == minors(both, order)


def sizes_of_inverses(values: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The sizes before the last mode with which some K has K(values[x]) = x for all x; values from 0 on."""
    for sizes in shapes(max(values)):
        if solvable([digits(v, sizes) for v in values], range(len(values))):
            yield sizes


def inverse_with_small_strides(values: Sequence[int], most: int) -> bool:
    """Whether some K with strides from -most to most does it, tried one by one."""
    for sizes in shapes(max(values)):
        table = [digits(v, sizes) for v in values]
        for strides in product(range(-most, most + 1), repeat=len(sizes) + 1):
            if all(sum(d * e for d, e in zip(row, strides, strict=True)) == x for x, row in enumerate(table)):
                return True
    return False


def value(modes: Sequence[tuple[int, int]], index: int) -> int:
    """At an index from 0 on; the last mode goes on for ever."""
    sizes = [n for n, _ in modes[:-1]]
    return sum(x * d for x, (_, d) in zip(digits(index, sizes), modes, strict=True))


def takes_values_back(modes: Sequence[tuple[int, int]]) -> bool:
    """Whether some K has L(K(v)) = v for all values v of L: each choice of indices is tried; strides from 0 on."""
    below = size = 1
    for n, _ in modes:
        below, size = size, size * n
    values, last = sorted({value(modes, x) for x in range(size)} - {0}), modes[-1][1]
    reach = below * (max(values, default=0) // abs(last) + 1) if last else below
    places = [[x for x in range(reach) if value(modes, x) == v] for v in values]

    def fits(rows: Rows, wanted: list[int]) -> bool:
        if not last:  # then multiples of `below` may be added to each, an unknown for each value
            rows = [[*row, *[-below * (i == j) for j in range(len(rows))]] for i, row in enumerate(rows)]
        if rows and not solvable(rows, wanted):
            return False
        done = len(wanted)
        return done == len(values) or any(fits(digit_rows[: done + 1], [*wanted, x]) for x in places[done])

    for sizes in shapes(max(values, default=1)):
        digit_rows = [digits(v, sizes) for v in values]
        if fits([], []):
            return True
    return False
