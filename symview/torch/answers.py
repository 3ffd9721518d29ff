"""Is this `view` of a tensor legal, and what is the weakest guard for the answer?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from symview.answers import AffineView, AmbiguousTruth, GuardVerdict
from symview.cases.conditions import Conditions
from symview.cases.guards import compare
from symview.cases.query import assumptions
from symview.counterexample import Counterexample
from symview.displayed import Displayed
from symview.errors import InputError, SymviewError
from symview.logic.budget import DEFAULT, Budget, as_budget
from symview.logic.integer import Integer, of_term
from symview.logic.notation import parse_assumption
from symview.logic.points import value_at
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import free_symbols, is_number, to_sympy, to_term, to_text
from symview.logic.terms import (
    FALSE,
    TRUE,
    IntTerm,
    Term,
    as_entry,
    conj,
    conjuncts,
    disj,
    names,
    num,
    substituted,
    sym,
    value_of,
    with_nonzero_divisors,
)
from symview.tensors import Layout, environment, layout_of
from symview.torch.forms import Form, GeneralAnswer, form_of, general_answer, in_names, numbered, with_names
from symview.torch.knowledge import content, hints
from symview.view import View, as_view, reshaped, target_shape, unchecked
from symview.view_entries import read_shape_for
from symview.views.reshape_cases import is_hole
from symview.views.reshaping import reshape_conditions_given

Outcome: TypeAlias = Literal["view", "copy", "depends"]


class Question(NamedTuple):
    """A question: the view, the new sizes, the present values of symbols, and the facts.

    `equal`: symbols of the tensor, or tied to it, that are known to equal expressions in others; the view uses these.
    """

    view: View
    shape: tuple[Integer, ...]
    values: Mapping[str, int] = {}
    facts: tuple[Term, ...] = ()
    equal: Mapping[str, Term] = {}
    budget: Budget = DEFAULT

    def symbols(self) -> dict[str, Any]:
        """The symbols by name."""
        return free_symbols([*self.view.entries(), *self.shape])

    def here(self) -> dict[str, int]:
        """The values of the symbols that have one."""
        return {name: self.values[name] for name in self.symbols() if name in self.values}


@dataclass(frozen=True, slots=True, repr=False)
class ViewGuard(Displayed):
    """Whether a tensor has another shape without a copy, and the weakest guard for that answer.

    Truthy for "view", falsy for "copy"; for "depends" `bool()` raises.

    `outcome`: "view" or "copy" at the tensor's present sizes (the hints of a symbolic tensor); "depends" if the answer
    needs a symbol without a hint. `question`: the question with its facts. `found`: the answer at all values of the
    symbols. `environment`: their ShapeEnv, if there is one; it is not pickled.
    """

    outcome: Outcome
    question: Question
    found: GeneralAnswer = field(compare=False)
    environment: Any = field(default=None, compare=False)

    @property
    def guard(self) -> str:
        """Python over the symbols' names, true exactly if the outcome is right (for "depends": if it is a view).

        It holds within the known facts; "True" if always. It has the functions of `Conditions.guards`, and min and max.
        """
        return to_text(self._term())

    @property
    def expression(self) -> Any:
        """The guard as a sympy formula over the symbols of the ShapeEnv, with PyTorch's own functions."""
        return self._sympy(self._term())

    @property
    def view(self) -> View | None:
        """The view at the present sizes, over symbols and PyTorch's functions.

        None for "copy", and if its strides differ between cases and no hint selects one.
        """
        found = self._here()[1]
        if found is None:
            return None
        shape, strides = ([self._entry(n) for n in side] for side in (found.shape, found.strides))
        return View(shape, strides, self._entry(found.offset))

    @property
    def strides(self) -> tuple[Any, ...] | None:
        """The strides of `view`, in sympy; those of sizes 1, which are free, continue the dims after them."""
        found = self._strides()
        return None if found is None else tuple([n if is_number(n) else self._sympy(to_term(n)) for n in found])

    def _strides(self) -> list[Integer] | None:
        found = self._here()[1]
        if found is None:
            return None
        shape, strides = ([self._entry(n) for n in side] for side in (found.shape, found.strides))
        last = next((t for n, t in zip(reversed(shape), reversed(strides), strict=True) if n != 1), 1)
        for axis in reversed([axis for axis, n in enumerate(shape) if n == 1]):
            following = axis + 1
            strides[axis] = shape[following] * strides[following] if following < len(shape) else last
        return strides

    @property
    def strides_guard(self) -> str:
        """The guard, besides `guard`, that `view` has these strides; "True" unless other sizes have other strides."""
        return to_text(self._here()[0])

    @property
    def conditions(self) -> Conditions[View]:
        """The conditions under which it is a view, at all values of the symbols."""
        q = self.question
        return reshape_conditions_given(q.view, q.shape, q.facts, q.budget)

    @property
    def counterexample(self) -> Counterexample | None:
        """For "copy", the index where it breaks at the present sizes, if all of them are known."""
        q = self.question
        here = q.here()
        if self.outcome != "copy" or len(here) < len(q.symbols()):
            return None
        view, shape = q.view.with_values(here), [value_of(to_term(n), here) for n in q.shape]
        found = reshaped(view, target_shape(view, shape), q.budget)
        if isinstance(found, View):
            return None
        return replace(found, values=here)

    def sym_bool(self, strides: bool = False) -> Any:
        """The guard as a SymBool, for `torch._check`; a bool if it is always true.

        With `strides`, it includes that `view` has its strides. Raises InputError if the question had no ShapeEnv.
        """
        term = self._with_strides() if strides else self._term()
        return True if term == TRUE else self._environment().create_symboolnode(self._sympy(term))

    def sym_shape(self) -> tuple[Any, ...]:
        """The new sizes as ints and SymInts, with -1 replaced.

        Raises InputError if there are symbols and the question had no ShapeEnv.
        """
        q = self.question
        if self.view is not None:
            return self._in_symints(self.view.shape)
        sides = q.view.shape, [n for n in q.shape if not is_hole(n)]
        rest = self._entry(Term("//", tuple([Term("*", (num(1), *map(to_term, side))) for side in sides])))
        return self._in_symints([rest if is_hole(n) else n for n in q.shape])

    def sym_strides(self) -> tuple[Any, ...] | None:
        """The strides as ints and SymInts, for `as_strided`; None if `strides` is None.

        Raises InputError if there are symbols and the question had no ShapeEnv.
        """
        found = self._strides()
        return None if found is None else self._in_symints(found)

    def compare(self, guard: Any) -> GuardVerdict:
        """Compares another guard for this outcome, as text, sympy or SymBool, with the weakest one.

        TooWeak: it accepts values at which the outcome is different; TooStrong: it rejects values at which it is the
        same. As `Conditions.compare`, but for copies too.
        """
        given = self._read(guard)
        if self.outcome != "copy":
            return self.conditions.compare(given)
        found = self.conditions
        copied = Copied(found.question, found.data, found.budget, self.found.copied)
        return replace(compare(copied, given), outcome="a copy is needed")

    def _read(self, guard: Any) -> Term:
        given = as_entry(guard)
        term = parse_assumption(given) if isinstance(given, str) else to_term(given)
        return substituted(term, self.question.equal)

    def _term(self) -> Term:
        return self.found.copied if self.outcome == "copy" else self.found.legal

    def _here(self) -> tuple[Term, AffineView | None]:
        """The view, and the condition for its strides: the view of all cases, or that of the present values' case."""
        views = self.found.views if self.outcome != "copy" else ()
        if len(views) == 1:
            return TRUE, views[0][1]
        here = self.question.here()
        if not views or len(here) < len(self.question.symbols()):
            return TRUE, None
        return next(((where, view) for where, view in views if _holds(where, here)), (TRUE, views[0][1]))

    def _with_strides(self) -> Term:
        """The guard, and that the view has its strides, without what the guard already implies."""
        (where, view), legal = self._here(), self._term()
        if where == TRUE or view is None:
            return legal
        facts, budget = self.question.facts, self.question.budget.started()
        left = [_possible(part, [*facts, where], budget) for part in conjuncts(legal)]
        others = [conj((there, _differ(view, other))) for there, other in self.found.views if other is not view]
        same = is_impossible([*facts, *left, disj(others)], budget)
        return conj(left if same else [*left, where])

    def _else(self) -> str:
        """The text of the outcome if it is not a view."""
        if self.found.copied == FALSE:
            return ", else the sizes do not fit"
        return ", else copy" + ("" if self.found.fits == TRUE else f" where {to_text(self.found.fits)}")

    def _sympy(self, term: Term) -> Any:
        symbols = self.question.symbols()
        if "torch" not in sys.modules:
            return to_sympy(term, symbols)
        return to_sympy(with_nonzero_divisors(term, names(*self.found.empty)), symbols, torch_functions())

    def _entry(self, entry: IntTerm) -> Integer:
        return of_term(entry, self.question.symbols())

    def _in_symints(self, entries: Iterable[Integer]) -> tuple[Any, ...]:
        made = [n if is_number(n) else self._sympy(to_term(n)) for n in entries]
        return tuple([n if is_number(n) else self._environment().create_symintnode(n, hint=None) for n in made])

    def _environment(self) -> Any:
        if self.environment is None:
            raise InputError("no ShapeEnv is known of this question: ask view_guard of a tensor that has one")
        return self.environment

    def __reduce__(self) -> Any:
        return ViewGuard, (self.outcome, self.question, self.found)

    def __hash__(self) -> int:
        return hash((self.outcome, self.question.view, self.question.shape))

    def __bool__(self) -> bool:
        if self.outcome == "depends":
            raise AmbiguousTruth(f"view or copy, that depends on values: look at .outcome and .guard ({self.guard})")
        return self.outcome == "view"

    def __repr__(self) -> str:
        return f"<ViewGuard {self}>"

    def __str__(self) -> str:
        where = "" if self._term() == TRUE else f" where {self.guard}"
        if self.outcome == "copy":
            breaks = self.counterexample
            return f"copy{where}" if breaks is None else f"copy{where}: {breaks}"
        shown = "view" if self.view is None else f"view {self.view}"
        strides = "" if self.strides_guard == "True" else f" (these strides where {self.strides_guard})"
        return f"{shown}{where}{strides}{self._else() if self.outcome == 'depends' else ''}"


