"""Programs: a tensor with any contents, and movement operations on it; two programs make a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import EllipsisType
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias

from symview.answers import AmbiguousTruth
from symview.displayed import Displayed
from symview.errors import InputError, NotationError, NotSupported
from symview.logic.integer import Integer, of_term
from symview.logic.notation import NAME, parse_statement, term_text
from symview.logic.polynomial import as_term, expanded, quotient
from symview.logic.sympy_bridge import domain, to_term
from symview.logic.terms import Term, names, num, sym
from symview.rules.programs import words
from symview.rules.programs.entries import (
    MORE,
    Arguments,
    Entries,
    Entry,
    arguments_text,
    check_bounds,
    check_expands,
    count_of_steps,
    is_each,
    is_factor,
    is_more,
    own_part,
    read_entries,
    read_entry,
    tidy,
    together,
)
from symview.rules.programs.notation import SLICES, Call, nearest, read_calls, split_sides
from symview.view import View, as_view
from symview.view_notation import tuple_text

Facts: TypeAlias = str | Iterable[str | Term]
Mask: TypeAlias = Sequence[tuple[Term, Term]] | Literal["empty"] | None


class Step(NamedTuple):
    """One operation. `given` is its argument; `each` its argument for every dim of the block `...`, None for nothing.

    tensor: name; permute, flip: axes; shrink, pad: pairs; slice: triples (start, stop, step); expand, reshape: sizes;
    concat: (other, axis); read: (shape, strides, offset, mask); contiguous: nothing.
    """

    op: str
    given: tuple[Any, ...]
    each: Any = None


def step_text(step: Step, sizes: Sequence[Term], block: Term | None) -> str:
    """The step in the notation."""
    op, given, each = step
    if op == "tensor":
        more = [] if block is None else [_each_text(block)]
        return f"{given[0]}({','.join([*more, *map(term_text, sizes)])})"
    match op:
        case "permute" | "flip":
            parts = [*([MORE] if each else []), *map(str, given)]
        case "shrink" | "pad":
            more = [f"({_each_text(each[0])},{_each_text(each[1])})"] if each else []
            parts = [*more, *map(tuple_text, given)]
        case "slice":
            columns = [[*([_each_text(each[k])] if each else []), *(term_text(t[k]) for t in given)] for k in range(3)]
            parts = [f"({','.join(column)}{',' * (len(column) == 1)})" for column in columns]
        case "expand" | "reshape":
            more = [] if block is None else [_each_text(each) if op == "expand" else MORE]
            parts = [*more, *(_merged_text(t) for t in given)]
        case "concat":
            parts = [str(given[0]), str(given[1])]
        case "contiguous":
            parts = []
        case _:
            parts = [_view_text(*given)]
    return f"{op}({','.join(parts)})"


def _each_text(entry: Term) -> str:
    return MORE if entry == sym(MORE) else f"{MORE}{term_text(entry)}"


def _merged_text(size: Term) -> str:
    """A size, with the number of elements of the block in front."""
    if MORE not in names(size) or size == sym(MORE):
        return f"{MORE}*1" if size == sym(MORE) else term_text(size)
    rest = quotient(expanded(size), {(MORE,): 1})
    return f"{MORE}*{term_text(as_term(rest)) if len(rest) == 1 else tuple_text([as_term(rest)])}"


def _view_text(shape: Sequence[Term], strides: Sequence[Term], offset: Term, mask: Mask) -> str:
    text = f"{tuple_text(shape)}:{tuple_text(strides)}" + (f"+({term_text(offset)})" if offset != num(0) else "")
    if mask is None:
        return text
    return f"{text} [{'empty' if mask == 'empty' else ','.join(':'.join(map(term_text, pair)) for pair in mask)}]"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Program(Displayed):
    """A tensor with any contents and operations on it: `tensor` starts a program, the operations of View continue it.

    `sizes` are those of the result, as terms, without the block `...`, each of whose dims has the size `block`.
    `declared` are the declarations of sympy symbols. Entries are ints, names or other text, or sympy expressions.
    `program == program` is a Rule; to compare programs use `key()`, by which they are hashed.

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
    def parse(text: str, declared: Facts = (), tensors: Sequence[str] = ()) -> Program:
        """The program written in the notation: `x(n,m).pad((1,1),(0,0)).reshape((n + 2)*m)`.

        `tensors` are the names of tensors that may be mistaken for operations. Raises NotationError, with a caret under
        the place.
        """
        if not isinstance(text, str):
            raise InputError(f"Program.parse({text!r}): give text such as 'x(n,m).flip(0)'")
        return _built(text, _facts(declared), tensors)

    def then(self, text: str) -> Program:
        """The program followed by operations as text.

        >>> tensor("x", "(n,m)").then("permute(1,0).reshape(n*m)")
        Program.parse('x(n,m).permute(1,0).reshape(n*m)')
        """
        return _continued(self, read_calls(text), text)

    @property
    def shape(self) -> tuple[Integer | EllipsisType, ...]:
        """The sizes of the result, as ints or sympy; Ellipsis in front if there are further dims."""
        more = () if self.block is None else (Ellipsis,)
        return (*more, *map(of_term, self.sizes))

    @property
    def rank(self) -> int:
        """The number of dims of the result, without the block `...`."""
        return len(self.sizes)

    def permute(self, *axes: Entries) -> Program:
        """Reorders the dims: dim n of the result is dim axes[n] of this program."""
        listed = read_entries(axes)
        order = self._arguments("permute").axes(listed[1:] if listed and is_more(listed[0]) else listed)
        if sorted(a % max(self.rank, 1) for a in order) != list(range(self.rank)):
            raise InputError(f"permute{arguments_text(order)}: give each of the {self.rank} axes once")
        return self._after(Step("permute", order), tuple(self.sizes[a] for a in order))

    def copy(self) -> Program:
        """The same once more: for `plan` a result of its own, which programs that start with it can share as a copy."""
        return self.permute(*self._arguments("copy").axes(range(self.rank)))

    def flip(self, *axes: Entries) -> Program:
        """Reverses the given axes; the axis `...` is every dim of the block."""
        chosen = read_entries(axes)
        block = any(is_more(a) for a in chosen)
        if block and self.block is None:
            raise InputError(f"flip{arguments_text(chosen)}: the shape has no further dims `...`")
        order = self._arguments("flip").axes([a for a in chosen if not is_more(a)])
        return self._after(Step("flip", tuple(dict.fromkeys(order)), block or None), self.sizes)

    def shrink(self, *limits: Entries) -> Program:
        """Keeps, per dim, only the indices lo <= i < hi, counted from lo."""
        pairs, each, declared = self._arguments("shrink").rows(limits, 2)
        for axis, ((low, high), size) in enumerate(zip(pairs, self.sizes, strict=True)):
            check_bounds(low, high, size, f"shrink {axis}")
        sizes = [Term("-", (high, low)) for low, high in pairs]
        return self._after(Step("shrink", pairs, each), sizes, each and Term("-", each[::-1]), declared)

    def pad(self, *widths: Entries) -> Program:
        """Adds, per dim, so many indices of padding before and after."""
        pairs, each, declared = self._arguments("pad").rows(widths, 2)
        for axis, width in ((a, w) for a, pair in enumerate(pairs) for w in pair):
            if width.op == "int" and width.args[0] < 0:
                raise InputError(f"pad of axis {axis} by {term_text(width)}: give widths from 0 up")
        sizes = [Term("+", (before, size, after)) for (before, after), size in zip(pairs, self.sizes, strict=True)]
        block = each and Term("+", (each[0], self._arguments("pad").block_size(), each[1]))
        return self._after(Step("pad", pairs, each), sizes, block, declared)

    def slice(self, starts: Entries, stops: Entries, steps: Entries = None) -> Program:
        """Keeps, per dim, the indices start, start + step, … below stop; 0 <= start <= stop <= size, step >= 1."""
        starts, stops = read_entries([starts]), read_entries([stops])
        steps = [MORE + "1" if is_each(a) else 1 for a in starts] if steps is None else read_entries([steps])
        if not len(starts) == len(stops) == len(steps):
            raise InputError(
                f"slice of {len(starts)} starts, {len(stops)} stops, {len(steps)} steps: give each dim its own"
            )
        triples, each, declared = self._arguments("slice").rows([list(zip(starts, stops, steps, strict=True))], 3)
        for axis, ((low, high, step), size) in enumerate(zip(triples, self.sizes, strict=True)):
            check_bounds(low, high, size, f"slice {axis}")
            if step.op == "int" and step.args[0] < 1:
                raise InputError(f"slice {axis} has step {term_text(step)}: give steps from 1 up")
        sizes = [count_of_steps(*t) for t in triples]
        return self._after(Step("slice", triples, each), sizes, each and count_of_steps(*each), declared)

    def expand(self, *shape: Entries) -> Program:
        """Repeats dims of size 1 to the given sizes; the others, and those with -1, stay. New dims are in front."""
        sizes, each, declared = self._arguments("expand").shape(shape)
        if len(sizes) < self.rank or (self.block is not None and len(sizes) > self.rank):
            raise InputError(
                f"expand to {tuple_text(sizes)}: the program has the {self.rank} dims {tuple_text(self.sizes)}"
            )
        wider, sizes = words.widened(self, sizes)
        self._arguments("expand").check_sizes(sizes)
        for axis, (old, new) in enumerate(zip(wider.sizes, sizes, strict=True)):
            check_expands(old, new, f"axis {axis}")
        if each is not None:
            check_expands(self._arguments("expand").block_size(), each, "the dims `...`")
        return wider._after(Step("expand", sizes, each), sizes, each, declared)

    def contiguous(self) -> Program:
        """The same contents; for `plan` a result with row-major strides: a view where it has them, else a copy."""
        return self._after(Step("contiguous", ()), self.sizes)

    # PyTorch's words for these operations

    flatten, unflatten = words.flatten, words.unflatten
    squeeze, unsqueeze = words.squeeze, words.unsqueeze
    transpose, t, movedim = words.transpose, words.t, words.movedim
    narrow, split, chunk = words.narrow, words.split, words.chunk

    def view(self, *shape: Entries) -> Program:
        """The same as `reshape`; whether it is a view of memory is the question of `plan`."""
        return self.reshape(*shape)

    def reshape(self, *shape: Entries) -> Program:
        """The same elements in row-major order in another shape; one new size may be -1.

        A shape that starts with `...` keeps these dims; in a size, `...` is their number of elements:
        `x(...,n).reshape(...*n)` merges them all.
        """
        sizes, each, declared = self._arguments("reshape").reshaped(shape)
        step = Step("reshape", sizes, each)
        return Program(step, self, tuple(map(tidy, sizes)), each, together(self.declared, declared))

    def concat(self, other: Program, axis: Entry) -> Program:
        """The program followed by the other one along an axis; the other dims have equal sizes."""
        if not isinstance(other, Program):
            raise InputError(f"concat with {other!r}: give a program, such as tensor('y', '(k,m)')")
        if other.rank != self.rank or (other.block is None) != (self.block is None):
            raise InputError(f"concat of {self._shape_text()} and {other._shape_text()}: give the same number of dims")
        (at,) = self._arguments("concat").axes([axis])
        for n, (a, b) in enumerate(zip(self.sizes, other.sizes, strict=True)):
            if n != at % self.rank and a.op == b.op == "int" and a != b:
                raise InputError(f"concat of {tuple_text(self.sizes)} and {tuple_text(other.sizes)}: dim {n} differs")
        sizes = list(self.sizes)
        sizes[at] = Term("+", (sizes[at], other.sizes[at]))
        return self._after(Step("concat", (other, at)), sizes, None, other.declared)

    def read(self, view: View | str) -> Program:
        """The elements in row-major order, read through a View, which may be symbolic; masked indices are padding."""
        view = as_view(view, "read")
        if self.block is not None:
            raise NotSupported("read of a tensor with further dims `...`: merge them by a reshape first")
        shape, strides, (offset,) = (tuple(map(to_term, x)) for x in (view.shape, view.strides, (view.offset,)))
        mask = (
            view.mask if view.mask in (None, "empty") else tuple(tuple(map(to_term, pair)) for pair in view.mask or ())
        )
        declared = tuple(f for s in view.symbols().values() for f in domain(s))
        return self._after(Step("read", (shape, strides, offset, mask)), shape, None, declared)

    # Comparisons and text

    def __eq__(self, other: object) -> Any:
        return Rule(self, other) if isinstance(other, Program) else NotImplemented

    def __ne__(self, other: object) -> NoReturn:
        raise AmbiguousTruth("programs are compared by ==, which makes a Rule: prove(left == right)")

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> tuple[str, tuple[str, ...]]:
        """The source as a key: programs are equal if their keys are equal."""
        return str(self), tuple(map(term_text, self.declared))

    def __bool__(self) -> Literal[True]:
        return True

    def __str__(self) -> str:
        return ".".join(step_text(p.step, p.sizes, p.block) for p in self.chain())

    def __repr__(self) -> str:
        return f"Program.parse({str(self)!r}{_more_text(self.declared, self)})"

    def chain(self) -> list[Program]:
        """The program after each of its operations, the tensor first."""
        found: list[Program] = []
        at: Program | None = self
        while at is not None:
            found.append(at)
            at = at.before
        return found[::-1]

    def parts(self) -> Iterator[Program]:
        """The program after each operation, also in concatenated programs, each before the program that uses it."""
        for program in self.chain():
            if program.step.op == "concat":
                yield from program.step.given[0].parts()
            yield program

    def _arguments(self, what: str) -> Arguments:
        """The reader for the arguments of that operation."""
        blocks = (p.block for p in reversed(self.chain()) if p.block is not None)
        return Arguments(what, self.sizes, self.block, next(blocks, None))

    def _after(
        self, step: Step, sizes: Sequence[Term], block: Term | None = None, declared: Sequence[Term] = ()
    ) -> Program:
        """The program after one more step; the block keeps its size unless a new one is given."""
        kept = self.block if block is None else tidy(block)
        return Program(step, self, tuple(map(tidy, sizes)), kept, together(self.declared, declared))

    def _shape_text(self) -> str:
        return tuple_text((*([] if self.block is None else [sym(MORE)]), *self.sizes))


