"""`symview dense`, `injective`, `contiguous`, `strides` and `shard` as a user meets them."""

from __future__ import annotations

import shlex

import pytest
import schema
import z3
from command import Result, typed

from symview.cli.table import COMMANDS

PLANE = "(M,N):(p,q)"
SHARD = ["(A,b)", "--dim", "1", "--parts", "m"]
WHOLE = ("shape", "question", "sharding", "new_shape", "mesh", "placements")
PLACED = ["(N,K)", "S(0)", "(N*K)", "--mesh"]
AT = ["--at", "n=4", "--at", "m=3", "--at", "p=4", "--at", "q=6"]


def symview_(*args: str) -> Result:
    return typed(args)


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["dense", PLANE], 0, "dense exactly if (p = N and q = 1) or ((M = 1 or p = 1) and (N = 1 or q = M))"),
        (["dense", PLANE, "--assume", "M >= 2", "--assume", "N >= 2"], 0, "(p = N and q = 1) or (p = 1 and q = M)"),
        (["dense", "(2,3,4):(3,1,6)"], 0, "The view is dense.\nIts dims from the fastest to the slowest: 1, 0, 2."),
        (["dense", "(3,4):(4,-1)+3"], 1, "The view is not dense.\nDim 1 has stride -1, but would have to be 1."),
        (["dense", "(3,4):(4,-1)+3", "--flips"], 0, "The view is dense."),
        (["dense", "(3,4):(5,1)"], 1, "The view is not dense.\nNo index has address 4, a gap between others."),
        (["dense", PLANE, "--guard", "p == N and q == 1"], 1, "sound, but too strong: "),
        (["dense", "(n,4):(-4,-1)"], 1, "never dense\n"),
        (["injective", "(B,S,D):(0,D,1)"], 0, "one-to-one exactly if B = 1\n"),
        (["injective", "(n,2):(1,0)"], 1, "never one-to-one\n"),
        (["injective", "(n,2):(1,n)"], 0, "always one-to-one\n"),
        (
            ["injective", "(n,m,k):(p,q,r)"],
            3,
            "undecided for some values: add an assumption about p, q, r, or give values\n",
        ),
        (["injective", "(n,m,k):(p,q,r)"], 3, ": not one-to-one\n"),
        (["overlap", "(n,8):(ld,1)", "(n,8):(ld,1)+8", "--assume", "ld >= 16"], 1, "they never overlap\n"),
        (["overlap", "(h,d):(d,1)", "(h,d):(d,1)+p", "--assume", "p >= 0"], 0, "they overlap exactly if d*h > p\n"),
        (
            ["overlap", "(b,h,d):(t,u,1)+i", "(b,h,d):(t,u,1)+j"],
            3,
            "undecided for some values: add an assumption about ",
        ),
        (["injective", "(n,m):(p,q)", "--python"], 0, "n*gcd(p, q) <= abs(q)"),
        (["injective", "(n,m,k):(p,q,r)"], 3, "else: undecided"),
        (["injective", "(n,m):(p,q)", *AT], 1, "The indices (0,2) and (3,0) have the same address 12."),
        (["injective", "(n,m):(p,1)", "--python"], 0, "n == 1 or m <= abs(p)"),
        (["contiguous", "(2,3):(1,2)"], 1, "The view is not contiguous.\nDim 1 has stride 2, but would have to be 1."),
        (["contiguous", "(2,3):(1,2)", "--order", "0,1"], 0, "The view is contiguous."),
        (["contiguous", "(N,C,H,W):(s,1,W*C,C)", "--order", "channels_last"], 0, "N = 1 or s = C*H*W"),
        (["contiguous", PLANE, "--order", "0,0"], 2, "give each of the 2 dims"),
        (["contiguous", PLANE, "--order", "major"], 2, "channels_last"),
        (["strides", "(2,0)"], 0, "arbitrary strides: dims 0, 1"),
        (["strides", "(2,3)"], 0, "arbitrary strides: none"),
        (["strides", "(n)"], 2, "symbolic"),
        (["shard", *SHARD], 0, "A = 1 or b = 1 or m = 1"),
        (["shard", *SHARD, "--python"], 0, "A == 1 or b == 1 or m == 1"),
        (["shard", *SHARD, "--guard", "b == 1 or m == 1"], 1, "sound, but too strong: it refuses A = 1, b = 2, m = 2"),
        (["shard", *SHARD, "--at", "A=2", "--at", "b=3", "--at", "m=2"], 1, "No view with A = 2, b = 3, m = 2: "),
        (["shard", "(4,3,5)", "--dim", "0", "--parts", "2"], 0, "always"),
        (["shard", "(4,3,5)", "--dim", "1", "--parts", "2"], 1, "never"),
        (["shard", "(4,3,5)", "--dim", "1", "--parts", "2", "--dims", "1,2"], 0, "always"),
        (["shard", "(A,b,C)", "--dim", "1", "--parts", "2*m", "--assume", "A >= 2"], 0, "b = 1 and C = 1"),
        (["shard", "(A,b)", "--dim", "2", "--parts", "m"], 2, "give one of 0..1"),
        (["shard", "(A,b)", "--dim", "1", "--parts", "0"], 2, "1 part or more"),
        (["shard", "(A,b)", "--dim", "1", "--parts", "m,n"], 2, "give one number"),
        (["shard", *SHARD, "--dims", "1"], 2, "as in 0,1"),
        (["shard", *SHARD, "--dims", "1,0"], 2, "first and the last"),
        (["shard", "(A,b)", "--dim", "1"], 2, "--parts"),
        (["shard", *SHARD], 0, "of m equal parts"),
        (["shard", *SHARD, "--at", "A=2", "--at", "b=3", "--at", "m=2"], 1, "of m equal parts"),
        (["shard", *PLACED, "m"], 0, "S(0) exactly if K*(-N % m) < m"),
        (["shard", *PLACED, "m", "--explain"], 0, "as much padding before as after"),
        (["shard", *PLACED, "m", "--python"], 0, "K*(-N % m) < m"),
        (["shard", *PLACED, "m", "--guard", "N % m == 0"], 1, "sound, but too strong: it refuses N = 1, K = 1, m = 2"),
        (["shard", *PLACED, "m", "--at", "N=6", "--at", "K=4", "--at", "m=3"], 0, "S(0) with N = 6, K = 4, m = 3"),
        (
            ["shard", *PLACED, "4", "--at", "N=6", "--at", "K=4"],
            1,
            "no: S(0) first differs at element 6 of rank 0 with N = 6",
        ),
        (["shard", *PLACED, "4", "--to", "R"], 1, "R never"),
        (["shard", *PLACED, "m", "--smt2"], 2, "no certificate"),
        (
            ["shard", "(6,4)", "S(0)", "(24)", "--mesh", "4"],
            1,
            "no placement: S(0) first differs at element 6 of rank 0",
        ),
        (
            ["shard", "(6,4)", "S(0)", "(24)", "--mesh", "3", "--to", "_S(0, 2)"],
            1,
            "no: _S(0, 2) first differs at element 4 of rank 0",
        ),
        (["shard", "(4,8)", "S(0), S(0)", "(-1)", "--mesh", "2x2"], 0, "S(0), S(0)"),
        (["shard", *PLACED, "4", "--parts", "2"], 2, "without placements"),
        (["shard", "(N,K)", "S(0)", "(N*K)"], 2, "shard needs SHAPE, PLACEMENTS, NEW and --mesh TEXT"),
        (["shard", "(N,K)", "Shard(0", "(N*K)", "--mesh", "4"], 2, "the nearest is S(0)"),
    ],
)
def test_answers_and_exit_codes(args, code, said) -> None:
    shown = symview_(*args)
    assert shown.exit_code == code
    assert said in (shown.stdout if code != 2 else shown.stderr)


