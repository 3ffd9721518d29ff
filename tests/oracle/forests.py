"""Random forests of the brute force as programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symview import tensor


def programs_of(nodes: Sequence[Any]) -> list[Any]:
    """A forest as programs."""
    found = list[Any]()
    for n, (before, op) in enumerate(nodes):
        if before is None:
            found.append(tensor("xyz"[n], op))
            continue
        name, given = op
        if name == "slice":
            found.append(found[before].slice(*zip(*given, strict=True)) if given else found[before].slice((), ()))
        elif name in ("reshape", "expand", "permute"):
            found.append(getattr(found[before], name)(tuple(given)))
        else:  # flip, contiguous
            found.append(getattr(found[before], name)(*given))
    return found
