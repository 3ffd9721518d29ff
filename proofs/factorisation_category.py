"""Ordered factorisations, and the permutations that are layout functions.

Section 3 of "CuTe Layout Algebra" (L. Mao). Letters of an expression are numbered from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from math import prod
from typing import Any

from symview import Counterexample
from symview.cute import Layout, LayoutError, is_bijection, layout_of
from symview.cute.int_tuple import listed, profile_text
from symview.cute.layout import made
from symview.cute.modes import assembled
from symview.displayed import Displayed
from symview.engine.radix import divisors, prime_factors


def _letters(given: Any, what: str) -> tuple[Any, ...]:
    """The entries of a sequence, not yet checked to be integers."""
    found = None if isinstance(given, str | Set | Mapping) else listed(given)
    if found is None:
        raise LayoutError(f"{what}: {given!r} is no sequence of integers")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Factorisation(Displayed):
    """An object of Fact: an expression [p_1 … p_k] of primes (Definition 3.1).

    >>> print(Factorisation((2, 3, 2))), Factorisation((2, 3, 2)).number()
    [2 3 2]
    (None, 12)
    """

    primes: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "primes", _letters(self.primes, "primes"))
        for p in self.primes:
            if type(p) is not int or p < 2 or prime_factors(p) != [p]:
                raise LayoutError(f"[{' '.join(map(profile_text, self.primes))}]: {profile_text(p)} is no prime")

    def __len__(self) -> int:
        return len(self.primes)

    def __str__(self) -> str:
        return f"[{' '.join(map(str, self.primes))}]"

    def number(self) -> int:
        """N = p_1·…·p_k; the realisation of the object is [0, N)."""
        return prod(self.primes)

    def pulled_back(self, alpha: Sequence[int]) -> Factorisation:
        """E^α = [p_α(1) … p_α(n)]."""
        return Morphism(_letters(alpha, "alpha"), self).source

    def identity(self) -> Morphism:
        """The identity of the expression."""
        return Morphism(tuple(range(1, len(self) + 1)), self)


@dataclass(frozen=True, slots=True)
class Morphism:
    """α_E: E^α → E for a map α of {1..n} to {1..k}, given by its values (Definition 3.4).

    >>> swap = Morphism((2, 1), Factorisation((2, 3)))
    >>> print(swap, swap.layout())
    [3 2] -> [2 3] (3,2):(2,1)
    """

    alpha: tuple[int, ...]
    target: Factorisation

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", _letters(self.alpha, "alpha"))
        if not isinstance(self.target, Factorisation):
            raise LayoutError(f"Morphism: the target {self.target!r} is no Factorisation")
        for a in self.alpha:
            if type(a) is not int or not 1 <= a <= len(self.target):
                raise LayoutError(f"{self.alpha} into {self.target}: {a!r} is not one of 1..{len(self.target)}")

    @property
    def source(self) -> Factorisation:
        """E^α."""
        return Factorisation(tuple([self.target.primes[a - 1] for a in self.alpha]))

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}"

    def after(self, other: Morphism) -> Morphism:
        """The composition: first the other, then this; LayoutError where the expressions do not meet."""
        if not isinstance(other, Morphism):
            raise LayoutError(f"{self} after {other!r}: give a Morphism")
        if other.target != self.source:
            raise LayoutError(f"{self} after {other}: the target {other.target} is not the source {self.source}")
        return Morphism(tuple([self.alpha[b - 1] for b in other.alpha]), self.target)

    def is_injective(self) -> bool:
        """Whether no letter is used twice; only then do all values lie in [0, N) (Remark 3.11 omits it)."""
        return len(set(self.alpha)) == len(self.alpha)

    def is_invertible(self) -> bool:
        """Whether α is a bijection."""
        return sorted(self.alpha) == list(range(1, len(self.target) + 1))

    def inverse(self) -> Morphism:
        """The inverse morphism; LayoutError where there is none."""
        if not self.is_invertible():
            raise LayoutError(f"{self} by {self.alpha} has no inverse: the map is no bijection")
        back = [0] * len(self.alpha)
        for i, a in enumerate(self.alpha, 1):
            back[a - 1] = i
        return Morphism(tuple(back), self.source)

    def layout(self) -> Layout:
        """L_(E,α): sizes p_α(i), strides Π_{j < α(i)} p_j (Definition 3.9)."""
        primes = self.target.primes
        return Layout(self.source.primes, tuple([prod(primes[: a - 1]) for a in self.alpha]))

    def realised(self) -> list[int]:
        """R(α_E): the values of the layout function; LayoutError where some are outside [0, N).

        The document calls R a functor on all of Fact; it is one on the morphisms that use no
        letter twice.
        """
        layout, size = self.layout(), self.target.number()
        top = max(self.source.number() - 1, 0)
        if layout(top) >= size:
            raise LayoutError(f"{self} by {self.alpha}: the value {layout(top)} is outside [0, {size})")
        return [layout(x) for x in range(self.source.number())]


def morphism_of(permutation: Layout | Sequence[int]) -> Morphism | Counterexample:
    """The invertible morphism of Fact whose layout function is this permutation of [0, N) (Proposition 3.15).

    Takes a layout or a table. Raises LayoutError for a layout function that is no permutation.

    >>> print(morphism_of([0, 3, 1, 4, 2, 5]))
    [2 3] -> [3 2]
    """
    layout = permutation if isinstance(permutation, Layout) else layout_of(permutation)
    if isinstance(layout, Counterexample):
        return layout
    if not is_bijection(layout):
        raise LayoutError(f"{layout} is no permutation of [0, {layout.size()})")
    primes: list[tuple[int, int]] = []
    for n, d in layout.flat():
        for p in prime_factors(n):
            primes.append((p, d))
            d *= p
    order = sorted(range(len(primes)), key=lambda i: primes[i][1])
    alpha = [0] * len(primes)
    for place, i in enumerate(order, 1):
        alpha[i] = place
    return Morphism(tuple(alpha), Factorisation(tuple([primes[i][0] for i in order])))


def ordered_factorisations(n: int) -> Iterator[Factorisation]:
    """The expressions of Fact whose number is n, in lexicographic order.

    >>> [str(e) for e in ordered_factorisations(12)]
    ['[2 2 3]', '[2 3 2]', '[3 2 2]']
    """
    if type(n) is not int or n < 1:
        raise LayoutError(f"ordered factorisations of {profile_text(n)}: give a positive integer")
    return map(Factorisation, _arranged(tuple(prime_factors(n))))


def _arranged(rising: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The distinct orders of the numbers, lexicographically."""
    if not rising:
        yield ()
    for i, first in enumerate(rising):
        if i == 0 or first != rising[i - 1]:
            for rest in _arranged(rising[:i] + rising[i + 1 :]):
                yield (first, *rest)


