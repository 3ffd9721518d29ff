"""The notation of integer expressions and formulas: text to terms and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symview.errors import NotationError
from symview.logic.operators import ATOM, OPERATORS, RELATIONS
from symview.logic.scanner import Definitions, Scanner
from symview.logic.terms import LEAVES, Term, conj, num, sym
from symview.logic.tokens import BETWEEN, NO_PRODUCT


def parse_statement(text: str) -> Term:
    """The formula that the text states; `where` at its end defines what it calls.

    >>> parse_statement("0 <= x < 3").op
    'and'
    >>> term_text(parse_statement("up(x, 4) >= x where up(x, m) = (x + m - 1)//m*m"))
    '(x + 4 - 1)//4*4 >= x'
    """
    scanner = Scanner(text)
    scanner.where()
    term = scanner.formula()
    scanner.end()
    return scanner._formula(term)


def parse_assumption(text: str, definitions: Definitions | None = None) -> Term:
    """The same of an assumption, in which a comma means `and`, too.

    >>> term_text(parse_assumption("x >= 1, y >= 1 or x > 2"))
    'x >= 1 and (y >= 1 or x > 2)'
    """
    scanner = Scanner(text, definitions)
    scanner.where()
    parts = [scanner._formula(scanner.formula())]
    while scanner.take(","):
        parts.append(scanner._formula(scanner.formula()))
    scanner.end()
    return parts[0] if len(parts) == 1 else conj(parts)


def said(texts: Iterable[Any]) -> list[Any]:
    """What is assumed, without empty texts, which say nothing.

    >>> said(["x > 0", " "])
    ['x > 0']
    """
    return [t for t in texts if not (isinstance(t, str) and not t.strip())]


def definitions_in(text: str) -> Definitions:
    """The definitions that stand in a statement after `where`.

    >>> list(definitions_in("f(2) == 3 where f(x) = x + 1"))
    ['f']
    """
    scanner = Scanner(text)
    scanner.where()
    return scanner.definitions


def parse_expression(text: str) -> Term:
    """The integer expression that the text spells, as in `2*a + b//3`."""
    scanner = Scanner(text)
    term = scanner.value()
    scanner.end()
    return term


def term_text(term: Term, times: str = "*") -> str:
    """The notation of a term; with `times=""` a number stands directly before a name, as in `3σ2`."""
    op, args = term
    if op in LEAVES:
        return str(args[0])
    if OPERATORS[op].binding == ATOM:
        return f"{op}({', '.join(term_text(a, times) for a in args)})"
    if op == "+":
        return _print_sum(args, times)
    if op == "*":
        return _print_product(args, times)
    level = OPERATORS[op].binding
    if op in ("neg", "not", "~"):
        return {"neg": "-", "not": "not ", "~": "~"}[op] + _guard(args[0], level, times)
    if op == "if":
        where, first, other = (_guard(a, level + (n < 2), times) for n, a in enumerate(args))
        return f"{first} if {where} else {other}"
    spaced = op if op in ("//", "**") else f" {op} "
    right_level = level - 1 if op == "**" else level if op in ("and", "or", "->") else level + 1
    left_level = level if op not in ("->", "**", *RELATIONS) else level + 1
    first, *rest = args
    return spaced.join([_guard(first, left_level, times), *(_guard(a, right_level, times) for a in rest)])


def with_ceilings(term: Term) -> Term:
    """The term with ceilings as names for themselves, so that they are printed as such.

    >>> term_text(with_ceilings(parse_expression("2*⌈(m + 1)/8⌉ - n//2")))
    '2*⌈(m + 1)/8⌉ - n//2'
    """
    op, args = term
    if op in LEAVES:
        return term
    if op == "neg" and args[0].op == "//":
        (top, bottom), lead = map(with_ceilings, args[0].args), args[0].args[0]
        if lead.op == "neg" or (lead.op == "int" and lead.args[0] < 0):
            top = top.args[0] if lead.op == "neg" else num(-lead.args[0])
            tight = OPERATORS["*"].binding
            return sym(f"⌈{_guard(top, tight, '*')}/{_guard(bottom, tight + 1, '*')}⌉")
    return Term(op, tuple(map(with_ceilings, args)))


def joined(formulas: Iterable[Term | str], word: str = "and", times: str = "*") -> str:
    """The formulas, or their texts, joined by `and` or `or`: in parentheses where they would be read otherwise.

    >>> joined(["x >= 1", "x >= 2 or y >= 3"]), joined([parse_statement("a < b")])
    ('x >= 1 and (x >= 2 or y >= 3)', 'a < b')
    """
    parts = list(formulas)
    texts = [f if isinstance(f, str) else term_text(f, times) for f in parts]
    if len(texts) == 1:
        return texts[0]
    loose = [_binding(f) < OPERATORS[word].binding for f in parts]
    return f" {word} ".join(f"({text})" if apart else text for text, apart in zip(texts, loose, strict=True))


def _binding(formula: Term | str) -> int:
    """How tightly the outermost sign of a formula binds; 0 for a text that cannot be read."""
    if isinstance(formula, str):
        try:
            formula = parse_statement(formula)
        except NotationError:
            return 0
    return OPERATORS[formula.op].binding if formula.op in OPERATORS else ATOM


def _print_sum(args: Iterable[Term], times: str) -> str:
    text = ""
    for a in args:
        part = _guard(a, OPERATORS["+"].binding + (a.op == "-"), times)
        if not text:
            text = part
        elif _is_negated(a):
            text += f" - {part[1:]}"
        else:
            text += f" + ({part})" if part.startswith("-") else f" + {part}"
    return text


def _is_negated(term: Term) -> bool:
    """Whether the leading minus of the text belongs to the whole term, not to a part of a division."""
    lead = term.args[0] if term.op == "*" else term
    return lead.op == "neg" or (lead.op == "int" and lead.args[0] < 0)


def _print_product(args: tuple[Term, ...], times: str) -> str:
    if args[0] == num(-1) and len(args) > 1:
        rest = Term("*", args[1:]) if len(args) > 2 else args[1]
        return "-" + _guard(rest, OPERATORS["*"].binding + (rest.op != "*"), times)
    if times == "" and len(args) == 2 and args[0].op == "int" and args[1].op == "sym":
        product = f"{args[0].args[0]}{args[1].args[0]}"
        if NO_PRODUCT.match(product.removeprefix("-")) is None and args[1].args[0] not in BETWEEN:
            return product
    level = OPERATORS["*"].binding
    return "*".join(_guard(a, level + (n > 0), times) for n, a in enumerate(args))


def _guard(term: Term, level: int, times: str) -> str:
    text = term_text(term, times)
    own = OPERATORS[term.op].binding if term.op in OPERATORS else ATOM
    if term.op == "int" and term.args[0] < 0:
        own = OPERATORS["neg"].binding if level <= OPERATORS["*"].binding else 0
    return f"({text})" if own < level else text
