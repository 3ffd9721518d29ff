"""Integer points in threads and in process pools: the same answers as one after the other."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from random import Random

import hard
import pytest
from bridge import view

from symview import View, conditions, merge

THREADS = 8


def questions(count: int) -> list[tuple[str, View, View]]:
    """Merges that need a search on large boxes, masked ones, and conditions with symbolic sizes; mixed."""
    rng, found = Random("threads"), []
    for turn in range(count):
        if turn % 3 == 0:
            outer, inner = (hard.scaled, hard.in_step)[turn % 2](rng)
            found.append(("merge", view(outer), view(inner)))
        elif turn % 3 == 1:
            n, m = rng.randint(1000, 9000), rng.randint(1000, 9000)
            mask = ((rng.randint(0, 3), n), (0, m - rng.randint(0, 5)))
            outer = View((n, m), (m, 1), 0, mask)
            step = rng.choice((1, 1, 2, m, m + 1))
            found.append(("merge", outer, View((rng.randint(2, n * m // step),), (step,))))
        else:
            outer = View.parse(f"({rng.randint(2, 9)},{rng.randint(2, 9)},{rng.randint(2, 9)}):(a,b,c)")
            inner = (
                f"(σ,mod):({rng.randint(1, 9)},{rng.randint(1, 9)})" if turn % 2 else f"(exists):({rng.randint(1, 9)})"
            )
            found.append(("conditions", outer, View.parse(inner)))
    return found


def answer(question: tuple[str, View, View]) -> str:
    kind, outer, inner = question
    return str(merge(outer, inner) if kind == "merge" else conditions(outer, inner))


@pytest.mark.dear
def test_eight_threads_answer_as_one() -> None:
    query = questions(90)
    expected = list(map(answer, query))
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(answer, query * 3)) == expected * 3
    assert len(set(expected)) > 40


@pytest.mark.dear
@pytest.mark.parametrize("how", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_process_pools_answer_as_one_process(how: str) -> None:
    query = questions(12)
    expected = list(map(answer, query))
    with ProcessPoolExecutor(2, mp_context=get_context(how)) as pool:
        assert list(pool.map(answer, query)) == expected
