"""Questions as JSON lines: the answers of the commands, in their order, whatever a line says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import schema
from command import Result, typed
from oracle import programs

import symview
from symview.cli.batch import answered
from symview.cli.table import COMMANDS, MANY
from symview.commands import options
from symview.views import replies

ROOT = Path(__file__).parents[2]
PAPER, LINE = "(10,3,3):(σ1,σ2,σ3)", "(s):(4)"
CHAIN = ["(2,4):(1,2)", "(2,4):(1,2)", "(8):(1)"]

# Each question, and the command line that asks the same
ASKED: list[tuple[dict[str, Any], list[str]]] = [
    ({"command": "merge", "views": ["(10,3,3):(9,3,1)", "(4):(4)"]}, ["merge", "(10,3,3):(9,3,1)", "(4):(4)"]),
    ({"command": "merge", "views": CHAIN}, ["merge", *CHAIN]),
    ({"command": "merge", "outer": "(4,6)", "inner": "(24)", "more": "(24)"}, ["merge", "(4,6)", "(24)", "(24)"]),
    ({"command": "merge", "views": ["(9):(-1)+7 [2:8]", "(3,2)"]}, ["merge", "(9):(-1)+7 [2:8]", "(3,2)"]),
    ({"command": "merge", "views": ["(n,4):(a,b)+o", "(4,n):(1,4)"]}, ["merge", "(n,4):(a,b)+o", "(4,n):(1,4)"]),
    ({"command": "conditions", "views": [PAPER, LINE]}, ["conditions", PAPER, LINE]),
    ({"command": "conditions", "views": [PAPER, "(4)"]}, ["conditions", PAPER, "(4)"]),
    ({"command": "conditions", "views": ["(a,b):(b,1)", "(a*b)"]}, ["conditions", "(a,b):(b,1)", "(a*b)"]),
    ({"command": "conditions", "views": [PAPER, LINE], "at": {"s": 3}}, ["conditions", PAPER, LINE, "--at", "s=3"]),
    ({"command": "conditions", "views": [PAPER, LINE], "at": ["s=3"]}, ["conditions", PAPER, LINE, "--at", "s=3"]),
    ({"command": "conditions", "views": [PAPER, LINE], "assume": ["s > 3", "s < 6"], "engine": "smt", "python": True},
     ["conditions", PAPER, LINE, "--assume", "s > 3", "--assume", "s < 6", "--engine", "smt", "--python"]),
    ({"command": "conditions", "views": [PAPER, LINE], "assume": "s > 3", "guard": "s < 9"},
     ["conditions", PAPER, LINE, "--assume", "s > 3", "--guard", "s < 9"]),
    ({"command": "reshape", "view": "(4,6)", "shape": "(2,-1)"}, ["reshape", "(4,6)", "(2,-1)"]),
    ({"command": "reshape", "view": "(4,6):(1,4)", "shape": [24]}, ["reshape", "(4,6):(1,4)", "(24)"]),
    ({"command": "reshape", "view": "(B,S,D):(t0,t1,t2)", "shape": ["B*S", "D"]},
     ["reshape", "(B,S,D):(t0,t1,t2)", "(B*S,D)"]),
    ({"command": "chain", "views": CHAIN}, ["chain", *CHAIN]),
    ({"command": "chain", "views": CHAIN, "equals": ["(8)"]}, ["chain", *CHAIN, "--equals", "(8)"]),
    ({"command": "overflows", "views": [PAPER, "(4):(4)"], "all": True}, ["overflows", PAPER, "(4):(4)", "--all"]),
    ({"command": "overflows", "views": [PAPER, "(6):(4)"]}, ["overflows", PAPER, "(6):(4)"]),
    ({"command": "counterexample", "views": ["(4,6)", "(24)"]}, ["counterexample", "(4,6)", "(24)"]),
    ({"command": "counterexample", "views": ["(3,3):(a,b)", "(9)"]}, ["counterexample", "(3,3):(a,b)", "(9)"]),
    ({"command": "prove", "statement": "x % 6 // 3 < 2", "assume": "x > 0"},
     ["prove", "x % 6 // 3 < 2", "--assume", "x > 0"]),
    ({"command": "prove", "statement": "x + 1 > x", "bits": "u8"}, ["prove", "x + 1 > x", "--bits", "u8"]),
    ({"command": "prove", "statement": "x + 1 > x", "bits": 8}, ["prove", "x + 1 > x", "--bits", "8"]),
    ({"command": "weakest", "statement": "x % m == x", "about": "m", "assume": "x >= 0 and m > 0 and x < 9"},
     ["weakest", "x % m == x", "--about", "m", "--assume", "x >= 0 and m > 0 and x < 9"]),
    ({"command": "weakest", "statement": "x//c*c == x*d", "about": ["c", "d"]},
     ["weakest", "x//c*c == x*d", "--about", "c, d"]),
    ({"command": "compose", "a": "(4,6,8):(a,b,c)", "b": "6:3"}, ["compose", "(4,6,8):(a,b,c)", "6:3"]),
    ({"command": "compose", "a": "(6,2):(1,7)", "b": "(3,2):(2,3)"}, ["compose", "(6,2):(1,7)", "(3,2):(2,3)"]),
    ({"command": "compose", "a": "(4,6):(a,b)", "b": "6:1", "at": {"a": 1, "b": 4}},
     ["compose", "(4,6):(a,b)", "6:1", "--at", "a=1", "--at", "b=4"]),
    ({"command": "coalesce", "a": "(2,(1,6)):(1,(6,2))"}, ["coalesce", "(2,(1,6)):(1,(6,2))"]),
    ({"command": "complement", "a": "4:2", "bound": 16}, ["complement", "4:2", "16"]),
    ({"command": "complement", "a": "(2,2):(1,1)", "bound": 8}, ["complement", "(2,2):(1,1)", "8"]),
    ({"command": "inverse", "a": "(2,8):(3,5)", "side": "left"}, ["inverse", "(2,8):(3,5)", "--side", "left"]),
    ({"command": "linear", "a": "4:1", "size": 3}, ["linear", "4:1", "--size", "3"]),
    ({"command": "divide", "a": "(4,6)", "b": "<2,3>", "as": "zipped"}, ["divide", "(4,6)", "<2,3>", "--as", "zipped"]),
    ({"command": "product", "a": "(2,2):(4,1)", "b": 6}, ["product", "(2,2):(4,1)", "6"]),
    ({"command": "banks", "layout": "(8,4):(64,8)", "bytes": 2, "vector": 8},
     ["banks", "(8,4):(64,8)", "--bytes", "2", "--vector", "8"]),
    ({"command": "swizzle", "tile": [8, 8], "accesses": ["row", "column"], "bytes": 4},
     ["swizzle", "(8,8)", "row", "column", "--bytes", "4"]),
    ({"command": "banks", "layout": "64:ld", "machine": "cdna4"}, ["banks", "64:ld", "--machine", "cdna4"]),
    ({"command": "banks", "layout": "64:1", "machine": "cdna3", "write": True},
     ["banks", "64:1", "--machine", "cdna3", "--write"]),
    ({"command": "banks", "layout": "8:4", "phases": "0-3; 4-7"}, ["banks", "8:4", "--phases", "0-3; 4-7"]),
    ({"command": "swizzle", "tile": [64, 64], "accesses": ["row 4 B", "column 4 B"], "bytes": 2, "machine": "cdna4"},
     ["swizzle", "(64,64)", "row 4 B", "column 4 B", "--bytes", "2", "--machine", "cdna4"]),
    ({"command": "recast", "view": "(4,8):(9,1)", "old": "fp16", "new": 32}, ["recast", "(4,8):(9,1)", "fp16", "32"]),
    ({"command": "recast", "view": "(a,8):(ld,1)", "old": 16, "new": 32, "at": {"a": 2, "ld": 6}},
     ["recast", "(a,8):(ld,1)", "16", "32", "--at", "a=2", "--at", "ld=6"]),
    ({"command": "span", "view": "(a,2):(s,1)", "storage": "N"}, ["span", "(a,2):(s,1)", "--storage", "N"]),
    ({"command": "footprint", "layout": "(4,2):(1,d)", "at": {"d": 8}}, ["footprint", "(4,2):(1,d)", "--at", "d=8"]),
    ({"command": "dense", "view": "(M,N):(p,q)"}, ["dense", "(M,N):(p,q)"]),
    ({"command": "dense", "view": "(3,4):(4,-1)+3", "flips": True}, ["dense", "(3,4):(4,-1)+3", "--flips"]),
    ({"command": "injective", "view": "(3,2):(1,2)"}, ["injective", "(3,2):(1,2)"]),
    ({"command": "injective", "view": "(n,m):(p,1)", "at": {"n": 2, "m": 3, "p": 2}},
     ["injective", "(n,m):(p,1)", "--at", "n=2", "--at", "m=3", "--at", "p=2"]),
    ({"command": "contiguous", "view": "(3,4):(1,3)", "order": [0, 1]},
     ["contiguous", "(3,4):(1,3)", "--order", "0,1"]),
    ({"command": "overlap", "a": "(n,8):(ld,1)", "b": "(n,8):(ld,1)+8"}, ["overlap", "(n,8):(ld,1)", "(n,8):(ld,1)+8"]),
    ({"command": "overlap", "a": "(4,8):(16,1)", "b": "(4,8):(16,1)+8"}, ["overlap", "(4,8):(16,1)", "(4,8):(16,1)+8"]),
    ({"command": "overlap", "a": "(n):(2)", "b": "(3):(2)+1", "at": {"n": 4}},
     ["overlap", "(n):(2)", "(3):(2)+1", "--at", "n=4"]),
    ({"command": "index-map", "expressions": "(x//4, x % 4)", "ranges": "x: 0..16"},
     ["index-map", "(x//4, x % 4)", "x: 0..16"]),
    ({"command": "index-map", "expressions": "(x//m, x % m)", "ranges": "x: n"},
     ["index-map", "(x//m, x % m)", "x: n"]),
    ({"command": "index-map", "expressions": "x//4 + x % 4", "ranges": "x: n"}, ["index-map", "x//4 + x % 4", "x: n"]),
    ({"command": "plan", "tensor": "q(B,S,H)", "programs": ["reshape(B*S,H)", "permute(0,2,1).reshape(B*H,S)"]},
     ["plan", "q(B,S,H)", "reshape(B*S,H)", "permute(0,2,1).reshape(B*H,S)"]),
    ({"command": "plan", "tensor": "q(4,6)", "programs": ["reshape(24)"], "align": "tma", "bytes": 4},
     ["plan", "q(4,6)", "reshape(24)", "--align", "tma", "--bytes", "4"]),
    ({"command": "strides", "view": "(3,1,4)"}, ["strides", "(3,1,4)"]),
    (
        {"command": "shard", "shape": ["A", "b"], "dim": 1, "parts": "m"},
        ["shard", "(A,b)", "--dim", "1", "--parts", "m"],
    ),
    (
        {"command": "shard", "shape": [4, 8], "placements": ["S(0)", "S(0)"], "new_shape": [2, 16, 1], "mesh": [2, 2]},
        ["shard", "(4,8)", "S(0), S(0)", "(2,16,1)", "--mesh", "2x2"],
    ),
    (
        {"command": "shard", "shape": "(N,K)", "placements": "S(0)", "new_shape": "(N*K)", "mesh": "m"},
        ["shard", "(N,K)", "S(0)", "(N*K)", "--mesh", "m"],
    ),
    ({"command": "draw", "views": ["(2,3)"]}, ["draw", "(2,3)"]),
    ({"command": "draw", "views": [PAPER, LINE]}, ["draw", PAPER, LINE]),
    ({"command": "merge", "views": ["(4)", "(5)"]}, ["merge", "(4)", "(5)"]),
    ({"command": "merge", "views": ["(4", "(5)"]}, ["merge", "(4", "(5)"]),
    ({"command": "conditions", "views": [PAPER, LINE], "explain": True}, ["conditions", PAPER, LINE, "--explain"]),
    ({"command": "conditions", "views": [PAPER, LINE], "timeout": -1}, ["conditions", PAPER, LINE, "--timeout", "-1"]),
    ({"command": "prove", "statement": "x*y*z*(x+y+z) != 12345 or x*y > z", "budget": 1},
     ["prove", "x*y*z*(x+y+z) != 12345 or x*y > z", "--budget", "1"]),
]  # fmt: skip


def batch(lines: list[str | bytes], *options: str, code: int | None = None) -> list[dict[str, Any]]:
    """The answers to some lines; each is held against the schema."""
    text = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)
    run = typed(["batch", *options], given=text)
    assert code is None or run.exit_code == code, run.output
    return [schema.read(line) for line in run.stdout.splitlines()]


@cache
def asked_alone(args: tuple[str, ...]) -> Result:
    """The command line by itself."""
    return typed([*args, "--json"])


def without(found: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key not in ("seconds", *keys)}


def test_every_command_can_be_asked() -> None:
    assert {question["command"] for question, _ in ASKED} == set(COMMANDS) - {*MANY, "verify"}


@pytest.mark.dear
def test_answers_are_those_of_the_commands() -> None:
    found = batch([json.dumps(question) for question, _ in ASKED])
    assert [answer["line"] for answer in found] == list(range(1, len(ASKED) + 1))
    for (_, args), answer in zip(ASKED, found, strict=True):
        printed = schema.read(asked_alone(tuple(args)).stdout)
        assert without(answer, "line") == without(printed), args


def test_the_answer_in_one_word() -> None:
    text = {" ".join(args): asked_alone(tuple(args)) for _, args in ASKED}
    words = {query: (run.exit_code, json.loads(run.stdout).get("answer")) for query, run in text.items()}
    codes = {"yes": 0, "conditions": 0, "no": 1, "undecided": 3, None: 2}
    assert all(code == codes[word] for code, word in words.values()), words
    assert {word for _, word in words.values()} == set(codes)
    for query, word in (
        ("merge (4,6) (24) (24)", "yes"), (f"conditions {PAPER} {LINE}", "conditions"),
        ("dense (M,N):(p,q)", "conditions"),
        ("conditions (a,b):(b,1) (a*b)", "yes"), ("counterexample (3,3):(a,b) (9)", "no"), ("strides (3,1,4)", "yes"),
        ("counterexample (4,6) (24)", "yes"), ("reshape (4,6):(1,4) (24)", "no"),
    ):  # fmt: skip
        assert words[query][1] == word, query


NO_QUESTIONS = [
    ("hello", "not JSON"), ("[1, 2]", "an object with a command"), ("3", "an object with a command"), ("{}", "command"),
    ('{"command": 3}', "command"), ('{"command": "paint"}', "paint"), ('{"command": "batch"}', "no command 'batch'"),
    ('{"command": "merge"}', "merge needs outer and inner"), ('{"command": "merge", "views": ["(4)"]}', "two views"),
    ('{"command": "overflows", "views": ["(4)", "(4)", "(4)"]}', "a list of two views"),
    ('{"command": "merge", "views": "(4)"}', "two views or more"),
    ('{"command": "merge", "views": ["(4)", 4.5]}', "give a text"),
    ('{"command": "merge", "views": ["(4)", "(4)"], "size": 3}', "no key 'size'"),
    ('{"command": "merge", "views": ["(4)", "(4)"], "budget": "much"}', "give an integer"),
    ('{"command": "merge", "views": ["(4)", "(4)"], "budget": true}', "give an integer"),
    ('{"command": "merge", "views": ["(4)", "(4)"], "budget": 0}', "give an integer, 1 or more"),
    ('{"command": "merge", "views": ["(4)", "(4)"], "timeout": "1"}', "give a number"),
    ('{"command": "overflows", "views": ["(4)", "(4)"], "all": 1}', "true or false"),
    ('{"command": "chain", "views": [["(4)"]]}', "a list of texts"),
    ('{"command": "conditions", "views": ["(n)", "(n)"], "at": {"n": 1.5}}', "NAME=INT"),
    ('{"command": "conditions", "views": ["(n)", "(n)"], "at": 3}', "a list of texts"),
    ('{"command": "conditions", "views": ["(n)", "(n)"], "assume": {"n > 1": 1}}', "a list of texts"),
    ('{"command": "conditions", "views": ["(n)", "(n)"], "latex": true, "guard": "n > 1"}', "choose one"),
    ('{"command": "reshape", "view": "(4)", "shape": {"n": 4}}', "give a text"),
    ('{"command": "verify", "files": "-"}', "questions"),
    ('{"command": "prove", "statement": "x == x", "bits": "%s"}' % ("9" * 5000), "999"),
    (b'{"command": "merge\xff"}', "not JSON"), ("[" * 100_000, "not JSON"),
    ('{"command": ' + "1" * 5000 + "}", "not JSON"),
]  # fmt: skip


def test_what_is_no_question_is_said_by_its_line_and_the_rest_goes_on() -> None:
    good = '{"command": "merge", "views": ["(4,6)", "(24)"]}'
    lines = [line for bad, _ in NO_QUESTIONS for line in (bad, good, "", "  ")]
    found = batch(lines, code=2)
    assert [answer["line"] for answer in found] == [n for k in range(len(NO_QUESTIONS)) for n in (4 * k + 1, 4 * k + 2)]
    for (bad, part), no, yes in zip(NO_QUESTIONS, found[::2], found[1::2], strict=True):
        assert no.keys() == {"line", "error", "kind"} and part in no["error"], (bad, no)
        assert yes["answer"] == "yes"


def test_the_exit_code_is_the_worst_of_the_lines(monkeypatch) -> None:
    yes, no = (
        '{"command": "merge", "views": ["(4,6)", "(24)"]}',
        '{"command": "merge", "views": ["(4,6):(1,4)", "(24)"]}',
    )
    left = '{"command": "prove", "statement": "x*y*z*(x+y+z) != 12345 or x*y > z", "budget": 1}'
    assert batch([], code=0) == []
    assert [a["answer"] for a in batch([yes, no], code=0)] == ["yes", "no"]
    assert [a["answer"] for a in batch([yes, left, no], code=3)] == ["yes", "undecided", "no"]
    batch([left, "hello"], code=2)
    monkeypatch.setattr(replies, "merge_views", lambda *_, **__: 1 // 0)
    (broken, *_) = batch([yes, "hello"], code=70)
    assert broken["kind"] == "ZeroDivisionError" and "a defect of symview" in broken["error"]


def test_a_file_of_questions(tmp_path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('{"command": "merge", "views": ["(4,6)", "(24)"]}\n\n{"command": "strides", "view": "(3,1,4)"}')
    assert [a["line"] for a in batch([], str(file), code=0)] == [1, 3]
    none = typed(["batch", str(tmp_path / "none")])
    assert (none.exit_code, none.stdout) == (2, "")
    assert "none" in none.stderr


def random_question(rng: Random) -> str:
    if rng.random() < 0.1:
        return "no question"
    chain = [str(symview.View(*v)) for v in programs.masked_chain(rng, 2, 3)]
    return json.dumps({"command": rng.choice(("merge", "chain")), "views": chain})


@pytest.mark.dear
def test_several_processes_answer_the_same_in_the_same_order(turns) -> None:
    rng = Random("batch")
    lines = [random_question(rng) for _ in turns(200)]
    one, two = (batch(lines, "--jobs", jobs, code=2) for jobs in ("1", "2"))
    assert one == two and [a["line"] for a in one] == list(range(1, len(lines) + 1))


DYING = """
import os, sys
from symview.cli import batch

