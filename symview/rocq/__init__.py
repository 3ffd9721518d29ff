"""Certificates exported to Rocq, whose kernel checks them."""

from __future__ import annotations

from typing import Any


def to_rocq(answer: Any) -> str:
    """An answer, or its certificate, as a file that `coqc` checks without this package: lemmas, theorem, axioms.

    For a merge of numbers, give `symview.certificate(answer, *views)`.

    >>> from symview import prove
    >>> print(to_rocq(prove("x//2*2 <= x")).partition("Theorem main")[2].splitlines()[0])
     : forall x : Z, (x / 2) * 2 <= x.
    """
    from symview.rocq.exporting import exported  # loads the checker

    return exported(answer if isinstance(answer, dict) else answer.certificate()).text
