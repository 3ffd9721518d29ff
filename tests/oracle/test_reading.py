"""Formulas that divide, read from left to right as Python reads them, against Python itself."""

from __future__ import annotations

from itertools import count, product
from random import Random

from symview import Budget, View, conditions
from symview.answers import TooWeak
from symview.logic.arithmetic import Outcomes, outcomes, total
from symview.logic.notation import parse_statement
from symview.logic.terms import FALSE, Term, negated, nonzero_divisors, value_of, walk

ATOMS = ("a % b == 0", "c // b == 1", "a == 0", "b == 0", "c % a == 1", "b > 1", "a*c == b", "b % (a - c) == 0")
POINTS = list(product((-1, 0, 1, 2), repeat=3))


def formula(rng: Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(ATOMS)
    if rng.random() < 0.2:
        return f"not ({formula(rng, depth - 1)})"
    parts = (f"({formula(rng, depth - 1)})" for _ in range(rng.choice((2, 2, 3))))
    return rng.choice((" and ", " or ")).join(parts)


def reads_as_true(text: str, values: dict[str, int]) -> bool:
    try:
        return bool(eval(text, {}, values))
    except ZeroDivisionError:
        return False


def without_zeros(term: Term, values: dict[str, int]) -> Term:
    """The formula where the divisors that are 0 at these values are, taken one by one."""
    while (d := next((d for d in nonzero_divisors([term]) if not value_of(d, values)), None)) is not None:

        def of_part(part: Term, d: Term = d) -> Outcomes:
            return Outcomes(FALSE, FALSE) if d in nonzero_divisors([part]) else Outcomes(part, negated(part))

        term = outcomes(term, of_part).true
    return term


def test_formulas_come_out_as_python_reads_them(turns, least) -> None:
    rng, seen = Random("readings"), [0, 0]
    for _ in turns(300):
        text = formula(rng, 3)
        term = parse_statement(text)
        defined = total(term)
        for point in rng.sample(POINTS, 6):
            values = dict(zip("abc", point, strict=True))
            expected = reads_as_true(text, values)
            seen[expected] += 1
            assert bool(value_of(without_zeros(term, values), values)) == expected, (text, values)
            if all(value_of(d, values) for d in nonzero_divisors([defined])):
                assert bool(value_of(defined, values)) == expected, (text, values)
    assert min(seen) > least(200)


def test_alternatives_that_divide_stay_few_however_many_there_are() -> None:
    """One part for each divisor that is 0, in which nothing is said twice."""
    many = parse_statement(" or ".join(f"a % x{n} == 0 or b % (x{n} + y{n}) == 1" for n in range(12)))
    zeros = count()

    def first_is_zero(part: Term) -> Outcomes:
        return Outcomes(FALSE, FALSE) if next(zeros) % 5 == 4 else Outcomes(part, negated(part))

    assert sum(1 for _ in walk(outcomes(many, first_is_zero).true)) <= sum(1 for _ in walk(many))


def test_a_guard_of_many_divisors_ends_within_its_budget() -> None:
    answer = conditions(View.parse("(a,b):(s,t)"), View.parse("(a*b):(1)"), budget=Budget(work=3_000_000))
    guard = " or ".join(f"a % ({x}) == 0" for x in ("s", "t", "s+t", "s-2*t", "b-s", "b-t", "2*s+b", "3*t-b"))
    assert isinstance(answer.compare(guard), TooWeak)
