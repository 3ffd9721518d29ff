"""Writes the questions that the README, docs/ and tests/regress ask from Python: `python -m frozen.harvest`, in tests.

A pytest plugin: each public function is wrapped before the tests import it, and notes its calls as text.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
import sympy

import symview
from symview import View, cute

from .answers import NAMES

ROOT = Path(__file__).parents[2]
VIEWS = (
    "conditions", "contiguous_conditions", "dense_conditions", "equivalent", "injective_conditions", "is_contiguous",
    "is_dense", "is_injective", "merge", "prove", "reshape", "reshape_conditions", "shard_conditions", "simplify",
    "simplify_index", "weakest", "bounds", "axis_info", "bijective", "injective", "canonical_strides",
)  # fmt: skip
TAKEN = (int, str, bool, type(None))


class Unwritable(Exception):
    """What has no text that evaluates back."""


def text(x: Any) -> str:
    """An argument as a text that evaluates back."""
    if type(x) in TAKEN:
        return repr(x)
    if isinstance(x, View):
        return f"View.parse({str(x)!r})"
    if type(x) is cute.Layout:
        return f"Layout.parse({str(x)!r})"
    if isinstance(x, sympy.Expr):
        return f"shape({f'({x})'!r})[0]"
    if type(x) in (tuple, list):
        return f"({''.join(f'{text(y)}, ' for y in x)})"
    raise Unwritable


def main() -> None:
    """Runs the tests with the functions wrapped."""
    calls: dict[str, None] = {}

    def noting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def wrapped(*given: Any, **options: Any) -> Any:
            try:
                parts = [*map(text, given), *(f"{k}={text(v)}" for k, v in options.items() if k != "budget")]
                calls[f"{name}({', '.join(parts)})"] = None
            except Unwritable:
                pass
            return function(*given, **options)

        return wrapped

    for name in VIEWS:
        setattr(symview, name, noting(name, getattr(symview, name)))
    for name in cute.__all__:
        function = getattr(cute, name)
        if callable(function) and not isinstance(function, type):
            setattr(cute, name, noting(f"cute.{name}", function))
    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning", f"--rootdir={ROOT}"]
    pytest.main([*options, *(str(ROOT / part) for part in ("README.md", "docs", "tests/regress"))])
    found = [call for call in sorted(calls) if evaluates(call)]
    (Path(__file__).parent / "documented.json").write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n")


def evaluates(call: str) -> bool:
    """Whether the text is Python; what it answers does not matter."""
    try:
        compile(call, "call", "eval")
    except SyntaxError:
        return False
    return bool(NAMES)


if __name__ == "__main__":
    main()
