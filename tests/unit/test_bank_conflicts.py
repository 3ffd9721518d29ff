"""Bank conflicts as a kernel's author asks for them: known pitches, machines, and what the commands print."""

from __future__ import annotations

import re
from math import gcd
from pathlib import Path

import pytest
import schema
from command import typed
from satellites import needs

from symview import Conditions
from symview.cute import Layout, bank_conflicts
from symview.cute.analysis.machines import phases_of, phases_text
from symview.logic.points import true_at

FP16 = {"bytes": 2, "vector": 8}
CDNA3 = {**FP16, "machine": "cdna3"}
CDNA4 = {**FP16, "machine": "cdna4"}
WRITES = {**CDNA3, "write": True}
TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "cute.md"


def ways(found: Conditions, at: int) -> int | None:
    [case] = [c for c in found.cases if true_at([c.data.where], {"ld": at})]
    return case.answer


@pytest.mark.parametrize(
    ("layout", "told", "expected"),
    [
        ("32:ld", {}, lambda d: gcd(d, 32)),
        ("32:ld", {"machine": "nvidia"}, lambda d: gcd(d, 32)),
        ("32:ld", {"bytes": 8}, lambda d: gcd(d, 16)),
        ("32:ld", {"bytes": 8, "machine": "nvidia"}, lambda d: gcd(d, 16)),
        ("(8,4):(ld,8)", FP16, lambda d: None if d % 8 else gcd(d, 64) // 8),
        ("(8,4):(ld,8)", {**FP16, "machine": "nvidia"}, lambda d: None if d % 8 else gcd(d, 64) // 8),
        ("(32,32):(32+ld,1)", {}, lambda p: gcd(p, 32) if p + 32 else 1),
        ("64:ld", {"machine": "cdna4"}, lambda d: gcd(d, 64)),
        ("64:ld", {"machine": "cdna4", "write": True}, lambda d: gcd(d, 32)),
        ("(16,4):(ld,8)", CDNA3, lambda d: None if d % 8 else {16: 1, 48: 1, 0: 4}.get(d % 64, 2)),
        ("(16,4):(ld,8)", WRITES, lambda d: None if d % 8 else gcd(d, 64) // 8),
    ],
)
def test_pitches_with_a_name(layout, told, expected) -> None:
    found = bank_conflicts(Layout.parse(layout), **told)
    for d in [*range(-70, 200), 4096, 4104, 65552]:
        value = 1 if d == 0 and "32+" not in layout else expected(d)
        assert ways(found, d) == value, (layout, d)


@pytest.mark.parametrize(
    ("layout", "told", "expected"),
    [
        ("(4,8):(8,1)", {}, 1),
        ("(4,8):(3,1)", {}, 1),  # lanes meet
        ("(4,8):(35,1)", {}, 3),
        ("32:33", {}, 1),
        ("32:72", {"bytes": 2, "vector": 2}, 4),
        ("(8,4):(64,8)", FP16, 8),
        ("(8,4):(72,8)", FP16, 1),
        ("(16,4):(64,8)", CDNA3, 4),
        ("(16,4):(72,8)", CDNA3, 2),
        ("(16,4):(80,8)", CDNA3, 1),
        ("(16,4):(64,8)", CDNA4, 4),
        ("(16,4):(72,8)", CDNA4, 2),
        ("(16,4):(80,8)", CDNA4, 1),
        ("(16,4):(128,8)", CDNA4, 8),
        ("(16,4):(64,8)", WRITES, 8),
        ("(16,4):(72,8)", WRITES, 1),
        ("(16,4):(80,8)", WRITES, 2),
        ("(8,8):(8,80)", FP16, 1),
        ("(8,8):(8,80)", CDNA3, 2),  # as in triton#11365
    ],
)
def test_known_pitches(layout, told, expected) -> None:
    assert bank_conflicts(Layout.parse(layout), **told).ways == expected


def test_reads_and_writes_of_one_pattern_are_free_together_for_no_pitch() -> None:
    both = [bank_conflicts(Layout.parse("(16,4):(ld,8)"), **told) for told in (CDNA3, WRITES)]
    free = [{d for d in range(0, 4096, 8) if ways(found, d) == 1} for found in both]
    assert min(map(len, free)) > 100
    assert free[0] & free[1] == {0}


def test_exceptions_are_runs() -> None:
    found = bank_conflicts(Layout.parse("(4,8):(ld,1)"))
    assert found.question.more["exceptions"] == [{"from": -7, "to": 7, "ways": 1}]
    assert str(found).startswith("(-7 ≤ ld ≤ 7) or ld % 16 = 8: no conflict\n")
    wide = bank_conflicts(Layout.parse("(16,4):(ld,8)"), **CDNA4)
    assert str(wide).splitlines()[:2] == [
        "(-8 ≤ ld ≤ 8 and ld % 8 = 0) or ld % 32 = 16: no conflict",
        "(ld % 16 = 8 or ld % 64 = 32) and (ld < -8 or ld > 8): 2-way conflict",
    ]


def test_a_narrow_access_is_one_of_its_word() -> None:
    for size in (1, 2):
        found = bank_conflicts(Layout(64, 2), bytes=size, machine="cdna3")
        assert found.row.bytes == 4


def test_lanes_idle_and_a_list_is_one_instruction() -> None:
    assert bank_conflicts(Layout(64, 1), machine="cdna3").access == 0
    assert bank_conflicts(Layout((64, 2), (1, 64)), machine="cdna3").ways == 1
    assert bank_conflicts(Layout(16, 8), bytes=2, vector=8, machine="cdna3").ways == 1
    assert bank_conflicts(Layout((64, 2), (1, 2048)), threads=128).ways == 4
    assert bank_conflicts(Layout((64, 2), (1, 2048)), machine="cdna3").ways == 1


def test_phases_as_text() -> None:
    text = "0-3 20-23; 4-7 16-19; 8-11 28-31; 12-15 24-27"
    assert phases_text(phases_of(text, "")) == text
    assert phases_of("2,3; 0 1;", "") == phases_of([[3, 2], (1, 0)], "") == ((0, 1), (2, 3))


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["(8,8):(8,80)", "--bytes", "2", "--vector", "8", "--machine", "cdna3"], 1, "measured (amd-shark-ai#2919"),
        (["64:32", "--machine", "cdna3", "--write"], 1, "32-way conflict: threads 0-31 write 32 different words"),
        (["64:1", "--machine", "cdna3", "--write"], 0, "documented (amd-shark-ai's guide"),
        (["64:1", "--machine", "cdna4", "--write"], 0, "inferred (rocm-libraries#3668"),
        (["64:1", "--machine", "cdna4"], 0, "disputed (amd-shark-ai#2919 measured 64 banks)"),
        (["64:64", "--machine", "cdna4"], 1, "32 banks, 2 phases (0-31; 32-63): disputed (rocm-libraries#3668)"),
        (["(2,32):(32,1)", "--machine", "cdna4"], 3, "2-way conflict: threads 0 and 1 read"),
        (["32:1", "--bytes", "16", "--machine", "nvidia"], 0, "accepted (profilers; documented of ldmatrix"),
        (["32:32", "--phases", "0-15; 16-31"], 1, "16-way conflict: threads 0-15 read"),
        (["32:ld", "--phases", "0-15; 16-31"], 0, "ld % 32 = 0 and ld ≠ 0: 16-way conflict"),
        (["32:1", "--machine", "cdna2"], 2, "unknown machine 'cdna2'"),
        (["32:1", "--machine", "rdna4", "--write"], 2, "the phases of writes of 4 bytes are not known"),
        (["32:1", "--machine", "nvidia", "--banks", "32"], 2, "give machine or banks"),
        (["32:1", "--machine", "nvidia", "--phases", "0-31"], 2, "give machine or phases"),
        (["32:1", "--write"], 2, "write needs a machine"),
        (["32:1", "--phases", "0-31", "--threads", "16"], 2, "threads is 16, and phases have 32 lanes"),
    ],
)
def test_the_command_with_machines(args, code, said) -> None:
    shown = typed(["banks", *args])
    assert (shown.exit_code, said in shown.output) == (code, True), shown.output


