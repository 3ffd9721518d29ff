"""When two placements of a sharded tensor, before and after a reshape, give each rank the same elements; with names.

A shard of a dim of size n, with Q positions of the dims before it and P of those after it, gives rank 0 Q runs of
⌈n/m⌉·P elements, n·P apart; or all, if n = 1 or m = 1. So it agrees with another one exactly if m = 1, or both sizes
are 1, or Q = Q' and ⌈n/m⌉·P = ⌈n'/m⌉·P', which is (-n % m)·P = (-n' % m)·P'. Where P = k·P', n' is k·n, and that is
(-n % m)·k < m: the padding is less than one element for each rank. On a second axis, the same holds for the parts:
those of ⌈n/m⌉, and the one of n % ⌈n/m⌉.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod
from typing import Any, NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.conditions import Conditions
from symview.cases.query import Query, query_about
from symview.cases.question import Question
from symview.counterexample import Counterexample, Kind
from symview.errors import InputError, NotSupported, Undecided
from symview.logic.budget import Budget, running
from symview.logic.entailment import Entailment
from symview.logic.integer import Integer, divmod_of, of_term, term_of
from symview.logic.notation import joined
from symview.logic.sympy_bridge import is_number, to_text
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, fresh, num, replaced, substituted, sym, walk
from symview.view import View, sizes_for, target_shape
from symview.view_notation import tuple_text
from symview.views.extents import extents
from symview.views.placements import (
    NoPlacement,
    Placement,
    first_difference,
    found_placements,
    preferred,
    read_mesh,
    read_placements,
)

_EXACT = "exact: each rank has as much padding before as after"
_NEVER = "for all values some rank has other elements"

Sizes = tuple[Integer, ...]


def placement_conditions(
    shape: Sequence[Any] | str,
    placements: Sequence[Any] | str,
    new_shape: Sequence[Any] | str,
    new_placements: Sequence[Any] | str | None,
    mesh: Any,
    assume: Any = (),
    budget: Budget | None = None,
) -> Conditions[tuple[str, ...]]:
    """The exact, weakest condition under which a reshape of a sharded tensor has these placements.

    That is: each rank has the same elements in the same order. Arguments are as for `placements_after`, but sizes, and
    the ranks of a mesh axis, may have names; all are positive. `new_placements` None: those that need least. With
    names, one or two axes may shard; pieces of `_S` then divide the size, and two axes shard the same dim, or dims that
    are not flattened together. A size E may become H and E//H if `assume` has E % H == 0.
    Raises InputError where sizes or axes do not agree, Undecided where they do so only for some values, with an
    assumption that decides it, if there is one, and NotSupported beyond what names may have.

    >>> print(placement_conditions("(N,K)", "S(0)", "(N*K)", "S(0)", "m"))
    K*(-N % m) < m
    >>> found = placement_conditions("(B,S,D)", "S(1)", "(B*S,D)", None, 4)
    >>> print(found, found.question.new)
    always ('_S(0, B)',)
    >>> print(placement_conditions("(B,E)", "S(1)", "(B,H,E//H)", None, 8, assume="E % H == 0"))
    E//H*(-H % 8) < 8
    """
    asked, free = _asked(shape, placements, new_shape, new_placements, mesh)
    spent = running(budget)
    query = _query(asked, assume, spent)
    try:
        return _conditions(asked, free, query, spent)
    except _OnlyForSome as error:
        reason = str(error)
    for more in _divisibilities(asked):
        with suppress(NotSupported, InputError):
            _conditions(asked, free, _query(asked, (*query.assumed, *more), spent), spent)
            raise Undecided(f'{reason}: add --assume "{joined(more)}"', ended=False)
    text = "write both shapes in the same names, and sizes as multiples of the pieces, as 4*n for n"
    raise Undecided(f"{reason}: {text}", ended=False)


class _OnlyForSome(NotSupported):
    """What the answer is about holds only for some values of the names."""


def _query(asked: Placed, assume: Any, spent: Budget) -> Query:
    return query_about((View(asked.shape),), assume, spent, (*asked.new_shape, *asked.mesh))


def _divisibilities(asked: Placed) -> Iterator[list[Term]]:
    """Assumptions that may decide a question: that quotients are whole, and that ranks divide what they shard."""
    whole = [quotient.is_whole() for quotient in _quotients(asked)]
    pairs = [(asked.shape[p.dim], m) for p, m in zip(asked.old, asked.mesh, strict=True) if p.dim is not None]
    even = [Term("==", (term_of(n % m), num(0))) for n, m in pairs if not is_number(n % m)]
    for more in (whole, [*whole, *even[:1]], [*whole, *even]):
        if more:
            yield list(dict.fromkeys(more))


def _conditions(asked: Placed, free: bool, query: Query, spent: Budget) -> Conditions[tuple[str, ...]]:
    if set(query.facts.empty) & set(asked.mesh):
        raise InputError(f"a mesh of {asked.mesh_text()} ranks: each axis has 1 rank or more")
    if all(map(is_number, asked.entries())):
        return _of_numbers(asked, free, query, spent)
    if sum(p.dim is not None for p in asked.old) > 2:
        raise NotSupported(f"{asked.head()['sharding']}: more than two mesh axes shard, with names")
    clauses, chosen = _solved(asked, free, query, spent)
    return _answer(replace(asked, chosen=chosen), clauses, query, spent)


def _solved(asked: Placed, free: bool, query: Query, spent: Budget) -> tuple[Sequence[Term], tuple[Placement, ...]]:
    """The clauses, and the placements that they are about."""
    known, found = Entailment(query.facts.formulas, spent), list[tuple[list[Term], tuple[Placement, ...]]]()
    if prod(asked.shape) != prod(asked.new_shape):
        return _with_whole_quotient(asked, free, query, known, spent)
    reason: NotSupported | None = None
    start = [_Part(asked.shape, asked.new_shape)]
    if free and _is_empty(asked):
        free, asked = False, replace(asked, chosen=tuple([p if p.dim is None else Placement(0) for p in asked.old]))
    for chosen in _choices(asked, start[0], (), known) if free else [asked.chosen]:
        try:
            found.append((_clauses(replace(asked, chosen=chosen), start, query, known), chosen))
        except NotSupported as error:
            reason = error
    if not found:
        raise reason or NotSupported(f"{asked}: no placement was found for all values")
    return min(found, key=lambda one: (FALSE in one[0], len(one[0]), preferred(one[1])))


class _Quotient(NamedTuple):
    """A quotient a//b in a size, where a is a name."""

    term: Term

    def is_whole(self) -> Term:
        """The formula that the division leaves no remainder."""
        return Term("==", (Term("%", self.term.args), num(0)))


