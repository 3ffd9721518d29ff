"""Random answers of every kind, with their certificates, and what cvc5, or Z3 with another seed, confirms of them.

    PYTHONPATH=tests python -m oracle.answers [KIND …] --count 300 --solver cvc5 --solver z3 --seed 7

prints for each kind and solver how many there are, how many are confirmed whole, the median of the seconds that
checking takes, and what is left open by name; 1 is returned where one is refuted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from symview import (
    Budget,
    View,
    conditions,
    contiguous_conditions,
    cute,
    dense_conditions,
    equivalent,
    injective_conditions,
    least_guards,
    merge,
    overlap_conditions,
    plan,
    prove,
    reshape_conditions,
    simplify,
    tensor,
    weakest,
)
from symview.cute import Layout
from symview.errors import SymviewError
from symview.logic.notation import parse_assumption
from symview.logic.terms import Term, num, sym
from symview.verify import Report, Solver, verify
from symview.view_notation import read_shape

from . import density_brute, generate, outer_queries, overlap_brute, parametric, plan_brute
from .program_pairs import pair as programs
from .reshape_patterns import PATTERNS

Certificate = dict[str, Any]
BRIEF = Budget(work=1_000_000)
ORDERS = ("logical", "zipped", "tiled", "flat")
PAIRED = ("blocked_product", "raked_product")
TWO = ("composition", "coalesce", *[f"{o}_divide" for o in ORDERS], *[f"{o}_product" for o in ORDERS], *PAIRED)
ONE = ("coalesce", "complement", "right_inverse", "left_inverse", "strict_left_inverse")


# Views


def numeric(rng: Random) -> list[View]:
    pair = rng.choice((generate.pair, generate.accidental, generate.movement_pair))(rng)
    return [View(v.shape, v.strides, v.offset, v.mask) for v in pair]


def merged(rng: Random) -> Certificate:
    views = numeric(rng)
    return merge(*views).certificate(*views)


def huge(rng: Random) -> Certificate:
    views = [View(v.shape, v.strides, v.offset) for v in generate.huge_pair(rng)]
    return merge(*views).certificate(*views)


def masked(rng: Random) -> Certificate:
    def bounds(n: int) -> tuple[int, int]:
        low, high = sorted((rng.randint(0, n), rng.randint(0, n)))
        return (0, n) if rng.random() < 0.5 else (low, high)

    views = [View(v.shape, v.strides, v.offset, [*map(bounds, v.shape)]) for v in numeric(rng)]
    return merge(*views).certificate(*views)


def strided(rng: Random) -> Any:
    """Symbols for the strides of the outer view."""
    outer, inner = numeric(rng)
    return conditions(View.parse(f"({','.join(map(str, outer.shape))}):({_names(outer.rank)})"), inner)


def _names(rank: int) -> str:
    return ",".join(f"s{n}" for n in range(rank))


def sized(rng: Random) -> Any:
    """And a symbol for the size of the inner one."""
    shape, t, o = generate.parametric(rng)
    outer = View.parse(f"({','.join(map(str, shape))}):({_names(len(shape))})")
    return conditions(outer, View.parse(f"(n):({t})+({o})"))


def outer_sizes(rng: Random) -> Any:
    """And for the sizes of the outer one."""
    query = outer_queries.query(rng)
    return conditions(View.parse(str(query.outer)), View.parse(str(query.inner)), assume=query.assume, budget=BRIEF)


def reshaped(rng: Random) -> Any:
    """Named patterns, and random ones."""
    query = rng.choice(PATTERNS).reshape() if rng.random() < 0.5 else parametric.reshape(rng)
    shape = read_shape(f"({','.join(query.shape)})")
    return reshape_conditions(View.parse(str(query.view)), shape, assume=query.assume, budget=BRIEF)


def compared(rng: Random) -> Certificate:
    """The condition's own guard beside it, with a bound more, or values more."""
    answer = rng.choice((strided, sized))(rng)
    guard = answer.guards()
    kind = rng.random()
    if kind < 0.3:
        guard = f"({guard}) and s0 >= 1"
    elif kind < 0.5:
        guard = "s0 == s0"
    elif kind < 0.6:
        guard = f"({guard}) or s0 == 3"
    return answer.compare(guard).certificate()


