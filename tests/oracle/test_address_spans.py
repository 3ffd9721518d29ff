"""Least and greatest address, and whether all addresses fit, by visiting every index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest

from symview import InputError, View, span, span_conditions
from symview.answers import Exact
from symview.logic.terms import Term, value_of

NAMES = {
    "size": ("n", "m", "2*n"),
    "stride": ("s", "t", "-s", "n", "n*m", "2*t", "s*t", "1 - s"),
    "offset": ("o", "n*s", "3*m"),
}
WORKED = {  # view: least, greatest, storage, extent
    "(3,4):(8,2)": (0, 22, 23, 23),
    "(3,4):(-4,1)+8": (0, 11, 12, 12),
    "(4,4):(5,-5)+15": (0, 30, 31, 31),
    "(3,4):(0,1)": (0, 3, 4, 4),
    "(0,4):(4,1)": (None, None, 0, 0),
    "(1,1):(9,-9)+5": (5, 5, 6, 1),
    "(6,6):(6,1) [1:5,2:4]": (8, 27, 28, 20),
    "(2,3,4):(-12,4,-1)+15": (0, 23, 24, 24),
}


def entry(rng: Random, kind: str, share: float, low: int, high: int) -> str:
    return rng.choice(NAMES[kind]) if rng.random() < share else str(rng.randint(low, high))


def view_text(rng: Random, share: float) -> str:
    shape = [entry(rng, "size", share, 0 if rng.random() < 0.1 else 1, 4) for _ in range(rng.randint(0, 3))]
    strides = ",".join(entry(rng, "stride", share, -6, 6) for _ in shape)
    text = f"({','.join(shape)}):({strides})+({entry(rng, 'offset', share, -3, 9)})"
    return f"{text} [{','.join(bounds(rng, size) for size in shape)}]" if shape and rng.random() < 0.3 else text


def bounds(rng: Random, size: str) -> str:
    if not size.isdigit():
        return f"{rng.choice('001mp')}:{rng.choice((size, 'q'))}"
    low = rng.randint(0, int(size))
    return f"{low}:{rng.randint(low, int(size))}"


def addresses(view: View) -> list[int]:
    inside = () if view.is_void() else product(*[range(low, high) for low, high in view.bounds()])
    return [view.offset + sum(i * t for i, t in zip(at, view.strides, strict=True)) for at in inside]


def partial_sums(view: View) -> Iterator[int]:
    """The sums of some products index * stride, at all valid indices."""
    for at in () if view.is_void() else product(*[range(low, high) for low, high in view.bounds()]):
        terms = [i * t for i, t in zip(at, view.strides, strict=True)]
        for count in range(len(terms) + 1):
            yield from map(sum, combinations(terms, count))


@pytest.mark.parametrize("text", WORKED)
def test_worked_examples(text: str) -> None:
    found = span(text)
    assert (found.least, found.greatest, found.storage, found.extent) == WORKED[text]
    assert found.empty is (found.least is None)


def test_numbers(turns) -> None:
    seen = Counter()
    for turn in turns(1500):
        rng = Random(f"span {turn}")
        view = View.parse(view_text(rng, 0))
        found, all_of_them = span(view), addresses(view)
        assert (found.least, found.greatest) == (min(all_of_them, default=None), max(all_of_them, default=None)), view
        size = rng.randint(0, 40)
        fits = span_conditions(view, size)
        assert fits.holds({}) == all(0 <= x < size for x in all_of_them), (view, size)
        outside = fits.counterexample()
        if outside is None:
            seen["fits"] += 1
        else:
            seen["out"] += 1
            assert view.at(outside.index) == outside.got
            assert not 0 <= outside.got < size
    assert min(seen["fits"], seen["out"]) > 0


def test_no_partial_sum_leaves_a_width(turns) -> None:
    """Of a view with a mask too: sums of some products count the index 0 of the others, which the mask may exclude."""
    seen = Counter()
    for turn in turns(600):
        view = View.parse(view_text(Random(f"width {turn}"), 0))
        holds = span_conditions(view, bits=5, relative=True).holds({})
        assert holds == all(-16 <= x < 16 for x in partial_sums(view)), view
        seen[holds] += 1
    assert min(seen[True], seen[False]) > 0


def test_names(turns) -> None:
    """At small values of the names: the ends, and each condition, by its clauses and by its cases."""
    seen = Counter()
    for turn in turns(240):
        rng = Random(f"names {turn}")
        text, storage = view_text(rng, 0.6), rng.choice(("N", "n*m", "20", "n*s + N"))
        try:
            found, fits = span(text), span_conditions(text, storage)
        except InputError:  # the mask has no values
            continue
        view, names = View.parse(text), dict.fromkeys((*fits.symbols(), *"N"))
        for _ in range(30):
            values = {n: rng.randint(1, 4) if n in "nm" else rng.randint(-3, 30 if n == "N" else 4) for n in names}
            values = {n: v for n, v in values.items() if n in fits.symbols()}
            try:
                numbers = view.with_values({n: v for n, v in values.items() if n in view.symbols()})
            except InputError:  # the mask has other values
                continue
            reached = addresses(numbers)
            size = View.parse(f"():()+({storage})").offset
            size = size if isinstance(size, int) else size.at(values)
            holds = all(0 <= x < size for x in reached)
            assert fits.holds(values) == holds, (text, storage, values)
            assert all(value_of(c, values) for c in fits.clauses or ()) == holds, (text, storage, values)
            seen[holds] += 1
            if reached:
                ends = [x if isinstance(x, int) else x.at(values) for x in (found.least, found.greatest)]
                assert ends == [min(reached), max(reached)], (text, values)
            elif isinstance(found.empty, Term):
                assert value_of(found.empty, values), (text, values)
    assert min(seen[True], seen[False]) > 0


@pytest.mark.parametrize(
    ("text", "asked", "headline"),
    [
        ("(4,n):(-n,1)+3*n", {"storage": "N"}, "4*n ≤ N"),
        ("(n):(-1)+n-1", {"storage": "N"}, "n ≤ N"),
        ("(a,b):(s,t)+o", {"storage": "N", "assume": "s >= 0 and t >= 0 and o >= 0"}, "o + (a - 1)*s + (b - 1)*t < N"),
        ("(B,S,D):(t0,D,1)", {"bits": 32, "assume": "t0 >= 0"}, "(B - 1)*t0 + D*S ≤ 2147483648"),
        ("(a,b):(s,t)", {"storage": "N"}, "(a - 1)*s + (b - 1)*t < N and (a = 1 or s ≥ 0) and (b = 1 or t ≥ 0)"),
        ("(3):(-s)", {"storage": "N"}, "s ≤ 0 and -2*s < N"),
        ("(2):(a*b)", {"storage": "N"}, "0 ≤ a*b < N"),
        ("(4,C):(H*W,1)", {"storage": "N"}, "H*W ≥ 0 and C + 3*H*W ≤ N"),
        ("(M,N):(ld,1)", {"storage": "M*ld"}, "(M = 1 or ld ≥ 0) and N ≤ ld"),
        ("(B,H,S,D):(H*S*D,S*D,D,1)", {"storage": "B*S*D*H"}, "always"),
        ("(3,4):(1073741824,-1073741824) [2:3,3:4]", {"bits": 32}, "always"),
        ("(3,4):(1073741824,-1073741824) [2:3,3:4]", {"bits": 32, "relative": True}, "never"),
    ],
)
def test_conditions_as_a_person_writes_them(text: str, asked: dict, headline: str) -> None:
    assert span_conditions(text, **asked).headline() == headline


def test_minima_and_maxima_are_the_condition() -> None:
    low, high = ("o + min(0, (a - 1)*s) + min(0, (b - 1)*t)", "o + max(0, (a - 1)*s) + max(0, (b - 1)*t)")
    assert isinstance(span_conditions("(a,b):(s,t)+o", "N").compare(f"0 <= {low} and {high} < N"), Exact)


def test_unsigned_integers_hold_what_is_not_negative() -> None:
    for text in ("(a,3):(s,1)+o", "(a,2):(s,-3)+o"):
        condition = span_conditions(text, bits="u4", assume="a >= 0")
        for a, s, o in product(range(5), range(-5, 6), range(-3, 18)):
            last = 1 if "-3" in text else 2
            found = [o + i * s + j * (-3 if last == 1 else 1) for i in range(a) for j in range(last + 1)]
            assert condition.holds({"a": a, "s": s, "o": o}) is all(0 <= x < 16 for x in found), (text, a, s, o)
    assert "4 unsigned bits" in str(condition.question)


@pytest.mark.parametrize("asked", [{}, {"storage": 3, "bits": 4}, {"bits": 0}, {"storage": "2,3"}, {"bits": "u"}])
def test_a_question_without_one_range_is_an_error(asked: dict) -> None:
    with pytest.raises(InputError):
        span_conditions("(3):(1)", **asked)