def _quotients(asked: Placed) -> list[_Quotient]:
    every = [part for n in (*asked.shape, *asked.new_shape) for part in walk(term_of(n)) if part.op == "//"]
    return [_Quotient(t) for t in dict.fromkeys(every) if t.args[0].op == "sym" and t.args[0] not in walk(t.args[1])]


def _with_whole_quotient(
    asked: Placed, free: bool, query: Query, known: Entailment, spent: Budget
) -> tuple[Sequence[Term], tuple[Placement, ...]]:
    """The answer where sizes agree only since b divides a in some a//b: it is that of a = b·q, with a name for q."""
    both = f"{tuple_text(asked.shape)} and {tuple_text(asked.new_shape)}"
    quotients = _quotients(asked)
    if not quotients:
        raise NotSupported(f"the sizes {both} do not agree for all values: write both in the same names")
    (term,) = found = quotients[0]
    if not known.implies(found.is_whole()):
        raise _OnlyForSome(f"the sizes {both} do not agree for all values")
    name = fresh("q", query.symbols)
    whole = {term.args[0].args[0]: Term("*", (term.args[1], sym(name)))}

    def inner(x: Term) -> Term:
        return substituted(replaced(x, term, sym(name)), whole)

    def outer(x: Term) -> Term:
        return substituted(x, {name: term})

    of_names = asked.mapped(inner)
    clauses, chosen = _solved(of_names, free, _query(of_names, list(map(inner, query.assumed)), spent), spent)
    return list(map(outer, clauses)), replace(of_names, chosen=chosen).mapped(outer).chosen


