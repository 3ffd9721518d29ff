"""Reads the rewrite rules of a compiler's checkout, translates them to this project's notation, and proves them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from pathlib import Path

from symview.errors import InputError
from symview.readers.expressions import Skipped
from symview.readers.halide import halide
from symview.readers.rules import Rule
from symview.readers.tinygrad import tinygrad
from symview.readers.tvm import tvm

__all__ = ["PROJECTS", "Rule", "read"]

PROJECTS: Mapping[str, Callable[[Path, bool], Iterator[Rule]]] = {"halide": halide, "tvm": tvm, "tinygrad": tinygrad}


def read(project: str, checkout: str | PathLike[str], zero: bool = False) -> tuple[Rule, ...]:
    """The rules in a checkout of Halide, TVM or tinygrad, including those that could not be read, with the reason.

    `zero` adds Halide's rules for divisors that are 0. Raises InputError if there are no rules at all.
    """
    if project not in PROJECTS:
        raise InputError(f"no project {project!r}: give one of {', '.join(PROJECTS)}")
    try:
        found = tuple(PROJECTS[project](Path(checkout), zero))
    except (OSError, UnicodeDecodeError, SyntaxError, Skipped) as error:
        raise InputError(f"{checkout}: {error}") from None
    if not any(rule.claim for rule in found):
        raise InputError(f"no rules of {project} in {checkout}: give the directory of its checkout")
    return found
