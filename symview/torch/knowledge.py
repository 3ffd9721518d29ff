"""The facts that a ShapeEnv of PyTorch has about some symbols, as formulas over their names."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import gcd, prod
from typing import Any, NamedTuple

from symview.errors import SymviewError
from symview.logic.polynomial import ONE, Poly, as_term, expanded, minus, operation_of, operations, over
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import TRUE, IntTerm, Term, conjuncts, names, num, renamed, replaced, substituted, sym, walk

UNBOUNDED = 2**63 - 2  # the largest machine integers mean no bound, as does PyTorch's infinity
_KEPT = 4096
_LARGEST = 60  # parts of a fact; longer ones cost more than they help
_POWERS = 3
_MOST = 16  # facts that are used, the most helpful ones first; more of them cost more than they decide


class Known(NamedTuple):
    """The facts about the symbols of a question.

    `facts` hold for all values in question. `equal` maps symbols to the expressions that they equal. `quotients` lists
    divisions that are numbers, to be substituted in order after `equal`. `foreign` is like `equal`, for symbols outside
    the question.
    """

    facts: tuple[Term, ...] = ()
    equal: Mapping[str, Term] = {}
    quotients: tuple[tuple[Term, Term], ...] = ()
    foreign: Mapping[str, Term] = {}

    def substitute(self, entry: IntTerm) -> IntTerm:
        """The entry after substituting symbols, then divisions."""
        if not isinstance(entry, Term):
            return entry
        entry = substituted(entry, self.equal)
        for division, number in self.quotients:
            entry = replaced(entry, division, number)
        return entry


class Content(NamedTuple):
    """What an environment contains about some symbols; equal contents have equal facts.

    `hinted` are the symbols that have a value at which PyTorch traces.
    """

    wanted: tuple[str, ...]
    replaced: tuple[tuple[str, Term], ...] = ()
    facts: tuple[Term, ...] = ()
    hinted: tuple[str, ...] = ()

    def names(self) -> Iterator[str]:
        """All of its symbols, those of the question first."""
        yield from self.wanted
        for name, term in self.replaced:
            yield name
            yield from names(term)
        yield from names(*self.facts)

    def renamed(self, by: Mapping[str, Term]) -> Content:
        """The content with other symbols, in an order that does not depend on their names."""
        replaced = sorted([(by[n].args[0], renamed(t, by)) for n, t in self.replaced])
        facts = sorted([renamed(f, by) for f in self.facts])
        hinted = sorted([by[n].args[0] for n in self.hinted if n in by])
        return Content(tuple([by[n].args[0] for n in self.wanted]), tuple(replaced), tuple(facts), tuple(hinted))


def content(env: Any, wanted: Iterable[str]) -> Content:
    """Ranges, replacements, guards, deferred asserts and divisibility of these symbols, and of symbols tied to them.

    Statements that are not about integers are left out: then less is known, but the answer stays right.
    """
    wanted = tuple(wanted)
    if env is None:
        return Content(wanted)
    equal = {s.name: _read(e) for s, e in _of(env, "replacements").items()}
    equal = {n: e for n, e in equal.items() if e.names or e.term.op == "int"}
    facts = [f for f in _relations(env) if f.names]
    reached = _connected_symbols(wanted, [*(e.names | {n} for n, e in equal.items()), *(f.names for f in facts)])
    near = sorted((f for f in facts if not reached.isdisjoint(f.names)), key=lambda f: f.weight)
    replaced = tuple([(n, e.term) for n, e in equal.items() if n in reached])
    stated = (*(f.term for f in near[:_MOST]), *_ranges(env, reached))
    return Content(wanted, replaced, stated, tuple(hints(env, reached)))


def hints(env: Any, wanted: Container[str]) -> dict[str, int]:
    """The values at which PyTorch traces, for those of these symbols that have one."""
    if env is None:
        return {}
    values = env.backed_var_to_val if hasattr(env, "backed_var_to_val") else env.var_to_val  # its older name
    return {s.name: int(v) for s, v in values.items() if s.name in wanted and getattr(v, "is_Integer", False)}


def _connected_symbols(wanted: Iterable[str], ties: Sequence[frozenset[str]]) -> set[str]:
    """These symbols, and those that are tied to them."""
    reached, left = set(wanted), list(ties)
    while near := [t for t in left if not reached.isdisjoint(t)]:
        left = [t for t in left if reached.isdisjoint(t)]
        reached.update(*near)
    return reached


def _of(env: Any, name: str) -> Mapping[Any, Any]:
    return getattr(env, name, None) or {}


def relations(env: Any) -> Iterator[Any]:
    """The guards and deferred asserts of the environment, in sympy."""
    yield from (g.expr for g in getattr(env, "guards", ()))
    for asserts in _of(env, "deferred_runtime_asserts").values():
        yield from (a.expr for a in asserts)


def _relations(env: Any) -> Iterator[_Read]:
    """The guards and asserts of the environment, and the remainders known to be 0."""
    yield from map(_read, relations(env))
    for rest in getattr(env, "divisible", ()):
        read = _read(rest)
        yield read._replace(term=Term("==", (read.term, num(0))))


def _ranges(env: Any, names: Container[str]) -> Iterator[Term]:
    """The finite bounds of the symbols."""
    for symbol, bounds in _of(env, "var_to_range").items():
        for relation, bound in ((">=", bounds.lower), ("<=", bounds.upper)) if symbol.name in names else ():
            if getattr(bound, "is_Integer", False) and abs(int(bound)) < UNBOUNDED:
                yield Term(relation, (sym(symbol.name), num(int(bound))))


class _Read(NamedTuple):
    """A statement or expression as a term, with its names; without names if it is not usable."""

    term: Term
    names: frozenset[str]
    weight: int = 0  # smaller for more helpful facts


@lru_cache(_KEPT)
def _read(expression: Any) -> _Read:
    try:
        term = to_term(expression)
    except (SymviewError, AttributeError, TypeError, ValueError):  # it is not about integers
        return _Read(TRUE, frozenset())
    used = frozenset(names(term)) if _useful(term) or _is_equation(term) else frozenset[str]()
    return _Read(term, used, (term.op != "==") * _LARGEST + sum(1 for _ in walk(term)))


def known(content: Content) -> Known:
    """Solves the equations: of equal symbols one is kept, and none outside the question."""
    equal, quotients = dict[str, Term](), dict[Term, Term]()
    stated = *(Term("==", (sym(name), term)) for name, term in content.replaced), *content.facts
    left = [part for fact in stated for part in conjuncts(fact)]
    while (solution := next(filter(None, (_solution(f, content) for f in left)), None)) is not None:
        name, by = solution
        equal = {n: substituted(t, {name: by}) for n, t in equal.items()} | {name: by}
        left = [f for fact in left if not _trivial(f := substituted(fact, {name: by}))]
    while (division := next(filter(None, map(_known_quotient, left)), None)) is not None:
        quotients[division[0]] = division[1]
        left = [f for fact in left if not _trivial(f := replaced(fact, *division))]
    positive = {f.args[0].args[0] for f in left if _is_positive(f)}
    divided = [f for fact in left for f in _divisibility(fact, positive)]
    solved, equal = equal, {n: equal[n] for n in content.wanted if n in equal}
    about = set(names(*(equal.get(n, sym(n)) for n in content.wanted)))
    foreign = {n: t for n, t in solved.items() if n not in equal and about.issuperset(names(t))}
    facts = dict.fromkeys(_without_others(f, about) for f in divided)
    useful = [f for f in facts if f != TRUE and about.issuperset(names(f)) and _useful(f)]
    return Known(tuple(useful), equal, tuple(quotients.items()), foreign)


def _solution(fact: Term, content: Content) -> tuple[str, Term] | None:
    """A symbol that an equation determines: preferably one outside the question, or without a hint, or younger."""
    if (p := _gap(fact)) is None:
        return None
    inside = names(*operations(p).values())
    alone = [m[0] for m, c in p.items() if len(m) == 1 and abs(c) == 1 and sum(m[0] in n for n in p) == 1]
    open_ = [n for n in alone if operation_of(n) is None and n not in inside]
    if not open_:
        return None
    foreign = [n for n in open_ if n not in content.wanted]
    if not foreign and any(n not in content.wanted for n in names(fact)):
        return None
    name = max(foreign or open_, key=lambda n: (n not in content.hinted, _age(n)))
    return name, as_term({m: -c * p[(name,)] for m, c in p.items() if m != (name,)})


def _without_others(fact: Term, about: Container[str]) -> Term:
    """For an equation c·x = … whose x is outside the question: that c divides the rest; else the fact."""
    others = [n for n in names(fact) if n not in about]
    if len(others) != 1 or (p := _gap(fact)) is None:
        return fact
    own = [(m, c) for m, c in p.items() if others[0] in m]
    if len(own) != 1 or others[0] in names(*operations(p).values()):
        return fact
    rest = as_term({m: c for m, c in p.items() if m != own[0][0]})
    return TRUE if abs(own[0][1]) == 1 else _divides(num(abs(own[0][1])), rest)


def _gap(fact: Term) -> Poly | None:
    """The difference of the sides of an equation of integers; None for another formula."""
    if fact.op != "==" or any(a.is_formula() for a in fact.args):
        return None
    return minus(*map(expanded, fact.args))


def _is_equation(term: Term) -> bool:
    """Whether it is an equation of integers that is not too long."""
    return term.op == "==" and not any(a.is_formula() for a in term.args) and sum(1 for _ in walk(term)) <= _LARGEST


def _known_quotient(fact: Term) -> tuple[Term, Term] | None:
    """A division by symbols, and the number that an equation makes it equal to."""
    if fact.op != "==":
        return None
    division, number = fact.args if fact.args[1].op == "int" else fact.args[::-1]
    known = division.op == "//" and number.op == "int" and any(names(division.args[1]))
    return (division, number) if known else None


def _is_positive(fact: Term) -> bool:
    """Whether it states that a name is positive."""
    return fact.op == ">=" and fact.args[0].op == "sym" and fact.args[1].op == "int" and fact.args[1].args[0] > 0


def _divisibility(fact: Term, positive: Container[str]) -> Sequence[Term]:
    """The fact; or a divisibility, if the fact is p·x | p·y, or equates a product of x with one of d·(x//d).

    Since d·(x//d) <= x, products of positive factors are equal only if each factor is x.
    """
    if (p := _gap(fact)) is None:
        return [fact]
    if fact.args[0].op == "%" and fact.args[1] == num(0):
        top, bottom = _lowest(list(map(expanded, fact.args[0].args)), positive)
        return [_divides(as_term(bottom), as_term(top))]
    whole_numbers = [fact, *_by_coefficients(p)]
    if len(p) != 2 or sum(c > 0 for c in p.values()) != 1:
        return whole_numbers
    sides_ = [next(iter(q.items())) for q in _lowest([{m: c} for m, c in p.items()], positive)]
    (whole, count), (part, times_) = sorted(sides_, key=lambda side: any(operation_of(n) is not None for n in side[0]))
    divisions = [t for n in part if (t := operation_of(n)) is not None and t.op == "//"]
    quotients = [division.args for division in divisions]
    tops = sorted(top.args[0] for top, _ in quotients if top.op == "sym")
    divisors = [d.args[0] for _, d in quotients if d.op == "int" and d.args[0] > 0]
    same = tops == sorted(whole) and all(n in positive for n in whole) and len(part) == len(divisors) == len(whole)
    if not same or abs(times_) != abs(count) * prod(divisors):
        return whole_numbers
    return [_divides(bottom, top) for top, bottom in quotients]


def _by_coefficients(p: Poly) -> Iterator[Term]:
    """The divisibilities that p = 0 implies: a common divisor of all other coefficients divides each term."""
    for m, c in p.items() if len(p) > 1 else ():
        shared = gcd(*(d for n, d in p.items() if n != m))
        if m and (divisor := shared // gcd(shared, c)) > 1:
            yield _divides(num(divisor), as_term({m: 1}))


def _divides(bottom: Term, top: Term) -> Term:
    return Term("==", (Term("%", (top, bottom)), num(0)))


def _lowest(polys: Sequence[Poly], positive: Container[str]) -> list[Poly]:
    """The polynomials divided by the positive names common to all of their monomials."""
    monomials = [m for p in polys for m in p]
    for name in [n for n in monomials[0] if n in positive] if monomials else ():
        if all(name in m for p in polys for m in p):
            polys = [{over(m, (name,)) or (): c for m, c in p.items()} for p in polys]
    return list(polys)


def _age(name: str) -> tuple[int, str]:
    digits = "".join(c for c in name if c.isdigit())
    return int(digits or 0), name


def _trivial(fact: Term) -> bool:
    """Whether an equation or a bound always holds."""
    if fact.op not in ("==", ">=", "<=") or any(a.is_formula() for a in fact.args):
        return fact == TRUE
    p = minus(*map(expanded, fact.args))
    return not p or (fact.op != "==" and set(p) == {ONE} and (p[ONE] > 0) == (fact.op == ">="))


def _useful(term: Term) -> bool:
    """Whether a solver can use it: short, of low degree, with numbers as divisors."""
    nodes = list(walk(term))
    if len(nodes) > _LARGEST or any(n.op in ("**", "<<", ">>", "if") for n in nodes):
        return False
    if any(n.op in ("//", "%") and (n.args[1].op != "int" or n.args[1].args[0] < 1) for n in nodes):
        return False
    return all(n.op != "*" or sum(a.op != "int" for a in n.args) <= _POWERS for n in nodes)
