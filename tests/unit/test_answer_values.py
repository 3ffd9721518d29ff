"""Answers as values: what each is as a truth, and that it survives copies and pickles, with its text and its hash."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from satellites import there

from symview import (
    Budget,
    InputError,
    NotationError,
    NotAView,
    NotSupported,
    OutOfBounds,
    SymbolError,
    SymviewError,
    TooStrong,
    TooWeak,
    Undecided,
    View,
    axis_info,
    bounds,
    conditions,
    equivalent,
    least_guards,
    merge,
    overflows,
    prove,
    reshape,
    reshape_conditions,
    simplify,
    why_not,
)
from symview.cute import (
    Layout,
    LinearLayout,
    Swizzle,
    bank_conflicts,
    composition,
    composition_conditions,
    footprint,
    image,
    layout_of,
    same_function,
    to_linear,
    try_composition,
    vector_width,
)

SPLIT = View.parse("(B,S,D):(t0,t1,t2)")
JOINED = View.parse("(B*S,D)").shape
TILE = (Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3)))
STEPS = {"B": 4, "S": 5, "D": 6, "t0": 30, "t1": 6, "t2": 1}
ARRAY = numpy.zeros((4, 6, 5))[:, :3]


def raised(run: Callable[[], Any]) -> Any:
    with pytest.raises(SymviewError) as error:
        run()
    return error.value


# what it is made by, and its truth: None where bool() raises
ANSWERS: dict[str, tuple[Callable[[], Any], bool | None]] = {
    "view": (lambda: View((2, 3), (3, 1), 1, ((0, 2), (1, 3))), True),
    "empty view": (lambda: View((0,)), True),
    "view without dims": (lambda: View(()), True),
    "symbolic view": (lambda: SPLIT, True),
    "merged": (lambda: merge(View((10, 3, 3)), View((4,), (4,))), True),
    "counterexample": (lambda: merge(View((10, 3, 3), (1, 1, 1)), View((4,), (4,))), False),
    "counterexample of masks": (lambda: merge(View((4,), None, 0, ((0, 3),)), View((2, 2))), False),
    "counterexample of a reshape": (lambda: reshape(View((4, 6), (1, 4)), (24,)), False),
    "counterexample with values": (
        lambda: conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)")).counterexample(), False),
    "conditions": (lambda: conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)")), None),
    "conditions never": (lambda: conditions(View((10, 3, 3), (1, 1, 1)), View((4,), (4,))), None),
    "conditions of inner strides": (lambda: conditions(View.parse("(5,4):(a,b)"), View.parse("(3):(t)+o")), None),
    "conditions of a reshape": (lambda: reshape_conditions(SPLIT, JOINED), None),
    "example that merges": (lambda: reshape_conditions(SPLIT, JOINED).examples(2)[0], True),
    "example that breaks": (lambda: reshape_conditions(SPLIT, JOINED).examples(2)[1], True),
    "exact": (lambda: reshape_conditions(SPLIT, JOINED).compare("B == 1 or S == 1 or t0 == S*t1"), True),
    "too strong": (lambda: reshape_conditions(SPLIT, JOINED).compare("t0 == S*t1"), False),
    "too weak": (lambda: reshape_conditions(SPLIT, JOINED).compare("t0 % S == 0"), False),
    "proved": (lambda: prove("x + y == y + x"), True),
    "refuted": (lambda: prove("x - y == y - x"), False),
    "unknown": (lambda: prove("x*x*x + y*y*y + z*z*z != 42", budget=Budget(work=10)), None),
    "equal chains": (lambda: equivalent([View((2, 3))], [View((2, 3))]), True),
    "other chains": (lambda: equivalent([View((2, 3))], [View((2, 3), (1, 2))]), False),
    "simplified": (lambda: simplify(View((2, 4), (1, 2)), View((2, 4), (1, 2)), View((8,))), True),
    "overflow table": (lambda: overflows(View.parse("(10,3,3):(a,b,c)"), View((6,), (4,))), True),
    "obstacles": (lambda: why_not(View((4, 6), (1, 4)), (24,)), True),
    "budget": (lambda: Budget(timeout=3.0), True),
    "layout": (lambda: Layout((2, (2, 3)), (1, (2, 4))), True),
    "no layout": (lambda: try_composition(*TILE), False),
    "swizzled layout": (lambda: composition(Swizzle(2, 0, 2), Layout((4, 4), (4, 1))), True),
    "no layout of a table": (lambda: layout_of([0, 1, 2, 5]), False),
    "layout conditions": (lambda: composition_conditions(Layout.parse("(4,6):(a,b)"), Layout(6)), None),
    "linear layout": (lambda: LinearLayout({"lane": [[0, 1], [1, 0]]}, constant=[1, 0]), True),
    "not linear": (lambda: to_linear(Layout(4, 3)), False),
    "the same function": (lambda: same_function(Layout(4), LinearLayout([1, 2])), True),
    "another function": (lambda: same_function(Layout(4), LinearLayout([1, 3])), False),
    "bounds": (lambda: bounds("i//4*8 + i%4", {"i": 30}), True),
    "axis": (lambda: axis_info("p*64 + i", "i", 64), True),
    "bank conflicts": (lambda: bank_conflicts(Layout((8, 4), (64, 8))), True),
    "bank conflicts of a machine": (
        lambda: bank_conflicts(Layout((8, 8), (8, 80)), bytes=2, vector=8, machine="cdna3"), True),
    "disputed ways": (lambda: bank_conflicts(Layout(64, 64), machine="cdna4"), True),
    "disputed conflicts": (lambda: bank_conflicts(Layout((2, 32), (32, 1)), machine="cdna4"), None),
    "disputed conflicts by a stride": (lambda: bank_conflicts(Layout.parse("64:ld"), machine="cdna4"), None),
    "bank conflicts by a stride": (lambda: bank_conflicts(Layout.parse("(8,4):(1,ld)")), None),
    "vector width": (lambda: vector_width(Layout((8, 6), (1, 12))), True),
    "least guards": (lambda: least_guards("x % 2 == 0", "x % 6 == 0"), True),
    "image": (lambda: image(Layout((8, 6), (1, 12))), True),
    "footprint": (lambda: footprint(Layout((8, 6), (1, 12))), True),
    "no layout at": (
        lambda: composition_conditions(Layout.parse("(4,6):(a,b)"), Layout(6)).counterexample({"a": 1, "b": 5}), False),
}  # fmt: skip

ERRORS: dict[str, tuple[Callable[[], Any], type[SymviewError]]] = {
    "notation": (lambda: raised(lambda: View.parse("(2,3")), NotationError),
    "input": (lambda: raised(lambda: View((2,), (1, 2))), InputError),
    "symbol": (lambda: raised(lambda: merge(SPLIT, View((2,)))), SymbolError),
    "bounds": (lambda: raised(lambda: merge(View((4,)), View((8,)))), OutOfBounds),
    "no view": (lambda: raised(lambda: View((4, 6), (1, 4)).reshape((24,))), NotAView),
    "no composition": (lambda: raised(lambda: composition(*TILE)), InputError),
    "not supported": (lambda: raised(lambda: overflows(View((4,), None, 0, ((0, 3),)), View((2, 2)))), NotSupported),
    "undecided": (lambda: Undecided("the budget ran out"), Undecided),
}

if there("plans"):
    from symview import plan

    ANSWERS |= {
        "plan": (lambda: plan("q(B,S,H).permute(0,2,1).reshape(B*H,S)"), True),
        "plan that copies": (lambda: plan("q(4,6).permute(1,0).reshape(24)", "q(4,6).reshape(24)"), False),
        "conflict": (lambda: plan("q(4,6).permute(1,0).reshape(24)", "q(4,6).reshape(24)").conflicts[0], False),
    }
if there("shared_memory"):
    from symview.cute import Access, UndecidedLayout, best_padding, best_swizzle

    ANSWERS |= {
        "best swizzle": (lambda: best_swizzle((8, 8), ["row", "column"], element_bytes=4), True),
        "clashing vectors": (lambda: best_swizzle((8, 8), ["row 16 B", "ldmatrix along 0"], element_bytes=2), False),
        "best swizzle of a machine": (
            lambda: best_swizzle((64, 64), ["row 4 B", "column 4 B"], element_bytes=2, machine="cdna4"),
            True,
        ),
        "best padding": (lambda: best_padding((6, 8), ["row", "column"], element_bytes=4), True),
        "access": (lambda: Access.parse("ldmatrix"), True),
    }
    ERRORS |= {
        "undecided layout": (
            lambda: raised(lambda: best_swizzle((32, 32), ["row", "column"], element_bytes=4, budget=Budget(work=25))),
            UndecidedLayout,
        ),
    }
if there("torch"):
    from symview.torch import guard_at, view_guard

    ANSWERS |= {
        "guard of a view": (lambda: view_guard(ARRAY, (4, 15)), True),
        "guard of a copy": (lambda: view_guard(ARRAY, (12, -1)), False),
        "symbolic guard of a view": (lambda: guard_at(SPLIT, JOINED, STEPS), True),
        "symbolic guard of a copy": (lambda: guard_at(SPLIT, JOINED, {**STEPS, "t0": 31}), False),
        "guard that depends": (lambda: guard_at(SPLIT, JOINED, {}), None),
    }


def copies(x: Any) -> list[Any]:
    pickled = [pickle.loads(pickle.dumps(x, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    return [copy.copy(x), copy.deepcopy(x), *pickled]


@pytest.mark.parametrize("name", ANSWERS)
def test_the_truth_of_an_answer(name: str) -> None:
    make, truth = ANSWERS[name]
    answer = make()
    if truth is None:
        with pytest.raises(SymviewError):
            bool(answer)
    else:
        assert bool(answer) is truth


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_survive_copies_and_pickles(name: str) -> None:
    answer = ANSWERS[name][0]()
    for other in copies(answer):  # before anything was looked at
        assert repr(other) == repr(answer)
    for other in copies(answer):
        assert (other == answer, answer == other) == (True, True)
        assert hash(other) == hash(answer)
        assert untimed(other) == untimed(answer)


def untimed(answer: object) -> str:
    """Its text without the seconds: what is unpickled as proved is proved again."""
    return re.sub(r"[0-9.]+ s\]", "s]", str(answer))


def test_equal_values_in_another_order_have_one_hash() -> None:
    one, other = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    for make in (TooStrong, lambda values: TooWeak(values, (1,))):
        assert make(one) == make(other)
        assert hash(make(one)) == hash(make(other))


@pytest.mark.parametrize("name", ERRORS)
def test_errors_survive_copies_and_pickles(name: str) -> None:
    make, kind = ERRORS[name]
    error = make()
    for other in copies(error):
        assert type(other) is type(error)
        assert isinstance(other, kind)
        assert str(other) == str(error)
        assert {k: repr(v) for k, v in vars(other).items()} == {k: repr(v) for k, v in vars(error).items()}
