"""The hook: symview decides signs of dims that JAX cannot decide.

`jax._src.export.shape_poly` decides `a >= b` from bounds of a - b, which one function computes, `_bounds_decision`. The
hook replaces it by a function that calls it, and improves bounds that decide nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from math import inf
from threading import RLock
from typing import Any

from symview.errors import NotSupported
from symview.jax.signs import sign_of

KNOWN = ("0.10.2",)
_MODULE = "jax._src.export.shape_poly"
_LESS = {"FOR_GEQ0_OR_LT0": "<", "FOR_GEQ0_OR_LEQ0": "<="}  # JAX's questions: bounds that decide one of two signs

Bounds = tuple[float, float]
Decision = Callable[[Any, Any], Bounds]


class _Users:
    """Counts who wants the hook: `install` until `uninstall`, and each `installed()` while it runs."""

    def __init__(self) -> None:
        self.lock, self.installed, self.inside = RLock(), False, 0
        self.original: Decision | None = None
        self.own: Decision | None = None

    def change(self, installed: bool | None = None, inside: int = 0) -> None:
        """Adds or removes a user; puts the hook in place for the first one, and removes it after the last."""
        with self.lock:
            shape_poly: Any = _shape_poly() if self.own is None else import_module(_MODULE)
            self.installed = self.installed if installed is None else installed
            self.inside += inside
            if self.wanted() and self.own is None:
                self.original = shape_poly._bounds_decision
                self.own = shape_poly._bounds_decision = _hooked(shape_poly, shape_poly._bounds_decision, self)
            elif not self.wanted() and self.own is not None and shape_poly._bounds_decision is self.own:
                shape_poly._bounds_decision, self.own = self.original, None

    def wanted(self) -> bool:
        """Whether there are users."""
        return self.installed or self.inside > 0


_USERS = _Users()


def install() -> None:
    """Lets symview decide `<`, `<=`, `>`, `>=`, max and min of symbolic dims where JAX is inconclusive.

    JAX's own decisions stay, and so does its `==`, on which its hashes depend: use `symview.jax.equal`. A second call
    does nothing; `uninstall` undoes it. Raises ImportError without JAX, and NotSupported for a version of JAX that is
    not among `KNOWN`.
    """
    _USERS.change(installed=True)


def uninstall() -> None:
    """Removes the hook, except inside `with installed():`; does nothing if it is not installed."""
    if _USERS.own is not None:
        _USERS.change(installed=False)


@contextmanager
def installed() -> Iterator[None]:
    """Like `install` while the block runs, in all threads; blocks may overlap, and leave an `install` in place."""
    _USERS.change(inside=1)
    try:
        yield
    finally:
        _USERS.change(inside=-1)


def _hooked(shape_poly: Any, original: Decision, users: _Users) -> Decision:
    """Wraps JAX's function: returns bounds that decide the sign if symview can, else JAX's own."""

    def bounds_decision(dim: Any, precision: Any) -> Bounds:
        try:
            low, high = original(dim, precision)
        except shape_poly.InconclusiveDimensionOperation:  # it cannot show that a divisor is not 0
            better = _better(dim, precision, -inf, inf) if users.wanted() else None
            if better is None:
                raise
            return better
        if not users.wanted() or precision._bounds_are_sufficient(low, high):
            return low, high
        return _better(dim, precision, low, high) or (low, high)

    return bounds_decision


def _better(dim: Any, precision: Any, low: float, high: float) -> Bounds | None:
    """The bounds restricted by the sign that symview proved; None if there is none, or it is not about a sign."""
    less = _LESS.get(precision.name)
    if less is None or not hasattr(dim, "_sorted_terms"):
        return None
    try:
        sign = sign_of(dim, less)
    except Exception:  # whatever goes wrong here, JAX continues as without the hook
        return None
    if sign is None:
        return None
    return (max(low, 0), high) if sign == ">=" else (low, min(high, -1 if less == "<" else 0))


def _shape_poly() -> Any:
    """JAX's module, with its function loaded; its version has to be known."""
    try:
        jax = import_module("jax")
    except ImportError as error:
        raise ImportError('symview.jax needs JAX: pip install ".[jax]" in a clone') from error
    if jax.__version__ not in KNOWN:
        raise NotSupported(
            f"JAX {jax.__version__}: symview.jax knows the inside of {', '.join(KNOWN)} alone; install one of these, "
            "or go on without the hook (symview.jax.equal needs none)"
        )
    import_module(f"{_MODULE}_decision")
    return import_module(_MODULE)
