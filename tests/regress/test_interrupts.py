"""Ctrl-C at every function that a question with Z3 enters: none is lost, and none becomes another error."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from symview import Budget
from symview.logic import bits, z3_door
from symview.logic.divisions import Formula
from symview.logic.notation import parse_statement

SMALL = parse_statement("x*y > 25*z and x > y//3 and y > 0 and z > x")
BITS = Formula(parse_statement("x & y == 12 and x ^ y == 3 and 0 <= x < 14 and 0 <= y < 99"), "floor")


def question() -> None:
    budget = Budget().started()
    z3_door.check([SMALL], budget)
    bits.check([BITS], budget)
    any(n > 1 for n in range(9))  # a generator that Python closes


def place_of(frame: FrameType) -> tuple[str, int, str]:
    return frame.f_code.co_filename, frame.f_code.co_firstlineno, frame.f_code.co_name


def entered() -> list[tuple[str, int, str]]:
    """The functions that the question enters in Z3's package, around it, and in generators."""
    found = dict[tuple[str, int, str], None]()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            found[place_of(frame)] = None

    sys.setprofile(note)
    question()
    sys.setprofile(None)
    near = ("/z3/", "z3_door.py", "threading.py", __file__)
    return [p for p in found if any(n in p[0] for n in near)]


def outcome(place: tuple[str, int, str]) -> type[BaseException] | None:
    """What the question ends with if Ctrl-C is pressed when this function is entered."""

    def press(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and place_of(frame) == place:
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)

    try:
        sys.setprofile(press)
        question()
        sys.setprofile(None)
        for _ in range(100):  # it may be sent again
            time.sleep(0.01)
    except BaseException as error:
        return type(error)
    finally:
        sys.setprofile(None)
    return None


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_ctrl_c")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of half-built objects of Z3
def test_no_interrupt_is_lost() -> None:
    question()
    places = entered()
    assert {"__del__", "from_param", "<genexpr>"} - {name for _, _, name in places} == {"from_param"}
    assert [(p, found) for p in places if (found := outcome(p)) is not KeyboardInterrupt] == []
