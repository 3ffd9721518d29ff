"""symview.jax where JAX is missing or of another version."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from symview import InputError, NotSupported
from symview import jax as client


def test_without_jax_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)  # as if it were not installed
    with pytest.raises(ImportError, match=r'pip install "\.\[jax\]"'):
        client.install()
    with pytest.raises(ImportError), client.installed():
        pass
    client.uninstall()


def test_an_unknown_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = ModuleType("jax")
    other.__version__ = "0.99.0"
    monkeypatch.setitem(sys.modules, "jax", other)
    with pytest.raises(NotSupported, match=r"JAX 0\.99\.0.* knows the inside of 0\.10\.2"):
        client.install()


def test_numbers_are_dims() -> None:
    assert client.equal(2**70, 2**70)
    assert not client.equal(2, 3)
    with pytest.raises(InputError, match="not a dim"):
        client.equal(2, "b")