def chained(rng: Random) -> Certificate:
    """Two chains beside each other, or one and a shorter one."""
    views = [*numeric(rng)]
    if rng.random() < 0.5:
        return simplify(*views).certificate()
    last = views[-1]
    one = merge(*views)
    if one and rng.random() < 0.7:
        other = [one]
    else:
        other = [views[0], View(last.shape, last.strides, last.offset + rng.choice((0, 0, 1)), last.mask)]
    return equivalent(views, other).certificate()


# Statements


def term(rng: Random, depth: int) -> Term:
    if depth == 0 or rng.random() < 0.2:
        return sym(rng.choice("abc")) if rng.random() < 0.7 else num(rng.randint(-3, 4))
    op = rng.choice(("+", "-", "*", "//", "%", "neg", "min", "max", "abs", "//", "%"))
    return Term(op, tuple(term(rng, depth - 1) for _ in range(1 if op in ("neg", "abs") else 2)))


def respelled(rng: Random, one: Term) -> Term:
    """The same value, spelled otherwise."""
    if one.op in ("int", "sym"):
        return one
    a, *rest = (respelled(rng, t) for t in one.args)
    if one.op == "%" and rng.random() < 0.7:
        return Term("-", (a, Term("*", (Term("//", (a, rest[0])), rest[0]))))
    if one.op == "abs":
        return Term("max", (a, Term("neg", (a,))))
    return Term(one.op, (*rest, a)) if one.op in ("+", "*") else Term(one.op, (a, *rest))


def statement(rng: Random) -> Term:
    relation = rng.choice(("==", "==", "!=", "<", "<=", ">="))
    left = term(rng, 2)
    right = respelled(rng, left) if rng.random() < 0.5 else term(rng, 1)
    claim = Term(relation if rng.random() < 0.5 else "==", (left, right))
    return Term("->", (statement(rng), claim)) if rng.random() < 0.15 else claim


def theorem(rng: Random) -> Certificate:
    given = statement(rng) if rng.random() < 0.3 else ()
    return prove(statement(rng), given, rng.choice(("floor", "floor", "trunc", "euclid")), budget=BRIEF).certificate()


PREMISES = (
    ("(x % m) % k == x % k", "k, m", "k > 0, m > 0"), ("(x//a)//b == x//(a*b)", "a, b", ""),
    ("(x*a)//b == x*(a//b)", "a, b", "b >= 1"), ("x % m + y % m == (x + y) % m", "m", "m >= 1"),
    ("x//a*a == x", "a", ""), ("(x + a)//b == x//b + a//b", "a, b", "b >= 1"), ("x*a <= x*b", "a, b", "x >= 0"),
    ("(x//c <= y) == (x <= y*c)", "c", "c >= 1"), ("abs(a*x) >= abs(x)", "a", ""),
)  # fmt: skip


def premise(rng: Random) -> Certificate:
    """A statement of a known kind with numbers and names exchanged."""
    claim, about, assume = rng.choice(PREMISES)
    add = rng.choice(("", "", f" + {rng.randint(1, 9)}", f" - {rng.randint(1, 9)}"))
    bound = rng.choice(("", "", "x >= 0", f"x <= {rng.randint(0, 30)}", f"0 <= x < {rng.randint(1, 9)}"))
    claim = f"{claim}{add}" if rng.random() < 0.3 else claim
    given = [g for g in (*assume.split(", "), bound) if g]
    return weakest(claim, about=about, assume=given, budget=BRIEF).certificate()


def rule(rng: Random) -> Certificate:
    left, right = programs(rng)
    return prove(left == right, ["n >= 1", "m >= 1"], budget=BRIEF).certificate()


# Layouts


def layout(rng: Random) -> Layout:
    sizes = [rng.choice((1, 2, 2, 3, 4, 6)) for _ in range(rng.randint(1, 3))]
    strides = [rng.choice((0, 1, 2, 3, 4, 6, 8, 12, 24)) for _ in sizes]
    if rng.random() < 0.3:
        return Layout(tuple(sizes))
    if len(sizes) == 3 and rng.random() < 0.4:
        return Layout((sizes[0], tuple(sizes[1:])), (strides[0], tuple(strides[1:])))
    return Layout(sizes[0], strides[0]) if rng.random() < 0.2 else Layout(tuple(sizes), tuple(strides))


