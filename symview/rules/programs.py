"""Programs: a tensor of any contents and the movement operations done to it; two of them make a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import index as as_index
from typing import Any, Literal, NamedTuple, NoReturn

from symview.answers import AmbiguousTruth
from symview.errors import InputError, NotationError, NotSupported
from symview.logic.notation import NAME, parse_expression, parse_statement, term_text
from symview.logic.polynomial import ONE, Poly, as_term, plus, poly_of, quotient, times
from symview.logic.sympy_bridge import as_integer, domain, free_symbols, from_entry, to_term
from symview.logic.terms import Term, names, num, substituted, sym, value_of
from symview.rules.program_notation import read_calls, split_entries, split_sides
from symview.view import View

MORE = "..."  # the block of further dims, and the name of their number of elements
_SPELLED = "ǃǃǃ"  # that name, while an expression is read
Pair = tuple[Term, Term]


class Step(NamedTuple):
    """One operation. `given` is its argument; `each` what it does to every dim of the block `...`, None for nothing.

    tensor: name; permute, flip: axes; shrink, pad: pairs; slice: triples (start, stop, step); expand, reshape: sizes;
    concat: (other, axis); read: (shape, strides, offset, mask).
    """

    op: str
    given: tuple[Any, ...]
    each: Any = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Program:
    """A tensor of any contents and what is done to it: `tensor` starts one, the operations of View continue it.

    `sizes` are those of the result, as terms, without the block `...`, whose dims have the size `block` each;
    `declared` is what sympy symbols were declared as. Entries are ints, names or other text, or sympy expressions.
    `program == program` is a Rule; programs are compared as programs by `key()`, and hashed so.

    >>> x = tensor("x", "(n,m)")
    >>> x.permute((1, 0)).reshape("n*m")
    Program.parse('x(n,m).permute(1,0).reshape(n*m)')
    >>> x.permute((1, 0)).shape
    (m, n)
    """

    step: Step
    before: Program | None
    sizes: tuple[Term, ...]
    block: Term | None
    declared: tuple[Term, ...] = ()

    @staticmethod
    def parse(text: str, declared: Any = ()) -> Program:
        """The program that the notation spells: `x(n,m).pad((1,1),(0,0)).reshape((n + 2)*m)`.

        Raises NotationError, with a caret under the place.
        """
        if not isinstance(text, str):
            raise InputError(f"Program.parse({text!r}): give text such as 'x(n,m).flip(0)'")
        return _built(text)._with_declared(_facts(declared))

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes of the result, as ints or sympy; it starts with Ellipsis where further dims stand."""
        more = () if self.block is None else (Ellipsis,)
        return (*more, *(from_entry(t.args[0] if t.op == "int" else t, {}) for t in self.sizes))

    @property
    def rank(self) -> int:
        """How many dims the result has, beside those of the block `...`."""
        return len(self.sizes)

    def permute(self, *axes: Any) -> Program:
        """The dims in another order: dim n of the result is dim axes[n] of this one."""
        order = self._axes(_without_more(_listed(axes)), "permute")
        if sorted(a % max(self.rank, 1) for a in order) != list(range(self.rank)):
            raise InputError(f"permute{_shown(order)}: give each of the {self.rank} axes once")
        return self._after(Step("permute", order), tuple(self.sizes[a] for a in order))

    def flip(self, *axes: Any) -> Program:
        """The given axes run backwards; the axis `...` is every dim of the block."""
        chosen = _listed(axes)
        block = any(_is_more(a) for a in chosen)
        if block and self.block is None:
            raise InputError(f"flip{_shown(chosen)}: the shape has no further dims `...`")
        order = self._axes([a for a in chosen if not _is_more(a)], "flip")
        return self._after(Step("flip", tuple(dict.fromkeys(order)), block or None), self.sizes)

    def shrink(self, *limits: Any) -> Program:
        """Per dim, only the indices lo <= i < hi, counted from lo."""
        pairs, each, declared = self._tuples(limits, 2, "shrink")
        for axis, ((low, high), size) in enumerate(zip(pairs, self.sizes, strict=True)):
            _check_bounds(low, high, size, f"shrink {axis}")
        sizes = [_minus(high, low) for low, high in pairs]
        return self._after(Step("shrink", pairs, each), sizes, each and _minus(each[1], each[0]), declared)

    def pad(self, *widths: Any) -> Program:
        """Per dim, that many indices before and after, which show padding."""
        pairs, each, declared = self._tuples(widths, 2, "pad")
        for axis, width in ((a, w) for a, pair in enumerate(pairs) for w in pair):
            if width.op == "int" and width.args[0] < 0:
                raise InputError(f"pad of axis {axis} by {term_text(width)}: give widths from 0 up")
        sizes = [_sum(before, size, after) for (before, after), size in zip(pairs, self.sizes, strict=True)]
        block = each and _sum(each[0], self._block(), each[1])
        return self._after(Step("pad", pairs, each), sizes, block, declared)

    def slice(self, starts: Any, stops: Any, steps: Any = None) -> Program:
        """Per dim, the indices start, start + step, … below stop; 0 <= start <= stop <= size, step >= 1."""
        starts, stops = _sequence(starts), _sequence(stops)
        steps = [MORE + "1" if _is_each(a) else 1 for a in starts] if steps is None else _sequence(steps)
        if not len(starts) == len(stops) == len(steps):
            raise InputError(
                f"slice of {len(starts)} starts, {len(stops)} stops, {len(steps)} steps: give each dim its own"
            )
        triples, each, declared = self._tuples([list(zip(starts, stops, steps, strict=True))], 3, "slice")
        for axis, ((low, high, step), size) in enumerate(zip(triples, self.sizes, strict=True)):
            _check_bounds(low, high, size, f"slice {axis}")
            if step.op == "int" and step.args[0] < 1:
                raise InputError(f"slice {axis} has step {term_text(step)}: give steps from 1 up")
        sizes = [_steps(*t) for t in triples]
        return self._after(Step("slice", triples, each), sizes, each and _steps(*each), declared)

    def expand(self, *shape: Any) -> Program:
        """Dims of size 1 repeated to the given sizes; the others as they are."""
        sizes, each, declared = self._sizes(shape, "expand")
        if len(sizes) != self.rank:
            raise InputError(f"expand to {_shape(sizes)}: the program has the {self.rank} dims {_shape(self.sizes)}")
        for axis, (old, new) in enumerate(zip(self.sizes, sizes, strict=True)):
            _check_expands(old, new, f"axis {axis}")
        if each is not None:
            _check_expands(self._block(), each, "the dims `...`")
        return self._after(Step("expand", sizes, each), sizes, each, declared)

    def reshape(self, *shape: Any) -> Program:
        """The same elements in row-major order as another shape; one new size may be -1.

        A shape that starts with `...` leaves these dims as they are; in a size, `...` is their number of elements:
        `x(...,n).reshape(...*n)` merges them all.
        """
        sizes, each, declared = self._sizes(shape, "reshape", kept=True)
        sizes = self._completed(sizes, each)
        whole = self._whole(self.sizes, each is None), self._whole(sizes, False)
        if MORE in names(*sizes) and (each is not None or self.block is None):
            raise InputError(f"reshape to {_shape(sizes)}: `...` in a size stands for dims that are merged here")
        if not names(*whole) and value_of(whole[0], {}) != value_of(whole[1], {}):
            raise InputError(f"reshape {_shape(self.sizes)} to {_shape(sizes)}: the numbers of elements differ")
        step = Step("reshape", sizes, each)
        return Program(step, self, tuple(map(_tidy, sizes)), each, _together(self.declared, declared))

    def concat(self, other: Program, axis: Any) -> Program:
        """First this, then the other program, along an axis; the other dims are of the same sizes."""
        if not isinstance(other, Program):
            raise InputError(f"concat with {other!r}: give a program, such as tensor('y', '(k,m)')")
        if other.rank != self.rank or (other.block is None) != (self.block is None):
            raise InputError(f"concat of {self._shape_text()} and {other._shape_text()}: give the same number of dims")
        (at,) = self._axes([axis], "concat")
        for n, (a, b) in enumerate(zip(self.sizes, other.sizes, strict=True)):
            if n != at % self.rank and a.op == b.op == "int" and a != b:
                raise InputError(f"concat of {_shape(self.sizes)} and {_shape(other.sizes)}: dim {n} differs")
        sizes = list(self.sizes)
        sizes[at] = _sum(sizes[at], other.sizes[at])
        return self._after(Step("concat", (other, at)), sizes, None, other.declared)

    def read(self, view: View | str) -> Program:
        """The elements in row-major order, read through a View whose entries may be symbolic; masked is padding."""
        view = View.parse(view) if isinstance(view, str) else view
        if not isinstance(view, View):
            raise InputError(f"read({view!r}): give a View, or text such as '(a,b):(b,1)+o'")
        if self.block is not None:
            raise NotSupported("read of a tensor with further dims `...`: merge them by a reshape first")
        shape, strides, (offset,) = (tuple(map(to_term, x)) for x in (view.shape, view.strides, (view.offset,)))
        mask = (
            view.mask if view.mask in (None, "empty") else tuple(tuple(map(to_term, pair)) for pair in view.mask or ())
        )
        declared = tuple(f for s in view.symbols().values() for f in domain(s))
        return self._after(Step("read", (shape, strides, offset, mask)), shape, None, declared)

    # What it is

    def __eq__(self, other: object) -> Any:
        return Rule(self, other) if isinstance(other, Program) else NotImplemented

    def __ne__(self, other: object) -> NoReturn:
        raise AmbiguousTruth("programs are compared by ==, which makes a Rule: prove(left == right)")

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> tuple[str, tuple[str, ...]]:
        """What was written: equal keys are equal programs."""
        return str(self), tuple(map(term_text, self.declared))

    def __bool__(self) -> Literal[True]:
        return True

    def __str__(self) -> str:
        return ".".join(_step_text(p) for p in self.chain())

    def __repr__(self) -> str:
        declared = f", {[term_text(f) for f in self.declared]!r}" if self.declared else ""
        return f"Program.parse({str(self)!r}{declared})"

    def chain(self) -> list[Program]:
        """The program after each of its operations, the tensor first."""
        found: list[Program] = []
        at: Program | None = self
        while at is not None:
            found.append(at)
            at = at.before
        return found[::-1]

    def parts(self) -> Iterator[Program]:
        """The program after each operation, those of concatenated programs among them; each before what uses it."""
        for program in self.chain():
            if program.step.op == "concat":
                yield from program.step.given[0].parts()
            yield program

    # Reading arguments

    def _after(
        self, step: Step, sizes: Sequence[Term], block: Term | None = None, declared: Sequence[Term] = ()
    ) -> Program:
        """The program after one more step; the block keeps its size unless told."""
        kept = self.block if block is None else _tidy(block)
        return Program(step, self, tuple(map(_tidy, sizes)), kept, _together(self.declared, declared))

    def _with_declared(self, facts: Sequence[Term]) -> Program:
        return Program(self.step, self.before, self.sizes, self.block, _together(self.declared, facts))

    def _block(self, merged: bool = False) -> Term:
        """The size of each dim of the block; of the block that was merged, where asked for."""
        found = [p.block for p in (self.chain() if merged else [self]) if p.block is not None]
        if not found:
            raise InputError("an entry for `...`, and the shape has no further dims `...`")
        return found[-1]

    def _axes(self, axes: Sequence[Any], what: str) -> tuple[int, ...]:
        """The axes from 0; with `...` in the shape from -1 down, the last dim first."""
        return tuple(self._axis(a, what) for a in axes)

    def _axis(self, axis: Any, what: str) -> int:
        try:
            found = int(axis) if isinstance(axis, str) else as_index(axis)
        except (TypeError, ValueError):
            raise InputError(f"{what}: axis {axis!r} is no number") from None
        low, high = (-self.rank, -1) if self.block is not None else (-self.rank, self.rank - 1)
        if isinstance(axis, bool) or not low <= found <= high:
            allowed = f"axes {low}..{high}" if self.block is not None else f"axes 0..{high}"
            counted = " (they are counted from the right, since `...` stands for any number of dims)" * (
                self.block is not None
            )
            raise InputError(f"{what}: axis {axis!r}: the program has {allowed if self.rank else 'no axes'}{counted}")
        return found if self.block is not None else found % self.rank

    def _tuples(self, given: Any, width: int, what: str) -> tuple[tuple[Any, ...], Any, tuple[Term, ...]]:
        """One tuple of entries a dim, and one for each dim of the block, where something is done to it."""
        rows = list(given[0]) if len(given) == 1 and _is_rows(given[0]) else list(given)
        if rows and not _is_rows(rows):
            rows = [rows]
        rows = [tuple(r) if _is_row(r) else (r,) for r in rows]
        first = rows[0] if rows else ()
        each: Any = None
        declared: list[Term] = []
        if first and all(map(_is_each, first)):
            self._block()
            rows = rows[1:]
            if len(first) == width and not any(map(_is_more, first[:2])):
                each = tuple(_entry(_own(e), declared) for e in first)
            elif len(first) not in (1, width) or not all(map(_is_more, first[:2])):
                raise InputError(f"{what}: {_shown(first)}: write `...` alone, or an entry such as ...a for each place")
        if len(rows) != self.rank or any(len(r) != width for r in rows):
            kind = "pair" if width == 2 else "start, stop and step"
            raise InputError(f"{what}{_shown(given)}: give one {kind} for each of the {self.rank} dims")
        return tuple(tuple(_entry(e, declared) for e in r) for r in rows), each, tuple(declared)

    def _sizes(
        self, shape: Sequence[Any], what: str, kept: bool = False
    ) -> tuple[tuple[Term, ...], Term | None, tuple[Term, ...]]:
        """The new sizes, and what the dims of the block become."""
        entries, declared = _entries(shape), list[Term]()
        block = None
        if entries and _is_each(entries[0]) and not _is_factor(entries[0]):
            own = self._block(merged=kept)
            block = own if _is_more(entries[0]) else _entry(_own(entries[0]), declared)
            if kept and _text(block) != _text(own):
                raise InputError(f"{what}: the dims `...` stay as they are, or come back as they were")
            entries = entries[1:]
        elif self.block is not None and not kept:
            raise InputError(f"{what}: begin the shape with `...`, as that of the program does")
        sizes = tuple(_entry(e, declared) for e in entries)
        if (negative := next((s for s in sizes if s.op == "int" and s.args[0] < -1 * kept), None)) is not None:
            raise InputError(f"{what} to {_shape(sizes)}: {term_text(negative)} is no size")
        return sizes, block, tuple(declared)

    def _whole(self, sizes: Sequence[Term], with_block: bool) -> Term:
        """The number of elements."""
        more = (sym(MORE),) if with_block and self.block is not None else ()
        return Term("*", (num(1), *more, *sizes))

    def _completed(self, sizes: tuple[Term, ...], each: Term | None) -> tuple[Term, ...]:
        """The sizes with a number of elements in place of -1."""
        open_ = [n for n, s in enumerate(sizes) if s == num(-1)]
        if not open_:
            return sizes
        if len(open_) > 1:
            raise InputError(f"reshape to {_shape(sizes)}: one size may be -1")
        opaque: dict[str, Term] = {}
        rest = poly_of(self._whole([s for s in sizes if s != num(-1)], False), opaque)
        whole = poly_of(self._whole(self.sizes, each is None), opaque)
        found = quotient(whole, rest) if rest else {}
        if not rest or plus(whole, times(found, rest), -1):
            raise InputError(
                f"reshape {_shape(self.sizes)} to {_shape(sizes)}: what -1 is does not come out whole; write it"
            )
        return tuple(as_term(found, opaque) if n in open_ else s for n, s in enumerate(sizes))

    def _shape_text(self) -> str:
        return _shape((*([] if self.block is None else [sym(MORE)]), *self.sizes))