def _asked(shape: Any, placements: Any, new_shape: Any, new_placements: Any, mesh: Any) -> tuple[Placed, bool]:
    """The question, and whether new placements are still to be found."""
    view, counts = View(shape), read_mesh(mesh)
    sizes = _agreeing(view, sizes_for(new_shape, view))
    old = read_placements(placements, view.rank, len(counts))
    new = old if new_placements is None else read_placements(new_placements, len(sizes), len(counts))
    for one, other in zip(old, new, strict=True):
        if one.kept != other.kept and "P" in one.kept + other.kept:
            raise InputError(f"{one} becomes {other}: a partial sum stays one, as any reduction does")
    return Placed(view.shape, old, sizes, new, counts), new_placements is None


def _agreeing(view: View, sizes: Sizes) -> Sizes:
    """The new sizes, with -1 replaced."""
    if all(map(is_number, (*view.shape, *sizes))):
        return target_shape(view, sizes)
    have, rest = prod(view.shape), prod([n for n in sizes if n != -1])
    missing, left = divmod_of(have, rest) if -1 in sizes and rest != 0 else (-1, 0)
    if left != 0:
        text = f"{tuple_text(sizes)}: -1 is an integer only for some values: write it, such as E//H"
        raise Undecided(text, ended=False)
    return tuple([missing if n == -1 else n for n in sizes])


def _of_numbers(asked: Placed, free: bool, query: Query, budget: Budget) -> Conditions[tuple[str, ...]]:
    shape: Any = asked.shape
    new_shape: Any = asked.new_shape
    mesh: Any = asked.mesh
    if free:
        found = found_placements(shape, asked.old, new_shape, mesh, budget)
        texts = found.placements if isinstance(found, NoPlacement) else found
        asked = replace(asked, chosen=read_placements(texts, len(new_shape), len(texts)))
    fault = first_difference(shape, asked.old, new_shape, asked.chosen, mesh, budget)
    return _answer(asked, [] if fault is None else [FALSE], query, budget)


def _answer(asked: Placed, clauses: Sequence[Term], query: Query, budget: Budget) -> Conditions[tuple[str, ...]]:
    data: ConditionsData = extents(query).exact(clauses, _EXACT, _NEVER)
    return Conditions(asked, data, budget.plain())


# With names


class _Part(NamedTuple):
    """The shapes of some ranks' parts; `absent`: when there is no such rank."""

    old: Sizes
    new: Sizes
    absent: Term = FALSE


class _Pieces(NamedTuple):
    """Pieces of equal size, and the positions of later dims for each of theirs; `of_dim` pieces are one dim."""

    many: Integer
    size: Integer
    block: Integer
    of_dim: Integer


