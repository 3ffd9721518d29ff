"""Rocq's verdict on texts: skipped, with one line, where Rocq is not installed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

import rocq.compiled as shared
from symview.errors import InputError
from symview.rocq.checking import compiled, compiler


@pytest.fixture(scope="session", autouse=True)
def place(tmp_path_factory) -> Path:
    """Where what is compiled once for all of pytest-xdist's processes is kept."""
    own = tmp_path_factory.getbasetemp()
    shared.place = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    return shared.place


@pytest.fixture(scope="session")
def said(tmp_path_factory) -> Callable[..., str]:
    """`said(text)`: what Rocq says against a file that imports the library; empty where it accepts its claims."""
    try:
        compiler()
    except InputError:
        pytest.skip("Rocq is not installed", allow_module_level=True)
    folder = copytree(shared.library(), tmp_path_factory.mktemp("rocq"), dirs_exist_ok=True)
    return lambda text, claims=1: compiled(folder, text, claims)
