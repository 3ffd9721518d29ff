"""Whether a satellite is there: where its folder is gone, what tests say of it is left out."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def there(satellite: str) -> bool:
    """Whether symview has it.

    >>> there("cute"), there("telepathy")
    (True, False)
    """
    return find_spec(f"symview.{satellite}") is not None


def needs(satellite: str) -> pytest.MarkDecorator:
    """The mark of a test that is skipped without it."""
    return pytest.mark.skipif(not there(satellite), reason=f"symview/{satellite} is not there")