def tensor(name: str, shape: Any) -> Program:
    """A tensor of any contents: its name, and its shape as text or as a sequence of entries.

    A shape may begin with `...`: any number of further dims of any sizes. Then axes are counted from the right, from -1
    down. `...s` names the size of each further dim, and an entry `...a` is about each of them, with an a of its own:
    `pad((...a,...b),(0,1))`. A name that is a size, or a factor of one, is at least 1, unless n >= 0 is assumed of it.
    Raises InputError for entries that are no integers.

    >>> tensor("x", ("n", 3)).pad((("a", "b"), (0, 1)))
    Program.parse('x(n,3).pad((a,b),(0,1))')
    >>> tensor("x", "(...,n)").flip(-1).shape
    (Ellipsis, n)
    """
    if not isinstance(name, str) or NAME.fullmatch(name) is None:
        raise InputError(f"tensor({name!r}, …): a name has letters and digits and no dots")
    entries, declared, block = _entries([shape]), list[Term](), None
    if entries and _is_each(entries[0]):
        if _is_factor(entries[0]):
            raise InputError(
                f"tensor({name!r}, {shape!r}): a shape begins with `...`, or `...s` with the name of a size"
            )
        block = sym(MORE) if _is_more(entries[0]) else _entry(_own(entries[0]), declared)
        entries = entries[1:]
    sizes = tuple(_entry(e, declared) for e in entries)
    for axis, size in enumerate(sizes):
        if size.op == "int" and size.args[0] < 0:
            raise InputError(f"size {axis} of {name} is {size.args[0]}: sizes are 0 or more")
    if MORE in names(*sizes):
        raise InputError(f"tensor({name!r}, {shape!r}): `...` stands at the front of a shape, once")
    return Program(Step("tensor", (name,)), None, sizes, block, tuple(dict.fromkeys(declared)))


