"""symview and its peers on the same questions in one run: `python -m benchmarks.comparison` in the folder of the tests.

Each library answers each question in a process of its own, so that its peak memory can be told. Answers are judged by
brute force, statements by what symview proved or refuted.
"""

from __future__ import annotations

import json
import operator
import platform
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from oracle import brute, cute_brute, generate, reshapes
from oracle.brute import V

import symview

from .measure import Table, median, p99, ratio, timed

ROOT = Path(__file__).parents[2]
REPEATS = 3
RIGHT, REFUSED, WRONG = "right", "refused, though there is one", "wrong"
_CLAIMS = 60  # of the rule files, at most, at the usual count


class Work(NamedTuple):
    """How a library answers: what is made of an input beforehand, the call that is timed, and what the answer is."""

    prepare: Callable[[Any], Any]
    call: Callable[[Any], Any]
    judge: Callable[[Any, Any], str]
    before: Callable[[], Any] = int


# Merging and reshaping views of numbers


def pairs(count: int) -> list[tuple[V, V]]:
    """Views from movement operations, and pairs that merge by accident, in turn."""
    rng = Random("comparison merge")
    makers = (generate.movement_pair, generate.accidental)
    return [makers[n % 2](rng) for n in range(count)]


def reshaped(count: int) -> list[tuple[V, V]]:
    """A view from movement operations, and the contiguous view of another shape."""
    rng, found = Random("comparison reshape"), []
    while len(found) < count:
        v = reshapes.movement_view(rng)
        if v.shape and 0 not in v.shape:
            found.append((v, brute.contiguous(reshapes.target(rng, v.shape))))
    return found


def judged(pair: tuple[V, V], made: Any) -> str:
    """Whether strides and offset are those of the composition, or None where it is not a view."""
    truth = brute.merge(*pair)
    if made is None:
        return RIGHT if isinstance(truth, brute.Broken) else REFUSED
    strides, offset = made
    kept = tuple([s if n > 1 else 0 for s, n in zip(strides, pair[1].shape, strict=True)])
    return RIGHT if truth == brute.Merged(kept, offset) else WRONG


def _plain(found: Any) -> Any:
    return (found.strides, found.offset) if found is not None and hasattr(found, "strides") else None


def _ours(v: V) -> symview.View:
    return symview.View(*v)


def merging() -> dict[str, Work]:
    """symview, tinygrad, and isl asked for an index at which the one candidate is wrong."""
    from .tinygrad_merge import empty_caches, theirs

    def with_isl(pair: tuple[V, V]) -> Any:
        import islpy as isl

        strides, offset, text = candidate(pair)
        return (strides, offset) if isl.Set(text).is_empty() else None

    return {
        "symview": Work(lambda p: tuple(map(_ours, p)), lambda p: symview.merge(*p),
                        lambda p, found: judged(p, _plain(found))),
        "tinygrad": Work(lambda p: tuple(map(theirs, p)), lambda p: operator.add(*p),
                         lambda p, found: judged(p, _plain(found)), empty_caches),
        "isl": Work(lambda p: p, with_isl, judged),
    }  # fmt: skip


def candidate(pair: tuple[V, V]) -> tuple[tuple[int, ...], int, str]:
    """The only strides and offset that may do, and the set of the indices at which they do not."""
    outer, inner = pair
    rank = len(inner.shape)
    zero = brute.compose(outer, inner, (0,) * rank) or 0
    units = [tuple(int(a == b) for b in range(rank)) for a in range(rank)]
    strides = tuple([(brute.compose(outer, inner, e) or 0) - zero if n > 1 else 0
                     for e, n in zip(units, inner.shape, strict=True)])  # fmt: skip
    names = [f"i{a}" for a in range(rank)]
    x = _sum(inner.offset, inner.strides, names)
    digits, place = [], 1
    for size in reversed(outer.shape):
        digits.insert(0, f"((floor(({x})/{place})) mod {size})")
        place *= size
    box = [f"0<={i}<{n}" for i, n in zip(names, inner.shape, strict=True)]
    differ = f"{_sum(outer.offset, outer.strides, digits)} != {_sum(zero, strides, names)}"
    return strides, zero, f"{{[{','.join(names)}]: {' and '.join([*box, differ])}}}"


