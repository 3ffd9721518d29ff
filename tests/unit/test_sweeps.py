"""Sweeps: every input once, whatever is killed and however many workers; wrong answers in their smallest form."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from itertools import islice, product
from math import prod
from random import Random

import pytest
import schema
from command import typed
from oracle import brute

from symview.cute import Layout
from symview.errors import InputError, Undecided
from symview.sweeps import checks
from symview.sweeps.records import Records
from symview.sweeps.spaces import Drawn, Strided, layout_pairs, points, smaller, view_pairs
from symview.sweeps.sweep import Sweep
from symview.sweeps.workers import carried_out


def swept(sweep: Sweep, path: str | None = None, **how) -> tuple[Counter[str], list[tuple[str, str]]]:
    with Records(path, sweep.question()) as records:
        for _ in carried_out(sweep, records, **how):
            pass
        return records.counts(), records.wrong()


@pytest.mark.parametrize("space", [view_pairs(2), layout_pairs(2), points([1, 2], 2)])
def test_every_input_has_one_number(space) -> None:
    every = [repr(space.at(n)) for n in range(space.count)]
    assert len(set(every)) == space.count == len(every)


def test_a_drawn_input_depends_on_its_number_alone() -> None:
    space = Drawn("views", 50, 6, seed=3)
    assert [space.at(n) for n in range(50)] == [space.at(n) for n in reversed(range(50))][::-1]
    assert len({repr(space.at(n)) for n in range(50)}) > 40


def test_all_views_are_inside_and_the_check_agrees_with_the_oracle(turns) -> None:
    space, rng, words = view_pairs(4), Random("sweeps"), Counter()
    for _ in turns(400):
        outer, inner = pair = space.at(rng.randrange(space.count))
        theirs = brute.merge(brute.V(*outer), brute.V(*inner))
        broken = checks.candidate(pair)[1]
        assert isinstance(theirs, brute.Broken) == (broken is not None)
        finding = checks.check_merge(pair)
        assert not finding.wrong
        words[finding.word] += 1
    assert words["do not merge"] > 5


def test_counts_are_the_same_whatever_the_number_of_workers() -> None:
    sweep = Sweep("merge", 8, count=4500)
    found = [swept(sweep, jobs=jobs) for jobs in (1, 2, 4)]
    assert found[0] == found[1] == found[2]
    assert found[0][0].total() == 4500


@pytest.mark.dear
def test_a_sweep_goes_on_where_it_was(tmp_path) -> None:
    sweep, path = Sweep("compose", 6, count=7000), str(tmp_path / "a.db")
    with Records(path, sweep.question()) as records:
        done = sum(islice(carried_out(sweep, records), 2))
    assert done == 4000
    with Records(path, sweep.question()) as records:
        assert sum(carried_out(sweep, records)) == 3000
        assert sum(carried_out(sweep, records)) == 0
        assert records.counts() == swept(sweep)[0]


def test_a_piece_counts_once() -> None:
    sweep = Sweep("compose", 4, count=100)
    piece = sweep.piece(*next(sweep.chunks()))
    with Records(None, sweep.question()) as records:
        records.write(piece)
        records.write(piece)
        assert records.counts().total() == 100


@pytest.mark.dear
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_sweep_loses_nothing(tmp_path) -> None:
    path = tmp_path / "a.db"
    words = ["sweep", "merge", "--random", "12000", "--bound", "8", "--db", str(path)]
    command = [sys.executable, "-m", "symview", *words]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        time.sleep(0.05)
        if path.exists() and _pieces(path):
            break
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    assert 0 < _pieces(path) < 6
    run = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    answer = schema.read(run.stdout)
    assert answer["done"] == answer["inputs"] == sum(answer["counts"].values()) == 12000
    assert _pieces(path) == 6


def _pieces(path) -> int:
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as base:
            return base.execute("SELECT count(*) FROM chunks").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def test_a_wrong_answer_is_told_in_its_smallest_form(monkeypatch) -> None:
    def wrong(pair, budget):
        outer, inner = pair
        return checks.Finding("merge", "wrong" if 3 in outer.shape and inner.strides[:1] > (1,) else "")

    monkeypatch.setitem(checks.CHECKS, ("merge", ""), wrong)
    _, found = swept(Sweep("merge", 9, count=300, seed=1))
    assert found[0] == ("(3):(0) then (1):(2)", "wrong")


def test_each_input_has_a_budget_that_ends_by_the_clock(monkeypatch) -> None:
    def budgeted(pair, budget):
        seen.add(budget.started().timeout)
        raise Undecided("it took too long")

    seen = set()
    assert Sweep("conditions", 4, count=6, seed=2).piece(0, 6).counts == {"told": 6}
    for name in ("merge", "try_composition"):
        monkeypatch.setattr(checks, name, lambda *pair, budget: budgeted(pair, budget))
    monkeypatch.setattr("symview.views.conditions.conditions", lambda *pair, budget: budgeted(pair, budget))
    for law in ("merge", "compose", "conditions"):
        assert Sweep(law, 4, count=6, seconds=0.25).piece(0, 6).counts == {"undecided": 6}
    assert seen == {0.25}


def test_rules_are_tried_at_all_values(tmp_path) -> None:
    path = tmp_path / "a.toml"
    path.write_text('source = "here"\n[[rule]]\nname = "r"\nclaim = "x//a*a <= x"\nassume = "a != 0"\n'
                    '[[rule]]\nname = "s"\nclaim = "x//2*2 == x"\nexpect = "refuted"\n'
                    '[[rule]]\nname = "t"\nclaim = "x(n).flip(0).flip(0) == x(n)"\n'
                    '[[rule]]\nname = "u"\nclaim = "x*y != 4"\n')  # fmt: skip
    sweep = Sweep("rules", 3, rules=path.read_text())
    counts, wrong = swept(sweep)
    assert counts.total() == 7 * 7 + 7 + 7 * 7
    assert counts["fails, as expected"] == 4
    assert wrong == [("r", "x//a*a <= x is false at x = -1, a = -2"), ("u", "x*y != 4 is false at x = -2, y = -2")]
    assert sweep.left_out == ["t"]


def test_a_file_with_nothing_to_try_is_refused(tmp_path) -> None:
    path = tmp_path / "a.toml"
    path.write_text('source = "here"\n[[rule]]\nname = "t"\nclaim = "x(n).flip(0).flip(0) == x(n)"\n')
    with pytest.raises(InputError, match="symview prove"):
        swept(Sweep("rules", 3, rules=path.read_text()))


def test_smaller_pairs_stay_inside() -> None:
    space = Drawn("views", 60, 9, seed=8)
    pairs = [p for n in range(60) for p in smaller(space.at(n))]
    assert len(pairs) > 300
    for outer, inner in pairs:
        places = [inner.offset + sum(i * t for i, t in zip(index, inner.strides, strict=True))
                  for index in product(*map(range, inner.shape))]  # fmt: skip
        assert min(places) >= 0
        assert max(places) < prod(outer.shape)


def test_what_is_raised_is_a_wrong_answer(monkeypatch) -> None:
    def broken(pair, budget):
        return checks.Finding("merge") if prod(pair[1].shape) < 2 else 1 // 0

    monkeypatch.setitem(checks.CHECKS, ("merge", ""), broken)
    counts, wrong = swept(Sweep("merge", 6, count=200))
    assert counts["raised"] + counts["merge"] == 200
    assert wrong[0][1].startswith("ZeroDivisionError")


def test_a_layout_of_other_modes_is_wrong(monkeypatch) -> None:
    monkeypatch.setattr(checks, "try_composition", lambda a, b, budget: Layout((b.size(),), (1,)))
    modes = Strided((2, 2), (1, 2))
    assert checks.check_composition((Strided((4,), (1,)), modes)).wrong.endswith("does not split B's modes")


def test_wrong_answers_of_a_peer_are_told_in_their_smallest_form() -> None:
    sweep = Sweep("compose", 2, peer="pycute")
    with Records(None, sweep.question()) as records:
        assert sum(carried_out(sweep, records)) == sweep.space.count
        assert records.wrong() == []
        (smallest, text), *_ = records.wrong(peer=True)
    assert text.startswith("pycute answers ")
    assert len(smallest) < 30


@pytest.mark.parametrize("other", [Sweep("merge", 3), Sweep("compose", 2), Sweep("merge", 2, count=9)])
def test_results_of_another_question_are_not_mixed(tmp_path, other) -> None:
    path = str(tmp_path / "a.db")
    swept(Sweep("merge", 2), path)
    before = swept(Sweep("merge", 2), path)
    with pytest.raises(InputError, match="another question"):
        swept(other, path)
    assert swept(Sweep("merge", 2), path) == before


def test_files_that_are_no_sweeps_stay_as_they_are(tmp_path) -> None:
    text, base = tmp_path / "a.txt", tmp_path / "b.db"
    text.write_text("some notes")
    with sqlite3.connect(base) as other:
        other.execute("CREATE TABLE mine (x)")
    for path in (text, base):
        content = path.read_bytes()
        with pytest.raises(InputError):
            swept(Sweep("merge", 2), str(path))
        assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nothing"], "no sweep nothing"),
        (["merge", "--against", "nobody"], "no sweep merge against nobody"),
        (["no/such/rules.toml"], "No such file"),
        (["merge", "--db", "no/such/folder/a.db"], "unable to open"),
        (["merge", "--bound", "0"], "--bound"),
        (["merge", "--bound", "17"], "too large"),
        (["compose", "--bound", "5000", "--random", "9"], "too large"),
        (["merge", "--bound", "2", "--scheduler", "nowhere:1"], "schedule"),
    ],
)
def test_the_command_says_what_is_wrong(args, said) -> None:
    result = typed(["sweep", *args])
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_the_command_counts(tmp_path) -> None:
    result = typed(["sweep", "compose", "--bound", "2", "--json"])
    answer = schema.read(result.stdout)
    assert answer["counts"] == {"compose": answer["inputs"]} == {"compose": layout_pairs(2).count}
    assert json.loads(result.stdout)["answer"] == "yes"
    peer = typed(["sweep", "compose", "--random", "200", "--bound", "6", "--against", "pycute"])
    assert "pycute: wrong" in peer.stdout
    assert "The smallest wrong answers of pycute" in peer.stdout


def test_a_cluster_counts_the_same() -> None:
    distributed = pytest.importorskip("distributed")
    sweep = Sweep("compose", 6, count=5000)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert swept(sweep, scheduler=cluster.scheduler_address) == swept(sweep)
