"""`CUTE_CHECK=1`: turns the checks on as soon as the CuTe DSL is imported, before or after symview."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from importlib.abc import Loader  # slow to import

_DSL = "cutlass"


class _OnceLoaded:
    """Finds the DSL as usual, and turns the checks on once it is loaded."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The usual spec for that name, with a loader that turns the checks on."""
        if name != _DSL:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = cast("Loader", _Loader(spec.loader))
        return spec


class _Loader:
    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> Any:
        """Calls the original loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Loads the module, then turns the checks on."""
        if module.__spec__ is not None:
            module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        _check()


def _check() -> None:
    import_module("symview.dsl").check_always()


def start() -> None:
    """Turns the checks on, now or once the DSL is loaded."""
    if _DSL in sys.modules:
        _check()
    else:
        sys.meta_path.insert(0, _OnceLoaded())