def tensor(name: str, shape: Entries) -> Program:
    """A tensor with any contents: its name, and its shape as text or as a sequence of entries.

    A shape may begin with `...`: any number of further dims of any sizes. Then axes are counted from the right, from -1
    down. `...s` names the size of each further dim, and an entry `...a` is for each of them, with an a of its own:
    `pad((...a,...b),(0,1))`. A name that is a size, or a factor of one, is at least 1, unless n >= 0 is assumed.
    Raises InputError for entries that are not integers.

    >>> tensor("x", ("n", 3)).pad((("a", "b"), (0, 1)))
    Program.parse('x(n,3).pad((a,b),(0,1))')
    >>> tensor("x", "(...,n)").flip(-1).shape
    (Ellipsis, n)
    """
    if not isinstance(name, str) or NAME.fullmatch(name) is None:
        raise InputError(f"tensor({name!r}, …): a name has letters and digits and no dots")
    entries, declared, block = read_entries([shape]), list[Term](), None
    if entries and is_each(entries[0]):
        if is_factor(entries[0]):
            raise InputError(
                f"tensor({name!r}, {shape!r}): a shape begins with `...`, or `...s` with the name of a size"
            )
        block = sym(MORE) if is_more(entries[0]) else read_entry(own_part(entries[0]), declared)
        entries = entries[1:]
    sizes = tuple(read_entry(e, declared) for e in entries)
    for axis, size in enumerate(sizes):
        if size.op == "int" and size.args[0] < 0:
            raise InputError(f"size {axis} of {name} is {size.args[0]}: sizes are 0 or more")
    if MORE in names(*sizes):
        raise InputError(f"tensor({name!r}, {shape!r}): `...` stands at the front of a shape, once")
    return Program(Step("tensor", (name,)), None, sizes, block, tuple(dict.fromkeys(declared)))


