"""The conditions under which an operation on symbolic layouts has an answer, and the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from symview.answers import Counterexample, Exact, Kind, Status, TooStrong, TooWeak
from symview.cute.claims import claim_of_cases
from symview.cute.composition_failure import NoComposition, NoLayout
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import flatten, number_text
from symview.cute.inverse_search import takes_back
from symview.cute.layout import Layout
from symview.cute.symbols.cases import LayoutCase, LayoutConditionsData, lines_of
from symview.cute.symbols.examples import LayoutExample, layout_examples, same_function
from symview.cute.symbols.question import Question, put
from symview.errors import InputError, InternalError, Undecided
from symview.logic.points import bounds_of, by_size, true_at
from symview.logic.sympy_bridge import free_symbols, to_term
from symview.logic.terms import disj, negated, nonzero_divisors
from symview.show.formulas import told
from symview.show.grid import Block
from symview.show.latex import alternatives_latex
from symview.show.smtlib import script
from symview.views.counterexamples import Search, size_order
from symview.views.facade import Conditions

_NEAR = 300  # points tried where a case is undecided


@dataclass(frozen=True, slots=True)
class NoLayoutAt(Counterexample):
    """Values of the symbols at which there is no layout, and what the numbers say there; falsy.

    Of a composition, `found` is the NoLayout, `index` B's coordinate, flat, where it breaks and
    `axis` the number of B's flat mode; otherwise `found` is the error and there is no index.
    """

    found: NoLayout | LayoutError | None = None

    def __str__(self) -> str:
        where = ", ".join(f"{k} = {number_text(v)}" for k, v in self.values.items())
        note = "" if self.smallest else " (perhaps not the smallest values)"
        return f"with {where}: {self.found}{note}" if where else str(self.found)

    def __repr__(self) -> str:
        return f"<NoLayoutAt {self}>"

    __hash__ = Counterexample.__hash__


def no_layout_at(values: Mapping[str, int], error: LayoutError) -> NoLayoutAt:
    """The record of an operation that has no answer at these values."""
    if not isinstance(error, NoComposition):
        return NoLayoutAt(Kind.NO_LAYOUT, (), None, None, None, values=dict(values), found=error)
    found = error.found
    index = flatten(found.coordinate)
    axis = [n for n, x in enumerate(index) if x][-1]
    return NoLayoutAt(Kind.DISAGREE, index, axis, found.expected, found.got, values=dict(values), found=found)


@dataclass(frozen=True, repr=False)
class LayoutConditions(Conditions):
    """The conditions under which an operation on symbolic layouts has an answer.

    The cases say where, and which layout. Those of a composition are one for each widest set of
    strides; they may meet, the layouts are then the same function, and where none holds there is
    no layout. All others are disjoint and cover all values. What a case leaves undecided, `holds`,
    `layout` and `counterexample` decide for numbers.
    """

    data: LayoutConditionsData

    @cached_property
    def cases(self) -> Sequence[LayoutCase]:
        """What holds where."""
        symbols = self.symbols()
        return tuple([LayoutCase(c, symbols) for c in self.data.cases])

    @property
    def question(self) -> Question:
        """The operation, and what it was asked of."""
        return self.data.question

    def _blocks(self) -> Iterable[Block]:
        return [str(self)]

    def headline(self, rest: str | None = None) -> str:
        """A line for each case; see `Conditions.headline`."""
        return told(lines_of(self.data.cases), rest)

    def __repr__(self) -> str:
        return f"<LayoutConditions {self.question}: {'; '.join(map(str, self.data.cases))}>"

    def to_latex(self) -> str:
        """The layouts in LaTeX, with where they are the answer."""
        return alternatives_latex([(c.latex(), c.place()) for c in self.data.cases], self.symbols())

    def to_smt2(self) -> str:
        """SMT-LIB: what has to hold for the cases and their layouts, worked out by the checker of certificates.

        Every check-sat has to answer unsat; what is left out is named and counted in comments.

        >>> from symview.cute import Layout, coalesce_conditions
        >>> lines = coalesce_conditions(Layout.parse("(4,6):(a,b)")).to_smt2().splitlines()
        >>> print(lines[0], lines[-1])
        ; coalesce of (4,6):(a,b) ; nothing left out
        """
        return script(str(self.question), self.certificate(), self.budget)

    def certificate(self) -> dict[str, Any]:
        """Question and cases as JSON for `symview verify`.

        >>> from symview.cute import Layout, coalesce_conditions
        >>> coalesce_conditions(Layout.parse("(4,6):(a,b)")).certificate()["answer"]["cases"][0]["layout"]
        {'size': 24, 'stride': 'a'}
        """
        return claim_of_cases(self.data)

    def parts(self) -> Iterator[LayoutConditions]:
        """The same in parts, in each of which every condition has a value."""
        return (replace(self, data=part) for part in self.data.parts(self.budget))

    def case(self, values: Mapping[Any, int]) -> LayoutCase | None:  # type: ignore[override]
        """The first case that holds at these values (keys: symbols or names); None where none does."""
        given = self._given(values)
        return next((c for c in self.cases if true_at([c.place()], given)), None)

    def holds(self, values: Mapping[Any, int] | None = None) -> bool:
        """Whether there is a layout at these values.

        >>> from symview.cute import Layout, composition_conditions
        >>> found = composition_conditions(Layout.parse("(4,6):(a,b)"), Layout(6))
        >>> found.holds({"a": 1, "b": 4}), found.holds({"a": 1, "b": 5})
        (True, False)
        """
        found = self.case({} if values is None else values)
        if found is not None and found.status is Status.UNDECIDED:
            return self.layout({} if values is None else values) is not None
        return found is not None and found.layout is not None

    def layout(self, values: Mapping[Any, int]) -> Layout | None:
        """The layout with numbers for all symbols, None where there is none.

        Modes of block and tile are those that the operation has on numbers, one by one the same functions, and
        so are the copies; but a mode of size 1 may stand or not, with a stride that no index uses, and where
        modes continue each other at these values alone, they stand apart. `coalesce` makes the rest alike.

        >>> from symview.cute import Layout, logical_divide, logical_divide_conditions
        >>> found = logical_divide_conditions(Layout.parse("(n,n):(1,a)"), 2, assume="n % 2 == 0")
        >>> print(found.layout({"n": 4, "a": 4}), logical_divide(Layout((4, 4)), 2))
        (2,(2,4)):(1,(2,4)) (2,8):(1,2)
        """
        given, found = self._given(values), self.case(values)
        if found is not None and found.layout is not None:
            return put(found.layout, given)  # type: ignore[no-any-return]
        if found is None or found.status is not Status.UNDECIDED:
            return None
        answer = self._asked(given)
        return None if isinstance(answer, LayoutError) else answer

    def counterexample(self, values: Mapping[Any, int] | None = None) -> NoLayoutAt | None:
        """The smallest values at which there is no layout, and why there is none; None where there always is.

        Sizes come first, then strides by the sum of their absolute values. With `values`, all symbols
        are given, and None means that there is a layout.

        >>> from symview.cute import Layout, composition_conditions
        >>> print(composition_conditions(Layout.parse("(4,6):(a,b)"), Layout(6)).counterexample())
        with a = 0, b = 1: (4,6):(0,1) ∘ 6:1 is no layout: mode 0 of B, 6:1: at coordinate 4 the value is 1, not 0, \
