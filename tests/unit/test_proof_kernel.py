"""The kernel takes refutations that plain arithmetic checks, and premises, and nothing else; it is small."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import symview
from symview import prove
from symview.logic.budget import Budget
from symview.logic.formula import Formula
from symview.logic.terms import Term, num, sym
from symview.proof import by_instance, kernel
from symview.proof.data import Fold, Folds, Query
from symview.proof.kernel import ForgedProof, by_refutation, denied, needs
from symview.proof.refutations import refutation
from symview.proof.statement import read
from symview.trusted.document import BadCertificate
from symview.trusted.linear import refutes

ROOT = Path(symview.__file__).parent
CORE = {"trusted/linear.py", "trusted/formulas.py", "trusted/document.py", "trusted/work.py"}


def found(statement: str, assume: Any = (), division: str = "floor") -> Any:
    query = read(statement, assume, division)
    budget = Budget(work=2_000_000).started()
    steps = [refutation([*known, ("not", f)], budget) for f, known in needs(query)]
    return query, refutation(denied(query), budget), steps


TRUE = {
    "linear": ("x < y -> 2*x + 1 < 2*y",),
    "digits": ("x // 2 // 3 == x // 6",),
    "a name that is not a divisor of 0": ("(x // n) * n <= x", "n >= 1"),
    "another rounding": ("x % 3 > -3", (), "trunc"),
    "a choice": ("min(x, y) <= x",),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_refutations_build_theorems_that_rest_on_nothing_else(name) -> None:
    query, steps, of_needs = found(*TRUE[name])
    proved = by_refutation(query, steps, of_needs)
    assert proved
    assert (proved.rests_on, proved.unstated) == ({"refutation"}, ())
    assert proved.statement == query.claim.text
    assert pickle.loads(pickle.dumps(proved)) == proved
    assert prove("1 == 1", by=[proved])


def test_what_refutes_nothing_builds_nothing() -> None:
    """No steps, steps of another statement, a divisor without a reason, a fact by a number that is none."""
    query, steps, of_needs = found("(x // n) * n <= x", "n >= 1")
    wrong = read("(x // n) * n < x", "n >= 1", "floor")
    for forged in (
        lambda: by_refutation(query, [], of_needs), lambda: by_refutation(wrong, steps, of_needs),
        lambda: by_refutation(query, steps, []), lambda: by_refutation(query, steps, [[]]),
        lambda: by_refutation(query, steps, [*of_needs, []]),
        lambda: by_refutation(read("(x // n) * n <= x", (), "floor"), steps, of_needs),
        lambda: by_refutation(query, [["sum", [1, -1]]], of_needs), lambda: by_refutation(query, None, of_needs),
    ):  # fmt: skip
        with pytest.raises((ForgedProof, BadCertificate)):
            forged()


def test_a_formula_has_no_text_but_its_own() -> None:
    """A theorem about `x == x` cannot be shown as `1 == 2`."""
    same = Term("==", (sym("x"), sym("x")))
    with pytest.raises(TypeError):
        Formula(same, "floor", "1 == 2")  # type: ignore[call-arg]
    with pytest.raises((TypeError, ValueError)):
        Formula(same, "floor")._replace(text="1 == 2")
    proved = by_refutation(Query(Formula(same, "floor"), ()), [], [])
    assert str(proved).startswith("proved: x == x  [linear arithmetic;")
    assert prove("x   == (x)").statement == "x == x"


def test_rules_take_their_premises_alone() -> None:
    """Base and step of an induction, or a swap, that say something else, assume more, or are no theorems."""
    n, f, d = sym("n"), sym("f"), sym("d")
    along = Folds((Fold("f", num(0), Term("+", (f, d))),), (Term(">=", (d, num(0))),), ("d",))
    query = read("f >= 0", (), "floor")
    base, step = prove("0 >= 0"), prove(Term(">=", (Term("+", (f, d)), num(0))), [along.each[0], query.claim.term])
    made = (prove, ("1 == 1",))
    right = kernel.carried_on(query, along, base, step, frozenset(), 0.0, made)
    assert right.statement.startswith("f >= 0, where f = 0, then f + d")
    more = prove(Term(">=", (Term("+", (f, d)), num(0))), ["d >= 0", "f >= 0", "d >= 1"])
    noted = prove("0 // n * 0 >= 0")
    moving = along._replace(element=())
    for other in (
        lambda: kernel.carried_on(query, along, step, step, frozenset(), 0.0, made),
        lambda: kernel.carried_on(query, along, base, base, frozenset(), 0.0, made),
        lambda: kernel.carried_on(query, along, base, more, frozenset(), 0.0, made),
        lambda: kernel.carried_on(query, along, noted, step, frozenset(), 0.0, made),
        lambda: kernel.carried_on(query, moving, base, step, frozenset(), 0.0, made),
        lambda: kernel.carried_on(read("f >= 0", "f >= 0", "floor"), along, base, step, frozenset(), 0.0, made),
        lambda: kernel.carried_on(
            read("f >= 0", "d >= 0", "floor", known=["d"]), along, base, step, frozenset(), 0.0, made
        ),
        lambda: kernel.carried_on(query, along, base, object.__new__(kernel.Proved), frozenset(), 0.0, made),
        lambda: kernel.carried_on(query, along._replace(over="f"), base, step, frozenset(), 0.0, made),
        lambda: kernel.in_any_order(query, along, base, frozenset(), 0.0, made),
        lambda: kernel.instance(object.__new__(kernel.Proved), {"n": n}, [], frozenset(), 0.0, made),
        lambda: kernel.instance(noted, {"n": n}, [], frozenset(), 0.0, made),
        lambda: kernel.instance(noted, {"n": n}, [[]], frozenset(), 0.0, made),
    ):
        with pytest.raises((ForgedProof, AttributeError)):
            other()


def test_an_instance_rests_on_refutations_that_its_divisors_are_0() -> None:
    """Where theorem and values cannot divide by 0, nothing is asked; where no steps are known, Z3 is believed."""
    whole, noted = prove("x // m * m <= x", "m >= 1"), prove("x % m % m == x % m")
    assert by_instance(whole, {"m": "k*k + 1", "x": "k"}).rests_on == {"refutation"}
    assert by_instance(whole, {"x": "y // (z*z + 1)"}).rests_on == {"refutation"}
    assert by_instance(noted, {"m": "n*n + 1"}).rests_on == noted.rests_on - {"divisor m != 0 assumed"}
    assert by_instance(noted, {"m": "n"}).rests_on == noted.rests_on - {"divisor m != 0 assumed"} | {
        "z3", "divisor n != 0 assumed"
    }  # fmt: skip


def test_lemmas_are_premises_of_a_refutation() -> None:
    """It says what the lemma says: where all of that has a value, and what it assumes holds."""
    lemma, query = (
        prove("x // m <= y // m", ["m >= 1", "x <= y"]),
        read("a // n <= (a + b) // n", "n >= 1, b >= 0", "floor"),
    )
    by = ((lemma, {"x": sym("a"), "y": Term("+", (sym("a"), sym("b"))), "m": sym("n")}),)
    budget = Budget(work=2_000_000).started()
    steps = refutation([*kernel.instances(by, query), *denied(query)], budget)
    of_needs = [refutation([*known, ("not", f)], budget) for f, known in needs(query)]
    proved = by_refutation(query, steps, of_needs, lemmas=by)
    assert proved.rests_on == {"refutation", f"lemma: {lemma.statement}"}
    assert pickle.loads(pickle.dumps(proved)) == proved
    other = ((lemma, {**by[0][1], "m": num(1)}),)
    noted = prove("x // y * y + x % y == x")
    at_0 = kernel.instances(((noted, {"y": num(0)}),), query)
    assert at_0 == [("->", ("and", True, ("!=", 0, 0)), ("==", ("+", ("*", ("//", "x", 0), 0), ("%", "x", 0)), "x"))]
    for forged in (
        lambda: by_refutation(query, steps, of_needs), lambda: by_refutation(query, steps, of_needs, lemmas=other),
        lambda: by_refutation(query, steps, of_needs, lemmas=((object.__new__(kernel.Proved), {}),)),
    ):  # fmt: skip
        with pytest.raises((ForgedProof, BadCertificate)):
            forged()


def test_theorems_without_the_seal_are_none() -> None:
    with pytest.raises(ForgedProof):
        kernel.theorem(read("1 == 2", (), "floor"), frozenset(), 0.0, (prove, ("1 == 1",)), None)


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports when it is loaded; functions import for what they show."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("symview"):
            yield str(node.module)
            yield from (f"{node.module}.{a.name}" for a in node.names)


def closure(start: str) -> dict[str, int]:
    """The lines of a file and of all that it imports, each by name."""
    seen, left = dict[str, int](), [start]
    while left:
        path = ROOT.parent / f"{left.pop().replace('.', '/')}.py"
        name = str(path.relative_to(ROOT)) if path.exists() else ""
        if name and name not in seen:
            seen[name] = len(path.read_text(encoding="utf-8").splitlines())
            left += imported(path)
    return seen


def test_the_kernel_is_read_in_an_evening() -> None:
    """It imports data, terms, and the core that the checker shares; no solver, no search, no reader of text."""
    lines = closure("symview.proof.kernel")
    assert sum(lines.values()) < 2_500
    data = {"proof/data.py", "logic/formula.py", "logic/terms.py", "logic/width.py", "displayed.py", "errors.py"}
    assert set(lines) == CORE | data | {"proof/kernel.py"}
    assert set(closure("symview.trusted.linear")) == CORE


def test_the_kernel_loads_what_it_imports() -> None:
    """And the packages that these are in, which load nothing."""
    said = "import sys, symview.proof.kernel; print(*[m for m in sys.modules if m.split('.')[0] == 'symview'])"
    told = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout
    packages = {"symview", "symview.logic", "symview.proof", "symview.trusted"}
    own = {f"symview.{name.removesuffix('.py').replace('/', '.')}" for name in closure("symview.proof.kernel")}
    assert set(told.split()) == own | packages
    files = [ROOT.parent / name.replace(".", "/") for name in own | packages]
    files = [f / "__init__.py" if f.is_dir() else f.with_suffix(".py") for f in files]
    assert sum(len(f.read_text(encoding="utf-8").splitlines()) for f in files) < 2_500


def random_formulas(rng: Random) -> list[Any]:
    """A few comparisons of sums and products, quotients and choices, which may or may not contradict each other."""

    def value(deep: int) -> Any:
        if deep == 0 or rng.random() < 0.3:
            return rng.choice(("x", "y", "z", rng.randint(-3, 3)))
        op = rng.choice(("+", "-", "*", "min", "max", "//", "%", "//trunc", "%euclid"))
        return (op, value(deep - 1), rng.choice((2, 3, -2)) if op[0] in "/%" else value(deep - 1))

    def formula(deep: int) -> Any:
        if deep == 0 or rng.random() < 0.5:
            return (rng.choice(("<", "<=", ">", ">=", "==", "!=")), value(2), value(1))
        op = rng.choice(("and", "or", "not", "->", "<->"))
        return (op, *[formula(deep - 1) for _ in range(1 if op == "not" else 2)])

    return [formula(1) for _ in range(rng.randint(1, 4))]


def wrong_steps(steps: Any, rng: Random) -> Any:
    """The steps with a number changed, one left out, or one twice."""
    if isinstance(steps, list) and steps:
        n = rng.randrange(len(steps))
        way = rng.randrange(4)
        other = steps[:n] + steps[n + 1 :] if way == 0 else [*steps[:n], steps[n], *steps[n:]]
        return [*steps[:n], wrong_steps(steps[n], rng), *steps[n + 1 :]] if way > 1 else other
    return rng.choice((steps + 1, steps - 1, -steps, 0, 1)) if type(steps) is int else steps


def test_the_core_beside_z3(turns, full) -> None:
    """Whatever it accepts, right steps and changed ones, Z3 does not satisfy; nor do small values."""
    rng, seen = Random(3), [0, 0, 0]
    for _ in turns(75):
        formulas = random_formulas(rng)
        steps = refutation(formulas, Budget(work=200_000).started())
        tried = [] if steps is None else [steps, *[wrong_steps(steps, rng) for _ in range(4)]]
        tried += [[["sum", [rng.randint(0, 2), rng.randint(0, 3)], [1, rng.randint(0, 3)]]] for _ in range(3)]
        for n, some in enumerate(tried):
            try:
                accepted = refutes(some, *formulas)
            except BadCertificate:
                continue
            seen[2 if steps is None else n > 0] += accepted
            assert not accepted or steps is not None or no_values(formulas), (formulas, some)
            assert not (n == 0 and steps is not None) or (accepted and no_values(formulas)), (formulas, some)
    assert min(seen[:2]) > 5 or not full


def no_values(formulas: list[Any]) -> bool:
    """Whether Z3 says that nothing satisfies the formulas, or leaves it open; and no small values do."""
    import z3

    names = {n: z3.Int(n) for n in "xyz"}

    def said(t: Any) -> Any:
        if not isinstance(t, tuple):
            return names.get(t, t)
        op, *a = [t[0], *map(said, t[1:])]
        if op[0] in "/%":
            down = z3.If(a[1] > 0, a[0] / a[1], -a[0] / -a[1]) if not isinstance(a[0], int) else None
            x = z3.IntVal(a[0]) if down is None else a[0]
            floor = z3.ToInt(z3.ToReal(x) / a[1])
            euclid = x / a[1]
            trunc = z3.If(x >= 0, euclid, -((-x) / a[1]))
            q = trunc if op.endswith("trunc") else euclid if op.endswith("euclid") else floor
            return q if op[0] == "/" else x - q * a[1]
        return {
            "+": lambda: a[0] + a[1], "-": lambda: a[0] - a[1], "*": lambda: a[0] * a[1],
            "min": lambda: z3.If(a[0] <= a[1], a[0], a[1]), "max": lambda: z3.If(a[0] >= a[1], a[0], a[1]),
            "<": lambda: a[0] < a[1], "<=": lambda: a[0] <= a[1], ">": lambda: a[0] > a[1], ">=": lambda: a[0] >= a[1],
            "==": lambda: a[0] == a[1], "!=": lambda: a[0] != a[1], "and": lambda: z3.And(*a), "or": lambda: z3.Or(*a),
            "not": lambda: z3.Not(a[0]), "->": lambda: z3.Implies(*a), "<->": lambda: a[0] == a[1],
        }[op]()  # fmt: skip

    solver = z3.Solver()
    solver.set("rlimit", 2_000_000)
    solver.add(*[z3.BoolVal(f) if isinstance(f := said(one), bool) else f for one in formulas])
    return solver.check() != z3.sat
