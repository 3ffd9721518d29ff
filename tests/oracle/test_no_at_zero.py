"""The smallest values at which the answer is no, where divisors of the condition may be 0, against all small values.

The reference walks addresses; it knows no conditions, so no divisors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest

from oracle import brute, density_brute, overlap_brute, parametric
from oracle.density_brute import Laid
from symview import (
    Budget,
    Conditions,
    Exact,
    TooStrong,
    TooWeak,
    Undecided,
    conditions,
    injective_conditions,
    overlap_conditions,
    reshape_conditions,
)

Values = Mapping[str, int]
Size = tuple[list[int], int]
YES, NO, OUTSIDE = "yes", "no", "outside"
ANY = range(-2, 4)
BUDGET = Budget(work=20_000_000)


class Asked(NamedTuple):
    """A question about one view or two, as symview is asked it, and what is so at any values."""

    kind: str
    views: tuple[Laid, ...]
    assume: str = ""
    least: int = 1  # of the sizes

    def ask(self) -> Conditions:
        texts = [str(v) for v in self.views]
        if self.kind == "reshape":
            texts[1] = f"({','.join(map(str, self.views[1].shape))})"
        about = {
            "overlap": overlap_conditions, "merge": conditions, "reshape": reshape_conditions,
            "injective": injective_conditions,
        }[self.kind]  # fmt: skip
        return about(*texts, assume=self.assume or (), budget=BUDGET)

    def sizes(self) -> list[str]:
        """The names in sizes, in the order in which they appear."""
        return list(parametric.names_in(*(str(n) for v in self.views for n in v.shape)))

    def names(self) -> list[str]:
        others = (str(x) for v in self.views for x in (*v.strides, v.offset))
        return list(parametric.names_in(*self.sizes(), *others))

    def points(self) -> Iterator[dict[str, int]]:
        """All small values that the question is about."""
        sizes, names = self.sizes(), self.names()
        for point in product(*(range(self.least, 4) if n in sizes else ANY for n in names)):
            values = dict(zip(names, point, strict=True))
            if all(parametric.at(text, values) for text in self.assume.split(", ") if text):
                yield values

    def truth(self, values: Values) -> str | None:
        """What walking shows; None where the question makes no sense."""
        try:
            first, *rest = (v.at(values) for v in self.views)
        except ZeroDivisionError:
            return None
        if self.kind == "reshape":
            shape = parametric.new_shape(first.shape, rest[0].shape)
            if shape is None:
                return None
            return NO if parametric.reshaped(brute.V(*first[:3]), shape) is None else YES
        shapes = [n for v in (first, *rest) for n in v.shape]
        if min(shapes) < self.least:
            return None
        if self.kind == "injective":
            return YES if density_brute.injective(first) else NO
        if self.kind == "overlap":
            return YES if overlap_brute.shared(first, rest[0]) else NO
        try:
            return YES if isinstance(brute.merge(brute.V(*first[:3]), brute.V(*rest[0][:3])), brute.Merged) else NO
        except brute.OutOfBounds:
            return OUTSIDE

    def size(self, values: Values) -> Size:
        """Sizes first, in order; then the sum of the other absolute values."""
        sizes = self.sizes()
        return [values[n] for n in sizes], sum(abs(v) for n, v in values.items() if n not in sizes)


def laid(shape: tuple[Any, ...], strides: tuple[Any, ...], offset: Any = 0) -> Laid:
    return Laid(shape, strides, offset)


NINE: list[tuple[Asked, Size | None]] = [
    (Asked("overlap", (laid(("n",), ("a",)), laid((2,), ("b",), "p")), "a*b == 0"), ([1], 1)),
    (Asked("overlap", (laid(("n",), ("a",)), laid(("m",), ("b",), "p")), "a*b == 0"), ([1, 1], 1)),
    (Asked("injective", (laid(("n", 2), ("a", "b")),)), ([1], 0)),
    (Asked("injective", (laid(("n", "n+1", "n"), ("a", "b", "c")),), "n <= 3"), ([1], 0)),
    (Asked("injective", (laid(("n", "m"), ("t", 1)),)), ([2, 1], 0)),
    (Asked("overlap", (laid(("n",), ("a",)), laid(("m",), ("a",), "p"))), ([1, 1], 1)),
    (Asked("merge", (laid((4, 4), ("a", "b")), laid(("n",), ("p%m",)))), None),
    (Asked("merge", (laid((8, 4), ("a", "b")), laid(("n//m",), ("m",))), "m >= 0, n >= 1", 0), None),
    (
        Asked("reshape", (laid(("B", "H", "S"), ("a", "b", "c")), laid((-1, "S"), ())), "B >= 0, S >= 0, H >= 1", 0),
        None,
    ),
]


def check(asked: Asked, found: Conditions) -> str:
    """Compares the truth at all small values, and the smallest no, with the walks; says what was seen."""
    seen = {YES: 0, NO: 0, OUTSIDE: 0}
    least: dict[str, Size] = {}
    for values in asked.points():
        truth = asked.truth(values)
        if truth is None:
            continue
        seen[truth] += 1
        assert found.holds(values) == (truth == YES), (asked, values)
        size = asked.size(values)
        least[truth] = min(least.get(truth, size), size)
    expected = least.get(NO, least.get(OUTSIDE))
    try:
        broken = found.counterexample()
    except Undecided:
        return "undecided"
    if broken is None:
        assert expected is None, (asked, expected)
        return "always"
    truth = asked.truth(broken.values)
    assert truth == (NO if NO in least else truth) != YES, (asked, broken)
    if expected is not None:
        assert asked.size(broken.values) <= expected or not broken.smallest, (asked, broken, expected)
        if all(v in ANY for v in broken.values.values()):
            assert asked.size(broken.values) >= expected
    return "no, at 0" if 0 in broken.values.values() else "no"


@pytest.mark.sampled
@pytest.mark.parametrize(("asked", "size"), NINE, ids=lambda x: x.kind if isinstance(x, Asked) else None)
def test_nine_questions(asked, size) -> None:
    found = asked.ask()
    assert check(asked, found).startswith("no")
    if size is not None:
        broken = found.counterexample()
        assert (asked.size(broken.values), broken.smallest) == (size, True)


def check_examples(asked: Asked, found: Conditions) -> int:
    """Each is so at its values; says how many have a 0."""
    given = found.within(Budget(work=3_000_000)).examples(8)
    assert given
    for example in given:
        truth = asked.truth(example.values)
        assert example.holds == (truth == YES), (asked, example)
    return sum(0 in e.values.values() for e in given)


def passes(guard: str, values: Values) -> bool:
    try:
        return bool(eval(guard, {"abs": abs}, dict(values)))
    except ZeroDivisionError:
        return False


def check_guard(asked: Asked, found: Conditions, guard: str) -> str:
    """The values of a verdict show it; where there are none, no small values differ."""
    verdict = found.compare(guard)
    if isinstance(verdict, Exact):
        known = [v for v in asked.points() if asked.truth(v) is not None]
        assert all(passes(guard, v) == (asked.truth(v) == YES) for v in known), (asked, guard)
        return "exact"
    assert passes(guard, verdict.values) == isinstance(verdict, TooWeak), (asked, guard, verdict)
    assert (asked.truth(verdict.values) == YES) == isinstance(verdict, TooStrong), (asked, guard, verdict)
    return "too weak" if isinstance(verdict, TooWeak) else "too strong"


@pytest.mark.dear
@pytest.mark.parametrize("asked", [a for a, _ in NINE], ids=lambda a: a.kind)
def test_examples_and_guards_of_the_nine(asked) -> None:
    found = asked.ask()
    check_examples(asked, found)
    names = asked.names()
    divided = [f"{a} % {b} == 0" for a in names[-2:] for b in names[:3] if a != b]
    seen = Counter(check_guard(asked, found, g) for g in ("True", "False", *divided, f"not {divided[0]}"))
    if asked.kind != "overlap":
        seen[check_guard(asked, found, found.guards())] += 1
    assert seen["too weak"] and seen["too strong"], seen


def test_a_stride_of_0_is_an_example() -> None:
    for asked in (NINE[0][0], NINE[2][0], NINE[5][0]):
        assert check_examples(asked, asked.ask())


def lines(rng: Random) -> Asked:
    """Two progressions, whose strides may be 0."""
    first = laid(("n",), (rng.choice(("a", "a", "2*a")),))
    strides = (rng.choice(("a", "b", "b", "-a", 2)),)
    other = laid((rng.choice(("m", 2, 3, "n")),), strides, rng.choice(("p", "p", "p+1", "p-1")))
    return Asked(
        "overlap", (first, other), rng.choice(("", "a*b == 0", "a >= 0", "p >= 0") if "b" in strides else ("",))
    )


def apart(rng: Random) -> Asked:
    """A view of two dims or three, of which some share a size."""
    shape = tuple(rng.choice(("n", "n", "m", 2, "n+1")) for _ in range(rng.choice((2, 2, 3))))
    shape = tuple(shape) if "n" in shape else ("n", *shape[1:])
    return Asked("injective", (laid(shape, tuple(rng.sample(("a", "b", "a*b", 1, 2, "c"), len(shape)))),))


def merged(rng: Random) -> Asked:
    """Strides of the inner view that are quotients and remainders."""
    outer = laid((rng.choice((4, 3)), 4), ("a", "b"))
    shape, strides = rng.choice(((("n",), ("p%m",)), (("n",), ("p//m",)), ((2,), ("p%m",)), (("n//m",), ("m",))))
    return Asked("merge", (outer, laid(shape, strides)), rng.choice(("", "p >= 0")) if "p" in str(strides) else "")


def kept(rng: Random) -> Asked:
    """Reshapes with a dim that is worked out, and sizes that may be 0."""
    shape, target = rng.choice(
        ((("B", "H", "S"), (-1, "S")), (("B", "H", "S"), ("B", -1)), (("B", 2, 3), (-1, 3)), (("B", "S"), (-1, 2)))
    )
    sizes = [n for n in shape if isinstance(n, str)]
    zero = rng.sample(sizes, rng.randint(1, len(sizes)))
    assume = ", ".join(f"{n} >= {int(n not in zero)}" for n in sizes)
    return Asked("reshape", (laid(shape, ("a", "b", "c")[: len(shape)]), laid(target, ())), assume, 0)


@pytest.mark.parametrize("family", [lines, apart, merged, kept])
def test_random_questions(family, turns, full) -> None:
    rng, seen = Random(f"no at zero: {family.__name__}"), Counter()
    for _ in turns(4):
        asked = family(rng)
        found = asked.ask()
        seen[check(asked, found)] += 1
        check_examples(asked, found)
    if full:
        assert seen["no"] + seen["no, at 0"] > 1, seen
        assert seen["undecided"] < 2, seen
