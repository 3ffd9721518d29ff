"""docs/try.html answers as the command line does, names included."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

LINES = [
    'reshape "(4,6):(1,4)" "(24)"',
    'reshape "(B,S,D):(t0,t1,t2)" "(B*S,D)"',
    'reshape "(n,m):(s,t)" "(n*m)" --python',
    'reshape "(B,S,D):(t0,t1,t2)" "(B*S,D)" --guard "t0 == S*t1"',
    'reshape "(B,S,H,D):(S*H*D,D,S*D,1)" "(B,S,H*D)"',
    'conditions "(10,3,3):(1,2,3)" "(6):(4)"',
    'conditions "(10,3,3):(a,b,c)" "(s):(4)"',
    'merge "(10,3,3):(9,3,1)" "(4,2):(4,-1)+1"',
    'merge "(9):(-1)+7 [2:8]" "(3,2):(3,1)" --json',
    'symview compose "(6,2):(1,7)" "(3,2):(2,3)"',
    'compose "(4,6,8):(a,b,c)" "6:3" --latex',
    'chain "(4,6):(1,4)" "(24)"',
    'overflows "(10,3,3):(σ1,σ2,σ3)" "(6):(4)" --all',
    'dense "(M,N):(p,q)"',
    'injective "(B,S,D):(t0,D,1)"',
    'span "(a,b):(s,t)" --storage N',
    'recast "(a,n):(ld,1)+o" int8 int32',
    'shard "(N,K)" "S(0)" "(N*K)" --mesh m',
    'overlap "(4,9):(16,1)" "(4,8):(16,1)+8"',
    'prove "(x % 255)//16 == (x//16) % (255//16)" --assume "x >= 0"',
    'weakest "x*y == x" --about "x, y"',
    "banks 32:ld",
    'swizzle "(64,64)" "cp.async 16 B" ldmatrix --bytes 2 --explain',
    'linear "Sw<1,0,2> o 0 o 8:1"',
    'merge "(10,3" "(4)"',
    "merge --help",
    "--help",
    "paint",
    'reshap "(4,6)" "(24)"',
    "lint script.py",
]
FIRST = LINES[0]
README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


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
    return shown(page)


def shown(page: Any) -> tuple[int, str]:
    """The exit code and the text of the answer, once it is there."""
    answer = page.locator("#answer[data-code]")
    answer.wait_for(timeout=120_000)
    return int(answer.get_attribute("data-code")), answer.text_content()


def of_the_command_line(line: str) -> tuple[int, str]:
    words = shlex.split(line.removeprefix("symview "))
    run = subprocess.run([sys.executable, "-m", "symview", *words], capture_output=True, encoding="utf-8", check=False)
    return run.returncode, run.stdout + run.stderr


def test_the_page_begins_with_readmes_question(page: Any) -> None:
    assert page.locator("#line").input_value() == FIRST
    assert f"$ symview {FIRST}\n" in README
    assert shown(page) == of_the_command_line(FIRST)
    assert page.locator("#state").text_content() == ""
    assert not page.locator("#loaded").is_visible()


@pytest.mark.parametrize("line", LINES)
def test_answers_are_those_of_the_command_line(page: Any, line: str) -> None:
    assert answered(page, line) == of_the_command_line(line)


@pytest.mark.parametrize(
    ("line", "said"),
    [('conditions "(10,3,3):(a,b,c)" "(m,n):(3,1)"', "needs isl"), ('merge "(4', "No closing quotation"),
     ("", "give a command")],
)  # fmt: skip
def test_what_it_cannot_answer_is_an_error(page: Any, line: str, said: str) -> None:
    code, text = answered(page, line)
    assert code == 2
    assert text.startswith("error: ")
    assert said in text
    assert page.locator("#answer").get_attribute("class") == "error"


def test_examples_can_be_clicked_and_are_answered(page: Any) -> None:
    links = page.locator("#examples a")
    assert links.count() > 10
    for n in range(links.count()):
        line = links.nth(n).text_content()
        links.nth(n).click()
        code, text = shown(page)
        assert page.locator("#line").input_value() == line
        assert code in (0, 1), text
        assert text or line.startswith("draw")


def test_drawings_are_drawn(page: Any) -> None:
    assert answered(page, 'draw "(10,3,3):(9,3,1)" "(6):(4)"') == (0, "")
    image = page.locator("#picture img")
    image.wait_for()
    page.wait_for_function("document.querySelector('#picture img').naturalWidth > 100")
    assert answered(page, 'merge "(4,6)" "(24)"') == (0, "(24):(1)\n")
    assert image.count() == 0


def test_a_long_question_can_be_stopped(page: Any) -> None:
    page.fill("#line", "sweep compose --bound 7")
    page.click("#ask")
    page.click("#stop")
    page.wait_for_selector("#ask:not([disabled])", timeout=120_000)
    assert page.locator("#answer").text_content() == "stopped\n"
    assert answered(page, 'merge "(4,6)" "(24)"') == (0, "(24):(1)\n")


def test_an_address_has_its_question(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}/try.html#" + quote('merge "(4,6)" "(24)"'))
    assert shown(page) == (0, "(24):(1)\n")
    page.close()


def test_files_that_are_missing_are_told(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.route("**/try/symview.whl", lambda route: route.fulfill(status=404))
    page.goto(f"{address}/try.html")
    page.wait_for_selector("#state.error")
    assert "try/symview.whl is not there" in page.locator("#state").text_content()
    page.close()
