"""One table of bad arguments: what is raised, and that the text has the value, the requirement and the way out."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from refusals import Bad

from symview import (
    Budget,
    InputError,
    NotationError,
    NotAView,
    NotSupported,
    OutOfBounds,
    Rule,
    SymbolError,
    SymviewError,
    Undecided,
    View,
    axis_info,
    bounds,
    certificate,
    compose_at,
    conditions,
    cute,
    equivalent,
    errors,
    floor_sum,
    merge,
    overflows,
    overlap,
    prove,
    ravel,
    reshape,
    reshape_conditions,
    shard_conditions,
    simplify_index,
    tensor,
    unravel,
    weakest,
    why_not,
)
from symview.answers import AmbiguousTruth
from symview.cute import Layout, composition_conditions
from symview.rules.programs.proving import EmptyRule

a, b, c, n = sympy.symbols("a b c n", integer=True)
real = sympy.Symbol("r", real=True)
positive = sympy.Symbol("p", integer=True, positive=True)
negative = sympy.Symbol("m", integer=True, negative=True)
OUTER = View((10, 3, 3), (a, b, c))
PLAIN = View((10, 3, 3), (9, 3, 1))
LINE = View((n,), (4,))
EIGHT = cute.Layout(8)
X = tensor("x", "(n,m)")
MORE = tensor("x", "(...,n)")


BAD = {
    # Views
    "negative size": Bad(lambda: View((2, -3)), InputError, ("size 1", "-3", "0 or more")),
    "too few strides": Bad(lambda: View((2, 3), (1,)), InputError, ("2 sizes", "2,3", "1 strides", "one stride")),
    "too many strides": Bad(lambda: View((), (1,)), InputError, ("0 sizes", "1 strides", "one stride")),
    "a shape that is a number": Bad(lambda: View(3), InputError, ("shape", "3", "sequence of integers")),
    "an empty view of a number": Bad(lambda: View.empty(3), InputError, ("shape", "3", "sequence of integers")),
    "a certificate of a no about addresses": Bad(
        lambda: certificate(overlap("(2):(1)", "(2):(1)+2"), "(2):(1)"), NotSupported,
        ("another question than merging", "the addresses 0 to 1 and 2 to 3 are apart")),
    "a certificate of no views": Bad(lambda: certificate(View((2,)), 2), InputError, ("2 is not a view", "give View(")),
    "a shape that is text": Bad(lambda: View("23"), NotationError, ("'('", "the shape", "write (23)")),
    "strides that are a number": Bad(lambda: View((2,), 1), InputError, ("strides", "1", "sequence of integers")),
    "a float size": Bad(lambda: View((2.0,)), SymbolError, ("size 0", "2.0", "give an integer")),
    "a true size": Bad(lambda: View((True,)), SymbolError, ("size 0", "True", "give an integer")),
    "a numpy bool": Bad(lambda: View((2,), (np.True_,)), SymbolError, ("stride 0", "True", "give an integer")),
    "a numpy float": Bad(lambda: View((2,), (np.float64(1.0),)), SymbolError, ("stride 0", "1.0", "give an integer")),
    "a text stride": Bad(lambda: View((2,), ("a",)), SymbolError, ("stride 0", "'a'", "give an integer")),
    "no offset": Bad(lambda: View((2,), (1,), None), SymbolError, ("offset", "None", "give an integer")),
    "a fraction": Bad(lambda: View((2,), (sympy.Rational(1, 2),)), SymbolError, ("1/2", "give an integer")),
    "a real symbol": Bad(lambda: View((2,), (real,)), SymbolError, ("stride 0", "r", "integer")),
    "a power": Bad(lambda: View((2,), (2**a,)), SymbolError, ("stride 0", "2**a", "integer")),
    "a short mask": Bad(lambda: View((2, 2), mask=[(0, 1)]), InputError, ("[(0, 1)]", "one pair", "2 dims")),
    "a mask of triples": Bad(lambda: View((2,), mask=[(0, 1, 2)]), InputError, ("(0, 1, 2)", "one pair")),
    "a mask below 0": Bad(lambda: View((2,), mask=[(-1, 1)]), InputError, ("mask 0", "[-1:1]", "0 <= lo <= hi <= 2")),
    "a mask beyond": Bad(lambda: View((2,), mask=[(0, 3)]), InputError, ("mask 0", "[0:3]", "<= 2")),
    "a mask reversed": Bad(lambda: View((4,), mask=[(3, 1)]), InputError, ("mask 0", "[3:1]", "lo <= hi")),
    "a mask that is a number": Bad(lambda: View((2,), mask=3), InputError, ("mask", "3", "one pair")),
    "a mask of numbers": Bad(lambda: View((2,), mask=[1]), InputError, ("mask", "1", "one pair")),
    # Notation
    "parse of no text": Bad(lambda: View.parse(5), InputError, ("View.parse(5)", "give text")),
    "parse of bytes": Bad(lambda: View.parse(b"(2)"), InputError, ("View.parse(b'(2)')", "give text")),
    "parse: too few strides": Bad(lambda: View.parse("(2,3):(1)"), InputError, ("(2,3):(1)", "one stride")),
    "parse: an open shape": Bad(lambda: View.parse("(2,3"), NotationError, ("')'", "close the shape", "^")),
    "parse: a negative size": Bad(lambda: View.parse("(0-2)"), InputError, ("(0-2)", "-2", "0 or more")),
    # Indices
    "at: an index too long": Bad(lambda: PLAIN.at((1, 2, 0, 0)), InputError, ("(1,2,0,0)", "4", "3 dims")),
    "at: a number": Bad(lambda: PLAIN.at(3), InputError, ("3", "sequence of integers")),
    "at: outside": Bad(lambda: PLAIN.at((0, 3, 0)), OutOfBounds, ("(0,3,0)", "(10,3,3)", "axis 1")),
    "at: below": Bad(lambda: PLAIN.at((0, -1, 0)), OutOfBounds, ("(0,-1,0)", "axis 1")),
    "at: a symbol": Bad(lambda: PLAIN.at((a, 0, 0)), SymbolError, ("a", "numbers", "substitute")),
    "index_into: a symbol": Bad(lambda: LINE.index_into((n,), (0,)), SymbolError, ("n", "numbers", "substitute")),
    "index_into: outside": Bad(lambda: View((4,), (4,)).index_into((3,), (3,)), OutOfBounds, ("12", "0..2", "(3,)")),
    "compose_at: outside": Bad(
        lambda: compose_at(View((3,)), View((4,), (4,)), index=(2,)), OutOfBounds, ("8", "0..2")
    ),
    "compose_at: symbolic": Bad(
        lambda: compose_at(PLAIN, View((4,), (a,)), index=(2,)), SymbolError, ("2*a", "substitute")
    ),
    "unravel: outside": Bad(lambda: unravel(6, (2, 3)), OutOfBounds, ("6", "0..5", "(2, 3)")),
    "unravel: below": Bad(lambda: unravel(-1, (2, 3)), OutOfBounds, ("-1", "0..5")),
    # Merging
    "merge of text": Bad(lambda: merge("(2", PLAIN), NotationError, ("expected ')'", "the shape")),
    "merge of a tuple": Bad(lambda: merge(PLAIN, (2, 3)), InputError, ("(2, 3)", "View(shape, strides)")),
    "merge of symbols": Bad(lambda: merge(OUTER, View((4,), (4,))), SymbolError, ("a", "conditions", "substitute")),
    "merge out of bounds": Bad(
        lambda: merge(PLAIN, View((24,), (4,))), OutOfBounds, ("92", "(23)", "0..89", "shrink the inner view")
    ),
    "merge below 0": Bad(
        lambda: merge(PLAIN, View((2,), (-1,))), OutOfBounds, ("-1", "(1)", "change its offset")
    ),
    "merge into nothing": Bad(lambda: merge(View((0, 2)), View(())), OutOfBounds, ("address 0", "empty")),
    # Conditions
    "conditions: a text": Bad(lambda: conditions(OUTER, "(n):4"), NotationError, ("'('", "the strides")),
    "conditions: an engine": Bad(
        lambda: conditions(OUTER, LINE, engine="z3"), InputError, ("'z3'", "auto", "enumerate", "smt")
    ),
    "conditions: out of bounds": Bad(
        lambda: conditions(OUTER, View((24,), (4,))), OutOfBounds, ("92", "0..89", "shrink")
    ),
    "conditions: assume an expression": Bad(
        lambda: conditions(OUTER, LINE, assume="n + 2"), NotationError, ("expected a comparison", "^")
    ),
    "conditions: assume a sympy expression": Bad(
        lambda: conditions(OUTER, LINE, assume=[n + 2]), InputError, ("n + 2", "comparison", "s >= 2")
    ),
    "conditions: assume a stranger": Bad(
        lambda: conditions(OUTER, LINE, assume="m > 2"), InputError, ("unknown symbol m", "a, b, c, n")
    ),
    "conditions: assume a contradiction": Bad(
        lambda: conditions(OUTER, LINE, assume=["n > 5", "n < 3"]), InputError, ("n > 5", "n < 3", "contradict")
    ),
    "conditions: another symbol n": Bad(
        lambda: conditions(OUTER, LINE, assume=sympy.Symbol("n", positive=True) > 3),
        SymbolError,
        ("n", "different assumptions", "use one symbol"),
    ),
    "conditions: a negative size": Bad(
        lambda: conditions(OUTER, View((sympy.Symbol("n", integer=True, negative=True),), (4,))),
        SymbolError,
        ("n", "nonpositive", "positive"),
    ),
    "conditions: a size that is positive by no assumption": Bad(
        lambda: conditions(OUTER, LINE, assume="n <= 0"), InputError, ("n <= 0", "contradict", "sizes are positive")
    ),
    # Reshape
    "reshape: sizes that never agree": Bad(
        lambda: reshape_conditions(View((n, 4)), (n, 5)), InputError, ("(n,4) to (n,5)", "never agree", "4 is not 5")
    ),
    "reshape: two holes": Bad(
        lambda: reshape_conditions(View((n, 4)), (-1, -1)), InputError, ("(-1,-1)", "only one size may be -1")
    ),
    "reshape: a negative size": Bad(
        lambda: reshape_conditions(View((n, 4)), (n, -2)), InputError, ("(n,-2)", "0 or more", "one may be -1")
    ),
    "reshape: a hole beside 0": Bad(
        lambda: reshape_conditions(View((n, 4)), (0, -1)), InputError, ("(n,4) to (0,-1)", "any size")
    ),
    "reshape: a text": Bad(lambda: reshape_conditions(View((n, 4)), "n*4"), NotationError, ("'('", "write (n*4)")),
    "reshape: a tuple": Bad(lambda: reshape_conditions((n, 4), (n,)), InputError, ("View(shape, strides)",)),
    "reshape: a real size": Bad(
        lambda: reshape_conditions(View((4, 6)), (real, -1)), SymbolError, ("size 0 is r", "give an integer")
    ),
    "reshape: a negative old size": Bad(
        lambda: reshape_conditions(View((negative, 6)), (-1,)), SymbolError, ("m", "nonpositive", "sizes are positive")
    ),
    "reshape: a negative new size": Bad(
        lambda: reshape_conditions(View((4, 6)), (negative, -1)), SymbolError, ("m", "nonpositive", "positive")
    ),
    "reshape: another symbol n": Bad(
        lambda: reshape_conditions(View((n, 6)), (sympy.Symbol("n", positive=True), 6)),
        SymbolError, ("n", "different assumptions", "use one symbol"),
    ),
    "reshape: assume a stranger": Bad(
        lambda: reshape_conditions(View((n, 4)), (-1,), assume="m > 2"), InputError, ("m > 2: unknown symbol m", "n")
    ),
    "reshape: assume an expression": Bad(
        lambda: reshape_conditions(View((n, 4)), (-1,), assume="n + 2"), NotationError, ("expected a comparison", "^")
    ),
    "reshape: assume a contradiction": Bad(
        lambda: reshape_conditions(View((n, 4)), (-1,), assume=["n > 5", "n < 3"]),
        InputError, ("n > 5", "n < 3", "contradict"),
    ),
    "reshape: sizes that do not agree have no index": Bad(
        lambda: reshape_conditions(View((n, 4)), (4, c)).counterexample({"n": 2, "c": 3}),
        InputError, ("n = 2, c = 3", "do not agree"),
    ),
    "reshape: numbers alone": Bad(lambda: View((n, 4)).reshape(-1), SymbolError, ("n", "symview.reshape")),
    # Guards
    "compare: a stranger": Bad(
        lambda: conditions(OUTER, LINE).compare("m > 2"), InputError, ("guard m > 2", "unknown symbol m", "a, b, c, n")
    ),
    "compare: an expression": Bad(
        lambda: conditions(OUTER, LINE).compare("n + 2"), NotationError, ("expected a comparison", "^")
    ),
    "compare: a truth value": Bad(lambda: conditions(OUTER, LINE).compare(True), InputError, ("True", "comparison")),
    "guards: a keyword": Bad(
        lambda: conditions(View((2, 4), (sympy.Symbol("in", integer=True), 1)), View((8,))).guards(),
        InputError, ("in is not a name", "rename the symbol"),
    ),
    "truth of conditions": Bad(
        lambda: bool(conditions(OUTER, LINE)), AmbiguousTruth, ("depends on values", ".holds", ".cases")
    ),
    "holds: a stranger": Bad(
        lambda: conditions(OUTER, LINE).holds({"m": 2}), InputError, ("unknown symbol m", "a, b, c, n")
    ),
    "holds: a missing size": Bad(
        lambda: conditions(OUTER, LINE).holds({"a": 1, "b": 1, "c": 1}), InputError, ("missing value for n", "each")
    ),
    "holds: a missing stride": Bad(
        lambda: conditions(OUTER, LINE).holds({"n": 4, "a": 1}), InputError, ("missing value for b, c", "give each")
    ),
    "holds: layouts, none at all": Bad(
        lambda: composition_conditions(Layout.parse("(4,6):(a,b)"), 6).holds(), InputError, ("missing value for a, b",)
    ),
    "holds: a float": Bad(lambda: conditions(OUTER, LINE).holds({"n": 4.0}), InputError, ("n = 4.0", "give an int")),
    "holds: a bool": Bad(lambda: conditions(OUTER, LINE).holds({"n": True}), InputError, ("n = True", "give an int")),
    "holds: size 0": Bad(
        lambda: conditions(OUTER, LINE).holds({"n": 0, "a": 1, "b": 1, "c": 1}),
        InputError,
        ("n = 0", "sizes are positive"),
    ),
    "holds: against an assumption": Bad(
        lambda: conditions(OUTER, LINE, assume=n > 5).holds({"n": 3}), InputError, ("contradict", "n > 5")
    ),
    "holds: against a declaration": Bad(
        lambda: conditions(View((4, 2), (positive, 1)), View((8,))).holds({"p": -2}),
        InputError,
        ("p = -2", "contradicts", "declared"),
    ),
    "counterexample: a missing symbol": Bad(
        lambda: conditions(OUTER, LINE).counterexample({"n": 4}), InputError, ("missing value for a, b, c", "every")
    ),
    # Overflows
    "overflows: a symbolic size": Bad(lambda: overflows(OUTER, LINE), NotSupported, ("n", "numbers", "give a number")),
    "overflows: a tuple": Bad(lambda: overflows(OUTER, (4,)), InputError, ("(4,)", "View")),
    "overflows: out of bounds": Bad(lambda: overflows(OUTER, View((24,), (4,))), OutOfBounds, ("92", "0..89")),
    # Programs
    "a tensor's name": Bad(lambda: tensor("2x", "n"), InputError, ("'2x'", "letters and digits")),
    "a tensor's size": Bad(lambda: tensor("x", (1.5,)), SymbolError, ("an entry", "1.5", "give an integer")),
    "a negative size of a tensor": Bad(lambda: tensor("x", (2, -1)), InputError, ("size 1 of x", "-1", "0 or more")),
    "`...` behind": Bad(lambda: tensor("x", "(n,...)"), InputError, ("`...`", "at the front")),
    "permute: axes twice": Bad(lambda: X.permute(0, 0), InputError, ("permute(0, 0)", "each of the 2 axes once")),
    "flip: an axis": Bad(lambda: X.flip(2), InputError, ("axis 2", "axes 0..1")),
    "flip: no number": Bad(lambda: X.flip("n"), InputError, ("flip", "axis 'n'", "not a number")),
    "axes from the left": Bad(lambda: MORE.flip(0), InputError, ("axis 0", "axes -1..-1", "from the right")),
    "shrink: too few": Bad(lambda: X.shrink((0, 1)), InputError, ("shrink", "one pair for each of the 2 dims")),
    "shrink: bounds": Bad(lambda: X.shrink((2, 1), (0, "m")), InputError, ("[2:1]", "0 <= lo <= hi <= n")),
    "pad: a width": Bad(lambda: X.pad((0, 0), (-1, 0)), InputError, ("axis 1", "-1", "from 0 up")),
    "slice: a step": Bad(lambda: X.slice((0, 0), ("n", "m"), (0, 1)), InputError, ("step 0", "from 1 up")),
    "slice: too few": Bad(lambda: X.slice((0, 0), ("n",)), InputError, ("2 starts, 1 stops", "each dim its own")),
    "expand: no 1": Bad(lambda: X.expand("n", "k"), InputError, ("axis 1", "from m to k", "size of 1 expands")),
    "expand: rank": Bad(lambda: X.expand("n"), InputError, ("(n)", "2 dims (n,m)")),
    "reshape: numbers": Bad(lambda: tensor("x", (4,)).reshape(3, 2), InputError, ("(4) to (3,2)", "differ")),
    "reshape: -1": Bad(lambda: X.reshape("k", -1), InputError, ("-1", "not whole", "write it")),
    "concat: rank": Bad(lambda: X.concat(tensor("y", "n"), 0), InputError, ("(n,m) and (n)", "same number of dims")),
    "concat: no program": Bad(lambda: X.concat("y", 0), InputError, ("'y'", "give a program")),
    "read: no view": Bad(lambda: X.read(3), InputError, ("read: 3 is not a view", "give View(")),
    "read of any rank": Bad(lambda: MORE.read("(2):(1)"), NotSupported, ("read", "`...`", "merge them")),
    "for each of no dims": Bad(lambda: X.pad(("...a", "...b"), (0, 0), (0, 0)), InputError, ("no further dims",)),
    "a rule of two ranks": Bad(lambda: tensor("y", "n") == X, InputError, ("different ranks", "(n) and (n,m)")),
    "programs differ": Bad(lambda: tensor("y", "n") != X, AmbiguousTruth, ("==", "prove(left == right)")),
    "a rule's truth": Bad(lambda: bool(X == X), AmbiguousTruth, ("to be proved", "prove(rule)")),
    "a rule's text": Bad(lambda: Rule.parse("x(n).flip(0)"), NotationError, ("one program == another",)),
    "an operation's name": Bad(lambda: Rule.parse("x(n).flp(0) == x(n)"), NotationError, ("'flp'", "mean 'flip'")),
    "an operation's arguments": Bad(
        lambda: prove("x(n).concat(y(m)) == x(n)"), NotationError, ("concat", "1 arguments")
    ),
    "a tensor of two shapes": Bad(
        lambda: prove("x(n).flip(0) == x(m)"), InputError, ("x has two shapes", "(n) and (m)", "two names")
    ),
    "never defined": Bad(
        lambda: prove("x(n).shrink((2*n,3*n)) == x(n).flip(0)"), EmptyRule, ("never defined", "the rule is empty")
    ),
    "never defined under assumptions": Bad(
        lambda: prove("x(n).shrink((a,n)) == x(n).flip(0)", ["a >= n + 1"]), EmptyRule, ("given a >= n + 1", "drop")
    ),
    "a name on the right alone": Bad(
        lambda: prove("x(n) == x(n).pad((a,0)).shrink((a,a + n))"),
        InputError, ("only on the right side", "assume a range of a"),
    ),
    "lemmas of programs": Bad(lambda: prove(X == X, bits=32), NotSupported, ("no widths",)),
    "padded dims that are merged": Bad(
        lambda: prove("x(...,n).pad((...a,...b),(0,0)).reshape(...*n) == x(...,n).reshape(...*n)"),
        NotSupported, ("merges", "flipped", "pad"),
    ),
    "padded dims in a concat": Bad(
        lambda: prove("x(...,n).pad((...a,...b),(0,0)).concat(y(...,m),-1).flip(-1) == x(...,n+m)"),
        NotSupported, ("in a concat", "as they are"),
    ),
    # Layouts
    "layout: a stride too many": Bad(
        lambda: cute.Layout((4, 6), (1, 4, 5)), cute.LayoutError, ("(4,6):(1,4,5)", "give one stride per size")
    ),
    "banks: none": Bad(lambda: cute.bank_conflicts(EIGHT, 0), cute.LayoutError, ("banks is 0", "from 1 on")),
    "banks: bytes": Bad(
        lambda: cute.bank_conflicts(EIGHT, bytes=0), cute.LayoutError, ("element_bytes is 0", "from 1 on")
    ),
    "banks: a vector": Bad(lambda: cute.bank_conflicts(EIGHT, vector=-2), cute.LayoutError, ("vector is -2",)),
    "banks: sizes": Bad(
        lambda: cute.bank_conflicts(cute.Layout.parse("(n,4)")), SymbolError, ("(n,4)", "in its shape", "substitute")
    ),
    "banks: a machine": Bad(
        lambda: cute.bank_conflicts(EIGHT, machine="gfx1250"), cute.LayoutError,
        ("'gfx1250'", "nvidia, cdna3, cdna4, rdna3, rdna4", "or give phases"),
    ),
    "banks: a row": Bad(
        lambda: cute.bank_conflicts(EIGHT, vector=3, machine="nvidia"), cute.LayoutError,
        ("nvidia: the phases of reads of 12 bytes", "4, 8, 16", "give phases"),
    ),
    "banks: a direction": Bad(
        lambda: cute.bank_conflicts(EIGHT, machine="rdna3", write=True), cute.LayoutError,
        ("rdna3: the phases of writes of 4 bytes", "known: none", "give phases"),
    ),
    "banks: a machine and more": Bad(
        lambda: cute.bank_conflicts(EIGHT, 32, threads=32, machine="nvidia"), cute.LayoutError,
        ("machine or banks and threads", "determines"),
    ),
    "banks: a write without a machine": Bad(
        lambda: cute.bank_conflicts(EIGHT, write=True), cute.LayoutError, ("write needs a machine",)
    ),
    "banks: phases and threads": Bad(
        lambda: cute.bank_conflicts(EIGHT, threads=32, phases=[[0, 1], [2, 3]]), cute.LayoutError,
        ("threads is 32", "4 lanes"),
    ),
    "banks: a lane twice": Bad(
        lambda: cute.bank_conflicts(EIGHT, phases="0-3; 3-6"), cute.LayoutError, ("each lane from 0 on", "0-3; 3-6")
    ),
    "banks: no phases": Bad(
        lambda: cute.bank_conflicts(EIGHT, phases="0-3 lane 4"), cute.LayoutError, ("0-3 lane 4", "as in '0-3 20-23")
    ),
    "banks: phases of another kind": Bad(
        lambda: cute.bank_conflicts(EIGHT, phases=8), cute.LayoutError, ("phases are 8", "give lists of lanes")
    ),
    # Budgets
    "budget: no work": Bad(lambda: Budget(work=0), InputError, ("work=0", "positive integer")),
    "budget: a float": Bad(lambda: Budget(points=1.5), InputError, ("points=1.5", "positive integer")),
    "budget: a bool": Bad(lambda: Budget(work=True), InputError, ("work=True", "positive integer")),
    "budget: no time": Bad(lambda: Budget(timeout=0), InputError, ("timeout=0", "above 0", "None")),
    "budget: too long": Bad(lambda: Budget(timeout=1e9), InputError, ("timeout=1000000000.0", "fewer than 1e+09")),
    "budget: a seed": Bad(lambda: Budget(seed=-1), InputError, ("seed=-1", "from 0")),
    "conditions: no budget": Bad(
        lambda: conditions(View((2, 2), (a, b)), View((4,)), budget=0), InputError, ("budget 0", "give symview.Budget(")
    ),
    "prove: no budget": Bad(lambda: prove("n == n", budget=5), InputError, ("budget 5", "give symview.Budget(")),
    # Other things than what is asked for
    "holds: text": Bad(
        lambda: conditions(View((2, 2), (a, b)), View((4,))).holds("a=2"), InputError, ("'a=2'", "numbers by name")
    ),
    "view: values": Bad(lambda: View((n,)).with_values(3), InputError, ("(n):(1)", "values 3", "by name")),
    "reshape: no view": Bad(lambda: reshape((2, 3), (6,)), InputError, ("(2, 3) is not a view", "give View(")),
    "why_not: no view": Bad(lambda: why_not((2, 3), (6,)), InputError, ("(2, 3) is not a view", "give View(")),
    "equivalent: no views": Bad(lambda: equivalent(View((2,)), 2), InputError, ("2 is not a view", "give View(")),
    "compose_at: no view": Bad(lambda: compose_at(PLAIN, 4, index=(1,)), InputError, ("4 is not a view", "give")),
    "shard: one end": Bad(lambda: shard_conditions((2, 3), 0, 2, (0,)), InputError, ("dims (0,)", "give two numbers")),
    "shard: no dim": Bad(lambda: shard_conditions((2, 3), "0", 2), InputError, ("dim 0", "give one of 0..1")),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(name) -> None:
    BAD[name].check()


def test_every_error_is_also_a_builtin_one() -> None:
    assert issubclass(InputError, ValueError)
    assert issubclass(NotSupported, NotImplementedError)
    assert issubclass(Undecided, RuntimeError)
    assert issubclass(AmbiguousTruth, TypeError)
    for name in ("NotationError", "OutOfBounds", "SymbolError", "NotAView"):
        assert issubclass(getattr(errors, name), InputError)
    family = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, Exception)]
    assert all(issubclass(e, SymviewError) for e in family)


def test_what_errors_carry() -> None:
    with pytest.raises(OutOfBounds) as error:
        merge(PLAIN, View((24,), (4,)))
    assert (error.value.index, error.value.address) == ((23,), 92)
    with pytest.raises(NotationError) as wrong:
        View.parse("(2,3")
    assert (wrong.value.position, wrong.value.text) == (4, "(2,3")
    assert Undecided("no time").reason == "no time"
    broken = merge(View((2, 2), (5, 1)), View((4,)))
    assert NotAView(broken).counterexample is broken
    assert str(broken) in str(NotAView(broken))


def test_zip_in_ravel_is_strict() -> None:
    with pytest.raises(ValueError):
        ravel((1, 2), (3,))


@pytest.mark.parametrize("odd", [None, 2.5, "x(", object(), [None], b"q", View((2, 3))], ids=lambda x: type(x).__name__)
@pytest.mark.parametrize(
    "ask",
    [
        lambda x: ravel(x, (2, 3)),
        lambda x: ravel((1, 2), x),
        lambda x: unravel(x, (2, 3)),
        lambda x: floor_sum(3, x, 1, 0),
        lambda x: bounds(x, {"i": 3}),
        lambda x: bounds("i", x),
        lambda x: axis_info("i", "i", 4, x) if x is not None else ravel(x, x),
        lambda x: simplify_index(x),
        lambda x: weakest("a + b == b", about=x),
        lambda x: View.in_order((2, 3), x) if x is not None else ravel(x, x),
        lambda x: weakest("a + b == b", about="a", budget=x) if x is not None else ravel(x, x),
    ],
)
def test_wholly_wrong_types_are_refused_in_words(ask, odd) -> None:
    with pytest.raises(InputError, match=r"\w{3}"):
        ask(odd)
