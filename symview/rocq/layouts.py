"""Main theorems of operations on layouts of numbers: the defining property, computed at every index.

A layout is printed as the list of its modes: `++` shows the order of its parts, not their nesting.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import Any, NamedTuple

from symview.rocq.book import MANY, Book
from symview.rocq.terms import Open
from symview.trusted.document import Object, layout, listed
from symview.trusted.formulas import put
from symview.verify.kinds.layouts import assembled, complements, folded, moves, operation_of, paired, pairs_of, taken
from symview.verify.kinds.maps import cosize, count, leaves
from symview.verify.meaning import operation_asked

MODES = "list (Z * Z)"


class Claim(NamedTuple):
    """A claim about layouts, and the tactics that prove it."""

    text: str
    proof: str


def layouts(book: Book, question: Object, evidence: Object) -> str:
    """The defining property of the operation, at all indices; raises Open if there are too many."""
    of = operation_asked(question)
    operation, given, bound = operation_of(of)
    book.library.add("Layouts")
    found = folded(layout(question.get("layout")))
    parts = [folded(one) for one in listed(evidence, "parts", layout)] if len(given) > 1 else []
    if len(given) == 1:
        return _ALONE[operation](given[0], found, bound).theorem()
    (a, by), (order, _, kind), tiles = given, operation.rpartition("_"), None
    if operation == "tile_to_shape":
        order, kind, tiles = "blocked", "product", Tiles([put(n, {}) for n in of.shape or ()], of.order or ())
    return _combined(order, kind, a, by, parts, found, tiles).theorem()


class Written:
    """Collects definitions and claims."""

    def __init__(self) -> None:
        self.definitions, self.claims = list[str](), list[Claim]()

    def define(self, name: str, of: Any) -> None:
        """Adds a definition: a layout, or a text."""
        self.definitions.append(f"Definition {name} : {MODES} := {of if type(of) is str else printed(of)}.")

    def equal(self, one: str, other: str) -> None:
        """Claims that both are equal, by computation."""
        self.claims.append(Claim(f"{one} = {other}", "reflexivity"))

    def stands(self, name: str, of: Any, parts: Any) -> None:
        """Claims first of all that a layout consists of these parts."""
        self.define(name, of)
        self.claims.insert(0, Claim(f"{name} = {' ++ '.join(joined(parts))}", "reflexivity"))

    def same(self, one: Sequence[str], other: Sequence[str], over: str, size: int) -> None:
        """Claims that two chains of layouts, each outermost first, have equal values at each index of `over`."""
        few(size)
        left, right = chained(one), chained(other)
        text = f"(forall i : Z, 0 <= i < layout_size {over} -> {left} = {right})"
        self.computed(text, f"sv_same_values (layout_size {over}) (fun i => {left}) (fun i => {right})")

    def computed(self, text: str, by: str) -> None:
        """Claims a text by a lemma of the library, whose premise is computed."""
        self.claims.append(Claim(text, f"refine ({by} _); vm_cast_no_check (eq_refl true)"))

    def theorem(self) -> str:
        """All definitions, and one theorem."""
        parts, proof = [c.text for c in self.claims], self.claims[-1].proof
        for c in self.claims[-2::-1]:
            proof = f"split; [{c.proof}|{proof}]"
        says = "\n  /\\ ".join(parts)
        return "\n".join([*self.definitions, f"Theorem main : {says}.", f"Proof. {proof}. Qed."])


def printed(of: Any) -> str:
    """The modes of a layout of numbers; raises Open for names."""
    if any(type(x) is not int for leaf in leaves(of) for x in leaf):
        raise Open("a main theorem of layouts of numbers with symbols in them")
    return f"[{'; '.join(f'({n}, {d})' for n, d in leaves(of))}]"


def chained(layouts: Sequence[str]) -> str:
    """A chain of layouts at i, the outermost first."""
    text = "i"
    for name in reversed(layouts):
        text = f"layout_at {name} {text if text == 'i' else f'({text})'}"
    return text


def joined(parts: Any) -> list[str]:
    """The parts without their nesting, by name or as modes."""
    found = list[str]()
    for part in parts if type(parts) is list else [parts]:
        found += joined(part) if type(part) is list else [part if type(part) is str else printed(part)]
    return found


def few(size: int) -> None:
    """Raises Open if there are too many values to compute."""
    if size > MANY:
        raise Open("a layout of too many values to compute")


# Operations on one layout


def _coalesced(a: Any, found: Any, bound: Any) -> Written:
    it = _given(a, found)
    _coalesces(it, "A", "R", a)
    return it


def _coalesces(it: Written, a: str, found: str, of: Any) -> None:
    it.equal(f"layout_size {found}", f"layout_size {a}")
    it.same([found], [a], a, count(of))
    it.claims.append(Claim(f"layout_coalesced {found}", "cbn; lia"))


def _given(a: Any, found: Any) -> Written:
    it = Written()
    it.define("A", a)
    it.define("R", found)
    return it


def _right_inverse(a: Any, found: Any, bound: Any) -> Written:
    """R inverts A, and no mode of A continues where R ends."""
    it = _given(a, found)
    it.same(["A", "R"], [], "R", count(found))
    ends = "Forall (fun m => fst m = 1 \\/ snd m <> layout_size R) A"
    it.claims.append(Claim(ends, "repeat constructor; cbn; lia"))
    return it


def _left_inverse(a: Any, found: Any, bound: Any) -> Written:
    it = _given(a, found)
    it.same(["A", "R", "A"], ["A"], "A", count(a))
    return it


def _strict_left_inverse(a: Any, found: Any, bound: Any) -> Written:
    it = _given(a, found)
    it.same(["R", "A"], [], "A", count(a))
    return it


def _complement(a: Any, found: Any, bound: Any) -> Written:
    """R has the values of CuTe's form, which increase; sums of a value of A and one of R are different."""
    it = _given(a, found)
    it.define("C", f"layout_complement A {bound}")
    it.equal("layout_size R", "layout_size C")
    it.same(["R"], ["C"], "R", count(found))
    rises = "layout_at R j < layout_at R (j + 1)"
    it.computed(f"(forall j : Z, 0 <= j < layout_size R - 1 -> {rises})",
                "sv_rising (layout_size R - 1) (fun j => layout_at R j)")  # fmt: skip
    _apart(it, "A", "R", a, found, count(found))
    return it