@pytest.mark.parametrize("layout", ["64:64", "64:ld", "(2,32):(32,1)"])
def test_machines_as_json(layout) -> None:
    found = schema.read(typed(["banks", layout, "--machine", "cdna4", "--json"]).stdout)
    assert (found["machine"], found["write"], found["banks"], found["threads"]) == ("cdna4", False, 64, 64)
    told = found.get("conflicts") or found["by_stride"]
    assert (told["confidence"], told["phases"], told["banks"]) == ("disputed", "0-63", 64)
    assert (told["other"]["banks"], told["other"]["phases"]) == (32, "0-31; 32-63")
    assert told["other"]["source"] == "rocm-libraries#3668"
    assert found["answer"] == {"64:64": "no", "64:ld": "conditions"}.get(layout, "undecided")


@needs("shared_memory")
def test_the_examples_of_the_help() -> None:
    from symview.cute import commands
    from symview.shared_memory import commands as others

    for command in (*commands.COMMANDS, *others.COMMANDS):
        if command.name in ("banks", "swizzle"):
            lines = "\n\n".join(command.examples)
            for args, shown in re.findall(r"^\$ symview (.*)\n((?:(?!\$ ).*\n?)*)", lines, re.MULTILINE):
                words = [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', args)]
                assert typed(words).stdout.rstrip("\n") == shown.rstrip("\n")


def test_the_tutorial_lists_the_rows() -> None:
    """Machine, access, banks, phases and confidence, as they print."""
    from symview.cute.analysis import machines

    listed = [re.split(r" *\| *", line.strip("| ")) for line in TUTORIAL.read_text(encoding="utf-8").splitlines()]
    told = {tuple(row[:5]) for row in listed if row[0] in machines.MACHINES}
    rows = {
        (r.machine, f"{'write' if r.write else 'read'} {r.bytes} B", str(r.banks), str(len(r.phases)), r.confidence)
        for name in machines.MACHINES for r in machines.rows(name)
    }  # fmt: skip
    assert told == rows
