"""Guards: conditions as Python source, and checks held against conditions."""

from __future__ import annotations

import itertools
import keyword
import re

import pytest
import sympy

from symview import (
    Budget,
    Conditions,
    Exact,
    InputError,
    NotationError,
    SymbolError,
    TooStrong,
    TooWeak,
    Undecided,
    View,
    conditions,
    dense_conditions,
    injective_conditions,
    merge,
    reshape_conditions,
)
from symview.cases import guards
from symview.cute import Layout, logical_divide_conditions, logical_product_conditions
from symview.logic.notation import parse_statement
from symview.view_notation import read_shape


def reshaped(view: str, shape: str, *assume: str) -> Conditions:
    return reshape_conditions(View.parse(view), read_shape(shape), assume=assume)


def merged(outer: str, inner: str, *assume: str, **more: object) -> Conditions:
    return conditions(View.parse(outer), View.parse(inner), assume=assume, **more)


def run(source: str, values: dict[str, int]) -> bool:
    return bool(eval(source, {"__builtins__": {"min": min, "max": max, "abs": abs}}, dict(values)))


BATCH = reshaped("(B,S,D):(t0,t1,t2)", "(B*S,D)")
WEAKEST = "B == 1 or S == 1 or t0 == S*t1"


# Python source


@pytest.mark.parametrize(
    ("found", "source"),
    [
        (BATCH, WEAKEST),
        (reshaped("(B,S,D):(t0,t1,t2)", "(B*S,D)", "B >= 2"), "S == 1 or t0 == S*t1"),
        (reshaped("(B,u,D):(S*D,D,1)", "(B*u,D)", "u <= S"), "B == 1 or u == 1 or S == u"),
        (reshaped("(u0,20,4):(80,1,20)", "(u0,80)"), "False"),
        (reshaped("(i0,192)", "(12,-1,192)"), "i0 % 12 == 0"),
        (reshaped("(a,4)", "(b,-1)", "b >= 0"), "b != 0 and 4*a % b == 0"),
        (reshaped("(n,4)", "(4*n)"), "True"),
        (merged("(10,3,3):(σ1,σ2,σ3)", "(6):(4)"), "σ1 == 3*σ2 and σ2 == 3*σ3"),
        (merged("(10,3,3):(a,b,c)", "(s):(4)", "s <= 5"), "s >= 1 and s <= 3 or s >= 4 and a == 2*b + 3*c"),
        (merged("(2,4):(match,type)", "(8)"), "match == 4*type"),
        (reshaped("(B,S//2,D):(t0,t1,t2)", "(B*(S//2),D)"), "B == 1 or S <= 3 or t0 == t1*(S//2)"),
    ],
)  # fmt: skip
def test_guards_are_python_source(found, source) -> None:
    assert found.guards() == source
    compile(source, "guard", "eval")
    assert found.compare(source) == Exact()


def small(found: Conditions, values: tuple[int, ...]) -> list[dict[str, int]]:
    """Values that the query takes."""
    names = list(found.symbols())
    points = [dict(zip(names, p, strict=True)) for p in itertools.product(values, repeat=len(names))]
    return [p for p in points if taken(found, p)]


def taken(found: Conditions, values: dict[str, int]) -> bool:
    try:
        found.holds(values)
    except InputError:
        return False
    return True


@pytest.mark.sampled
@pytest.mark.parametrize(
    "found",
    [
        reshaped("(a,b):(s,t)", "(c,-1)"),
        reshaped("(a,b):(s,t)", "(b,a)"),
        reshaped("(a,b,c):(4,s,t)", "(a*b*c)"),
        reshaped("(a,b):(s,t)", "(a*b)", "a >= 0"),
        merged("(4,3):(a,b)", "(m,n):(3,1)"),
        merged("(4,3):(a,b)", "(s*t):(2)"),
        merged("(n,3):(a,b)", "(4)"),
        # a division by what has a sign
        reshaped("(a,4):(s,b//c)", "(-1)", "c > 0"),
        reshaped("(a,4):(s,b//c)", "(-1)", "c < 0"),
        reshaped("(a,4):(s,b%c)", "(-1)", "c < 0"),
        reshaped("(2,4):(s,2*b//c)", "(-1)", "c < 0"),
        reshaped("(2,4):(s,(b//c)//2)", "(-1)", "c >= 1"),
        reshaped("(2,4):(s,b//c%d)", "(-1)", "c >= 1 and d >= 1"),
        reshaped("(2,4):(s,b//c//d)", "(-1)", "c >= 1 and d < 0"),
        # a division by what has any sign
        reshaped("(2,4):(s,b//c)", "(8)"),
        reshaped("(2,4):(s,4*b//c)", "(8)", "c != 0"),
        reshaped("(2,4):(s,b//c%d)", "(-1)", "c != 0 and d != 0"),
        # functions that Python has
        reshaped("(2,4):(s,min(a,b))", "(8)"),
        reshaped("(2,4):(s,max(1,b))", "(8)"),
        reshaped("(2,4):(s,max(a//3,b//2))", "(8)"),
        reshaped("(2,4):(s,abs(b//3))", "(8)"),
    ],
    ids=lambda found: "|".join(map(str, found.views)),
)
def test_guards_run_to_what_the_conditions_say(found) -> None:
    source, seen = found.guards(), set()
    assert not re.search(r"//(?!\d)", source)
    for values in small(found, (-3, -1, 0, 1, 2, 3, 4, 8) if len(found.symbols()) <= 4 else (-2, 1, 2, 4)):
        seen.add(found.holds(values))
        assert run(source, values) == found.holds(values), values
    assert seen == {True, False}


