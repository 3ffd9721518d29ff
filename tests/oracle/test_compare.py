"""Guards held against the condition, and the forms in which the condition is given: all say what brute force says."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from math import prod
from random import Random

import pytest
import sympy
import z3
from satellites import needs
from scripts import z3_answers

from oracle import parametric
from oracle.parametric import Pair, Reshape, at, broken_at, compiled, merged, opened
from oracle.reshape_patterns import PATTERNS
from symview import (
    Budget,
    Conditions,
    Exact,
    InputError,
    NotSupported,
    TooStrong,
    TooWeak,
    Undecided,
    View,
    conditions,
    floor_sum,
    reshape_conditions,
)
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import conj
from symview.view_notation import read_shape

Question = Reshape | Pair
ELEMENTS = 3000

SIZES = (
    ("(10,3,3):(σ1,σ2,σ3)", "(s):(4)"), ("(4,3,2):(a,b,c)", "(n):(3)+1"), ("(8,6):(a,b)", "(n,m):(6,1)+2"),
    ("(6,4):(4,1)", "(n):(3)"), ("(6,4):(a,a)", "(2*n,2):(2,1)"), ("(5,3):(a,b)", "(n,n):(3,1)"),
)  # fmt: skip
PAIRS = (
    ("(M,N):(a,b)", "(M,N):(N,1)"), ("(M,N):(a,b)", "(n):(1)"), ("(M,N):(a,b)", "(N,M):(1,N)"),
    ("(4*m,4*n):(a,b)", "(m,4,n,4):(16*n,4*n,4,1)"), ("(M,3):(a,b)", "(n):(3)"),
)  # fmt: skip
STRIDES = (("(4,3):(a,b)", "(2,2):(t,u)+o"), ("(4,3):(a,b)", "(3):(t)+o"), ("(2,3,2):(a,b,c)", "(2,2):(t,1)+o"))


def pairs(texts) -> list[Pair]:
    return [Pair(opened(outer), opened(inner)) for outer, inner in texts]


def reshapes() -> list[Reshape]:
    return [p.reshape() for p in PATTERNS if p.reshape().sizes()]


@lru_cache(maxsize=1024)
def ask(question: Question, budget: Budget | None = None) -> Conditions:
    if isinstance(question, Pair):
        outer, inner = View.parse(str(question.outer)), View.parse(str(question.inner))
        return conditions(outer, inner, assume=question.assume, budget=budget)
    shape = read_shape(f"({','.join(question.shape)})")
    return reshape_conditions(View.parse(str(question.view)), shape, assume=question.assume)


def random_reshapes(rng: Random, count: range) -> Iterator[Reshape]:
    """Reshapes whose element counts can agree."""
    for _ in count:
        question = parametric.reshape(rng)
        try:
            ask(question)
        except InputError:
            continue
        yield question


def merges(question: Question, values) -> bool:
    views = question.views(values)
    return views is not None and merged(*views) is not None


def samples(rng: Random, question: Question, count: int) -> Iterator[dict[str, int]]:
    """Admissible values of all names, many of which merge."""
    view = question.outer if isinstance(question, Pair) else question.view
    free = [n for n in question.names() if n not in question.sizes() and n not in view.names()]
    found = 0
    for _ in range(40 * count):
        top = rng.choice((2, 3, 4, 4, 6, 25))
        sizes = {n: rng.randint(1, top) for n in question.sizes()} | {n: rng.randint(-2, 6) for n in free}
        if len(sizes) > 1 and rng.random() < 0.2:
            one, other = rng.sample(sorted(sizes), 2)
            sizes[one] = sizes[other]
        if rng.random() < 0.05 and any(">= 0" in text for text in question.assume):
            sizes[rng.choice(question.sizes())] = 0
        try:
            if prod(max(n, 1) for n in (at(text, sizes) for text in shape_texts(question))) > ELEMENTS:
                continue
        except NameError:  # a name of the strides in an assumption is not a name of a shape
            continue
        given = list(parametric.stride_choices(rng, view, sizes, 8))[rng.randrange(8)]
        if question.admits(given):
            found += 1
            yield given
        if found == count:
            return


def shape_texts(question: Question) -> tuple[str, ...]:
    return question.inner.shape if isinstance(question, Pair) else question.view.shape


def replay(question: Question, guard, verdict) -> str:
    """Whether what is said of the guard is true of the walk; which it was. `guard` tells its truth at values."""
    if isinstance(verdict, Exact):
        return "exact"
    values = dict(verdict.values)
    assert set(values) == set(question.names())
    assert question.admits(values), (question, verdict)
    if isinstance(verdict, TooStrong):
        assert not guard(values), (question, verdict)
        assert merges(question, values), (question, verdict)
        return "too strong"
    assert isinstance(verdict, TooWeak)
    assert guard(values), (question, verdict)
    assert not merges(question, values), (question, verdict)
    views = question.views(values)
    if views is None:
        assert verdict.index is None, (question, verdict)
    else:
        assert verdict.index is not None
        assert broken_at(*views, verdict.index), (question, verdict)
    return "too weak"


def compared(rng: Random, question: Question, answer: Conditions, guard, truth, tries: int) -> str:
    """The verdict, replayed, and refuted by no sample."""
    verdict = answer.compare(guard)
    said = replay(question, truth, verdict)
    for values in samples(rng, question, tries) if said == "exact" else ():
        assert bool(truth(values)) == merges(question, values), (question, guard, values)
    return said


def text_truth(guard: str):
    return lambda values: at(guard, values)


# Guards that are known


def test_the_known_answers_are_exact(step, full) -> None:
    rng, seen = Random("known answers"), Counter()
    for pattern in PATTERNS[:: step(2)]:
        question = pattern.reshape()
        if pattern.answer is None or not question.sizes():
            continue
        answer = ask(question)
        if not set(parametric.names_in(pattern.answer)) <= set(question.names()) | {"True", "False"}:
            continue
        assert compared(rng, question, answer, pattern.answer, text_truth(pattern.answer), 5) == "exact", pattern
        seen["exact"] += 1
    assert seen["exact"] > 40 or not full


@pytest.mark.parametrize("texts", [SIZES, PAIRS, STRIDES], ids=["sizes", "pairs", "strides"])
def test_the_formula_itself_is_exact(texts) -> None:
    rng = Random("itself")
    for question in pairs(texts):
        answer = ask(question)
        formula = answer.formula()
        assert compared(rng, question, answer, formula, compiled(formula), 10) == "exact", question
        guards = answer.guards()
        assert compared(rng, question, answer, guards, text_truth(guards), 10) == "exact", question


def test_the_formula_of_a_reshape_is_exact(turns) -> None:
    rng, seen = Random("itself again"), 0
    for question in [*reshapes()[::7], *random_reshapes(rng, turns(10))]:
        if not question.sizes():
            continue
        answer = ask(question)
        formula, guards = answer.formula(), answer.guards()
        assert compared(rng, question, answer, formula, compiled(formula), 5) == "exact"
        assert compared(rng, question, answer, guards, text_truth(guards), 5) == "exact"
        seen += 1
    assert seen > 18


def test_a_formula_without_one_clause_is_too_weak(step, full) -> None:
    rng, seen = Random("one clause less"), Counter()
    for question in reshapes()[:: step(2)]:
        answer = ask(question)
        for n in range(len(answer.clauses)):
            rest = conj(answer.clauses[:n] + answer.clauses[n + 1 :])
            guard = to_text(rest) if len(answer.clauses) > 1 else "True"
            seen[compared(rng, question, answer, guard, text_truth(guard), 0)] += 1
    assert set(seen) == {"too weak"}
    assert seen["too weak"] > 40 or not full


def test_a_formula_with_something_more_is_too_strong(turns, full) -> None:
    rng, seen = Random("something more"), Counter()
    for _ in turns(25):
        question = rng.choice(reshapes())
        answer = ask(question)
        atom = random_atom(rng, question)
        guard = f"({answer.guards()}) and {atom}"
        said = compared(rng, question, answer, guard, text_truth(guard), 20)
        assert said != "too weak"
        seen[said] += 1
    if full:
        assert seen["too strong"] > 15, seen


# Random guards


def random_atom(rng: Random, question: Question) -> str:
    sizes = list(question.sizes())
    others = [n for n in question.names() if n not in sizes] or sizes
    a, b, s, t = rng.choice(sizes), rng.choice(sizes), rng.choice(others), rng.choice(others)
    return rng.choice((
        f"{a} == 1", f"{a} != 1", f"{a} == {b}", f"{a} > 1", f"{a} <= {rng.randint(1, 9)}", f"{s} == {a}*{t}",
        f"{s} == {a}*{b}*{t}", f"{s} != {t}", f"{s} == 0", f"{a} % 2 == 0", f"{a}*{b} > 4", f"{s} >= {t}",
    ))  # fmt: skip


def own_atoms(answer: Conditions) -> list[str]:
    """The comparisons of the condition itself."""
    formula = answer.formula()
    atoms = formula.atoms(sympy.core.relational.Relational)
    return [f"({to_text(atom)})" for atom in sorted(atoms, key=str)] or ["True"]


def random_guard(rng: Random, question: Question, atoms: list[str]) -> str:
    """Two to four atoms, the condition's own or others, joined at random."""
    parts = [rng.choice(atoms) if rng.random() < 0.75 else random_atom(rng, question) for _ in range(rng.randint(2, 4))]
    text = parts[0]
    for part in parts[1:]:
        text = f"({text} {rng.choice(('and', 'or', 'or'))} {'not ' if rng.random() < 0.15 else ''}{part})"
    return text


