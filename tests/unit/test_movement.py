"""View's movement operations, one by one: what they mean, what they refuse, and how masked views are written."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
import sympy
from bridge import view
from bridge_chains import meaning, moved
from oracle import brute, masked, programs
from oracle.programs import Step
from refusals import Bad

from symview import (
    Counterexample,
    InputError,
    NotationError,
    NotAView,
    OutOfBounds,
    SymbolError,
    View,
    compose_at,
    equivalent,
    max_merge_view,
    merge,
    reshape,
    simplify,
    why_not,
)

HIDDEN = -1
A = sympy.Symbol("a", integer=True)
N = sympy.Symbol("n", integer=True)
PLAIN = View((2, 3, 4))
NOTHING = View((), (), 0, "empty")


def fields(v: View) -> tuple[Any, ...]:
    return v.shape, v.strides, v.offset, v.mask


def listed(v: View) -> np.ndarray:
    """The addresses as an array, HIDDEN where masked; addresses are 0 or more."""
    found = np.empty(list(v.shape), int)
    for index, address in meaning(v).items():
        found[index] = HIDDEN if address is None else address
    return found


# What the operations mean


def by_numpy(table: np.ndarray, step: Step) -> np.ndarray:
    given = step.argument
    match step.name:
        case "permute":
            return np.transpose(table, given)
        case "flip":
            return np.flip(table, given)
        case "shrink":
            return table[tuple(slice(lo, hi) for lo, hi in given)]
        case "pad":
            return np.pad(table, given, constant_values=HIDDEN) if given else table
        case "expand":
            return np.broadcast_to(table, given)
    return np.reshape(table, given)


def test_operations_are_numpy_s_on_the_table_of_addresses(turns) -> None:
    rng, seen = Random("movement"), set()
    for _ in turns(400):
        program = programs.program(rng)
        v, table = View(program.shape), np.arange(int(np.prod(program.shape))).reshape(program.shape)
        for step in program.steps:
            try:
                v = moved(v, step)
            except NotAView:
                break
            table = by_numpy(table, step)
            assert v.shape == table.shape == step.shape
            assert (listed(v) == table).all(), (program, step)
            seen.add(step.name)
    assert seen == set(programs.OPERATIONS)


def test_operations_on_any_masked_view(turns) -> None:
    """Any strides, offset and mask: the index that each new one shows is the old one's."""
    rng = Random("any view")
    for _ in turns(800):
        v = programs.outer(rng)
        step = programs._any_step(rng, v.shape, 0.1, 60)
        if step.name == "reshape":
            continue
        before, after = meaning(view(v)), meaning(moved(view(v), step))
        for index, address in after.items():
            back = programs._back(step, v.shape, index)
            assert address == (None if back is None else before[back]), (v, step)