@dataclass(frozen=True, slots=True)
class Rule:
    """The claim that two programs have the same shape and, at every index, the same element or both padding.

    `prove` settles it, for all sizes at which the left side is defined. Raises InputError for sides of different ranks.

    >>> rule = Rule.parse("x(n,m).permute(1,0).permute(1,0) == x(n,m)")
    >>> rule == (rule.left == rule.right)
    True
    """

    left: Program
    right: Program

    def __post_init__(self) -> None:
        for side in (self.left, self.right):
            if not isinstance(side, Program):
                raise InputError(f"Rule: {side!r} is no program; start one by tensor('x', '(n,m)')")
        if self.left.rank != self.right.rank or (self.left.block is None) != (self.right.block is None):
            raise InputError(
                f"{self.left} == {self.right}: the sides have different ranks, "
                f"{self.left._shape_text()} and {self.right._shape_text()}"
            )

    @staticmethod
    def parse(text: str, declared: Any = ()) -> Rule:
        """The rule that the notation spells: `x(n,m).flip(0).flip(0) == x(n,m)`.

        Raises NotationError, with a caret under the place.
        """
        if not isinstance(text, str):
            raise InputError(f"Rule.parse({text!r}): give text such as 'x(n).flip(0).flip(0) == x(n)'")
        left, right = split_sides(text)
        return Rule(_built(left)._with_declared(_facts(declared)), _built(right))

    def __bool__(self) -> NoReturn:
        raise AmbiguousTruth(f"{self}: a rule is to be proved: prove(rule)")

    def __eq__(self, other: object) -> bool:
        return self.key() == other.key() if isinstance(other, Rule) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> tuple[Any, ...]:
        """What was written: equal keys are equal rules."""
        return str(self), tuple(map(term_text, self.declared()))

    def declared(self) -> tuple[Term, ...]:
        """What the sympy symbols of both sides were declared as."""
        return _together(self.left.declared, self.right.declared)

    def __str__(self) -> str:
        return f"{self.left} == {self.right}"

    def __repr__(self) -> str:
        declared = f", {[term_text(f) for f in self.declared()]!r}" if self.declared() else ""
        return f"Rule.parse({str(self)!r}{declared})"