@dataclass(frozen=True, slots=True)
class Rule(Displayed):
    """The claim that two programs have the same shape and, at every index, the same element or both padding.

    `prove` decides it, for all sizes at which the left side is defined. Raises InputError for sides of different ranks.

    >>> rule = Rule.parse("x(n,m).permute(1,0).permute(1,0) == x(n,m)")
    >>> rule == (rule.left == rule.right)
    True
    """

    left: Program
    right: Program

    def __post_init__(self) -> None:
        for side in (self.left, self.right):
            if not isinstance(side, Program):
                raise InputError(f"Rule: {side!r} is not a program; start one by tensor('x', '(n,m)')")
        if self.left.rank != self.right.rank or (self.left.block is None) != (self.right.block is None):
            raise InputError(
                f"{self.left} == {self.right}: the sides have different ranks, "
                f"{self.left._shape_text()} and {self.right._shape_text()}"
            )

    @staticmethod
    def parse(text: str, declared: Facts = (), tensors: Sequence[str] = ()) -> Rule:
        """The rule written in the notation: `x(n,m).flip(0).flip(0) == x(n,m)`.

        `tensors` are as in `Program.parse`. Raises NotationError, with a caret under the place.
        """
        if not isinstance(text, str):
            raise InputError(f"Rule.parse({text!r}): give text such as 'x(n).flip(0).flip(0) == x(n)'")
        left, right = split_sides(text)
        return Rule(_built(left, _facts(declared), tensors), _built(right, tensors=tensors))

    def __bool__(self) -> NoReturn:
        raise AmbiguousTruth(f"{self}: a rule is to be proved: prove(rule)")

    def __eq__(self, other: object) -> bool:
        return self.key() == other.key() if isinstance(other, Rule) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> tuple[str, tuple[str, ...]]:
        """The source as a key: rules are equal if their keys are equal."""
        return str(self), tuple(map(term_text, self.declared()))

    def declared(self) -> tuple[Term, ...]:
        """The declarations of the sympy symbols of both sides."""
        return together(self.left.declared, self.right.declared)

    def __str__(self) -> str:
        return f"{self.left} == {self.right}"

    def __repr__(self) -> str:
        return f"Rule.parse({str(self)!r}{_more_text(self.declared(), self.left, self.right)})"


