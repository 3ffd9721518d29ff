"""Files of rules: what is read, what is refused and where, and what comes of the rules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import schema

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.rules.files import parse_rules, read_rules
from symview.rules.outcomes import outcome, outcomes, save_query
from symview.rules.prove import prove as proved

RULES = '''
source = "a simplifier"
assume = "b >= 1"

[[rule]]
name = "quotients of sums"
claim = "(x + a)//b == x//b + a//b"
expect = "refuted"
at = { x = 1, a = 1, b = 2 }

[[rule]]
name = "multiples go out"
left = "(x + a*b)//b"
right = "x//b + a"

[[rule]]
name = "of signs"
left = "x > 0"
right = "-x < 0"
assume = []
source = """
[[rule]] in a text
"""

[[rule]]
name = "cubes"
claim = "x*x*x + y*y*y + z*z*z != 114"
expect = "unknown"
'''


def test_a_rule_takes_what_it_does_not_say_from_the_head_of_its_file():
    text = (
        RULES
        + """[[rule]]
name = "by a lemma"
claim = "(x + a*b)//b - a == x//b"
by = "multiples go out"
"""
    )
    first, second, third, _, last = parse_rules(text, "some.toml")
    assert (first.assume, first.source, first.at) == (("b >= 1",), "a simplifier", {"x": 1, "a": 1, "b": 2})
    assert (second.claim, second.expect) == ("(x + a*b)//b == x//b + a", "proved")
    assert (third.claim, third.assume) == ("(x > 0) <-> (-x < 0)", ())
    assert last.lemmas == (second,)
    assert [r.place for r in (first, second, third, last)] == [f"some.toml:{n}" for n in (5, 11, 16, 29)]


@pytest.mark.parametrize(("head", "rule"), [("", "trunc"), ("trunc", "floor")])
def test_assumptions_of_the_head_are_read_with_the_division_of_the_rule(head, rule):
    """They are no assumptions of another rounding, of which nothing is printed."""
    assumed = "a / 4 == -1, b >= 1" if head else "mod(a, 4) == 1, b >= 1"
    given = f'division = "{head}"\n' if head else ""
    text = f'assume = "{assumed}"\n{given}[[rule]]\nname = "one"\ndivision = "{rule}"\nclaim = "a*b <= -4*b"'
    (read,) = parse_rules(text)
    assert read.assume == (assumed,)
    with pytest.raises(InputError, match=r"mod rounds down|unexpected '/'"):
        proved(read.claim, read.assume, read.division)


def test_lines_are_those_of_the_rules_however_these_are_written():
    quoted = '[["rule"]]\r\nname = "a" # """\r\nleft = "x"\r\nright = "y > 0"\n'
    text = "[[ rule ]] # b\nname = \"'''\"\nclaim = '''x\n[[rule]]\nat = 3'''\n[[rule]]\nname = 'd'\nclaim = 'x == x'"
    first, second, third = parse_rules(quoted + text)
    assert (first.claim, [r.line for r in (first, second, third)]) == ("(x) <-> (y > 0)", [1, 5, 10])
    with pytest.raises(InputError, match="r:12: unknown key 'atz'"):
        parse_rules(quoted + text.replace("claim = 'x", "atz = 1\nclaim = 'x"), "r")


