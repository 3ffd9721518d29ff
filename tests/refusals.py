"""Calls with bad arguments: what each raises, and the words that its text must have."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from symview import SymviewError


class Bad(NamedTuple):
    """A call, the class of its error, and words that the text must have."""

    call: Callable[[], object]
    error: type[SymviewError]
    words: tuple[str, ...]

    def check(self) -> None:
        """The call raises just this."""
        with pytest.raises(self.error) as error:
            self.call()
        text = str(error.value)
        assert not [word for word in self.words if word not in text], text
        assert type(error.value) is self.error