def tiler(rng: Random, of: Layout, depth: int = 0) -> Any:
    kind = rng.random()
    if kind < 0.35 and depth < 2:
        return tuple(tiler(rng, m, depth + 1) for m in [*of.modes()][: rng.randint(1, len(of))])
    return None if kind < 0.45 else rng.choice((1, 2, 3, 4, 6)) if kind < 0.7 else layout(rng)


def question(rng: Random) -> tuple[str, tuple[Any, ...]]:
    """An operation on layouts of numbers, and what it is asked of."""
    operation, a = rng.choice((*ONE, *TWO)), layout(rng)
    if operation == "coalesce":
        return operation, (a, *[(1, None, 1)[: rng.randint(1, len(a))]] * rng.randint(0, 1))
    if operation in ONE:
        return operation, (a, *[rng.choice((1, 5, 24, 48, 96))] * (operation == "complement"))
    return operation, (a, layout(rng) if operation in PAIRED else tiler(rng, a))


def on_layouts(rng: Random) -> Certificate:
    operation, given = question(rng)
    return cute.certificate(operation, given, getattr(cute, operation)(*given))


def on_symbols(rng: Random) -> Any:
    """A composition or a coalesced layout with symbols for strides."""
    sizes = [rng.choice((1, 2, 3, 4, 6)) for _ in range(rng.randint(2, 3))]
    strides = [rng.choice(("a", "b", "c", "2*a", "0", "a + b", "1")) for _ in sizes]
    a = Layout.parse(f"({','.join(map(str, sizes))}):({','.join(strides)})")
    inner = tuple(rng.choice((1, 2, 3, 4, 6, 8)) for _ in range(rng.randint(1, 2)))
    b = Layout(inner, tuple(rng.choice((0, 1, 2, 3, 4, 6)) for _ in inner))
    return cute.coalesce_conditions(a) if rng.random() < 0.4 else cute.composition_conditions(a, b)


def operated(rng: Random) -> Any:
    """A complement, an inverse, a division or a product with symbols."""
    sizes = [str(rng.choice((1, 2, 3, 4, 6, "n"))) for _ in range(rng.randint(1, 2))]
    strides = [rng.choice(("a", "b", "2*a", "0", "1", sizes[0])) for _ in sizes]
    a = Layout.parse(f"({','.join(sizes)}):({','.join(strides)})")
    b = Layout(rng.choice((2, 3, 4, 6)), rng.choice((1, 1, 2, 3)))
    query = rng.choice(("complement", "right_inverse", "left_inverse", "logical_divide", "logical_product"))
    given = {"complement": (a, rng.choice((1, 12, 24))), "right_inverse": (a,), "left_inverse": (a,)}
    arranged = {}
    if query.startswith("logical"):
        arranged = {"arranged": rng.choice((*ORDERS, "blocked", "raked") if query == "logical_product" else ORDERS)}
        b = rng.choice((b, 2, (2,), (None, 2)[: len(a)])) if arranged["arranged"] not in ("blocked", "raked") else b
    return getattr(cute, f"{query}_conditions")(*given.get(query, (a, b)), budget=BRIEF, **arranged)


def guarded(rng: Random) -> Certificate:
    """A guard beside the conditions of a layout."""
    answer = on_symbols(rng)
    guard = answer.guards()
    kind = rng.random()
    guard = f"({guard}) and a >= 1" if kind < 0.3 else "a == a" if kind < 0.5 else guard
    return answer.compare(guard).certificate()


# Strides


def laid(rng: Random) -> Any:
    """Whether a view is dense, injective or contiguous: of numbers, and with names."""
    v = View(*density_brute.numbers(rng)) if rng.random() < 0.3 else View.parse(str(density_brute.named(rng)))
    order = rng.sample(range(v.rank), v.rank)
    kind = rng.random()
    if kind < 0.3:
        return dense_conditions(v, flips=rng.random() < 0.3, budget=BRIEF)
    return injective_conditions(v, budget=BRIEF) if kind < 0.7 else contiguous_conditions(v, order, budget=BRIEF)


