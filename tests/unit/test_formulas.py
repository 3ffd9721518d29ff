"""Printed formulas mean what they were made of, and say nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random

import pytest

from symview import View, conditions, reshape_conditions
from symview.logic.notation import joined, parse_statement, term_text
from symview.logic.terms import Term, conj, names, num, sym, value_of
from symview.show.formulas import clauses_text, where_text
from symview.views.conditions import Conditions

NAMES = ("a", "b", "n")
POINTS = [dict(zip(NAMES, p, strict=True)) for p in product(range(-1, 4), repeat=3)]
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def side(rng: Random) -> Term:
    name = sym(rng.choice(NAMES))
    return rng.choice([
        name, num(rng.randrange(-2, 4)), Term("*", (num(rng.randrange(2, 4)), name)),
        Term("+", (name, sym(rng.choice(NAMES)))), Term("%", (name, num(3))), Term("-", (name, num(2))),
    ])  # fmt: skip


def formula(rng: Random, depth: int) -> Term:
    if depth == 0 or rng.random() < 0.3:
        return Term(rng.choice(COMPARISONS), (side(rng), side(rng)))
    word = rng.choice(("and", "or", "and", "or", "not"))
    return Term(word, tuple([formula(rng, depth - 1) for _ in range(1 if word == "not" else rng.randrange(2, 4))]))


def same(text: str, meant: Term) -> bool:
    read = parse_statement(text)
    return all(bool(value_of(read, p)) == bool(value_of(meant, p)) for p in POINTS)


def test_random_formulas_are_read_back_as_they_were(turns: Callable[[int], range], least) -> None:
    rng, either = Random("formulas"), 0
    for _ in turns(60):
        parts = [formula(rng, rng.randrange(3)) for _ in range(rng.randrange(1, 4))]
        whole = conj(parts)
        either += any(p.op == "or" for p in parts) and len(parts) > 1
        shown = (joined(parts), joined(map(term_text, parts)), clauses_text(parts), where_text(whole))
        assert all(same(text, whole) for text in shown), (whole, shown)
        assert same(joined(parts, "or"), Term("or", tuple(parts)) if len(parts) > 1 else parts[0])
    assert either > least(20)


def atoms(term: Term) -> Iterator[Term]:
    """The conjunctions in a formula, and it itself."""
    yield term
    for part in term.args if term.op in ("and", "or", "not") else ():
        yield from atoms(part)


def answer_to(outer: str, inner: str, assume: str = "") -> Conditions:
    return conditions(View.parse(outer), View.parse(inner), assume=assume or ())


QUERIES: list[Callable[[], Conditions]] = [
    lambda: answer_to("(10,j):(j,1)", "(10,j):(j,1)", "j >= 0"),
    lambda: answer_to("(4,N):(a,c)", "(m):(t)", "N >= 0 and m >= 0"),
    lambda: answer_to("(10,3,3):(a,b,c)", "(m,n):(3,1)"),
    lambda: answer_to("(N,M):(a,b)", "(n):(M)"),
    lambda: answer_to("(M,4):(a,b)", "(n,2):(4,1)"),
    lambda: answer_to("(n,3*n):(a,b)", "(n*m):(2)"),
    lambda: reshape_conditions(View.parse("(B,S,D):(t0,t1,t2)"), View.parse("(B*S,D)").shape),
    lambda: reshape_conditions(View.parse("(B,u,D):(S*D,D,1)"), View.parse("(B*u,D)").shape, assume="u <= S"),
]


@pytest.mark.parametrize("ask", QUERIES)
def test_printed_conditions_say_nothing_needless(ask: Callable[[], Conditions]) -> None:
    found = ask()
    assert "True" not in str(found)
    sizes = {str(n) for view in found.views for n in view.shape}
    wheres = [case.data.where for case in found.cases] + [found.term()]
    for part in (part for where in wheres for part in atoms(where)):
        if part.op in ("and", "or"):
            assert len(set(part.args)) == len(part.args), term_text(part)
            assert not any(a.op == "bool" for a in part.args), term_text(part)
        if part.op == "and":
            assert not [p for p in product(part.args, repeat=2) if _leaves_one(*p)], term_text(part)
        if not found.assumed:
            assert not (part.op == ">=" and term_text(part.args[0]) in sizes and part.args[1] == num(1))


def _leaves_one(one: Term, other: Term) -> bool:
    """Whether one says x > b and the other x <= b + 1."""
    if (one.op, other.op) != (">", "<=") or one.args[0] != other.args[0]:
        return False
    between = Term("-", (other.args[1], one.args[1]))
    return all(value_of(between, dict.fromkeys(names(between), k)) == 1 for k in range(1, 6))
