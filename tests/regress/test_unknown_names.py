"""A name that is not in a question is an error that says the nearest one, wherever names are taken."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import sympy
from command import typed
from satellites import there

from symview import (
    InputError,
    axis_info,
    bijective,
    bounds,
    conditions,
    index_map,
    injective,
    least_guards,
    overlap_conditions,
    prove,
    reshape_conditions,
    simplify_index,
    weakest,
)
from symview.proof import by_induction, by_instance, by_list_induction
from symview.rules.files import parse_rules
from symview.rules.outcomes import outcome
from symview.rules.theorems import TheoremFailed, theorem

IN_B = "unknown symbol bb, did you mean b"
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "prove": (lambda: prove("x % b < b", "b >= 1, bb >= 1"), f"assumption bb >= 1: {IN_B}. This statement has x, b"),
    "prove, sympy": (lambda: prove("x % b < b", sympy.Symbol("bb", integer=True) >= 1), IN_B),
    "prove, two assumptions tied to each other alone": (
        lambda: prove("x >= x", ["c == 4*d", "d > 0"]),
        "symbol c; this",
    ),
    "prove, in a width": (lambda: prove("x + b == b + x", "bb > 0", bits=8), IN_B),
    "prove, a rule of programs": (lambda: prove("x(b).flip(0).flip(0) == x(b)", "bb > 2"), IN_B),
    "prove, any rank": (lambda: prove("x(...,b).flip(-1).flip(-1) == x(...,b)", "bb > 2"), IN_B),
    "weakest": (lambda: weakest("x % b < b", "b", "bb >= 1"), IN_B),
    "weakest, a rule of programs": (lambda: weakest("x(b,c).reshape(c,b) == x(b,c)", "b", "bb > 2"), IN_B),
    "weakest, about": (lambda: weakest("x % b < b", "bb"), f"about='bb': {IN_B}"),
    "weakest, values": (lambda: weakest("x % b < b", "b").holds({"bb": 1}), IN_B),
    "induction": (lambda: by_induction("n*b >= n", given="b >= 1 and bb >= 1"), IN_B),
    "list induction": (
        lambda: by_list_induction("P > 0", {"P": ("b", "P*s")}, "s >= 1", "b >= 1 and bb >= 1"),
        f"{IN_B}. This",
    ),
    "instance": (lambda: by_instance(prove("(b//2)//2 == b//4"), {"bb": "y"}), IN_B),
    "simplify_index": (lambda: simplify_index("b//4", "bb >= 0"), IN_B),
    "bounds": (lambda: bounds("b//4", {"bb": 16}), "range of bb: unknown index bb, did you mean b.*; b has no range"),
    "bounds, assume": (lambda: bounds("b//4", {"b": 16}, "bb > 3"), IN_B),
    "injective": (lambda: injective(["b//4", "c"], {"b": 16, "bb": 3}), "bb, did you mean b? .*; c has no range"),
    "bijective, onto": (lambda: bijective("b", {"b": "n"}, "nn"), "onto nn: unknown symbol nn, did you mean n"),
    "axis_info": (lambda: axis_info("p*64 + b", "bb", 64), "unknown index bb, did you mean b.*; p and b have no range"),
    "axis_info, assume": (lambda: axis_info("p*64 + b", "b", 64, assume="bb > 0"), IN_B),
    "index_map": (lambda: index_map("(x//4, x % 4)", "y: 0..16"), "unknown index y; this map has x; x has no range"),
    "index_map, assume": (lambda: index_map("i*b + j", "i: n, j: b", "b >= 1, bb >= 1"), IN_B),
    "conditions": (lambda: conditions("(10,3):(a,b)", "(s):(4)", assume="bb > 1"), IN_B),
    "reshape": (lambda: reshape_conditions("(b,c):(d,e)", "(b*c)", assume="bb > 1"), IN_B),
    "overlap": (lambda: overlap_conditions("(b):(2)", "(b):(2)+c", assume="bb > 1"), IN_B),
    "values": (lambda: reshape_conditions("(b,c):(d,e)", "(b*c)").holds({"bb": 1}), IN_B),
    "a guard": (lambda: reshape_conditions("(b,c):(d,e)", "(b*c)").compare("bb == 1"), IN_B),
    "least_guards, given": (lambda: least_guards("b > 1", "b > 2", given="bb == 3"), IN_B),
    "least_guards, assume": (lambda: least_guards("b > 1", "b > 2", assume="b < 9, bb < 4"), IN_B),
}
if there("plans"):
    from symview import plan

    REFUSED["plan"] = (lambda: plan("q(b,S).reshape(b*S)", assume="bb > 1"), IN_B)


@pytest.mark.parametrize("case", REFUSED)
def test_an_unknown_name_is_refused(case: str) -> None:
    call, message = REFUSED[case]
    with pytest.raises(InputError, match=message.replace("b? ", "b[?] ")):
        call()


def test_assumptions_may_be_tied_to_a_statement_by_others() -> None:
    assert prove("n % 4 == 0", "n == 4*k")
    assert prove("n % 4 == 0", ["n == 4*k*j", "k == m + 1", "m >= 0"])
    assert prove("x(n).flip(0).flip(0) == x(n)", "n == 4*k and k >= 1")
    assert bounds("x//4", {"x": "n"}, "n <= k and k == 8").high == 1
    assert simplify_index("x % n", "0 <= x < k and k <= n").expression == "x"
    below = by_list_induction("0 <= R < P", {"P": ("k", "P*s"), "R": ("0", "R*s + d")}, "0 <= d < s", "k >= 1")
    assert prove("R//P == 0", "k >= 1", by=[below])


def test_a_range_of_a_further_index_is_right_where_every_name_has_one() -> None:
    ranges = {"i": 4, "j": 3}
    assert bounds("i*2", ranges).high == 6
    assert axis_info("i*2", "j", 3, {"i": 4}).constancy == 3
    assert index_map("i", "i: 4, j: 3").values == {"i": 0, "j": 0, "i_2": 0, "j_2": 1}
    assert index_map("i*m + j", "i: n, j: m", "m >= 1")


def test_a_statement_without_names_takes_any_assumption() -> None:
    assert prove("0 == 1", "x > 2").values == {"x": 3}


def run(*args: str, stdin: str = "") -> tuple[int, str]:
    found = typed(args, stdin)
    return found.exit_code, found.output


COMMANDS = [
    ("prove", "x % b < b", "--assume", "bb >= 1"),
    ("weakest", "x % b < b", "--about", "b", "--assume", "bb >= 1"),
    ("index-map", "i*b + j", "i: n, j: b", "--assume", "bb >= 1"),
    *([("plan", "q(b,S).reshape(b*S)", "--assume", "bb > 1")] if there("plans") else []),
    ("conditions", "(10,3):(a,b)", "(s):(4)", "--at", "bb=4"),
    ("overlap", "(b):(2)", "(b):(2)+c", "--at", "bb=4"),
    ("compose", "(6,b):(1,c)", "(3,2):(2,3)", "--at", "bb=4"),
    ("compose", "(6,b):(1,c)", "(3,2):(2,3)", "--assume", "bb > 4"),
    ("banks", "32:b", "--at", "b=3", "--at", "bb=4"),
    ("footprint", "(4,2):(b,1)", "--at", "b=4", "--at", "bb=4"),
    ("linear", "(2,2):(b,c)", "(2,2):(c,d)", "--at", "b=1", "--at", "bb=4"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_on_the_command_line(command: tuple[str, ...]) -> None:
    code, output = run(*command)
    assert code == 2
    assert "unknown symbol bb, did you mean b?" in output


def test_values_of_one_of_two_layouts() -> None:
    assert run("linear", "(2,2):(s,t)", "(2,2):(u,t)", "--at", "s=3", "--at", "t=1", "--at", "u=3") == (
        0, "the same function\n",
    )  # fmt: skip


def test_in_a_batch() -> None:
    asked = {"command": "prove", "statement": ["x % b < b"], "assume": ["bb >= 1"]}
    _, output = run("batch", stdin=json.dumps(asked))
    assert IN_B in output


def test_in_a_theorem() -> None:
    with pytest.raises(TheoremFailed, match=IN_B):
        theorem(lambda: ("x % b < b", "b >= 1 and bb >= 1"))()


HEAD = 'assume = {}\n[[rule]]\nname = "a"\nclaim = "x % b < b"\n[[rule]]\nname = "b"\nclaim = "x + y == y + x"\n'


def test_an_assumption_at_the_head_of_a_file_holds_for_the_rules_that_it_concerns() -> None:
    first, second = parse_rules(HEAD.format('"b >= 1, y >= 1"'))
    assert (first.assume, second.assume) == (("b >= 1",), ("y >= 1",))
    assert outcome(first).is_met
    assert outcome(second).is_met
    with pytest.raises(
        InputError, match=r"rules:1: assumption bb >= 1: unknown symbol bb, did you mean b[?] This file"
    ):
        parse_rules(HEAD.format('["b >= 1", "bb >= 1"]'))


def test_an_assumption_of_a_rule_of_a_file() -> None:
    (rule,) = parse_rules('[[rule]]\nname = "a"\nclaim = "x % b < b"\nassume = "b >= 1 and bb >= 1"')
    found = outcome(rule)
    assert (found.answer, IN_B in found.problem) == ("invalid", True)


@pytest.mark.parametrize("entry", ["at = { x = 0, bb = 1 }", 'about = "b"\npremise = "bb > 0"'])
def test_what_a_rule_of_a_file_expects(entry: str) -> None:
    (rule,) = parse_rules(f'[[rule]]\nname = "a"\nclaim = "x % b < b"\nassume = "b != 0"\nexpect = "refuted"\n{entry}')
    found = outcome(rule)
    assert (found.answer, IN_B in found.problem) == ("invalid", True)
