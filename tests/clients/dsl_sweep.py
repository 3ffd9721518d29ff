"""Random operations of the CuTe DSL, checked: what the checks say is compared with plain integers.

    PYTHONPATH=. python tests/clients/dsl_sweep.py 100000 --seed 0 --seconds 600

prints how many operations had which outcome, and every operation where plain integers say something else.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
import warnings
from ast import literal_eval
from collections import Counter
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from clients.dsl_promises import copies, is_kept, size
from clients.dsl_traces import dsl, traced

from symview import dsl as checks
from symview.cute import Layout

SIZES, STRIDES = (1, 2, 2, 3, 4, 4, 5, 6, 8), (0, 1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 12, 16, 24, 32)
_ROUND = 1_000  # operations of one trace


class Operations:
    """Random operations: half of the layouts are compact in some order, or nearly so."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def shape(self, modes: int | None = None, depth: int = 1) -> Any:
        rng = self.rng
        many = modes or rng.choice((1, 1, 2, 2, 3))
        parts = [self.shape(None, 0) if depth and rng.random() < 0.15 else rng.choice(SIZES) for _ in range(many)]
        return parts[0] if len(parts) == 1 and rng.random() < 0.7 else tuple(parts)

    def layout(self, modes: int | None = None) -> Layout:
        rng, shape = self.rng, self.shape(modes)
        kind = rng.random()
        if kind < 0.1:
            return Layout(shape)
        flat = Layout(shape).flat()
        steps = [rng.choice(STRIDES) for _ in flat]
        if kind < 0.7:
            reach = rng.choice((1, 1, 1, 2, 3))
            for k in rng.sample(range(len(flat)), len(flat)):
                steps[k], reach = reach, reach * flat[k][0] * rng.choice((1, 1, 1, 1, 2))
        it = iter(steps)
        return Layout(shape, _nested(shape, it))

    def tile(self, modes: int) -> Any:
        rng = self.rng
        if rng.random() < 0.5:
            return self.layout(1)
        choices = (None, 2, 3, 4, Layout(2, 2), Layout(rng.choice((2, 4)), rng.choice((1, 2, 3))))
        return tuple(rng.choice(choices) for _ in range(rng.randint(1, modes)))

    def next(self) -> tuple[str, tuple[Any, ...]]:
        """One operation; few of those that the DSL may not survive, which are tried in a process of their own."""
        while True:
            name, args = self._any()
            if not name.endswith(("_divide", "_product", "tile_to_shape")) or self.rng.random() < 0.1:
                return name, args
            if not any(map(_interleaves, args)):
                return name, args

    def _any(self) -> tuple[str, tuple[Any, ...]]:
        rng, a = self.rng, self.layout()
        name = rng.choice(_NAMES)
        if name == "composition":
            return name, (a, rng.choice((self.layout(), self.layout(1), rng.choice((2, 3, 4, 6)), self.tile(len(a)))))
        if name == "complement":
            return name, (a, rng.choice((a.cosize() * rng.choice((1, 2, 3)), 48, 64, (4, 6))))
        if name.endswith("_divide"):
            return name, (a, self.tile(len(a)))
        if name.endswith("_product") or name == "max_common_layout":
            return name, (a, self.layout())
        if name == "tile_to_shape":
            a = self.layout(2)
            shape = tuple(mode.size() * rng.choice((1, 2, 3)) for mode in a.modes())
            return name, (a, shape, rng.choice(((0, 1), (1, 0))))
        if name == "recast_layout":
            return name, (*rng.choice(((8, 16), (16, 8), (8, 32), (32, 8), (4, 6))), a)
        return name, (a,)


_NAMES = (
    *["composition"] * 6, "coalesce", "complement", "complement", "right_inverse", "left_inverse", "filter",
    "make_layout_like", "nullspace", "max_common_layout", "tile_to_shape", "recast_layout",
    *(f"{how}_divide" for how in ("logical", "zipped", "tiled", "flat")),
    *(f"{how}_product" for how in ("logical", "zipped", "tiled", "flat", "blocked", "raked")),
)  # fmt: skip


def _nested(shape: Any, entries: Any) -> Any:
    return tuple([_nested(x, entries) for x in shape]) if isinstance(shape, tuple) else next(entries)


def _interleaves(x: Any) -> bool:
    """Whether a mode begins before those below it end."""
    return isinstance(x, Layout) and copies(x.shape, x.stride, 1) is None


class Sweep:
    """Counts of (operation, outcome), and where plain integers say something else than the checks."""

    def __init__(self, seed: int) -> None:
        self.operations = Operations(seed)
        self.counts: Counter[tuple[str, str]] = Counter()
        self.contradictions: list[str] = []
        self.judged = 0

    def run(self, many: int, end: float = float("inf")) -> None:
        """So many operations, in traces of a thousand, until that time."""
        while many > 0 and time.monotonic() < end:
            some = min(many, _ROUND)
            with checks.checked() as report, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                traced(lambda n, m, some=some, report=report: self._some(some, report))
            many -= some

    def _some(self, many: int, report: Any) -> None:
        from cutlass import cute

        for _ in range(many):
            name, args = self.operations.next()
            before, given = len(report.calls), "none"
            try:
                given = str(getattr(cute, name)(*map(dsl, args)))
            except checks.WrongLayout as error:
                given = error.given
            except checks.RefusedLayout:
                given = "the end of the process"
            except Exception:  # the DSL refuses
                given = "refusal"
            calls = report.calls[before:]
            outcome = calls[-1].outcome if calls else "not looked at"
            if outcome == "unanswered":
                outcome = f"unanswered: {re.sub('[0-9(),:]+', '#', calls[-1].text)[:60]}" if name == "?" else outcome
            self.counts[name, outcome] += 1
            self._judge(name, args, given, outcome)

    def _judge(self, name: str, args: tuple[Any, ...], given: str, outcome: str) -> None:
        """Compares with plain integers, where these say anything and the layouts are small."""
        if ":" not in given or " o " in given or outcome in ("unanswered", "undecided"):
            return
        shape, stride = (literal_eval(part.replace(")", ",)")) for part in given.split(":"))  # (2) is a tuple
        sizes = [x.size() for x in args if isinstance(x, Layout)]
        if max([size(shape), *sizes]) > 3_000:
            return
        kept = is_kept(name, args, shape, stride)
        if kept is None:
            return
        self.judged += 1
        if kept is not (outcome == "right"):
            query = " ; ".join(map(str, args))
            self.contradictions.append(f"{name} {query} -> {given}: {outcome}, and plain integers say {kept}")


def main() -> None:
    """Runs as many operations as asked for, or as fit into the time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("many", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600)
    given = parser.parse_args()
    sweep, start = Sweep(given.seed), time.monotonic()
    sweep.run(given.many, start + given.seconds)
    names = dict.fromkeys(name for name, _ in sorted(sweep.counts))
    for name in names:
        print(name, {o: n for (k, o), n in sorted(sweep.counts.items()) if k == name})
    total = Counter()
    for (_, outcome), n in sweep.counts.items():
        total[outcome] += n
    took = time.monotonic() - start
    print(f"{total.total()} operations in {took:.0f} s: {dict(total)}")
    print(f"{sweep.judged} judged in plain integers, {len(sweep.contradictions)} contradictions")
    print(*sweep.contradictions[:40], sep="\n")


if __name__ == "__main__":
    main()
