"""Rocq's verdict on texts: skipped, with one line, where Rocq is not installed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import copytree

import pytest

import rocq.compiled as shared
from rocq.sweep import verdicts
from symview.errors import InputError
from symview.rocq.checking import compiled, compiler


@pytest.fixture(scope="session", autouse=True)
def place(tmp_path_factory) -> Path:
    """Where what is compiled once for all of pytest-xdist's processes is kept."""
    own = tmp_path_factory.getbasetemp()
    shared.place = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    return shared.place


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """The compiled library, beside which files are written."""
    try:
        compiler()
    except InputError:
        pytest.skip("Rocq is not installed", allow_module_level=True)
    return copytree(shared.library(), tmp_path_factory.mktemp("rocq"), dirs_exist_ok=True)


@pytest.fixture(scope="session")
def said(folder: Path) -> Callable[[str], str]:
    """`said(text)`: what Rocq says against a file that imports the library; empty where it accepts its claims."""
    return lambda text: compiled(folder, text)


@pytest.fixture(scope="session")
def refused(folder: Path) -> Callable[[str, Sequence[str]], bool]:
    """`refused(true, false)`: whether Rocq accepts one text, and refuses each of many, which one process reads."""

    def all_refused(true: str, false: Sequence[str]) -> bool:
        first, *others = verdicts(folder, [true, *false], 120)
        for text, verdict in zip(false, others, strict=True):
            if verdict != "refused":
                print(f"{verdict}, though it should be refused: {text[text.rindex('Theorem main') :]}")
        return first == "accepted" and set(others) == {"refused"}

    return all_refused
