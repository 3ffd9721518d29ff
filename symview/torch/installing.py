"""Lets `view_guard` decide in PyTorch, in this process, whether a reshape of symbolic sizes is a view."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from importlib import import_module
from threading import RLock
from time import process_time
from typing import Any

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import TRUE, Term, as_entry, disj, num
from symview.tensors import environment
from symview.torch.answers import ViewGuard, view_guard
from symview.torch.evident import evident_view
from symview.torch.explaining import hook
from symview.torch.knowledge import relations
from symview.torch.reporting import Report, Tally
from symview.views.reshape_cases import is_hole

Decision = Callable[..., Any]  # gives the function that makes the view, or None

_BUDGET = Budget(work=5_000_000)  # about two seconds at most; PyTorch decides what takes longer
_LOCK = RLock()


class _State:
    """What is installed in this process: permanently, or for so many blocks; PyTorch's functions by module and name."""

    def __init__(self) -> None:
        self.for_good, self.explains = False, False
        self.blocks = self.pauses = 0
        self.theirs = dict[tuple[str, str], Decision]()

    def in_force(self) -> bool:
        """Whether symview decides."""
        return (self.for_good or self.blocks > 0) and not self.pauses


_STATE, _TALLY = _State(), Tally()


def install() -> None:
    """Lets symview decide, from now on in this process, whether a reshape of symbolic sizes is a view.

    Sizes with hints get at most one guard, the weakest; sizes without hints get one `torch._check`, or an error that
    explains why no check helps. If symview does not decide, PyTorch's own code does. A second call changes nothing.
    Raises InputError for a version of PyTorch that is not in `VERSIONS`.
    """
    with _LOCK:
        _put_in_place()
        _STATE.for_good = True


def uninstall() -> None:
    """Lets PyTorch decide again; inside a block of `installed()`, from its end on."""
    with _LOCK:
        _STATE.for_good = False
        _take_out()


@contextmanager
def installed() -> Iterator[None]:
    """`install()` within a block, in all threads of this process; blocks may be nested."""
    with _LOCK:
        _put_in_place()
        _STATE.blocks += 1
    try:
        yield
    except RuntimeError as error:
        error._symview = True  # type: ignore[attr-defined]  # the hook runs after the block
        raise
    finally:
        with _LOCK:
            _STATE.blocks -= 1
            _take_out()


@contextmanager
def paused() -> Iterator[None]:
    """PyTorch decides alone within a block, whatever is installed."""
    with _LOCK:
        _STATE.pauses += 1
    try:
        yield
    finally:
        with _LOCK:
            _STATE.pauses -= 1


def report() -> Report:
    """How many questions symview answered in this process so far, how many it left to PyTorch, and its errors.

    An error in symview is not the program's: PyTorch then decides. Please report it, with its traceback.
    """
    return _TALLY.so_far


def _put_in_place() -> None:
    """Puts our functions into PyTorch's modules, once."""
    import torch  # slow to load

    version = ".".join(torch.__version__.split(".")[:2])
    if version not in VERSIONS:
        raise InputError(
            f"symview.torch.install knows the names of PyTorch {', '.join(VERSIONS)}, not of {torch.__version__}; "
            "all else in symview.torch works without it"
        )
    for (module, name), decide in () if _STATE.theirs else VERSIONS[version].items():
        home = import_module(module)
        theirs = getattr(home, name)
        setattr(home, name, _before(decide, theirs))
        _STATE.theirs[module, name] = theirs
    if not _STATE.explains:
        sys.excepthook = hook(sys.excepthook, lambda error: _STATE.in_force() or hasattr(error, "_symview"))
        _STATE.explains = True


def _take_out() -> None:
    """Restores PyTorch's functions, unless ours were replaced by others, which then still call PyTorch's."""
    if _STATE.for_good or _STATE.blocks:
        return
    for module, name in list(_STATE.theirs):
        home, theirs = import_module(module), _STATE.theirs.pop((module, name))
        if getattr(getattr(home, name), "_symview", None) is theirs:
            setattr(home, name, theirs)


def _before(decide: Decision, theirs: Decision) -> Decision:
    """A function that tries our decision first, then calls PyTorch's."""

    @wraps(theirs)
    def ours(a: Any, *shape: Any, **options: Any) -> Any:
        found = _tried(decide, a, shape, options) if _STATE.in_force() else None
        return theirs(a, *shape, **options) if found is None else found

    ours._symview = theirs  # type: ignore[attr-defined]
    return ours


