"""Questions end with their budget: by steps, as a clock would end them, and each command once by the clock itself."""

from __future__ import annotations

import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import sleep

import pytest
from satellites import needs

from symview import Budget, Conditions, Undecided, View, conditions, injective_conditions, overflows, reshape_conditions
from symview.cute import Layout, composition_conditions
from symview.logic.entailment import Entailment
from symview.logic.z3_door import Session, _Clock

ROOT = Path(__file__).parents[2]
LIMIT = 0.5  # seconds


def view(rank: int) -> str:
    """A view with a name for each size and stride."""
    return f"({','.join(f'a{n}' for n in range(rank))}):({','.join(f't{n}' for n in range(rank))})"


LITTLE = Budget(work=3000)


@cache
def far() -> Conditions:
    return conditions(View.parse("(10,3,3):(a,b,c)"), View((6,), (4,)), assume="a + b + c > 30")


def test_a_counterexample_ends_with_its_budget() -> None:
    apart = injective_conditions(View.parse("(4,4):(a,b)"), assume="a + b > 60")
    for answer in (far(), apart):
        assert answer.counterexample() is not None
        with pytest.raises(Undecided, match="ran out"):
            replace(answer, budget=LITTLE).counterexample()


def test_a_comparison_has_one_budget_with_its_counterexample(monkeypatch) -> None:
    answer, seen = far(), set[int]()
    count = Budget.count

    def noted(self: Budget, steps: int) -> None:
        seen.add(id((self.run and self.run.whole) or self.run))
        count(self, steps)

    monkeypatch.setattr(Budget, "count", noted)
    assert not answer.compare("a == b or a == c")
    assert len(seen - {id(None)}) == 1


@needs("verify")
@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(
            lambda: conditions(View.parse("(N,M,K):(a,b,c)"), View.parse("(n,m):(M,1)")), marks=pytest.mark.dear
        ),
        pytest.param(
            lambda: composition_conditions(Layout.parse("(4,6,8):(a,b,c)"), Layout.parse("(n,m):(2,t)")),
            marks=pytest.mark.dear,
        ),
        lambda: injective_conditions(View.parse("(m,n,k):(a,b,c)")),
    ],
    ids=["merge", "composition", "injective"],
)
def test_a_script_ends_with_its_budget_and_says_what_is_left_out(ask) -> None:
    answer = ask()
    lines = replace(answer, budget=Budget(work=1)).to_smt2().splitlines()
    assert lines[-2] == "; left out: all that would follow, since the budget ran out: allow more work"
    assert len(lines) < len(answer.to_smt2().splitlines())


def test_a_table_of_every_index_ends_with_its_budget() -> None:
    query = View((97, 89, 83), (1, 97, 8633)), View((83, 89, 97), (1, 83, 7387))
    table = overflows(*query, every=True, budget=Budget(work=100_000))
    assert (table.complete, table.reason, table.rows) == (False, "the budget ran out: allow more work", ())


def test_nothing_is_looked_into_once_the_budget_is_over(monkeypatch) -> None:
    late = 0
    refuted = Entailment._is_refuted

    def watched(self, formulas) -> bool:
        nonlocal late
        late += self.budget.is_over()
        return refuted(self, formulas)

    monkeypatch.setattr(Entailment, "_is_refuted", watched)
    answer = reshape_conditions(View.parse(view(12)), (-1,), budget=Budget(work=200_000))
    assert answer.clauses
    assert late == 0


def test_cases_that_come_later_keep_to_the_budget_that_is_left() -> None:
    answer = reshape_conditions(View.parse(view(5)), (-1,))
    assert {c.data.reason for c in answer.within(Budget(work=1)).cases} == {"the budget ran out: allow more work"}
    assert all(c.equations or c.reason for c in answer.cases)


def test_an_answer_that_comes_with_the_interrupt_has_no_model(monkeypatch) -> None:
    session = Session()
    monkeypatch.setattr(Session, "_within", lambda self, *given: (self.z3.sat, True))
    assert isinstance(session.check(session.solver(), Budget(work=10_000).started()), str)