@pytest.mark.parametrize("name", ["in", "lambda", "is", "None", "async"])
def test_a_keyword_is_no_name(name) -> None:
    assert keyword.iskeyword(name)
    stride = sympy.Symbol(name, integer=True)
    found = conditions(View((2, 4), (stride, 1)), View((8,)))
    assert str(found) == f"{name} = 4"
    with pytest.raises(InputError, match=f"{name} is not a name in Python: rename"):
        found.guards()
    unused = conditions(View((2, 4), (stride, 1)), View((2, 4)))
    assert unused.guards() == "True"


def test_a_function_of_the_guard_is_no_name() -> None:
    """Where the guard calls it; elsewhere it is a name as others are."""
    found = injective_conditions(View.parse("(a,gcd):(s,t)"))
    assert found.holds({"a": 2, "gcd": 3, "s": 3, "t": 1})
    with pytest.raises(InputError, match="gcd is a function in this condition: rename"):
        found.guards()
    assert dense_conditions(View.parse("(2,gcd):(gcd,t)")).guards()


def test_a_name_that_python_would_change_is_refused() -> None:
    micro = reshaped("(2,4):(µ,1)", "(8)")  # Python reads U+00B5 as Greek mu, U+03BC
    with pytest.raises(InputError, match="rename"):
        micro.guards()
    assert reshaped("(2,4):(μ,1)", "(8)").guards() == "μ == 4"


@pytest.mark.parametrize(
    "found",
    [
        logical_divide_conditions(Layout.parse("(n,8,n):(12,5,6)"), 6),
        logical_product_conditions(Layout.parse("(m,m,2):(1,c,12)"), 3),
    ],
    ids=["divide", "product"],
)
def test_what_was_compared_before_gives_divisors_their_sign(found) -> None:
    """8 % (6//n) after 6 % n == 0."""
    source = found.guards()
    for values in small(found, (-2, 0, 1, 2, 3, 4, 6, 12, 24)):
        assert run(source, values) == found.holds(values), values


def test_an_open_case_has_no_guard() -> None:
    found = merged("(10,3,3):(a,b,c)", "(s):(4)", engine="smt", budget=Budget(work=1))
    with pytest.raises(Undecided):
        found.guards()
    assert found.compare("s < 3") == TooStrong({"a": 0, "b": 0, "c": 0, "s": 3}, "values")  # numbers are decided


# Comparing


@pytest.mark.parametrize(
    "guard",
    [
        WEAKEST,
        "B = 1 or S = 1 or t0 = S*t1",
        "t0 - S*t1 == 0 or S < 2 or not B >= 2",
        "(B == 1 or S == 1 or t0 == S*t1) and D >= 1",
        "not (B != 1 and S != 1 and t0 != S*t1)",
        "B != 1 and S != 1 -> t0 == S*t1",
        BATCH.formula(),
        parse_statement(WEAKEST),
    ],
)
def test_other_spellings_are_exact(guard) -> None:
    assert BATCH.compare(guard) == Exact()
    assert str(BATCH.compare(guard)).startswith("exact")


STRONG = ["t0 == S*t1", "B == 1", "S == 1 or t0 == S*t1", f"({WEAKEST}) and t2 == 1", "False"]
STRONG += [f"({WEAKEST}) and D != 5000"]  # far from the values that are tried first
WEAK = ["True", "B >= 1", f"{WEAKEST} or D == 5000", "t0 % S == 0 or B == 1", f"{WEAKEST} or t0 == t1"]


@pytest.mark.parametrize("guard", STRONG)
def test_what_is_too_strong_refuses_a_view(guard) -> None:
    verdict = BATCH.compare(guard)
    assert isinstance(verdict, TooStrong)
    assert not run(guard, verdict.values)
    assert BATCH.holds(verdict.values)
    assert isinstance(merge(*[v.with_values(verdict.values) for v in BATCH.views]), View)


@pytest.mark.parametrize("guard", WEAK)
def test_what_is_too_weak_lets_a_break_pass(guard) -> None:
    verdict = BATCH.compare(guard)
    assert isinstance(verdict, TooWeak)
    assert run(guard, verdict.values)
    assert not BATCH.holds(verdict.values)
    broken = merge(*[v.with_values(verdict.values) for v in BATCH.views])
    assert not broken
    assert verdict.index == broken.index


def test_letting_a_break_pass_weighs_more() -> None:
    assert isinstance(BATCH.compare("t0 == 0"), TooWeak)


