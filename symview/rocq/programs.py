"""Main theorems of programs of movement operations: wherever one is allowed, the other has the same elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symview.rocq.book import Book, Open
from symview.trusted.document import Object, get
from symview.trusted.formulas import Tree, names, put, unfolded, walk
from symview.verify.derive import derive
from symview.verify.kinds.programs import without_first
from symview.verify.meaning import rules_of, statement
from symview.verify.nodes import Program, meant
from symview.verify.obligations import Ask

WORDS = {"tensor", "Tensor", "Element", "sizes", "allowed", "element", "shows_same", "source", "permute", "flip",
         "slice", "pad", "expand", "concat", "all2", "map2", "inside", "not_below_0", "position",
         "changed"}  # fmt: skip
LISTS = {"slice": 3, "pad": 2, "expand": 1}  # lists of sizes in a step


def rule(book: Book, question: Object, evidence: Object) -> str:
    """`forall tensors sizes, assume -> shows_same left right`; raises Open unless this is linear arithmetic."""
    if get(question, "verdict", str) != "proved" or get(question, "parts", bool):
        raise Open("a main theorem of rules that are refuted, or of more programs than are here")
    book.library.add("Programs")
    for obligation in derive(statement(question), question, evidence, book.effort):
        if isinstance(obligation, Ask):
            continue
        lets = unfolded(obligation.lets)
        if not all(_linear(put(f, lets)) for f in (obligation.claim, *obligation.given)):
            raise Open("no main theorem is written for programs whose sizes are multiplied or divided yet")
    claims, pairs = list[str](), rules_of(question)
    for pair, assume in pairs:
        claims.append(_claim(book, assume, pair.left, pair.right))
        if pair.more:
            claims.append(_claim(book, assume, without_first(pair.left), without_first(pair.right)))
    more = any(pair.more for pair, _ in pairs)
    if more:
        book.open.append("that any number of first dims behaves as one and none")
    note = "(* Not proved here: that any number of first dims behaves as one and none. *)\n" if more else ""
    says = "\n  /\\ ".join(f"({c})" for c in claims) if len(claims) > 1 else claims[0]
    return f"{note}Theorem main : {says}.\nProof. {'split; [sv_program|]. ' * (len(claims) - 1)}sv_program. Qed."


def _claim(book: Book, assume: Sequence[Tree], left: Program, right: Program) -> str:
    """The claim about one pair of programs."""
    text, sides = book.printer, [_Printed(book), _Printed(book)]
    both = [side.program(of) for side, of in zip(sides, (left, right), strict=True)]
    about = list(dict.fromkeys(n for side in sides for n in side.names))
    assume = [f for f in assume if {*names(f)} <= {*about}]
    tensors = list(dict.fromkeys(n for side in sides for n in side.tensors))
    if {*tensors} & {*about} or WORDS & {text.names[n] for n in (*tensors, *about)}:
        raise Open("a main theorem of programs with names that stand for two things")
    told = " ".join(text.names[n] for n in tensors)
    given = "".join(f"{text.premise(f)} -> " for f in meant(*assume))
    head = f"forall (Element : Type) ({told} : list Z -> Element), {text.binder(about)}{given}".rstrip()
    return f"{head}\n  shows_same {both[0]}\n    {both[1]}"


class _Printed:
    """Prints a program, and collects its names."""

    def __init__(self, book: Book) -> None:
        self.text, self.names, self.tensors = book.printer, list[str](), list[str]()

    def program(self, of: Program) -> str:
        """The text of a program, its last step first."""
        name = of.tensor
        self.tensors.append(name)
        told = f"(source {self.text.names[name]} {self._row(of.shape)})"
        for op, *given in of.steps:
            told = f"({self._step(op, given, told)})"
        return told

    def _step(self, op: str, given: Sequence[Any], before: str) -> str:
        if op == "concat":
            return f"concat {given[1]} {before} {self.program(given[0])}"
        if op in ("permute", "flip") and all(type(x) is int and x >= 0 for x in given):
            return f"{op} [{'; '.join(map(str, given))}]%nat {before}"
        if op not in LISTS:
            raise Open("no main theorem is written for programs with such a step yet")
        entries = given
        k = len(entries) // LISTS[op]
        return f"{op} {' '.join(self._row(entries[a * k : a * k + k]) for a in range(LISTS[op]))} {before}"

    def _row(self, entries: Sequence[Tree]) -> str:
        self.names += names(*entries)
        return f"[{'; '.join(map(self.text.bare, entries))}]"


def _linear(t: Tree) -> bool:
    """Whether no names are multiplied, and all divisors are positive numbers."""
    for op, *parts in _nodes(t):
        divided = op in ("//", "%", "ceildiv") and (type(parts[1]) is not int or parts[1] <= 0)
        strange = op not in ("+", "-", "*", "neg", "//", "%", "ceildiv", "min", "max", "if", "==", "!=", "<", "<=", ">",
                             ">=", "and", "or", "not", "->", "<->")  # fmt: skip
        if divided or strange or (op == "*" and sum(type(p) is not int for p in parts) > 1):
            return False
    return True


def _nodes(t: Tree) -> Iterator[tuple[Any, ...]]:
    return (x for x in walk(t) if type(x) is tuple)