# Entries


def _entry(value: Any, declared: list[Term]) -> Term:
    """The entry as a term; what its sympy symbols were declared as is noted."""
    if isinstance(value, Term):
        return value
    if isinstance(value, str):
        return substituted(parse_expression(value.replace(MORE, _SPELLED)), {_SPELLED: sym(MORE)})
    found = as_integer(value, "an entry")
    if type(found) is int:
        return num(found)
    declared += [f for s in free_symbols([found]).values() for f in domain(s)]
    return to_term(found)


def _entries(given: Sequence[Any]) -> list[Any]:
    """The entries of a shape, given one by one, as one sequence or as one text."""
    found = list(given)
    if len(found) == 1 and isinstance(found[0], str):
        return list(split_entries(found[0]))
    if len(found) == 1 and isinstance(found[0], Iterable) and not isinstance(found[0], Term):
        return list(found[0])
    return found


def _listed(given: Sequence[Any]) -> list[Any]:
    """Axes, given one by one or as one sequence."""
    return list(given[0]) if len(given) == 1 and isinstance(given[0], (list, tuple, range, set)) else list(given)


def _sequence(given: Any) -> list[Any]:
    return list(given) if isinstance(given, (list, tuple, range)) and not isinstance(given, Term) else [given]


def _is_row(given: Any) -> bool:
    return isinstance(given, (list, tuple)) and not isinstance(given, Term)


