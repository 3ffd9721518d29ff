"""Lets `sys.modules["pycute"] = symview.cute` provide pycute's modules too: `pycute.layout` and others."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from importlib.abc import Loader  # takes long to load

_HOME = "symview.cute"


def replaces_pycute() -> bool:
    """Whether `sys.modules["pycute"]` is symview.cute."""
    return sys.modules.get("pycute") is sys.modules[_HOME]


class PycuteModules:
    """Finds pycute's modules in symview.cute while symview.cute replaces pycute, and loads nothing twice."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of a module `pycute.…`, if pycute is symview.cute."""
        ours = name.startswith("pycute.") and replaces_pycute()
        return ModuleSpec(name, cast("Loader", self)) if ours else None

    def create_module(self, spec: ModuleSpec) -> None:
        """Uses Python's default."""

    def exec_module(self, module: ModuleType) -> None:
        """Installs symview's module of that name, or an empty one; symview.cute provides the names that it lacks."""
        cute = sys.modules[_HOME]
        ours = f"{_HOME}.{module.__name__.partition('.')[2]}"
        found = import_module(ours) if find_spec(ours) else module

        def missing(name: str) -> Any:
            return getattr(cute, name)

        vars(found).update(__getattr__=missing, __all__=cute.__all__)
        sys.modules[module.__name__] = found
