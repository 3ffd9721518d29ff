"""Main theorems of properties of one view: dense, contiguous, injective."""

from __future__ import annotations

from symview.rocq.book import Book, Lemma, Open
from symview.rocq.statements import implied
from symview.trusted.document import Object
from symview.trusted.formulas import Tree, made, names, put
from symview.verify.kinds.maps import address
from symview.verify.kinds.strides import Strides
from symview.verify.meaning import Case


def conditions(book: Book, question: Object, evidence: Object) -> str:
    """`facts -> (property <-> condition)`; for injective, only that the condition is sufficient.

    The property is written in sizes and strides, as symview.verify defines it: dense means that, in some order, each
    stride is the product of the sizes of the faster dims.
    """
    subject = Strides(question, evidence, book.effort)
    if any(c.status == "undecided" for c in subject.cases):
        raise Open("an undecided case")
    told = [put(f, {}) for f in subject.facts]
    facts = [f for f in dict.fromkeys(told) if f is not True and not implied(f, told)]
    return _injective(book, subject, facts) if subject.property == "injective" else _defined(book, subject, facts)


def _tidy(t: Tree) -> Tree:
    """Removes differences from 0, and trivial parts of connectives."""
    if type(t) is not tuple:
        return t
    op, *parts = (t[0], *map(_tidy, t[1:]))
    if op in ("and", "or"):
        parts = [p for p in parts if p is not (op == "and")]
        return (op, *parts) if len(parts) > 1 else parts[0] if parts else op == "and"
    return parts[0] if op == "-" and parts[1] == 0 else made(op, *parts)


def _condition(cases: list[Case]) -> Tree:
    return _tidy(("or", *[("and", c.where, *c.equations) for c in cases if c.status != "never"]))


def _defined(book: Book, subject: Strides, facts: list[Tree]) -> str:
    """The property, as a formula, is equivalent to the cases."""
    says = _tidy(("or", subject.void, subject.says[0]))
    claim = ("<->", says, condition := _condition(subject.cases))
    about = list(names(*facts, says, condition))
    if (value := put(claim, {})) is True:
        proof = "intros; vm_compute; intuition congruence."
    elif value is False:
        raise Open("that the cases are equivalent to the property")
    else:
        lemma = book.lemma(claim, facts, "that the cases are equivalent to the property")
        proof = f"intros; {book.use(lemma)}."
    return f"Theorem main : {book.statement(about, facts, claim)}.\nProof. {proof} Qed."


def _injective(book: Book, subject: Strides, facts: list[Tree]) -> str:
    """Indices with one address are the same, wherever the cases claim it."""
    axes = range(len(subject.sizes))
    first, second = ([f"#{k + start}" for k in axes] for start in (0, len(axes)))
    condition = _condition(subject.cases)
    inside = [f for row in (first, second) for x, n in zip(row, subject.sizes, strict=True)
              for f in (("<=", 0, x), ("<", x, _tidy(n)))]  # fmt: skip
    same = ("==", address(first, subject.strides), address(second, subject.strides))
    claim = ("and", *[("==", a, b) for a, b in zip(first, second, strict=True)]) if axes else True
    if condition is False:
        raise Open("no main theorem is written for views that are never injective")
    given = [*facts, condition, *inside, same]
    about = list(names(*given, claim))
    lemma, moves = _apart(book, subject, [*facts, condition])
    at = {d: ("-", a, b) for d, a, b in zip(moves, first, second, strict=True)}
    zero = book.printer.formula(("and", True, *[("==", x, 0) for x in at.values()]))
    book.open.append("that the condition is necessary: the main theorem says that it is sufficient")
    return "\n".join([
        f"Theorem main : {book.statement(about, [g for g in given if g is not True], claim)}.",
        f"Proof. intros; assert (k' : {zero}) by ({book.use(lemma, at)}); lia. Qed.",
    ])  # fmt: skip


def _apart(book: Book, subject: Strides, given: list[Tree]) -> tuple[Lemma, list[str]]:
    """Proves that index differences are 0 if the address difference is; also returns their names."""
    moves = [f"#{k}" for k in range(len(subject.sizes))]
    sizes = [_tidy(n) for n in subject.sizes]
    box = [f for d, n in zip(moves, sizes, strict=True) for f in (("<", made("-", 0, n), d), ("<", d, n))]
    claim = ("and", True, *[("==", d, 0) for d in moves])
    zero = ("==", address(moves, subject.strides), 0)
    return book.lemma(claim, [*given, *box, zero], "that no two indices have one address", search=False), moves
