"""Formulas in the notation of the papers: `σ1 = 2σ2 + 3σ3`, `4 ≤ s ≤ 5`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from math import gcd
from typing import Any, NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.logic.notation import term_text
from symview.logic.polynomial import ONE, expanded, minus
from symview.logic.sympy_bridge import free_symbols
from symview.logic.terms import FALSE, TRUE, Term, comparisons, conj, conjuncts, names, num, rewritten, walk
from symview.view import View

IN_PYTHON = ".headline(), .cases"
MOST = 300  # characters of a headline that is shortened, without the note on the rest
WHOLE = 400  # characters; up to that, a text is not shortened
_MAX_NODES = 2_000  # nodes: with more, the text is surely longer than that
_MAX_NAMES = 8  # names listed in place of a condition
_ONLY_A_NOTE = re.compile(r"\d+ \w+ \([^()]*\)")  # of a headline that is too long to print
_TWICE = "where two equations are required"


class Line(NamedTuple):
    """A part of a headline: the formulas that it is about, and a function for its text.

    `brief` makes what is said if the text is too long, an equation of strides; it is empty for what may be left out.
    """

    about: Sequence[Term]
    tell: Callable[[], str]
    brief: Callable[[], str] = str


def headline(conditions: ConditionsData, rest: str | None = None) -> str:
    """The headline: the clauses if there are any, else the cases, equal ones joined, one per line.

    If `rest` says how to see everything, the text is shortened for people.
    """
    if conditions.enough:
        doubt = Line((conditions.doubt,), partial(_doubt_text, conditions))
        return f"{_conjunction(conditions, conditions.enough, rest)}\n{listed([doubt], rest, 'undecided case')}"
    if conditions.clauses is None:
        cases = conditions.lines()
        return listed([Line((c.where, *c.required), partial(case_text, c), partial(_brief, c)) for c in cases], rest)
    return _conjunction(conditions, conditions.clauses, rest)


def _conjunction(conditions: ConditionsData, clauses: Sequence[Term], rest: str | None) -> str:
    return listed(conjuncts_of(clauses, conditions.views), rest, "condition", " and ")


def _doubt_text(conditions: ConditionsData) -> str:
    """Where a sufficient condition may not be necessary, in the shorter of two texts."""
    texts = [where_text(conditions.doubt)]
    if (left := conditions.doubt_twice) is not None:
        texts.append(" and ".join(filter(None, (_TWICE, _part(left) if left.op == "or" else where_text(left)))))
    where = min(texts, key=len)
    return f"{where}: undecided, and that is enough" if where else "undecided, and that is enough"


def conjuncts_of(clauses: Sequence[Term], views: Sequence[View] = ()) -> list[Line]:
    """The clauses of a conjunction; among several, disjunctions get parentheses.

    In brief, a clause is an equation of strides of the view that lays out memory: what most readers ask for.
    """
    if len(clauses) < 2 or FALSE in clauses:
        return [Line(clauses, partial(clauses_text, clauses))]
    strides = frozenset(free_symbols([t for v in views[:1] for t in v.strides]))
    return [Line(parts, partial(_together, *parts), partial(_equation, parts, strides)) for parts in _paired(clauses)]


def _equation(clauses: Iterable[Term], strides: frozenset[str]) -> str:
    """The shortest equation of strides in the clauses, as a part of them; empty if there is none."""
    found = [e for c in clauses for e in comparisons(c) if e.op == "==" and not strides.isdisjoint(names(e))]
    text = min([equation_text(e) for e in found if is_short([e])], key=len, default="")
    return text and f"(… {text} …)"


def _brief(case: CaseData) -> str:
    """The case with the names of its `where` alone, if it has equations."""
    told = case.status is Status.WHEN and is_short(case.required)
    return f"some {names_text([case.where])}: {case_headline(case)}" if told else ""


def listed(lines: Sequence[Line], rest: str | None, what: str = "case", joint: str = "\n") -> str:
    """The lines as one text; if `rest` says how to see everything, those that fit, and the number of the others.

    Equations come first then, in brief if they do not fit, so that only bounds are left out as long as there is room. A
    line alone is printed whatever its length, unless its formulas are huge.

    >>> lines = [Line([], lambda t=t: t) for t in ("n < 2", "n >= 2 or m == 5" * 99)]
    >>> print(listed(lines, "--all"))
    n < 2
    1 more case (--all)
    >>> listed(lines[1:], "--all") == listed(lines[1:], None)
    True
    """
    if rest is None:
        return joint.join(line.tell() for line in lines)
    texts = [line.tell() if is_short(line.about) else None for line in lines]
    whole = joint.join(filter(None, texts))
    if None not in texts and (len(lines) == 1 or len(whole) <= WHOLE):
        return whole
    briefs = [line.brief() for line in lines]
    kept = list(_fitting((len(text) + len(joint) for text in briefs if text), MOST // 2))
    shown, room, left = list[str](), MOST - sum(kept), len(lines)
    for text, brief in sorted(zip(texts, briefs, strict=True), key=lambda both: not both[1]):
        room += kept.pop(0) if brief and kept else 0
        if text is not None and len(text) <= room:
            left -= 1
        elif brief and len(brief) <= room:
            text = brief
        else:
            continue
        shown.append(text)
        room -= len(text) + len(joint)
    note = f"{left} {'more ' if shown else ''}{what}{'s' if left > 1 else ''} ({rest})"
    return joint.join([*shown, note])


def _fitting(lengths: Iterable[int], room: int) -> Iterator[int]:
    """The first lengths that fit together."""
    for length in lengths:
        room -= length
        if room < 0:
            return
        yield length


def is_short(about: Iterable[Term]) -> bool:
    """Whether the text of formulas may be short; avoids building a long text only to discard it."""
    nodes = chain.from_iterable(map(walk, about))
    return next(islice(nodes, _MAX_NODES, None), None) is None


def exactly(what: str, headline: str) -> str:
    """What holds, with the headline of the conditions under which it does.

    >>> exactly("dense", "n = 1"), exactly("dense", "never"), exactly("dense", "2 conditions (--all)")
    ('dense exactly if n = 1', 'never dense', 'dense under 2 conditions (--all)')
    """
    if headline in ("always", "never"):
        return f"{headline} {what}"
    return f"{what} {'under' if _ONLY_A_NOTE.fullmatch(headline) else 'exactly if'} {headline}"


def names_text(about: Iterable[Term]) -> str:
    """The names in formulas; if there are many, the first of them."""
    found = names(*about)
    if len(found) > _MAX_NAMES:
        return f"{', '.join(found[:_MAX_NAMES])} and {len(found) - _MAX_NAMES} more names"
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))


def brief_where(where: Term, rest: str | None) -> str:
    """`where_text`; if `rest` says how to see everything and the text is long, only its names."""
    text = where_text(where) if rest is None or is_short([where]) else None
    return text if text is not None and (rest is None or len(text) <= WHOLE) else f"some {names_text([where])}"


def place_text(case: CaseData) -> str:
    """Where the case applies and its equations hold: comparisons, then equations; empty if always."""
    asked = [part for part in conjuncts(case.where) if part != TRUE]
    several = len(asked) + len(case.required) > 1
    parts = [f"({where_text(p)})" if p.op == "or" and several else where_text(p) for p in asked]
    return " and ".join([*parts, *map(equation_text, case.required)])


def case_text(case: CaseData) -> str:
    """The case as text: where it applies, and its headline or answer."""
    if case.answer is not None:
        return f"{place_text(case) or 'always'}: {case.answer}"
    where = where_text(case.where)
    return f"{where}: {case_headline(case)}" if where else case_headline(case)


def case_headline(case: CaseData) -> str:
    """The status or the equations as text."""
    match case.status:
        case Status.WHEN:
            return " and ".join(map(equation_text, case.required))
        case Status.OUT_OF_BOUNDS:
            return "out of bounds"
        case Status.UNDECIDED:
            enough = " and ".join(map(equation_text, enough_for(case)))
            return f"undecided; {enough} is enough" if enough else "undecided"
    return str(case.status)


def enough_for(case: CaseData) -> tuple[Term, ...]:
    """The sufficient equations of an undecided case; none if no integers satisfy them.

    Σ c·m = c_0 over monomials m has integer solutions only if gcd(c) divides c_0.
    """
    for equation in case.required:
        left, right = map(expanded, equation.args)
        difference = minus(left, right)
        constant = difference.pop(ONE, 0)
        divisor = gcd(*difference.values())
        if constant % divisor if divisor else constant:
            return ()
    return case.required


def equation_text(equation: Term, times: str = "") -> str:
    """An equation in the notation of the papers: `σ1 = 2σ2 + 3σ3`."""
    return " = ".join(_text(side, times) for side in equation.args)


def _text(term: Term, times: str = "") -> str:
    """A term for people: the remainder of 3*n by 4 as that of -n."""
    return term_text(rewritten(term, _near_zero), times)


def _near_zero(term: Term) -> Term:
    """The remainder of (m - 1)*x by a number m above 2 as that of -x."""
    if term.op != "%" or term.args[0].op != "*" or term.args[1].op != "int":
        return term
    (factor, *rest), m = term.args[0].args, term.args[1].args[0]
    return Term("%", (Term("*", (num(-1), *rest)), term.args[1])) if factor == num(m - 1) and m > 2 else term


def clauses_text(clauses: Sequence[Term]) -> str:
    """A conjunction of clauses as text; "always" for no clauses, "never" for a clause without literals."""
    if not clauses:
        return "always"
    if FALSE in clauses:
        return "never"
    return where_text(conj(clauses))


def _signs(text: str) -> str:
    """Comparison signs in the notation of the papers."""
    return text.replace("==", "=").replace("!=", "≠").replace(">=", "≥").replace("<=", "≤")


def where_text(where: Term) -> str:
    """A condition on sizes for people: `4 ≤ s ≤ 5`; empty if it is always true.

    >>> from symview.logic.notation import parse_statement
    >>> where_text(parse_statement("m >= 4 and n <= 3 and m <= 2*n or m == 1"))
    '(4 ≤ m ≤ 2*n and n ≤ 3) or m = 1'
    """
    if where == TRUE:
        return ""
    if where.op == "or":
        return " or ".join(f"({where_text(a)})" if a.op == "and" else where_text(a) for a in where.args)
    return " and ".join(_together(*parts) for parts in _paired(where.args if where.op == "and" else (where,)))


def _paired(parts: Iterable[Term]) -> Iterator[tuple[Term, ...]]:
    """The parts of a conjunction; two bounds that form a range are paired."""
    left = list(parts)
    while left:
        one = left.pop(0)
        other = next((p for p in left if _range(one, p)), None)
        if other is not None:
            left.remove(other)
        yield (one,) if other is None else (one, other)


def _together(one: Term, other: Term | None = None) -> str:
    return _part(one) if other is None else _range(one, other)


def _part(term: Term) -> str:
    return f"({where_text(term)})" if term.op == "or" else _signs(_text(term))


def _range(one: Term, other: Term) -> str:
    """A lower and an upper bound of the same term as a range; empty for other formulas."""
    for (a, below, x), (y, above, b) in ((_rising(one), _rising(other)), (_rising(other), _rising(one))):
        if below and above and x == y and x.op != "int" and a != b:
            return f"{_text(a)} {below} {_text(x)} {above} {_text(b)}"
    return ""


def _rising(term: Term) -> tuple[Any, str, Any]:
    """The smaller side, the sign and the larger side of an inequality; no sign for other formulas."""
    if term.op in ("<=", "<"):
        return term.args[0], _signs(term.op), term.args[1]
    if term.op in (">=", ">"):
        return term.args[1], "≤" if term.op == ">=" else "<", term.args[0]
    return None, "", None
