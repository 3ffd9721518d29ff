"""Mixed questions in threads and in processes have the answers that they have one after the other."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from random import Random
from typing import Any

import joblib
import pytest
from oracle import generate, programs

from symview import SymviewError, View, conditions, equivalent, merge, prove, reshape_conditions, simplify
from symview.cute import Layout, composition_conditions, left_inverse, try_composition

KINDS = ("merge", "conditions", "sizes", "strides", "prove", "reshape", "layout", "layouts", "inverse", "chain")
NAMES = "abcde"
RULES = ("(x % ({0}*c)) % c == x % c", "x//c*{0} == (x*{0})//c", "(x + {0})//c == x//c + {0}//c", "x*x + {0} != c*c")
RESHAPES = ("(B,S,{0}):(t0,t1,t2)|(B*S,{0})", "(N,{0}):(a,b)|({0},N)", "({0},i,192)|({0}*i,-1)")


def question(number: int) -> tuple[str, Any]:
    """A question of some kind, as text and numbers, so that it can be sent to another process."""
    rng = Random(f"concurrency {number}")
    kind = ("merge", "conditions", "sizes", "strides", "prove", "reshape", "layout", "layouts", "inverse", "chain")[
        number % 10
    ]
    outer, inner = generate.pair(rng)
    if kind == "merge":
        return kind, tuple(map(tuple, programs.masked_pair(rng)))
    return kind, (tuple(outer), tuple(inner), rng.randint(2, 9), rng.randrange(4))


def answer(question: tuple[str, Any]) -> str:
    """The answer in words; a refusal in its words."""
    try:
        return _answer(*question)
    except SymviewError as refused:
        return f"{type(refused).__name__}: {refused}"


def _answer(kind: str, given: Any) -> str:
    if kind == "merge":
        first, second = (View(*v) for v in given)
        return repr(merge(first, second))
    (shape, *_), (inner_shape, steps, start, *_), n, which = given
    named = View.parse(f"({','.join(map(str, shape))}):({','.join(NAMES[: len(shape)])})") if shape else View(())
    if kind == "conditions":
        found = conditions(named, View(inner_shape, steps, start))
        return f"{found} {found.counterexample()}"
    if kind == "sizes":
        return str(conditions(named, View.parse(f"(n,{n}):({which + 1},{n})")))
    if kind == "strides":
        return str(conditions(View.parse("(5,4,2):(a,b,c)"), View.parse(f"(2,{n}):(t,{which})")))
    if kind == "prove":
        return str(prove(RULES[which].format(n), "c >= 1")).partition("[")[0]
    if kind == "reshape":
        old, _, new = RESHAPES[which % 3].format(n).partition("|")
        found = reshape_conditions(View.parse(old), View.parse(new).shape)
        return f"{found} {found.guards()} {found.compare('1 == 1')}"
    if kind == "layout":
        return str(try_composition(Layout((n, 6, 8), (which, 5, 7)), Layout((3, 4), (which + 1, n))))
    if kind == "layouts":
        return str(composition_conditions(Layout.parse("(4,6,8):(a,b,c)"), Layout((n, 2), (which + 1, 3))))
    if kind == "inverse":
        return str(left_inverse(Layout((n, 3), (which + 1, 2 * n))))
    chain = View((2, 4), (1, 2)), View((2, 4), (1, 2)), View((4, 2), (1, 4)), View((8,), (1,))
    return f"{simplify(*chain[which:])} {equivalent(chain[:2], chain[:2])}".partition("[")[0]


@pytest.fixture(scope="module")
def questions(turns: Callable[[int], range]) -> list[tuple[str, Any]]:
    return [question(n) for n in turns(80)]


@pytest.fixture(scope="module")
def alone(questions: list[tuple[str, Any]]) -> list[str]:
    found = list(map(answer, questions))
    assert len(set(found)) > min(len(found) // 4, 1000)
    assert sum(a.startswith("Undecided") for a in found) <= len(found) // 100
    return found


def test_eight_threads(questions: list[tuple[str, Any]], alone: list[str]) -> None:
    order = list(range(len(questions)))
    Random(8).shuffle(order)
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(answer, [questions[n] for n in order]))
    assert together == [alone[n] for n in order]


@pytest.mark.parametrize("start", ["fork", "spawn"])
@pytest.mark.skipif(sys.platform != "linux", reason="fork is Linux's")
def test_processes(questions: list[tuple[str, Any]], alone: list[str], start: str) -> None:
    some = list(range(0, len(questions), 3))
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(start)) as pool:
        assert list(pool.map(answer, [questions[n] for n in some], chunksize=10)) == [alone[n] for n in some]


def test_joblib(questions: list[tuple[str, Any]], alone: list[str]) -> None:
    some = list(range(0, len(questions), 3))
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(answer)(questions[n]) for n in some)
    assert found == [alone[n] for n in some]