def view_guard(
    tensor: Any, shape: Any, new_shape: Any = None, budget: Budget | None = None, *, env: Any = None
) -> ViewGuard:
    """Whether `tensor.view(shape)` is legal, and the weakest guard under which that remains so.

    Call it as `view_guard(tensor, shape)`, or without a tensor as `view_guard(shape, strides, new_shape, env=…)`.
    `tensor` is anything that `View.of` accepts; for a fake tensor, entries are symbols of its ShapeEnv. The facts of
    the ShapeEnv are used: ranges, replacements, guards, deferred asserts, divisibility; nothing is added to it. `shape`
    has ints and SymInts, one may be -1; or it is text over the names of the symbols. In lists, entries may also be
    sympy's, with their ShapeEnv as `env`; strides None are contiguous.
    Raises InputError if the numbers of elements differ at the present sizes, or always, and if SymInts belong to
    different ShapeEnvs; also raises what `reshape_conditions` raises.


    >>> import numpy
    >>> print(view_guard(numpy.zeros((4, 6))[:, ::2], (2, 2, -1)))
    view (2,2,3):(12,6,2)
    >>> print(view_guard(numpy.zeros((4, 6))[:, :4], (16,)))
    copy: at index (4) the element is at address 6; constant strides would put it at 4
    >>> print(view_guard((4, 6), (12, 2), (2, 2, -1)))
    view (2,2,6):(24,12,2)
    """
    if isinstance(new_shape, Budget):  # for a tensor, as the third argument
        new_shape, budget = None, new_shape
    of_lists = new_shape is not None
    layout = _layout_of_lists(tensor, shape) if of_lists else layout_of(tensor)
    target_shape, budget = new_shape if of_lists else shape, as_budget(budget)
    target = read_shape_for(target_shape, (*layout.shape, *(layout.strides or ()), layout.offset))
    entries = (*layout.shape, *(layout.strides or ()), layout.offset, *target)
    if all(map(is_number, entries)):
        return _of_numbers(Question(View(*layout), target, budget=budget))
    if layout.strides is None:
        entries = (*View(*layout).entries(), *target)
    given = (*tensor, *(shape or ())) if of_lists else (tensor,)
    env, symbols = known_environment(env, *given, *_unless_text(target_shape)), free_symbols(entries)
    form, order = form_of(len(layout.shape), entries, symbols, content=content(env, symbols))
    return _answered(entries, form, order, hints(env, symbols), budget, env)