def layout_permutations(n: int) -> Iterator[Layout]:
    """The permutations of [0, n) that are layout functions, each once, as coalesced layouts (Remark 3.16).

    Those of fewer modes first, then by their sizes in the order of their strides.

    >>> [str(f) for f in layout_permutations(6)]
    ['6:1', '(3,2):(2,1)', '(2,3):(3,1)']
    """
    if type(n) is not int or n < 1:
        raise LayoutError(f"permutations of [0, {profile_text(n)}): give a positive integer")
    return _permutations(n)


def _permutations(n: int) -> Iterator[Layout]:
    """A coalesced layout permutes iff its sorted modes continue each other, and no two neighbours as they stand do."""
    if n == 1:
        yield made(1, 0)
    for count in range(1, len(prime_factors(n)) + 1):
        for sizes in _divided(n, count):
            strides = [prod(sizes[:i]) for i in range(count)]
            for order in _without_successions(count):
                yield assembled([(sizes[i], strides[i]) for i in order])


def _divided(n: int, count: int) -> Iterator[tuple[int, ...]]:
    """The tuples of so many numbers from 2 on whose product is n, lexicographically."""
    if count == 1:
        yield (n,)
        return
    for first in divisors(prime_factors(n))[1:-1]:
        if len(prime_factors(n // first)) >= count - 1:
            for rest in _divided(n // first, count - 1):
                yield (first, *rest)


def _without_successions(count: int, done: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The orders of range(count) in which i + 1 never follows i at once."""
    if len(done) == count:
        yield done
        return
    for i in range(count):
        if i not in done and (not done or i != done[-1] + 1):
            yield from _without_successions(count, (*done, i))


def realised(x: Factorisation | Morphism) -> Any:
    """The realisation functor R: the number N of [0, N), or the table of the function (Definition 3.14)."""
    if not isinstance(x, (Factorisation, Morphism)):
        raise LayoutError(f"realised: {x!r} is no Factorisation and no Morphism")
    return x.number() if isinstance(x, Factorisation) else x.realised()