def _is_rows(given: Any) -> bool:
    """Whether it is the sequence of all rows, rather than the row of the only dim."""
    return _is_row(given) and (not given or any(map(_is_row, given)))


def _is_more(entry: Any) -> bool:
    return entry is Ellipsis or (isinstance(entry, str) and entry.strip() == MORE)


def _is_each(entry: Any) -> bool:
    """Whether the entry is about each dim of the block."""
    return entry is Ellipsis or (isinstance(entry, str) and entry.strip().startswith(MORE))


def _is_factor(entry: Any) -> bool:
    """Whether `...` stands in the entry for a number of elements, as in `...*n`."""
    return (
        isinstance(entry, str) and entry.strip().startswith(MORE) and entry.strip()[3:].lstrip()[:1] in ("*", "+", "/")
    )


def _own(entry: str) -> str:
    return entry.strip().removeprefix(MORE)


def _without_more(axes: list[Any]) -> list[Any]:
    return axes[1:] if axes and _is_more(axes[0]) else axes


def _together(a: Sequence[Term], b: Sequence[Term]) -> tuple[Term, ...]:
    return tuple(dict.fromkeys((*a, *b)))


def _tidy(term: Term) -> Term:
    """Sums and products multiplied out, those within a division as well; monomials in one order."""
    if term.op in ("int", "sym"):
        return term
    term = Term(term.op, tuple(map(_tidy, term.args)))
    opaque: dict[str, Term] = {}
    p = poly_of(term, opaque)
    return as_term(dict(sorted(p.items(), key=lambda item: (-len(item[0]), item[0]))), opaque)


