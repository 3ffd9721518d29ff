"""What a certificate claims, as one closed formula of plain integers; its evidence is not read here.

A statement is a tree of formulas, in total arithmetic: a quotient by 0 is some number, so where a value is needed, a
divisor other than 0 stands in the formula. Above formulas there are binders, and assumptions:

("all", names, body)         for all integers
("at", values, body)         where the names have these values
("along", Along, body)       for every list whose elements satisfy `each`; the folds' names are its values
("given", formulas, body)    if all these hold, so does the body
("open", what)               nothing is claimed, for this reason
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from symview.trusted.document import (
    DEEPEST,
    BadCertificate,
    Object,
    expression,
    formula,
    get,
    integers,
    listed,
    maybe,
    values,
)
from symview.trusted.formulas import FORMULAS, RELATIONS, Tree, defined, names, put
from symview.trusted.work import Work

Node = Tree  # a formula, or a tree of those above formulas


class Along(NamedTuple):
    """The folds of one list, each with its first value and its next one; `each` holds for all elements.

    `fixed` are the names that do not change along the list, `own` those that are new in each element.
    """

    folds: dict[str, list[Tree]]
    each: list[Tree]
    fixed: set[str]
    own: set[str]

    def merged(self, other: Along) -> Along:
        """Merges the folds of two theorems about the same list."""
        both = Along(self.folds | other.folds, self.each + other.each, self.fixed | other.fixed, self.own | other.own)
        apart = any(self.folds.get(n, pair) != pair for n, pair in other.folds.items())
        if apart or both.fixed & {*both.folds, *both.own} or both.own & {*both.folds}:
            raise BadCertificate("a name means two things along a list")
        return both

    def names(self) -> dict[str, None]:
        """The names in it, in order."""
        return names(*self.each, *[x for pair in self.folds.values() for x in pair])

    def firsts(self) -> dict[str, Tree]:
        """The values of the folds for the empty list."""
        return {n: first for n, (first, _) in self.folds.items()}

    def nexts(self) -> dict[str, Tree]:
        """The values of the folds after one more element."""
        return {n: later for n, (_, later) in self.folds.items()}


# What every kind means by them


def meant(*formulas: Tree, then: Sequence[Tree] = ()) -> list[Tree]:
    """The formulas, as assumptions, after those that they and `then` have values.

    The trees are as they were read: after a substitution, what had no value may be gone. What is evident by the signs
    of the formulas is left out, which makes a statement only stronger.

    >>> meant((">=", "a", 1), then=[("==", ("%", "x", ("*", 2, "a")), ("//", 1, "y"))])
    [('!=', 'y', 0), ('>=', 'a', 1)]
    """
    above_0 = positive(formulas)
    own = {*formulas}
    every = dict.fromkeys((*defined(*formulas, *then), *formulas))
    return [f for f in every if f is not True and (f in own or not _evident(f, above_0))]


def says(*formulas: Tree) -> list[Tree]:
    """The formulas, as a claim: they have values, and hold; nothing is left out."""
    return [*dict.fromkeys((*defined(*formulas), *formulas))]


def _evident(f: Tree, above_0: Collection[Tree]) -> bool:
    """Whether a formula holds by itself, or says that a positive divisor is not 0."""
    return put(f, {}) is True or (f[0] == "!=" and f[2] == 0 and is_positive(put(f[1], {}), above_0))


def positive(formulas: Sequence[Tree]) -> set[Tree]:
    """The expressions that are positive by one of the formulas."""
    bounds = [f for f in formulas if type(f) is tuple and f[0] in (">=", ">") and type(f[2]) is int]
    return {f[1] for f in bounds if f[2] >= (f[0] == ">=")}


def is_positive(t: Tree, above_0: Collection[Tree]) -> bool:
    """Whether an expression is positive, by the signs of its terms."""
    if type(t) is tuple and t[0] in ("*", "+"):
        return all(is_positive(x, above_0) for x in t[1:])
    return t > 0 if type(t) is int else t in above_0


def both(formulas: Sequence[Tree]) -> Tree:
    """The conjunction."""
    return formulas[0] if len(formulas) == 1 else ("and", *formulas) if formulas else True


def if_(formulas: Iterable[Tree], body: Node) -> Node:
    """The body, under these assumptions."""
    given = tuple(formulas)
    return ("given", given, body) if given else body


def every(about: Iterable[str], body: Node) -> Node:
    """The body, for all integers of these names."""
    bound = tuple(dict.fromkeys(about))
    return ("all", bound, body) if bound else body


def is_formula(node: Node) -> bool:
    """Whether nothing but formulas is in it."""
    if type(node) is not tuple or node[0] in RELATIONS:
        return type(node) in (bool, tuple)
    return node[0] in FORMULAS and all(map(is_formula, node[1:]))


# Theorems


def along(question: Object) -> Along:
    """The folds of a theorem about a list."""
    folds = {n: listed({n: pair}, n, expression) for n, pair in get(question, "folds", dict).items()}
    if any(len(pair) != 2 or set(names(pair[0])) & set(folds) for pair in folds.values()):
        raise BadCertificate("a fold has a first value without folds, and a next one")
    each, told = listed(question, "each", formula), stated(question)
    fixed = {*names(*told, *[first for first, _ in folds.values()])} - {*folds}
    own = {*names(*each, *[later for _, later in folds.values()])} - {*folds} - fixed
    return Along(folds, each, fixed, own)


def stated(question: Object) -> tuple[Tree, ...]:
    """The claim of a theorem, and what it assumes."""
    return formula(question.get("claim")), *listed(question, "assume", formula)


def lists_of(question: Object, work: Work, depth: int = 0) -> list[Along]:
    """The lists that a theorem or its lemmas fold; those with a common fold are one."""
    if "folds" in question:
        return [along(question)]
    if "by" not in question:
        return []
    if depth > DEEPEST:
        raise BadCertificate("lemmas are nested too deep")
    found = list[Along]()
    for one in listed(question, "by", lambda x: get(x, "lemma", dict)):
        for more in lists_of(one, work, depth + 1):
            work.spend(sum([len(x.folds) + len(x.each) + len(x.fixed) + len(x.own) for x in (*found, more)]))
            same = [x for x in found if {*x.folds} & {*more.folds}]
            found = [x for x in found if x not in same] + [reduce(Along.merged, same, more)]
    return found


def _in_order(lists: Sequence[Along], work: Work) -> list[Along]:
    """The lists, each after those whose folds it mentions."""
    left, found = [*lists], list[Along]()
    while left:
        work.spend(sum([len(x.folds) + len(x.fixed) for x in left]) * len(left))
        ready = [x for x in left if not any(x.fixed & {*y.folds} for y in left if y is not x)]
        if not ready:
            raise BadCertificate("lists mention each other's folds")
        found += ready
        left = [x for x in left if x not in ready]
    return found


def _theorem(claim: Object) -> Node:
    """For all integers, or at these values: the claim does not hold there, and, if said, nowhere nearer to 0."""
    if claim.get("claim") is None:
        return ("open", "a statement that is no formula of integers")
    verdict, (claimed, *given) = get(claim, "verdict", str), stated(claim)
    if verdict == "refuted":
        return _refuted(claim, claimed, given)
    if verdict != "proved":
        return ("open", "a statement that is open")
    body, lists = if_(meant(*given, then=[claimed]), claimed), claim["lists"]
    folds = {n for one in lists for n in one.folds}
    told = {*names(claimed, *given), *folds, *[n for one in lists for n in one.fixed]}
    if any(one.own & told for one in lists):
        raise BadCertificate("a part of an element has the name of something else")
    for one in reversed(lists):
        body = ("along", one, body)
    inside = [n for one in lists for n in one.names() if n not in one.own]
    return every([n for n in (*names(claimed, *given), *inside) if n not in folds], body)


def _refuted(claim: Object, claimed: Tree, given: Sequence[Tree]) -> Node:
    at, needs = values(claim, "values"), meant(*given, then=[claimed])
    if set(at) != {*names(claimed, *given)}:
        raise BadCertificate("not every name has a value, or another one has")
    sides, compared = maybe(claim, "sides", list) is not None and integers(claim, "sides"), _sides(claimed, at)
    if sides is not False and len(compared) != len(sides):
        raise BadCertificate("there are sides of a claim without, or none")
    shown = [("==", x, n) for x, n in zip(compared, sides or (), strict=False) if x != n or type(x) is not int]
    found = ("at", at, ("and", *says(*given, ("not", claimed)), *shown))
    if not get(claim, "smallest", bool):
        return found
    total = ("<", ("+", 0, *[("abs", n) for n in at]), sum(map(abs, at.values())))
    return ("and", found, every(at, if_([total, *needs], claimed)))


def _sides(claim: Tree, at: dict[str, int]) -> Sequence[Tree]:
    """The sides of the comparison that makes the claim false, if there is exactly one."""
    if type(claim) is tuple and claim[0] in ("->", "and"):
        return _sides(next((p for p in claim[1 + (claim[0] == "->") :] if put(p, at) is not True), True), at)
    return claim[1:] if type(claim) is tuple and claim[0] in RELATIONS else ()


def _premise(claim: Object) -> Node:
    """The claim holds for all values of the other names just where the condition does; or only one direction."""
    if claim.get("condition") is None or claim.get("claim") is None:
        return ("open", "a premise that was not found, or is of no formula of integers")
    (claimed, *given), condition = stated(claim), formula(claim["condition"])
    about = dict.fromkeys(listed(claim, "about", expression))
    mentioned = names(claimed, *given)
    if not {*names(condition)} <= {*about} <= {*mentioned}:
        raise BadCertificate("the condition has names that it is not about")
    needs = meant(*given, then=[claimed])
    outer = [f for f in needs if {*names(f)} <= {*about}]
    holds = every([n for n in mentioned if n not in about], if_([f for f in needs if f not in outer], claimed))
    condition = both(says(condition))
    parts: dict[str, Node] = {"sufficient": ("->", condition, holds), "necessary": ("->", holds, condition)}
    proved = {side: get(claim, side, str) == "proved" for side in parts}
    if all(proved.values()):
        return every(about, if_(outer, ("<->", holds, condition)))
    return ("and", *[every(about, if_(outer, part)) if proved[side] else ("open", f"that the condition is {side}")
                     for side, part in parts.items()])  # fmt: skip


STATEMENTS: dict[str, Callable[[Object], Node]] = {"theorem": _theorem, "premise": _premise}
_PARTS = {  # the keys of question and answer that are claimed, by kind and verdict; all others are evidence
    "theorem": ("claim", "assume"), "premise": ("claim", "assume", "about", "condition", "sufficient", "necessary"),
    "refuted": ("values", "sides", "smallest"),
}  # fmt: skip


def claim_of(document: Object, work: Work) -> Object:
    """What a certificate claims, without its evidence."""
    kind, question, answer = get(document, "kind", str), get(document, "question", dict), get(document, "answer", dict)
    verdict = answer.get("verdict")
    wanted = (*_PARTS[kind], *_PARTS.get(verdict if type(verdict) is str else "", ()))
    found = {"kind": kind, **{key: side[key] for side in (question, answer) for key in wanted if key in side}}
    if kind == "theorem":
        found |= {"verdict": verdict, "lists": _in_order(lists_of(question, work), work) if verdict == "proved" else []}
    return found


def statement(claim: Object) -> Node:
    """The statement of a claim; raises BadCertificate if there is none.

    >>> statement({"kind": "theorem", "verdict": "proved", "claim": ["==", ["%", "x", 2], 0], "assume": [],
    ...            "lists": []})
    ('all', ('x',), ('==', ('%', 'x', 2), 0))
    """
    return STATEMENTS[claim["kind"]](claim)
