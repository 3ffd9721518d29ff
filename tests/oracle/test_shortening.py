"""Shortened formulas beside the formulas themselves, at every small value that the facts allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from symview.cases.algebra import Algebra
from symview.cases.simplify.clauses import (
    alternatives,
    few_literals,
    in_context,
    in_few_words,
    long_parts_once,
    shortened,
    with_products,
    without_premises,
)
from symview.cases.simplify.literals import apart_at_one, by_remainders, divided_out, grouped, said, text_length
from symview.cases.zero_divisors import in_condition_at
from symview.logic.budget import DEFAULT
from symview.logic.entailment import Entailment
from symview.logic.notation import parse_expression, parse_statement
from symview.logic.points import simplified_by_ranges
from symview.logic.terms import Term, comparisons, conj, disj, nonzero_divisors, value_of

NAMES = "abc"
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
FORMS = ("a", "b", "c", "a - b", "a*b", "2*a + c", "a*b - c", "3*c - b")


def literal(rng: Random) -> Term:
    side = rng.choice(FORMS) if rng.random() < 0.2 else rng.randint(-1, 4)
    return parse_statement(f"{rng.choice(FORMS)} {rng.choice(RELATIONS)} {side}")


def literals(rng: Random, most: int) -> list[Term]:
    """Some that are about the same forms, so that there is something to say shorter."""
    pool = [literal(rng) for _ in range(rng.randint(1, 3))]
    return [rng.choice(pool) if rng.random() < 0.3 else literal(rng) for _ in range(rng.randint(1, most))]


def setting(rng: Random) -> tuple[list[Term], Entailment, Algebra]:
    facts = [parse_statement(f"{n} >= {rng.choice((0, 1, 1))}") for n in NAMES]
    facts += [literal(rng)] * (rng.random() < 0.3)
    positive = [n for n in NAMES if parse_statement(f"{n} >= 1") in facts]
    return facts, Entailment(facts, DEFAULT.started()), Algebra(positive, NAMES)


def points(facts: Sequence[Term]) -> list[dict[str, int]]:
    found = [dict(zip(NAMES, p, strict=True)) for p in product(range(-2, 6), repeat=len(NAMES))]
    return [p for p in found if all(value_of(f, p) for f in facts)]


def count(formulas: Sequence[Term]) -> int:
    return sum(1 for f in formulas for _ in comparisons(f))


def compare(facts: Sequence[Term], was: Term, now: Term) -> None:
    for point in points(facts):
        assert value_of(was, point) == value_of(now, point), (was, now, facts, point)


def test_clauses(turns) -> None:
    rng, seen = Random("few literals"), Counter()
    for _ in turns(150):
        facts, known, algebra = setting(rng)
        clauses = [disj(literals(rng, 4)) for _ in range(rng.randint(1, 4))]
        found = few_literals(clauses, known, algebra)
        compare(facts, conj(clauses), conj(found))
        assert count(found) <= count(clauses)
        seen["shorter"] += count(found) < count(clauses)
    assert seen["shorter"] > len(turns(150)) // 4, seen


def test_conjunctions(turns) -> None:
    rng, seen = Random("conjunctions"), Counter()
    for _ in turns(30):
        facts, known, algebra = setting(rng)
        parts = literals(rng, 5)
        found = shortened(parts, known, algebra)
        compare(facts, conj(parts), conj(found))
        assert count(found) <= count(parts)
        seen["shorter"] += count(found) < count(parts)
    assert seen["shorter"] > len(turns(30)) // 4, seen


def test_alternatives(turns) -> None:
    rng, seen = Random("few alternatives"), Counter()
    for _ in turns(20):
        facts, known, _ = setting(rng)
        where = disj(conj(literals(rng, 4)) for _ in range(rng.randint(2, 4)))
        found = in_context(where, known)
        compare(facts, where, found)
        assert count([found]) <= count([where])
        seen["shorter"] += count([found]) < count([where])
    assert seen["shorter"] > len(turns(20)) // 4, seen


DETERMINED = ("(2*b+1)%(2*c)", "(c*b+a)//c", "(b*c+a)%c", "(2*a+1)//2", "(b*c*2+a)%(c*2)", "(2*b+1)%(2*c)%2")
DIVIDED = ("a//2", "a%2", "(a+3)//4", "(b+1)//2", "b%3", "1%c", "1//c", "a%c", "(a+b)//c", "4*((a+3)//4)", "2*(b//2)")


def divided_literal(rng: Random) -> Term:
    """Sums and products of quotients, names and numbers, compared."""
    left, right = (
        f"{rng.choice(('', '', 'a*', 'c*'))}({rng.choice((*DIVIDED, *NAMES))}) + {rng.choice(('0', '1', *NAMES))}"
        for _ in range(2)
    )
    return parse_statement(f"{left} {rng.choice(RELATIONS)} {rng.choice((right, rng.randint(-1, 4)))}")


def with_divisions(rng: Random) -> Term:
    """A conjunction of clauses, some with an alternative that is a conjunction."""

    def one() -> Term:
        return divided_literal(rng) if rng.random() < 0.6 else literal(rng)

    clauses = [[one() if rng.random() < 0.8 else conj((one(), one())) for _ in range(rng.randint(1, 3))] for _ in "ab"]
    return conj(map(disj, clauses))


def test_few_words(turns, least) -> None:
    """Where a divisor is 0, a comparison is false, before and after."""
    rng, seen = Random("few words"), Counter()
    for _ in turns(120):
        facts = [parse_statement(f"{n} >= {rng.choice((0, 1, 1))}") for n in NAMES if rng.random() < 0.8]
        positive = [n for n in NAMES if parse_statement(f"{n} >= 1") in facts]
        known, algebra = Entailment(facts, DEFAULT.started()), Algebra(positive, NAMES)
        was = with_divisions(rng)
        now = in_few_words(was, known, algebra)
        before, after = (in_condition_at(f, NAMES) for f in (was, now))
        for point in points(facts):
            assert before(tuple(point.values())) == after(tuple(point.values())), (was, now, facts, point)
        assert text_length(now) <= text_length(was)
        seen["fewer" if now != was else "as it was"] += 1
        seen["may be 0"] += any(not known.implies(d) for d in nonzero_divisors([was]))
    assert min(seen.values()) > least(10), seen


def test_products_for_several_names_that_are_1(turns, least) -> None:
    rng, seen = Random("products"), Counter()
    for _ in turns(100):
        positive = [n for n in NAMES if rng.random() < 0.8]
        facts = [parse_statement(f"{n} >= 1") for n in positive]
        units = [parse_statement(f"{n} == 1") for n in NAMES]
        clauses = [disj((literal(rng), conj(rng.sample([*units, literal(rng)], 3)))) for _ in range(2)]
        found = with_products(conj(clauses), positive)
        compare(facts, conj(clauses), found)
        seen["fewer" if count([found]) < count(clauses) else "as they were"] += 1
    assert min(seen.values()) > least(10), seen


def test_factors_for_premises(turns, least) -> None:
    rng, seen = Random("premises"), Counter()
    for _ in turns(100):
        facts = [parse_statement(f"{n} >= {int(n != 'a' or rng.random() < 0.5)}") for n in NAMES]
        known, algebra = Entailment(facts, DEFAULT.started()), Algebra([n for n in NAMES if n != "a"], NAMES)
        b, c = rng.sample(NAMES, 2)
        n, k = rng.choice((1, 2)), rng.choice((1, 2))
        texts = [
            f"b != 1 or {n}*{b} == {k}*{c}",
            f"c == 1 or a == {k}*b",
            f"b == 1 or a == {n}*b*c",
            f"c != 1 or a == {n}",
        ]
        clauses = [parse_statement(t) for t in rng.sample(texts, rng.randint(2, 4))]
        found = without_premises(clauses, known, algebra)
        compare(facts, conj(clauses), conj(found))
        seen["fewer"] += count(found) < count(clauses)
        seen["as they were"] += found == clauses
    assert min(seen.values()) > least(10), seen


def test_a_literal_in_few_words(turns, least) -> None:
    """Each rule alone, in a context that has other divisions."""
    rng, seen = Random("a literal"), Counter()
    for _ in turns(300):
        facts = [parse_statement("a >= 0"), parse_statement("b >= 1"), parse_statement("c >= 1")]
        facts += [parse_statement("a < c")] * (rng.random() < 0.5) + [divided_literal(rng)] * (rng.random() < 0.3)
        known, algebra = Entailment(facts, DEFAULT.started()), Algebra("bc", NAMES)
        was = divided_literal(rng)
        if rng.random() < 0.5:
            was = Term(was.op, (parse_expression(rng.choice(DETERMINED)), was.args[1]))
        for rule in (said, apart_at_one, divided_out):
            now = rule(was, known, algebra)
            compare(facts, was, now)
            seen[rule.__name__] += now != was
    assert min(seen.values()) > least(10), seen


def test_products_of_quotients_by_remainders() -> None:
    """With and without sizes of 0, whatever else is multiplied."""
    texts = (
        "a*b - 6*(a//2)*(b//3)", "a*b*c - 4*(a//2)*(b//2)*c", "a*b*c - 8*(a*b//4)*(c//2)",
        "(a+1)*b - 6*((a+1)//3)*(b//2)",
        "a*b - c*c*(a//c)*(b//c)", "a*b - 5*(a//2)*(b//3)", "a*b - 6*(a//2)*(b//3) + c",
        "a*b - 7*(a//2)*(b//3)",
    )  # fmt: skip
    seen = Counter()
    for text, zero in product(texts, (False, True)):
        expression = parse_expression(text)
        facts = [parse_statement(f"{n} >= {int(n == 'c' or not zero)}") for n in NAMES]
        quotients = () if zero else ("a//2", "b//3", "b//2", "c//2", "a//c", "b//c", "(a+1)//3", "a*b//4")
        facts += [parse_statement(f"{q} >= 1") for q in quotients]
        algebra = Algebra("c" if zero else NAMES, NAMES)
        found = by_remainders(algebra.poly_of(expression), facts, DEFAULT, algebra)
        if found is None:
            seen["not seen"] += 1
            continue
        seen["told"] += 1
        for point in product(range(8), repeat=3):
            values = dict(zip(NAMES, point, strict=True))
            if values["c"] and all(value_of(f, values) for f in facts):
                result = all(any(value_of(e, values) for e in clause) for clause in found)
                assert result == (value_of(expression, values) == 0), (text, found, values)
    assert seen["told"] >= 8, seen
    assert seen["not seen"] >= 2, seen


def grouped_literal(rng: Random) -> Term:
    """A long comparison that is a product of sums and more, expanded, with quotients and remainders by one divisor."""
    d = rng.choice(("c", "2", "3", "c + 1"))
    parts = ("a", "b", f"(a // ({d}))", f"(a % ({d}))", f"((a + b) % ({d}))", f"((a + b) // ({d}))", "3", "(a*b)")

    def some(count: int) -> list[str]:
        return [f"{rng.choice((1, 1, 1, 2, -1))}*{rng.choice(parts)}" for _ in range(count)]

    sums = [f"{x}*({y})" for x, y in product(some(2), some(2))] + some(rng.randint(0, 2))
    rng.shuffle(sums)
    at = rng.randint(0, len(sums))
    left, right = (" + ".join(side) or "0" for side in (sums[:at], sums[at:]))
    return parse_statement(f"{left} {rng.choice(RELATIONS)} {right}")


def test_grouped_comparisons(turns, least) -> None:
    rng, seen = Random("grouped"), Counter[str]()
    every = [dict(zip(NAMES, p, strict=True)) for p in product(range(-4, 5), repeat=len(NAMES))]
    for _ in turns(300):
        was = grouped_literal(rng)
        now = grouped(was)
        seen["quotients" if "//" in str(now) and "%" not in str(now) and "%" in str(was) else "other"] += now != was
        assert text_length(now) <= text_length(was)
        for values in every:
            if all(value_of(d, values) for d in nonzero_divisors([was])):
                assert value_of(now, values) == value_of(was, values), (was, now, values)
    assert seen["quotients"] > least(10)
    assert seen["other"] > least(60)


def divided(rng: Random, depth: int) -> str:
    """Sums, products, quotients and remainders, by numbers of either sign and by names."""
    if not depth or rng.random() < 0.15:
        return rng.choice((*NAMES, *NAMES, str(rng.randint(-3, 9))))
    op = rng.choice(("+", "-", "*", "//", "%", "//", "%"))
    by = str(rng.choice((2, 3, 4, 8, 8, -3))) if op in ("//", "%") and rng.random() < 0.8 else divided(rng, depth - 1)
    return f"({divided(rng, depth - 1)}) {op} ({by})"


def test_what_ranges_settle(turns, least) -> None:
    rng, seen = Random("ranges"), Counter()
    for _ in turns(600):
        positive = [n for n in NAMES if rng.random() < 0.5]
        was = parse_statement(f"{divided(rng, 3)} {rng.choice(RELATIONS)} {divided(rng, rng.choice((0, 0, 2)))}")
        now = simplified_by_ranges(was, positive)
        seen["settled" if now.op == "bool" else "shorter" if now != was else "as it was"] += 1
        for point in product(*(range(1 if n in positive else -4, 10, 2) for n in NAMES)):
            values = dict(zip(NAMES, point, strict=True))
            try:
                expected = value_of(was, values)
            except ZeroDivisionError:
                continue
            assert value_of(now, values) == expected, (was, now, values)
    assert min(seen["settled"], seen["shorter"]) > least(20), seen


@pytest.mark.dear
def test_long_parts_are_stated_once(turns) -> None:
    """Equal clauses, equal literals within one, and clauses within another among them."""
    rng, seen = Random("long parts"), Counter()
    long = [parse_statement(t) for t in ("a*b + 2*c < a*c + b", "a*b*c + a <= 3*b + c", "2*a*b == c*c - a + 1")]
    for _ in turns(300):
        short = [literal(rng) for _ in range(2)]
        clauses = [disj(rng.choice(long + short) for _ in range(rng.randint(1, 4))) for _ in range(rng.randint(1, 5))]
        if rng.random() < 0.2:
            clauses.append(Term("or", (long[0], long[0], short[0])))
        found = long_parts_once(clauses)
        compare([], conj(clauses), conj(found))
        seen["fewer"] += len(found) < len(set(clauses))
        seen["equal"] += len(set(clauses)) < len(clauses)
        assert max(Counter(e for c in found for e in {*alternatives(c)} if e in long).values(), default=1) == 1
    assert min(seen[k] for k in ("fewer", "equal")) > len(turns(10)), seen
