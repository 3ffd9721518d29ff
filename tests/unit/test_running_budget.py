"""One question on its way: its work, its clock, its solver contexts; threads and Ctrl-C."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from time import monotonic
from traceback import walk_stack

import pytest

from symview import Budget, SymviewError, Undecided, View, conditions, prove
from symview.cute import Layout, composition_conditions
from symview.logic import z3_door as smt
from symview.logic.bits import some_point
from symview.logic.notation import parse_statement
from symview.logic.terms import Term, num, sym


def cubes(total: int) -> Term:
    """x³ + y³ + z³ = total, which no solver settles."""
    return Term("==", (Term("+", tuple(Term("*", (sym(v),) * 3) for v in "xyz")), num(total)))


def test_a_running_budget_stays_with_its_question() -> None:
    running = Budget(timeout=9.0).started()
    assert running == Budget(timeout=9.0)
    assert running.started() is running
    assert running.at_most(10).run is running.run
    assert running.at_most(10).plain() == Budget(timeout=9.0)
    for other in (running.plain(), pickle.loads(pickle.dumps(running)), copy(running)):
        assert other.run is None
    assert "run" not in repr(running)


def test_work_is_that_of_the_whole_question() -> None:
    running = Budget(work=1000).started()
    share = running.at_most(300)
    assert (share.left(), running.left()) == (300, 1000)
    share.spend(800)
    assert (share.left(), running.left()) == (200, 200)
    share.count(300)
    with pytest.raises(Undecided, match="ran out"):
        running.check()
    assert isinstance(smt.check([parse_statement("x > 3")], running), smt.Open)
    Budget(work=1).spend(10)  # nothing is running


def test_the_work_of_z3_is_counted() -> None:
    running = Budget(work=3_000_000).started()
    before = running.left()
    assert isinstance(smt.check([parse_statement("x > 3 and x < 9")], running), smt.Sat)
    assert 0 < before - running.left() < 100_000
    for _ in range(5):
        answer = smt.check([cubes(33)], running.at_most(1_000_000))
    assert isinstance(answer, smt.Open)
    assert running.is_over()


def test_the_clock_bounds_the_whole_question() -> None:
    running = Budget(work=10**12, timeout=0.5).started()
    started = monotonic()
    while not running.is_over():
        assert isinstance(smt.check([cubes(33)], running), smt.Open)
    assert 0.4 < monotonic() - started < 60  # also where other processes have most of the machine
    with pytest.raises(Undecided, match=r"time of 0\.5 s is over"):
        running.check()


def test_the_same_answer_whatever_was_asked_before() -> None:
    def reason() -> object:
        running = Budget(work=200_000).started()
        verdict = smt.check([cubes(42), parse_statement("x > y")], running)
        return verdict, running.left()

    first = reason()
    prove("(x // 3) * 3 <= x")
    assert reason() == first


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """Python's own handler, also where a shell started the tests in the background, deaf to Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_ctrl_c")
@pytest.mark.parametrize("hard", [lambda b: smt.check([cubes(33)], b), lambda b: _factors(b)])
def test_ctrl_c_stops_z3(hard) -> None:
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):  # the questions have no end of their own
        hard(Budget(work=10**12).started())
    timer.join()
    running = {frame.f_code.co_name for top in sys._current_frames().values() for frame, _ in walk_stack(top)}
    assert "Z3_solver_check_assumptions" not in running


def _factors(budget: Budget):
    product = (2**61 - 1) * (2**31 - 1)
    return some_point((2**61, 2**61), 128, lambda bits, x: _both(bits, x, product), budget)


def _both(bits, x, product):
    found = x[0] * x[1] == product
    if bits.z3 is None:
        return found and x[0] > 1 < x[1]
    return bits.z3.And(found, bits.z3.UGT(x[0], 1), bits.z3.UGT(x[1], 1))


def questions(numbers):
    """Questions of every kind, with their answers as text."""
    for n in numbers:
        yield lambda n=n: str(prove(f"(x % {2 * n}) % {n} == x % {n}")).partition("[")[0]
        yield lambda n=n: str(prove(f"(x * {n}) // y == x // y * {n}", "y > 0"))
        yield lambda n=n: str(prove("(x % (q*c)) % c == x % c", f"q >= {n} and c >= 1")).partition("[")[0]
        yield lambda n=n: str(conditions(View.parse("(10,3,3):(a,b,c)"), View.parse(f"({n}):({n})+1")))
        yield lambda n=n: str(conditions(View.parse("(N,M,2):(a,b,c)"), View.parse(f"(n,m):(2*M,{n})")))
        yield lambda n=n: str(composition_conditions(Layout.parse("(A,B):(a,b)"), Layout.parse(f"({n},2):(1,{n})")))
        yield lambda n=n: repr(some_point((1 << n,), 30, lambda bits, x: bits.remainder(x[0], 7) == 5))


@pytest.mark.dear
def test_threads_get_the_answers_that_come_one_after_the_other(effort) -> None:
    query = list(questions(range(2, 2 + 2 * effort)))

    def answer(n: int) -> str:
        try:
            return query[n]()
        except SymviewError as stop:
            return str(stop)

    alone = [answer(n) for n in range(len(query))]
    order = [*range(len(query)), *reversed(range(len(query)))]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(answer, order))
    assert together == [alone[n] for n in order]


def test_any_work_is_waited_for() -> None:
    """The time that so much work may take is more than a system call accepts."""
    square = Term("==", (Term("*", (sym("x"), sym("x"))), num(4)))
    assert isinstance(smt.check([square], Budget(work=10**18).started()), smt.Sat)