def _sum(*parts: Term) -> Term:
    return _tidy(Term("+", parts))


def _minus(a: Term, b: Term) -> Term:
    return _tidy(Term("-", (a, b)))


def _text(term: Term) -> str:
    return term_text(_tidy(term))


def _steps(low: Term, high: Term, step: Term) -> Term:
    """How many steps fit: ceil((high − low) / step), as one quotient of polynomials, or none."""
    opaque: dict[str, Term] = {}
    top, bottom = plus(poly_of(high, opaque), poly_of(low, opaque), -1), poly_of(step, opaque)
    if bottom == {ONE: 1}:
        return as_term(top, opaque)
    if not bottom:
        return num(0)  # a step of 0 is not defined, and refused or excluded elsewhere
    whole = quotient(top, bottom)
    rest = plus(plus(top, times(whole, bottom), -1), plus(bottom, {ONE: 1}, -1))
    return as_term(plus(whole, _quotient(rest, bottom, opaque)), opaque)


def _quotient(top: Poly, bottom: Poly, opaque: dict[str, Term]) -> Poly:
    """The floor of top/bottom for a bottom from 1: (x//v + w)//b is (x + w*v)//(v*b), for v and b from 1."""
    if not top:
        return {}
    if all(m == ONE for m in (*top, *bottom)):
        found = top.get(ONE, 0) // bottom[ONE]
        return {ONE: found} if found else {}
    inner = [m[0] for m, c in top.items() if c == 1 and len(m) == 1 and m[0] in opaque and opaque[m[0]].op == "//"]
    if len(inner) == 1 and bottom:
        x, v = (poly_of(a, opaque) for a in opaque[inner[0]].args)
        rest = plus(top, {(inner[0],): 1}, -1)
        top, bottom = plus(x, times(rest, v)), times(v, bottom)
    return poly_of(Term("//", (_tidy(as_term(top, opaque)), _tidy(as_term(bottom, opaque)))), opaque)