def test_z3_is_interrupted_from_outside(monkeypatch) -> None:
    """A solver that hears neither its steps nor its own clock."""
    session, interrupted = Session(), threading.Event()

    class Deaf:
        def check(self) -> str:
            interrupted.wait()
            return "unknown"

    monkeypatch.setattr(type(session.context), "interrupt", lambda _: interrupted.set())
    assert session._within(_Clock(1, 0.01), Deaf(), ()) == ("unknown", True)


def test_the_thread_of_a_solver_that_has_answered_holds_it_no_longer(monkeypatch) -> None:
    """Else it would free the solver at some later time, and Z3 would number its terms, and answer, by chance."""
    ended = threading.Event()

    class Lingering:
        def __init__(self) -> None:
            self.lock = threading.Lock()
            self.acquire = self.lock.acquire

        def release(self) -> None:
            self.lock.release()
            ended.wait(60)

    class Quick:
        def check(self) -> str:
            return "unsat"

    session, solver = Session(), Quick()
    seen = weakref.ref(solver)
    with monkeypatch.context() as patch:
        patch.setattr("symview.logic.z3_door._thread.allocate_lock", Lingering)
        assert session._within(_Clock(60, None), solver, ()) == ("unsat", False)
    del solver
    held = seen()
    ended.set()
    assert held is None


def test_z3_has_its_time_however_busy_the_machine_is() -> None:
    """Other work of the machine is as if this process slept: that is not Z3's time, but the question's."""
    alone, of_question = _Clock(0.05, None), _Clock(0.05, 0.1)
    sleep(0.15)
    assert alone.left() > 0 > of_question.left()


D4 = "(a,b,c,d):(p,q,r,s)"
HARD = [
    ["conditions", "(N,N*M,N+1,M):(a,b,c,d)+a", "(4,m):(t,1)+o", "--assume", "o % 2 == 1"],
    ["conditions", "(A,B,C,D):(a,b,c,d)", "(n,m,k):(t,u,v)+o", "--smt2"],
    ["conditions", "(A,B,C,D):(a,b,c,d)", "(n,m,k):(t,u,v)+o", "--explain"],
    ["counterexample", "(N,N*M,N+1,M):(a,b,c,d)+a", "(4,m):(t,1)+o", "--assume", "o % 2 == 1"],
    ["reshape", view(22), "(-1)"],
    ["reshape", view(40), "(-1)"],
    ["reshape", view(12), "(-1)"],
    ["reshape", "(k,n*m):(1,b) [0:k,p:n*m]", "(n,k*m)"],
    ["overflows", "(97,89,83):(1,97,8633)", "(83,89,97):(1,83,7387)", "--all"],
    ["prove", "x*x*x + y*y*y + z*z*z != 33"],
    ["weakest", "(x*a + y) // b % c == x*a // b % c + y // b % c", "--about", "a,b,c,y"],
    ["reshape", view(150), "(-1)"],
    ["dense", view(7)],
    ["injective", view(6)],
    ["contiguous", view(20)],
    ["compose", D4, "(n,m):(t,u)"],
    ["coalesce", view(14)],
    ["complement", D4, "n"],
    ["inverse", D4, "--side", "left"],
    ["divide", D4, "(n,m):(t,u)"],
    ["product", D4, "(n,m):(t,u)"],
    ["chain", "(97,89,83,79):(1,97,8633,3)", "(83,89,97):(1,83,7387)", "(500,20):(3,7)", "(50,3):(11,5)"],
]


RUNNER = """
import os, resource, sys
import islpy, sympy, z3
from symview.cli import main

for line in sys.stdin:
    if not (child := os.fork()):
        resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.argv[1:] = eval(line)
        main()
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture(scope="module")
def runner() -> Iterator[subprocess.Popen[str]]:
    """Runs each command in a process of its own, which has what it imports from the start.

    A command is ended beyond ten times its limit, in seconds of its own, and not of a busy machine's.
    """
    text = RUNNER.replace("MOST", str(int(10 * LIMIT)))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", text], cwd=ROOT, text=True, **pipes) as process:
        yield process


@pytest.mark.sampled
@pytest.mark.parametrize("words", HARD, ids=lambda words: " ".join(words)[:60])
def test_a_command_ends_by_its_clock(words, runner) -> None:
    print([*words, "--timeout", str(LIMIT)], file=runner.stdin, flush=True)
    assert int(runner.stdout.readline()) in (0, 1, 3)
