"""Reshapes with symbolic sizes, by name: merges, splits, regroupings, what PyTorch and MLIR users ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .parametric import Reshape, entries, opened


class Pattern(NamedTuple):
    """`answer`: the exact condition for positive sizes, where it can be said in a line; a text that Python reads.

    `zero` are names that may be 0 by assumption, `upto` the largest value of a name where it is not 5, `least` the
    least one where that is neither 1 nor, for one of `zero`, 0.
    """

    name: str
    view: str
    shape: str
    answer: str | None = None
    assume: tuple[str, ...] = ()
    zero: tuple[str, ...] = ()
    upto: Mapping[str, int] = {}
    least: Mapping[str, int] = {}

    def reshape(self) -> Reshape:
        """The view and the new shape as texts, with all that is assumed."""
        zero = tuple(f"{name} >= 0" for name in self.zero)
        return Reshape(opened(self.view), entries(self.shape[1:-1]), (*self.assume, *zero))

    def ranges(self) -> dict[str, range]:
        """The values that each size takes in the tests."""
        least = dict.fromkeys(self.zero, 0) | self.least
        return {n: range(least.get(n, 1), self.upto.get(n, 5) + 1) for n in self.reshape().sizes()}


_TWO = "a == 1 or b == 1 or t0 == b*t1"
_THREE = (
    "(a == 1 or b == 1 or t0 == b*t1) and (b == 1 or c == 1 or t1 == c*t2) "
    "and (b != 1 or a == 1 or c == 1 or t0 == c*t2)"
)

PATTERNS = (
    # Merges
    Pattern("two dims into one", "(a,b):(t0,t1)", "(a*b)", _TWO),
    Pattern("two dims into one, with an offset", "(a,b):(t0,t1)+o", "(a*b)", _TWO),
    Pattern("the leading two of three", "(a,b,c):(t0,t1,t2)", "(a*b,c)", _TWO),
    Pattern("the last two of three", "(a,b,c):(t0,t1,t2)", "(a,b*c)", "b == 1 or c == 1 or t1 == c*t2"),
    Pattern("three dims into one", "(a,b,c):(t0,t1,t2)", "(a*b*c)", _THREE),
    Pattern("four dims into one", "(a,b,c,d):(t0,t1,t2,t3)", "(a*b*c*d)"),
    Pattern(
        "two pairs", "(a,b,c,d):(t0,t1,t2,t3)", "(a*b,c*d)",
        "(a == 1 or b == 1 or t0 == b*t1) and (c == 1 or d == 1 or t2 == d*t3)",
    ),
    Pattern(
        "the middle pair of four", "(a,b,c,d):(t0,t1,t2,t3)", "(a,b*c,d)", "b == 1 or c == 1 or t1 == c*t2"
    ),
    Pattern("the outer three of four", "(a,b,c,d):(t0,t1,t2,t3)", "(a*b*c,d)", _THREE),
    Pattern("into one by -1", "(a,b):(t0,t1)", "(-1)", _TWO),
    Pattern("a batch of squares", "(a,b,b):(t0,t1,t2)", "(a,b*b)", "b == 1 or t1 == b*t2"),
    Pattern("a square into one", "(a,a):(t0,t1)", "(a*a)", "a == 1 or t0 == a*t1"),
    Pattern("a cube into one", "(a,a,a):(t0,t1,t2)", "(a*a*a)", "a == 1 or (t0 == a*t1 and t1 == a*t2)"),
    Pattern("a multiple and a rest", "(2*a,b):(t0,t1)", "(2*a*b)", "b == 1 or t0 == b*t1"),
    Pattern("a number before", "(3,b):(t0,t1)", "(3*b)", "b == 1 or t0 == b*t1"),
    Pattern("a number behind", "(a,4):(t0,t1)", "(4*a)", "a == 1 or t0 == 4*t1"),
    Pattern("a sum as a size", "(a+1,b):(t0,t1)", "((a+1)*b)", "a == 0 or b == 1 or t0 == b*t1", least={"a": 0}),
    Pattern("a difference as a size", "(a-1,b):(t0,t1)", "(b,a-1)", "a == 2 or b == 1 or a - 1 == b or t0 == b*t1",
            least={"a": 2}),
    # Splits
    Pattern("one dim into two", "(a*b):(t)", "(a,b)", "True"),
    Pattern("a leading product split", "(a*b,c):(t0,t1)", "(a,b,c)", "True"),
    Pattern("a last product split", "(a,b*c):(t0,t1)", "(a,b,c)", "True"),
    Pattern("one dim into three", "(a*b*c):(t)+o", "(a,b,c)", "True"),
    Pattern("split one way, merged the other", "(a*b,c):(t0,t1)", "(a,b*c)", "b == 1 or c == 1 or t0 == c*t1"),
    Pattern("merged one way, split the other", "(a,b*c):(t0,t1)", "(a*b,c)", "a == 1 or b == 1 or t0 == b*c*t1"),
    Pattern("a multiple of four in tiles", "(4*m,4*n):(t0,t1)", "(m,4,n,4)", "True"),
    Pattern("tiles back", "(m,4,n,4):(t0,t1,t2,t3)", "(4*m,4*n)", "(m == 1 or t0 == 4*t1) and (n == 1 or t2 == 4*t3)"),
    Pattern("the heads out of a dim", "(B,T,4*h):(t0,t1,t2)", "(B,T,4,h)", "True"),
    Pattern("the heads out of a dim by -1", "(B,T,4*h):(t0,t1,t2)", "(B,T,-1,h)", "True"),
    Pattern("the heads back into a dim", "(B,T,H,D):(t0,t1,t2,t3)", "(B,T,H*D)", "H == 1 or D == 1 or t2 == D*t3"),
    Pattern("the same shape", "(a,b):(t0,t1)", "(a,b)", "True"),
    # Other groupings
    Pattern("two dims swapped", "(a,b):(t0,t1)", "(b,a)", "a == 1 or b == 1 or a == b or t0 == b*t1"),
    Pattern("a factor 2 moved right", "(2*n,m):(t0,t1)", "(n,2*m)", "m == 1 or t0 == m*t1"),
    Pattern("a factor 2 moved left", "(n,2*m):(t0,t1)", "(2*n,m)", "n == 1 or t0 == 2*m*t1"),
    Pattern("three dims rotated", "(a,b,c):(t0,t1,t2)", "(b,c,a)"),
    Pattern("three dims reversed", "(a,b,c):(t0,t1,t2)", "(c,b,a)"),
    Pattern("pairs across", "(a*b,c*d):(t0,t1)", "(a,b*c,d)", "b == 1 or c == 1 or t0 == c*d*t1"),
    Pattern("pairs across and back", "(a,b*c,d):(t0,t1,t2)", "(a*b,c*d)"),
    Pattern("products swapped", "(a*b,c):(t0,t1)", "(c,a*b)"),
    Pattern("three squares", "(a,b,a):(t0,t1,t2)", "(a*b,a)", _TWO),
    Pattern("a repeat the other way", "(a,b,a):(t0,t1,t2)", "(a,a,b)"),
    Pattern("six and a name", "(6,n):(t0,t1)", "(2,3*n)", "n == 1 or t0 == n*t1"),
    Pattern("six split before a name", "(6,n):(t0,t1)", "(2,3,n)", "True"),
    Pattern("six split behind a name", "(n,6):(t0,t1)", "(n*2,3)", "n == 1 or t0 == 6*t1"),
    Pattern("six otherwise", "(2*n,3):(t0,t1)", "(3*n,2)"),
    Pattern("numbers that meet a name", "(2,n,3):(t0,t1,t2)", "(3,n,2)"),
    Pattern("numbers that meet a product", "(n,4,m):(t0,t1,t2)", "(n*2,m*2)",
            "(m == 1 or t1 == m*t2) and (n == 1 or t0 == 4*t1)"),
    Pattern("two names against one", "(a*a,b):(t0,t1)", "(a,a*b)", "a == 1 or b == 1 or t0 == b*t1"),
    # Sizes 1
    Pattern("a 1 in the middle", "(a,1,b):(t0,t1,t2)", "(a*b)", "a == 1 or b == 1 or t0 == b*t2"),
    Pattern("a 1 at each end", "(1,a,b,1):(t0,t1,t2,t3)", "(a*b)", "a == 1 or b == 1 or t1 == b*t2"),
    Pattern("a 1 put in", "(a,b):(t0,t1)", "(a,1,b)", "True"),
    Pattern("a 1 put in and merged", "(a,b):(t0,t1)", "(1,a*b,1)", _TWO),
    Pattern("a 1 taken out", "(a,1,b):(t0,t1,t2)", "(a,b)", "True"),
    Pattern("no dim from a 1", "(1):(t)", "()", "True"),
    Pattern("a one-dim view to 1 and the rest", "(n):(t)", "(1,n,1)", "True"),
    Pattern("MLIR: unit dims collapsed", "(1,1,n,1):(36960,4620,1,330)", "(n)", "True"),
    # -1 and divisibility
    Pattern("-1 behind 2", "(n):(t)", "(2,-1)", "n % 2 == 0", upto={"n": 12}),
    Pattern("-1 before 3", "(n):(t)", "(-1,3)", "n % 3 == 0", upto={"n": 13}),
    Pattern("-1 between numbers", "(n):(t)", "(2,-1,3)", "n % 6 == 0", upto={"n": 25}),
    Pattern("-1 by a name", "(n):(t)", "(m,-1)", "n % m == 0", upto={"n": 12}),
    Pattern("-1 where a factor cancels", "(6*n,m):(t0,t1)", "(2,-1,m)", "True"),
    Pattern("-1 with a common factor", "(4*n):(t)", "(6,-1)", "n % 3 == 0", upto={"n": 10}),
    Pattern("-1 of a product by a number", "(a,b):(t0,t1)", "(2,-1)"),
    Pattern("-1 before a name", "(a,b):(t0,t1)", "(-1,b)", "True"),
    Pattern("-1 before another name", "(a,b):(t0,t1)", "(-1,c)"),
    Pattern("-1 where all is used up", "(a,b):(t0,t1)", "(a,b,-1)", "True"),
    Pattern("-1 in the middle of names", "(a,b,c):(t0,t1,t2)", "(a,-1)", "b == 1 or c == 1 or t1 == c*t2"),
    Pattern("PyTorch: the heads, if 12 divides", "(i0,192)", "(12,-1,192)", "i0 % 12 == 0", upto={"i0": 37}),
    Pattern("the heads, if they divide", "(i0,192)", "(12,-1,192)", "True", ("i0 % 12 == 0",), upto={"i0": 37}),
    Pattern("the heads, with a number", "(12*k,192)", "(12,-1,192)", "True"),
    Pattern("a strided dim by -1 and 4", "(i0,8):(t0,t1)", "(-1,4)", "i0 == 1 or t0 == 8*t1"),
    # Element counts
    Pattern("another last size", "(a,b):(t0,t1)", "(a,c)", "b == c"),
    Pattern("another first size", "(a,b):(t0,t1)", "(c,b)", "a == c"),
    Pattern("other sizes", "(a,b):(t0,t1)", "(c,d)"),
    Pattern("one other size", "(a,b):(t0,t1)", "(c)", f"a*b == c and ({_TWO})", upto={"c": 25}),
    Pattern("one size against a number", "(n):(t)", "(2,3)", "n == 6", upto={"n": 8}),
    Pattern("a name that has to be 1", "(a):(t)", "(a,b)", "b == 1"),
    Pattern("a count that is never right", "(2*n):(t)", "(2*n+1)", "False"),
    Pattern("a square that has to be", "(a):(t)", "(b,b)", "a == b*b", upto={"a": 26}),
    # Contiguous and numeric strides
    Pattern("contiguous merged", "(a,b)", "(a*b)", "True"),
    Pattern("contiguous regrouped", "(a,b,c)", "(c,a*b)", "True"),
    Pattern("contiguous with an offset", "(a,b):(b,1)+o", "(b,a)", "True"),
    Pattern("column-major merged", "(a,b):(1,a)", "(a*b)", "a == 1 or b == 1"),
    Pattern("PyTorch: the leading dims", "(B,S,D):(t0,t1,t2)", "(B*S,D)", "B == 1 or S == 1 or t0 == S*t1"),
    Pattern("contiguous inner dims", "(B,S,D):(t,D,1)", "(B*S,D)", "B == 1 or S == 1 or t == S*D"),
    Pattern(
        "PyTorch: a prefix slice", "(B,u,D):(S*D,D,1)", "(B*u,D)", "B == 1 or u == 1 or u == S", ("u <= S",),
        upto={"S": 6},
    ),
    Pattern("a prefix slice of unknown length", "(B,u,D):(S*D,D,1)", "(B*u,D)", "B == 1 or u == 1 or u == S"),
    Pattern("PyTorch: no guard helps", "(u0,20,4):(80,1,20)", "(u0,80)", "False"),
    Pattern("PyTorch: the same with a 1", "(u0,20,1):(80,1,20)", "(u0,20)", "True"),
    Pattern("every other row", "(a,b):(2*b,1)", "(a*b)", "a == 1 or b == 1"),
    Pattern("every other element", "(a,b):(2*b,2)", "(a*b)", "True"),
    Pattern("a broadcast first", "(a,b):(0,1)", "(a*b)", "a == 1 or b == 1"),
    Pattern("a broadcast last", "(a,b):(1,0)", "(a*b)", "a == 1 or b == 1"),
    Pattern("all broadcast", "(a,b):(0,0)", "(b,a)", "True"),
    Pattern("a broadcast between", "(a,b,c):(c,0,1)", "(a*b,c)", "a == 1 or b == 1"),
    Pattern("one stride twice", "(a,b):(t,t)", "(a*b)", "a == 1 or b == 1 or t == 0"),
    Pattern("reversed", "(a,b):(-b,-1)+a*b-1", "(a*b)", "True"),
    Pattern("reversed inside", "(a,b):(b,-1)+b-1", "(a*b)", "a == 1 or b == 1"),
    Pattern("partly numeric", "(a,4,b):(t,6,1)", "(a,4*b)", "b == 1 or b == 6", upto={"b": 7}),
    Pattern("partly numeric, merged outside", "(a,4,b):(t,6,1)", "(4*a,b)", "a == 1 or t == 24"),
    Pattern("transposed", "(b,a):(1,b)", "(b*a)", "a == 1 or b == 1"),
    Pattern("windows", "(n,3):(1,1)", "(3*n)", "n == 1"),
    Pattern("numbers that fit a name in two ways", "(2,2,c,b):(2,4,2,1)+3", "(c,b,2,2)", "c == 2 or b*c == 1"),
    Pattern("numbers that fit a product in two ways", "(4*b,a,2):(3,6,4)+3", "(4,2,b*a)", "a*b == 1 or a*b == 2"),
    # Assumptions
    Pattern("sizes of at least 2", "(a,b,c):(t0,t1,t2)", "(a*b*c)", "t0 == b*t1 and t1 == c*t2",
            ("a >= 2", "b >= 2", "c >= 2")),
    Pattern("swapped, not equal", "(a,b):(t0,t1)", "(b,a)", "a == 1 or b == 1 or t0 == b*t1", ("a != b",)),
    Pattern("swapped, equal", "(a,b):(t0,t1)", "(b,a)", "True", ("a == b",)),
    Pattern("contiguity assumed", "(a,b,c):(t0,t1,t2)", "(a*b*c)", "True", ("t0 == b*t1", "t1 == c*t2")),
    Pattern("contiguity assumed in part", "(a,b,c):(t0,t1,t2)", "(a*b*c)", None, ("t0 == b*t1",)),
    Pattern("a 1 assumed", "(a,b,c):(t0,t1,t2)", "(a*b*c)", "a == 1 or c == 1 or t0 == c*t2", ("b == 1",)),
    Pattern("another last size, equal", "(a,b):(t0,t1)", "(a,c)", "True", ("b == c",)),
    # Size 0
    Pattern("two dims into one, or nothing", "(B,D):(t0,t1)", "(B*D)", zero=("B",)),
    Pattern("the leading dims, or nothing", "(B,S,D):(t0,t1,t2)", "(B*S,D)", zero=("B",)),
    Pattern("the leading dims, the inner may be 0", "(B,S,D):(t0,t1,t2)", "(B*S,D)", zero=("D",)),
    Pattern("any size 0", "(a,b):(t0,t1)", "(a*b)", zero=("a", "b")),
    Pattern("swapped, or nothing", "(a,b):(t0,t1)", "(b,a)", zero=("a",)),
    Pattern("no guard helps but emptiness", "(u0,20,4):(80,1,20)", "(u0,80)", zero=("u0",)),
    Pattern("other counts, or nothing", "(a,b):(t0,t1)", "(a,c)", zero=("a",)),
    Pattern("-1 of perhaps nothing", "(n,4):(t0,t1)", "(2,-1)", zero=("n",)),
    Pattern("sizes 1 and perhaps nothing", "(a,1,b):(t0,t1,t2)", "(a*b)", zero=("b",)),
)  # fmt: skip