# Text


OPERATIONS = (
    "copy", "permute", "flip", "shrink", "pad", "slice", "expand", "reshape", "concat", "read", "contiguous", "view",
    "flatten", "unflatten", "squeeze", "unsqueeze", "transpose", "t", "movedim", "narrow", "split", "chunk",
)  # fmt: skip
_MISTAKABLE = [name for name in OPERATIONS if name not in ("t", "read")]  # what sizes in parentheses may follow
ELSEWHERE = {  # operations of PyTorch and numpy that programs lack, and what to write
    "swapaxes": "transpose", "swapdims": "transpose", "moveaxis": "movedim", "expand_dims": "unsqueeze",
    "ravel": "flatten", "view_as": "view", "reshape_as": "reshape", "expand_as": "expand", "broadcast_to": "expand",
    "select": "narrow", "unbind": "narrow", "clone": "contiguous", "fliplr": "flip", "flipud": "flip",
    "repeat": "", "roll": "", "unfold": "", "as_strided": "", "rearrange": "", "diagonal": "", "gather": "",
}  # fmt: skip
_OF_ALL = {"permute": "dims", "flip": "dims", "reshape": "shape", "view": "size", "expand": "size"}  # PyTorch's keyword


def _built(text: str, declared: tuple[Term, ...] = (), tensors: Sequence[str] = ()) -> Program:
    """The program of the text; every error points at its operation."""
    first, *rest = read_calls(text)
    _check_tensor(first, text, tensors)
    try:
        program = replace(tensor(first.name, first.given), declared=declared)
    except InputError as error:
        raise _placed(error, text, first.at) from None
    return _continued(program, rest, text, tensors)


