"""Reads claims and assumptions: text in the notation, sympy, or terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias

from symview.errors import InputError, unknown_name
from symview.logic.arithmetic import wrapped
from symview.logic.divisions import Formula
from symview.logic.integer import Claim, Int
from symview.logic.notation import definitions_in, nonblank, parse_assumption, parse_statement, rounding_of
from symview.logic.sympy_bridge import as_integer, domain, free_symbols, to_term, to_text
from symview.logic.terms import TRUE, Term, conjuncts, names, num, untied, value_of
from symview.logic.width import Width, read_width
from symview.proof.data import Query as Query

DIVISIONS = ("floor", "trunc", "euclid")

Statement: TypeAlias = Any  # str | Term | a sympy relation or boolean; the alias avoids loading sympy


def read(
    statement: Statement,
    assume: Statement | Sequence[Statement],
    division: str,
    bits: int | str | None = None,
    known: Iterable[str] | None = (),
) -> Query:
    """Reads a query; facts of sympy symbols (positive, even, …) become assumptions.

    With `bits`, the formulas express arithmetic of that width over plain integers, and assumptions bound every name to
    that width. `known` are further names that assumptions may be about; None: they may be about any.
    Raises NotationError or SymbolError for input outside the notation, InputError for an unknown rounding or width, and
    for an assumption that nothing ties to the statement.

    >>> read("x % 2 < 2", "x > 1 and x < 9", "floor").assumed()
    ('x > 1', 'x < 9')
    """
    if not isinstance(division, str) or division not in DIVISIONS:
        raise InputError(f"division={division!r}: give one of {', '.join(DIVISIONS)}")
    width, wraps = read_width(bits), bits is not None
    assume = nonblank(assume if isinstance(assume, (tuple, list)) and not isinstance(assume, Term) else [assume])
    division = rounding_of([statement, *assume], division)
    defined = definitions_in(statement, wraps, division) if isinstance(statement, str) else {}
    of_assumption = partial(parse_assumption, definitions=defined, wraps=wraps, division=division)
    claim = _formula(statement, division, partial(parse_statement, wraps=wraps, division=division))
    each = [_conjuncts(_formula(a, division, of_assumption)) for a in assume]
    given = [part for parts in each for part in parts]
    facts = _domain_facts([s for s in (statement, *assume) if not isinstance(s, (str, Term))])
    if known is not None:
        written = [part for a, parts in zip(assume, each, strict=True) if not isinstance(a, Term) for part in parts]
        _require_tied(written, [*given, *facts], (*names(claim.term), *known))
    query = Query(claim, tuple(dict.fromkeys(f for f in [*given, *facts] if f.term != TRUE)))
    return query if width is None else _within(query, width)


def _require_tied(written: Sequence[Formula], given: Sequence[Formula], known: Sequence[str]) -> None:
    """Raises InputError if a written assumption is about names that nothing ties to the known ones, if there are any.

    It would change no answer, so one of its names is probably misspelled. Terms are facts that a program collected.
    """
    far = untied([f.term for f in given], known) if known else ()
    if (odd := next((f for f in written if f.term in far), None)) is not None:
        name = names(odd.term)[0]
        raise InputError(f"assumption {odd.text}: {unknown_name(name, dict.fromkeys(known), 'statement')}")


def _within(query: Query, width: Width) -> Query:
    """Rewrites the query in arithmetic of that width."""
    claim, *given = (f._replace(term=wrapped(f.term, width)) for f in (query.claim, *query.assumptions))
    return _bounded(Query(claim, tuple(given)), width)


def read_printed(statement: str, assumptions: Sequence[str], division: str, width: Width | None) -> Query:
    """Reads what an answer prints; at a width, that is in plain integers, each of which has the width.

    >>> read_printed("wrap(x + 1, 0, 256) > x", (), "floor", Width(8, signed=False)).claim.term.op
    '>'
    """
    if width is None:
        return read(statement, assumptions, division, known=None)
    claim = Formula(parse_statement(statement, wraps=True, division=division), division)
    given = [Formula(parse_assumption(a, wraps=True, division=division), division) for a in assumptions]
    return _bounded(Query(claim, tuple(given)), width)


def _bounded(query: Query, width: Width) -> Query:
    """The query about integers of this width."""
    ranges = [Formula(part, "floor") for n in query.names() for part in width.holds(n)]
    return query._replace(assumptions=(*query.assumptions, *ranges), width=width)


def _formula(value: Statement, division: str, parse: Callable[[str], Term]) -> Formula:
    if isinstance(value, str):
        value = str.__str__(value)  # a plain str, not a subclass
        return _relation(parse(value), division, value)
    if isinstance(value, Term):
        return _relation(value, division)
    if isinstance(value, bool):
        raise InputError(
            f"the statement is the Python bool {value}: between sympy expressions `==` compares spelling; "
            "use sympy.Eq(a, b), or text"
        )
    return _relation(_from_sympy(value), "floor")  # sympy's floor and Mod mean themselves


def _relation(term: Term, division: str, written: str = "") -> Formula:
    if not term.is_formula():
        raise InputError(f"{written or to_text(term)}: expected a comparison, not an integer")
    return Formula(term, division)


def _from_sympy(value: Any) -> Term:
    if isinstance(value, int | Int | Claim):
        return to_term(value)
    if not hasattr(value, "free_symbols"):
        raise InputError(f"{value!r}: give a statement as text, or as a sympy relation")
    for symbol in value.free_symbols:
        name = symbol.name
        as_integer(symbol, f"variable {name}")
        if "·" in name:
            raise InputError(f"variable {name}: the notation reads · as a product; rename the symbol")
    return to_term(value)


def _conjuncts(formula: Formula) -> list[Formula]:
    """The parts of a conjunction, each an assumption of its own."""
    if formula.term.op != "and":
        return [formula]
    return [Formula(t, formula.division) for t in conjuncts(formula.term)]


def _domain_facts(values: list[Any]) -> list[Formula]:
    symbols = free_symbols(values).values()
    return [_relation(fact, "floor") for symbol in symbols for fact in domain(symbol)]


def failing_relation(term: Term, values: dict[str, int], division: str) -> Term | None:
    """The relation that makes a false formula false, if there is exactly one.

    >>> failing_relation(parse_statement("x > 0 -> x == 2 and x == x"), {"x": 1}, "floor")
    Term(op='==', args=(Term(op='sym', args=('x',)), Term(op='int', args=(2,))))
    """
    if term.op in ("==", "!=", "<", "<=", ">", ">="):
        return term
    if term.op == "->":
        return failing_relation(term.args[1], values, division)
    if term.op == "and":
        broken = (t for t in term.args if not value_of(t, values, division))
        return failing_relation(next(broken, num(0)), values, division)
    return None
