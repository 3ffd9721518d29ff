"""Left inverses of layouts with symbols."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise, permutations
from typing import Any

from symview.cute.comparer import NUMBERS, quotient, rounded_down, times
from symview.cute.complements import Gap
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import flatten, is_int
from symview.cute.inverse import left_inverse as left_inverse_of_numbers
from symview.cute.layout import Layout
from symview.cute.modes import Modes, assembled, coalesced
from symview.cute.shape_arithmetic import product_of
from symview.cute.symbols.asking import Asking
from symview.cute.symbols.forms import form_of, term_of
from symview.cute.symbols.gaps import Numbered, gaps, moving, plain_sum
from symview.cute.symbols.left_inverses.lengths import inverses_of_lengths
from symview.cute.symbols.left_inverses.multiples import inverses_of_multiples
from symview.cute.symbols.left_inverses.open_sizes import inverses_of_size
from symview.cute.symbols.left_inverses.two_strides import inverse_of_two
from symview.cute.symbols.question import fixed_by, put
from symview.cute.symbols.refining import joined
from symview.errors import Undecided
from symview.logic.sympy_bridge import to_sympy, to_term
from symview.logic.terms import Term, disj, num, sym

_FEW = 3  # modes whose orders are all looked at
_DIGITS = 8  # sizes of the mode that is far above the other


def left_inverse(ask: Asking, layout: Layout) -> Layout:
    """The left inverse that numbers have, where the strides do as place values: it reads one digit for each.

    They do where each is above all sums of the modes before it, if the remainders never carry, as where
    each is a multiple of what the modes before it reach; and of few modes that overlap, where each stride
    divides the next and no digit is too large. Where the last stride divides the others, the last mode
    alone has all values, since it goes on. Where all strides are multiples of one unknown, or numbers like
    all sizes but the last, places that are no strides are found as well, or that none do. Of two equal strides the
    sums are digits, whatever their sizes. Beside one open size n, places are found for what n is modulo the strides, or
    that there are none for all n from some on, and small n are asked one by one; see `classes` and `increments`.

    Of two strides a for the size n and b for m, with r = a mod b, places are given where n·r <= b and
    r² >= (n + 1)·((m - 1)·b + (n - 1)·a + n·r), for n = 2 also where 2·r > b and r <= b - m - 1 - floor(a/b), and
    where b >= R·a for a number R; and so with the two exchanged. For n = 2 that leaves a near a multiple of b. Of
    three modes, those with multiples of the last stride count as one with the last, whose indices go on.

    Elsewhere Undecided. Of two unknown strides a, b > 0, all pairs but finitely many have a left inverse: a sequence
    of others would have one with b/a going to infinity, to 0, or to some r. If r = t/s, or b is far above a, values
    are m·x + l·d with x far above d, or d = 0: the floors at the place d are l and a function of m, those at places
    near x make up all functions of m. If r is no fraction, so do floors at places far apart, whose fractions may be
    any. But the pairs that have none are many (of (2,8):(a,b) with a up to 20 and b up to 70 they are 27, a = 3 and
    b = 5, 11, 17, 23, 29, 47, 59 among them), and the places change with the direction of (a, b).
    """
    layout = assembled(joined(put(layout, fixed_by(ask.fork.known.facts)).flat()))
    if layout.numeric:
        return left_inverse_of_numbers(layout, ask.budget)  # type: ignore[no-any-return]
    if (one := _of_lengths(ask, layout)) is not None:
        return one
    if not ask.all_hold([(0, d) for n, d in layout.flat() if type(n) is int and n > 1]):
        raise NoAnswer(f"left_inverse of {layout}: a value is below 0")
    moves = moving(ask, layout)
    for _, (_, stride) in moves:
        if not ask.at_most(1, stride):
            raise NoAnswer(f"left_inverse of {layout}: a value is below 0")
    if not moves:
        return Layout(layout.size(), 0)
    if (one := _of_multiples(ask, layout, moves)) is not None:
        return one
    order = list(gaps(ask, layout))
    found = _by_place_values(ask, layout, order) if all(gap.fits for gap in order) else _overlapping(ask, layout)
    found = found or _along_the_last(ask, layout) or _of_equal_strides(ask, layout) or inverse_of_two(ask, layout)
    found = found or _of_open_size(ask, layout)
    if found is None:
        raise Undecided(f"{layout} has strides there that do not do as place values; a left inverse may exist")
    return found


def _of_multiples(ask: Asking, layout: Layout, moves: Sequence[Numbered]) -> Layout | None:
    """Where sizes are numbers, and all strides that are not 0 multiples of one product of symbols; see `multiples`."""
    unit, modes, whole = _in_units(ask, layout, moves)
    found = inverses_of_multiples(assembled(modes)) if modes else None
    if found is None:
        return None

    def among(ks: Sequence[int]) -> bool:
        return bool(ks) and ask.holds(disj(Term("==", (to_term(unit), num(k))) for k in ks))

    if among(found.never):
        if not whole:
            raise Undecided(f"{layout} goes on along a mode of size 1, where a left inverse may lead")
        raise NoAnswer(f"left_inverse of {layout}: no layout takes its values back to indices at which they stand")
    one, ks = next(((one, ks) for one, ks in found.few if among(ks)), (found.most, ()))
    high, scaled = one.high, times(unit, one.low.denominator)
    place = one.place(ks[0]) if len(ks) == 1 else rounded_down(scaled, one.low.numerator)
    if not (ks or found.settled or ask.at_most(times(unit, high.denominator) + 1, times(place, high.numerator))):
        raise Undecided(f"{layout} has strides there that do not do as place values; a left inverse may exist")
    return assembled(coalesced([(place, 0), *one.rest.flat()]))


def _in_units(ask: Asking, layout: Layout, moves: Sequence[Numbered]) -> tuple[Any, Modes, bool]:
    """What all strides that are not 0 are multiples of, and the modes with how often; no modes where they are not.

    A last mode of size 1 counts too, as it goes on. Where its stride is no multiple it gets one that leads to no
    value, and the modes are not the whole layout.
    """
    if not all(is_int(n) for n, _ in layout.flat()):
        return 1, [], True
    *_, last = layout.flat()
    forms = {number: form_of(d) for number, (_, d) in moves}
    products = {m for form in forms.values() for m in form}
    if len(products) != 1:
        return 1, [], True
    times_unit = {number: sum(form.values()) for number, form in forms.items()}
    whole = last[0] != 1 or products == {*form_of(last[1])} or ask.equal(last[1], 0)
    if not whole:
        times_unit[len(layout.flat()) - 1] = 1 + sum([(n - 1) * times_unit[k] for k, (n, _) in moves])
    elif last[0] == 1 and products == {*form_of(last[1])}:
        times_unit[len(layout.flat()) - 1] = sum(form_of(last[1]).values())
    unit = to_sympy(term_of(dict.fromkeys(products, 1)))
    modes = [(n, times_unit.get(k, 0)) for k, (n, _) in enumerate(layout.flat())]
    return unit, modes, whole


def _of_lengths(ask: Asking, layout: Layout) -> Layout | None:
    """Where all but the last size are numbers; see `lengths`."""
    *before, (size, stride) = layout.flat()
    if not all(is_int(x) for x in (*[x for mode in before for x in mode], stride)):
        return None
    if stride < 0 or any(d < 0 for n, d in before if n != 1):
        return None
    found = inverses_of_lengths(assembled(before), stride)
    if found.upto is not None and not ask.at_most(size, found.upto):
        if found.settled:
            raise NoAnswer(f"left_inverse of {layout}: no layout takes its values back to indices at which they stand")
        raise Undecided(f"{layout} has strides there that do not do as place values; a left inverse may exist")
    return _up_to(found.inverse, _largest(layout)) if found.upto is None and found.inverse else found.inverse


def _of_open_size(ask: Asking, layout: Layout) -> Layout | None:
    """Where one size n is open, by what n is modulo a number; see `open_sizes`."""
    modulus, found = inverses_of_size(layout)
    if not found:
        return None
    ((name, n),) = layout.symbols().items()
    claims = [Term("==", (Term("%", (sym(name), num(modulus))), num(rest))) for rest in range(modulus)]
    there = {rest for rest, claim in enumerate(claims) if not ask.fork.known.impossible(claim)}
    here = [(size, there.intersection(size.rests)) for size in sorted(found, key=lambda size: len(size.rests))]
    size = next((size for size, rests in here if rests == there or ask.holds(disj(claims[k] for k in rests))), None)
    if size is None:
        return None
    if size.few and not ask.at_most(size.few[-1] + 1, n):
        small = next((k for k in size.few if ask.equal(n, k)), None)
        if small is not None:
            return left_inverse_of_numbers(put(layout, {name: small}), ask.budget)  # type: ignore[no-any-return]
    if size.inverse is None:
        raise NoAnswer(f"left_inverse of {layout}: no layout takes its values back to indices at which they stand")
    places = product_of(tuple([x for x, _ in size.inverse.flat()[:-1]]))
    return _up_to(size.inverse, _largest(layout)) if is_int(places) else size.inverse


def _up_to(inverse: Layout, value: Any) -> Layout:
    """The same layout with as many digits of the last place as there are up to that value."""
    *before, (_, step) = inverse.flat()
    last = plain_sum(rounded_down(value, product_of(tuple([n for n, _ in before]))), 1)
    return assembled(coalesced([*before, (last, step)]))


def _along_the_last(ask: Asking, layout: Layout) -> Layout | None:
    """The last mode alone, which goes on beyond its size, where its stride divides all others."""
    *others, (_, last) = layout.flat()
    if not others or not ask.at_most(1, last) or not ask.all_hold((), [(last, d) for n, d in others if n != 1]):
        return None
    below = product_of(flatten(layout.shape)[:-1])
    return assembled(coalesced([(last, 0), (plain_sum(quotient(_largest(layout), last), 1), below)]))


def _largest(layout: Layout) -> Any:
    """The largest value of a layout of none below 0."""
    return plain_sum(*[times(n - 1, d) for n, d in layout.flat()])


def _by_place_values(ask: Asking, layout: Layout, order: Sequence[Gap]) -> Layout | None:
    """One digit for each stride, where the remainders of the others do not carry into it."""
    places = [order[0].stride]
    for gap in order[1:]:
        places.append(times(places[-1], rounded_down(gap.stride, places[-1])))
    rests = [times(gap.size - 1, gap.stride - place) for gap, place in zip(order, places, strict=True)]
    inside = [(gap.size, quotient(b, a)) for gap, a, b in zip(order, places, places[1:], strict=False)]
    if not ask.all_hold([(plain_sum(*rests) + 1, places[0]), *inside]):
        return None
    return _digits([(g.number, (g.size, g.stride)) for g in order], places, layout)


def _overlapping(ask: Asking, layout: Layout) -> Layout | None:
    """One digit for each stride where each stride divides the next, and modes overlap.

    A digit that reaches the size of its mode is no coordinate, unless the mode is the last one, which
    goes on. It does where modes below carry into it, and as many values are left before the next stride.
    """
    modes = moving(ask, layout)
    symbols = sum([not is_int(d) for _, (_, d) in modes])
    order = _divisors_first(ask, modes) if len(modes) <= _FEW and (symbols < 2 or len(modes) < _FEW) else None
    if order is None:
        return None
    below: Any = 0
    for (number, (size, stride)), following in zip(order, (*order[1:], None), strict=True):
        if number != len(layout.flat()) - 1 and not ask.one_holds(
            [(below + 1, stride), *([(following[1][1], times(size, stride))] if following else ())]
        ):
            return None
        below = plain_sum(below, times(size - 1, stride))
    return _digits(order, [stride for _, (_, stride) in order], layout)


def _of_equal_strides(ask: Asking, layout: Layout) -> Layout | None:
    """Two modes n:d and m:d, with one more behind or below them at most.

    Their sums are i + j = u < n + m - 1, of which those below n are i alone. For m <= n + 1 the others are n + x with
    x < m - 1, as i = n - m + 1 + x and j = m - 1: one more digit, at the place n·d.
    """
    modes = moving(ask, layout)
    pair = next((p for p in combinations(modes, 2) if NUMBERS.equal(p[0][1][1], p[1][1][1])), None)
    if pair is None or len(modes) > _FEW:
        return None
    first, second = pair if ask.at_most(pair[1][1][0], plain_sum(pair[0][1][0], 1)) else pair[::-1]
    (a, (n, d)), (b, (m, _)) = first, second
    one, other = (product_of(flatten(layout.shape)[:number]) for number in (a, b))
    both = [(d, one), (times(n, d), plain_sum(times(n - m + 1, one), times(m - 1, other)))]
    rest = [(size, stride, product_of(flatten(layout.shape)[:k])) for k, (size, stride) in modes if k not in (a, b)]
    if not rest:
        return _of_places(both)
    size, stride, step = rest[0]
    last = len(layout.flat()) - 1 in (a, b)  # then that its stride divides the other is no new case
    if not last and ask.all_hold([(times(n + m - 1, d), stride)], [(times(n, d), stride)]):
        return _of_places([*both, (stride, step)])
    return _of_places([(stride, step), *both]) if ask.all_hold([(times(size, stride), d)], [(stride, d)]) else None


def _of_places(digits: Sequence[tuple[Any, Any]]) -> Layout:
    """The layout with these places, each of which divides the next, and the strides there, the last without bound."""
    sizes = [quotient(b, a) for (a, _), (b, _) in pairwise([(1, 0), *digits])]
    return assembled(coalesced([*zip((*sizes, 2), (0, *[step for _, step in digits]), strict=True)]))


def _divisors_first(ask: Asking, modes: Sequence[Numbered]) -> tuple[Numbered, ...] | None:
    """The modes in the order in which each stride divides the next; of equal strides, the first comes first."""
    orders = permutations(modes)
    pairs = ((order, [(a[1][1], b[1][1]) for a, b in pairwise(order)]) for order in orders)
    return next((order for order, divides in pairs if ask.all_hold((), divides)), None)


def _digits(modes: Sequence[Numbered], places: Sequence[Any], layout: Layout) -> Layout:
    """The layout that reads one digit for each place, the last without bound."""
    found: Modes = [(places[0], 0)]
    steps = [product_of(flatten(layout.shape)[:number]) for number, _ in modes]
    for step, low, high in zip(steps, places, places[1:], strict=False):
        found.append((quotient(high, low), step))
    return assembled(coalesced([*found, (modes[-1][1][0], steps[-1])]))