def _continued(program: Program, calls: Sequence[Call], text: str, tensors: Sequence[str] = ()) -> Program:
    """The program after the calls of the text."""
    for call in calls:
        if call.name not in (*OPERATIONS, SLICES):
            raise NotationError(f"no operation {call.name!r}: {instead_of(call.name)}", text, call.at)
        try:
            program = _applied(program, call, tensors)
        except TypeError:
            given = f"the keyword {' or '.join(call.named)}" if call.named else f"{len(call.given)} arguments"
            raise NotationError(f"{call.name} does not take {given}", text, call.at) from None
        except InputError as error:
            raise _placed(error, text, call.at) from None
    return program


def instead_of(name: str) -> str:
    """What to write in place of a word that is not an operation."""
    if known := ELSEWHERE.get(name.lower()):
        return f"write {known}"
    near = nearest(name, OPERATIONS)
    return f"did you mean {near!r}?" if near else f"give one of {', '.join(OPERATIONS)}"


def _applied(program: Program, call: Call, tensors: Sequence[str]) -> Program:
    """The program after one call."""
    given, named = call.given, call.named
    if call.name == SLICES:
        return words.sliced(program, str(given[0]))
    if call.name == "concat" and len(given) == 2 and isinstance(given[0], str):
        return program.concat(_built(given[0], tensors=tensors), given[1])
    if [*named] == [_OF_ALL.get(call.name)]:
        given, named = tuple(named.values()), {}
    found = getattr(program, call.name)(*given, **named)
    if isinstance(found, Program):
        return found
    if call.part is None:
        raise InputError(f"{call.name} has {len(found)} parts: give the number of one, as {call.name}(…)[0]")
    try:
        return found[int(call.part)]  # type: ignore[no-any-return]
    except (ValueError, IndexError):
        raise InputError(f"[{call.part}]: {call.name} has {len(found)} parts: give a number below that") from None


