"""What satellites add to the core: a satellite's `entry.py` names its functions, and the core asks for them by feature.

A feature is also the public name of what a satellite adds to a package: "symview.draw", "symview.cute.best_swizzle".
A satellite whose folder is gone adds nothing.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from symview.errors import InputError, NotSupported


@cache
def _entries() -> dict[str, str]:
    """The function or class of each feature, as `module:name`."""
    found: dict[str, str] = {}
    for folder in import_module("symview").__path__:
        for part in iter_modules([folder]):  # its names are enough: importing every part would take long
            if part.ispkg and any(inner.name == "entry" for inner in iter_modules([f"{folder}/{part.name}"])):
                found |= import_module(f"symview.{part.name}.entry").FEATURES
    return found


def feature(name: str) -> Any | None:
    """What a satellite provides for a feature, or None.

    >>> print(feature("telepathy"))
    None
    """
    home, _, value = _entries().get(name, "").partition(":")
    return getattr(import_module(home), value) if home else None


def required(name: str, satellite: str) -> Any:
    """What provides a feature; NotSupported without the satellite that provides it."""
    found = feature(name)
    if found is None:
        raise NotSupported(f"{name} needs {satellite}, which is not part of this installation")
    return found


def public_name(package: str, name: str) -> Any:
    """What a satellite adds to a package under a public name; AttributeError if none does."""
    found = feature(f"{package}.{name}")
    if found is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return found


def public_names(package: str) -> list[str]:
    """The public names that satellites add to a package."""
    return [name for home, _, name in (feature.rpartition(".") for feature in _entries()) if home == package]


def picture_text(x: Any) -> str | None:
    """The object's picture as SVG, for notebooks; None if it has none, or if symview/pictures is not there."""
    painter = feature("picture")
    try:
        return None if painter is None else str(painter(x).svg())
    except InputError:
        return None