def _apart(it: Written, a: str, copies: str, of: Any, form: Any, many: int, at: str = "") -> None:
    """Sums of a value of each are different: the digits of a sum determine both.

    The copies are at values of `form`, at all indices or at values of `at`.
    """
    few(count(of) * many)
    places = accumulate([n for n, _ in leaves(form)], mul, initial=1)
    steps = [(d, d, 0) for _, d in _moving(of)]
    steps += [(d, 0, p) for (n, d), p in zip(leaves(form), places, strict=False) if n != 1]
    first, second = f"layout_size {a}", f"layout_size {copies}"
    bounds = " -> ".join(f"0 <= {x} < {n}" for x, n in zip("ijkl", (first, second) * 2, strict=True))
    i, j, k, m = (f"layout_at {of} {x}" for of, x in ((a, "i"), (copies, "j"), (a, "k"), (copies, "l")))
    one, other = (f"layout_at {at} {x}" if at else x for x in "jl")
    it.computed(f"(forall i j k l : Z, {bounds} ->\n    {i} + {j} = {k} + {m} -> {i} = {k} /\\ {one} = {other})",
                f"sv_sums_apart [{'; '.join(map(str, sorted(steps, reverse=True)))}] ({first}) ({second}) "
                f"(fun i => {i}) (fun j => {j}) (fun j => {one})")  # fmt: skip


def _moving(of: Any) -> list[tuple[int, int]]:
    return [(n, d) for n, d in leaves(of) if n != 1 and d != 0]


_ALONE = {
    "coalesce": _coalesced, "right_inverse": _right_inverse, "left_inverse": _left_inverse,
    "strict_left_inverse": _strict_left_inverse, "complement": _complement,
}  # fmt: skip

# Operations on two layouts; with a tiler, mode by mode


class Tiles(NamedTuple):
    """A shape to tile, and the order of its dims."""

    shape: Sequence[int]
    order: Sequence[int]

    def copies(self, dim: int) -> str:
        """The number of copies along a dim as a mode, whose stride is the copies of the dims before it in the order."""
        many = [f"ceildiv {n} (layout_size A{k})" for k, n in enumerate(self.shape, 1)]
        before = [n for n, place in zip(many, self.order, strict=True) if place < self.order[dim]]
        return f"[({many[dim]}, {' * '.join(f'({n})' for n in before) or '1'})]"


def _combined(order: str, kind: str, a: Any, by: Any, parts: Sequence[Any], found: Any,
              tiles: Tiles | None = None) -> Written:  # fmt: skip
    """The defining property of each pair of layouts, and the order of their results."""
    it, made = Written(), list[Any]()
    if order in ("blocked", "raked"):
        a, by = paired(order, a, by)
        made = [_by_modes(it, a, by, parts[0], tiles)]
    else:
        pairs = [*zip(pairs_of(a, by), parts, strict=True)]
        alone = type(by) is not dict
        numbers = [""] if alone else [str(k) for k in range(1, len(pairs) + 1)]
        made = [_MET[kind](it, k, x, y, part) for k, ((x, y), part) in zip(numbers, pairs, strict=False)]
        if not alone:
            it.stands("A", a, assembled("", a, by, [f"A{k}" for k in numbers]))
    it.stands("R", found, assembled(order, a, by, made))
    return it


