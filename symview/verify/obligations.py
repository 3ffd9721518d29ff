"""The obligations of an answer as data, and the only place that decides them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice, product
from math import prod
from random import Random
from time import perf_counter
from typing import NamedTuple, TypeAlias, TypeVar

from symview.trusted.formulas import Tree, Unsupported, Values, compiled, defined, names, put, unfolded, walk, weight
from symview.trusted.linear import refutes
from symview.trusted.work import Work
from symview.verify.bounds import NONE, bounds, extent, spelled
from symview.verify.natural import natural
from symview.verify.solvers import Script, Solver

WALK, TRIED, INSIDE, FIRST = 20_000, 400, 60, 60  # points of a box; values tried, points at each, before a solver


class Obligation(NamedTuple):
    """For all integers of the names, in `ranges` from low to high: if all of `given` hold, so does `claim`.

    `lets` name expressions, each in terms of earlier names. A claim None is left open. It must be shown: what is not
    counts as open, unless it fails at values, and `refutes`: then these refute the statement. `some`: the question is
    whether any values satisfy `given`; if none do, the answer is vacuous.
    """

    what: str
    claim: Tree
    given: Sequence[Tree] = ()
    ranges: Mapping[str, tuple[Tree, Tree]] = {}
    lets: Mapping[str, Tree] = {}
    some: bool = False
    refutes: bool = True

    def script(self, work: Work | None = None) -> Script:
        """The question for values at which the claim fails: unsat if it holds."""
        script, known = Script(work), bounds(self.given, self.ranges)
        script.work.spend(self.weight())
        for n, tree in self.lets.items():
            known[n] = extent(tree, known)
            script.name(n, spelled(tree, known, script.work))
        for n, (low, high) in self.ranges.items():
            script.say(("and", ("<=", low, n), ("<", n, high)))
        for f in (*self.given, ("not", self.claim)):
            script.say(spelled(f, known, script.work))
        return script

    def natural(self, work: Work) -> Obligation:
        """An equivalent obligation with digits instead of quotients, and polynomials instead of products."""
        small = {n: (0, high + 1) for n, (low, high) in bounds(self.given, {}).items() if low == 0 and high is not None}
        claim, given, ranges, lets = natural(self.claim, [*self.given], {**small, **self.ranges}, self.lets, work)
        return self._replace(claim=claim, given=given, ranges=ranges, lets=lets)

    def denied(self) -> list[Tree]:
        """Formulas that no integers satisfy if it holds."""
        box = [f for n, (low, high) in self.ranges.items() for f in (("<=", low, n), ("<", n, high))]
        lets = unfolded(self.lets)
        return [put(f, lets) for f in (*box, *self.given, ("not", self.claim))]

    def free(self) -> list[str]:
        """The names without a range."""
        trees = (self.claim, *self.given, *self.lets.values(), *chain.from_iterable(self.ranges.values()))
        return [n for n in names(*trees) if n not in self.lets and n not in self.ranges]

    def weight(self) -> int:
        """The number of nodes of its formulas when written out."""
        return weight(self.claim, *self.given, *self.lets.values())

    def failures(self, points: Iterable[dict[str, int]], valueless: list[Values], work: Work) -> Iterator[Values]:
        """Yields the points at which the claim fails; appends those at which it has no value to a list."""
        work.keep(heavy := self.weight())
        lets = [(n, compiled(t)) for n, t in self.lets.items()]
        given, claim = compiled(("and", True, *self.given)), compiled(self.claim)
        for at in points:
            work.spend(heavy)
            try:
                for n, f in lets:
                    _note(n, f, at)
                if given(at) and not claim(at):
                    yield at
            except (ArithmeticError, KeyError):
                valueless.append(at)

    def all_failures(self, points: Iterable[dict[str, int]], work: Work) -> list[Values]:
        """Yields the points at which the claim fails; raises Unsupported if it has no value at one."""
        valueless: list[Values] = []
        found = [*self.failures(points, valueless, work)]
        if valueless:
            raise Unsupported("what has no value, or none that is computed")
        return found

    def box(self, at: Values, whole: bool = True, work: Work | None = None) -> Iterator[dict[str, int]]:
        """Extends the values by all points of the ranges, in order, or by a few of them."""
        work, heavy = work or Work(), 1 + len(at) + len(self.ranges)
        work.spend(weight(*chain.from_iterable(self.ranges.values())))
        spans = self.spans()(at)
        if not volume(spans):
            return iter(())
        some = [r if whole or r.stop - r.start < 9 else [*r[:6], *r[-2:]] for r in spans]
        return ({**at, **dict(zip(self.ranges, p, strict=True))} for p in work.over(product(*some), heavy))

    def spans(self) -> Callable[[Values], list[range]]:
        """The ranges at values of the other names."""
        ends = [[compiled(x) for x in pair] for pair in self.ranges.values()]
        return lambda at: [range(*[end(at) for end in pair]) for pair in ends]

    def points(self, work: Work | None = None) -> tuple[Iterator[dict[str, int]], bool]:
        """Values to try, and whether these are all values."""
        work, free, known = work or Work(), self.free(), bounds(self.given, {})
        whole = [range(a, b + 1) for a, b in (known.get(n, NONE) for n in free) if a is not None and b is not None]
        if len(whole) == len(free) and volume(whole) <= WALK:
            work.spend(volume(whole) * (len(free) + weight(*chain.from_iterable(self.ranges.values()))))
            every, spans = [dict(zip(free, p, strict=True)) for p in work.over(product(*whole))], self.spans()
            if all(count <= WALK for count in accumulate(volume(spans(at)) for at in every)):
                points = [x for at in every for x in self.box(at, work=work)]
                work.keep(len(points) * (1 + len(free) + len(self.ranges)))
                return iter(sorted(points, key=lambda at: (sum(at.values()), [*at.values()]))), True
        return chain.from_iterable(islice(self.box(at, False, work), INSIDE) for at in self._some(free, work)), False

    def _some(self, free: Sequence[str], work: Work) -> Iterator[dict[str, int]]:
        """Small values, and values near the numbers in the formulas, within the assumed bounds."""
        heavy = weight(self.claim, *self.given)
        work.spend(heavy)
        near = {x + d for t in (self.claim, *self.given) for x in walk(t) if type(x) is int for d in (-1, 0, 1)}
        pool = sorted({*(x for x in near if abs(x) < 10_000), *range(-3, 9)}, key=lambda x: (abs(x), x < 0))
        work.spend(len(pool) * (len(free) + weight(*self.given)))
        own = [(f, names(f)) for f in self.given]
        of_one = {n: [True] for n in free}
        for f, mentioned in own:
            if len(mentioned) == 1 and (n := next(iter(mentioned))) in of_one:
                of_one[n].append(f)
        alone = {n: compiled(("and", *fs)) for n, fs in of_one.items()}
        allowed = [[x for x in pool if holds(alone[n], {n: x})] for n in free]
        early = compiled(("and", True, *[f for f, mentioned in own if mentioned.keys() <= set(free)]))
        rng, count = Random(0), prod(map(len, allowed))
        some = ([rng.choice(r[: rng.choice((2, 4, 8, len(r)))]) for r in allowed] for _ in range(TRIED if count else 0))
        for point in work.over(product(*allowed) if count <= TRIED else some, heavy + len(free)):
            if holds(early, at := dict(zip(free, point, strict=True))):
                yield at


def instance(tree: Tree, at: Mapping[str, Tree], work: Work) -> Tree:
    """The tree with expressions of the file for its names, which may be large: all that they add is counted."""
    found = put(tree, at)
    work.spend(weight(found))
    return found


def possible(what: str, *given: Tree) -> Obligation:
    """The obligation that some values satisfy the assumptions of an answer."""
    return Obligation(what, False, [*defined(*given), *given], some=True)


class Ask(NamedTuple):
    """A question for values at which a claim fails: these help a rule, and settle nothing."""

    of: Obligation


def volume(box: Iterable[range]) -> int:
    """The number of points."""
    return prod(max(0, r.stop - r.start) for r in box)


def holds(test: Callable[[Values], int], at: Values) -> bool:
    """Whether a formula has a value and holds."""
    try:
        return bool(test(at))
    except ArithmeticError:
        return False


def _note(name: str, of: Callable[[Values], int], at: dict[str, int]) -> None:
    """Sets the name to its value, or to none if that divides by 0: terms that read it then have no value."""
    try:
        at[name] = of(at)
    except (ZeroDivisionError, KeyError):
        at.pop(name, None)


Known: TypeAlias = tuple[dict[str, Tree], Tree]  # names for expressions, and a formula in these names
Result = TypeVar("Result")
Asking: TypeAlias = Generator[Obligation | Ask, Values | None, Result]
Steps: TypeAlias = Asking[None]
Found: TypeAlias = tuple[Values | None, str | None]  # values at which a claim fails, or why it is open; or neither


class Report:
    """Collects the findings about one certificate; obligations with a refutation of their negation need no solver.

    `vacuous` names assumptions that no values satisfy; `claim` is the checked claim, as text.
    """

    def __init__(self, solver: Solver, refutations: Sequence[object] = (), work: Work | None = None) -> None:
        self.solver, self.refutations, self.work, self.count = solver, refutations, work or Work(), 0
        self.wrong, self.vacuous, self.open, self.claim = (list[str]() for _ in range(4))
        self.settled, self.tired = 0, False  # whether the solver gave up once: then it gets less time
        self.asked: Obligation | None = None  # the last one that was decided, and what was found
        self._found: Found = (None, None)

    @property
    def verdict(self) -> str:
        """refuted, vacuous, confirmed, or confirmed but for the parts in `open`."""
        return "refuted" if self.wrong else "vacuous" if self.vacuous else "partly" if self.open else "confirmed"

    def follow(self, steps: Steps) -> None:
        """Decides obligations in turn, until one fails."""
        found: Values | None = None
        while not self.wrong:
            try:
                obligation = steps.send(found)
            except StopIteration:
                return
            self.work.spend()
            if isinstance(obligation, Ask):
                found, _ = self.found(obligation.of)
                continue
            found, why = (None, "") if obligation.claim is None else self.found(obligation)
            self.count += 1
            if why is None:
                self.settled += 1
                self.vacuous += [obligation.what] if obligation.some else []
                continue
            if obligation.some and found is not None:
                continue
            if found is not None and obligation.refutes:
                self.wrong.append(f"{obligation.what}: not {values_text(found)}")
                continue
            left = f"{obligation.what}{why}{' (not shown)' if found is not None else ''}"
            self.open += [left] if left not in self.open else []

    def found(self, obligation: Obligation) -> Found:
        """Decides an obligation, unless it is the last one that was decided."""
        if self.asked is not obligation:
            kept = self.work.terms
            try:
                self._found = self.decide(obligation)
            except ArithmeticError as error:
                self._found = None, f" ({error})"
            self.work.terms = kept  # its terms are no longer kept
            self.asked = obligation
        return self._found

    def decide(self, obligation: Obligation) -> Found:
        """Decides one obligation: values at which the claim fails, or why it is open; both None if it holds."""
        self.work.spend(obligation.weight())
        steps = self.refutations[self.count] if self.count < len(self.refutations) else None
        if not obligation.some and steps is not None:
            denied = obligation.denied()
            self.work.spend(weight(*denied))  # with the names of `lets` written out
            shown = refutes(steps, *denied, work=self.work)
            return None, None if shown else " (the refutation of its opposite is wrong)"
        points, whole = obligation.points(self.work)
        simple = obligation.natural(self.work) if obligation.free() else obligation
        if simple.claim is True:
            return None, None
        valueless: list[Values] = []
        found = next(obligation.failures(points if whole else islice(points, FIRST), valueless, self.work), None)
        if found is not None or (whole and not valueless):
            return found, None if found is None else ""
        for one in (simple, obligation):
            if (answer := self._of_solver(one))[0] in ("sat", "unsat"):
                break
        (word, model), self.tired = answer, self.tired or answer[0] not in ("sat", "unsat")
        if word != "unsat":
            last = {**dict.fromkeys((*obligation.free(), *obligation.ranges), 0), **model}
            found = next(obligation.failures(chain(points, [last] if word == "sat" else []), [], self.work), None)
        return found, None if word == "unsat" else "" if word == "sat" else f" ({word})"

    def _of_solver(self, one: Obligation) -> tuple[str, dict[str, int]]:
        """The solver's answer in the remaining time; a solver that counts its own steps gets its full time."""
        script, share, before = one.script(self.work), 0.125 if self.tired else 0.5, perf_counter()
        if self.solver.work:
            return self.solver.ask(script, share)
        answer = self.solver.ask(script, share, self.work.seconds())
        self.work.waited(perf_counter() - before)
        return answer


def values_text(at: Values) -> str:
    """Values as text; omits names of the checker's own, except the index."""
    return ", ".join(f"{n} = {x}" for n, x in at.items() if n[:1] != "#" or n[1:].isdigit()) or "as it is claimed"
