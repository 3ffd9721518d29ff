"""The parts that proofs stand on, against plain integers: definitions, added facts, random statements."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import islice, product

import pytest

from symview.errors import InputError
from symview.logic.divisions import Formula, remove_divisions
from symview.logic.nonlinear import _sign_fact, breaks_sign, closure, decide, watched_products
from symview.logic.notation import parse_expression, parse_statement
from symview.logic.points import by_size, compiled
from symview.logic.polynomial import as_linear, label, linear_formula, minus, plus, poly_of, quotient, times, value
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import TRUE, Term, conj, divide, names, num, sym, value_of
from symview.logic.z3_door import Sat, Unsat
from symview.proof import prove
from symview.proof.prover import NotProved, by_induction, by_list_induction, by_permutation
from symview.proof.search import Search
from symview.proof.statement import read
from symview.proof.verdicts import Proved, Refuted, Unknown

DIVISIONS = ("floor", "trunc", "euclid")


@pytest.mark.parametrize("division", DIVISIONS)
def test_the_definition_of_a_quotient_fixes_it(division):
    formula = Formula(parse_statement("x//y == x//y"), division)
    (definition,) = remove_divisions([formula], ["x", "y"]).definitions
    for x, y in product(range(-9, 10), range(-5, 6)):
        fits = [q for q in range(-12, 13) if value_of(definition.fact, {"x": x, "y": y, definition.name: q})]
        assert fits == ([divide(x, y, division)[0]] if y else [])


@pytest.mark.parametrize("division", DIVISIONS)
@pytest.mark.parametrize("y", [-3, -1, 1, 2, 4])
def test_the_definition_for_a_constant_divisor_fixes_it(division, y):
    formula = Formula(Term("==", (Term("//", (sym("x"), num(y))), sym("q"))), division)
    removed = remove_divisions([formula], ["x", "q"])
    (name,) = [d.name for d in removed.definitions] or [""]
    whole = conj((*removed.formulas, *removed.facts()))
    for x in range(-9, 10):
        box = product(range(-12, 13), range(-12, 13) if name else [0])
        fits = {q for q, n in box if value_of(whole, {"x": x, "q": q, name: n})}
        assert fits == {divide(x, y, division)[0]}


@pytest.mark.parametrize("text", ["min(x, y) == 0", "max(x, y) == 0", "abs(x - y) == 0", "min(x, y, 1) == 0"])
def test_the_definition_of_a_choice_fixes_it(text):
    formula = Formula(parse_statement(text), "floor")
    (definition,) = remove_divisions([formula], ["x", "y"]).definitions
    for x, y in product(range(-4, 5), repeat=2):
        fits = [v for v in range(-9, 10) if value_of(definition.fact, {"x": x, "y": y, definition.name: v})]
        assert fits == [value_of(formula.term.args[0], {"x": x, "y": y})]


def test_equal_divisions_share_a_quotient():
    formulas = read("(a+b)*c//d == (c*a + b*c) % d", "d > 0", "floor").formulas()
    assert len(remove_divisions(formulas, "abcd").definitions) == 1


def random_poly(rng):
    text = rng.choice(["a", "b", "c", "a*b", "a - b", "a*c - 2", "3 - b", "a*b - c + 1", "a + b*c", "7", "2*a - c"])
    return poly_of(parse_expression(text))


def test_added_facts_hold_for_integers_and_fail_in_the_model_that_asked_for_them():
    rng, broken = random.Random(1), 0
    for _ in range(400):
        p, q = random_poly(rng), random_poly(rng)
        monomials = closure(m for m in (*p, *q, *times(p, q)) if m)
        model = {m: rng.randint(-4, 4) for m in monomials}
        if not breaks_sign((p, q, times(p, q)), model):
            continue
        broken += 1
        fact = _sign_fact(p, q, model)
        assert not value_of(fact, {label(m): v for m, v in model.items()})
        for _ in range(20):
            at = {n: rng.randint(-5, 5) for n in "abc"}
            true = {label(m): value_of(parse_expression("*".join(m)), at) for m in monomials}
            assert value_of(fact, true)
    assert broken > 100


def test_the_linear_form_of_a_formula_agrees_with_it():
    rng = random.Random(2)
    relations = [
        "a*b < c",
        "a*(b - c) >= 2*b",
        "a*a == b + 6",
        "a*b != c*c",
        "not (a <= b*c)",
        "a > b <-> b*c > a",
    ]
    for text in relations:
        formula = parse_statement(text)
        linear = linear_formula(formula)
        for _ in range(100):
            at = {n: rng.randint(-5, 5) for n in "abc"}
            true = {n: value_of(parse_expression(n.replace("·", "*")), at) for n in names(linear)}
            assert bool(value_of(linear, true)) == bool(value_of(formula, at))


def test_quotient_and_rest_make_the_polynomial():
    rng = random.Random(3)
    for _ in range(200):
        p, w = random_poly(rng), random_poly(rng)
        exact = times(p, w)
        assert quotient(exact, w) == p or len(max(w)) == 0
        rest = minus(exact, times(quotient(exact, w), w))
        at = {m: rng.randint(-4, 4) for m in exact}
        assert value(plus(rest, times(quotient(exact, w), w)), at | dict.fromkeys(rest, 0)) == value(exact, at)
    assert to_text(as_linear({("a", "b"): 2, (): -1})) == "2*a·b - 1"


def test_pairs_only_multiply_to_known_monomials():
    forms = [poly_of(parse_expression("x - q*y*c - r")), poly_of(parse_expression("x - p*c"))]
    monomials = closure(m for f in forms for m in f)
    watched = watched_products(forms, monomials)
    pairs = [(p, q) for p, q, _ in watched]
    assert ({("q", "y"): 1, ("p",): -1}, {("c",): 1}) in pairs or (
        {("p",): 1, ("q", "y"): -1},
        {("c",): 1},
    ) in pairs
    assert all(both == times(p, q) and {*both} <= {*monomials, ()} for p, q, both in watched)


def test_points_come_by_size_and_once():
    points = list(islice(by_size([(None, None), (1, None), (-2, 3)]), 300))
    sizes = [sum(map(abs, p)) for p in points]
    assert sizes == sorted(sizes)
    assert len(set(points)) == 300
    complete = {p for p in product(range(-6, 7), range(1, 7), range(-2, 4)) if sum(map(abs, p)) <= 4}
    assert complete <= set(points)
    assert len(list(by_size([(-2, 2), (0, 3)]))) == 20
    assert list(by_size([(3, 2)])) == []
    assert list(by_size([])) == [()]


def test_finished_only_when_every_point_was_seen():
    assert Search(read("x < 9", "0 <= x and x < 5", "floor")).up_to(5).finished
    assert not Search(read("x < 9", "0 <= x and x < 5", "floor")).up_to(4).finished
    assert not Search(read("x < 9000", "0 <= x", "floor")).up_to(500).finished


def random_term(rng, depth):
    if depth == 0 or rng.random() < 0.2:
        return sym(rng.choice("abc")) if rng.random() < 0.7 else num(rng.randint(-3, 4))
    op = rng.choice(["+", "-", "*", "//", "%", "neg", "min", "max", "abs", "//", "%"])
    arity = 1 if op in ("neg", "abs") else 2
    return Term(op, tuple(random_term(rng, depth - 1) for _ in range(arity)))


def random_statement(rng):
    relation = rng.choice(["==", "!=", "<", "<=", ">", ">="])
    basic = Term(relation, (random_term(rng, rng.choice([1, 2])), random_term(rng, 1)))
    match rng.randrange(5):
        case 0:
            return Term("not", (basic,))
        case 1:
            return Term(rng.choice(["->", "<->", "or", "and"]), (basic, random_statement(rng)))
    return basic


def _true_at(formula, values, division):
    try:
        return bool(value_of(formula, values, division))
    except ZeroDivisionError:
        return None


def rewritten(rng, term):
    """The same value, spelled otherwise."""
    if term.op in ("int", "sym"):
        return term
    a, *rest = (rewritten(rng, t) for t in term.args)
    if term.op == "%" and rng.random() < 0.7:
        return Term("-", (a, Term("*", (Term("//", (a, rest[0])), rest[0]))))
    if term.op == "abs":
        return Term("max", (a, Term("neg", (a,))))
    if term.op == "min":
        return Term("neg", (Term("max", (Term("neg", (a,)), Term("neg", (rest[0],)))),))
    if term.op in ("+", "*") and rng.random() < 0.7:
        return Term(term.op, (*rest, a))
    return Term(term.op, (a, *rest))


def random_query(rng):
    """A claim and an assumption: unrelated, or about the same two values, spelled otherwise."""
    if rng.random() < 0.5:
        return random_statement(rng), random_statement(rng) if rng.random() < 0.5 else TRUE
    sides = random_term(rng, 2), random_term(rng, 1)
    claimed, assumed = (rng.choice(["==", "!=", "<", "<=", ">", ">="]) for _ in range(2))
    return Term(claimed, sides), Term(assumed, tuple(rewritten(rng, side) for side in sides))


@pytest.mark.parametrize("division", DIVISIONS)
def test_random_statements_agree_with_all_small_values(division, turns, full):
    """What is proved holds at all small points where it is defined; what is refuted is false there."""
    rng, seen = random.Random(f"statements {division}"), []
    box = [dict(zip("abc", point, strict=True)) for point in product(range(-3, 4), repeat=3)]
    for _ in turns(40):
        claim, given = random_query(rng)
        allowed = [p for p in box if _allowed(claim, given, p, division)]
        try:
            # Mostly without search: the solver's own answers are what is tested here.
            verdict = prove(claim, given, division, budget=None if rng.random() < 0.2 else _no_search())
        except InputError:
            assert allowed == []
            continue
        seen.append(type(verdict))
        if isinstance(verdict, Refuted):
            assert _true_at(given, verdict.values, division) is True
            assert _true_at(claim, verdict.values, division) is False
        if isinstance(verdict, Proved):
            assert all(_true_at(claim, p, division) for p in allowed), str(verdict)
    assert seen.count(Unknown) <= 3
    if full:
        assert seen.count(Proved) >= 4
        assert seen.count(Refuted) >= 12


@pytest.mark.parametrize("division", DIVISIONS)
def test_respelled_terms_are_proved_equal(division, turns):
    rng, seen = random.Random(f"respelled {division}"), []
    while len(seen) < len(turns(30)):
        term = random_term(rng, 2)
        with suppress(InputError):  # a divisor that is always 0
            verdict = prove(Term("==", (term, rewritten(rng, term))), (), division, budget=_no_search())
            seen.append(type(verdict))
    assert seen.count(Refuted) == 0
    assert seen.count(Proved) >= len(seen) - 2


def _no_search():
    from symview.logic.budget import Budget

    return Budget(points=1, work=6_000_000)


def _allowed(claim, given, values, division):
    defined = _defined(claim, values, division) and _defined(given, values, division)
    return defined and _true_at(given, values, division)


def _defined(formula, values, division):
    try:
        Formula(formula, division).holds(values)
        return True
    except ZeroDivisionError:
        return False


@pytest.mark.parametrize("division", DIVISIONS)
def test_compiled_terms_mean_what_value_of_says(division):
    rng = random.Random(5)
    for _ in range(300):
        term = random_statement(rng)
        fast = compiled(term, "abc", division)
        values = {n: rng.randint(-9, 9) for n in "abc"}
        expected = _true_at(term, values, division)
        try:
            found = bool(fast([values[n] for n in "abc"]))
        except ZeroDivisionError:
            assert expected is None
        else:  # the fast one may stop early, and then not meet a divisor that is 0
            assert expected in (found, None)


def test_a_divisor_that_is_0_counts_wherever_it_stands():
    for one, other in (("y != 0", "x//y == x//y"), ("x//y == x//y", "y != 0")):
        verdict = prove(f"{one} and {other}")
        assert verdict.assumptions == ("y != 0",)
        assert any("y != 0" in note for note in verdict.rests_on)
    for given in ("y == 0 or x//y == 3", "x//y == 3 or y == 0"):
        assert prove("y != 0", given).assumptions == (given, "y != 0")


@pytest.mark.parametrize("claim", ["0//(n-3) == 0 and n <= 2", "n <= 2 or 0//(n-3) == 1", "n < 3 and 5 % (n-3) <= 5"])
def test_no_induction_past_a_divisor_that_is_0(claim):
    with pytest.raises(NotProved, match="induction"):
        by_induction(claim)


DIGITS = "s >= 1 and 0 <= d < s"  # sizes and digits of a number, the fast side first
PLACES = {"P": ("1", "P*s"), "R": ("0", "R + d*P")}
UNRAVELLED = {"P": ("1", "P*s"), "y": ("x", "y//s"), "R": ("0", "R + (y % s)*P")}

NO_LIST_THEOREMS = [
    # what is wrong with it, claim, folds, each, given, the premise that fails and why
    ("a digit as large as its size", "P >= 1 and 0 <= R < P", PLACES, "s >= 1 and 0 <= d <= s", (), "step"),
    ("a size of 0", "P >= 1 and x == y*P + R and 0 <= R < P", UNRAVELLED, "s >= 0", (), "step: divisor s != 0"),
    ("a size of 0 alone", "x == y*P + R", UNRAVELLED, (), (), "step: divisor s != 0"),
    ("a fold that drifts", "P == Q", {"P": ("1", "P*s"), "Q": ("1", "Q*s + 1")}, "s >= 1", (), "step: s = 1"),
    ("a fold that starts elsewhere", "P == Q", {"P": ("1", "P*s"), "Q": ("2", "Q*s")}, "s >= 1", (), "base"),
    ("true at first alone", "n == 0", {"n": ("0", "n + 1")}, (), (), "step: n = 0"),
    ("wrong from the fifth element on", "n < 5", {"n": ("0", "n + 1")}, (), (), "step: n = 4"),
    ("true, and too weak to carry on", "R < P", PLACES, DIGITS, (), "step"),
    ("each not used by the base", "x > 0", {"x": ("a", "x + s")}, "s > 0 and a*s > 0", (), "base"),
    ("the element taken to be constant", "R == d*n", {"n": ("0", "n + 1"), "R": ("0", "R + e")}, (), (), "step"),
    ("folds after the element, not before", "R == n*n", {"n": ("0", "n + 1"), "R": ("0", "R + n + n")}, (), (), "step"),
    (
        "a divisor that may be 0 in the claim",
        "x % P == x % P",
        {"P": ("2", "P*s")},
        (),
        (),
        "base|step: divisor P != 0 assumed",
    ),
]


@pytest.mark.parametrize(("claim", "folds", "each", "given", "named"), [c[1:] for c in NO_LIST_THEOREMS])
def test_lists_whose_base_or_step_fails(claim, folds, each, given, named):
    which, _, why = named.partition(": ")
    with pytest.raises(NotProved, match=f"the ({which}) of the induction: .*{why}"):
        by_list_induction(claim, folds, each, given)


NO_LISTS = [
    ("R == 0", {"R": ("0", "R + d")}, "R == 0", (), "R == 0 does not restrict an element"),
    ("R == 0", {"R": ("0", "R + d")}, "R + d == d", (), "does not restrict an element"),
    ("R == 0", {"R": ("0", "R + d")}, "d*d < 0 or R == 0", (), "does not restrict an element"),
    ("R == 0", {"R": ("0", "R + d")}, "d*d >= 0 -> R == 0", (), "does not restrict an element"),
    ("R == 0", {"R": ("0", "R + d")}, "n*d == R", "n == 0", "does not restrict an element"),
    ("R == 0", {"R": ("0", "R + d")}, "d < 5 and n > 0", "n > 1", "n > 0 does not restrict an element"),
    ("R == 0", {"R": ("0", "R + d")}, "d > 0 and d < 0", (), "no first element meets d > 0 and d < 0"),
    ("R == 1", {"R": ("1", "R*s")}, "R*s == 1 and s == 2", (), "no first element"),
    ("R >= n", {"R": ("n", "R + d")}, "d > n", "n > 1 and n < 0", "no first element meets n > 1 and n < 0 and d > n"),
    ("R >= 0", {"R": ("0", "R + d")}, "d > 0", "R >= 0", "changes in the induction"),
    ("R >= 0", {"R": ("P", "R + d"), "P": ("0", "P")}, "d > 0", (), "must not mention"),
    ("R >= 0", {}, (), (), "needs a fold"),
]


@pytest.mark.parametrize(("claim", "folds", "each", "given", "named"), NO_LISTS)
def test_lists_that_would_prove_anything(claim, folds, each, given, named):
    with pytest.raises(InputError, match=named):
        by_list_induction(claim, folds, each, given)


def test_list_theorems_hold_for_random_lists(turns, full):
    """The folds are computed along random lists; whatever is proved holds at the end of each."""
    rng, proved = random.Random("lists"), 0
    steps = {"a": ["a + s", "a*s", "a + d", "a", "a + b", "b"], "b": ["b + s", "b*s", "b - d", "b + a*d", "a", "0 - b"]}
    for _ in turns(60):
        folds = {f: (rng.choice(["0", "1", "n"]), rng.choice(steps[f])) for f in "ab"}
        claim = rng.choice(
            ["a == b", "a >= b", "a >= 0", "a*b >= 0", "a >= 0 and b >= a", "a + b == n", "a % 2 == b % 2"]
        )
        each = rng.choice(["s >= 0 and d >= 0", "s >= 1 and 0 <= d < s", "s == d", "d >= s and d <= 3*s", "s >= a"])
        try:
            by_list_induction(claim, folds, each, "n >= 0")
        except (NotProved, InputError):
            continue
        proved += 1
        for n, _ in product(range(3), range(40)):
            at = {"n": n} | {f: value_of(parse_expression(first), {"n": n}) for f, (first, _) in folds.items()}
            for _ in range(5):
                at |= {"s": rng.randint(-1, 4), "d": rng.randint(-1, 5)}
                if value_of(parse_statement(each), at):
                    at |= {f: value_of(parse_expression(later), at) for f, (_, later) in folds.items()}
                assert value_of(parse_statement(claim), at), (claim, folds, each)
    assert proved >= 6 or not full


NO_PERMUTATIONS = [
    ({"R": ("0", "R*s + d")}, (), "swap"),
    (PLACES, DIGITS, "swap"),
    ({"R": ("0", "R - s"), "Q": ("0", "Q + R")}, (), "swap"),
    ({"y": ("x", "y//s")}, (), "swap"),
    ({"y": ("x", "y + 0*(1//s)")}, (), "divisor s != 0 assumed"),
]


@pytest.mark.parametrize(("folds", "each", "named"), NO_PERMUTATIONS)
def test_folds_that_depend_on_the_order(folds, each, named):
    with pytest.raises(NotProved, match=named):
        by_permutation(folds, each)
    with pytest.raises(InputError, match="depends on the order"):
        by_permutation({"P": ("1", "P*s")}, "s >= P")


def test_folds_that_do_not_depend_on_the_order():
    assert by_permutation({"P": ("1", "P*s"), "F": ("0", "F + i*t")}).rests_on - {"z3", "refutation"} == {"permutation"}
    assert by_permutation({"y": ("x", "y//s")}, "s >= 1").rests_on - {"z3", "refutation"} == {"permutation"}
    renamed = by_permutation({"P": ("1", "P*P_again")}).statement
    assert renamed.startswith("P_again' == P, where P = 1, then P*P_again; ")


def test_decide_replays_its_models():
    formulas = [parse_statement(t) for t in ("x*y == 11*13", "x > 1", "y > x")]
    answer = decide(formulas)
    assert isinstance(answer, Sat)
    assert all(value_of(f, answer.model) for f in formulas)
    assert decide([parse_statement("x*x == 2*y*y"), parse_statement("0 < x and x < 50")]) == Unsat()