def overlapped(rng: Random) -> Any:
    """Whether two views share an address: of numbers, and with names; a guard beside that in some."""
    if rng.random() < 0.3:
        return overlap_conditions(*[View(*v) for v in overlap_brute.pair_of_numbers(rng)])
    kinds = (overlap_brute.pages, overlap_brute.rows, overlap_brute.lines, overlap_brute.any_two, overlap_brute.masked)
    a, b = map(str, rng.choice(kinds)(rng))
    assume = [f"{n} >= 1" for n in "abp" if n in a + b and (n != "p" or rng.random() < 0.7)]
    answer = overlap_conditions(a, b, assume=assume, budget=BRIEF)
    if rng.random() < 0.8:
        return answer
    guard = rng.choice((answer.guards(), f"({answer.guards()}) and b >= 2", "a == a"))
    return answer.compare(guard).certificate()


# Guards


def comparison(rng: Random) -> str:
    x, y = rng.sample(["x", "y"], 2)
    n, m = rng.randint(-4, 4), rng.choice([2, 3, 4, 6])
    return rng.choice(
        [f"{x} % {m} == {n % m if rng.random() < 0.3 else 0}", f"{x} >= {n}", f"{x} + {y} <= {n}", f"{x} == {m}*{y}",
         f"2*{x} - {y} != {n}", f"{x} // {m} == {n % 3}", f"{x} % {y} == 0", f"{m} // {x} <= {y}", f"{x} < {y}"]
    )  # fmt: skip


def any_guard(rng: Random) -> str:
    """A guard about x and y."""
    parts = [comparison(rng) for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]
    text = rng.choice((" or ", " and ")).join(parts)
    return f"not ({text})" if rng.random() < 0.1 else text


def lightest(rng: Random) -> Any:
    """The lightest of some guards that imply all of them."""
    guards = [*dict.fromkeys(any_guard(rng) for _ in range(rng.randint(2, 6)))]
    ranges = ("{0} >= 1", "1 <= {0} <= 12")  # in which no guard divides by 0
    given = [parse_assumption(any_guard(rng))] if rng.random() < 0.3 else []
    assume = [parse_assumption(rng.choice(ranges).format(n)) for n in "xy"]
    weights = [rng.randint(1, 5) for _ in guards]
    return least_guards(*guards, given=given, weights=weights, assume=assume, budget=BRIEF)


# Plans


def planned(rng: Random) -> Any:
    """Layouts and least copies for some programs, with demands on strides in some."""
    nodes, consumed = plan_brute.random_forest(rng, most_nodes=6, most_elements=12)
    programs, weights = programs_of(nodes), {}
    for p, (before, _) in zip(programs, nodes, strict=True):
        if before is not None and rng.random() < 0.4:
            weights[str(p)] = rng.randint(0, 9)
    asked = {"positive": rng.random() < 0.8}
    if sum(before is None for before, _ in nodes) == 1 and rng.random() < 0.5:
        names = [*"abcd"[: len(nodes[0][1])]]
        align = {n: rng.choice((2, 3, 4)) for n in names if rng.random() < 0.3}
        asked |= {"names": names, "unit": rng.choice((None, *names)), "align": align}
    return plan(*[programs[v] for v in consumed], weights=weights, budget=BRIEF, **asked)


def programs_of(nodes: Sequence[Any]) -> list[Any]:
    """A forest as programs."""
    found = list[Any]()
    for n, (before, op) in enumerate(nodes):
        if before is None:
            found.append(tensor("xyz"[n], op))
            continue
        name, given = op
        if name == "slice":
            found.append(found[before].slice(*zip(*given, strict=True)) if given else found[before].slice((), ()))
        elif name in ("reshape", "expand", "permute"):
            found.append(getattr(found[before], name)(tuple(given)))
        else:  # flip, contiguous
            found.append(getattr(found[before], name)(*given))
    return found


# Shared memory


