"""False theorems through Python: what no rule built proves nothing, with and without asserts; divisors are stated."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

from symview import View, equivalent, prove
from symview.errors import Undecided
from symview.proof import by_instance, by_list_induction, by_permutation, kernel, prover
from symview.proof.prover import by_induction, by_solver
from symview.proof.verdicts import Proved
from symview.rules import TheoremFailed, theorem
from symview.rules.files import parse_rules
from symview.rules.outcomes import outcome, outcomes

FORGED = """
import copy, dataclasses, pickle
from symview import prove
from symview.errors import InputError
from symview.proof import prover as kernel
from symview.proof.statement import read
from symview.proof.verdicts import ForgedProof, Proved
from symview.rules import TheoremFailed, theorem

true, spoilt, false = prove("1 == 1"), prove("2 == 2"), read("y*y <= 10**10", (), "floor")

class Mixin:
    def __init_subclass__(cls): pass

def subclass():
    class Forged(Proved):
        def __post_init__(self, seal): pass
    return Forged(false, frozenset(), 0.0, None)

def subclass_that_hides_the_refusal():
    class Forged(Mixin, Proved):
        __slots__ = ()
        def __post_init__(self, seal): pass
    it = Forged(false, frozenset(), 0.0, None)
    return prove("y*y <= 10**10", assume="y >= 0", by=[it])

def without_a_rule():
    it = object.__new__(Proved)
    for name, value in (("claim", false), ("rests_on", frozenset()), ("seconds", 0.0), ("lists", ()), ("by", ()),
                        ("instances", ()), ("made", None)):
        object.__setattr__(it, name, value)
    return it

def forged_in_a_test():
    theorem(without_a_rule)()

class Text(str):
    def split(self, *args): return ["1", "==", "2"]

class Seven(int):
    def __str__(self): return "7"

class Duck:
    statement, claim, query, lists, rests_on, by = "1 == 2", false, false, (), frozenset(), ()

FORGERIES = [
    lambda: Proved(false, frozenset(), 0.0, None),
    lambda: kernel.by_pieces("1 == 2", (), [], frozenset(), 0.0),
    lambda: kernel.by_integer_points("1 == 2", None, lambda b: None, "z3"),
    subclass, subclass_that_hides_the_refusal, forged_in_a_test,
    lambda: dataclasses.replace(true, claim=false),
    lambda: dataclasses.replace(true, claim=false, seal=None),
    lambda: true.__setstate__([false, frozenset()]),
    lambda: spoilt.__init__(false, frozenset(), 0.0, None),
    lambda: bool(spoilt), lambda: prove("1 == 2", by=[spoilt]), lambda: theorem(lambda: spoilt)(),
    lambda: bool(without_a_rule()),
    lambda: pickle.dumps(without_a_rule()),
    lambda: kernel.by_instance(Duck(), {}),
    lambda: kernel.by_instance(without_a_rule(), {}),
    lambda: prove("y*y <= 10**10", assume="y >= 0", by=[Duck()]),
    lambda: prove("y*y <= 10**10", assume="y >= 0", by=[without_a_rule()]),
    lambda: kernel.by_solver("1 == 2"),
    lambda: kernel.by_induction("n >= 7", start=Seven(0)),
    lambda: kernel.by_list_induction("0 == 0", {"z; 1 == 2 where y": ("0", "0")}, each="d == d"),
]
for forge in FORGERIES:
    try:
        print("FORGED", forge())
    except (ForgedProof, InputError, TheoremFailed, TypeError, ValueError, AttributeError, kernel.NotProved) as error:
        print(type(error).__name__)