@pytest.mark.parametrize(
    ("text", "operation", "expected"),
    [
        ("(2,3)", lambda v: v.permute((1, 0)), "(3,2):(1,3)"),
        ("(2,3)", lambda v: v.permute((-1, 0)), "(3,2):(1,3)"),
        ("(2,3) [0:1,1:3]", lambda v: v.permute([1, 0]), "(3,2):(1,3) [1:3,0:1]"),
        ("()", lambda v: v.permute(()), "():()"),
        ("(9)", lambda v: v.flip(0), "(9):(-1)+8"),
        ("(2,3)", lambda v: v.flip((0, 1)), "(2,3):(-3,-1)+5"),
        ("(2,3)", lambda v: v.flip((1, -1)), "(2,3):(3,-1)+2"),
        ("(2,3)", lambda v: v.flip(()), "(2,3):(3,1)"),
        ("(4) [1:2]", lambda v: v.flip(0), "(4):(-1)+3 [2:3]"),
        ("(4,3)", lambda v: v.shrink(((1, 3), (0, 2))), "(2,2):(3,1)+3"),
        ("(4) [1:3]", lambda v: v.shrink([(2, 4)]), "(2):(1)+2 [0:1]"),
        ("(4) [1:3]", lambda v: v.shrink([(1, 3)]), "(2):(1)+1"),
        ("(4) [0:1]", lambda v: v.shrink([(2, 4)]), "(2):(1)+2 [0:0]"),
        ("(4)", lambda v: v.shrink([(2, 2)]), "(0):(1)+2"),
        ("(2)", lambda v: v.pad(((1, 2),)), "(5):(1)-1 [1:3]"),
        ("(2,2)", lambda v: v.pad(((0, 0), (1, 0))), "(2,3):(2,1)-1 [0:2,1:3]"),
        ("(2)", lambda v: v.pad(((0, 0),)), "(2):(1)"),
        ("(1,3)", lambda v: v.expand((4, 3)), "(4,3):(0,1)"),
        ("(1,3) [0:1,1:2]", lambda v: v.expand((4, 3)), "(4,3):(0,1) [0:4,1:2]"),
        ("(1) [0:0]", lambda v: v.expand((3,)), "(3):(0) [0:0]"),
        ("(1)", lambda v: v.expand((0,)), "(0):(0)"),
        ("(4,6)", lambda v: v.reshape((2, 2, 6)), "(2,2,6):(12,6,1)"),
        ("(4,6)", lambda v: v.reshape((-1,)), "(24):(1)"),
        ("(6):(1) [0:4]", lambda v: v.reshape((3, 2)), "(3,2):(2,1) [0:2,0:2]"),
        ("(9):(-1)+7 [2:8]", lambda v: v.reshape((3, 3)), None),
        ("() [empty]", lambda v: v.reshape((1, 1)), "(1,1):(0,0) [0:0,0:0]"),
        ("(1):(0) [0:0]", lambda v: v.reshape(()), "():() [empty]"),
        ("(a,3):(σ1,1)", lambda v: v.permute((1, 0)), "(3,a):(1,σ1)"),
        ("(4):(σ1)", lambda v: v.flip(0), "(4):(-σ1)+3σ1"),
        ("(4):(σ1)", lambda v: v.pad([(1, 1)]), "(6):(σ1)-σ1 [1:5]"),
        ("(4):(σ1)", lambda v: v.shrink([(1, 3)]), "(2):(σ1)+σ1"),
    ],
)
def test_worked_operations(text, operation, expected) -> None:
    if expected is None:
        with pytest.raises(NotAView):
            operation(View.parse(text))
        return
    found, wanted = operation(View.parse(text)), View.parse(expected)
    assert (found.shape, found) == (wanted.shape, wanted)
    if wanted.mask is None:
        assert found.mask is None


def test_a_refused_reshape_carries_the_counterexample() -> None:
    with pytest.raises(NotAView) as error:
        View((4, 6), (1, 4)).reshape((24,))
    found = error.value.counterexample
    assert isinstance(found, Counterexample)
    assert str(found) in str(error.value)
    assert found == reshape(View((4, 6), (1, 4)), (24,))
    assert not found


def test_operations_take_lists_arrays_and_numpy_numbers() -> None:
    assert PLAIN.permute(np.array([2, 0, 1])) == PLAIN.permute((2, 0, 1))
    assert PLAIN.shrink(np.array([[0, 2], [1, 2], [0, 4]])) == PLAIN.shrink([(0, 2), (1, 2), (0, 4)])
    assert PLAIN.pad([[np.int64(1), 0], (0, 0), (0, 0)]).shape == (3, 3, 4)
    assert PLAIN.reshape(np.array([6, 4])) == PLAIN.reshape([6, 4])
    assert PLAIN.flip([np.int64(1)]) == PLAIN.flip(1)


def test_one_numpy_axis_is_an_axis() -> None:
    assert PLAIN.flip(np.int64(1)) == PLAIN.flip(1)


def test_operations_leave_the_view_alone() -> None:
    v = View((2, 3), (5, 1), 4, [(0, 2), (1, 3)])
    before = fields(v)
    v.permute((1, 0)), v.flip(0), v.shrink([(0, 1), (0, 2)]), v.pad([(1, 1), (2, 2)]), v.expand((2, 3))
    assert fields(v) == before


# What is refused


OUTSIDE = View((4,), (2,), 0, [(0, 3)])

