"""The certificate of a merge, whose answer does not remember its question."""

from __future__ import annotations

from symview.certificates import of_merge
from symview.counterexample import OF_MERGING, OF_STRIDES, Counterexample
from symview.displayed import Json
from symview.errors import InputError, NotSupported
from symview.view import View, as_views


def certificate(found: View | Counterexample, *views: View | str) -> Json:
    """The claim that these views merge into the one found, or do not merge and why, as JSON for `symview verify`.

    Give the views of the question again, the one that lays out memory first; a counterexample has numbers for their
    names. Other answers have a method `certificate()`. Raises InputError without views, and for other answers;
    NotSupported for a counterexample of another question than merging.

    >>> from symview import merge
    >>> views = View((10, 3, 3), (9, 3, 1)), View((4,), (4,))
    >>> certificate(merge(*views), *views)["claim"]["view"]
    {'shape': [4], 'strides': [4], 'offset': 0, 'mask': None}
    """
    if not isinstance(found, View | Counterexample):
        raise InputError(f"certificate of {type(found).__name__}: give a View or a Counterexample, then its views")
    given = as_views(views, "certificate")
    if isinstance(found, Counterexample):
        if found.kind in OF_STRIDES:
            raise NotSupported("the certificate of this no is that of conditions: dense_conditions(view).certificate()")
        if found.kind not in OF_MERGING or found.reason is not None:
            raise NotSupported(f"certificate of the no of another question than merging: {found}")
        given = tuple([v.with_values(found.values) if v.symbols() else v for v in given])
    return of_merge(given, found)