@pytest.mark.parametrize(
    ("args", "answer", "keys"),
    [
        (["dense", PLANE], "conditions", {"view", "question", "flips", "headline", "clauses", "cases"}),
        (["dense", "(2,3)"], "yes", {"view", "question", "flips", "values", "holds", "counterexample", "order"}),
        (["contiguous", "(4):(2)"], "no", {"view", "question", "order", "values", "holds", "counterexample"}),
        (["injective", "(n,m,k):(p,q,r)"], "undecided", {"view", "question", "headline", "cases"}),
        (["injective", "(n,m):(p,q)", *AT], "no", {"view", "question", "values", "holds", "counterexample"}),
        (["shard", *SHARD], "conditions", {"outer", "inner", "views", "headline", "clauses", "cases"}),
        (["shard", *PLACED, "m"], "conditions", {*WHOLE, "headline", "clauses", "cases"}),
        (["shard", "(6,4)", "S(0)", "(24)", "--mesh", "4"], "no", {*WHOLE, "values", "holds", "rank", "position"}),
        (
            ["shard", *SHARD, "--at", "A=2", "--at", "b=3", "--at", "m=1"],
            "yes",
            {"outer", "inner", "views", "values", "merges", "view", "counterexample", "sizes_agree"},
        ),
        (["strides", "(2,1)"], "yes", {"view", "free", "strides", "numpy", "pytorch", "cute", "pycute", "dlpack"}),
    ],
)
def test_json_has_the_documented_keys(args, answer, keys) -> None:
    fields = schema.read(symview_(*args, "--json").stdout)
    assert (fields["command"], fields["answer"]) == (args[0], answer)
    assert fields.keys() - schema.HEAD == keys


@pytest.mark.parametrize("command", ["dense", "injective", "contiguous"])
def test_latex_and_smt_lib(command) -> None:
    assert r"\vee" in symview_(command, "(n,m):(p,1)", "--latex").stdout
    script = symview_(command, "(n,m):(p,1)", "--smt2").stdout
    context = z3.Context()
    answers = z3.Z3_eval_smtlib2_string(context.ref(), script).split()
    assert answers == ["unsat"] * script.count("(check-sat)") != []


@pytest.mark.parametrize("command", ["dense", "injective", "contiguous", "strides", "shard"])
def test_the_examples_of_the_help_print_what_they_say(command) -> None:
    page = symview_(command, "--help").stdout
    examples, shown = COMMANDS[command].examples, page.replace("\n  ", "\n")
    for example in examples:
        given, *said = example.removeprefix("$ ").splitlines()
        assert symview_(*shlex.split(given)[1:]).stdout == "\n".join(said) + "\n"
        assert f"{example}\n" in shown
    assert f"Example:\n\n{examples[0]}\n\n" in shown
    assert "Exit code: 0" in page
