"""Certificates of programs and of inductions, and refutations, which the checker takes instead of a solver's word."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest
from claims import claimed, claiming

from symview import prove, weakest
from symview.proof import by_induction, by_list_induction
from symview.verify import BadCertificate, Solver, verify

TRUE = [
    "x(n,m).permute(1,0).permute(1,0) == x(n,m)",
    "x(n).shrink((a,b)).shrink((c,d)) == x(n).shrink((a + c,a + d))",
    "x(n).pad((a,b)).shrink((a,a + n)) == x(n)",
    "x(n,m).reshape(n*m).reshape(n,m) == x(n,m)",
    "x(1,m).expand(n,m).flip(0) == x(1,m).expand(n,m)",
    "x(n).concat(y(m),0).flip(0) == y(m).flip(0).concat(x(n).flip(0),0)",
    "x(n).slice((0,),(n,),(2,)).slice((0,),((n + 1)//2,),(2,)) == x(n).slice((0,),(n,),(4,))",
    "t(n).read((n,m):(1,0)).permute(1,0) == t(n).read((m,n):(0,1))",
    "x(n,m).shrink((a,a+1),(0,m)).expand(k,m) == x(n,m).shrink((a,a+1),(0,m)).expand(k*1,m)",
    "x(n).shrink((a,a+1)).expand(3) == x(n).flip(0).shrink((n-a-1,n-a)).reshape(1).expand(3)",
]
FALSE = [
    "x(n,m).flip(0) == x(n,m)",
    "x(n).pad((1,0)) == x(n).pad((0,1))",
    "x(n,m).reshape(n*m) == x(n,m).permute(1,0).reshape(n*m)",
    "x(n).concat(y(m),0) == y(m).concat(x(n),0)",
    "x(n,m).permute(1,0) == x(n,m)",
    "x(n).shrink((0,a)) == x(n).shrink((0,b))",
    "x(n).slice((0,),(n,),(2,)).flip(0) == x(n).flip(0).slice((0,),(n,),(2,))",
    "x(n,m).read((n,m):(m,1)) == x(n,m).read((n,m):(m,1) [0:n,1:m])",
    "x(n).shrink((a,a+1)).expand(3) == x(n).shrink((a,a+3))",
]


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=2_000_000) as found:
        yield found


def check(certificate, solver):
    return verify(json.dumps(certificate), solver)


def confirmed(certificate, solver) -> bool:
    try:
        return check(certificate, solver).verdict == "confirmed"
    except BadCertificate:
        return False


@pytest.mark.parametrize("text", TRUE)
def test_rules_that_hold_are_confirmed(text, solver) -> None:
    found = check(prove(text).certificate(), solver)
    assert (found.verdict, found.wrong, found.open) == ("confirmed", [], [])


@pytest.mark.parametrize("text", FALSE)
def test_rules_that_are_wrong(text, solver) -> None:
    certificate = prove(text).certificate()
    found = check(certificate, solver)
    assert (found.wrong, found.open) == ([], [])
    for name, value in certificate["claim"]["values"].items():
        larger = deepcopy(certificate)
        larger["claim"]["values"][name] = value + 1
        assert not confirmed(larger, solver)
    forged = claimed("rule", {key: certificate["claim"][key] for key in ("instances", "parts")}, verdict="proved")
    assert check(forged, solver).wrong
    names = certificate["claim"]["values"]
    alike = deepcopy(certificate)
    alike["claim"] |= {"values": dict.fromkeys(names, 1), "index": None}
    assert check(alike, solver).wrong
    with pytest.raises(BadCertificate):
        check(claiming(certificate, values={}), solver)


RANKS = [
    "x(...,n,m).permute(-1,-2).flip(-1) == x(...,n,m).flip(-2).permute(-1,-2)",
    "x(...,n).flip(...,-1).flip(...) == x(...,n).flip(-1)",
    "x(...,n).flip(...).pad((...a,...b),(0,0)) == x(...,n).pad((...b,...a),(0,0)).flip(...)",
    "x(...s,n).pad((...a,...b),(0,0)).shrink((...a,...a+s),(0,n)) == x(...s,n)",
    "x(...,n).concat(y(...,m),-1).shrink((0,n)) == x(...,n)",
    "x(...,1).expand(...,n).flip(-1) == x(...,1).expand(...,n)",
    "x(...,n,m).reshape(...,n*m).reshape(...,n,m) == x(...,n,m)",
]


@pytest.mark.parametrize("text", RANKS)
def test_rules_of_any_rank_are_confirmed(text, solver) -> None:
    certificate = prove(text).certificate()
    assert [pair["more"] for pair in certificate["claim"]["instances"]] == [True]
    assert check(certificate, solver).verdict == "confirmed"


def test_dims_that_are_merged_are_named(solver) -> None:
    found = check(prove("x(...,n).reshape(...*n).reshape(...,n) == x(...,n)").certificate(), solver)
    assert found.open == ["that the statement is about these programs alone"]


ONE, JOINED = {"tensor": "y", "shape": ["s", "m"], "steps": []}, {"tensor": "x", "shape": ["s", "n"]}
NO_RANKS = {  # that hold with one dim, or with none, and not with all numbers of dims
    "with none alone": ([["flip", 0]], []),
    "nothing is left": ([["slice", 0, 0, 0, "n", 1, 1]], [["slice", 0, 0, 0, "n", 1, 1], ["flip", 1]]),
    "behind the first dim": ([["permute", 1, 0], ["permute", 1, 0]], []),
    "along the first dim": ([["concat", {**ONE, "shape": ["s", "n"]}, 0], ["slice", 0, 0, "s", "n", 1, 1]], []),
    "changed in a concat": ([["flip", 0], ["concat", {**ONE, "steps": [["flip", 0]]}, 1], ["flip", 0]],
                            [["concat", ONE, 1]]),
    "an address": ([["read", {"shape": ["s", "n"], "strides": ["n", 1], "offset": 0, "mask": None}]], []),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_RANKS)
def test_what_is_not_so_at_every_rank_is_not_confirmed(name, solver) -> None:
    certificate = prove(RANKS[0]).certificate()
    certificate["evidence"].pop("refutations", None)
    left, right = ({**JOINED, "steps": steps} for steps in NO_RANKS[name])
    sizes = [[">=", size, 1] for size in "snm"]
    certificate["claim"]["instances"] = [{"left": left, "right": right, "assume": sizes, "more": True}]
    assert not confirmed(certificate, solver)


@pytest.mark.parametrize("shape", [[], [1], ["s"]])
@pytest.mark.parametrize("step", ["permute", "flip", "flip 1", "reshape", "expand", "pad 1", "slice", ""])
def test_what_has_no_first_dim_is_no_program(step, shape, solver) -> None:
    certificate = prove(RANKS[0]).certificate()
    certificate["evidence"].pop("refutations", None)
    program = {"tensor": "x", "shape": shape, "steps": [[int(x) if x.isdigit() else x for x in step.split()]]}
    certificate["claim"]["instances"] = [{"left": program, "right": program, "assume": [], "more": True}]
    if shape and step == "flip":
        assert confirmed(certificate, solver)
        return
    with pytest.raises(BadCertificate):
        check(certificate, solver)


def test_one_tensor_has_one_shape(solver) -> None:
    certificate = prove("x(n,m).permute(1,0).permute(1,0) == x(n,m)").certificate()
    certificate["claim"]["instances"][0]["right"]["shape"] = ["m", "n"]
    assert not confirmed(certificate, solver)
    certificate["evidence"].pop("refutations", None)
    assert check(certificate, solver).wrong


def _joined(names, first):
    """x0, x1, … one after the other, from the first or from the last; each with its own size."""
    parts = [{"tensor": name, "shape": [f"n{name}"], "steps": []} for name in names]
    if first:
        return {**parts[0], "steps": [["concat", p, 0] for p in parts[1:]]}
    whole = parts.pop()
    while parts:
        whole = {**parts.pop(), "steps": [["concat", whole, 0]]}
    return whole


@pytest.mark.dear
def test_many_parts_take_few_questions(solver) -> None:
    """Three for each part; where two parts change places, or one is another tensor, the sides differ."""
    certificate = prove("x(n).concat(y(m),0) == x(n).concat(y(m),0)").certificate()
    certificate["evidence"].pop("refutations")
    names = [f"x{k}" for k in range(30)]

    def beside(left, right):
        changed = deepcopy(certificate)
        changed["claim"]["instances"] = [{"left": left, "right": right, "assume": [], "more": False}]
        return changed

    before = solver.questions
    joined = beside(_joined(names, True), _joined(names, False))
    assert check(joined, solver).settled == 3 * len(names) + 1
    assert confirmed(joined, solver)
    assert solver.questions == before
    few = names[:4]
    for other in (["x0", "x2", "x1", "x3"], ["x0", "x1", "x1", "x3"], few[:3], [*few, "x4"], few[::-1]):
        for first in (True, False):
            found = check(beside(_joined(few, True), _joined(other, first)), solver)
            assert found.wrong, other
    alike = beside(_joined(["x0", "x0", "x0"], True), _joined(["x0", "x0", "x0"], False))
    assert confirmed(alike, solver)


@pytest.mark.parametrize(
    "step", [[], ["fold"], ["permute", 0], ["flip", 7], ["pad", 1], ["read"], ["concat", {}, 0], 3]
)
def test_other_steps_are_no_program(step, solver) -> None:
    certificate = prove("x(n,m).permute(1,0).permute(1,0) == x(n,m)").certificate()
    certificate["claim"]["instances"][0]["left"]["steps"] = [step]
    with pytest.raises(BadCertificate):
        check(certificate, solver)


@pytest.mark.parametrize(
    ("claim", "given", "other"),
    [
        ("x//2//3 == x//6", "", ["==", "x", 1]),
        ("(x*c)//c == x", "c >= 1", ["==", ["//", "x", "c"], 0]),
        ("6*x != 4*y + 3", "", ["!=", ["*", 6, "x"], ["+", ["*", 4, "y"], 2]]),
        ("(x % (a*b)) % b == x % b", "a >= 1 and b >= 1", ["==", ["%", "x", "a"], ["%", "x", "b"]]),
    ],
)
def test_a_refutation_is_taken_instead_of_a_solvers_word(claim, given, other, solver) -> None:
    certificate = prove(claim, given or ()).certificate()
    assert certificate["evidence"]["refutations"]
    before = solver.questions
    assert check(certificate, solver).verdict == "confirmed"
    assert solver.questions == before
    assert not confirmed({**certificate, "claim": {**certificate["claim"], "claim": other}}, solver)
    steps = certificate["evidence"]["refutations"][0]
    assert not steps or check({**certificate, "evidence": {"refutations": [[]]}}, solver).verdict == "partly"
    for steps in ([3], [[["sum", [1, 99]]]], {}):
        with pytest.raises(BadCertificate):
            check({**certificate, "evidence": {"refutations": steps}}, solver)


def test_premises_have_refutations(solver) -> None:
    certificate = weakest("(x//a)*a <= x", "a").certificate()
    assert check(certificate, solver).verdict == "confirmed"


def test_premises_of_names_with_few_values(solver) -> None:
    """Where the statement always holds, nothing is needed; a name from 0 up to a number is looked at at its ends."""
    certificate = weakest("(x*a)//b == x*(a//b)", "a, b", ["b >= 1", "0 <= x < 2"]).certificate()
    assert certificate["claim"]["condition"] is True and confirmed(certificate, solver)
    certificate = weakest("(x*a)//b == x*(a//b)", "a, b", ["b >= 1", "0 <= x < 8"]).certificate()
    before = solver.questions
    assert confirmed(certificate, solver) and solver.questions == before
    certificate["claim"]["assume"].append(["<=", "x", 8])
    certificate["claim"]["assume"].remove(["<", "x", 8])
    del certificate["evidence"]["refutations"]
    assert check(certificate, solver).wrong


def test_inductions_are_confirmed_by_base_and_step(solver) -> None:
    folds = {"P": ("1", "P*s"), "R": ("0", "R*s + d")}
    certificate = by_list_induction("0 <= R < P", folds, each="0 <= d < s").certificate()
    assert check(certificate, solver).verdict == "confirmed"
    assert check(by_induction("f == n*d", sequences={"f": ("0", "f + d")}).certificate(), solver).verdict == "confirmed"
    changes = [("each", [["<=", 0, "d"], ["<=", "d", "s"]]), ("claim", ["<", "R", 1]), ("each", [["<=", 0, "d"]]),
               ("folds", {"P": [1, ["*", "P", "s"]], "R": [1, ["+", ["*", "R", "s"], "d"]]}),
               ("folds", {"P": [1, "P"], "R": [0, ["+", ["*", "R", "s"], "d"]]})]  # fmt: skip
    [along] = certificate["claim"]["lists"]
    for key, value in changes:
        field = {"claim": value} if key == "claim" else {"lists": [{**along, key: value}]}
        changed = {**certificate, "claim": {**certificate["claim"], **field}}
        assert not confirmed(changed, solver), key
        assert not confirmed(claiming(certificate, **field), solver), key
    for pair in ([1], ["P", 1], 3):
        with pytest.raises(BadCertificate):
            check(claiming(certificate, lists=[{**along, "folds": {"P": pair}}]), solver)


BELOW = ("0 <= R < P", {"P": ("1", "P*s"), "R": ("0", "R*s + d")}, "0 <= d < s")
POSITIVE = ("P >= 1", {"P": ("1", "P*s")}, "s >= 1")


def by_lemmas():
    below, positive = (by_list_induction(*query) for query in (BELOW, POSITIVE))
    halved = prove("(x//a)//2 == x//(a*2)", "a >= 1")
    inner = {"x": ("R", "x + d*W*P"), "W": ("1", "W*s"), "H": ("0", "H + d*W")}
    further = by_list_induction("x == R + P*H", inner, BELOW[2])
    return {
        "a list": prove("R//P == 0", by=[below]),
        "two lists whose elements have parts of the same names": prove("x//P == H", by=[below, further]),
        "two of one list": prove("R//P == 0 and P >= 1", by=[below, positive]),
        "an instance": prove("(i*n + j)//n//2 == (i*n + j)//(n*2)", "n >= 1", by=[halved]),
        "a lemma by a lemma": prove("R//P*k == 0", by=[prove("R//P == 0", by=[below])]),
    }


@pytest.mark.parametrize("name", by_lemmas())
def test_what_rests_on_lemmas_is_confirmed_with_them(name, solver) -> None:
    """Without a lemma, or one of its conditions, or with another one, it is not."""
    certificate = by_lemmas()[name].certificate()
    assert check(certificate, solver).verdict == "confirmed"
    for number in range(len(certificate["evidence"]["by"])):
        assert not confirmed(with_lemma(certificate, number, {"claim": ["==", 0, 1]}), solver)


def with_lemma(certificate, number, change):
    """One lemma with other entries; without refutations, which are of the first ones."""
    changed = deepcopy(claiming(certificate))
    changed["evidence"]["by"][number]["lemma"] |= change
    return changed


def test_each_part_of_a_lemma_counts(solver) -> None:
    certificate = by_lemmas()["a list"].certificate()
    folds = certificate["evidence"]["by"][0]["lemma"]["folds"]
    for change in ({"claim": True}, {"claim": ["<=", 0, "R"]}, {"assume": [False]}, {"each": []}, {"folds": {}},
                   {"folds": {**folds, "P": [0, "P"]}}, {"folds": {**folds, "R": [5, "R"]}}):  # fmt: skip
        assert not confirmed(with_lemma(certificate, 0, change), solver), change
    for change in ({"by": []}, {"by": [{**certificate["evidence"]["by"][0], "at": {"P": 1}}]}):
        assert not confirmed({**certificate, "evidence": change}, solver)


FOLDS = {"P": [1, ["*", "P", "s"]], "R": [0, ["+", ["*", "R", "s"], "d"]]}
FACTS = [["<=", 0, "d"], ["<", "d", "s"]]
BELOW_Q = {"claim": ["and", ["<=", 0, "R"], ["<", "R", "P"]], "assume": [], "folds": FOLDS, "each": FACTS}


@pytest.mark.parametrize(
    ("claim", "lemmas"),
    [
        (["<", "R", "s"], [BELOW_Q]),  # a part of an element in the claim
        (["<", "R", "P"], [BELOW_Q, {**BELOW_Q, "folds": {**FOLDS, "P": [2, ["*", "P", "s"]]}}]),  # another fold
        (["<", "R", "P"], [{"claim": ["==", ["*", 0, "P"], 0], "assume": [], "folds": {"Q": [0, "Q"]}, "each": []},
                           BELOW_Q]),  # P is mentioned before it is a fold
        (["<", "R", "P"], [BELOW_Q, {"claim": ["==", ["*", 0, "d"], 0], "assume": [], "folds": {"Q": [0, "Q"]},
                                     "each": []}]),  # a part of an element has the name of something fixed
    ],
)  # fmt: skip
def test_names_that_mean_two_things_are_refused(claim, lemmas, solver) -> None:
    by = [{"lemma": one, "at": {}} for one in lemmas]
    certificate = claimed("theorem", claim=claim, assume=[], by=by, verdict="proved")
    with pytest.raises(BadCertificate):
        check(certificate, solver)
