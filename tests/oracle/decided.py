"""Whether what a certificate claims is false: read here again, and decided by brute force in plain integers.

Nothing of it is the checker's, nor symview's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise, permutations, product
from math import gcd, prod
from operator import itemgetter, mul
from random import Random
from typing import Any

POINTS, BOX, INDICES = 120, 6, 200  # values of names that are tried, how far they go, indices of a box that is walked
POOL = (*range(-BOX, BOX + 1), 8, 12, 24)
GRID = 12  # strides that are tried


class NoValueError(Exception):
    """Something is divided by 0."""


class TooLargeError(NoValueError):
    """Something is too large to be tried."""


# Formulas, read here again


def divided(a: int, b: int, rounding: str) -> tuple[int, int]:
    """Quotient and remainder."""
    if b == 0:
        raise NoValueError
    q = a // b if rounding == "" else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    if rounding == "euclid":
        q = (a - a % abs(b)) // b
    return q, a - q * b


def value(t: Any, at: dict[str, int]) -> int:
    """The value of an expression or a formula, all of which is looked at."""
    if not isinstance(t, list):
        return at[t] if isinstance(t, str) else t
    op, args = t[0], t[1:]
    if op == "if":
        return value(args[1 if value(args[0], at) else 2], at)
    return applied(op, [value(a, at) for a in args])


def applied(op: str, v: Sequence[int]) -> int:
    """The value of an operator other than a choice."""
    if op[:1] in ("/", "%"):
        return divided(v[0], v[1], op.lstrip("/%"))[op[0] == "%"]
    if op in ("**", "<<", ">>") and not 0 <= v[1] <= 64:
        raise NoValueError
    if op in ("ceildiv", "wrap", "floor_sum") and v[1 if op != "wrap" else 2] == 0:
        raise NoValueError
    return RUN[op](*v)


RUN: dict[str, Callable[..., int]] = {
    "+": lambda *v: sum(v), "-": lambda a, b: a - b, "*": lambda *v: prod(v), "neg": lambda a: -a, "min": min,
    "max": max, "abs": abs, "gcd": gcd, "~": lambda a: ~a, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b, "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b, "**": lambda a, b: a**b,
    "ceildiv": lambda a, b: -(-a // b), "wrap": lambda a, low, size: (a - low) % size + low,
    "floor_sum": lambda n, m, a, b: sum((b + i * a) // m for i in range(n)),
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "and": lambda *v: all(v), "or": lambda *v: any(v),
    "not": lambda a: not a, "->": lambda a, b: not a or b, "<->": lambda a, b: bool(a) == bool(b),
}  # fmt: skip
_min, _max = min, max
RUN["min"], RUN["max"] = (lambda *v: _min(v)), (lambda *v: _max(v))


def holds(t: Any, at: dict[str, int]) -> bool | None:
    """Whether a formula holds; None where it has no value."""
    try:
        return bool(value(t, at))
    except NoValueError:
        return None


def compiled(t: Any) -> Callable[[dict[str, int]], int]:
    """The same as a function of the names' values."""
    if not isinstance(t, list):
        return itemgetter(t) if isinstance(t, str) else lambda at: t
    op, parts = t[0], [compiled(a) for a in t[1:]]
    if op == "if":
        c, a, b = parts
        return lambda at: a(at) if c(at) else b(at)
    return lambda at: applied(op, [f(at) for f in parts])


def read_on(t: Any, at: dict[str, int]) -> bool | None:
    """Whether a guard holds that is read from the left and no further than needed, as programs do."""
    op = t[0] if isinstance(t, list) else ""
    if op in ("and", "or"):
        for part in t[1:]:
            if (found := read_on(part, at)) is not (op == "and"):
                return found
        return op == "and"
    if op == "->" and (first := read_on(t[1], at)) is not True:
        return None if first is None else True
    return holds(t, at)


def names(t: Any) -> set[str]:
    """The names of a tree, or of trees in an object."""
    if isinstance(t, dict):
        return set().union(*[listed(x) if key in ("shape", "strides") else names(x) for key, x in t.items()])
    if isinstance(t, list):
        skip = bool(t) and isinstance(t[0], str) and (t[0] in RUN or t[0] == "if" or t[0][:1] in ("/", "%"))
        return set().union(*[names(x) for x in t[skip:]])
    return {t} if isinstance(t, str) else set()