WRONG = {
    "rule = [{name = 'a', claim = 'x == x'}]": "r: a rule is a table of its own",
    "[[rule]]\nclaim = 'x == x'": "r:1: a rule needs a name",
    "[[rule]]\nname = 'a'\n\nclaims = 'x == x'": "r:4: unknown key 'claims': did you mean 'claim'?",
    "divisions = 'floor'\n[[rule]]\nname = 'a'": "r:1: unknown key 'divisions': did you mean 'division'?",
    "[[rule]]\nname = 'a'\nclaim = 'x == x'\nzzz = 1": "r:4: unknown key 'zzz': there are name, claim",
    "[[rule]]\nname = 'a'": "r:1: give either claim, or left and right",
    "[[rule]]\nname = 'a'\nleft = 'x'": "r:3: give either claim, or left and right",
    "[[rule]]\nname = 'a'\nclaim = 'x == x'\nleft = 'x'": "r:3: give either claim",
    "[[rule]]\nname = 'a'\nclaim = 'x == x'\ndivision = 'up'": "r:4: division = 'up': give one of floor, trunc, euclid",
    "[[rule]]\nname = 'a'\nclaim = 'x == x'\nexpect = 'true'": "r:4: expect = 'true': give one of proved",
    "[[rule]]\nname = 'a'\nclaim = 'x == x'\nat = { x = 1 }": 'r:4: at goes with expect = "refuted"',
    "[[rule]]\nname = 'a'\nclaim = 'x == 0'\nexpect = 'refuted'\nat = { x = 'y' }": "r:5: at gives integers",
    "[[rule]]\nname = 'a'\nclaim = 'x == x'\npremise = 'x > 0'": "r:4: premise goes with about",
    "[[rule]]\nname = 'a'\nclaim = 'x == x'\nassume = [1]": "r:4: assume = \\[1\\]: give a text or a list of texts",
    "[[rule]]\nname = 'a'\nclaim = 'x == x'\nby = 'b'": "r:4: no rule before this one is named 'b'",
    "[[rule]]\nname = 'a'\nclaim = 1": "r:3: claim = 1: give a text",
    "[[rule]]\nname = 'a'\nclaim = 'x == x'\n[[rule]]\nname = 'a'\nclaim = 'x == x'": "r:5: the name 'a' is taken",
    "[rule]\nname = 'a'": "r: a rule is a table of its own",
    "source = 'a'": "r: no rules",
    "[[rule": "r: this is not TOML",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_refused_with_file_and_line(text):
    with pytest.raises(InputError, match=WRONG[text].replace("?", "[?]")):
        parse_rules(text, "r")


def test_a_file_may_begin_with_a_mark_of_its_bytes(tmp_path):
    (tmp_path / "marked.toml").write_text(RULES, encoding="utf-8-sig")
    assert read_rules(tmp_path / "marked.toml") == parse_rules(RULES)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_rules(tmp_path / "none.toml")


def test_outcomes_are_held_against_what_was_expected():
    rules = parse_rules(RULES)
    found = [outcome(rule, Budget(work=2_000_000)) for rule in rules]
    assert [o.answer for o in found] == ["refuted", "proved", "proved", "unknown"]
    assert all(o.is_met for o in found)
    other = parse_rules(RULES.replace("x = 1, a = 1", "x = 3, a = 3").replace('expect = "unknown"', ""))
    unmet = [outcome(rule, Budget(work=2_000_000)) for rule in other]
    assert [o.is_met for o in unmet] == [False, True, True, False]
    assert unmet[0].problem.startswith("refuted as expected, but the smallest values should be x = 3, a = 3, b = 2")


EMPTY = [("x > 3 and x < 2", "no values meet the assumptions"), ("x >", "expected a number")]


@pytest.mark.parametrize(("assume", "problem"), EMPTY)
def test_a_rule_without_values_is_no_theorem(assume, problem):
    (rule,) = parse_rules(f"[[rule]]\nname = 'a'\nclaim = 'x == x + 1'\nassume = '{assume}'")
    found = outcome(rule)
    assert found.answer == "invalid"
    assert problem in found.problem


SPLIT = """[[rule]]
name = "wrong"
claim = "(x + a)//b == x//b + a//b"
assume = "b >= 1"
"""


def test_a_rule_that_fails_tells_what_to_type_next(tmp_path):
    hint = 'symview weakest "(x + a)//b == x//b + a//b" --about "a, b" --assume "b >= 1"'
    [found] = map(outcome, parse_rules(SPLIT))
    assert found.hint == hint
    for more in ('expect = "refuted"', 'about = "a, b"', 'bits = "i32"'):
        [other] = map(outcome, parse_rules(f"{SPLIT}{more}\n"))
        assert other.hint == ""
    path = tmp_path / "wrong.toml"
    path.write_text(SPLIT)
    run = subprocess.run([sys.executable, "-m", "symview", "prove", path], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.count(f"\nhint: {hint}\n")) == (1, 1)


def test_several_processes_give_the_same_in_the_same_order():
    rules = [r for n in range(3) for r in parse_rules(RULES, f"file {n}") if r.expect != "unknown"]
    together = [(o.rule.place, o.answer, o.problem) for o in outcomes(rules, jobs=2)]
    assert together == [(o.rule.place, o.answer, o.problem) for o in map(outcome, rules)]


def test_rules_that_are_not_begun_in_time_are_unknown():
    found = list(outcomes(parse_rules(RULES), timeout=1e-9, jobs=1))
    assert {o.answer for o in found} == {"unknown"}
    assert not any(o.is_met for o in found)


def test_an_open_query_is_never_written_over(tmp_path):
    paths = [save_query(tmp_path, "a rule!", text).name for text in ("one", "two", "one")]
    assert paths == ["a_rule.smt2", "a_rule_2.smt2", "a_rule.smt2"]


# The command


def prove(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "symview", "prove", *args]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=120, check=False)