def _check_bounds(low: Term, high: Term, size: Term, what: str) -> None:
    ordered = (num(0), low, high, size)
    for a, b in pairwise(t for t in ordered if t.op == "int"):
        if a.args[0] > b.args[0]:
            raise InputError(
                f"{what} is [{term_text(low)}:{term_text(high)}]: it needs 0 <= lo <= hi <= {term_text(size)}, "
                "the size of that dim"
            )


def _check_expands(old: Term, new: Term, which: str) -> None:
    if _text(old) != _text(new) and _tidy(old) != num(1):
        raise InputError(f"expand {which} from {term_text(old)} to {term_text(new)}: only a size of 1 expands")


def _shape(sizes: Iterable[Term]) -> str:
    return f"({','.join(map(term_text, sizes))})"


def _shown(values: Iterable[Any]) -> str:
    return f"({', '.join(map(str, values))})"


# Text


_OPERATIONS = ("permute", "flip", "shrink", "pad", "slice", "expand", "reshape", "concat", "read")


def _built(text: str) -> Program:
    """The program that the text spells; every error points at the operation that it is about."""
    first, *rest = read_calls(text)
    try:
        program = tensor(first.name, first.given)
    except InputError as error:
        raise _placed(error, text, first.at) from None
    for call in rest:
        if call.name not in _OPERATIONS:
            raise NotationError(f"no operation {call.name!r}: give one of {', '.join(_OPERATIONS)}", text, call.at)
        try:
            given = call.given
            if call.name == "concat" and len(given) == 2 and isinstance(given[0], str):
                program = program.concat(_built(given[0]), given[1])
            else:
                program = getattr(program, call.name)(*given)
        except TypeError:
            raise NotationError(f"{call.name} does not take {len(call.given)} arguments", text, call.at) from None
        except InputError as error:
            raise _placed(error, text, call.at) from None
    return program


def _placed(error: InputError, text: str, at: int) -> NotationError:
    if isinstance(error, NotationError):
        return NotationError(f"{error.message} in {error.text.strip()!r}", text, at)
    return NotationError(str(error), text, at)


def _facts(declared: Any) -> tuple[Term, ...]:
    texts = [declared] if isinstance(declared, str) else list(declared)
    return tuple(parse_statement(t) if isinstance(t, str) else t for t in texts)


def _step_text(program: Program) -> str:
    """The step in the notation."""
    op, given, each = program.step
    if op == "tensor":
        more = [] if program.block is None else [_each_text(program.block)]
        return f"{given[0]}({','.join([*more, *map(term_text, program.sizes)])})"
    match op:
        case "permute" | "flip":
            parts = [*([MORE] if each else []), *map(str, given)]
        case "shrink" | "pad":
            block = [f"({_each_text(each[0])},{_each_text(each[1])})"] if each else []
            parts = [*block, *map(_shape, given)]
        case "slice":
            columns = [[*([_each_text(each[k])] if each else []), *(term_text(t[k]) for t in given)] for k in range(3)]
            parts = [f"({','.join(column)}{',' * (len(column) == 1)})" for column in columns]
        case "expand" | "reshape":
            block = [] if program.block is None else [_each_text(each) if op == "expand" else MORE]
            parts = [*block, *(_merged_text(t) for t in given)]
        case "concat":
            parts = [str(given[0]), str(given[1])]
        case _:
            parts = [_view_text(*given)]
    return f"{op}({','.join(parts)})"


def _each_text(entry: Term) -> str:
    return MORE if entry == sym(MORE) else f"{MORE}{term_text(entry)}"


def _merged_text(size: Term) -> str:
    """A size, with the number of elements of the block in front."""
    if MORE not in names(size) or size == sym(MORE):
        return f"{MORE}*1" if size == sym(MORE) else term_text(size)
    opaque: dict[str, Term] = {}
    rest = quotient(poly_of(size, opaque), {(MORE,): 1})
    return f"{MORE}*{term_text(as_term(rest, opaque)) if len(rest) == 1 else _shape([as_term(rest, opaque)])}"


def _view_text(shape: Any, strides: Any, offset: Term, mask: Any) -> str:
    text = f"{_shape(shape)}:{_shape(strides)}" + (f"+({term_text(offset)})" if offset != num(0) else "")
    if mask is None:
        return text
    return f"{text} [{'empty' if mask == 'empty' else ','.join(':'.join(map(term_text, pair)) for pair in mask)}]"