def known_environment(env: Any, *values: Any) -> Any:
    """The given ShapeEnv, or else that of the SymInts among these; raises InputError if there are two."""
    found = environment(*values)
    if env is not None and found is not None and env is not found:
        raise InputError("the SymInts are of another ShapeEnv than the one given: ask in one of them")
    return found if env is None else env


def _unless_text(shape: Any) -> Sequence[Any]:
    return () if isinstance(shape, str) else tuple(shape)


def _layout_of_lists(shape: Sequence[Any], strides: Sequence[Any] | None) -> Layout:
    """Sizes and strides, which may be SymInts, at offset 0."""
    view = View(list(map(as_entry, shape)), None if strides is None else list(map(as_entry, strides)))
    return Layout(view.shape, view.strides)


def guard_at(
    view: View | str,
    shape: Sequence[Any] | str,
    values: Mapping[str, int],
    assume: Any = (),
    budget: Budget | None = None,
) -> ViewGuard:
    """`view_guard` for a view, at values of some of its symbols by name.

    >>> t = View.parse("(B,S,D):(t0,t1,t2)")
    >>> new = View.parse("(B*S,D)").shape
    >>> print(guard_at(t, new, {"B": 4, "S": 5, "D": 6, "t0": 30, "t1": 6, "t2": 1}))
    view (B*S,D):(t1,t2) where B == 1 or S == 1 or t0 == S*t1 (these strides where B == 1 or S != 1)
    >>> print(guard_at(t, new, {}))
    view where B == 1 or S == 1 or t0 == S*t1, else copy
    """
    view = as_view(view, "guard_at")
    if view.mask is not None:
        raise InputError(f"guard_at of {view}: a tensor has no mask; ask reshape_conditions")
    target, budget = read_shape_for(shape, view.entries()), as_budget(budget)
    entries = (*view.entries(), *target)
    if all(map(is_number, entries)):
        return _of_numbers(Question(view, target, values, budget=budget))
    symbols = free_symbols(entries)
    form, order = form_of(view.rank, entries, symbols, assumptions(assume, symbols))
    return _answered(entries, form, order, values, budget, None)