def _pieces(sizes: Sizes, placement: Placement) -> _Pieces:
    dim, pieces = placement.dim or 0, placement.pieces
    if is_number(sizes[dim]) and is_number(pieces):
        pieces = -(-sizes[dim] // -(-sizes[dim] // pieces))  # of ceil(size / pieces) positions, and a shorter one
    size, left = divmod_of(sizes[dim], pieces)
    if left != 0:
        raise _OnlyForSome(
            f"{placement} of a dim of size {to_text(sizes[dim])}: its pieces are not equal for all values"
        )
    return _Pieces(pieces * prod(sizes[:dim]), size, prod(sizes[dim + 1 :]), pieces)


def _is_empty(asked: Placed) -> bool:
    return any(is_number(n) and n == 0 for n in asked.shape)


def _clauses(asked: Placed, parts: Sequence[_Part], query: Query, known: Entailment) -> list[Term]:
    """The clauses of all mesh axes that are not always true."""
    found = list[Term]()
    if _is_empty(asked):
        return found
    for axis, (old, new, count) in enumerate(zip(asked.old, asked.chosen, asked.mesh, strict=True)):
        found += [_clause(part, old, new, count, query, known) for part in parts]
        if any(p.dim is not None for p in (*asked.old[axis + 1 :], *asked.chosen[axis + 1 :])):
            parts = [after for part in parts for after in _after(part, old, new, count, known)]
    left = list[Term]()
    for clause in dict.fromkeys(found):
        if not known.implies(clause):
            left.append(clause)
            known = known.also(clause)
    return [FALSE] if known.impossible() else left


def _clause(part: _Part, old: Placement, new: Placement, count: Integer, query: Query, known: Entailment) -> Term:
    """That the ranks of one axis have the same elements of a part; `_same_padding` also holds for one without any."""

    def equal(x: Integer, y: Integer) -> Term:
        return disj(query.algebra.zero(query.algebra.poly(x - y)))

    alone = equal(count, 1)
    if old.dim is None or new.dim is None:
        return TRUE if old.dim == new.dim else alone
    here, there = _pieces(part.old, old), _pieces(part.new, new)
    if here.many == there.many:
        return _same_padding(here, there, count, query, known)
    same = conj((equal(here.many, there.many), _same_padding(here, there, count, query, known)))
    first = conj((equal(here.size, 1), equal(there.size, 1)))
    return disj((part.absent, alone, same, *([] if known.impossible(first, Term("not", (same,))) else [first])))


def _same_padding(here: _Pieces, there: _Pieces, count: Integer, query: Query, known: Entailment) -> Term:
    """That the elements missing to equal parts are as many, for as many pieces."""
    algebra, m = query.algebra, term_of(count)
    size, factor = _ratio(here, there)
    if factor is None:
        return Term("==", tuple([term_of(-p.size % count * p.block) for p in (here, there)]))
    padding = -size % count
    if factor == 1 or padding == 0:
        return TRUE
    if known.implies(Term(">=", (term_of(factor), m))):
        return algebra.divides(algebra.poly(count), algebra.poly(size))
    if is_number(padding):
        return algebra.below(algebra.poly(padding * factor), algebra.poly(count))
    return Term("<", (term_of(padding * factor), m))


def _ratio(here: _Pieces, there: _Pieces) -> tuple[Integer, Integer | None]:
    """The smaller size of a piece, and how often the larger one has it; None if neither divides the other."""
    for one, other in ((here, there), (there, here)):
        factor, left = divmod_of(one.block, other.block)
        if left == 0:
            return one.size, factor
    return here.size, None


def _after(part: _Part, old: Placement, new: Placement, count: Integer, known: Entailment) -> Iterator[_Part]:
    """The parts of the ranks of one axis where the placements agree: those with full chunks, and the last one."""
    if old.dim is None and new.dim is None:
        yield part
        return
    if old.dim is None or new.dim is None:
        raise NotSupported(f"{old} becomes {new} before another axis that shards, with names")
    here, there = _pieces(part.old, old), _pieces(part.new, new)
    size, factor = _ratio(here, there)
    if here.many != there.many or factor is None:
        raise _OnlyForSome(f"{old} becomes {new} before another axis that shards, only for some values")
    chunk = (size + count - 1) // count
    for n in (chunk, size % chunk):
        absent = Term("==", (term_of(n), num(0)))
        if not known.implies(absent):
            sides = [(part.old, old, here), (part.new, new, there)]
            shapes = [_with_size(s, p, c.of_dim * (n if c.size == size else n * factor)) for s, p, c in sides]
            yield _Part(shapes[0], shapes[1], FALSE if n is chunk else disj((part.absent, absent)))


def _with_size(sizes: Sizes, placement: Placement, size: Integer) -> Sizes:
    dim = placement.dim or 0
    return (*sizes[:dim], size, *sizes[dim + 1 :])


def _choices(asked: Placed, part: _Part, chosen: tuple[Placement, ...], known: Entailment) -> Iterator[Any]:
    """The placements of the new shape in as many pieces as before, on the first ranks."""
    if len(chosen) == len(asked.mesh):
        yield chosen
        return
    old, count = asked.old[len(chosen)], asked.mesh[len(chosen)]
    if old.dim is None:
        yield from _choices(asked, part, (*chosen, old), known)
        return
    here, last = _pieces(part.old, old), len(chosen) + 1 == len(asked.mesh)
    for dim, size in enumerate(part.new):
        pieces, left = divmod_of(here.many, prod(part.new[:dim]))
        found = [Placement(dim, pieces)] if left == 0 else []
        for new in [*found, *([Placement(dim, size)] if here.size == 1 else [])]:
            with suppress(NotSupported):
                after = part if last else next(_after(part, old, new, count, known))
                yield from _choices(asked, after, (*chosen, new), known)


@dataclass(frozen=True, slots=True)
class Placed(Question[tuple[str, ...]]):
    """The question whether a reshape of a sharded tensor has these placements."""

    shape: Sizes
    old: tuple[Placement, ...]
    new_shape: Sizes
    chosen: tuple[Placement, ...]
    mesh: Sizes

    @property
    def new(self) -> tuple[str, ...]:
        """The placements of the new shape."""
        return tuple(map(str, self.chosen))

    @property
    def yes(self) -> str:
        """The statement that the conditions decide."""
        return "the placements agree"

    def __str__(self) -> str:
        whole = f"{', '.join(map(str, self.old))} of {tuple_text(self.shape)} over {self.mesh_text()} ranks"
        return f"{whole} is {', '.join(self.new)} of {tuple_text(self.new_shape)}"

    def mesh_text(self) -> str:
        """The ranks of the mesh: `2 x 2`."""
        return " x ".join(map(to_text, self.mesh))

    def put(self, values: Mapping[str, int]) -> Placed:
        """The question after substituting numbers."""
        return self._each(lambda n: n if isinstance(n, int) else n.put(values))

    def mapped(self, change: Callable[[Term], Term]) -> Placed:
        """The question after a change of its sizes, as terms."""
        return self._each(lambda n: of_term(change(term_of(n))))

    def _each(self, change: Callable[[Integer], Integer]) -> Placed:
        def put(sizes: Iterable[Integer]) -> Sizes:
            return tuple(map(change, sizes))

        def cut(placements: tuple[Placement, ...]) -> tuple[Placement, ...]:
            return tuple([p._replace(pieces=change(p.pieces)) for p in placements])

        return Placed(put(self.shape), cut(self.old), put(self.new_shape), cut(self.chosen), put(self.mesh))

    def entries(self) -> Iterable[Any]:
        """All sizes, and the numbers of pieces and ranks."""
        return (*self.sizes(), *(p.pieces for p in (*self.old, *self.chosen)))

    def sizes(self) -> Iterable[Any]:
        """The sizes, and the ranks."""
        return (*self.shape, *self.new_shape, *self.mesh)

    def at(self, values: Mapping[str, int], budget: Budget) -> tuple[str, ...] | Counterexample:
        """The placements of numbers, or the first rank and position at which they differ."""
        at: Any = self.put(values)
        fault = first_difference(at.shape, at.old, at.new_shape, at.chosen, at.mesh, budget)
        if fault is None:
            return at.new  # type: ignore[no-any-return]
        return Counterexample(Kind.DISAGREE, fault.rank, None, None, None, values=dict(values), reason=fault)

    def stated(self, case: CaseData, values: Mapping[str, int]) -> tuple[str, ...] | None:
        """The placements after substituting numbers."""
        return self.put(values).new if case.status is Status.ALWAYS else None

    def example_text(self, answer: tuple[str, ...] | None, broken: Counterexample | None) -> str:
        """The placements, or where they differ."""
        return str(self) if broken is None else f"{self}: no, {broken.reason}"

    def head(self) -> dict[str, Any]:
        """The shapes, placements and mesh, for JSON."""
        return {
            "shape": tuple_text(self.shape), "question": "placements", "sharding": [*map(str, self.old)],
            "new_shape": tuple_text(self.new_shape), "mesh": self.mesh_text(), "placements": [*self.new],
        }  # fmt: skip
