"""The entries of programs: read from ints, names, other text or sympy, and tidied as polynomials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from symview.errors import InputError
from symview.logic.notation import parse_expression, term_text
from symview.logic.polynomial import ONE, Poly, as_ordered_term, as_term, minus, plus, poly_of, quotient, times
from symview.logic.sympy_bridge import as_integer, domain, free_symbols, to_term
from symview.logic.terms import Term, num, substituted, sym
from symview.rules.divisions import nested
from symview.rules.programs.notation import split_entries

MORE = "..."  # the block of further dims, and the name of their number of elements
_SPELLED = "ǃǃǃ"  # that name, while an expression is read


def read_entry(value: Any, declared: list[Term]) -> Term:
    """The entry as a term; appends what its sympy symbols were declared as."""
    if isinstance(value, Term):
        return value
    if isinstance(value, str):
        return substituted(parse_expression(value.replace(MORE, _SPELLED)), {_SPELLED: sym(MORE)})
    found = as_integer(value, "an entry")
    if type(found) is int:
        return num(found)
    declared += [f for s in free_symbols([found]).values() for f in domain(s)]
    return to_term(found)


def read_entries(given: Sequence[Any]) -> list[Any]:
    """The entries of a shape, given one by one, as one sequence or as one text."""
    found = list(given)
    if len(found) == 1 and isinstance(found[0], str):
        return list(split_entries(found[0]))
    if len(found) == 1 and isinstance(found[0], Iterable) and not isinstance(found[0], Term):
        return list(found[0])
    return found


def listed(given: Sequence[Any]) -> list[Any]:
    """Axes, given one by one or as one sequence."""
    return list(given[0]) if len(given) == 1 and isinstance(given[0], (list, tuple, range, set)) else list(given)


def as_list(given: Any) -> list[Any]:
    """A sequence as a list; anything else as its only element."""
    return list(given) if isinstance(given, (list, tuple, range)) and not isinstance(given, Term) else [given]


def is_row(given: Any) -> bool:
    """Whether it is a sequence of entries."""
    return isinstance(given, (list, tuple)) and not isinstance(given, Term)


def is_rows(given: Any) -> bool:
    """Whether it is the sequence of all rows, rather than the row of the only dim."""
    return is_row(given) and (not given or any(map(is_row, given)))


def is_more(entry: Any) -> bool:
    """Whether the entry is `...` alone: the block as it is."""
    return entry is Ellipsis or (isinstance(entry, str) and entry.strip() == MORE)


def is_each(entry: Any) -> bool:
    """Whether the entry is about each dim of the block."""
    return entry is Ellipsis or (isinstance(entry, str) and entry.strip().startswith(MORE))


def is_factor(entry: Any) -> bool:
    """Whether `...` stands in the entry for a number of elements, as in `...*n`."""
    return (
        isinstance(entry, str) and entry.strip().startswith(MORE) and entry.strip()[3:].lstrip()[:1] in ("*", "+", "/")
    )


def own_part(entry: str) -> str:
    """What an entry about each dim of the block says of it."""
    return entry.strip().removeprefix(MORE)


def without_more(axes: list[Any]) -> list[Any]:
    """The axes behind a leading `...`."""
    return axes[1:] if axes and is_more(axes[0]) else axes


def together(a: Sequence[Term], b: Sequence[Term]) -> tuple[Term, ...]:
    """The facts of both, each once."""
    return tuple(dict.fromkeys((*a, *b)))


def tidy(term: Term) -> Term:
    """Expands sums and products, also within divisions, with the monomials in one order."""
    if term.op in ("int", "sym"):
        return term
    term = Term(term.op, tuple(map(tidy, term.args)))
    opaque: dict[str, Term] = {}
    p = poly_of(term, opaque)
    return as_ordered_term(p, opaque)


def tidy_sum(*parts: Term) -> Term:
    """The sum, tidied."""
    return tidy(Term("+", parts))


def difference(a: Term, b: Term) -> Term:
    """The difference, tidied."""
    return tidy(Term("-", (a, b)))


def tidy_text(term: Term) -> str:
    """The text of the tidied term."""
    return term_text(tidy(term))


def count_of_steps(low: Term, high: Term, step: Term) -> Term:
    """How many steps fit: ceil((high − low) / step), as one quotient of polynomials, or none."""
    opaque: dict[str, Term] = {}
    top, bottom = minus(poly_of(high, opaque), poly_of(low, opaque)), poly_of(step, opaque)
    if bottom == {ONE: 1}:
        return as_term(top, opaque)
    if not bottom:
        return num(0)  # a step of 0 is not defined, and refused or excluded elsewhere
    whole = quotient(top, bottom)
    rest = plus(minus(top, times(whole, bottom)), minus(bottom, {ONE: 1}))
    return as_term(plus(whole, _quotient(rest, bottom, opaque)), opaque)


def _quotient(top: Poly, bottom: Poly, opaque: dict[str, Term]) -> Poly:
    """The floor of top/bottom for a bottom from 1: (x//v + w)//b is (x + w*v)//(v*b), for v and b from 1."""
    if not top:
        return {}
    if all(m == ONE for m in (*top, *bottom)):
        found = top.get(ONE, 0) // bottom[ONE]
        return {ONE: found} if found else {}
    inner = list(nested(top, opaque))
    if len(inner) == 1 and bottom:
        ((top, divisor),) = inner
        bottom = times(divisor, bottom)
    return poly_of(Term("//", (tidy(as_term(top, opaque)), tidy(as_term(bottom, opaque)))), opaque)


def check_bounds(low: Term, high: Term, size: Term, what: str) -> None:
    """Raises InputError where numbers show that 0 <= low <= high <= size does not hold."""
    ordered = (num(0), low, high, size)
    for a, b in pairwise(t for t in ordered if t.op == "int"):
        if a.args[0] > b.args[0]:
            raise InputError(
                f"{what} is [{term_text(low)}:{term_text(high)}]: it needs 0 <= lo <= hi <= {term_text(size)}, "
                "the size of that dim"
            )


def check_expands(old: Term, new: Term, which: str) -> None:
    """Raises InputError unless the sizes are equal or the old one is 1."""
    if tidy_text(old) != tidy_text(new) and tidy(old) != num(1):
        raise InputError(f"expand {which} from {term_text(old)} to {term_text(new)}: only a size of 1 expands")


def shape_text(sizes: Iterable[Term]) -> str:
    """The sizes in parentheses."""
    return f"({','.join(map(term_text, sizes))})"


def shown(values: Iterable[Any]) -> str:
    """Arguments as they were given, in parentheses."""
    return f"({', '.join(map(str, values))})"