since mode 0 of A, 4:0, overflows there; so a mode would need the size 4, which does not divide 6
        """
        if values is None:
            return replace(self, budget=self.budget.started())._smallest()
        given = self._given(values)
        answer = self._asked(given)
        return no_layout_at(given, answer) if isinstance(answer, LayoutError) else None

    def examples(self, n: int = 10) -> tuple[LayoutExample, ...]:  # type: ignore[override]
        """Up to n examples for tests: values at which there is a layout, and at which there is none, for each case.

        As `Conditions.examples`; each was asked again with numbers, and the layouts compared value by value.

        >>> from symview.cute import Layout, composition_conditions
        >>> for example in composition_conditions(Layout.parse("(4,6):(a,b)"), Layout(6)).examples(4)[::3]:
        ...     print(example)
        a = 1, b = 4: (4,6):(1,4) ∘ 6:1 = 6:1
        a = 1, b = 2: (4,6):(1,2) ∘ 6:1 is no layout: mode 0 of B, 6:1: at coordinate 4 the value is 2, not 4, since \
mode 0 of A, 4:1, overflows there; so a mode would need the size 4, which does not divide 6
        """
        running = replace(self, budget=self.budget.started())
        return layout_examples(self.data, n, running.budget, running._example)

    def _example(self, values: Mapping[str, int]) -> LayoutExample:
        """What there is at these values; raises InternalError where cases and numbers disagree."""
        asked = Question(self.question.operation, put(self.question.args, values))
        answer, layout = self._asked(values), self.layout(values)
        if isinstance(answer, LayoutError):
            return LayoutExample(dict(values), asked, layout, no_layout_at(values, answer))
        if layout is None or not (same_function(layout, answer) or self._takes_back(asked, layout)):
            raise InternalError(f"{asked}: the conditions say {layout}, the numbers {answer}")
        return LayoutExample(dict(values), asked, layout)

    def _takes_back(self, asked: Question, layout: Layout) -> bool:
        """Whether it is a left inverse: there are many, and their last modes may be of any length."""
        return asked.operation == "left_inverse" and takes_back(layout, asked.args[0], self.budget)

    def compare(self, guard: Any) -> Exact | TooStrong | TooWeak:
        """What a guard, as text or sympy, is beside the weakest condition; see `Conditions.compare`."""
        running = replace(self, budget=self.budget.started())
        return replace(Conditions.compare(running, guard), outcome="there is a layout")

    def _smallest(self) -> NoLayoutAt | None:
        """The smallest of all parts; raises Undecided where nothing was found, and a case is open."""
        undecided = [c for c in self.data.cases if c.status is Status.UNDECIDED]
        found = [c for c in (self._smallest_in(part) for part in self.data.parts(self.budget)) if c is not None]
        if undecided or not all(c.smallest for c in found):
            found = [replace(c, smallest=False) for c in (*found, *(self._nearby() if undecided else ()))]
        if found:
            sizes = list(free_symbols(self.question.sizes()))
            return min(found, key=lambda c: size_order(c.values, sizes))
        if undecided:
            why = undecided[0].reason
            raise Undecided(f"no values without a layout were found, and it is open whether there are any: {why}")
        return None

    def _smallest_in(self, part: LayoutConditionsData) -> NoLayoutAt | None:
        undecided = [negated(c.place()) for c in part.cases if c.status is Status.UNDECIDED]
        answered = disj(c.place() for c in part.cases if c.layout is not None)
        entries = [to_term(x) for v in self.views for x in v.entries()]
        search = Search(tuple(self.symbols()), nonzero_divisors(entries), self.budget, self.counterexample)
        sizes = list(free_symbols(self.question.sizes()))
        return search.smallest([*part.facts, *undecided, negated(answered)], sizes)

    def _nearby(self) -> Iterator[NoLayoutAt]:
        """Small values at which the numbers say that there is no layout."""
        names = list(self.symbols())
        for point in islice(by_size(bounds_of(self.facts, names)), _NEAR):
            values = dict(zip(names, point, strict=True))
            if true_at(self.facts, values):
                with suppress(Undecided, InputError):
                    found = self.counterexample(values)
                    if found is not None:
                        yield found

    def _asked(self, given: Mapping[str, int]) -> Layout | LayoutError:
        """What the operation on numbers says."""
        try:
            return self.question.at(given, self.budget)  # type: ignore[no-any-return]
        except LayoutError as error:
            return error

    def _given(self, values: Mapping[Any, int]) -> dict[str, int]:
        given = self._values(values)
        missing = [n for n in self.symbols() if n not in given]
        if missing:
            raise InputError(f"no value for {', '.join(missing)}: give all of {', '.join(self.symbols())}")
        return given

    def to_dict(self) -> dict[str, Any]:
        """The answer for JSON."""
        return {"question": str(self.question), "headline": self.headline(), "cases": [c.to_dict() for c in self.cases]}
