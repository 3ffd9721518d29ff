"""What a certificate claims, as one closed formula of plain integers; its evidence is not read here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from symview.trusted.document import (
    DEEPEST,
    BadCertificate,
    Object,
    View,
    chain,
    checked,
    expression,
    formula,
    get,
    integers,
    layout,
    listed,
    maybe,
    some,
    values,
    view,
)
from symview.trusted.formulas import RELATIONS, Tree, defined, names, put
from symview.verify.nodes import (
    Along,
    Chain,
    Node,
    Operation,
    Program,
    Property,
    Rule,
    assumed,
    both,
    domain,
    either,
    entries,
    every,
    holds,
    if_,
    masks,
    meant,
    says,
    smaller,
    valued,
)

# Theorems


def along(of: Object) -> Along:
    """The folds of a list: each has a first value and a next one, and `own` are the parts of its elements.

    That there is a next value is assumed of each element, as what is said of it.
    """
    folds = {n: listed({n: pair}, n, expression) for n, pair in get(of, "folds", dict).items()}
    if any(len(pair) != 2 for pair in folds.values()):
        raise BadCertificate("a fold has a first value, and a next one")
    each = meant(*listed(of, "each", formula), then=[later for _, later in folds.values()])
    one = Along(folds, each, {*names(*listed(of, "own", expression))})
    if {*names(*one.firsts().values())} & ({*folds} | one.own) or one.own & {*folds}:
        raise BadCertificate(
            "a first value is of names that change along the list, or a name means two things along it"
        )
    return one


def firsts_of(lists: Sequence[Along]) -> list[Tree]:
    """The first values along lists, which a claim about them assumes to exist."""
    return [first for one in lists for first in one.firsts().values()]


def stated(question: Object) -> tuple[Tree, ...]:
    """The claim of a theorem, and what it assumes."""
    return formula(question.get("claim")), *listed(question, "assume", formula)


def _theorem(claim: Object) -> Node:
    """For all integers, or at these values: the claim does not hold there, and, if said, nowhere nearer to 0."""
    if claim.get("claim") is None:
        return ("open", "a statement that is not a formula of integers")
    verdict, (claimed, *given) = get(claim, "verdict", str), stated(claim)
    if verdict == "refuted":
        return _refuted(claim, claimed, given)
    if verdict != "proved":
        return ("open", "a statement that is open")
    lists = some(claim, "lists", along)
    body = if_(meant(*given, then=[claimed, *firsts_of(lists)]), claimed)
    folds = [n for one in lists for n in one.folds]
    told = {*names(claimed, *given), *folds, *[n for one in lists for n in one.fixed]}
    if any(one.own & told for one in lists) or len({*folds}) < len(folds):
        raise BadCertificate("a part of an element, or a fold, has the name of something else")
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
    denied = ("not", claimed)
    found = ("at", at, ("and", *dict.fromkeys((*says(*given, denied), denied)), *shown))
    if not get(claim, "smallest", bool):
        return found
    return ("and", found, every(at, if_([smaller(at), *needs], claimed)))


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
    outer = [f for f in needs if names(f).keys() <= about.keys()]
    others = tuple([n for n in mentioned if n not in about])
    always = ("all", others, if_([f for f in needs if f not in outer], claimed))
    condition = both(says(condition))
    directions = get(claim, "directions", str)
    if directions == "both":
        return every(about, if_(outer, ("<->", always, condition)))
    parts: dict[str, tuple[str, Node]] = {
        "enough": ("sufficient", ("->", condition, always)), "needed": ("necessary", ("->", always, condition)),
    }  # fmt: skip
    if directions not in (*parts, "none"):
        raise BadCertificate(f"the directions {directions[:20]!r} of a premise")
    return ("and", *[every(about, if_(outer, part)) if directions == side else ("open", f"that the condition is {word}")
                     for side, (word, part) in parts.items()])  # fmt: skip


# Questions that are answered by cases


class Asked(NamedTuple):
    """A question that is answered by cases: when a node holds, given these facts, and what has to be there."""

    node: Node
    facts: list[Tree]
    entries: list[Tree]
    views: tuple[View, ...] = ()
    sizes: tuple[Tree, ...] = ()  # of layouts; they are positive

    def needs(self) -> list[Tree]:
        """What is assumed: the facts, that everything has a value, and that the views are views."""
        has_value = [*[v for f in (*self.facts, self.fits) for v in valued(f)], *defined(*self.entries)]
        return assumed(self.facts, has_value, [*domain(*self.views), *self._positive()])

    def met(self) -> list[Tree]:
        """The same as a claim."""
        return holds(*valued(self.fits), *defined(*self.entries), *self.facts, *domain(*self.views), *self._positive())

    def _positive(self) -> list[Tree]:
        return [(">=", n, 1) for n in self.sizes]

    @property
    def fits(self) -> Tree:
        """That the sizes fit, where that is asked."""
        return self.node[1].fits if self.node[0] == "one_view" else True

    @property
    def names(self) -> dict[str, None]:
        """The names that it is about."""
        return names(*self.entries, *self.facts, self.fits)


def asked(question: Object) -> Asked:
    """The question of an answer by cases."""
    plain = question["kind"] in ("merge", "layout")  # which are of numbers, and assume nothing
    facts = [] if plain else listed(question, "facts", formula)
    if "views" in question:
        fits = formula(question["fits"]) if "fits" in question and not plain else True
        chained = Chain(tuple(chain(question, "views", 2)), fits)
        return _of_views(("one_view", chained), facts, chained.views)
    if "pair" in question:
        pair = tuple(chain(question, "pair", 2))
        if len(pair) != 2:
            raise BadCertificate('"pair" has to be two views')
        return _of_views(("share", pair), facts, pair)
    if "view" in question:
        one = view(get(question, "view", dict))
        return _of_views(("has", _property(question, one)), facts, (one,))
    if "operation" not in question:
        raise BadCertificate("a guard without a question")
    of = operation_asked(question)
    bound = [] if of.bound is None else [of.bound]
    inside = [x for one in of.layouts for x in entries(one)]  # sizes and strides in turn
    sizes = (*(of.shape or ()), *inside[::2])
    return Asked(("exists", of), facts, [*bound, *(of.shape or ()), *inside], sizes=sizes)


def _of_views(node: Node, facts: list[Tree], views: tuple[View, ...]) -> Asked:
    return Asked(node, facts, [x for v in views for x in v.entries()], views)


def _property(question: Object, one: View) -> Property:
    word = get(question, "property", str)
    if word not in ("contiguous", "dense", "injective"):
        raise BadCertificate(f"the property {word[:20]!r}")
    order = integers(question, "order") if word == "contiguous" else None
    if order is not None and sorted(order) != [*range(len(one.shape))]:
        raise BadCertificate("an order has each dim once, the fastest first")
    return Property(one, word, order, word == "dense" and get(question, "flips", bool))


def operation_asked(question: Object) -> Operation:
    """The operation of a question."""
    word, given = get(question, "operation", str), listed(question, "layouts", lambda x: layout(x, True))
    bound = expression(question.get("bound")) if word == "complement" else None
    tiles = word == "tile_to_shape"
    shape = tuple(listed(question, "shape", expression)) if tiles else None
    order = integers(question, "order") if tiles else None
    if order is not None and sorted(order) != [*range(len(shape or ()))]:
        raise BadCertificate("an order of tiles has each dim of the shape once")
    return Operation(word, tuple(given), bound, shape, order)


# Answers by cases


class Case(NamedTuple):
    """A claim for values with `where`: `found` is the answer if the equations hold; `hints` help to show it."""

    where: Tree
    status: str
    equations: list[Tree]
    found: Any
    hints: Any = ()

    @property
    def place(self) -> Tree:
        """The formula under which the answer is claimed."""
        return both(holds(self.where, *self.equations))


_FITS = {"always": (True, False), "when": (True, True), "never": (False, False), "out_of_bounds": (False, False)}


def cases_of(asked: Asked, cases: Sequence[Any]) -> list[Case]:
    """The cases of an answer; raises BadCertificate if one claims what no case of its status does."""
    about = asked.names
    return [_case(asked.node[0], about, c) for c in cases]


def _case(op: str, about: Collection[str], given: Object) -> Case:
    status, equations = get(given, "status", str), listed(given, "equations", formula)
    found: Any = None
    if op == "one_view" and given.get("view") is not None:
        found = view(given["view"])
    elif op == "exists" and given.get("layout") is not None:
        found = layout(given["layout"])
    elif (op == "has" and status != "never") or (op == "share" and status == "always"):
        found = True
    known = {"share": ("always", "never", "undecided"), "one_view": (*_FITS, "undecided")}
    if status not in known.get(op, ("always", "when", "never", "undecided")) or (
        status in _FITS and (found is not None, bool(equations)) != _FITS[status]
    ) or any(type(e) is not tuple or e[0] != "==" for e in equations):  # fmt: skip
        raise BadCertificate(f"a case of status {status[:20]!r} with such an answer and such equations")
    case = Case(formula(given.get("where")), status, equations, found)
    if not all(n in about for n in names(case.where, *equations, *_inside(found))):
        raise BadCertificate("what is in a case has strange names")
    return case


def _inside(found: Any) -> Sequence[Tree]:
    """The entries of an answer."""
    return found.entries() if isinstance(found, View) else () if type(found) is bool else entries(found)


def _by_cases(claim: Object) -> Node:
    """In each case its answer is right, and there is none elsewhere; the cases cover all values."""
    of = asked(claim)
    clauses = claim.get("clauses")
    parts = parts_of(of, cases_of(of, get(claim, "cases", list)))
    if clauses is not None:
        whole = listed(claim, "clauses", formula)
        if not all(n in of.names for n in names(*whole)):
            raise BadCertificate("the whole condition has strange names")
        parts.append(("<->", of.node, both(holds(*whole))))
    return every(of.names, if_(of.needs(), ("and", *parts)))


def parts_of(of: Asked, cases: Sequence[Case]) -> list[Node]:
    """What the cases claim: a part for each, and one for all."""
    inside = {*domain(*of.views)}  # which is assumed
    found = [("and", *_claims(of.node, c, inside)) for c in cases]
    if of.node[0] == "exists" and of.node[1].name == "composition":  # its cases may meet, and leave values out
        ways = either([c.place for c in cases if c.status != "never"])
        none = [("not", c.place) for c in cases if c.status == "never"]
        return [*found, ("given", (of.node,), both([ways, *none]))]
    if [c.where for c in cases] == [True]:
        return found
    return [*found, ("one_of", tuple([both(holds(c.where)) for c in cases]), tuple([c.status for c in cases]))]


def _claims(node: Node, c: Case, inside: Collection[Tree]) -> Iterator[Node]:
    """What one case claims."""
    where, whole = holds(c.where), node[0] == "exists" and node[1].name == "composition"
    if c.found is not None and (c.status != "undecided" or node[0] != "has"):
        masked = [f for f in masks(c.found) if f not in inside]
        has_value = [] if c.found is True else holds(*defined(*_inside(c.found)), *masked)
        answer = node if c.found is True else ("is", node[1], c.found)
        yield if_(holds(c.where, *c.equations), ("and", *has_value, answer) if has_value else answer)
    if c.status == "when" and not whole:
        yield if_([*where, node], both(holds(*c.equations)))
    if c.status == "never" and not whole:
        yield if_(where, ("not", node))
    if node[0] == "one_view" and c.status in ("never", "out_of_bounds"):
        leaves = ("leaves", node[1])
        fits = [] if node[1].fits is True else [node[1].fits]
        yield if_([*where, *fits], leaves if c.status == "out_of_bounds" else ("not", leaves))
    if c.status == "undecided":
        yield ("open", "an undecided case")


def _guard(claim: Object) -> Node:
    """A check holds just where there is an answer; or these are values at which it does not."""
    of, guard, verdict = asked(claim), formula(claim.get("guard")), get(claim, "verdict", str)
    about = {**of.names, **names(guard)}
    if verdict == "exact":
        return every(about, if_([*of.needs(), *valued(guard)], ("<->", guard, of.node)))
    at = values(claim, "values")
    if verdict not in ("too weak", "too strong") or set(at) != {*about}:
        raise BadCertificate("a guard that is wrong at values of other names")
    weak = verdict == "too weak"
    found = [*of.met(), *holds(guard if weak else ("not", guard))]
    if weak and of.node[0] == "one_view" and maybe(claim, "index", list) is not None:
        found.append(_breaks(of.node[1], claim))
    else:
        found.append(("not", of.node) if weak else of.node)
    return ("at", at, ("and", *found))


# Views of numbers


def _merge(claim: Object) -> Node:
    """The views lead where one view does; or they are not one view, and this shows why."""
    views = Chain(tuple(chain(claim, "views", 2, numeric=True)))
    if claim.get("view") is not None:
        return ("is", views, chain({"views": [claim["view"]]}, "views", 1, numeric=True)[0])
    return _breaks(views, claim)


def _breaks(of: Chain, claim: Object) -> Node:
    if len(index := integers(claim, "index")) != len(of.views[-1].shape):
        raise BadCertificate(f"{index} is not an index of the views")
    return ("breaks", of, index)


def _layout(claim: Object) -> Node:
    of, found = operation_asked(claim), layout(claim.get("layout"))
    inside = [x for one in (*of.layouts, found) for x in entries(one)]
    if names(*inside, *(of.shape or ()), of.bound):
        raise BadCertificate("a layout of numbers has names")
    if not all(put(("<", 0, n), {}) is True for n in inside[::2]):
        raise BadCertificate("a size of a layout is not a positive number")
    return ("is", of, found)


def _chains(claim: Object) -> Node:
    """Two chains lead to the same places, and perhaps no fewer views do; or they do not at this index."""
    first, second = (Chain(tuple(chain(claim, key, numeric=True))) for key in ("first", "second"))
    if not get(claim, "same", bool):
        sides = None if maybe(claim, "sides", list) is None else integers(claim, "sides")
        index = integers(claim, "index")
        found = ("differ", first, second, index, sides)
        return ("and", found, ("same", first, second, index)) if maybe(claim, "smallest", bool) else found
    same = ("same", first, second, None)
    if not maybe(claim, "minimal", bool) or len(second.views) == 1:
        return same
    two = len(second.views) == 2
    return ("and", same, ("not", ("one_view", second)) if two else ("open", "that no fewer suffice"))


# Rules of programs


def _rule(claim: Object) -> Node:
    """Both programs show the same elements at all sizes; or they do not at these, and perhaps at no smaller ones."""
    verdict, parts = get(claim, "verdict", str), list[Node]()
    if verdict not in ("proved", "refuted"):
        raise BadCertificate(f"verdict {verdict[:20]!r} of a rule")
    rules = rules_of(claim)
    for rule, assume in rules:
        if verdict == "proved":
            parts.append(every({**rule.names(), **names(*assume)}, if_(meant(*assume), ("shows", rule))))
        else:
            parts += _rule_refuted(claim, rule, assume)
    if get(claim, "parts", bool) or not rules:
        parts.append(("open", "that the statement is about these programs alone"))
    return parts[0] if len(parts) == 1 else ("and", *parts)


def _rule_refuted(claim: Object, rule: Rule, assume: Sequence[Tree]) -> Iterator[Node]:
    at, about = values(claim, "values"), {**rule.names(), **names(*assume)}
    index = None if claim.get("index") is None else integers(claim, "index")
    if set(at) != {*about}:
        raise BadCertificate("not every name has a value, or another one has")
    yield ("at", at, ("and", *says(*assume), ("apart", rule, index)))
    if get(claim, "smallest", bool):
        yield every(about, if_([smaller(at), *meant(*assume)], ("shows", rule._replace(more=False))))


def rules_of(question: Object) -> list[tuple[Rule, list[Tree]]]:
    """The pairs of programs of a rule, each with what is assumed."""
    return [
        (Rule(program(get(one, "left", dict)), program(get(one, "right", dict)), get(one, "more", bool)),
         listed(one, "assume", formula))
        for one in get(question, "instances", list)
    ]  # fmt: skip


def program(of: Object, depth: int = 0) -> Program:
    """A program; which steps there are is checked where their elements are computed."""
    if depth > DEEPEST:
        raise BadCertificate("programs are nested too deep")
    steps = list[tuple[Any, ...]]()
    for step in get(of, "steps", list):
        op, *given = checked(step, list, "a step") or [None]
        if op == "concat" and len(given) == 2 and type(given[1]) is int:
            steps.append((op, program(checked(given[0], dict, "a program"), depth + 1), given[1]))
        elif op == "read" and len(given) == 1:
            steps.append((op, view(given[0])))
        elif op in ("concat", "read"):
            raise BadCertificate(f"{op} of something else")
        else:
            steps.append((checked(op, str, "a step"), *map(expression, given)))
    return Program(get(of, "tensor", str), tuple(listed(of, "shape", expression)), tuple(steps))


STATEMENTS: dict[str, Callable[[Object], Node]] = {
    "theorem": _theorem, "premise": _premise, "guard": _guard, "merge": _merge, "chains": _chains, "rule": _rule,
    "layout": _layout,
    **dict.fromkeys(("conditions", "layout_conditions", "stride_conditions", "overlap"), _by_cases),
}  # fmt: skip


def statement(claim: Object) -> Node:
    """The statement of a claim; raises BadCertificate if there is none.

    >>> statement({"kind": "theorem", "verdict": "proved", "claim": ["==", ["%", "x", 2], 0], "assume": []})
    ('all', ('x',), ('==', ('%', 'x', 2), 0))
    """
    kind = get(claim, "kind", str)
    if kind not in STATEMENTS:
        raise BadCertificate(f"kind {kind[:40]!r}: this checker knows {', '.join(STATEMENTS)}")
    return STATEMENTS[kind](claim)
