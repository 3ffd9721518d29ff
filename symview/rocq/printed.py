"""A statement as text of Rocq: the main theorem is printed from the formula that `symview verify` prints and checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from symview.rocq import layouts, properties
from symview.rocq.terms import Open, Printer
from symview.trusted.document import View
from symview.trusted.formulas import Tree
from symview.verify.nodes import Along, Chain, Node, Operation, Program, Property, Rule, if_, is_formula

_WORDS = {"tensor", "Tensor", "Element", "sizes", "allowed", "element", "shows_same", "source", "permute", "flip",
          "slice", "pad", "expand", "concat", "reshape", "all2", "map2", "inside", "not_below_0", "position",
          "changed"}  # fmt: skip
_LISTS = {"slice": 3, "pad": 2, "expand": 1, "reshape": 1}  # lists of sizes in a step
PRIME = "'"


class Statements(Printer):
    """Prints statements, formulas and expressions."""

    def formula(self, t: Node) -> str:
        """A statement, or a formula, as a term of Prop."""
        written = type(t) is tuple and t[0] in _WRITE and not is_formula(t)
        return self.short(_WRITE[t[0]](self, *t[1:])) if written else super().formula(t)

    def premise(self, t: Node) -> str:
        """A statement as the premise of an arrow, or as an argument."""
        if is_formula(t):
            return super().premise(t)
        applied = t[0] == "leaves" or (t[0] == "one_view" and t[1].fits is True)
        return self.formula(t) if applied else f"({self.formula(t)})"

    def _open(self, why: Any) -> str:
        raise Open(why if type(why) is str else "this kind has no definitions yet")

    def _all(self, about: Sequence[str], body: Node) -> str:
        return f"{self.binder(about)}{self.formula(body)}"

    def _at(self, values: Mapping[str, int], body: Node) -> str:
        return self._all([*values], if_([("==", n, x) for n, x in values.items()], body))

    def _given(self, formulas: Sequence[Node], body: Node) -> str:
        end = " " if is_formula(body) else "\n  "
        return f"{' -> '.join(map(self.premise, formulas))} ->{end}{self.formula(body)}"

    def _and(self, *parts: Node) -> str:
        told = [f"({self.formula(p)})" for p in parts if type(p) is bool or p[0] != "open"]
        return "\n  /\\ ".join(told) if len(told) > 1 else told[0][1:-1] if told else "True"

    def _one_of(self, formulas: Sequence[Tree], words: Sequence[str]) -> str:
        return f"exactly_one [{'; '.join(map(self.formula, formulas))}]"

    # lists

    def _along(self, one: Along, body: Node) -> str:
        return f"{Fold(self, one).head(f'l_{_lists(body) + 1}')} {self.formula(body)}"

    # views

    def row(self, xs: Iterable[Tree]) -> str:
        """Expressions as a list."""
        return f"[{'; '.join(map(self.bare, xs))}]"

    def view(self, v: View) -> str:
        """A view: sizes, strides, offset, bounds."""
        if v.void and not v.shape:
            raise Open("a view without dims that is masked")
        mask = [(0, 0)] * len(v.shape) if v.void else v.mask or ()
        bounds = "; ".join([f"({self.bare(a)}, {self.bare(b)})" for a, b in mask])
        return f"({self.row(v.shape)}, {self.row(v.strides)}, {self.bare(v.offset)}, [{bounds}])"

    def chain(self, of: Chain | list[View]) -> str:
        """Views, the last one first."""
        views = list(of.views if isinstance(of, Chain) else of)
        return f"[{'; '.join(map(self.view, reversed(views)))}]"

    def fitting(self, of: Chain, text: str) -> str:
        """With the condition that the sizes fit."""
        return text if of.fits is True else f"({self.formula(of.fits)}) /\\ {text}"

    def _one_view(self, of: Chain) -> str:
        return self.fitting(of, f"one_view {self.chain(of)}")

    def _is(self, of: Chain | Operation, found: Any) -> str:
        if isinstance(of, Operation):
            return layouts.result(of, found).said()
        return self.fitting(of, f"leads_as {self.chain(of)} {self.view(found)}")

    def _breaks(self, of: Chain, index: Sequence[int]) -> str:
        return f"breaks {self.chain(of)} {self.row(index)}"

    def _same(self, first: Chain, second: Chain, last: Sequence[int] | None) -> str:
        one, other = self.chain(first), self.chain(second)
        if last is None:
            return f"same_places {one} {other}"
        sizes = self.row(first.views[-1].shape)
        return (f"forall i : list Z, in_box {sizes} i -> sooner i {self.row(last)} = true ->\n"
                f"    look {one} i = look {other} i")  # fmt: skip

    def _differ(self, first: Chain, second: Chain, index: Sequence[int], sides: Sequence[int | None] | None) -> str:
        at = self.row(index)
        one, other = (f"look {self.chain(c)} {at}" for c in (first, second))
        told = [f"in_box {self.row(c.views[-1].shape)} {at}" for c in (first, second)] + [f"{one} <> {other}"]
        found = zip((one, other), sides or (), strict=False)
        told += [f"{text} = Address {self.integer(x)}" for text, x in found if x is not None]
        return " /\\ ".join(told)

    def _has(self, of: Property) -> str:
        if of.name != "injective":
            raise Open(f"that a view is {of.name}")
        if of.view.void or not of.view.shape:
            return "True"
        first, second, given, same = properties.indices(of)
        return self.formula(("all", (*first, *second), ("given", tuple(given), same)))

    def _share(self, pair: Sequence[View]) -> str:
        return f"share {self.view(pair[0])} {self.view(pair[1])}"

    # programs

    def _shows(self, of: Rule) -> str:
        about, left, right = self.rule(of)
        return f"forall (Element : Type) ({about} : list Z -> Element),\n  shows_same {left}\n    {right}"

    def _apart(self, of: Rule, index: Sequence[int] | None) -> str:
        about, left, right = self.rule(of)
        there, same = f"allowed {left}", f"allowed {right} /\\ sizes {left} = sizes {right}"
        if index is not None:
            there = f"({there} /\\ in_box (sizes {left}) {self.row(index)})"
            same += f" /\\ element {left} {self.row(index)} = element {right} {self.row(index)}"
        return f"exists (Element : Type) ({about} : list Z -> Element),\n  {there} /\\ ~ ({same})"

    def rule(self, of: Rule) -> tuple[str, str, str]:
        """The tensors, and both programs."""
        if of.more:
            raise Open("that any number of first dims behaves as one and none")
        tensors, sides = list[str](), list[str]()
        sides += [self.program(one, tensors) for one in (of.left, of.right)]
        about = [self.names[n] for n in dict.fromkeys(tensors)]
        if {*tensors} & {*of.names()} or _WORDS & {*about, *[self.names[n] for n in of.names()]}:
            raise Open("names of programs that stand for two things")
        return " ".join(about), sides[0], sides[1]

    def program(self, of: Program, tensors: list[str]) -> str:
        """The text of a program, its last step first; adds its tensors to a list."""
        tensors.append(of.tensor)
        told = f"(source {self.names[of.tensor]} {self.row(of.shape)})"
        for op, *given in of.steps:
            told = f"({self._step(op, given, told, tensors)})"
        return told

    def _step(self, op: str, given: Sequence[Any], before: str, tensors: list[str]) -> str:
        if op == "concat":
            return f"concat {given[1]} {before} {self.program(given[0], tensors)}"
        if op == "read":
            return f"read {self.view(given[0])} {before}"
        if op in ("permute", "flip") and all(type(x) is int and x >= 0 for x in given):
            return f"{op} [{'; '.join(map(str, given))}]%nat {before}"
        if op not in _LISTS:
            raise Open("such a step of a program has no definition")
        k = len(given) // _LISTS[op]
        return f"{op} {' '.join([self.row(given[a * k : a * k + k]) for a in range(_LISTS[op])])} {before}"


class Fold:
    """A list and its folds, as text of Rocq."""

    def __init__(self, text: Printer, along: Along) -> None:
        self.text, self.folds = text, along.folds
        self.own = [n for n in along.names() if n in along.own]
        element = self.row(self.own, PRIME) if self.own else "_"
        self.firsts, self.nexts = along.firsts(), along.nexts()
        self.step = self.function(_tuple([text.integer(x) for x in self.nexts.values()]), element)
        self.meets = self.function(text.all(dict.fromkeys(along.each)), element)
        self.first = _tuple([text.integer(x) for x in self.firsts.values()])

    def function(self, body: str, more: str = "") -> str:
        """A function of the folds."""
        return f"(fun {self.row(self.folds, PRIME)}{' ' * bool(more)}{more} => {body})"

    def folded(self, name: str) -> str:
        """The folds at the end of a list."""
        return f"fold_left {self.step} {name} {self.first}"

    def head(self, name: str) -> str:
        """`forall l, along … l -> let '(P, R) := fold_left … in`, in lines."""
        return "\n".join([
            f"forall {name} : list {_tuple(['Z' for _ in self.own], ' * ') or 'unit'},",
            f"  along {self.step}", f"    {self.meets}", f"    {self.first} {name} ->",
            f"  let {self.row(self.folds, PRIME)} := {self.folded(name)} in",
        ])  # fmt: skip

    def row(self, of: Iterable[str], mark: str) -> str:
        """A pattern for names: `'(P, R)` in functions, `[P R]` in tactics; a single name alone."""
        found = reduce(lambda a, b: f"[{a} {b}]" if mark == "[" else f"({a}, {b})", [self.text.names[n] for n in of])
        return f"'{found}" if mark != "[" and found[0] == "(" else found


def _lists(node: Node) -> int:
    """How many lists there are below."""
    return 0 if type(node) is not tuple or node[0] != "along" else 1 + _lists(node[2])


def _tuple(parts: Sequence[str], sign: str = ", ") -> str:
    return f"({sign.join(parts)})" if len(parts) > 1 else "".join(parts)


_WRITE: dict[str, Callable[..., str]] = {
    "all": Statements._all, "at": Statements._at, "along": Statements._along, "given": Statements._given,
    "and": Statements._and, "one_of": Statements._one_of, "one_view": Statements._one_view, "is": Statements._is,
    "leaves": lambda text, of: f"leaves {text.chain(of)}", "breaks": Statements._breaks,
    "same": Statements._same, "differ": Statements._differ, "share": Statements._share, "shows": Statements._shows,
    "apart": Statements._apart, "has": Statements._has, "open": Statements._open, "exists": Statements._open,
}  # fmt: skip