BAD = {
    # Masks
    "a mask beyond the shape": Bad(lambda: View((4,), mask=[(0, 5)]), InputError, ("mask 0", "[0:5]", "<= 4")),
    "a mask below 0": Bad(lambda: View((2, 4), mask=[(0, 2), (-1, 2)]), InputError, ("mask 1", "[-1:2]", "0 <= lo")),
    "a mask reversed": Bad(lambda: View((4,), mask=[(3, 2)]), InputError, ("mask 0", "[3:2]", "lo <= hi")),
    "a mask too short": Bad(lambda: View((4, 4), mask=[(0, 2)]), InputError, ("mask", "one pair", "2 dims")),
    "a mask too long": Bad(lambda: View((), mask=[(0, 2)]), InputError, ("mask", "one pair", "0 dims")),
    "a mask of another word": Bad(lambda: View((2,), mask="none"), InputError, ("mask", "'none'", "one pair")),
    "a float bound": Bad(lambda: View((2,), mask=[(0, 1.0)]), SymbolError, ("1.0", "mask 0", "integer")),
    "parse: a mask beyond": Bad(lambda: View.parse("(4) [0:5]"), InputError, ("(4) [0:5]", "mask 0", "<= 4")),
    "parse: a mask of one bound": Bad(lambda: View.parse("(4) [2]"), NotationError, ("':'", "mask", "^")),
    "parse: an open mask": Bad(lambda: View.parse("(4) [0:2"), NotationError, ("']'", "close the mask", "^")),
    "parse: an open empty mask": Bad(lambda: View.parse("() [empty"), NotationError, ("']'", "close the mask", "^")),
    # Permutations
    "permute: an axis twice": Bad(lambda: PLAIN.permute((0, 0, 1)), InputError, ("(0, 0, 1)", "3 axes", "once")),
    "permute: an axis missing": Bad(lambda: PLAIN.permute((0, 1)), InputError, ("(0, 1)", "3 axes", "once")),
    "permute: an axis twice by sign": Bad(lambda: PLAIN.permute((0, -3, 1)), InputError, ("once",)),
    "permute: no axis of the view": Bad(lambda: PLAIN.permute((0, 1, 3)), InputError, ("axis 3", "0..2")),
    "permute: no dims": Bad(lambda: View(()).permute((0,)), InputError, ("axis 0", "no dims")),
    "permute: a text axis": Bad(lambda: PLAIN.permute(("a", 1, 2)), SymbolError, ("'a'", "integer")),
    "permute: a number": Bad(lambda: PLAIN.permute(1), InputError, ("1",)),
    # Flips
    "flip: an axis beyond": Bad(lambda: PLAIN.flip(3), InputError, ("axis 3", "0..2")),
    "flip: an axis before": Bad(lambda: PLAIN.flip((-4,)), InputError, ("axis -4", "0..2")),
    "flip: a float": Bad(lambda: PLAIN.flip((1.0,)), SymbolError, ("1.0", "integer")),
    "flip: no axes": Bad(lambda: PLAIN.flip(None), SymbolError, ("None",)),
    # Shrinks
    "shrink: beyond": Bad(lambda: View((4,)).shrink([(0, 5)]), InputError, ("shrink 0", "[0:5]", "<= 4")),
    "shrink: before": Bad(lambda: View((4,)).shrink([(-1, 3)]), InputError, ("shrink 0", "[-1:3]", "0 <= lo")),
    "shrink: reversed": Bad(lambda: View((4,)).shrink([(3, 1)]), InputError, ("shrink 0", "[3:1]", "lo <= hi")),
    "shrink: too few": Bad(lambda: PLAIN.shrink([(0, 1)]), InputError, ("one pair", "3 dims")),
    "shrink: no pairs": Bad(lambda: View((4,)).shrink([3]), InputError, ("[3]", "one pair")),
    # Pads
    "pad: negative before": Bad(lambda: View((4,)).pad([(-1, 0)]), InputError, ("axis 0", "(-1, 0)", "from 0 up")),
    "pad: negative after": Bad(lambda: PLAIN.pad([(0, 0), (0, -2), (0, 0)]), InputError, ("axis 1", "(0, -2)")),
    "pad: too many": Bad(lambda: View((4,)).pad([(0, 0), (0, 0)]), InputError, ("one pair", "1 dims")),
    "pad: a number": Bad(lambda: View((4,)).pad(1), InputError, ("1", "one pair")),
    # Expansions
    "expand: not of size 1": Bad(lambda: View((2, 3)).expand((4, 3)), InputError, ("axis 0", "2", "4", "size of 1")),
    "expand: of size 0": Bad(lambda: View((0,)).expand((4,)), InputError, ("axis 0", "0", "4", "size of 1")),
    "expand: another rank": Bad(lambda: View((2, 1)).expand((1, 2, 1)), InputError, ("(1,2,1)", "2 dims", "(2,1)")),
    "expand: to less": Bad(lambda: View((2,)).expand((1,)), InputError, ("axis 0", "2", "1")),
    "expand: to a negative size": Bad(lambda: View((1,)).expand((-2,)), InputError, ("-2", "0 or more")),
    # Reshapes
    "reshape: another size": Bad(lambda: View((4, 6)).reshape((5, 5)), InputError, ("(4,6)", "(5,5)", "24", "25")),
    "reshape: to nothing": Bad(lambda: View((2,)).reshape(()), InputError, ("2 elements", "1")),
    "reshape: -1 twice": Bad(lambda: View((4,)).reshape((-1, -1)), InputError, ("(-1,-1)", "only one")),
    "reshape: -1 does not divide": Bad(lambda: View((4,)).reshape((3, -1)), InputError, ("4", "3", "-1")),
    "reshape: -1 with 0": Bad(lambda: View((0,)).reshape((0, -1)), InputError, ("-1", "0")),
    "reshape: other negative": Bad(lambda: View((4,)).reshape((-2, -2)), InputError, ("(-2,-2)", "0 or more")),
    "reshape: text": Bad(lambda: View((4,)).reshape("22"), NotationError, ("'('", "write (22)")),
    "reshape: no size": Bad(lambda: View((4,)).reshape(None), SymbolError, ("size 0", "None")),
    "reshape: a symbolic size": Bad(lambda: View((4,)).reshape((N,)), SymbolError, ("n", "symbolic")),
    "reshape: symbolic strides": Bad(lambda: View((4,), (A,)).reshape((2, 2)), SymbolError, ("a", "symbolic")),
    "reshape: no single view": Bad(lambda: View((4, 6), (1, 4)).reshape((24,)), NotAView, ("(6)", "24", "1")),
    # Explanations
    "why_not: a mask": Bad(lambda: why_not(OUTSIDE, (2, 2)), InputError, ("masks", "reshape")),
    "why_not: symbols": Bad(lambda: why_not(View((4,), (A,)), (2, 2)), SymbolError, ("a", "symbolic")),
    "why_not: another size": Bad(lambda: why_not(View((4,)), (3,)), InputError, ("4 elements", "3")),
    "max_merge_view: a mask": Bad(lambda: max_merge_view(OUTSIDE), InputError, ("(4):(2) [0:3]", "mask")),
    "max_merge_view: symbols": Bad(lambda: max_merge_view(View((4,), (A,))), SymbolError, ("a", "symbolic")),
    # Addresses outside where the inner mask is open
    "merge: open outside": Bad(lambda: merge(View((4,)), OUTSIDE), OutOfBounds, ("4", "(2)", "0..3")),
    "merge: below 0": Bad(
        lambda: merge(View((9,)), View((4,), (-1,), 1, [(1, 4)])), OutOfBounds, ("-2", "(3)", "0..8")
    ),
    "merge: outside an outer mask too": Bad(
        lambda: merge(View((4,), mask=[(0, 1)]), View((5,), (1,))), OutOfBounds, ("4", "0..3")
    ),
    "merge: outside an empty outer view": Bad(
        lambda: merge(View.empty((4,)), View((5,), (1,))), OutOfBounds, ("4", "0..3")
    ),
    "merge: a chain, last": Bad(lambda: merge(View((9,)), View((4,)), View((5,))), OutOfBounds, ("4", "0..3")),
    "merge: a chain, middle": Bad(lambda: merge(View((3,)), View((4,)), View((2,))), OutOfBounds, ("3", "0..2")),
    "compose_at: outside": Bad(lambda: compose_at(View((4,)), OUTSIDE, index=(2,)), OutOfBounds, ("4",)),
    # Chains
    "simplify: nothing": Bad(lambda: simplify(), InputError, ("at least one view",)),
    "simplify: no view": Bad(lambda: simplify(View((2,)), (2,)), InputError, ("(2,)", "not a view")),
    "simplify: symbols": Bad(lambda: simplify(View((2,), (A,))), SymbolError, ("a", "symbolic")),
    "merge: no view in a chain": Bad(lambda: merge(View((2,)), View((2,)), 2), InputError, ("2 is not a view", "give")),
    "equivalent: another shape": Bad(lambda: equivalent(View((2,)), View((3,))), InputError, ("(2)", "(3)", "shapes")),
    "equivalent: nothing": Bad(lambda: equivalent([], View((3,))), InputError, ("at least one view",)),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(name) -> None:
    BAD[name].check()


def test_hidden_addresses_may_be_outside() -> None:
    assert merge(View((4,)), View((4,), (2,), 0, [(0, 2)])) == View((4,), (2,), 0, [(0, 2)])
    assert merge(View((4,)), View((9,), (-1,), 7, [(4, 8)])) == View((9,), (-1,), 7, [(4, 8)])
    assert merge(View((4,)), View.empty((9,))) == View.empty((9,))
    assert merge(View((4,)), View((5, 0), (7, 7), -3)) == View((5, 0))


# How masked views are written


def every_small_view():
    """All views of a few shapes, strides and offsets, with all their masks."""
    for shape in ((), (1,), (2,), (3,), (1, 2), (2, 2), (0,), (2, 0)):
        bounds = [[(lo, hi) for lo in range(n + 1) for hi in range(lo, n + 1)] for n in shape]
        for strides in product((-1, 0, 2), repeat=len(shape)):
            for offset, mask in product((0, 3), [None, masked.EMPTY, *product(*bounds)]):
                yield View(shape, strides, offset, mask)


def test_notation_and_repr_give_the_fields_back() -> None:
    for v in every_small_view():
        for back in (View.parse(str(v)), eval(repr(v), {"View": View})):
            assert (fields(back), back, hash(back)) == (fields(v), v, hash(v))


@pytest.mark.parametrize(
    ("text", "mask", "shown"),
    [
        ("(9):(-1)+7 [2:8]", ((2, 8),), "(9):(-1)+7 [2:8]"),
        ("(3,2):(-3,-1)+7[1:3,0:2]", ((1, 3), (0, 2)), "(3,2):(-3,-1)+7 [1:3,0:2]"),
        ("() [empty]", "empty", "():() [empty]"),
        ("():()+4[empty]", "empty", "():()+4 [empty]"),
        ("():() [ empty ]", "empty", "():() [empty]"),
        ("(2,3) [empty]", ((0, 0), (0, 0)), "(2,3):(3,1) [0:0,0:0]"),
        ("():() []", (), None),
        ("(4) [1:1]", ((1, 1),), "(4):(1) [1:1]"),
        ("(4):(1)-3 [2*1:7//2]", ((2, 3),), "(4):(1)-3 [2:3]"),
    ],
)
def test_masks_in_the_notation(text, mask, shown) -> None:
    v = View.parse(text)
    assert v.mask == mask
    if shown is not None:
        assert str(v) == shown
    assert fields(View.parse(str(v))) == fields(v)


def test_the_fully_masked_view_without_dims() -> None:
    assert repr(NOTHING) == "View((), (), 0, 'empty')"
    assert View.parse(str(NOTHING)) == NOTHING == View.empty(()) == eval(repr(NOTHING))
    assert NOTHING.at(()) is None
    assert NOTHING.is_void()
    assert NOTHING
    assert View(()) != NOTHING
    assert View((), (), 5, "empty") == NOTHING
    assert (NOTHING.size, NOTHING.rank) == (1, 0)
    assert NOTHING.permute(()) == NOTHING.flip(()) == NOTHING.pad(()) == NOTHING.shrink(()) == NOTHING
    assert NOTHING.expand(()) == NOTHING.reshape(()) == NOTHING
    assert NOTHING.reshape((1,)) == View.empty((1,))
    assert View.empty((1,)).reshape(()) == NOTHING
    assert View.empty((2, 2)).shrink([(0, 1), (0, 1)]).reshape(()) == NOTHING


def test_symbolic_masks_are_written() -> None:
    v = View.parse("(n,3):(3,1)+a [0:n,1:b]")
    assert str(v) == "(n,3):(3,1)+a [0:n,1:b]"
    assert fields(View.parse(str(v))) == fields(v)
    assert eval(repr(v)) == v


# Equality


def test_views_are_equal_exactly_where_they_mean_the_same() -> None:
    by_key: dict[Any, Any] = {}
    by_meaning: dict[Any, View] = {}
    for v in every_small_view():
        said = (v.shape, tuple(sorted(meaning(v).items())))
        assert by_key.setdefault(v.key(), said) == said
        first = by_meaning.setdefault(said, v)
        assert first == v
        assert hash(first) == hash(v)
    assert len(by_key) == len(by_meaning)


def test_random_views_with_the_same_meaning_are_equal(turns) -> None:
    """A view and the view that brute force reads off its addresses."""
    rng = Random("read off")
    for _ in turns(600):
        v = programs.outer(rng)
        other = masked.as_view(v.shape, masked.decide([v]))
        assert view(v) == view(other)
        assert hash(view(v)) == hash(view(other))
        moved_on = other._replace(offset=other.offset + 1)
        if not masked.is_void(v) and brute.indices(v.shape):
            assert view(v) != view(moved_on)