def test_small_values_come_first() -> None:
    assert BATCH.compare("t0 == S*t1") == TooStrong({"B": 1, "S": 1, "D": 1, "t0": 0, "t1": 1, "t2": 0})
    assert BATCH.compare("B <= 2") == TooWeak({"B": 2, "S": 2, "D": 1, "t0": 0, "t1": 1, "t2": 0}, (2, 0))


def test_sizes_that_do_not_agree_have_no_index() -> None:
    found = reshaped("(a,b):(s,t)", "(c,-1)")
    verdict = found.compare("c >= 1")
    assert isinstance(verdict, TooWeak)
    assert verdict.index is None
    assert (verdict.values["a"] * verdict.values["b"]) % verdict.values["c"]
    assert "the sizes do not fit" in str(verdict)
    assert isinstance(found.compare("a*b % c == 0"), TooWeak)
    assert isinstance(found.compare("a*b % c == 0 and s == b*t"), TooStrong)


def test_out_of_bounds_is_no_view() -> None:
    found = merged("(10,3,3):(a,b,c)", "(s):(4)")
    verdict = found.compare("a == 3*b and b == 3*c")
    assert isinstance(verdict, TooWeak)
    assert (verdict.values["s"], verdict.index) == (24, (23,))
    assert merged("(10,3,3):(a,b,c)", "(s):(4)", "6 <= s < 24").compare("a == 3*b and b == 3*c") == Exact()


def test_assumptions_count() -> None:
    assert isinstance(BATCH.compare("S == 1 or t0 == S*t1"), TooStrong)
    assert reshaped("(B,S,D):(t0,t1,t2)", "(B*S,D)", "B > 1").compare("S == 1 or t0 == S*t1") == Exact()
    empty = reshaped("(B,S):(t0,t1)", "(B*S)", "B >= 0")
    assert isinstance(empty.compare("B == 1 or S == 1 or t0 == S*t1"), TooStrong)
    assert empty.compare("B == 0 or B == 1 or S == 1 or t0 == S*t1") == Exact()


def test_never_and_always_are_compared() -> None:
    never = reshaped("(u0,20,4):(80,1,20)", "(u0,80)")
    assert never.compare("u0 < 1") == Exact()
    assert never.compare("u0 == 7") == TooWeak({"u0": 7}, (0, 4))
    always = reshaped("(n,4)", "(4*n)")
    assert always.compare("n >= 1") == Exact()
    assert always.compare("n >= 2") == TooStrong({"n": 1})
    numbers = merged("(2,3)", "(6)")
    assert numbers.compare("1 == 1") == Exact()
    assert numbers.compare("1 == 2") == TooStrong({})


@pytest.mark.parametrize(
    ("guard", "error", "words"),
    [
        ("q == 1", InputError, ("guard q == 1", "unknown symbol q", "B, S, D, t0, t1, t2")),
        ("t0 = 1 and u = 2", InputError, ("unknown symbol u",)),
        ("t0", NotationError, ("expected a comparison", "^")),
        ("t0 ==", NotationError, ("^",)),
        ("", NotationError, ("the text is empty",)),
        (True, InputError, ("guard True", "comparison")),
        (None, InputError, ("guard None", "comparison")),
        (sympy.Symbol("B", integer=True) + 1, InputError, ("B + 1", "comparison")),
        (sympy.Symbol("B", positive=True) > 1, SymbolError, ("B", "different assumptions")),
    ],
)
def test_bad_guards_are_explained(guard, error, words) -> None:
    with pytest.raises(error) as raised:
        BATCH.compare(guard)
    assert all(word in str(raised.value) for word in words), str(raised.value)


def test_verdicts_are_values() -> None:
    strong, weak = BATCH.compare("t0 == S*t1"), BATCH.compare("B >= 1")
    assert eval(repr(strong), {"TooStrong": TooStrong}) == strong
    assert eval(repr(weak), {"TooWeak": TooWeak}) == weak
    assert {strong, weak, BATCH.compare("t0 == S*t1")} == {strong, weak}
    assert str(strong).startswith("sound, but too strong: it refuses B = 1, S = 1")
    assert str(weak).endswith("where the reshape breaks at index (2,0)")
    with pytest.raises(AttributeError):
        weak.index = (1,)


@pytest.mark.parametrize("open_part", [0, 1])
def test_a_guard_is_called_sound_only_if_each_part_was_decided(monkeypatch: pytest.MonkeyPatch, open_part: int) -> None:
    """6 % t2 makes two parts, by whether t2 is 0; if one of them stays open, the guard is not called sound."""
    asked: list[object] = []

    def compared(*part: object) -> object:
        asked.append(part)
        if len(asked) == open_part + 1:
            raise Undecided("the budget ran out")
        return decide(*part)

    guard, decide = "t0 == S*t1 and 6 % t2 == 0", guards._compared
    assert str(BATCH.compare(guard)).startswith("sound, but too strong: ")
    monkeypatch.setattr(guards, "_compared", compared)
    found = BATCH.compare(guard)
    assert (found.sound, str(found).split(":")[0]) == ("values", "too strong")
    assert len(asked) == 2
