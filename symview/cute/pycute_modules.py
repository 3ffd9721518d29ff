"""After `sys.modules["pycute"] = symview.cute`, pycute's modules are found there, `pycute.layout` and others."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_HOME = "symview.cute"


class PycuteModules(MetaPathFinder, Loader):
    """Finds pycute's modules in symview.cute, as long as that stands in pycute's place, and loads nothing twice."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """A module `pycute.…`, where pycute is symview.cute."""
        ours = name.startswith("pycute.") and sys.modules.get("pycute") is sys.modules[_HOME]
        return ModuleSpec(name, self) if ours else None

    def exec_module(self, module: ModuleType) -> None:
        """Puts symview's module of that name there, or an empty one; what it lacks is looked up in symview.cute."""
        cute = sys.modules[_HOME]
        found = sys.modules.get(f"{_HOME}.{module.__name__.partition('.')[2]}", module)

        def missing(name: str) -> Any:
            return getattr(cute, name)

        vars(found).update(__getattr__=missing, __all__=cute.__all__)
        sys.modules[module.__name__] = found