usual = batch.answered

def answered(line, ascii_only=False):
    return os._exit(9) if b"die" in line[1] else usual(line, ascii_only)

batch.answered = answered
if __name__ == "__main__":
    sys.exit(batch.batch(sys.argv[1], 2))
"""


def test_a_line_whose_process_dies_has_an_error_and_the_rest_goes_on(tmp_path) -> None:
    program, questions = tmp_path / "dying.py", tmp_path / "questions.jsonl"
    program.write_text(DYING)
    good = '{"command": "merge", "views": ["(4,6)", "(24)"]}'
    dead = (20,)
    questions.write_text("\n".join("die" if n in dead else good for n in range(1, 41)))
    run = subprocess.run(
        [sys.executable, str(program), str(questions)],
        capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip
    found = list(map(schema.read, run.stdout.splitlines()))
    assert [a["line"] for a in found] == list(range(1, 41))
    assert {a["line"]: a["kind"] for a in found if "kind" in a} == dict.fromkeys(dead, "ProcessDied")
    assert run.returncode == 70


def test_answers_come_as_questions_do() -> None:
    """A program asks, waits for the answer, and asks again."""
    command = [sys.executable, "-m", "symview", "batch"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdin and run.stdout
        for n in (1, 2, 3):
            run.stdin.write(b'{"command": "merge", "views": ["(4,6)", "(24)"]}\n')
            run.stdin.flush()
            assert json.loads(run.stdout.readline())["line"] == n
        run.stdin.close()
        assert run.wait() == 0


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_answers_survive_any_encoding(encoding) -> None:
    question = json.dumps({"command": "overflows", "views": [PAPER, "(6):(4)"]}).encode()
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    run = subprocess.run(
        [sys.executable, "-m", "symview", "batch"],
        cwd=ROOT,
        input=question,
        capture_output=True,
        env=environment,
        check=True,
    )
    assert schema.read(run.stdout.decode(encoding))["outer"] == PAPER


def test_questions_on_numbers_load_nothing_heavy() -> None:
    question = '{"command": "merge", "views": ["(4,6)", "(24)"]}'
    program = (
        "import sys; from symview.cli.batch import answered; "
        f"print(answered((1, b'{question}'))[0].name, *sorted({{'z3', 'sympy', 'islpy', 'numpy'}} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["YES"]


def test_what_a_clock_counts_is_the_question(monkeypatch) -> None:
    """Libraries are loaded before the clock starts, and only where there is a clock."""
    happened = []
    real = options.budget_of
    monkeypatch.setattr(options, "_load", lambda: happened.append("load"))
    monkeypatch.setattr(options, "budget_of", lambda *given: happened.append("clock") or real(*given))
    for clock in ({"timeout": 1}, {}):
        answered((1, json.dumps({"command": "merge", "views": ["(4,6)", "(24)"], **clock}).encode()))
    assert happened == ["load", "clock", "clock"]