FALSE = "[[rule]]\nname = 'odd'\nclaim = 'x % 2 == 1'\n"
BROKEN = "[[rule]]\nname = 'odd'\nclaim = 'x %% 2 == 1'\n"
CODES = {"0": RULES.partition('[[rule]]\nname = "cubes"')[0], "1": FALSE, "2": BROKEN, "3": None}


@pytest.mark.parametrize("code", CODES)
def test_the_exit_code_is_the_worst_of_all_rules(code, tmp_path):
    text = CODES[code] or RULES.replace('expect = "unknown"', "")
    (tmp_path / "some.toml").write_text(text)
    run = prove("some.toml", "--budget", "300000", "--save", "open", cwd=tmp_path)
    assert run.returncode == int(code), run.stdout + run.stderr
    assert (tmp_path / "open").exists() == (code == "3")


def test_json_has_every_rule_and_the_counts(tmp_path):
    (tmp_path / "some.toml").write_text(FALSE + "assume = 'x >= 1'")
    answer = schema.read(prove("some.toml", "--json", cwd=tmp_path).stdout)
    assert answer["counts"] == {"proved": 0, "refuted": 1, "unknown": 0, "invalid": 0, "not_as_expected": 1}
    (rule,) = answer["rules"]
    assert (rule["verdict"], rule["values"], rule["met"], rule["place"]) == ("refuted", {"x": 2}, False, "some.toml:1")
    (tmp_path / "some.toml").write_text(FALSE.replace("x % 2 == 1", "x(n).flip(0) == x(n)"))
    (rule,) = schema.read(prove("some.toml", "--json", cwd=tmp_path).stdout)["rules"]
    assert rule["sides"] == ["x[1]", "x[0]"]


def test_options_of_a_statement_are_refused_beside_files(tmp_path):
    (tmp_path / "some.toml").write_text(FALSE)
    run = prove("some.toml", "--assume", "x > 0", cwd=tmp_path)
    assert (run.returncode, "a file of rules says them itself" in run.stderr) == (2, True)


WEAK = """
[[rule]]
name = "a remainder of a remainder"
claim = "(x % a) % b == x % b"
assume = ["a >= 1", "b >= 1", "x >= 0"]
expect = "refuted"
about = "a, b"
premise = "a % b == 0"
"""


def test_the_weakest_premise_is_looked_for_and_held_against_the_one_expected():
    (rule,) = parse_rules(WEAK)
    found = outcome(rule)
    assert (found.is_met, found.premise.condition) == (True, "a % b == 0")
    (other,) = parse_rules(WEAK.replace('"a % b == 0"', '"a == b"'))
    assert outcome(other).problem.startswith("the weakest premise is a % b == 0, not a == b: refuted")
    (alone,) = parse_rules(WEAK.replace('premise = "a % b == 0"', ""))
    assert outcome(alone).is_met
