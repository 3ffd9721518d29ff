"""An algorithm on integers that ask says at every value what it says on ints: paths are disjoint, cover, and agree."""

from itertools import product
from random import Random

from symview.cases.asker import ask_all
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.notation import parse_statement
from symview.logic.points import true_at
from symview.logic.terms import sym, value_of

NAMES = ("n", "m", "t")
FACTS = [parse_statement(f"{name} >= 1") for name in ("n", "m")]


def random_program(rng):
    """Steps that each add a value: an operation on two earlier ones, or one of two, by a comparison of two."""
    steps = []
    for count in range(len(NAMES), len(NAMES) + rng.randint(2, 5)):
        left, right = rng.randrange(count), rng.randrange(count)
        kind = rng.choice(("+", "-", "*", "number", "//", "%", "if", "if"))
        divisor = rng.choice((0, 1, rng.randint(2, 4)))  # n, m, or a number
        if kind == "number":
            steps.append((kind, rng.randint(-3, 5)))
        elif kind in ("//", "%"):
            steps.append((kind, left, divisor))
        elif kind == "if":
            claims = [(rng.choice(("==", "!=", "<", "<=", ">", ">=")), rng.randrange(count), rng.randrange(count))
                      for _ in range(rng.choice((1, 1, 2)))]  # fmt: skip
            steps.append((kind, claims, rng.choice("|&"), left, right))
        else:
            steps.append((kind, left, right))
    return steps


def compared(op, a, b):
    return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]


def run(steps, values):
    values = list(values)
    for kind, *rest in steps:
        if kind == "number":
            values.append(rest[0])
        elif kind in ("//", "%"):
            left, divisor = values[rest[0]], values[rest[1]] if rest[1] < 2 else rest[1]
            values.append(left // divisor if kind == "//" else left % divisor)
        elif kind == "if":
            claims, joined, left, right = rest
            found = [compared(op, values[a], values[b]) for op, a, b in claims]
            truth = found[0] if len(found) == 1 else found[0] | found[1] if joined == "|" else found[0] & found[1]
            values.append(values[left] if truth else values[right])
        else:
            a, b = values[rest[0]], values[rest[1]]
            values.append(a + b if kind == "+" else a - b if kind == "-" else a * b)
    return values[-1]


def test_paths_are_disjoint_and_cover_and_agree_with_ints(turns, full, least):
    grid = [dict(zip(NAMES, p, strict=True)) for p in product(range(1, 8), range(1, 6), range(-4, 6))]
    agreed = given_up = forked = 0
    for seed in turns(150):
        rng = Random(f"asker {seed}")
        steps = random_program(rng)

        def answer(ask, steps=steps):
            found = run(steps, [ask.whole(sym(name)) for name in NAMES])
            return ask.term(found)

        paths = ask_all(answer, FACTS, Budget(work=3_000_000))
        forked += len(paths) > 1
        for values in rng.sample(grid, 40):
            here = [p for p in paths if true_at(p.where, values)]
            assert len(here) == 1, (steps, values, paths)
            if isinstance(here[0].result, Undecided):
                given_up += 1
                continue
            assert value_of(here[0].result, values) == run(steps, values.values()), (steps, values, here)
            agreed += 1
    assert forked > least(40), forked
    if full:
        assert agreed > 100 * given_up, (agreed, given_up)


def test_a_joined_claim_is_one_question():
    def fits(ask):
        n, t = (ask.whole(sym(name)) for name in ("n", "t"))
        return bool((n == 1) | (t == 3 * n))

    assert [p.result for p in ask_all(fits, FACTS)] == [True, False]


def test_divisibility_that_is_learnt_is_used():
    def pieces(ask):
        n = ask.whole(sym("n"))
        return n % 4 if n % 8 == 0 else "cut"

    assert [p.result for p in ask_all(pieces, FACTS)] == [0, "cut"]