def _composed(it: Written, k: str, x: Any, y: Any, part: Any) -> str:
    """A part is A ∘ B."""
    if any(type(d) is int and d < 0 and n != 1 for n, d in leaves(y)):
        raise Open("a main theorem of layouts with values below 0")
    for name, of in (("A", x), ("B", y), ("P", part)):
        it.define(name + k, of)
    it.equal(f"layout_size P{k}", f"layout_size B{k}")
    it.same([f"P{k}"], [f"A{k}", f"B{k}"], f"B{k}", count(y))
    return f"P{k}"


def _coalesced_part(it: Written, k: str, x: Any, y: Any, part: Any) -> str:
    """A part is A, coalesced."""
    it.define(f"A{k}", x)
    it.define(f"P{k}", part)
    _coalesces(it, f"A{k}", f"P{k}", x)
    return f"P{k}"


def _divided(it: Written, k: str, x: Any, y: Any, part: Any) -> list[str]:
    """A part, U and V, is A ∘ (B, C) for the complement C of B up to size(A); each index of A occurs."""
    names = [f"{name}{k}" for name in "ABUV"]
    a, b, u, v = names
    for name, of in zip(names, (x, y, *part), strict=True):
        it.define(name, of)
    it.define(c := f"C{k}", f"layout_complement {b} (layout_size {a})")
    form = taken("divide", x, y)[0].modes
    it.equal(f"layout_size {u}", f"layout_size {b}")
    it.equal(f"layout_size {v}", f"layout_size {c}")
    it.same([f"({u} ++ {v})"], [a, f"({b} ++ {c})"], f"({b} ++ {c})", count([y, form]))
    few(count(x))
    places = accumulate([n for n, _ in leaves([y, form])], mul, initial=1)
    digits = sorted((d, n, p) for (n, d), p in zip(leaves([y, form]), places, strict=False) if n != 1 and d != 0)
    index = printed([(n, p) for _, n, p in digits])
    size, value = f"layout_size ({b} ++ {c})", f"layout_at ({b} ++ {c})"
    it.computed(f"(forall x : Z, 0 <= x < layout_size {a} -> exists i : Z, 0 <= i < {size} /\\ {value} i = x)",
                f"sv_reached (layout_size {a}) ({size}) ({value}) (layout_at {index})")  # fmt: skip
    return [u, v]


def _multiplied(it: Written, k: str, x: Any, y: Any, part: Any) -> list[str]:
    """A part is A next to V = C ∘ B, for a complement C of A; copies of A at values of V share no value."""
    for name, of in (("A", x), ("B", y), ("V", part[1])):
        it.define(name + k, of)
    _copies(it, k, x, y)
    return [f"A{k}", f"V{k}"]


def _copies(it: Written, k: str, x: Any, y: Any) -> None:
    a, b, c, v = (f"{name}{k}" for name in "ABCV")
    it.define(c, f"layout_complement {a} (layout_size {a} * layout_cosize {b})")
    it.equal(f"layout_size {v}", f"layout_size {b}")
    it.same([v], [c, b], b, count(y))
    if moves(y):
        _apart(it, a, v, x, complements(x, count(x) * cosize(y))[0].modes, count(y), b)


def _by_modes(it: Written, a: Any, by: Any, part: Any, tiles: Tiles | None) -> list[Any]:
    """The same for a product whose modes come in pairs, and for a tiled shape."""
    numbers = range(1, len(a) + 1)
    for k, x in zip(numbers, a, strict=True):
        it.define(f"A{k}", x)
    for k, y in zip(numbers, by, strict=True):
        it.define(f"B{k}", y if tiles is None else tiles.copies(k - 1))
    for k, v in zip(numbers, part[1], strict=True):
        it.define(f"V{k}", v)
    for name in "ABV":
        it.define(name, " ++ ".join(f"{name}{k}" for k in numbers))
    _copies(it, "", a, by)
    for k in numbers:
        it.equal(f"layout_size V{k}", f"layout_size B{k}")
    for k, n in zip(numbers, tiles.shape if tiles else (), strict=False):
        covered = f"{n} <= layout_size A{k} * layout_size V{k} < {n} + layout_size A{k}"
        it.claims.append(Claim(covered, "vm_compute; split; congruence"))
    return [[f"A{k}" for k in numbers], [f"V{k}" for k in numbers]]


_MET = {"composition": _composed, "coalesce": _coalesced_part, "divide": _divided, "product": _multiplied}