def _sum(first: int, factors: Sequence[int], names: Iterable[str]) -> str:
    return "".join([str(first), *[f" {f:+d}*{n}" for f, n in zip(factors, names, strict=True)]])


def reshaping() -> dict[str, Work]:
    """symview and tinygrad."""
    from .reshapes import theirs
    from .tinygrad_merge import empty_caches

    return {
        "symview": Work(lambda p: (_ours(p[0]), p[1].shape), lambda a: symview.reshape(*a),
                        lambda p, found: judged(p, _plain(found))),
        "tinygrad": Work(lambda p: (theirs(p[0]), p[1].shape), lambda a: a[0].reshape(a[1]),
                         lambda p, found: judged(p, _plain(found)), empty_caches),
    }  # fmt: skip


# Conditions on strides


def conditions() -> dict[str, Work]:
    """symview with symbols for the outer strides; isl's affine hull of the carries, which gives the same equations."""
    from bridge import box, symbolic, view

    from symview.engine import radix
    from symview.engine.overflow import active_carries, periodic_sizes

    from .searching import affine_hull

    def hull(pair: tuple[V, V]) -> int:
        outer, inner = pair
        carries = active_carries(box(inner), radix.boundaries(outer.shape))
        return affine_hull(carries, periodic_sizes(inner.shape, carries)) if carries else 0

    def told(pair: tuple[V, V], found: Any) -> str:
        at = dict(zip([f"s{n}" for n in range(len(pair[0].shape))], pair[0].strides, strict=True))
        named = {str(s): v for s, v in zip(found.outer.strides, at.values(), strict=True)}
        return RIGHT if found.holds(named) == isinstance(brute.merge(*pair), brute.Merged) else WRONG

    def ranked(pair: tuple[V, V], dimension: int) -> str:
        return RIGHT if dimension == len(brute.row_space(pair[0].shape, pair[1])) else WRONG

    return {
        "symview": Work(lambda p: (symbolic(p[0]), view(p[1])), lambda p: symview.conditions(*p), told),
        "isl": Work(lambda p: p, hull, ranked),
    }


# Layouts


def layouts(count: int) -> list[Any]:
    """Random layouts A and B whose composition stays inside A."""
    rng, found = Random("comparison compose"), []
    for _ in range(count):
        outer = cute_brute.random_outer(rng)
        found.append((outer, cute_brute.random_inner(rng, cute_brute.size(outer))))
    return found


def composing() -> dict[str, Work]:
    """symview, pycute, tensor-layouts."""
    from .cute_composition import PEERS, attempt, parts, verdict

    words = {"refused rightly": RIGHT, "found": RIGHT, "refused wrongly": REFUSED, "answered wrongly": WRONG}

    def judge(pair: Any, answer: Any) -> str:
        return words[verdict(answer, *pair, cute_brute.composition(*pair) is not None)]

    def work(name: str) -> Work:
        compose, make = PEERS[name]
        return Work(lambda p: [make(*parts(x)) for x in p], lambda p: attempt(compose, *p), judge)

    return {name: work(name) for name in PEERS}


# Statements