def listed(trees: Sequence[Any]) -> set[str]:
    """The names of trees in a row; the first one may be called `+`."""
    return set().union(*map(names, trees))


def points(of: set[str], given: Sequence[Any], rng: Random) -> Iterator[dict[str, int]]:
    """Some values of the names that meet what is given, all of it with a value."""
    order, tried, met = sorted(of), 0, compiled(["and", True, *given])
    tries: Iterable[Sequence[int]] = (drawn(len(order), rng) for _ in range(20 * POINTS))
    if len(order) < 3:
        tries = rng.sample(whole := [*product(POOL, repeat=len(order))], len(whole))
    for point in tries:
        at = dict(zip(order, point, strict=True))
        if is_met(met, at):
            yield at
            tried += 1
            if tried == POINTS:
                return


def drawn(count: int, rng: Random) -> list[int]:
    """Some values, of which many are sums of multiples of others, as strides and sizes are."""
    found = list[int]()
    for _ in range(count):
        if found and rng.random() < 0.4:
            a, b = rng.choice(found), rng.choice(found)
            found.append(rng.choice((1, 2, 3, 4, 6)) * a + rng.choice((0, 0, 1, 2, 3)) * b)
        else:
            found.append(rng.choice(POOL if rng.random() < 0.5 else (1, 2, 3, 4, 6)))
    return found if rng.random() < 0.5 else found[::-1]


def is_met(test: Callable[[dict[str, int]], int], at: dict[str, int]) -> bool:
    """Whether it has a value and holds."""
    try:
        return bool(test(at))
    except NoValueError:
        return False


# Views and layouts


def numeric(view: Any, at: dict[str, int]) -> Any:
    """The view at values of the names: shape, strides, offset, and the bounds of its mask."""
    shape, strides = ([value(x, at) for x in view[key]] for key in ("shape", "strides"))
    mask = view.get("mask")
    bounds = [(0, 0) for _ in shape] if mask == "empty" else [
        (value(a, at), value(b, at)) for a, b in mask] if mask else [(0, n) for n in shape]  # fmt: skip
    if mask == "empty" and not shape:
        raise TooLargeError
    return shape, strides, value(view["offset"], at), bounds


