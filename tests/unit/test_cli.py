"""The command line as a user meets it: answers, exit codes, errors, encodings, terminals, start-up."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest
import schema
from command import Result, typed
from scripts import z3_answers

import symview.cute
from symview import InputError, View, conditions, merge, overflows, reshape_conditions
from symview.cli.table import COMMANDS as TABLE
from symview.commands.entries import Group
from symview.errors import InternalError
from symview.views import replies

ROOT = Path(__file__).parents[2]
PAPER = "(10,3,3):(σ1,σ2,σ3)"
LINE = "(s):(4)"
BATCH = "(B,S,D):(t0,t1,t2)", "(B*S,D)"  # two leading dims as one
WEAKEST = "B == 1 or S == 1 or t0 == S*t1"
COMMANDS = ["conditions", "merge", "reshape", "chain", "overflows", "counterexample", "prove"]
WORKED = """\
1 ≤ s ≤ 3: always
4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3
6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3
s ≥ 24: out of bounds

sizes       merged view    simplified by the condition
1 ≤ s ≤ 3   (s):(σ2 + σ3)
4 ≤ s ≤ 5   (s):(σ2 + σ3)
6 ≤ s ≤ 23  (s):(σ2 + σ3)  (s):(4*σ3)
"""


def symview_(*args: str) -> Result:
    result = typed(args)
    if "--json" in args and result.stdout:
        schema.read(result.stdout)
    return result


def process(*args: str | bytes, module: str = "symview", **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", module, *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, env={**os.environ, **environment}, check=False)


def subset_sum_pair() -> tuple[str, str]:
    """Views that merge because no subset of 14 numbers has a certain sum, which takes a search to find out."""
    rng = Random(3)
    numbers = [rng.randrange(1000, 200_000) for _ in range(14)]
    sums = next(s for s in reversed(list(accumulate(numbers, lambda s, n: s | {x + n for x in s}, initial={0}))))
    target = next(t for t in range(sum(numbers) // 2, sum(numbers)) if t not in sums)
    below = sum(numbers) + 1
    size = below + 1
    outer = View((2, size, below), (1 - size, -1, 0))
    inner = View((2,) * 14, [size * a for a in numbers], size * below - target * size + below - 1)
    return str(outer), str(inner)


# Answers and exit codes


def test_the_worked_example():
    result = symview_("conditions", PAPER, LINE)
    assert (result.exit_code, result.stdout, result.stderr) == (0, WORKED, "")


HARD = subset_sum_pair()


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["conditions", PAPER, LINE], 0, "σ1 = 3σ2 and σ2 = 3σ3"),
        (["conditions", "(2,3)", "(6):(1)"], 0, "always"),
        (["conditions", "(10,3,3):(9,2,1)", LINE, "--assume", "s >= 4"], 1, "s ≤ 23: never\ns ≥ 24: out of bounds\n"),
        (["conditions", PAPER, LINE, "--assume", "s >= 24"], 1, "out of bounds\n"),
        (["conditions", PAPER, LINE, "--budget", "1"], 0, "σ1 = 3σ2 and σ2 = 3σ3"),
        (["conditions", PAPER, LINE, "--budget", "1", "--engine", "smt"], 3, "Undecided for 1 ≤ s ≤ 23: Z3 gave up"),
        (["conditions", PAPER, LINE, "--at", "s=3"], 0, "The views merge with s = 3."),
        (["conditions", PAPER, LINE, "--at", "s=24"], 1, "The views do not merge with s = 24."),
        (["merge", "(10,3,3):(9,3,1)", "(4):(4)"], 0, "(4):(4)\n"),
        (["merge", "(10,3,3):(1,1,1)", "(4):(4)"], 1, "is at address 2; constant strides would put it at 6."),
        (["merge", *HARD], 0, "(2,2,2,2,2,2,2,2,2,2,2,2,2,2):("),
        (["merge", *HARD, "--budget", "1"], 3, "error: undecided: the budget ran out: allow more work"),
        (["conditions", "(10,3,3):(a,b,c)", "(m,n):(3,1)"], 0, "4 ≤ m ≤ 30 and n ≤ 3         a = 3*b  "),
        (["conditions", "(10,3,3):(a,b,c)", "(2*n):(4)"], 0, "n = 2: a = 2*b + 3*c\n"),
        (["conditions", PAPER, LINE, "--guard", "s <= 3"], 1, "sound, but too strong: it refuses σ1 = 0, σ2 = 0"),
        (["conditions", PAPER, LINE, "--guard", "s <= 4"], 1, "too weak: it allows "),
        (["conditions", PAPER, LINE, "--assume", "s <= 5", "--guard", "s < 4 or σ1 = 2σ2 + 3σ3"], 0, "exact: "),
        (["conditions", PAPER, "(6):(4)", "--python"], 0, "σ1 == 3*σ2 and σ2 == 3*σ3\n"),
        (["conditions", "(10,3,3):(9,2,1)", "(4):(4)", "--python"], 1, "False\n"),
        (["reshape", *BATCH], 0, "B = 1 or S = 1 or t0 = S*t1\n\n"),
        (["reshape", *BATCH, "--assume", "B >= 2"], 0, "S = 1 or t0 = S*t1\n\n"),
        (["reshape", *BATCH, "--assume", "B >= 2", "--assume", "S > 1"], 0, "t0 = S*t1\n\n"),
        (["reshape", *BATCH, "--python"], 0, f"{WEAKEST}\n"),
        (["reshape", *BATCH, "--latex"], 0, "B = 1 \\vee S = 1 \\vee t_{0} = S t_{1}\n"),
        (["reshape", *BATCH, "--guard", WEAKEST], 0, "exact: the guard holds exactly where the reshape is a view\n"),
        (["reshape", *BATCH, "--guard", "B = 1 or S = 1 or t0 = S*t1"], 0, "exact: "),
        (["reshape", *BATCH, "--guard", "t0 == S*t1"], 1, "sound, but too strong: it refuses B = 1, S = 1, D = 1"),
        (["reshape", *BATCH, "--guard", "S > 0"], 1, "too weak: it allows B = 2, S = 2, D = 1, t0 = 0, t1 = 1, t2 = 0"),
        (["reshape", *BATCH, "--guard", "S > 0"], 1, "where the reshape breaks at index (2,0)\n"),
        (["reshape", "(B,u,D):(S*D,D,1)", "(B*u,D)", "--assume", "u <= S"], 0, "B = 1 or u = 1 or S = u\n\n"),
        (["reshape", "(i0,192)", "(12,-1,192)"], 0, "i0 % 12 = 0\n\n"),
        (["reshape", "(i0,192)", "(12,-1,192)"], 0, "\n\nNever for i0 % 12 ≠ 0, since 12 has to divide i0.\n"),
        (["reshape", "(u0,20,4):(80,1,20)", "(u0,80)"], 1, "never\n\nNever, since dims 1 and 2 are not contiguous"),
        (["reshape", "(u0,20,4):(80,1,20)", "(u0,80)", "--python"], 1, "False\n"),
        (["reshape", "(4,6):(1,4*c)", "(24)"], 1, "never\n\nNever, since no integers that are allowed satisfy 24*c ="),
        (["reshape", "(4,6)", "(a,b)"], 0, "a*b = 24\n\n"),
        (["reshape", "(4,6):(1,4)", "(24)", "--python"], 1, "False\n"),
        (["reshape", "(4,6)", "(24)", "--explain"], 0, "always\n"),
        (["overflows", PAPER, "(6):(4)"], 0, "dim 2 into 1 into 0"),
        (["overflows", "(2000000,2)", "(1000001):(1)", "--all"], 3, "Not complete: the box has 1000001 indices"),
        (["counterexample", PAPER, LINE], 1, "constant strides would put it at 3."),
        (["counterexample", "(10,3,3)", "(23):(4)"], 0, "No counterexample: the views merge."),
        (["counterexample", "(10,3,3)", LINE], 1, "Out of bounds with s = 24."),
        (["counterexample", *HARD, "--budget", "1"], 3, "error: undecided"),
        (["prove", "(x % (q*c)) % c == x % c", "--assume", "q >= 1 and c >= 1"], 0, "proved"),
        (["prove", "(x + y)//2 == x//2 + y//2"], 1, "refuted"),
        (["prove", "a//b*b + a % b == a"], 3, "proved if b != 0, which has to be assumed: a//b*b + a % b == a  "),
        (
            ["prove", "(a + b)//2 >= a", "--assume", "b >= a", "--bits", "i8"], 1,
            "refuted in 8-bit signed arithmetic given b >= a: (a + b)//2 >= a  at a = 1, b = 127 (smallest): "
            "-64 on the left, 1 on the right; a + b = 128 becomes -128\n",
        ),
        (["prove", "a*a*a + b*b*b != c*c*c", "--assume", "a > 0 and b > 0 and c > 0", "--budget", "1"], 3, "unknown"),
        (["prove", "-7 // 2 == -3", "--division", "trunc"], 0, "proved"),
        (["prove", "-7 // 2 == -3", "--division", "floor"], 1, "refuted: -7//2 == -3"),
        (["prove", "-x ≤ -3", "--assume", "-x < -5"], 0, "proved"),
        (["--version"], 0, f"symview {symview.__version__}\n"),
        (["--version", "--json"], 0, '"packages": {\n    "z3-solver": "'),
        ([], 2, "Usage: symview"),
    ],
)  # fmt: skip
def test_answers_and_exit_codes(args, code, said):
    result = symview_(*args)
    assert result.exit_code == code
    assert said in (result.stderr if code == 2 or "error" in said else result.stdout)


def test_merge_prints_what_it_can_read():
    printed = symview_("merge", "(4,6):(-6,1)+18", "(2,3):(13,2)").stdout
    assert View.parse(printed) == merge(View((4, 6), (-6, 1), 18), View((2, 3), (13, 2)))


@pytest.mark.parametrize("engine", ["enumerate", "smt", "auto"])
def test_engines_answer_alike(engine):
    assert symview_("conditions", PAPER, "(6):(4)", "--engine", engine).stdout.startswith("σ1 = 3σ2 and σ2 = 3σ3\n")


def test_explanations_are_there_when_asked_for():
    plain, explained = [symview_("conditions", PAPER, LINE, *more).stdout for more in ([], ["-v"])]
    assert explained.startswith(plain)
    assert "Why 6 ≤ s ≤ 23" in explained.removeprefix(plain)
    assert symview_("conditions", PAPER, LINE, "--explain").stdout == explained


def test_assumptions_add_up():
    given = ["--assume", "s >= 4", "--assume", "s < 6"]
    assert symview_("conditions", PAPER, LINE, *given).stdout.startswith("σ1 = 2σ2 + 3σ3\n\n")
    found = symview_("counterexample", PAPER, LINE, "--assume", "σ3 > 4", "--assume", "s != 4", "--json")
    assert json.loads(found.stdout)["counterexample"]["values"] == {"σ1": 0, "σ2": 0, "σ3": 5, "s": 5}


def test_the_tables_of_the_paper():
    rows = symview_("overflows", PAPER, "(6):(4)", "--all").stdout.splitlines()
    assert [row.split() for row in rows] == [line.split() for line in (
        "i i1 i2 i3 Equation", "0 0 0 0", "1 0 1 1 τ = σ2 + σ3", "2 0 2 2 τ = σ2 + σ3",
        "3 1 1 0 σ1 + σ2 = 2σ2 + 2σ3 + τ", "4 1 2 1 τ = σ2 + σ3", "5 2 0 2 2σ1 + 2σ3 = σ1 + 2σ2 + σ3 + τ",
    )]  # fmt: skip


# Values


def test_values_decide_conditions():
    good = ["--at", "s=4", "--at", "σ1=5", "--at", "σ2=1", "--at", "σ3 = 1"]
    bad = [*good[:-1], "σ3=2"]
    assert symview_("conditions", PAPER, LINE, *good).stdout == (
        "The views merge with s = 4, σ1 = 5, σ2 = 1, σ3 = 1: (4):(2)\n"
    )
    broken = symview_("conditions", PAPER, LINE, *bad)
    assert broken.exit_code == 1
    assert broken.stdout.startswith("The views do not merge with s = 4, σ1 = 5, σ2 = 1, σ3 = 2.\nAt index (3) ")
    assert symview_("counterexample", PAPER, LINE, *bad).stdout == broken.stdout
    assert symview_("counterexample", PAPER, LINE, *good).exit_code == 0


def test_a_reshape_begins_with_the_dims_that_are_not_contiguous():
    """Not in column-major order, whose dims are numbered otherwise, nor with a mask."""
    plain = symview_("reshape", "(4,6,3):(1,4,50)", "(72)").stdout.splitlines()[0]
    assert plain == (
        "No view: dims 0 and 1 are not contiguous: stride 0 is 1, but would have to be 24; "
        "dims 1 and 2 are not contiguous: stride 1 is 4, but would have to be 150."
    )
    for asked in (["(2,3):(3,1)", "(3,2)", "--order", "F"], ["(4,6):(1,4) [0:2,0:6]", "(24)"]):
        assert symview_("reshape", *asked).stdout.startswith("No view.\nAt index ")


def at(**values: int) -> list[str]:
    return [part for name, value in values.items() for part in ("--at", f"{name}={value}")]


def test_values_decide_reshapes():
    good, bad = at(B=2, S=3, D=4, t0=12, t1=4, t2=1), at(B=2, S=3, D=4, t0=13, t1=4, t2=1)
    yes = symview_("reshape", *BATCH, *good)
    assert (yes.exit_code, yes.stdout.partition(": ")[2]) == (0, "(6,4):(4,1)\n")
    no = symview_("reshape", *BATCH, *bad)
    assert no.exit_code == 1
    text, where, *_ = no.stdout.splitlines()
    assert text == (
        "No view with B = 2, S = 3, D = 4, t0 = 13, t1 = 4, t2 = 1: dims 0 and 1 are not contiguous: "
        "stride 0 is 13, but would have to be 12."
    )
    assert where.startswith("At index (3,0) ")
    assert no.stdout.endswith("along an axis.\n")
    enough = symview_("reshape", *BATCH, *at(B=2, S=3, t0=12, t1=4))
    assert (enough.exit_code, enough.stdout) == (0, "A view with B = 2, S = 3, t0 = 12, t1 = 4.\n")
    open_ = symview_("reshape", *BATCH, *at(B=2, S=3, t0=9, t1=4))
    assert open_.exit_code == 1
    assert open_.stdout == "No view with B = 2, S = 3, t0 = 9, t1 = 4.\n\nB = 1 or S = 1 or t0 = S*t1\n"


def test_sizes_that_do_not_agree_are_said_so():
    regrouped = "(a,b):(s,t)", "(c,d)"
    values = at(a=2, b=3, c=4, d=2, s=0, t=0)
    no = symview_("reshape", *regrouped, *values)
    assert no.exit_code == 1
    assert no.stdout.endswith("t = 0: the sizes agree only if a*b = c*d.\n")
    found = json.loads(symview_("reshape", *regrouped, *values, "--json").stdout)
    assert (found["merges"], found["sizes_agree"], found["view"], found["counterexample"]) == (False, False, None, None)
    no = symview_("reshape", "(i0,192)", "(12,-1,192)", *at(i0=35))
    assert (no.exit_code, no.stdout.partition(": ")[2]) == (1, "the sizes agree only if i0 % 12 = 0.\n")
    yes = symview_("reshape", "(i0,192)", "(12,-1,192)", *at(i0=36))
    assert (yes.exit_code, yes.stdout) == (0, "A view with i0 = 36: (12,3,192):(576,192,1)\n")


def test_a_point_of_an_undecided_case_is_settled_by_its_numbers():
    command = ["conditions", PAPER, LINE, "--engine", "smt", "--budget", "1"]
    good, bad = at(s=6, σ1=9, σ2=3, σ3=1), at(s=6, σ1=9, σ2=3, σ3=2)
    assert symview_(*command).exit_code == 3
    assert symview_(*command, *good).stdout == "The views merge with s = 6, σ1 = 9, σ2 = 3, σ3 = 1: (6):(4)\n"
    assert symview_(*command, *bad).exit_code == 1
    assert symview_(*command, *at(s=6)).exit_code == 3


# JSON


CASES = {"outer", "inner", "views", "headline", "cases"}
CLAUSES = {*CASES, "clauses"}
POINT = {"outer", "inner", "views", "values", "merges", "view", "counterexample"}


def keys_documented(command: str) -> set[str]:
    """The keys that docs/json.md lists for a command; none where it has no entry there."""
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8").partition("## Keys of each command")[2]
    entries = re.findall(r"^\* (\*\*.*?): ((?:.+\n)+?)(?=\*|\n)", page, re.MULTILINE)
    return {key for names, text in entries if f"**{command}**" in names for key in re.findall(r"`(\w+)`", text)}


@pytest.mark.parametrize("command", TABLE)
def test_every_command_has_its_keys_in_the_documents(command):
    assert keys_documented(command) or command in ("divide", "product")  # as for compose


@pytest.mark.parametrize(
    ("args", "keys"),
    [
        (["conditions", PAPER, LINE], {"outer", "inner", "views", "headline", "cases"}),
        (["conditions", PAPER, LINE, "--at", "s=3"],
         {"outer", "inner", "views", "values", "merges", "view", "counterexample"}),
        (["merge", "(10,3,3)", "(4):(4)"], {"outer", "inner", "views", "merges", "view", "counterexample"}),
        (["merge", "(10,3,3):(1,1,1)", "(4):(4)"], {"outer", "inner", "views", "merges", "view", "counterexample"}),
        (["reshape", "(4,6)", "(2,-1)"], {"view_given", "shape", "order", "merges", "view", "counterexample"}),
        (["reshape", "(4,6):(1,4)", "(-1)"], {"view_given", "shape", "order", "merges", "view", "counterexample"}),
        (["reshape", *BATCH], {*CLAUSES}),
        (["reshape", *BATCH, "--python"], {*CLAUSES, "python"}),
        (["reshape", *BATCH, "--guard", "S > 0"], {*CLAUSES, "guard"}),
        (["reshape", *BATCH, *at(B=1, S=1, t0=1, t1=1)], {*POINT, "sizes_agree"}),
        (["reshape", "(4,6)", "(24)", "--assume", "1 < 2"], {*CASES}),
        (["conditions", PAPER, LINE, "--python"], {*CASES, "python"}),
        (["conditions", PAPER, LINE, "--guard", "s < 2"], {*CASES, "guard"}),
        (["conditions", "(3,n):(a,b)", "(3*n)"], {*CLAUSES}),
        (["chain", "(4,6)", "(24)"], {"views", "minimal", "why"}),
        (["overflows", PAPER, "(6):(4)"], {"outer", "inner", "boundaries", "complete", "reason", "rows"}),
        (["counterexample", PAPER, LINE], {"outer", "inner", "views", "counterexample"}),
        (["prove", "x % 3 < 3"], {"verdict", "statement", "assumptions", "division", "rests_on", "seconds"}),
        (["prove", "x % 3 < 2"], {"verdict", "statement", "assumptions", "division", "values", "sides", "smallest"}),
        (["prove", "a*a*a + b*b*b != c*c*c", "--assume", "a > 0 and b > 0 and c > 0", "--budget", "1"],
         {"verdict", "statement", "assumptions", "division", "reason", "smt2"}),
    ],
)  # fmt: skip
def test_json_has_the_documented_keys(args, keys):
    result = symview_(*args, "--json")
    found = schema.read(result.stdout)
    assert found.keys() - schema.HEAD == keys <= keys_documented(args[0])
    assert found.keys() >= schema.HEAD and (found["command"], found["version"]) == (args[0], symview.__version__)
    assert result.stderr == ""
    assert result.exit_code == symview_(*args).exit_code


@pytest.mark.parametrize(
    ("guard", "verdict", "values", "index"),
    [
        (WEAKEST, "exact", None, None),
        ("t0 == S*t1", "too_strong", {"B": 1, "S": 1, "D": 1, "t0": 0, "t1": 1, "t2": 0}, None),
        ("S > 0", "too_weak", {"B": 2, "S": 2, "D": 1, "t0": 0, "t1": 1, "t2": 0}, [2, 0]),
    ],
)
def test_a_guards_verdict_is_an_object(guard, verdict, values, index):
    found = json.loads(symview_("reshape", *BATCH, "--guard", guard, "--json").stdout)["guard"]
    sound = "no" if verdict == "too_weak" else "proved"
    assert found == {"verdict": verdict, "sound": sound, "values": values, "index": index}
    assert verdict in keys_documented("conditions")


def test_a_guard_that_lets_sizes_pass_that_do_not_agree_has_no_index():
    found = json.loads(symview_("reshape", "(a,4)", "(4,b)", "--guard", "a > 0", "--json").stdout)["guard"]
    assert (found["verdict"], found["index"]) == ("too_weak", None)
    assert found["values"]["a"] != found["values"]["b"]


def test_json_says_what_the_library_says():
    outer, inner = View.parse(PAPER), View.parse("(6):(4)")
    assert schema.own(symview_("conditions", PAPER, "(6):(4)", "--json").stdout) == conditions(outer, inner).to_dict()
    assert schema.own(symview_("overflows", PAPER, "(6):(4)", "--json").stdout) == overflows(outer, inner).to_dict()
    merged = schema.own(symview_("merge", "(10,3,3):(9,3,1)+5", "(4):(-4)+12", "--json").stdout)
    assert merged["view"] == {
        "text": "(4):(-4)+17", "shape": [4], "strides": [-4], "offset": 17, "mask": None, "empty": False,
    }  # fmt: skip
    masked = schema.own(symview_("merge", "(9):(-1)+7 [2:8]", "(3,2):(3,1)", "--json").stdout)["view"]
    assert (masked["mask"], masked["empty"]) == ([[1, 3], [0, 2]], False)
    nothing = schema.own(symview_("merge", "(9) [2:2]", "(3)", "--json").stdout)["view"]
    assert (View.parse(nothing["text"]), nothing["empty"]) == (View.empty((3,)), True)
    broken = schema.own(symview_("merge", "(10,3,3):(1,1,1)", "(4):(4)", "--json").stdout)
    assert broken["view"] is None
    assert (broken["counterexample"]["index"], broken["counterexample"]["got"]) == ([3], 2)
    assert schema.own(symview_("counterexample", "(4)", "(2)", "--json").stdout)["counterexample"] is None
    for rule, sides in (("x(n).flip(0) == x(n)", ["x[1]", "x[0]"]), ("x < 3", [3, 3]), ("not x == 1", None)):
        assert schema.own(symview_("prove", rule, "--json").stdout)["sides"] == sides
    batch = View.parse(BATCH[0]), View.parse(BATCH[1]).shape
    assert schema.own(symview_("reshape", *BATCH, "--json").stdout) == reshape_conditions(*batch).to_dict()
    assert schema.own(symview_("reshape", *BATCH, "--python", "--json").stdout)["python"] == WEAKEST
    assert schema.own(symview_("reshape", "(4,6):(1,4)", "(-1)", "--json").stdout)["shape"] == [24]


# LaTeX and SMT-LIB


def test_latex_is_printed():
    shown = symview_("conditions", PAPER, LINE, "--latex")
    assert shown.exit_code == 0
    assert shown.stdout == conditions(View.parse(PAPER), View.parse(LINE)).to_latex() + "\n"


@pytest.mark.parametrize(
    ("args", "least"),
    [(["conditions", PAPER, LINE], 4), (["reshape", *BATCH], 1), (["reshape", "(i0,192)", "(12,-1,192)"], 1)],
)
def test_smt2_is_a_script_whose_answers_are_all_unsat(args, least):
    shown = symview_(*args, "--smt2")
    assert shown.exit_code == 0
    answers = z3_answers(shown.stdout)
    assert answers == ["unsat"] * shown.stdout.count("(check-sat)")
    assert len(answers) >= least


# Help


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_examples_of_the_help_print_what_they_say(command):
    page = symview_(*command.split(), "--help").stdout.replace("\n  ", "\n")
    examples = TABLE[command].examples if command else [TABLE["reshape"].examples[1]]
    usage, _, rest = page.partition("\n\nExample:\n\n")
    assert usage.startswith("Usage: ")
    assert rest.startswith(examples[0] + "\n\n")
    assert all(f"\n{example}\n" in rest.partition("More examples:")[2] for example in examples[1:])
    for example in examples:
        given, *shown = example.removeprefix("$ ").splitlines()
        name, *args = shlex.split(given)
        assert name == "symview"
        assert args[0] == command or not command
        assert symview_(*args).stdout == "\n".join(shown) + "\n"
    assert len(examples) == {"conditions": 3, "reshape": 5}.get(command, 1)


@pytest.mark.parametrize("command", ["conditions", "reshape"])
def test_conditions_come_in_every_form(command):
    page = symview_(command, "--help").stdout
    forms = ("--assume", "--at", "--guard", "--explain", "--python", "--json", "--latex", "--smt2")
    assert all(f"  {form}" in page or f", {form}" in page for form in forms)


def test_the_overall_help_lists_every_command_and_exit_code():
    shown = symview_("--help").stdout
    for group in Group:
        listed = shown.partition(f"\n{group.value}:\n")[2].partition("\n\n")[0]
        assert re.findall(r"(?m)^  (\S+)", listed) == [name for name, c in TABLE.items() if c.group is group] != []
    page = " ".join(shown.split())
    assert "0 yes, or answered with conditions; 1 no; 2 bad input; 3 undecided" in page


@pytest.mark.parametrize("command", TABLE)
def test_every_help_page_tells_its_exit_codes(command):
    assert "Exit code: " in symview_(command, "-h").stdout


@pytest.mark.parametrize(
    ("statement", "options", "hint"),
    [
        ("(x + a)//b == x//b + a//b", ["--assume", "a >= 1, b >= 1"],
         'symview weakest "(x + a)//b == x//b + a//b" --about "a, b" --assume "a >= 1 and b >= 1"'),
        ("x(n,m).reshape(m,n) == x(n,m).permute(1,0)", [],
         'symview weakest "x(n,m).reshape(m,n) == x(n,m).permute(1,0)" --about "n, m"'),
        ("x//b*b == x", ["--assume", "b > 0", "--division", "trunc"],
         'symview weakest "x//b*b == x" --about "b" --assume "b > 0" --division "trunc"'),
        ("x//b//c == x//(b*c) + 1", ["--assume", "b > 0, c > 0"], ""),  # for no b and c
        ("c ^ (r & (C - 1)) < C", ["--assume", "0 <= c < C, r >= 0"], ""),  # no formula that is tried fits
        ("x % 2 < 1", [], ""), ("x % 2 < 2", [], ""), ("x + y >= x", ["--bits", "8"], ""),
    ],
)  # fmt: skip
def test_a_refuted_statement_tells_what_to_type_next(statement, options, hint):
    assert symview_("prove", statement, *options).stderr == (f"hint: {hint}\n" if hint else "")
    assert symview_("prove", statement, *options, "--json").stderr == ""
    if hint:
        assert symview_(*shlex.split(hint)[1:]).exit_code in (0, 3)


# Bad input: the value, the requirement, the way out


BAD = [
    (["merge", "(10,3,3):(1,2)", "(4):(4)"], ["(10,3,3):(1,2)", "3 sizes", "2 strides", "give one stride per size"]),
    (["merge", "(10,-3)", "(4):(4)"], ["(10,-3)", "size 1 is -3", "0 or more"]),
    (["merge", "(10,3)", "(4):(True)"], ["stride 0 is True", "give an integer"]),
    (["merge", "(10,3)", "(4):(1.5)"], ["unexpected character '.': numbers are integers\n  (4):(1.5)\n        ^"]),
    (["merge", "(10,3", "(4)"], ["expected ')' to close the shape\n  (10,3\n       ^"]),
    (["merge", "(10,3)", "(4"], ["expected ')' to close the shape\n  (4\n    ^"]),
    (["merge", "(10,3) (4)", "(4)"], ["unexpected '('\n  (10,3) (4)\n         ^"]),
    (["merge", "", "(4)"], ["expected '('"]),
    (["merge", "(10,3,3)", "(40):(4)"], ["address 156", "0..89", "shrink the inner view"]),
    (["merge", "(10,3,3)", "(4):(-4)"], ["address -12", "0..89", "shrink the inner view"]),
    (["merge", "(4):(a//0)", "(4)"], ["division by 0 in a//0"]),
    (["conditions", PAPER, "(40):(4)"], ["address 156", "0..89", "shrink the inner view"]),
    (["conditions", PAPER, LINE, "--assume", "s >= 5", "--assume", "s < 3"],
     ["assumptions contradict", "s >= 5 and s < 3"]),
    (["conditions", PAPER, LINE, "--assume", "q > 3"], ["q > 3", "unknown symbol q", "σ1, σ2, σ3, s"]),
    (["conditions", PAPER, LINE, "--assume", "s + 1"], ["expected a comparison", "s + 1\n       ^"]),
    (["conditions", PAPER, LINE, "--engine", "magic"], ["'magic'", "auto, enumerate, smt"]),
    (["conditions", PAPER, LINE, "--at", "s"], ["--at s", "NAME=INT"]),
    (["conditions", PAPER, LINE, "--at", "s=x"], ["--at s=x", "NAME=INT"]),
    (["conditions", PAPER, LINE, "--at", "s=4", "--at", "s=5"], ["s both as 4 and as 5"]),
    (["conditions", PAPER, LINE, "--at", "q=4"], ["unknown symbol q", "σ1, σ2, σ3, s"]),
    (["conditions", PAPER, LINE, "--at", "s=0"], ["s = 0", "sizes are positive"]),
    (["conditions", PAPER, LINE, "--at", "s=5"], ["missing value for σ1, σ2, σ3"]),
    (["counterexample", PAPER, LINE, "--at", "s=5"], ["missing value for σ1, σ2, σ3"]),
    (["conditions", PAPER, LINE, "--latex", "--smt2"], ["choose one of", "--latex", "--smt2"]),
    (["conditions", PAPER, LINE, "--at", "s=3", "-v"], ["with --at only --json"]),
    (["overflows", "(10,3) [0:4,0:3]", "(4)"], ["masked views", "not supported", "leave the masks out"]),
    (["overflows", PAPER, LINE], ["s is symbolic", "give a number"]),
    (["merge", "(4)", "(4)", "--budget", "0"], ["--budget 0: give an integer, 1 or more"]),
    (["merge", "(4)", "(4)", "--budget", "many"], ["--budget many: give an integer"]),
    (["merge", "(4)", "(4)", "--budget"], ["--budget: expected one argument; see symview merge --help"]),
    (["merge", "(4)", "(4)", "--json=3"], ["--json", "'3'; see symview merge --help"]),
    (["merge", "(4)", "(4)", "--bud", "7"], ["unknown option --bud (did you mean --budget?)"]),
    (["shard", "(A,b)"], ["shard needs --dim INT, --parts TEXT; see symview shard --help"]),
    (["strides", "(4)", "(5)"], ["unexpected argument (5); see symview strides --help"]),
    (["mrge", "--help"], ["did you mean merge?"]),
    (["--verson"], ["unknown option --verson (did you mean --version?); see symview --help"]),
    (["merge", "(4)", "(4)", "--timeout", "0"], ["--timeout 0", "above 0"]),
    (["merge", "(4)", "(4)", "--timeout", "inf"], ["--timeout inf", "above 0"]),
    (["merge", "(4)", "(4)", "--timeout", "nan"], ["--timeout nan", "above 0"]),
    (["merge", "(4)", "(4)", "--timeout", "1e9"], ["--timeout 1e+09 is too large", "leave it out"]),
    (["merge", "(4)", "(4)", "--timeout", "-3"], ["--timeout -3", "above 0"]),
    *[
        (["banks", "32:2", option, "0"], [f"{option} 0: give an integer, 1 or more; see symview banks --help"])
        for option in ("--banks", "--width", "--threads", "--vector")
    ],
    (["banks", "32:2", "--bytes", "-4"], ["--bytes", "1"]),
    (["banks", "(32,n):(2,4)"], ["(32,n):(2,4) has symbols in its shape: substitute numbers"]),
    (["draw", "(n,4)"], ["(n,4)", "numbers in place of n", 'symview draw "(2,4):(4,1)"']),
    (["divide", "(4,6)", "2", "--as", "zip"], ["--as zip", "logical, zipped, tiled, flat"]),
    (["product", "(4,6)", "2", "--as", "zip"], ["--as zip", "flat, blocked, raked"]),
    (["product", "(4,6)", "Sw<1,2,3>"], ["Sw<1,2,3> alone is not a tile", "compose it with a layout"]),
    (["linear", "(4,n):(1,4)"], ["symbols n: give numbers, such as --at n=4"]),
    (["linear", "4:1", "4:a"], ["linear of 4:a", "symbols a: give numbers, such as --at a=4"]),
    (["prove", "x == x", "--bits", "foo"], ["bits 'foo'", "32 or i32 (signed)"]),
    (["merge", "(4)"], ["INNER", "symview merge --help"]),
    (["reshape", "(4,6)", "(5,5)"], ["(4,6)", "(5,5)", "24 elements and 25"]),
    (["reshape", "(4,6)", "(-1,-1)"], ["only one size may be -1"]),
    (["reshape", "(4,6)", "(-1,5)"], ["24 is not divisible by 5"]),
    (["reshape", "(4,6)", "4,6"], ["expected '('", "4,6\n  ^"]),
    (["reshape", "(4,6)", "(5,5)"], ["24 elements", "25"]),
    (["reshape", "(n,4)", "(n,5)"], ["(n,4) to (n,5)", "can never agree", "4 is not 5"]),
    (["reshape", "(n,4)", "(-1,-1)"], ["(-1,-1)", "only one size may be -1"]),
    (["reshape", "(n,4)", "(n,-4)"], ["(n,-4)", "sizes are 0 or more", "one may be -1"]),
    (["reshape", "(n,4)", "(0,-1)"], ["next to a size of 0"]),
    (["reshape", "(n,4)", "(n*4"], ["expected ')' to close the shape", "(n*4\n      ^"]),
    (["reshape", "(n,4) [0:n,0:2]", "(2*n)"], ["the sizes can never agree"]),
    (["reshape", *BATCH, "--assume", "q > 1"], ["q > 1", "unknown symbol q", "B, S, D, t0, t1, t2"]),
    (["reshape", "(4,6)", "(24)", "--assume", "q > 1"], ["q > 1", "unknown symbol q", "no symbols"]),
    (["reshape", *BATCH, "--assume", "B > 2", "--assume", "B < 2"], ["contradict", "B > 2 and B < 2"]),
    (["reshape", *BATCH, "--assume", "B < 1"], ["contradict", "sizes are positive", "s >= 0"]),
    (["reshape", *BATCH, "--guard", "q == 1"], ["guard q == 1", "unknown symbol q", "B, S, D, t0, t1, t2"]),
    (["reshape", *BATCH, "--guard", "t0"], ["expected a comparison"]),
    (["reshape", *BATCH, "--guard", ""], ["expected a number, a name"]),
    (["reshape", *BATCH, "--at", "B=2"], ["missing value for S, t0, t1", "give each"]),
    (["reshape", *BATCH, "--at", "q=2"], ["unknown symbol q", "B, S, D, t0, t1, t2"]),
    (["reshape", *BATCH, *at(B=0, S=1, t0=1, t1=1)], ["B = 0", "sizes are positive"]),
    (["reshape", *BATCH, *at(B=-1, S=1, t0=1, t1=1)], ["B = -1", "sizes are positive"]),
    (["reshape", *BATCH, "--python", "--guard", "S > 0"], ["choose one of", "--guard", "--python"]),
    (["reshape", *BATCH, "--at", "B=2", "--guard", "S > 0"], ["with --at only --json"]),
    (["reshape", "(2,4):(in,1)", "(8)", "--python"], ["in is not a name in Python", "rename"]),
    (["chain", "(4):(a)"], ["a in (4):(a) is symbolic"]),
    (["chain", "(4)", "(5)"], ["address 4", "index (4)", "0..3"]),
    (["chain", "(4)", "--equals", "(2,2)"], ["the shapes differ"]),
    (["chain"], ["VIEWS", "symview chain --help"]),
    (["merge", "(4)", "(4)", "--loud"], ["--loud", "symview merge --help"]),
    (["mrge", "(4)", "(4)"], ["mrge", "did you mean merge?", "symview --help"]),
    (["merge", "", "(4)"], ["expected '('", "the text is empty"]),
    (["reshape", "(4,6)", "-3"], ["expected '(' to open the shape"]),
    (["sweep", "/nowhere/rules.toml"], ["/nowhere/rules.toml: No such file"]),
    (["prove", "x*y*z != x*x*y + 17*z*z + 11", "--budget", "1", "--save", "/proc/nowhere"], ["/proc/nowhere"]),
    (["prove", "x + 1"], ["expected a comparison", "x + 1\n       ^"]),
    (["prove", "x = = 1"], ["x = = 1\n      ^"]),
    (["prove", "x == x", "--assume", "x > 1 and x < 1"], ["x > 1 and x < 1", "prove anything"]),
    (["prove", "x == x", "--division", "round"], ["round", "floor, trunc, euclid"]),
]  # fmt: skip


PYTHON = re.compile(r"\w\(\w+=|with_values|\w\.\w+\(|Budget|Layout\(|ask \w+_conditions")


@pytest.mark.parametrize(("args", "parts"), BAD)
def test_bad_input_is_explained(args, parts):
    result = symview_(*args)
    assert result.exit_code == 2
    assert not PYTHON.search(result.stderr)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("error:") == 1
    assert "Traceback" not in result.stderr
    for part in parts:
        assert part in result.stderr
    reported = symview_(*args, "--json")
    assert reported.exit_code == 2
    if "--latex" not in args:
        found = json.loads(reported.stdout)
        assert found.keys() == {"error", "kind"}
        assert f"error: {found['error']}\n" == result.stderr
        kind = found["kind"]
        raised = getattr(symview.cute if kind == "LayoutError" else symview, kind, None)
        assert kind in ("UsageError", "NotSupported") or issubclass(raised, InputError)


def test_undecided_in_json_is_not_bad_input():
    result = symview_("merge", *HARD, "--budget", "1", "--json")
    assert (result.exit_code, json.loads(result.stdout)["kind"]) == (3, "Undecided")


@pytest.mark.parametrize("error", [InternalError("it does not replay"), RuntimeError("what is this"), KeyError("x")])
def test_a_defect_is_never_taken_for_an_answer(monkeypatch, error):
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(replies, "merge_views", fail)
    result = symview_("merge", "(4)", "(4)")
    assert result.exit_code == 70
    assert f"error: a defect of symview, not an answer; please report it with the command: {error}" in result.stderr
    assert "Traceback" in result.stderr
    assert json.loads(symview_("merge", "(4)", "(4)", "--json").stdout)["kind"] == type(error).__name__


def test_an_interrupt_has_its_own_code(monkeypatch):
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(replies, "merge_views", stop)
    assert symview_("merge", "(4)", "(4)").exit_code == 130


LONG = [
    ("conditions", "(A,B,C,D):(a,b,c,d)", "(n,m,k):(t,u,v)+o"),
    ("reshape", "(A,B,C,D,E):(a,b,c,d,e)", "(F,G,H,I,J)"),
    ("weakest", "(x*a + y) // b % c == x*a // b % c + y // b % c", "--about", "a,b,c,y", "--budget", "1000000000"),
]


def waits_for_ctrl_c() -> None:  # background jobs of a shell are started deaf to it
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="a process' own seconds are read from /proc")
def test_an_interrupt_ends_a_long_question():
    def seconds(pid: int) -> float:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def started(args: tuple[str, ...]) -> subprocess.Popen[bytes]:
        command, pipe = [sys.executable, "-m", "symview", *args], subprocess.PIPE
        return subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, preexec_fn=waits_for_ctrl_c)

    runs = list(map(started, LONG))
    try:
        for run in runs:
            while run.poll() is None and seconds(run.pid) < 1.5:
                time.sleep(0.02)
            run.send_signal(signal.SIGINT)
            printed, errors = run.communicate(timeout=60)
            assert (run.returncode, printed, errors) == (130, b"", b"")
    finally:
        for run in runs:
            run.kill()
            run.communicate()


PRESSED_AT = """
import posix, sys

