"""What has to hold for conditions on views with names in them, and for guards beside conditions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from symview.verify.chains import Known, affine_at, box, composed, walked, why_not
from symview.verify.document import BadCertificate, View, chain, entry, formula, get, integers, listed, values, view
from symview.verify.formulas import Tree, compiled, degree, linear, made, names, put
from symview.verify.obligations import WALK, Obligation, Steps, holds, shown

ROUNDS = 16  # indices that are looked for, of which each forces something


class Case(NamedTuple):
    """What is claimed wherever `where` holds; `indices` are said to force the equations."""

    where: Tree
    status: str
    equations: list[Tree]
    view: View | None
    indices: Sequence[tuple[Tree, ...]]


class Asked(NamedTuple):
    """Views and what is taken for granted; `fitting`: that the sizes agree, where that has to be."""

    views: list[View]
    facts: list[Tree]
    fitting: Tree
    cases: list[Case]
    free: list[str]  # addresses are linear in them: they occur in the first view's strides and offset alone
    names: list[str]


def _asked(question: Any, cases: list[Case]) -> Asked:
    views, facts = chain(question, "views", 2), listed(question, "facts", formula)
    sizes = [made("*", 1, *v.shape) for v in (views[0], views[-1])]
    first, entries = views[0], [*views[0].strides, views[0].offset]
    fixed = names(*first.shape, *(x for b in first.mask or () for x in b), *(c.where for c in cases))
    fixed |= names(*[x for v in views[1:] for x in v.entries()])
    free = [n for n in names(*entries) if n not in fixed]
    for x in entries:
        free = free if degree(x, free) < 2 else [n for n in free if n not in names(x)]
    known = [*names(*[x for v in views for x in v.entries()])]
    for c in cases:
        parts = [*(() if c.view is None else c.view.entries()), *[x for e in c.equations for x in e[1:]]]
        strange = names(c.where, *parts, *facts, *[x for i in c.indices for x in i]).keys() - set(known)
        if strange or any(degree(x, free) > 1 for x in parts):
            raise BadCertificate("what is in a case has strange names, or is not linear in the strides")
    return Asked(views, facts, ("==", *sizes) if question.get("reshape") else True, cases, free, known)


def _case(given: Any) -> Case:
    status, merged, equations = get(given, "status", str), given.get("view"), listed(given, "equations", formula)
    if status not in ("always", "when", "never", "out_of_bounds", "undecided"):
        raise BadCertificate(f"a case of status {status[:20]!r}")
    if status in ("always", "when") and (merged is None or (status == "when") != bool(equations)):
        raise BadCertificate(f"a case of status {status} without its view or its equations")
    if any(type(e) is not tuple or e[0] != "==" for e in equations):
        raise BadCertificate("an equation is none")
    indices: list[tuple[Tree, ...]] = listed(given, "witnesses", lambda w: integers(w, "index"))
    if "indices" in given:
        indices += listed(given, "indices", lambda i: tuple(listed({"index": i}, "index", entry)))
    return Case(formula(given.get("where")), status, equations, None if merged is None else view(merged), indices)


def of_conditions(question: Any, answer: Any) -> Steps:
    """The cases, under the facts, say exactly where the views are one view, and which; `clauses` say the same."""
    asked = _asked(question, listed(answer, "cases", _case))
    yield from _cases(asked)
    if answer.get("clauses") is not None:
        yield _whole(asked, ("and", True, *listed(answer, "clauses", formula)))


def _cases(asked: Asked) -> Steps:
    wheres = [c.where for c in asked.cases]
    twice = [("and", a, b) for n, a in enumerate(wheres) for b in wheres[:n]]
    yield Obligation("that some case is about all values", ("or", False, *wheres), asked.facts)
    yield Obligation("that no two cases are about one value", ("not", ("or", False, *twice)), asked.facts)
    for c in asked.cases:
        if c.view is not None and c.status != "never":
            yield from _enough(asked, c, c.view)
        if c.status == "undecided":
            yield Obligation("whether the equations of an undecided case are needed", None)
        elif c.status != "always":
            yield from _needed(asked, c)


def _enough(asked: Asked, case: Case, v: View) -> Steps:
    """No index at which the composition and the view differ, wherever the equations hold."""
    last, what = asked.views[-1], f"that the equations of {case.status} are enough"
    yield Obligation("that the view has the same rank", len(v.shape) == len(last.shape))
    ranges, facts = box(last.shape), [*asked.facts, case.where, *case.equations]
    there, mine = composed(asked.views, [*ranges], "a"), composed([v], [*ranges])
    fits = [("==", a, b) for a, b in zip(v.shape, last.shape, strict=True) if a != b]
    yield Obligation("that the sizes agree", ("and", asked.fitting, *fits), facts)
    same = ("and", ("not", there.outside), ("<->", there.valid, mine.valid))
    apart, lets = linear(made("-", mine.address, there.address), asked.free), dict(there.lets)
    zeros = [f for f in asked.facts if type(f) is tuple and f[0] == "==" and degree(("+", *f[1:]), asked.free) < 2]
    leads: list[str] = []
    for number, e in enumerate([*case.equations, *zeros]):  # each takes a name out of what has to be 0
        form = linear(("-", *e[1:]), asked.free)
        lead = next(
            (n for n in asked.free if n not in leads and type(form.get(n)) is int and form[n] and n in apart), ""
        )
        if lead:
            leads.append(lead)
            rest = {n: made("-", made("*", form[lead], apart.get(n, 0)), made("*", apart[lead], form.get(n, 0)))
                    for n in dict.fromkeys((*apart, *form))}  # fmt: skip
            lets |= {f"#d{number}.{n}": x for n, x in rest.items()}
            apart = {n: f"#d{number}.{n}" for n, x in rest.items() if x != 0}
    zero = ("->", there.valid, ("and", True, *[("==", x, 0) for x in apart.values()]))
    given = [*[f for f in asked.facts if not degree(f, asked.free)], case.where]
    found = yield Obligation(what, ("and", same, zero), given, ranges, lets, doubt=True)
    if found is not None:
        claim = ("and", same, ("->", there.valid, ("==", mine.address, there.address)))
        here = [("==", n, x) for n, x in found.items() if n in ranges or (n in asked.names and n not in asked.free)]
        if (yield Obligation(what, claim, [*facts, *here], ranges, there.lets)) is None:
            yield Obligation(what, claim, facts, ranges, there.lets)


def _needed(asked: Asked, case: Case) -> Steps:
    """Where an equation fails, or in all of a case that says never, an index shows that the views do not merge."""
    last, ranges, outside = asked.views[-1], box(asked.views[-1].shape), case.status == "out_of_bounds"
    given, lemmas = [*asked.facts, case.where, asked.fitting], list[Known]()
    what = "that a case out of bounds is so" if outside else f"that the equations of {case.status} are needed"
    for n, side in product(range(1, len(asked.views)), "<>") if outside else ():
        view = asked.views[n]
        bounds = view.mask or [(0, size) for size in view.shape]
        corner = [("if", (side, t, 0), a, ("-", b, 1)) for (a, b), t in zip(bounds, view.strides, strict=True)]
        point = composed(asked.views[n - 1 : n + 1], corner, f"{side}{n}")
        lemmas.append((point.lets, ("not", ("and", point.outside, *[("<", a, b) for a, b in bounds]))))
    if case.status == "never":
        there = composed(asked.views, [*ranges])
        yield Obligation("that nothing is out of bounds", ("not", there.outside), given, ranges, there.lets)
    indices = [i for i in case.indices if len(i) == len(ranges) and not outside]
    known = [affine_at(asked.views, (0,) * len(ranges), i) for i in indices]
    claim = ("and", *case.equations) if case.status == "when" else False
    for _ in range(ROUNDS):
        lets = {n: t for more, _ in lemmas for n, t in more.items()}
        found = yield Obligation(what, claim, [*given, *[f for _, f in lemmas]], {}, lets, doubt=True)
        if found is None:
            return
        found = {n: found.get(n, 0) for n in asked.names}
        if told := [k for k in known if [*Obligation("", k[1], (), {}, k[0]).failures([{**found}], [])]]:
            lemmas += told[:1]
            continue
        if put(made("<=", made("*", 1, *last.shape), WALK), found) is not True:
            break
        stays = outside and walked(asked.views, found)[1] is None
        lemma = None if stays else why_not(asked.views, found)
        yield Obligation(f"{what}: not so at {shown(found)}", lemma is not None)
        lemmas += [] if lemma is None else [lemma]
    yield Obligation(what, None)


def _whole(asked: Asked, says: Tree) -> Obligation:
    """That a formula holds exactly where the cases say that the views merge."""
    parts = [("and", c.where, *c.equations) for c in asked.cases if c.status in ("always", "when")]
    open_ = any(c.status == "undecided" for c in asked.cases)
    what = "that the whole condition or guard says what the cases say"
    return Obligation(what, None if open_ else ("<->", says, ("or", False, *parts)), asked.facts)


def of_guard(question: Any, answer: Any) -> Steps:
    """Exact, too strong or too weak: the guard beside the condition, at the values given, or for all."""
    verdict, guard = get(answer, "verdict", str), formula(question.get("guard"))
    if verdict == "exact":
        asked = _asked(question, listed(answer, "cases", _case))
        yield from _cases(asked)
        yield _whole(asked, guard)
        return
    asked, given, weak = _asked(question, []), values(answer, "values"), verdict == "too weak"
    known = set(asked.names) | set(names(guard, *asked.facts)) <= set(given)
    yield Obligation("that verdict and values are such", verdict in ("too strong", "too weak") and known)
    yield Obligation("that the facts hold there", put(made("and", True, *asked.facts), given))
    yield Obligation(f"that the guard is {verdict} there", holds(compiled(guard), given) == weak)
    fits, index = put(asked.fitting, given), answer.get("index")
    small = put(made("<=", made("*", 1, *asked.views[-1].shape), WALK), given)
    merge = fits and small and why_not(asked.views, given) is None
    yield Obligation("that the views merge there, or do not", merge != weak if small or not fits else None)
    found = walked(asked.views, given)[0] if small and fits and index is not None else {}
    if found:
        low, place = tuple(map(min, zip(*found, strict=True))), integers(answer, "index")
        yield Obligation(f"that {index} is valid", place in found)
        lets, at_one = affine_at(asked.views, low, place)
        here = [("==", n, x) for n, x in given.items()]
        yield Obligation(f"that the merge breaks at {index}", ("not", at_one), here, {}, lets)
