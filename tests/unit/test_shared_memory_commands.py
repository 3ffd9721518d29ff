"""`symview banks` and `symview footprint` as a user meets them."""

from __future__ import annotations

import pytest
import schema
from command import Result, typed

TILE = "(8,4):(64,8)"
HALVES = ["--bytes", "2", "--vector", "8"]


def symview_(*args: str) -> Result:
    return typed(args)


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (
            ["banks", TILE, *HALVES],
            1,
            "8-way conflict: threads 0-7 read 8 different words of bank 0 (words 0, 32, 64, 96, …)",
        ),
        (["banks", "(32,2):(1,64)", "--threads", "64"], 1, "2-way conflict: threads 0 and 32 read"),
        (["banks", "32:ld"], 0, "ld = 0 or ld % 2 = 1: no conflict\nld % 4 = 2: 2-way conflict"),
        (["banks", "32:ld", "--at", "ld=33"], 0, "no conflict"),
        (["banks", "32:ld", "--at", "ld=8"], 1, "8-way conflict"),
        (["banks", "(32,32):(32+p,1)"], 0, "p % 32 = 0 and p ≠ -32: 32-way conflict"),
        (["banks", "(4,8):(ld,1)"], 0, "(-7 ≤ ld ≤ 7) or ld % 16 = 8: no conflict"),
        (["banks", "(8,4):(ld,3)", *HALVES], 0, "always: misaligned"),
        (["banks", "Sw<1,0,2> o 0 o 8:ld", "--banks", "2"], 0, "otherwise: below 0, which no swizzle takes"),
        (["banks", "(8,4):(ld,ls)"], 2, "give numbers for all but one, as in --at ld=33"),
        (["banks", "(64,64,64):(ld,1,1)"], 3, "are too many: give a value, as in --at ld=33"),
        (["banks", f"Sw<3,3,3> o 0 o {TILE}", *HALVES], 0, "no conflict"),
        (["banks", "(8,4):(ld,8)", *HALVES], 0, "ld = 0 or ld % 16 = 8: no conflict\nld % 32 = 16: 2-way conflict"),
        (["banks", "(8,4):(ld,8)", *HALVES], 0, "ld % 64 = 0 and ld ≠ 0: 8-way conflict\notherwise: misaligned"),
        (["banks", "(8,4):(ld,8)", *HALVES, "--at", "ld=64"], 1, "8-way conflict"),
        (["banks", "(4,3):(32,128)", "--threads", "3"], 1, "3-way conflict: threads 0-2 read 3 different words"),
        (["banks", "((2,2),2):((0,1),32)", "--threads", "8"], 1, "threads 0, 1, 4, 5 read 2 different words of bank 0"),
        (
            ["banks", "(2,2):(1,0)", "--bytes", "256", "--threads", "2"],
            1,
            "2-way conflict: thread 0 reads 2 different words of bank 0 (words 0, 32)",
        ),
        (["banks", "(8,4):(64,1)", *HALVES], 1, "(index 8) starts at element 1"),
        (["banks", "{lane = [1, 2, 4]} -> {offset = 8}"], 0, "no conflict"),
        (["banks", "(8,n):(64,1)"], 2, "symbols in its shape"),
        (["banks", "8:1", "--width", "0"], 2, "--width"),
        (["footprint", "(4,2):(1,8)"], 0, "8 of 12 places, for 8 indices"),
        (["footprint", "(4,2):(0,8)"], 0, "no: indices 0 and 1 both have the value 0"),
        (["footprint", "(2,4):(4,1)"], 0, "order        3"),
        (["footprint", "(2,4):(4,d)"], 2, "has the symbols d"),
        (["footprint", "(2,4):(4,d)", "--at", "d=1"], 0, "order        3"),
        (["footprint", "{lane = [1]} -> {offset = 2}", "--at", "d=1"], 2, "has no symbols"),
    ],
)
def test_answers_and_exit_codes(args, code, said) -> None:
    shown = symview_(*args)
    assert shown.exit_code == code
    assert said in shown.output


@pytest.mark.parametrize(
    ("args", "answer", "keys"),
    [
        (["banks", TILE, *HALVES], "no", {"conflicts"}),
        (["banks", "(8,4):(ld,8)", *HALVES], "conditions", {"by_stride"}),
        (["footprint", "(4,2):(1,8)"], "yes", {"contiguous", "onto", "vector", "order", "gap", "holes", "span"}),
        (["footprint", "(2,4):(4,1)"], "yes", {"contiguous", "order"}),
    ],
)
def test_json(args, answer, keys) -> None:
    found = schema.read(symview_(*args, "--json").stdout)
    assert found["answer"] == answer
    assert keys <= found.keys()


def test_what_is_not_aligned_says_so_as_json() -> None:
    shown = symview_("banks", "(8,4):(64,1)", *HALVES, "--json")
    assert shown.exit_code == 1
    assert schema.read(shown.stdout)["not_aligned"].startswith("misaligned: the vector of 8 elements")


def test_bytes_are_bytes_of_an_element_in_both_interfaces() -> None:
    from symview.cute import Layout, bank_conflicts

    rows = Layout((8, 4), (64, 8))
    found = bank_conflicts(rows, bytes=2, vector=8)
    assert (found.ways, found) == (8, bank_conflicts(rows, element_bytes=2, vector=8))
    for flag in ("--bytes", "--element-bytes"):
        assert typed(["banks", str(rows), flag, "2", "--vector", "8"]).stdout == f"{found}\n"


def test_the_help_of_banks_shows_its_defaults() -> None:
    page = " ".join(typed(["banks", "--help"]).stdout.split())
    for name, default in {"banks": 32, "width": 4, "threads": 32, "vector": 1}.items():
        assert f"[default: {default};" in page.partition(f"--{name} INT")[2].partition("--")[0]


def test_a_conflict_says_in_which_access_it_is() -> None:
    from symview.cute import BankConflicts

    found = BankConflicts(2, 3, 0, 5, {5: (0,), 37: (1, 2)})
    assert str(found) == "2-way conflict in access 3: threads 0-2 read 2 different words of bank 5 (words 5, 37)"
