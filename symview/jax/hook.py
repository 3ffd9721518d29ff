"""The hook: symview decides signs of dims, and whether a division leaves a remainder, where JAX cannot.

`jax._src.export.shape_poly` decides `a >= b` from bounds of a - b, which one function computes, `_bounds_decision`; all
its divisions are one method, `_DimExpr._divmod`. The hook replaces both by functions that call them, and improve bounds
that decide nothing, and remainders that are not a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from math import inf
from threading import RLock
from typing import Any

from symview.errors import NotSupported
from symview.jax.quotients import Division, even_quotient
from symview.jax.signs import sign_of

KNOWN = ("0.10.2",)
_MODULE = "jax._src.export.shape_poly"
_LESS = {"FOR_GEQ0_OR_LT0": "<", "FOR_GEQ0_OR_LEQ0": "<="}  # JAX's questions: bounds that decide one of two signs

Bounds = tuple[float, float]
Decision = Callable[[Any, Any], Bounds]


class _Patch:
    """A function of JAX that is replaced; another hook that was put on top of it stays."""

    def __init__(self, owner: Any, name: str, function: Any) -> None:
        self.owner, self.name, self.original, self.own = owner, name, getattr(owner, name), function
        setattr(owner, name, function)

    def removed(self) -> bool:
        """Puts JAX's function back; False if that would remove another hook."""
        if getattr(self.owner, self.name) is not self.own:
            return False
        setattr(self.owner, self.name, self.original)
        return True


class _Users:
    """Counts who wants the hook: `install` until `uninstall`, and each `installed()` while it runs."""

    def __init__(self) -> None:
        self.lock, self.installed, self.inside = RLock(), False, 0
        self.patches: dict[str, _Patch] = {}

    def change(self, installed: bool | None = None, inside: int = 0) -> None:
        """Adds or removes a user; puts the hook in place for the first one, and removes it after the last."""
        with self.lock:
            shape_poly: Any = import_module(_MODULE) if self.patches else _shape_poly()
            self.installed = self.installed if installed is None else installed
            self.inside += inside
            if self.wanted():
                self._put(shape_poly, shape_poly, "_bounds_decision", _deciding)
                self._put(shape_poly, shape_poly._DimExpr, "_divmod", _dividing)
            else:
                self.patches = {name: patch for name, patch in self.patches.items() if not patch.removed()}

    def _put(self, shape_poly: Any, owner: Any, name: str, wrapped: Callable[[Any, Any, _Users], Any]) -> None:
        if name not in self.patches:
            self.patches[name] = _Patch(owner, name, wrapped(shape_poly, getattr(owner, name), self))

    def wanted(self) -> bool:
        """Whether there are users."""
        return self.installed or self.inside > 0


_USERS = _Users()


def install() -> None:
    """Lets symview decide `<`, `<=`, `>`, `>=`, max and min of symbolic dims, and whether one divides another evenly.

    JAX's own decisions stay, and so does its `==`, on which its hashes depend: use `symview.jax.equal`. A second call
    does nothing; `uninstall` undoes it. Raises ImportError without JAX, and NotSupported for a version of JAX that is
    not among `KNOWN`.
    """
    _USERS.change(installed=True)


def uninstall() -> None:
    """Removes the hook, except inside `with installed():`; does nothing if it is not installed."""
    if _USERS.patches:
        _USERS.change(installed=False)


@contextmanager
def installed() -> Iterator[None]:
    """Like `install` while the block runs, in all threads; blocks may overlap, and leave an `install` in place."""
    _USERS.change(inside=1)
    try:
        yield
    finally:
        _USERS.change(inside=-1)


def _deciding(shape_poly: Any, original: Decision, users: _Users) -> Decision:
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


def _dividing(shape_poly: Any, original: Division, users: _Users) -> Division:
    """Wraps JAX's division: returns an exact quotient and 0 if symview proves the remainder 0, else JAX's own."""

    def divmod_(dim: Any, divisor: Any) -> tuple[Any, Any]:
        quotient, rest = original(dim, divisor)
        if not users.wanted() or not shape_poly.is_symbolic_dim(rest):
            return quotient, rest
        try:
            found = even_quotient(dim, divisor, original)
        except Exception:  # whatever goes wrong here, JAX continues as without the hook
            return quotient, rest
        if found is None:
            return quotient, rest
        return (found if _is_free(quotient) else quotient), 0

    return divmod_


def _is_free(quotient: Any) -> bool:
    """Whether JAX's quotient is a floordiv that no equation of the scope is about: it replaces only this form."""
    if not hasattr(quotient, "_sorted_terms"):
        return False
    factors = {factor for term in quotient.scope._normalization_rules for factor, _ in term._factors}
    factor = quotient._leading_term[0].to_factor()
    return factor is not None and factor.operation == "floordiv" and factor not in factors


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