def _check_tensor(call: Call, text: str, tensors: Sequence[str] = ()) -> None:
    """Raises NotationError if the first word is an operation or nearly one, and not one of the named tensors."""
    name = call.name
    if call.named or name == SLICES:
        such = "x" if name == SLICES else name
        raise NotationError(f"expected a tensor and its sizes, such as {such}(n,m)", text, call.at)
    if name in tensors or (name == "t" and call.given):
        return
    if name in OPERATIONS:
        raise NotationError(f"{name} is an operation: begin with a tensor, such as x(n,m)", text, call.at)
    if near := nearest(name, _MISTAKABLE):
        raise NotationError(
            f"{name} is not an operation: did you mean {near!r}? Call a tensor by another name", text, call.at
        )


def _more_text(declared: Sequence[Term], *programs: Program) -> str:
    """The arguments of `parse` besides the text, for repr."""
    tensors = dict.fromkeys(p.step.given[0] for program in programs for p in program.parts() if p.before is None)
    unclear = [n for n in tensors if n != "t" and (n in OPERATIONS or nearest(n, _MISTAKABLE))]
    found = f", {[term_text(f) for f in declared]!r}" if declared else ""
    return f"{found}, tensors={unclear!r}" if unclear else found


def _placed(error: InputError, text: str, at: int) -> NotationError:
    if isinstance(error, NotationError):
        return NotationError(f"{error.message} in {error.text.strip()!r}", text, at)
    return NotationError(str(error), text, at)


def _facts(declared: Facts) -> tuple[Term, ...]:
    texts = [declared] if isinstance(declared, str) else list(declared)
    return tuple(parse_statement(t) if isinstance(t, str) else t for t in texts)
