"""Each file here needs the real package of the client that it is named after: `test_torch_views.py` needs PyTorch.

Where the package is missing, the file is skipped and says which extra installs it.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = {"torch": "torch", "dsl": "cutlass", "jax": "jax", "mlir": "xdsl"}


class Missing(pytest.Module):
    """A file whose client is not installed."""

    def collect(self) -> list[pytest.Item]:
        """Skips the file as a whole."""
        client = client_of(self.path)
        pytest.skip(f'needs {PACKAGES[client]}: pip install ".[{client}]"', allow_module_level=True)


def client_of(path: Path) -> str:
    return path.stem.split("_")[1]


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    package = PACKAGES.get(client_of(module_path))
    return Missing.from_parent(parent, path=module_path) if package and find_spec(package) is None else None
