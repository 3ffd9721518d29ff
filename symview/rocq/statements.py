"""Main theorems of statements about integers: theorems, refutations, the weakest condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symview.rocq.book import Book, Lemma, Open, Shown
from symview.rocq.terms import Printer
from symview.trusted.document import Object, expression, formula, get, listed, some, values
from symview.trusted.formulas import Tree, Trees, made, names
from symview.verify.nodes import assumed, meant, smaller


def theorem(book: Book, question: Object, evidence: Object, shown: Shown) -> str:
    """`forall x … : Z, assume -> claim`, or the values at which it fails; raises Open if there is no theorem."""
    if question.get("claim") is None or get(question, "verdict", str) == "unknown":
        raise Open("a statement that is open, or is no formula of integers")
    claim, assume = formula(question["claim"]), listed(question, "assume", formula)
    if question["verdict"] == "refuted":
        return _refuted(book, claim, assume, values(question, "values"), shown)
    about, given = names(claim, *assume), meant(*assume, then=[claim])
    head = f"Theorem main : {book.statement([*about], given, claim)}."
    proof = applied(book, shown, 0, (claim, *given))
    return "\n".join([head, f"Proof. {intros(book, about, given)} {proof} Qed."])


def _refuted(book: Book, claim: Tree, assume: Sequence[Tree], at: Trees, shown: Shown) -> str:
    """The values are defined and satisfy the assumptions, and the claim fails; no smaller ones do, if computed."""
    needs = meant(*assume, then=[claim])
    whole = ("and", *needs, ("not", claim))
    says, test = book.printer.formula(whole), Printer(book.names).test(put_raw(whole, at))
    binder = book.printer.binder(at, "exists")
    found = f"exists {', '.join(book.printer.integer(x) for x in at.values())}; " if at else ""
    proof = f"{found}assert (c' : {test} = true) by (vm_cast_no_check (eq_refl true)); sv_closed c'."
    if 1 not in shown:
        return f"Theorem main : {binder}{says}.\nProof. {proof} Qed."
    given = [*smaller(at), *needs]
    least = book.statement([*names(*given, claim)], given, claim)
    proved = f"{intros(book, names(*given, claim), given)} {applied(book, shown, 1, (claim, *given))}"
    both = f"({binder}{says})\n  /\\ ({least})"
    return f"Theorem main : {both}.\nProof. split; [{proof[:-1]}|]. {proved} Qed."


def premise(book: Book, question: Object, evidence: Object, shown: Shown) -> str:
    """`forall about, assume -> ((forall others, claim) <-> condition)`; raises Open if one side is not proved."""
    if question.get("condition") is None or question.get("claim") is None or not {0, 1} <= {*shown}:
        raise Open("a premise that is not proved both ways")
    claim, assume = formula(question["claim"]), listed(question, "assume", formula)
    condition, about = formula(question["condition"]), listed(question, "about", expression)
    needs = meant(*assume, then=[claim])
    outer = [f for f in needs if set(names(f)) <= set(about)]
    inner = [f for f in needs if f not in outer]
    others = [n for n in names(claim, *assume) if n not in about]
    more = [f for f in meant(*outer, then=[condition]) if f not in outer]
    whole = ("and", *more, condition) if more else condition
    printer = book.printer
    says = f"(({book.statement(others, inner, claim)}) <-> {printer.premise(whole)})"
    head = (
        f"Theorem main : {printer.binder(about)}{''.join(f'{printer.premise(f)} -> ' for f in outer)}".rstrip()
        + f"\n  {says}."
    )
    witnesses = [{n: expression(x) for n, x in w.items()} for w in some(evidence, "witnesses", lambda w: w)]
    if condition is True:
        needed = ["intros; exact I."]
    else:
        needed = ["intro all'; sv_deny n'0.", *_needed(book, shown[1], witnesses, claim, assume, others)]
    enough = f"intro c'; {intros(book, others, inner)} {applied(book, shown, 0, (claim, *assume, condition))}"
    return "\n".join([
        head, "Proof.", f"{intros(book, about, outer)} split.", "{", *needed, "}",
        f"{{ {enough} }}", "Qed.",
    ])  # fmt: skip


def _needed(book: Book, lemma: Lemma | None, witnesses: Sequence[Trees], claim: Tree, assume: Sequence[Tree],
            others: Sequence[str]) -> Iterator[str]:  # fmt: skip
    """If the condition fails, one of the witnesses refutes the claim."""
    if lemma is None:
        raise Open("a premise that needs nothing")
    yield f"assert (k' : {book.printer.formula(lemma.claim)}) by ({book.use(lemma)})."
    yield "repeat (destruct k' as [k'|k']; try contradiction)."
    for w in witnesses:
        at = " ".join(f"({book.printer.integer(w.get(n, n))})" for n in others)
        raw = [put_raw(f, w) for f in (claim, *assume)]
        computed = "".join(f"{line[:-1]}; " for line in bridges(book, *raw))
        yield f"all: try solve [pose proof (all' {at}) as w'; {computed}sv_refuted k' w']."


def intros(book: Book, about: Sequence[str] | Mapping[str, None], given: Sequence[Tree]) -> str:
    """The tactic that takes names and hypotheses from the goal."""
    named = [*[book.names[n] for n in about], *[f"a'{n}" for n in range(len(given))]]
    return f"intros {' '.join(named)}." if named else ""


def applied(book: Book, shown: Shown, number: int, printed: Sequence[Tree]) -> str:
    """The tactics that prove a goal by the lemma of an obligation, or without one if it is trivial."""
    if number not in shown:
        raise Open("an obligation of the main theorem")
    lemma = shown[number]
    last = "first [reflexivity | sv_side]" if lemma is None else book.use(lemma)
    return f"{' '.join(bridges(book, *printed))} {last}."


def bridges(book: Book, *formulas: Tree) -> Iterator[str]:
    """Lines that turn printed terms into the computed ones of obligations."""
    for before, after in dict(pair for f in formulas for pair in _folded_parts(f)[1]).items():
        both = f"{book.printer.integer(before)} with {book.printer.integer(after)}"
        yield f"try replace {both} in * by (reflexivity || ring)."


def _folded_parts(t: Tree) -> tuple[Tree, list[tuple[Tree, Tree]]]:
    """The tree as `put` computes it, and the parts that change, the inner ones first."""
    if type(t) is not tuple:
        return t, []
    parts = [_folded_parts(p) for p in t[1:]]
    before = (t[0], *[p for p, _ in parts])
    after, changes = made(*before), [c for _, more in parts for c in more]
    return after, [*changes, *([(before, after)] if before != after and type(after) is not bool else [])]


def put_raw(t: Tree, by: Trees) -> Tree:
    """Substitutes trees for names, and computes nothing."""
    if type(t) is tuple:
        return (t[0], *[put_raw(p, by) for p in t[1:]])
    return by.get(t, t) if type(t) is str else t


def implied(f: Tree, known: Sequence[Tree]) -> bool:
    """Whether it states that a product of positive terms is positive."""
    others = [g for g in known if g != f]
    return f[0] == ">=" and f[2] == 1 and type(f[1]) is tuple and f not in assumed(others, (), [f])