def claims(count: int) -> list[tuple[str, tuple[str, ...], str]]:
    """Statements of the rule files over all integers, in their order, with what is expected of them."""
    from symview.rules.files import parse_rules

    found = []
    for path in sorted((ROOT / "proofs" / "rules").glob("*.toml")):
        for rule in parse_rules(path.read_text(encoding="utf-8")):
            plain = rule.bits is None and rule.division == "floor" and not rule.lemmas and "x(" not in rule.claim
            plain = plain and not any(sign in rule.claim for sign in ("gcd", "&", "|", "^", "~", "<<", ">>", "**"))
            if plain and rule.expect in ("proved", "refuted"):
                found.append((rule.claim, rule.assume, rule.expect))
    return found[:: max(1, len(found) // min(count, _CLAIMS))]


def proving() -> dict[str, Work]:
    """symview, and Z3 asked for the negation with two seconds a statement."""
    from symview.logic.terms import conj, negated, nonzero_divisors
    from symview.logic.z3_door import to_z3
    from symview.proof.statement import read

    def query(claim: Any) -> Any:
        question = read(claim[0], claim[1], "floor")
        formulas = [f.term for f in question.formulas()]
        return to_z3(conj([*nonzero_divisors(formulas), *formulas[:-1], negated(formulas[-1])]))

    def by_z3(formula: Any) -> str:
        import z3

        solver = z3.Solver(ctx=formula.ctx)
        solver.set("timeout", 2000)
        solver.add(formula)
        return {"unsat": "proved", "sat": "refuted"}.get(str(solver.check()), "unknown")

    def judge(claim: Any, said: Any) -> str:
        word = said if isinstance(said, str) else type(said).__name__.lower()
        return RIGHT if word == claim[2] else REFUSED if word == "unknown" else WRONG

    return {
        "symview": Work(lambda c: c, lambda c: symview.prove(c[0], c[1]), judge),
        "Z3 alone": Work(query, by_z3, judge),
    }


class Question(NamedTuple):
    """The inputs, and the libraries that answer."""

    inputs: Callable[[int], list[Any]]
    libraries: Callable[[], dict[str, Work]]
    share: float = 1.0  # of the usual count


QUESTIONS = {
    "merge": Question(pairs, merging),
    "reshape": Question(reshaped, reshaping),
    "conditions": Question(pairs, conditions, 0.2),
    "compose": Question(layouts, composing),
    "prove": Question(claims, proving, 0.1),
}


def measured(question: str, library: str, count: int) -> dict[str, Any]:
    """Times, verdicts and peak memory of one library at one question, in this process."""
    query = QUESTIONS[question]
    inputs = query.inputs(max(1, int(count * query.share)))
    work = query.libraries()[library]
    repeats = 1 if question in ("prove", "conditions") else REPEATS
    ready = [work.prepare(x) for x in inputs]
    answers = [timed(partial(work.call, x), repeats=repeats, before=work.before) for x in ready]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
    verdicts = Counter(work.judge(x, found) for x, (found, _) in zip(inputs, answers, strict=True))
    return {"times": [time for _, time in answers], "verdicts": verdicts, "peak": peak}


def against_all(count: int) -> Table:
    """All libraries at all questions, each in a process of its own."""
    verdicts = (RIGHT, REFUSED, WRONG)
    columns = ("question", "library", "inputs", *verdicts, "median", "p99", "median over symview's", "peak MB")
    rows: list[tuple[Any, ...]] = []
    for question, query in QUESTIONS.items():
        base = 0.0
        for library in query.libraries():
            command = [sys.executable, "-m", "benchmarks.comparison", question, library, str(count)]
            run = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, text=True, check=False)
            if run.returncode:
                raise RuntimeError(f"{question} by {library}: {run.stderr[-500:]}")
            found = json.loads(run.stdout)
            times, seen = found["times"], found["verdicts"]
            base = base or median(times)
            rows.append((question, library, len(times), *[seen.get(w, 0) for w in verdicts],
                         median(times), p99(times), ratio(median(times), base), round(found["peak"])))  # fmt: skip
    return Table(f"symview {symview.__version__} and its peers, one run on {machine()}", columns, rows)


def machine() -> str:
    """The processor, its cores, and Python."""
    info = Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
             ] if info.exists() else []  # fmt: skip
    processor = names[0] if names else platform.processor() or platform.machine()
    return f"{processor}, {len(names) or '?'} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(json.dumps(measured(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    else:
        print(against_all(int(sys.argv[1]) if len(sys.argv) == 2 else 1000))