def tiled(rng: Random) -> Any:
    """The best layout of a tile for random lanes, or the best padding."""
    if rng.random() < 0.3:
        lanes = [[(rng.randrange(6), rng.randrange(8)) for _ in range(8)] for _ in range(2)]
        return cute.best_padding((6, 8), lanes, element_bytes=rng.choice((1, 2, 4, 8)), banks=8)
    given = [cute.LinearLayout({"lane": rng.sample(range(1, 32), 2)}, {"x": 32}) for _ in range(rng.randint(2, 7))]
    return cute.best_swizzle(
        (32,), given, element_bytes=4, banks=rng.choice((2, 4)), objective=rng.choice(("sum", "most"))
    )


KINDS: dict[str, Callable[[Random], Any]] = {
    "merge": merged, "masked": masked, "huge": huge, "conditions": strided, "size": sized, "outer sizes": outer_sizes,
    "reshapes": reshaped, "compare": compared, "chains": chained, "theorem": theorem, "premise": premise, "rule": rule,
    "layout": on_layouts, "layout conditions": on_symbols,
    "layout operations": operated, "layout guards": guarded, "strides": laid,
    "shared memory": tiled, "overlap": overlapped, "least guards": lightest, "plan": planned,
}  # fmt: skip


def certificates(kind: str, many: int) -> Iterator[Certificate]:
    """So many of a kind; what is refused, or has no certificate, does not count."""
    found, rng = 0, Random(f"certificates of {kind}")
    for _ in count():
        try:
            answer = KINDS[kind](rng)
            certificate = answer if isinstance(answer, dict) else answer.certificate()
        except SymviewError:
            continue
        yield certificate
        found += 1
        if found == many:
            return


class Tally:
    """What checking the answers of one kind comes to."""

    def __init__(self, name: str) -> None:
        self.name, self.seconds = name, list[float]()
        self.verdicts, self.open = Counter[str](), Counter[str]()
        self.wrong: list[tuple[Certificate, list[str]]] = []

    def add(self, certificate: Certificate, report: Report, seconds: float) -> None:
        """One more."""
        self.seconds.append(seconds)
        self.verdicts[report.verdict] += 1
        self.open.update({part.partition(" (")[0] for part in report.open})
        if report.wrong:
            self.wrong.append((certificate, report.wrong))

    def __str__(self) -> str:
        left = "".join(f"\n    open {times} × {part}" for part, times in self.open.most_common())
        wrong = "".join(f"\n    REFUTED {why}\n    {json.dumps(c)}" for c, why in self.wrong[:3])
        head = f"{self.name}: {len(self.seconds)} answers, {self.verdicts['confirmed']} confirmed whole"
        slow = f"median {median(self.seconds):.3f} s, most {max(self.seconds):.2f} s"
        return f"{head}, {slow}{left}{wrong}"


def checked(kind: str, many: int, solvers: Sequence[Solver]) -> list[Tally]:
    """So many random answers, checked with each solver."""
    tallies = [Tally(f"{kind}, {solver.name}") for solver in solvers]
    for certificate in certificates(kind, many):
        for solver, tally in zip(solvers, tallies, strict=True):
            start = perf_counter()
            report = verify(json.dumps(certificate), solver)
            tally.add(certificate, report, perf_counter() - start)
    return tallies


def main() -> int:
    """Prints a tally for each kind."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}; without any, all")
    options.add_argument("--count", type=int, default=300, help="answers of each kind")
    options.add_argument("--solver", action="append", help="cvc5, z3 or a path; may be given again")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--seconds", type=float, default=2.0, help="for each question to the solver")
    args = options.parse_args()
    if unknown := set(args.kinds) - set(KINDS):
        options.error(f"no kind {', '.join(sorted(unknown))}: choose of {', '.join(KINDS)}")
    refuted = 0
    with ExitStack() as opened:
        names = args.solver or ["cvc5"]
        solvers = [opened.enter_context(Solver(name, args.seconds, args.seed)) for name in names]
        for kind in args.kinds or KINDS:
            for tally in checked(kind, args.count, solvers):
                refuted += len(tally.wrong)
                print(tally, flush=True)
    return int(refuted > 0)


if __name__ == "__main__":
    sys.exit(main())
