"""Certificates exported to Rocq, whose kernel checks them; answers with certificates have `to_rocq()`."""

from __future__ import annotations

from typing import Any

from symview.displayed import Json


def to_rocq(certificate: Json) -> str:
    """Exports a certificate as a file that `coqc` checks alone: lemmas, a main theorem, and its axioms.

    >>> from symview import prove
    >>> print(to_rocq(prove("x//2*2 <= x").certificate()).partition("Theorem main")[2].splitlines()[0])
     : forall x : Z, (x / 2) * 2 <= x.
    """
    from symview.rocq.exporting import exported

    return exported(certificate).text


class Certified:
    """An answer with a certificate."""

    __slots__ = ()

    def to_rocq(self: Any, *question: Any) -> str:
        """Exports the answer as a file for Rocq, which `coqc` checks without this package.

        It takes the arguments of `certificate()`, such as the views of a merge.
        """
        return to_rocq(self.certificate(*question))
