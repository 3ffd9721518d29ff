"""What satellites add to the core: a satellite's `entry.py` names its functions, and the core asks for them by feature.

A satellite whose folder is gone adds nothing.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from symview.errors import NotSupported


@cache
def _entries() -> dict[str, str]:
    """The function of each feature, as `module:name`."""
    found: dict[str, str] = {}
    package = find_spec("symview")
    for part in iter_modules(package.submodule_search_locations if package else None):
        home = f"symview.{part.name}.entry"
        if part.ispkg and find_spec(home) is not None:
            found |= import_module(home).FEATURES
    return found


def feature(name: str) -> Any | None:
    """The function that a satellite provides for a feature, or None.

    >>> feature("SMT-LIB").__module__, feature("telepathy")
    ('symview.verify.smtlib', None)
    """
    home, _, function = _entries().get(name, "").partition(":")
    return getattr(import_module(home), function) if home else None


def required(name: str, satellite: str) -> Any:
    """The function of a feature; NotSupported without the satellite that provides it."""
    found = feature(name)
    if found is None:
        raise NotSupported(f"{name} needs {satellite}, which is not part of this installation")
    return found
