"""Checks the arguments of a linear layout: bases, outputs with their sizes, the constant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import is_int

Outs = dict[str, int | None]
Rows = dict[str, list[list[int]]]


def read_given(bases: Any, outs: Any, constant: Any) -> tuple[Rows, dict[str, int], list[int]]:
    """Normalises the bases of each input and the constant to one number per output, and finds the outputs' sizes."""
    given, plain = _bases(bases)
    sizes = _outs(outs, given, plain)
    rows = {name: [_coordinates(b, f"a basis of {name}", len(sizes)) for b in bs] for name, bs in given.items()}
    start = _constant(constant, list(sizes))
    found: dict[str, int] = {}
    for k, (out, size) in enumerate(sizes.items()):
        top = max([start[k], *(b[k] for bs in rows.values() for b in bs)])
        if size is not None and top >= size:
            raise LayoutError(f"the output {out} has the size {size} and a basis with {top}")
        found[out] = size or 1 << top.bit_length()
    return rows, found, start


_GLUON = {"register": "reg_bases", "lane": "lane_bases", "warp": "warp_bases", "offset": "offset_bases",
          "block": "block_bases"}  # fmt: skip


def parts_of(x: Any) -> tuple[Any, Any]:
    """Bases and outputs of a Triton object, recognised by its attributes; raises LayoutError for anything else.

    >>> from types import SimpleNamespace
    >>> parts_of(SimpleNamespace(offset_bases=[[1], [2]], block_bases=[]))
    ({'offset': [[1], [2]], 'block': []}, None)
    """
    if hasattr(x, "bases") and hasattr(x, "out_dims"):
        return x.bases, dict(x.out_dims)
    bases = {name: getattr(x, attribute) for name, attribute in _GLUON.items() if hasattr(x, attribute)}
    if not bases:
        raise LayoutError(f"{x!r} is not a linear layout of Triton's: it has no bases")
    shape = getattr(x, "shape", None)
    return bases, None if shape is None else {f"dim{k}": size for k, size in enumerate(shape)}


def _bases(given: Any) -> tuple[dict[str, list[Any]], bool]:
    """The bases by input, and whether they are plain numbers."""
    try:
        rows = list(given.items()) if isinstance(given, Mapping) else list(given)
        if rows and all(is_int(b) for b in rows):
            rows = [("index", rows)]
        found = {name: list(bs) for name, bs in rows}
    except (TypeError, ValueError):
        raise LayoutError(f"{given!r}: give bases by the name of their input, or the bases of one input") from None
    for name in found:
        _need_name(name, "input")
    if len(found) < len(rows):
        raise LayoutError(f"{given!r} has an input twice")
    return found, all(is_int(b) for bs in found.values() for b in bs)


def _outs(given: Any, bases: dict[str, list[Any]], plain: bool) -> Outs:
    """The outputs, with their sizes if given."""
    if given is None:
        first = next((b for bs in bases.values() for b in bs), None)
        many = 1 if plain else len(first) if isinstance(first, list | tuple) else 1
        return dict.fromkeys(["offset"] if plain else [f"dim{k}" for k in range(many)])
    if isinstance(given, str):
        given = [given]
    try:
        found = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given)
    except TypeError:
        raise LayoutError(f"{given!r}: give the outputs with their sizes, or their names") from None
    for name, size in found.items():
        _need_name(name, "output")
        if size is not None:
            bits_of(size, f"the output {name}")
    if not isinstance(given, Mapping) and len(found) < len(list(given)):
        raise LayoutError(f"{given!r} has an output twice")
    return found


def _constant(given: Any, outs: list[str]) -> list[int]:
    if given is None:
        return [0] * len(outs)
    if isinstance(given, Mapping):
        for name in given:
            if name not in outs:
                raise LayoutError(f"the constant has a part for {name!r}, which is not an output: {', '.join(outs)}")
        given = [given.get(name, 0) for name in outs]
    return _coordinates(given, "the constant", len(outs))


def _coordinates(given: Any, what: str, many: int) -> list[int]:
    found = [given] if is_int(given) else list(given) if isinstance(given, list | tuple) else None
    if found is None or not all(is_int(x) and x >= 0 for x in found):
        raise LayoutError(f"{what} is {given!r}: give integers from 0 on, one for each output")
    if len(found) != many:
        raise LayoutError(f"{what} is {given!r}, of {len(found)} outputs: there are {many}")
    return [int(x) for x in found]


def _need_name(name: Any, what: str) -> None:
    if not isinstance(name, str) or not name or not name.isprintable() or "'" in name or '"' in name:
        raise LayoutError(f"{name!r} is not a name of an {what}: give text")


def bits_of(size: Any, what: str) -> int:
    """The logarithm of a size; LayoutError unless it is a power of two."""
    if not is_int(size) or size < 1 or size & (size - 1):
        raise LayoutError(f"{what} has the size {size!r}; linear layouts have powers of two")
    return int(size).bit_length() - 1