module = sys.argv.pop(1)

class PressedAt:
    def find_spec(self, name, *_):
        if name == module:
            posix.kill(posix.getpid(), 2)

from symview.cli import main
sys.meta_path.insert(0, PressedAt())
main()
"""
LOADED = (
    "symview.cli.interrupts", "signal", "enum", "threading", "typing", "symview.cli.running", "symview.logic",
    "symview.view", "sympy", "z3",
)  # fmt: skip


@pytest.mark.parametrize("module", LOADED)
def test_an_interrupt_while_modules_load(module):
    """Between the first module of a command and the last; without `site`, which loads some of them itself."""
    paths = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    command = [
        sys.executable,
        "-S",
        "-c",
        PRESSED_AT,
        module,
        "conditions",
        "(N,M):(a,b)",
        "(n):(M)",
        "--timeout",
        "60",
    ]
    environment = {**os.environ, "PYTHONPATH": paths}
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, preexec_fn=waits_for_ctrl_c, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, b"", b"")


def test_nothing_loads_before_an_interrupt_is_heard():
    """`symview.cli` loads no module that takes long, as it cannot catch an interrupt before it runs."""
    command = [sys.executable, "-S", "-c", "import sys; import symview.cli; print(*sys.modules)"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    loaded = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout.split()
    assert {"typing", "importlib", "enum", "re"}.isdisjoint(loaded)


# As a process: encodings, pipes, terminals, start-up


@pytest.mark.parametrize("module", ["symview", "symview.cli"])
def test_it_runs_as_a_module(module):
    run = process("conditions", PAPER, LINE, module=module, PYTHONIOENCODING="utf-8")
    assert (run.returncode, run.stdout.decode(), run.stderr) == (0, WORKED, b"")


@pytest.mark.parametrize("environment", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}])
def test_without_greek_letters_they_are_spelled(environment):
    run = process("conditions", PAPER, LINE, **environment)
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.decode("ascii").splitlines() == [
        "1 <= s <= 3: always",
        "4 <= s <= 5: sigma1 = 2sigma2 + 3sigma3",
        "6 <= s <= 23: sigma1 = 3sigma2 and sigma2 = 3sigma3",
        "s >= 24: out of bounds",
        "",
        "sizes         merged view            simplified by the condition",
        "1 <= s <= 3   (s):(sigma2 + sigma3)",
        "4 <= s <= 5   (s):(sigma2 + sigma3)",
        "6 <= s <= 23  (s):(sigma2 + sigma3)  (s):(4*sigma3)",
    ]


def test_json_survives_any_encoding():
    shown = [process("overflows", PAPER, "(6):(4)", "--json", PYTHONIOENCODING=e).stdout for e in ("ascii", "utf-8")]
    assert json.loads(shown[0].decode("ascii")) == json.loads(shown[1].decode()) != {}


def test_errors_survive_any_encoding_and_bytes_that_are_no_text():
    run = process("merge", "(σ:(1)", "(4)", PYTHONIOENCODING="ascii")
    assert (run.returncode, run.stderr.decode("ascii").splitlines()[1]) == (2, "  (sigma:(1)")
    run = process("merge", b"(\xff)", "(4)", PYTHONIOENCODING="utf-8")
    assert (run.returncode, run.stderr.decode().splitlines()[1:]) == (2, ["  (?)", "   ^"])


def test_a_closed_pipe_ends_it_quietly():
    command = f"{shlex.quote(sys.executable)} -m symview overflows '(8000,3)' '(9000):(2)' --all"
    script = command + " | head -1; echo ${PIPESTATUS[@]}"
    run = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.stdout.splitlines()[1] == "141 0"
    assert run.stderr == ""


FULL = ">/dev/full", 2, "error: the answer could not be written: No space left on device"


@pytest.mark.parametrize(
    ("streams", "code", "said"), [(">&-", 0, ""), ("<&-", 0, ""), *([FULL] if Path("/dev/full").exists() else [])]
)
def test_streams_that_are_closed_or_full_are_no_defect(streams, code, said):
    command = f"{shlex.quote(sys.executable)} -m symview merge '(4)' '(2)' {streams}; echo $? >&2"
    run = subprocess.run(["bash", "-c", command], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    assert run.stderr.splitlines() == [*([said] if said else []), str(code)]


LOADED = """\
import json, sys
from symview import cli
for args in json.loads(sys.argv[1]):
    sys.argv[1:] = args
    try:
        cli.main()
    except SystemExit as done:
        print(done.code, [m for m in ("z3", "sympy", "islpy", "rich") if m in sys.modules], file=sys.stderr)