changed = pickle.loads(pickle.dumps(true).replace(b"1 == 1", b"1 == 2"))
print(type(changed).__name__, prove(Text("1 == 1")).statement, len(FORGERIES))
"""


@pytest.mark.parametrize("flags", [[], ["-O"]])
def test_no_forgery_proves_anything(flags):
    run = subprocess.run(
        [sys.executable, *flags, "-c", FORGED], capture_output=True, text=True, check=True, timeout=100
    )
    *refused, last = run.stdout.splitlines()
    assert last == "Refuted 1 == 1 22"
    assert len(refused) == 22
    assert not [line for line in refused if line.startswith("FORGED")]


BELOW = (by_list_induction, ("0 <= R < P", {"P": ("1", "P*s"), "R": ("0", "R*s + d")}, "0 <= d < s"))
BUILT = {
    "statement": lambda: prove("(x//a)//b == x//(a*b)", "a >= 1, b >= 1"),
    "of a width": lambda: prove("x + 0 == x", bits="u8"),
    "trunc": lambda: by_solver("-(x//2) == (-x)//2", division="trunc"),
    "induction": lambda: by_induction("f == n*d", sequences={"f": ("0", "f + d")}),
    "list": lambda: BELOW[0](*BELOW[1]),
    "permutation": lambda: by_permutation({"P": ("1", "P*s")}),
    "instance": lambda: by_instance(prove("(x//a)//2 == x//(a*2)", "a >= 1"), {"x": "i*n + j", "a": "n"}),
    "lemma": lambda: prove("R//P == 0", by=[BELOW[0](*BELOW[1])]),
    "rule": lambda: prove("x(...,n).flip(-1).flip(-1) == x(...,n)"),
    "chains": lambda: equivalent([View((2, 3), (3, 1)), View((6,))], View((6,))),
}  # fmt: skip


@pytest.mark.parametrize("name", BUILT)
def test_a_theorem_is_copied_as_itself_and_unpickled_by_its_rule(name):
    proved = BUILT[name]()
    assert isinstance(proved, Proved)
    assert copy.copy(proved) is copy.deepcopy(proved) is proved
    again = pickle.loads(pickle.dumps(proved))
    assert again == proved
    assert again is not proved
    theorem(lambda: again, allow=["8-bit unsigned", "isl"])()


def test_every_function_that_returns_a_theorem_is_a_rule():
    """Each of them reads its statement itself: no text stands beside what was proved."""
    rules = {n for n, f in vars(prover).items() if callable(f) and getattr(f, "__module__", "") == prover.__name__
             and "Proved" in str(f.__annotations__.get("return", "")) and not n.startswith("_")}  # fmt: skip
    assert rules == {"by_solver", "by_induction", "by_list_induction", "by_permutation", "by_instance"}
    rules = {
        n
        for n, f in vars(kernel).items()
        if callable(f)
        and getattr(f, "__module__", "") == kernel.__name__
        and "Proved" in str(getattr(f, "__annotations__", {}).get("return", ""))
        and not n.startswith("_")
    }
    assert rules == {"theorem", "by_refutation", "carried_on", "in_any_order", "instance"}


def test_what_other_processes_prove_is_told_without_being_proved_again():
    text = "".join(f'[[rule]]\nname = "{n}"\nclaim = "x % {n} < {n}"\n' for n in range(2, 8))
    found = list(outcomes(parse_rules(text), jobs=2))
    assert [(one.answer, one.problem, one.scope, one.verdict) for one in found] == [
        ("proved", "", "all values", None)
    ] * 6
    assert outcome(parse_rules(text)[0]).verdict


# Divisors that nothing shows to be other than 0

UNSTATED = {
    "x//a*a + x%a == x": "a != 0",
    "x << k == x*2**k": "k >= 0",
    "x % (y//z) == x % (y//z)": "y//z != 0, z != 0",
}


@pytest.mark.parametrize("claim", UNSTATED)
def test_a_divisor_that_may_be_0_has_to_be_stated_everywhere(claim):
    missing = UNSTATED[claim]
    found = prove(claim)
    assert isinstance(found, Proved)
    assert found.assumptions == tuple(missing.split(", "))
    assert str(found).startswith(f"proved if {missing.replace(', ', ' and ')}, which has to be assumed: ")
    with pytest.raises(Undecided, match="state it, assume="):
        bool(found)
    with pytest.raises(TheoremFailed, match="state it, assume="):
        theorem(lambda: claim)()
    with pytest.raises(TheoremFailed, match="state it, assume="):
        theorem(lambda: found)()
    file = f'[[rule]]\nname = "r"\nclaim = "{claim}"\n'
    assert "state it, assume=" in outcome(parse_rules(file)[0]).problem
    assert prove(claim, assume=missing)
    theorem(lambda: (claim, missing))()
    assert outcome(parse_rules(f'{file}assume = "{missing}"\n')[0]).is_met
    stated = prove(claim, assume=missing.split(", "))
    assert found.certificate()["claim"] == stated.certificate()["claim"]


def test_a_divisor_of_an_assumption_about_programs_has_to_be_stated():
    rule = "x(2*m).shrink((2*a,2)).flip(0) == x(2*m).flip(0).shrink((2*a,2))"
    found = prove(rule, "n % a == 0")
    assert found.assumptions == ("n % a == 0", "a != 0")
    assert found.certificate()["claim"]["instances"][0]["assume"].count(["!=", "a", 0]) == 1
    with pytest.raises(Undecided, match="state it, assume='a != 0'"):
        bool(found)
    assert prove(rule, ["n % a == 0", "a != 0"])


def test_a_lemma_with_a_divisor_that_is_not_stated_is_an_instance_where_it_is():
    noted = prove("x % m % m == x % m")
    assert not noted.rests_on.isdisjoint({"divisor m != 0 assumed"})
    assert prove("k % n % n == k % n", "n < 0", by=[noted])