def test_random_guards_are_judged_as_the_walk_judges_them(turns, full) -> None:
    rng, seen = Random("random guards"), Counter()
    questions = [*reshapes(), *pairs(SIZES)]
    for _ in turns(30):
        question = rng.choice(questions)
        answer = ask(question)
        guard = random_guard(rng, question, own_atoms(answer))
        try:
            seen[compared(rng, question, answer, guard, text_truth(guard), 60)] += 1
        except Undecided:
            seen["undecided"] += 1
    assert seen["undecided"] < 4, seen
    if full:
        assert min(seen["too strong"], seen["too weak"]) > 8, seen
        assert seen["exact"] > 2, seen


# Worked examples

FLATTEN = Reshape(opened("(B,S,D):(t0,t1,t2)"), ("B*S", "D"))
SEVEN = ("B != 1", "S != 1", "D != 1", "t0 == S*t1", "t1 == D*t2", "t2 == 1", "B*S*D != 0")


def test_the_seven_guards_of_pytorch() -> None:
    """pytorch#153198: all together refuse much for nothing; with the equation alone left, still B = 1 and S = 1."""
    rng, answer = Random("seven"), ask(FLATTEN)

    def said(guard: str) -> str:
        return compared(rng, FLATTEN, answer, guard, text_truth(guard), 200)

    assert said(" and ".join(SEVEN)) == "too strong"
    for n, guard in enumerate(SEVEN):
        rest = " and ".join(SEVEN[:n] + SEVEN[n + 1 :])
        assert said(rest) == ("too weak" if guard == "t0 == S*t1" else "too strong")
    assert said("t0 == S*t1") == "too strong"
    assert said("B == 1 or t0 == S*t1") == said("S == 1 or t0 == S*t1") == "too strong"
    assert said("B == 1 or S == 1 or t0 == S*t1") == "exact"
    assert said("B*S*D == 0 or B == 1 or S == 1 or t0 == S*t1") == "exact"
    assert said("(B == 1 or S == 1 or t0 == S*t1) and D >= 1") == "exact"
    assert said("B == 1 or S == 1 or t0 >= S*t1") == "too weak"
    assert said("True") == "too weak"
    assert said("False") == "too strong"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("{} or t0 == 1000003 and t1 == 77 and B == 2 and S == 2", "too weak"), ("{} and t0 != 987654", "too strong"),
        ("{} or B == 300 and S % 7 == 3 and t0 > 10**9", "too weak"), ("{} and B*S <= 10**9", "too strong"),
        ("{} or S*t1 > t0 + 10**6", "too weak"), ("{} and not (B == 1 and S == 12345)", "too strong"),
        ("{} and (t1 % 2 == 0 or t1 % 2 == 1)", "exact"),
    ],
)  # fmt: skip
def test_what_is_different_only_far_away_is_found(more, expected) -> None:
    answer, guard = ask(FLATTEN), more.format("(B == 1 or S == 1 or t0 == S*t1)").replace("10**9", "1000000000")
    guard = guard.replace("10**6", "1000000")
    verdict = answer.compare(guard)
    if expected == "exact":
        assert verdict == Exact()
        return
    values = dict(verdict.values)
    assert at(guard, values) is (expected == "too weak")
    right = values["B"] == 1 or values["S"] == 1 or values["t0"] == values["S"] * values["t1"]
    assert isinstance(verdict, TooWeak if expected == "too weak" else TooStrong)
    assert right == (expected == "too strong")
    if expected == "too weak":
        i, d = verdict.index
        rows = [(n // values["S"]) * values["t0"] + n % values["S"] * values["t1"] for n in (i, 1)]
        assert rows[0] != i * rows[1]
        assert 0 <= i < values["B"] * values["S"]
        assert 0 <= d < values["D"]


def test_assumptions_count() -> None:
    question = FLATTEN._replace(assume=("B != 1", "S > 1"))
    answer, guard = ask(question), "t0 == S*t1"
    assert compared(Random(1), question, answer, guard, text_truth(guard), 100) == "exact"
    b, s, t0, t1 = sympy.symbols("B S t0 t1", integer=True)
    assert answer.compare(sympy.Eq(t0, s * t1)) == Exact()
    assert isinstance(answer.compare(sympy.And(sympy.Eq(t0, s * t1), b > 2)), TooStrong)


def test_a_guard_that_is_true_out_of_bounds_is_too_weak() -> None:
    for outer, inner, guard in (
        ("(6,4):(4,1)", "(n):(3)", "True"), ("(6,4):(4,1)", "(n):(3)", "n <= 9"),
        ("(6,4):(4,1)", "(n,m):(4,1)", "m <= 4"), ("(4,3):(3,1)", "(2,2):(t,1)", "t <= 11"),
        ("(4,3):(3,1)", "(2,2):(t,1)", "t >= 0"),
    ):  # fmt: skip
        question = Pair(opened(outer), opened(inner))
        verdict = ask(question).compare(guard)
        assert replay(question, text_truth(guard), verdict) == "too weak"
        views = question.views(verdict.values)
        assert not parametric.is_inside(views[0].shape, views[1])


def test_a_guard_that_lets_other_element_counts_pass_is_too_weak() -> None:
    question = Reshape(opened("(a,b):(t0,t1)"), ("a", "c"))
    answer = ask(question)
    for guard in ("True", "b >= c", "b % c == 0"):
        verdict = answer.compare(guard)
        assert replay(question, text_truth(guard), verdict) == "too weak"
        assert verdict.index is None
    assert answer.compare("c == b") == Exact()


def test_what_is_no_guard_is_refused() -> None:
    answer = ask(FLATTEN)
    for guard in ("Q == 1", "B + 1", "B ==", 7, None, sympy.Symbol("B", integer=True)):
        with pytest.raises(InputError):
            answer.compare(guard)


# The forms of one condition


ALLOWED = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.Mod, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Name, ast.Load, ast.Constant,
)  # fmt: skip


def check_source(guards: str, names) -> None:
    """A Python expression of comparisons, not, and, or, %, *, +, - over names and integers, or sums of quotients."""
    assert isinstance(guards, str)
    for node in ast.walk(ast.parse(guards, mode="eval")):
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "floor_sum"
        assert called or isinstance(node, ALLOWED), guards
        if isinstance(node, ast.Name):
            assert node.id in names or node.id == "floor_sum", guards
        if isinstance(node, ast.Constant):
            assert type(node.value) in (int, bool), guards


def z3_says(formula, values) -> bool:
    put = [(z3.Int(name), z3.IntVal(value)) for name, value in values.items()]
    found = z3.simplify(z3.substitute(formula, *put))
    assert z3.is_true(found) or z3.is_false(found), found
    return z3.is_true(found)


def agree(rng: Random, question: Question, tries: int) -> Counter:
    answer, seen = ask(question), Counter()
    guards, formula, in_z3 = answer.guards(), compiled(answer.formula()), told_to_z3(answer)
    check_source(guards, question.names())
    for values in samples(rng, question, tries):
        right = merges(question, values)
        assert eval(guards, {"floor_sum": floor_sum}, dict(values)) == right, (question, guards, values)
        assert formula(values) == right, (question, values)
        assert answer.holds(values) == right, (question, values)
        assert in_z3 is None or z3_says(in_z3, values) == right, (question, values)
        seen[right] += 1
    return seen


def told_to_z3(answer: Conditions) -> z3.BoolRef | None:
    """None for a sum of quotients, which has no words there."""
    if "floor_sum" not in str(answer):
        return answer.to_z3()
    with pytest.raises(NotSupported, match="floor_sum"):
        answer.to_z3()
    return None


def test_the_forms_agree_on_reshapes(turns) -> None:
    rng, seen = Random("forms"), Counter()
    for question in [*reshapes()[::2], *random_reshapes(rng, turns(20))]:
        seen.update(agree(rng, question, 15))
    assert min(seen[True], seen[False]) > 300, seen


@pytest.mark.parametrize("texts", [SIZES, PAIRS, STRIDES], ids=["sizes", "pairs", "strides"])
def test_the_forms_agree_on_pairs(texts, effort) -> None:
    rng, seen = Random("forms of pairs"), Counter()
    for question in pairs(texts):
        seen.update(agree(rng, question, 60 * effort))
    assert min(seen[True], seen[False]) > 15, seen


def test_the_forms_agree_on_random_pairs(turns, full) -> None:
    """An undecided case leaves no formula, no guards and nothing for Z3."""
    rng, seen = Random("forms of random pairs"), Counter()
    for n in turns(8):
        if n % 3 == 0:
            question = parametric.open_strides(rng)
        elif n % 3 == 1:
            question = parametric.moved(rng)
        else:
            found = parametric.open_sizes(rng, ("n",))
            outer = parametric.Open(tuple(map(str, found.shape)), tuple(f"σ{k}" for k in range(len(found.shape))))
            question = Pair(outer, found.inner)
        answer = ask(question, Budget(work=1_000_000))
        if any(case.status == "undecided" for case in answer.cases):
            for form in (answer.formula, answer.guards, answer.to_z3):
                with pytest.raises(Undecided):
                    form()
            seen["undecided"] += 1
        else:
            seen.update(agree(rng, question, 30))
    if full:
        assert min(seen[True], seen[False]) > 60, seen


@needs("verify")
@pytest.mark.parametrize("kind", ["reshapes", "sizes", "pairs", "strides"])
def test_every_question_of_the_script_is_answered_unsat(kind, step, effort) -> None:
    seen = Counter()
    asking = {"reshapes": reshapes(), "sizes": pairs(SIZES), "pairs": pairs(PAIRS), "strides": pairs(STRIDES)}
    for question in asking[kind][:: step({"reshapes": 8, "strides": 2}.get(kind, 1))]:
        answer = ask(question).within(Budget().started().at_most(300_000 * effort))
        seen.update(z3_answers(answer.to_smt2(), 500_000, seeds=1))
    assert not seen["sat"]
    assert seen["unsat"] > 2
    assert seen["unknown"] <= seen["unsat"] // 5, seen