def _of_numbers(q: Question) -> ViewGuard:
    found = reshaped(q.view, target_shape(q.view, q.shape), q.budget)
    if not isinstance(found, View):
        return ViewGuard("copy", q, GeneralAnswer(FALSE, TRUE, ()))
    return ViewGuard(
        "view", q, GeneralAnswer(TRUE, FALSE, ((TRUE, AffineView(found.shape, found.strides, found.offset)),))
    )


def _answered(
    entries: tuple[Integer, ...], form: Form, order: Sequence[str], values: Mapping[str, int], budget: Budget, env: Any
) -> ViewGuard:
    numbers = {numbered(n).args[0]: sym(name) for n, name in enumerate(order)}
    here = {numbered(n).args[0]: values[name] for n, name in enumerate(order) if name in values}
    _check_sizes(form, [value_at(n, here) if isinstance(n, Term) else n for n in form.sizes()])
    try:
        found = with_names(general := general_answer(form, budget), numbers)
    except SymviewError as error:
        error.args = (in_names(str(error), order), *error.args[1:])
        raise
    legal = value_at(general.legal, here)
    outcome: Outcome = "depends" if legal is None else "view" if legal else "copy"
    symbols, equal = free_symbols(entries), {name.args[0]: term for name, term in found.equal}
    used = entries if general.entries == form.entries else tuple([of_term(n, symbols) for n in found.entries])
    view = unchecked(used[: form.rank], used[form.rank : 2 * form.rank], used[2 * form.rank], None)
    question = Question(view, used[2 * form.rank + 1 :], values, found.facts, equal, budget)
    return ViewGuard(outcome, question, found, env)


def _check_sizes(form: Form, sizes: Sequence[int | None]) -> None:
    """Raises InputError if the sizes are all known, and do not fit."""
    values = [n for n in sizes if n is not None]
    if len(values) < len(sizes):
        return
    shape = values[form.rank :]
    for axis, size in enumerate(shape):
        if size < 0 and isinstance(form.sizes()[form.rank + axis], Term):  # an open size is negative
            raise InputError(f"size {axis} of the new shape is {size} at the present sizes: sizes are 0 or more")
    target_shape(View(values[: form.rank]), shape)


def _possible(formula: Term, facts: Sequence[Term], budget: Budget) -> Term:
    """The formula without impossible alternatives."""
    parts = formula.args if formula.op == "or" else ()
    return disj(p for p in parts if not is_impossible([*facts, p], budget)) if parts else formula


def _differ(one: AffineView, other: AffineView) -> Term:
    """The formula that two views of the same sizes have different addresses at some index."""
    sides = one.shape, one.strides, other.strides
    sizes, steps, others = ([e if isinstance(e, Term) else num(e) for e in side] for side in sides)
    more = [conj((Term(">=", (n, num(2))), Term("!=", (s, t)))) for n, s, t in zip(sizes, steps, others, strict=True)]
    return conj((*(Term(">=", (n, num(1))) for n in sizes), disj(more)))


def _holds(formula: Term, values: Mapping[str, int]) -> bool:
    return bool(value_at(formula, values))


@cache
def torch_functions() -> dict[str, Callable[..., Any]]:
    """PyTorch's FloorDiv, Mod, PythonMod, Min and Max; not sympy's floor, which PyTorch prints with floats."""
    from sympy import sympify  # slow to load
    from torch.utils._sympy import functions  # slow to load

    def remainder(a: Any, b: Any) -> Any:
        kind = functions.Mod if a.is_nonnegative and b.is_nonnegative else functions.PythonMod
        return kind(a, b)

    made = {"//": functions.FloorDiv, "%": remainder, "min": functions.Min, "max": functions.Max}
    return {op: lambda *args, f=f: f(*map(sympify, args)) for op, f in made.items()}


@dataclass(frozen=True, repr=False)
class Copied(Conditions[View]):
    """The condition that a copy is needed; it has no index to show where it fails."""

    condition: Term = TRUE

    def term(self) -> Term:
        """The condition as one formula."""
        return self.condition

    def sizes_agree(self, values: Mapping[str, int]) -> bool:
        """False: a needed copy has no counterexample."""
        return False
