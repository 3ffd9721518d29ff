"""docs/try.html answers as the command line does."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

LINES = [
    'conditions "(10,3,3):(1,2,3)" "(6):(4)"',
    'conditions "(10,3,3):(a,b,c)" "(6):(4)"',
    'merge "(10,3,3):(9,3,1)" "(4,2):(4,-1)+1"',
    'merge "(10,3,3):(1,1,1)" "(4):(4)"',
    'merge "(9):(-1)+7 [2:8]" "(3,2):(3,1)" --json',
    'symview reshape "(4,6):(1,4)" "(24)"',
    'compose "(6,2):(1,7)" "(3,2):(2,3)"',
    'chain "(4,6):(1,4)" "(24)"',
    'overflows "(10,3,3):(9,3,1)" "(4):(4)" --all',
    'dense "(3,4):(4,-1)+3" --flips',
    'injective "(3,2):(1,2)"',
    'overlap "(4,9):(16,1)" "(4,8):(16,1)+8"',
    "banks 32:2",
    'linear "SW_1_0_2 o 0 o 8:1"',
    'merge "(10,3" "(4)"',
    "merge --help",
]
FIRST = LINES[0]


@pytest.fixture(scope="module")
def page(browser: Any, address: str) -> Iterator[Any]:
    found = browser.new_page()
    found.goto(f"{address}/try.html")
    found.wait_for_selector("#ask:not([disabled])", timeout=120_000)
    yield found
    found.close()


def answered(page: Any, line: str) -> tuple[int, str]:
    page.fill("#line", line)
    page.click("#ask")
    shown = page.locator("#answer")
    return int(shown.get_attribute("data-code")), shown.text_content()


def test_the_page_begins_with_an_answer(page: Any) -> None:
    assert page.locator("#line").input_value() == FIRST
    assert page.locator("#answer").text_content().startswith("never\n")
    assert page.locator("#state").text_content() == ""
    assert not page.locator("#loaded").is_visible()


@pytest.mark.parametrize("line", LINES)
def test_answers_are_those_of_the_command_line(page: Any, line: str) -> None:
    words = shlex.split(line.removeprefix("symview "))
    run = subprocess.run([sys.executable, "-m", "symview", *words], capture_output=True, encoding="utf-8", check=False)
    assert answered(page, line) == (run.returncode, run.stdout + run.stderr)


@pytest.mark.parametrize(
    ("line", "said"),
    [('prove "x*x % 4 <= 1"', "needs a solver"), ("paint", "unknown command paint"),
     ('merge "(4', "No closing quotation"), ("", "give a command")],
)  # fmt: skip
def test_what_it_cannot_answer_is_an_error(page: Any, line: str, said: str) -> None:
    code, text = answered(page, line)
    assert code == 2
    assert text.startswith("error: ")
    assert said in text
    assert page.locator("#answer").get_attribute("class") == "error"


def test_files_that_are_missing_are_told(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.route("**/try/symview.whl", lambda route: route.fulfill(status=404))
    page.goto(f"{address}/try.html")
    page.wait_for_selector("#state.error")
    assert "try/symview.whl is not there" in page.locator("#state").text_content()
    page.close()
