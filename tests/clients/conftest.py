"""Each file here needs the real package of the client that it is named after: `test_torch_views.py` needs PyTorch.

Where the package is missing, the file is skipped and says which extra installs it.
"""

from __future__ import annotations

from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

PACKAGES = {"torch": "torch", "dsl": "cutlass", "jax": "jax", "mlir": "xdsl"}
PACKAGES |= {"torch_transformers": "transformers", "torch_timm": "timm"}  # which need PyTorch too
collect_ignore_glob = [f"{client}*.py" for client, package in PACKAGES.items() if find_spec(package) is None]


class Missing(pytest.Module):
    """A file whose client is not installed."""

    def collect(self) -> list[pytest.Item]:
        """Skips the file as a whole."""
        client = client_of(self.path)
        extra = client.replace("_", "-")
        raise pytest.skip.Exception(f'needs {PACKAGES[client]}: pip install ".[{extra}]"', allow_module_level=True)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Generator[None, list[Any], list[Any]]:
    collected = yield
    package = PACKAGES.get(client_of(file_path))
    if package is None or find_spec(package) is not None or not file_path.name.startswith("test_"):
        return collected
    return [Missing.from_parent(parent, path=file_path)]


def client_of(path: Path) -> str:
    """The part of a test file's name that says which client it is about."""
    if path.stem.removeprefix("test_") in PACKAGES:
        return path.stem.removeprefix("test_")
    return path.stem.split("_")[min(1, path.stem.count("_"))]