def _tried(decide: Decision, a: Any, shape: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """The decision; None if nothing is symbolic, if there are no elements, and on any error."""
    import torch  # slow to load
    from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode  # slow to load

    sizes = shape
    while len(sizes) == 1 and not isinstance(sizes[0], int | torch.SymInt):
        (sizes,) = sizes
    symbolic = any(isinstance(n, torch.SymInt) for n in (*a.shape, *a.stride(), *sizes))
    if not symbolic or any(isinstance(n, int) and n == 0 for n in a.shape):
        return None
    before, start, answered, guards, failure = _guards(a, sizes), process_time(), True, 0, None
    try:
        decided = decide(a, sizes, **options)
        answered, guards = decided is not None, _guards(a, sizes) - before
        return decided and decided()  # which may write guards of its own
    except CannotView as error:
        guards = _guards(a, sizes) - before
        if error.condition is None:
            raise
        raise GuardOnDataDependentSymNode(error.condition, str(error)) from None
    except Exception as error:
        answered, failure = False, error
        return None
    finally:
        _TALLY.add(answered, guards, process_time() - start, failure)


def _guards(a: Any, sizes: Sequence[Any]) -> int:
    """How many guards and run-time checks the ShapeEnv of these has by now."""
    try:
        return sum(1 for _ in relations(environment(*a.shape, *a.stride(), *sizes)))
    except InputError:  # there are two
        return 0


class CannotView(ValueError):
    """A tensor has no view of these sizes: PyTorch's message, followed by the reason.

    `condition`: where it would have one, but of no practical use; PyTorch then reports that it depends on data.
    """

    def __init__(self, a: Any, sizes: Sequence[Any], reason: str, condition: Any = None) -> None:
        self.condition = condition
        shown = f"{a.shape} and strides {a.stride()} as a tensor with shape {tuple(sizes)}"
        super().__init__(f"Cannot view a tensor with shape {shown}! ({reason})")


def _with_hints(a: Any, sizes: Sequence[Any], allow_copy: bool) -> Any:
    """Replaces `_reshape_view_helper`: the view or the copy at the hints, with at most one guard."""
    import torch  # slow to load

    if (evident := evident_view(a, sizes)) is not None:
        return partial(_viewed, a, *evident)
    answer = view_guard(a, sizes, _BUDGET)
    if answer.outcome == "depends" or not answer.sym_bool(strides=True):  # this adds the guard
        return None
    if answer:
        return partial(_viewed, a, answer.sym_shape(), answer.sym_strides())
    if allow_copy:
        return partial(torch._prims.reshape, a, answer.sym_shape())
    raise CannotView(a, sizes, str(answer))


def _without_hints(a: Any, sizes: Sequence[Any], size_oblivious_enabled: bool = True, allow_copy: bool = False) -> Any:
    """Replaces `_view_unbacked_meta`: the view, with one check at run time; or the reason why no check helps."""
    import torch  # slow to load

    if torch.fx.experimental._config.backed_size_oblivious or not size_oblivious_enabled:
        return None
    if (evident := evident_view(a, sizes)) is not None:
        return partial(_viewed, a, *evident)
    answer = view_guard(a, sizes, _BUDGET)
    if allow_copy and (answer.outcome != "view" or answer.guard != "True"):
        return _without_hints(a.clone(memory_format=torch.contiguous_format), sizes)
    if answer.outcome == "copy":
        torch._check(answer.sym_bool())
        raise CannotView(a, sizes, f"no check helps: {answer}")
    if _is_of_no_use(answer):
        reason = f"a view only where it has one element or none, {answer.guard}"
        raise CannotView(a, sizes, reason, answer.expression)
    if answer.strides is None:
        return None
    torch._check(answer.sym_bool(strides=True), lambda: str(CannotView(a, sizes, str(answer))))
    return partial(_viewed, a, answer.sym_shape(), answer.sym_strides())


def _is_of_no_use(answer: ViewGuard) -> bool:
    """Whether it is a view only if it has one element or none, and it may have more, and so may what is asked for."""
    legal, facts, budget = answer.found.legal, answer.found.facts, _BUDGET.started()
    more = [*facts, *_several(answer.question.view.shape)]
    if legal == TRUE or not is_impossible([*more, legal], budget) or is_impossible(more, budget):
        return False
    asked = answer.question.shape
    return any(map(is_hole, asked)) or not is_impossible([*facts, *_several(asked)], budget)


def _several(shape: Sequence[Any]) -> list[Term]:
    """That these sizes are those of more than one element."""
    sizes = [to_term(n) for n in shape]
    some, two = ([Term(">=", (n, num(least))) for n in sizes] for least in (1, 2))
    return [*some, disj(two)]


def _viewed(a: Any, shape: Sequence[Any], strides: Sequence[Any] | None) -> Any:
    import torch  # slow to load

    shape = list(map(_one, shape))
    if list(map(as_entry, shape)) == list(map(as_entry, a.shape)):
        return torch._prims.view_of(a)
    return a.as_strided(shape, strides)


def _one(size: Any) -> Any:
    """A size that is 1 at its hint as the number, under a guard, as in PyTorch: Inductor broadcasts no other sizes."""
    node = getattr(size, "node", None)
    return 1 if node is not None and node.has_hint() and node.hint == 1 and size == 1 else size


_NAMES: dict[tuple[str, str], Decision] = {
    ("torch._refs", "_reshape_view_helper"): _with_hints,
    ("torch._subclasses.fake_impls", "_view_unbacked_meta"): _without_hints,
}
VERSIONS: dict[str, dict[tuple[str, str], Decision]] = {"2.13": _NAMES, "2.14": _NAMES}
