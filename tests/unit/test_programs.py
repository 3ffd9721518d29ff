"""Programs and rules as values; how they are proved and refuted."""

from __future__ import annotations

import copy
import pickle

import pytest
import sympy

from symview import Budget, Program, Proved, Refuted, Rule, Unknown, View, prove, tensor
from symview.logic.inequalities import Known
from symview.logic.notation import parse_statement
from symview.logic.polynomial import divided
from symview.rules.programs.at_numbers import AtNumbers, Undefined

n, m = sympy.symbols("n m", integer=True)
x = tensor("x", "(n,m)")

TEXTS = (
    "x()", "x(n)", "x(n,2*m)", "x(n,m).permute(1,0)", "x(n,m).flip(0,1)", "x(n,m).flip()", "x(n).shrink((a,b))",
    "x(n,m).pad((0,1),(a,b))", "x(n).slice((0,),(n,),(2,))", "x(n,m).slice((0,1),(n,m),(s,t))", "x(1,n).expand(m,n)",
    "x(n,m).reshape(n*m)", "x(n).concat(y(k).flip(0),0)", "x(N).read((a,b):(s,t)+(o))", "x(n).read((n):(1) [a:b])",
    "x(n).read((n):(1) [0:0])", "x(n).read(():() [empty])", "x(...,n)", "x(...s,n).pad((...a,...b),(0,1)).flip(...,-1)",
    "x(...,n).reshape(...*n).reshape(...,n)", "x(...,n,m).permute(-1,-2)", "x(...,n).slice((...a,0),(...b,n),(...c,1))",
    "x(...,1).expand(...,n)", "x(...1,n).expand(...t,n)",
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_a_program_is_its_text(text) -> None:
    program = Program.parse(text)
    assert str(program) == text
    for other in (eval(repr(program)), pickle.loads(pickle.dumps(program)), copy.deepcopy(program)):
        assert other.key() == program.key()
        assert hash(other) == hash(program)
    rule = program == program
    assert rule == eval(repr(rule)) == Rule.parse(str(rule))
    assert hash(rule) == hash(pickle.loads(pickle.dumps(rule)))


def test_entries_are_ints_names_text_or_sympy() -> None:
    views = [(n, "m"), ("n", m), "n,m", "(n,m)", ["n", sympy.Symbol("m")]]
    assert {tensor("x", shape).key() for shape in views} == {x.key()}
    assert x.pad([(n, 0), ("m", 1)]).key() == x.pad((n, 0), (m, 1)).key()
    assert x.permute([1, 0]).key() == x.permute(1, 0).key() == x.permute(-1, 0).key()
    assert x.read(View((n, m), (m, 1))).key() == x.read("(n,m):(m,1)").key()
    assert x.reshape(-1).shape == (m * n,)
    assert x.flip((0, 1)).shape == (n, m)
    assert tensor("x", (4, 6)).slice((1, 0), (4, 5), (2, 3)).shape == (2, 2)


def test_what_symbols_were_declared_as_is_kept() -> None:
    even = sympy.Symbol("n", even=True)
    rule = tensor("x", (even,)).reshape(even / 2, 2).reshape(even) == tensor("x", (even,))
    assert eval(repr(rule)) == rule
    assert prove(rule)
    assert rule != Rule.parse(str(rule))


def test_programs_are_keys() -> None:
    assert {x: 1}[x] == 1
    assert bool(x)


# Proving


def test_a_proof_says_what_it_rests_on() -> None:
    proved = prove("x(n).flip(0).flip(0) == x(n)")
    assert isinstance(proved, Proved)
    assert proved.rests_on == {"normal form"}
    assert "any rank" in prove("x(...,n).flip(-1).flip(-1) == x(...,n)").rests_on


def test_a_refutation_has_its_index() -> None:
    found = prove(x.permute(1, 0).reshape(n * m) == x.reshape(n * m))
    assert str(found) == (
        "refuted: x(n,m).permute(1,0).reshape(m*n) == x(n,m).reshape(m*n)  at n = 2, m = 2, index (1) (smallest): "
        "x[1,0] on the left, x[0,1] on the right"
    )
    assert pickle.loads(pickle.dumps(found)) == found
    padded = prove("x(n).pad((a,0)) == x(n).pad((0,a))")
    assert (padded.values, padded.index, padded.sides) == ({"n": 1, "a": 1}, (0,), ("padding", "x[0]"))
    shapes = prove("x(n).pad((a,0)) == x(n)")
    assert (shapes.index, shapes.sides) == (None, ("shape (2)", "shape (1)"))
    undefined = prove("x(n).pad((a,a)).shrink((0,n)) == x(n).shrink((a,n + a))")
    assert undefined.sides == ("shape (1)", "not defined (shrink: n + a <= n does not hold)")


def test_large_sizes_are_refuted_at_an_index() -> None:
    found = prove("x(1000,1000).permute(1,0).reshape(10**6) == x(1000,1000).reshape(10**6)".replace("10**6", "1000000"))
    assert (found.index, found.sides) == ((1,), ("x[1,0]", "x[0,1]"))
    last = prove("x(100000).pad((0,1)) == x(100000).concat(y(1),0)")
    assert (last.index, last.sides) == ((100000,), ("padding", "y[0]"))


def test_sizes_are_positive_unless_assumed_otherwise() -> None:
    claim = "x(n).expand(n).concat(y(m),0).shrink((0,1)) == x(n).shrink((0,1))"
    assert prove(claim)
    assert prove(claim, "n >= 0").values == {"n": 0, "m": 1}


def test_assumptions() -> None:
    assert prove("x(n,m).reshape(n*m).reshape(k,n) == x(n,m).reshape(k,n)", "k == m")
    assert prove("x(n).reshape(n//s,s).reshape(n) == x(n)", ["n % s == 0", "s >= 1"])
    assert prove("x(n).pad((a,b)).shrink((0,n)) == x(n)", "a == 0 or n == a + 1 and a == 0")
    assert isinstance(prove("x(n).pad((a,b)).shrink((0,n)) == x(n)", "a == 0 or a == 1"), Refuted)


def test_a_small_budget_leaves_it_open() -> None:
    hard = "x(n*B).pad((p,q)).reshape(N,B) == x(n*B).reshape(n,B).pad((p//B,q//B),(0,0))"
    found = prove(hard, ["p % B == 0"], budget=Budget(work=1000))
    assert isinstance(found, Unknown)
    assert "budget" in found.reason


def test_seeds_do_not_matter() -> None:
    claims = [
        "x(n).shrink((a,b)).shrink((c,d)) == x(n).shrink((a + c,a + d))",
        "x(n).read((a,b):(b,1)) == x(n).reshape(a,b)",
    ]
    for claim in claims:
        assert len({type(prove(claim, budget=Budget(seed=seed))) for seed in range(3)}) == 1


def test_the_smallest_refutation_of_all_alternatives() -> None:
    found = prove("x(n).flip(0) == x(n)", "n == 5 or n == 3")
    assert (found.values, found.smallest) == ({"n": 3}, True)
    computed = prove("x(n,m).permute(1,0) == x(n,m).reshape(m,n)", "n == 5 - m or n == m")
    assert (computed.values, computed.smallest) == ({"n": 2, "m": 2}, True)


def test_a_divisor_of_the_right_side_is_not_0() -> None:
    """Where something divides by 0, a program is not defined, even if that is then multiplied by 0."""
    claim = "x(n).pad((s,0)).shrink((s,s + n)) == x(n).pad((0*(n//s),0))"
    assert prove(claim).sides == ("shape (1)", "not defined (pad: s != 0 does not hold)")
    assert prove(claim, "s >= 1")


def test_a_masked_read_stays_in_bounds_at_its_corners() -> None:
    claim = "x(n).read((m):(1)+o [a:b]) == x(n).shrink((o + a,o + b)).pad((a,m - b))"
    assert prove(claim, "a < b")
    assert prove(claim).sides[0] == "shape (1)"


# Any rank


def test_dims_that_are_treated_alike_need_none_and_one() -> None:
    """Reversing all dims is right at none, and slices to nothing are equal at one."""
    assert prove("x(...,1).flip(...) == x(...,1)").values == {"...": 2}
    nothing = "x(...s,n).shrink((...a,...a),(0,n)) == y(...s,n).shrink((...a,...a),(0,n))"
    assert prove(nothing).values == {"n": 1}


def test_merged_dims_are_one_digit() -> None:
    assert prove("x(...,n,m).reshape(...*n,m).flip(0).reshape(...,n,m) == x(...,n,m).flip(...,-2)")
    assert prove("x(...,n).reshape(...*n).flip(0).reshape(...,n) == x(...,n).flip(...)").values == {"...": 1, "n": 2}


def test_the_size_of_dims_that_were_padded() -> None:
    """The block after a pad has its own size; it was once added twice."""
    assert prove("x(...,n).flip(...).pad((...a,...b),(0,0)) == x(...,n).pad((...b,...a),(0,0)).flip(...)")
    wrong = prove("x(...,n).flip(...).pad((...a,...b),(0,0)) == x(...,n).pad((...a,...b),(0,0)).flip(...)")
    assert wrong.values == {"...": 1, "n": 1, "a": 0, "b": 1}


# Parts


def test_programs_at_numbers() -> None:
    assert AtNumbers(x.permute(1, 0))({"n": 1, "m": 2}).cells() == [("x", (0, 0)), ("x", (0, 1))]
    with pytest.raises(Undefined, match="out of bounds"):
        AtNumbers(Program.parse("x(n).read((2):(n))"))({"n": 2})


def test_what_is_seen_from_coefficients() -> None:
    one = {(): 1}
    known = Known([parse_statement("n >= 1"), parse_statement("m >= 1")]).plus(
        digits={"i": {("n",): 1}, "j": {("m",): 1}}
    )
    below = {("m", "n"): 1, ("i", "m"): -1, ("j",): -1, (): -1}
    assert known.sees(below)
    assert not known.sees({**below, (): -2})
    assert known.sees({("n",): 1, ("i",): -1, (): -1})
    assert Known([parse_statement("n*m >= 1"), parse_statement("n >= 1")]).sees({("m",): 1, (): -1})
    assert not Known([parse_statement("n*n >= 1")]).sees({("n",): 1})
    assert Known([parse_statement("b >= 1"), parse_statement("p*b >= 0")]).sees({("p",): 1})
    assert Known([parse_statement("n >= 3")]).sees({("n",): 2, **{(): -6}})
    assert not Known().sees(one | {("n",): 1})


def test_division_by_the_leading_monomial() -> None:
    assert divided({("i",): 3}, {(): 2}) == ({("i",): 1}, {("i",): 1})
    assert divided({("i",): -1}, {(): 2}) == ({("i",): -1}, {("i",): 1})
    assert divided({("i", "n"): 1, ("j",): 1}, {("n",): 1, ("m",): -1})[1] == {("i", "m"): 1, ("j",): 1}
