"""Rocq's verdict on texts: skipped, with one line, where Rocq is not installed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from symview.errors import InputError
from symview.rocq.checking import compiled, compiler, library


@pytest.fixture(scope="session")
def said(tmp_path_factory) -> Callable[..., str]:
    """`said(text)`: what Rocq says against a file that imports the library; empty where it accepts its claims."""
    try:
        compiler()
    except InputError:
        pytest.skip("Rocq is not installed", allow_module_level=True)
    folder = tmp_path_factory.mktemp("rocq")
    library(folder)
    return lambda text, claims=1: compiled(folder, text, claims)