def every(shape: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """The indices of a box."""
    if prod(max(n, 0) for n in shape) > INDICES:
        raise TooLargeError
    return product(*map(range, shape))


def shown(
    views: Sequence[Any], some: Iterable[tuple[int, ...]] | None = None
) -> dict[tuple[int, ...], int | None] | None:
    """The address at each index, or at some, None where a mask hides it; no table where one is out of bounds."""
    found: dict[tuple[int, ...], int | None] = {}
    steps = [(strides, offset, bounds, list(zip(places(before[0]), before[0], strict=True)), prod(before[0]))
             for before, (_, strides, offset, bounds) in pairwise([([], [], 0, []), *views])][::-1]  # fmt: skip
    for index in every(views[-1][0]) if some is None else some:
        here: Sequence[int] = index
        for n, (strides, offset, bounds, digits, size) in enumerate(steps, 1):
            if not all(low <= i < high for i, (low, high) in zip(here, bounds, strict=True)):
                found[index] = None
                break
            found[index] = x = offset + sum(map(mul, here, strides))
            if n < len(steps):
                if not 0 <= x < size:
                    return None
                here = [x // place % m for place, m in digits]
    return found


def places(shape: Sequence[int]) -> list[int]:
    """The place values of the digits, the last one's first to be 1."""
    return [prod(shape[k + 1 :]) for k in range(len(shape))]


def merges(table: dict[tuple[int, ...], int | None] | None) -> bool:
    """Whether one view has these addresses."""
    if table is None:
        return False
    valid = {i: x for i, x in table.items() if x is not None}
    if not valid:
        return True
    low, high = ([pick(c) for c in zip(*valid, strict=True)] for pick in (min, max))
    if len(valid) != prod(h - a + 1 for a, h in zip(low, high, strict=True)):
        return False
    base = valid[tuple(low)]
    steps = [valid.get((*low[:a], low[a] + 1, *low[a + 1 :]), base) - base for a in range(len(low))]
    return all(x == base + sum((i - k) * s for i, k, s in zip(index, low, steps, strict=True))
               for index, x in valid.items())  # fmt: skip


def meet(a: Any, b: Any) -> bool:
    """Whether a valid index of each has the same address."""
    found = [{x for x in table.values() if x is not None} for table in (shown([a]), shown([b])) if table is not None]
    return bool(found[0] & found[1])


def leaves(x: Any) -> list[Any]:
    """The modes of a layout in a row."""
    return [leaf for m in x for leaf in leaves(m)] if isinstance(x, list) else [x]


def laid(x: Any, at: dict[str, int]) -> list[tuple[int, int]]:
    """Sizes and strides at values."""
    found = [(value(leaf["size"], at), value(leaf["stride"], at)) for leaf in leaves(x)]
    if any(n < 1 for n, _ in found) or prod(n for n, _ in found) > INDICES:
        raise NoValueError
    return found


def at_index(layout: Sequence[tuple[int, int]], i: int) -> int:
    """The value of a layout at an index; the last mode goes on."""
    total = 0
    for k, (n, d) in enumerate(layout):
        i, digit = divmod(i, n) if k < len(layout) - 1 else (0, i)
        total += digit * d
    return total


def operated(claim: Any, found: Any, at: dict[str, int]) -> bool | None:
    """Whether the layout has the values that the operation is defined by; None where that is not said here."""
    operation, given = claim["operation"], claim["layouts"]
    if any(g is None or (isinstance(g, dict) and "modes" in g) for g in given):
        return None
    a, *by = [laid(g, at) for g in given]
    result = laid(found, at)
    size = prod(n for n, _ in (by[0] if by and operation == "composition" else a))
    if operation == "composition":
        want = [at_index(a, x) if (x := at_index(by[0], i)) >= 0 else None for i in range(size)]
        return prod(n for n, _ in result) == size and None not in want and want == [
            at_index(result, i) for i in range(size)]  # fmt: skip
    if operation == "coalesce" and not by:
        return prod(n for n, _ in result) == size and all(at_index(a, i) == at_index(result, i) for i in range(size))
    if operation == "right_inverse":
        inner = [at_index(result, i) for i in range(prod(n for n, _ in result))]
        return all(x >= 0 and at_index(a, x) == i for i, x in enumerate(inner))
    if operation in ("left_inverse", "strict_left_inverse"):
        for i in range(size):
            x = at_index(a, i)
            back = at_index(result, x) if x >= 0 else -1
            if back < 0 or (at_index(a, back) != x if operation == "left_inverse" else back != i):
                return False
        return True
    if operation == "complement":
        sums = [x + y for x in {at_index(a, i) for i in range(size)}
                for y in [at_index(result, i) for i in range(prod(n for n, _ in result))]]  # fmt: skip
        return len(set(sums)) == len(sums)
    return None


# What is false


def false_conditions(claim: Any, rng: Random) -> str | None:
    """Values at which cases say something false of views, layouts or strides."""
    cases, facts = claim["cases"], claim["facts"]
    known = compiled(["and", True, *facts])
    for at in on_equations(points(names(subject(claim)) | names(facts), facts, rng), cases):
        if not is_met(known, at) or not is_asked(claim, at):
            continue
        if (whole := stated(claim, at)) is not None and whole != said(cases, at):
            return f"at {at} the clauses say {whole}"
        for c in cases:
            if holds(c["where"], at) is not True or c["status"] == "undecided":
                continue
            equal = [holds(e, at) for e in c["equations"]]
            if None in equal:
                continue
            says = c["status"] in ("always", "when") and all(equal)
            try:
                true = truth(claim, c, at, says)
            except NoValueError:
                continue
            if true is False:
                return f"at {at} the case {json.dumps(c)[:200]}"
        if claim.get("operation") != "composition" and holds(["or", False, *[c["where"] for c in cases]], at) is False:
            return f"at {at} there is no case"
    return None


def on_equations(some: Iterable[dict[str, int]], cases: Sequence[Any]) -> Iterator[dict[str, int]]:
    """Values, and such at which the equations of a case hold, where they say what a name is."""
    given = [[e for e in c["equations"] if isinstance(e[1], str) or isinstance(e[2], str)] for c in cases]
    for at in some:
        yield at
        for equations in filter(None, given):
            there = dict(at)
            with suppress(NoValueError):
                for _, one, other in equations:
                    name, what = (one, other) if isinstance(one, str) else (other, one)
                    there[name] = value(what, there)
                yield there


def subject(claim: Any) -> dict[str, Any]:
    """What the cases are about."""
    keys = ("views", "view", "pair", "layouts", "bound", "shape")
    return {k: v for k, v in claim.items() if k in keys}


def said(cases: Sequence[Any], at: dict[str, int]) -> bool:
    """Whether the cases say that there is an answer."""
    yes = [c for c in cases if c["status"] in ("always", "when")]
    return any(holds(c["where"], at) and all(holds(e, at) for e in c["equations"]) for c in yes)


def stated(claim: Any, at: dict[str, int]) -> bool | None:
    """Whether the clauses hold, where they say the whole condition."""
    if claim.get("clauses") is None or any(c["status"] == "undecided" for c in claim["cases"]):
        return None
    return holds(["and", True, *claim["clauses"]], at)


def truth(claim: Any, case: Any, at: dict[str, int], says: bool) -> bool | None:
    """Whether it is true that there is an answer, and this one, or none."""
    if "views" in claim or "pair" in claim:
        views = [numeric(v, at) for v in claim.get("views") or claim["pair"]]
        if not are_views(views):
            return None
        if "pair" in claim:
            return meet(*views) == says
        table = shown(views)
        if not fits(claim, at):
            return not says
        if case["status"] == "out_of_bounds":
            return table is None
        return merges(table) == says and (not says or shown([numeric(case["view"], at)]) == table)
    if "layouts" in claim:
        if says:
            return operated(claim, case["layout"], at)
        return None
    return has(claim, at) == says


def are_views(views: Sequence[Any]) -> bool:
    """Whether no size is below 0, and masks are inside of the sizes; what else a mask means is not said."""
    return all(0 <= low <= high <= n for v in views for n, (low, high) in zip(v[0], v[3], strict=True))


def is_asked(claim: Any, at: dict[str, int]) -> bool:
    """Whether the views of a question are views at these values."""
    views = [*claim.get("views", ()), *claim.get("pair", ()), *([claim["view"]] if "property" in claim else ())]
    try:
        return are_views([numeric(v, at) for v in views])
    except TooLargeError:
        return True
    except NoValueError:
        return False


def has(claim: Any, at: dict[str, int]) -> bool:
    """Whether a view has a property."""
    _, strides, _, bounds = numeric(claim["view"], at)
    sizes, of = [max(0, b - a) for a, b in bounds], claim["property"]
    if prod(sizes) == 0:
        return True
    where = [sum(i * t for i, t in zip(index, strides, strict=True)) for index in every(sizes)]
    if of == "injective":
        return len({*where}) == len(where)
    orders = [claim["order"]] if of == "contiguous" else permutations(range(len(sizes)))
    steps = [abs(t) if claim.get("flips") else t for t in strides]
    return any(all(sizes[a] == 1 or steps[a] == prod(sizes[b] for b in order[:k]) for k, a in enumerate(order))
               for order in orders)  # fmt: skip


def false_guard(claim: Any, rng: Random) -> str | None:
    """Where a guard is said to be what it is not."""
    guard, facts = claim["guard"], claim["facts"]
    if claim["verdict"] == "exact":
        for at in points(names(subject(claim)) | names(facts) | names(guard), facts, rng):
            with suppress(NoValueError):
                says = holds(guard, at) if is_asked(claim, at) else None
                if says is not None and (so := is_so(claim, at)) is not None and says != so:
                    return f"at {at} the guard is {says}"
        return None
    at, weak = claim["values"], claim["verdict"] == "too weak"
    if read_on(guard, at) != weak or not all(holds(f, at) is True for f in facts):
        return "the guard, or a fact"
    try:
        return "what it is about" if is_so(claim, at) == weak else None
    except NoValueError:
        return None


def is_so(claim: Any, at: dict[str, int]) -> bool | None:
    """Whether views are one view, share an address, or have the property, or there is a layout; None: not said here."""
    if "layouts" in claim:
        return composes(claim, at)
    if "view" in claim:
        return has(claim, at)
    views = [numeric(v, at) for v in claim.get("views") or claim["pair"]]
    if not are_views(views):
        return None
    return meet(*views) if "pair" in claim else fits(claim, at) and merges(shown(views))


def composes(claim: Any, at: dict[str, int]) -> bool | None:
    """Whether two layouts have a composition: its values are sums over the digits, for sizes that are split somehow."""
    given = claim["layouts"]
    if claim["operation"] != "composition" or any(g is None or (isinstance(g, dict) and "modes" in g) for g in given):
        return None
    a, b = (laid(g, at) for g in given)
    inner = [at_index(b, i) for i in range(prod(n for n, _ in b))]
    if min(inner) < 0:
        return None
    table = [at_index(a, x) for x in inner]
    ways = [{*permutations(primes(n))} for n, _ in b]
    if prod(map(len, ways)) > 50:
        return None
    return any(is_linear(table, [n for part in way for n in part]) for way in product(*ways))


def primes(n: int) -> list[int]:
    """The prime factors of a number."""
    p = next((p for p in range(2, n + 1) if n % p == 0), 0)
    return [p, *primes(n // p)] if p else []


def is_linear(table: Sequence[int], sizes: Sequence[int]) -> bool:
    """Whether values are sums over the digits of their index."""
    spots = [prod(sizes[:k]) for k in range(len(sizes))]
    return all(x == sum(i // p % n * (table[p] - table[0]) for p, n in zip(spots, sizes, strict=True)) + table[0]
               for i, x in enumerate(table))  # fmt: skip


def fits(claim: Any, at: dict[str, int]) -> bool:
    """Whether the sizes agree, where that is asked."""
    return holds(claim.get("fits", True), at) is not False


def false_merge(claim: Any, rng: Random) -> str | None:
    """A view that is none, or a counterexample where there is a view."""
    try:
        views = [numeric(v, {}) for v in claim["views"]]
        if claim.get("view") is not None:
            one = numeric(claim["view"], {})
            some = corners(views[-1][0], rng)
            return None if one[0] == views[-1][0] and shown([one], some) == shown(views, some) else "the view"
        table = shown(views)
    except NoValueError:
        return None
    index = tuple(claim["index"])
    if merges(table) or index not in every(views[-1][0]):
        return "there is a view, or no such index"
    if shown(views, [index]) is None:
        return None
    return "it does not break there" if table is None or agrees(table, index) else None


def agrees(table: dict[tuple[int, ...], int | None], index: tuple[int, ...]) -> bool:
    """Whether one view has the addresses along the axes through the first valid index, and the one at the index."""
    valid = [i for i, x in table.items() if x is not None]
    if not valid:
        return True
    low = min(valid, key=lambda i: (sum(i), i))
    near = [i for i in table if sum(a != b for a, b in zip(i, low, strict=True)) < 2]
    some = [i for i in (*near, index) if table[i] is not None]
    ends = [(min(c), max(c)) for c in zip(*some, strict=True)]
    if any(table[i] is None and all(a <= x <= b for x, (a, b) in zip(i, ends, strict=True)) for i in (*near, index)):
        return False
    base = table[low] or 0
    steps = [(table.get((*low[:a], low[a] + 1, *low[a + 1 :])) or base) - base for a in range(len(low))]
    return all(table[i] == base + sum((x - k) * s for x, k, s in zip(i, low, steps, strict=True)) for i in some)


def corners(shape: Sequence[int], rng: Random) -> list[tuple[int, ...]] | None:
    """Some indices of a box that is too large to be walked."""
    if prod(shape) <= INDICES:
        return None
    return [tuple([rng.choice((0, n - 1, rng.randrange(n), min(1, n - 1))) for n in shape]) for _ in range(INDICES)]


def false_chains(claim: Any, rng: Random) -> str | None:
    """Chains that are not the same, or are."""
    try:
        first, second = (shown([numeric(v, {}) for v in claim[key]]) for key in ("first", "second"))
    except NoValueError:
        return None
    if claim["same"]:
        return None if first is not None and first == second else "they are not the same"
    if first is None or second is None:
        return None
    index = tuple(claim["index"])
    if first.keys() != second.keys() or first[index] == second[index]:
        return "the index"
    if claim["sides"] != [first[index], second[index]]:
        return "the sides"
    before = [i for i in first if first[i] != second[i] and (sum(i), i) < (sum(index), index)]
    return "a smaller index" if claim.get("smallest") and before else None


def false_theorem(claim: Any, rng: Random) -> str | None:
    """Values that refute what is proved; or that a refutation is none."""
    says, given = claim["claim"], claim["assume"]
    if claim["verdict"] == "refuted":
        at = claim["values"]
        wrong = holds(says, at) is not False or not all(holds(g, at) is True for g in given)
        if wrong:
            return "the values"
        if says[0] in COMPARED and claim["sides"] not in (None, [value(side, at) for side in says[1:]]):
            return "the sides"
        if claim["smallest"]:
            least = sum(map(abs, at.values()))
            of = names(says) | names(given)
            if any(sum(map(abs, x.values())) < least and holds(says, x) is False for x in points(of, given, rng)):
                return "smaller values"
        return None
    if claim.get("lists"):
        return false_folds(claim, rng)
    for at in points(names(says) | names(given), given, rng):
        if holds(says, at) is False:
            return f"at {at}"
    return None


COMPARED = ("==", "!=", "<", "<=", ">", ">=")


def false_folds(claim: Any, rng: Random) -> str | None:
    """Short lists at whose ends the claim fails; each list after those whose folds it mentions."""
    says, given, lists = claim["claim"], claim["assume"], claim["lists"]
    inside = [[*one["each"], *[x for pair in one["folds"].values() for x in pair], *one["folds"]] for one in lists]
    moving = {n for one in lists for n in (*one["folds"], *one["own"])}
    fixed = (names(says) | names(given) | set().union(*map(listed, inside))) - moving
    still = [g for g in given if not names(g) & moving]
    for at in islice(points(fixed, still, rng), 40):
        for _ in range(4):
            try:
                whole = at
                for one in lists:
                    whole = {**whole, **_folded(one, whole, rng.randint(0, 4), rng)}
                if all(holds(g, whole) is True for g in given) and holds(says, whole) is False:
                    return f"at {whole}"
            except NoValueError:
                continue
    return None


def _folded(one: Any, at: dict[str, int], length: int, rng: Random) -> dict[str, int]:
    """The folds of a list of at most so many elements."""
    state = {n: value(a, at) for n, (a, _) in one["folds"].items()}
    for _ in range(length):
        for _ in range(20):
            here = {**at, **state, **{n: rng.choice((-1, 0, 1, 2, 3, 5)) for n in one["own"]}}
            if all(holds(e, here) is True for e in one["each"]):
                state = {n: value(b, here) for n, (_, b) in one["folds"].items()}
                break
    return state


def false_premise(claim: Any, rng: Random) -> str | None:
    """Values at which the condition is not enough, or not needed, as far as that is claimed."""
    says, given, condition = claim["claim"], claim["assume"], claim["condition"]
    if claim["directions"] in ("both", "enough"):
        for at in points(names(says) | names(given), [*given, condition], rng):
            if holds(says, at) is False:
                return f"at {at} it is not enough"
    about = set(claim["about"])
    others = (names(says) | names(given)) - about
    if claim["directions"] not in ("both", "needed") or len(others) > 1:
        return None
    outer = [g for g in given if names(g) <= about]
    for at in islice(points(about, [*outer, ["not", condition]], rng), 40):
        some = [{**at, n: x} for n in others for x in range(-8, 40)] or [at]
        allowed = [x for x in some if holds(["and", True, *given], x) and holds(says, x) is not None]
        if allowed and all(holds(says, x) for x in allowed) and max(map(abs, at.values()), default=0) < 7:
            return f"at {at} it is not needed"
    return None


def false_layout(claim: Any, rng: Random) -> str | None:
    """An operation on layouts of numbers that has another answer."""
    try:
        return "the values" if operated(claim, claim["layout"], {}) is False else None
    except NoValueError:
        return None


def false_rule(claim: Any, rng: Random) -> str | None:
    """Sizes at which the programs show different elements, or at which they do not where that is claimed."""
    refuted = claim["verdict"] == "refuted"
    for one in claim["instances"]:
        given = {**dict.fromkeys(names_of(one), 0), **claim.get("values", {})}
        some = [given] if refuted else islice(points(names_of(one), one["assume"], rng), 60)
        for at in some:
            try:
                left, right = ran(one["left"], at), ran(one["right"], at)
            except TooLargeError:
                continue
            if refuted and (left is None or left == right or not all(holds(f, at) is True for f in one["assume"])):
                return "it is not refuted there"
            if not refuted and left is not None and left != right:
                return f"at {at}"
    return None


def names_of(one: Any) -> set[str]:
    """The names in the sizes and steps of both programs."""

    def of(p: Any) -> set[str]:
        found = listed(p["shape"])
        for op, *given in p["steps"]:
            found |= of(given[0]) if op == "concat" else listed(given)
        return found

    return of(one["left"]) | of(one["right"]) | listed(one["assume"])


def ran(of: Any, at: dict[str, int]) -> Any:
    """The shape, and what stands at each index: a tensor and an index, or nothing; None where it is not defined."""
    try:
        shape = [value(x, at) for x in of["shape"]]
        cells = {i: (of["tensor"], tuple(shape), i) for i in _box(shape)}
        for op, *given in of["steps"]:
            if op == "concat":
                other = ran(given[0], at)
                if other is None:
                    return None
                found = _joined(shape, cells, *other, given[1])
            elif op == "read":
                view = numeric(given[0], at)
                table = shown(
                    [(shape, [prod(shape[k + 1 :]) for k in range(len(shape))], 0, [(0, n) for n in shape]), view]
                )
                if table is None or any(not 0 <= a <= b <= n for n, (a, b) in zip(view[0], view[3], strict=True)):
                    return None
                every = [cells[i] for i in _box(shape)]
                found = view[0], {i: None if x is None else every[x] for i, x in table.items()}
            else:
                found = _step(op, [value(x, at) for x in given], shape, cells)
            if found is None:
                return None
            shape, cells = found
    except TooLargeError:
        raise
    except NoValueError:
        return None
    return shape, cells


def _box(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if any(n < 0 for n in shape):
        raise NoValueError
    if prod(shape) > INDICES:
        raise TooLargeError
    return product(*map(range, shape))


def _joined(shape: Any, cells: Any, other: Any, more: Any, axis: int) -> Any:
    if len(shape) != len(other) or any(n != m for k, (n, m) in enumerate(zip(shape, other, strict=True)) if k != axis):
        return None
    whole = [n + other[k] if k == axis else n for k, n in enumerate(shape)]
    return whole, {i: cells[i] if i[axis] < shape[axis] else more[(*i[:axis], i[axis] - shape[axis], *i[axis + 1 :])]
                   for i in _box(whole)}  # fmt: skip


def _step(op: str, n: Sequence[int], shape: Sequence[int], cells: Any) -> Any:
    k = len(shape)
    axes = range(k)
    if op == "permute":
        return [shape[a] for a in n], {
            i: cells[tuple(i[n.index(a)] for a in axes)] for i in _box([shape[a] for a in n])
        }
    if op == "flip":
        return shape, {i: cells[tuple(shape[a] - 1 - i[a] if a in n else i[a] for a in axes)] for i in _box(shape)}
    if op == "slice":
        low, high, step = n[:k], n[k : 2 * k], n[2 * k :]
        if not all(0 <= a <= b <= s and t > 0 for a, b, s, t in zip(low, high, shape, step, strict=True)):
            return None
        new = [-(-(b - a) // t) for a, b, t in zip(low, high, step, strict=True)]
        return new, {i: cells[tuple(a + x * t for a, x, t in zip(low, i, step, strict=True))] for i in _box(new)}
    if op == "pad":
        if min(n, default=0) < 0:
            return None
        new = [a + s + b for a, s, b in zip(n[:k], shape, n[k:], strict=True)]
        return new, {i: cells.get(tuple(x - a for x, a in zip(i, n[:k], strict=True))) for i in _box(new)}
    if op == "expand":
        if not all(s in (1, m) and m >= 0 for s, m in zip(shape, n, strict=True)):
            return None
        return [*n], {i: cells[tuple(0 if s == 1 else x for x, s in zip(i, shape, strict=True))] for i in _box(n)}
    if min(n, default=0) < 0 or prod(n) != prod(shape):
        return None
    return [*n], dict(zip(_box(n), [cells[i] for i in _box(shape)], strict=True))


FALSE: dict[str, Callable[[Any, Random], str | None]] = {
    "merge": false_merge, "chains": false_chains, "theorem": false_theorem, "premise": false_premise,
    "rule": false_rule, "layout": false_layout, "guard": false_guard,
    **dict.fromkeys(("conditions", "layout_conditions", "stride_conditions", "overlap"), false_conditions),
}  # fmt: skip