"""
NUMERIC = [
    (["--help"], 0),
    (["--version"], 0),
    (["merge", "--help"], 0),
    (["merge", "(10,3,3)", "(4):(4)"], 0),
    (["merge", "(10,3,3):(1,1,1)", "(4):(4)"], 1),
    (["merge", "(10,3,3)", "(40):(4)"], 2),
    (["counterexample", "(10,3,3)", "(4):(4)", "--json"], 0),
]


def test_numbers_load_no_solver():
    command = [sys.executable, "-c", LOADED, json.dumps([args for args, _ in NUMERIC])]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert [line for line in run.stderr.splitlines() if line.endswith("]")] == [f"{code} []" for _, code in NUMERIC]


def on_terminal(columns: int, *args: str, stdout: int | None = None) -> str:
    """What appears on a terminal that is so wide; stdout may go elsewhere."""
    import pty

    parent, child = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "symview", *args]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=child, stdout=child if stdout is None else stdout, stderr=child
    ):
        os.close(child)
        shown = b""
        while True:
            try:
                part = os.read(parent, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(parent)
    return shown.decode()


needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")


def answer_on(screen: str) -> list[str]:
    """The lines that stay, without colour codes."""
    kept = screen.rpartition("\x1b[2K")[2]
    return [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line).rstrip() for line in kept.split("\r\n")]


@pytest.mark.sampled
@needs_terminal
@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("args", [["overflows", PAPER, "(6):(4)"], ["reshape", "(a,b):(s,t)", "(c,-1)"]])
def test_tables_fit_the_terminal_and_lose_nothing(columns, args):
    lines = answer_on(on_terminal(columns, *args))
    assert max(map(len, lines)) <= columns + 1  # a combining tilde takes no column
    assert "…" not in "".join(lines)
    shown = sorted(re.sub(r"[\s─]", "", "".join(lines)))
    plain = symview_(*args).stdout
    assert shown == sorted(re.sub(r"\s", "", plain))


@needs_terminal
def test_only_a_terminal_gets_colours_and_progress(tmp_path):
    screen = on_terminal(80, "conditions", PAPER, LINE)
    assert "\x1b[1m" in screen
    assert "looking for overflows" in screen
    assert answer_on(screen)[:4] == WORKED.splitlines()[:4]
    with (tmp_path / "out").open("wb") as file:
        screen = on_terminal(80, "conditions", PAPER, LINE, stdout=file.fileno())
    assert "looking for overflows" in screen
    assert (tmp_path / "out").read_text("utf-8") == WORKED


@needs_terminal
def test_a_batch_counts_on_the_terminal_and_answers_where_stdout_goes(tmp_path):
    questions, answers = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    questions.write_text('{"command": "merge", "views": ["(4,6)", "(24)"]}\n\n' * 200)
    with answers.open("wb") as file:
        screen = on_terminal(80, "batch", str(questions), stdout=file.fileno())
    assert "answering" in screen and "200/200" in screen and "merges" not in screen
    assert [schema.read(line)["line"] for line in answers.read_text().splitlines()] == list(range(1, 400, 2))


def test_reshape_and_chain_answer() -> None:
    yes = symview_("reshape", "(4,6):(6,1) [1:3,0:6]", "(24)")
    assert (yes.exit_code, yes.stdout) == (0, "(24):(1) [6:18]\n")
    no = symview_("reshape", "(4,6):(1,4)", "(24)")
    assert no.exit_code == 1
    assert no.stdout.startswith("No view: dims 0 and 1 are not contiguous: stride 0 is 1, but would have to be 24.\n")
    assert symview_("reshape", "(4,6):(a,b)", "(24)").stdout.startswith("a = 6*b\n")
    assert symview_("reshape", "(4,6):(1,4*c)", "(24)").exit_code == 1
    chain = ["(2,4):(1,2)", "(2,4):(1,2)", "(8):(1)"]
    short = symview_("chain", *chain)
    assert short.stdout.startswith("(4,2):(1,4)\n(8):(1)\n\nminimal: ")
    same = symview_("chain", *chain, "--equals", "(4,2):(1,4)", "--equals", "(8):(1)")
    assert (same.exit_code, same.stdout.partition(":")[0]) == (0, "proved")
    other = symview_("chain", *chain, "--equals", "(8):(1)")
    assert (other.exit_code, other.stdout.partition(":")[0]) == (1, "refuted")


def test_three_views_on_the_command_line() -> None:
    views = ["(2,2):(1,2)", "(2,2):(1,-1)+1", "(3):(1)+1"]
    assert symview_("merge", *views).stdout == "(3):(1)\n"
    assert symview_("conditions", "(2,2):(a,b)", *views[1:]).stdout.startswith("2*a = b\n")
    assert symview_("counterexample", "(2,2):(a,b)", *views[1:]).exit_code == 1
