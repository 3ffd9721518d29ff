"""Reads a certificate: strict JSON with limits; nothing in it is executed or assumed."""

from __future__ import annotations

import json
from collections.abc import Callable, ItemsView, Iterator, Sequence
from reprlib import repr
from typing import Any, NamedTuple, NoReturn, TypeAlias, TypeVar

from symview.trusted.formulas import FORMULAS, INTEGERS, RELATIONS, Tree, Trees, put

FORMAT, VERSION = "symview certificate", 6
LONGEST, DEEPEST, DIGITS, PARTS = 4_000_000, 100, 400, 1000  # characters, levels of formulas, digits, parts of lists
Item = TypeVar("Item")
Object: TypeAlias = dict[str, Any]  # a value from the file, which is checked when it is read


class BadCertificate(ValueError):
    """The file is not a certificate that can be checked."""


class View(NamedTuple):
    """A strided view; `mask` has half-open bounds, or is None; `void`: no index is valid."""

    shape: tuple[Tree, ...]
    strides: tuple[Tree, ...]
    offset: Tree
    mask: tuple[tuple[Tree, Tree], ...] | None = None
    void: bool = False

    def entries(self) -> tuple[Tree, ...]:
        """Sizes, strides, offset and bounds."""
        return (*self.shape, *self.strides, self.offset, *(x for b in self.mask or () for x in b))

    def put(self, by: Trees) -> View:
        """The view with expressions for its names."""
        shape, strides = (tuple([put(x, by) for x in xs]) for xs in (self.shape, self.strides))
        mask = None if self.mask is None else tuple([(put(a, by), put(b, by)) for a, b in self.mask])
        return View(shape, strides, put(self.offset, by), mask, self.void)


class Fields(Object):
    """An object of the file; it records which keys were read."""

    def __init__(self, pairs: Sequence[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.unread = set(self)

    def __getitem__(self, key: str) -> Any:
        self.unread.discard(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, which counts as read."""
        self.unread.discard(key)
        return super().get(key, default)

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        """All its items, which count as read."""
        self.unread.clear()
        return super().items()


def unread(part: Any, path: str = "") -> Iterator[str]:
    """The keys that were not read, each with its path."""
    if isinstance(part, Fields):
        yield from sorted(f"{path}{key}" for key in part.unread)
        part = [(f"{path}{key}.", dict.__getitem__(part, key)) for key in part if key not in part.unread]
    elif isinstance(part, list):
        part = [(path, one) for one in part]
    for at, one in part if type(part) is list else ():
        yield from unread(one, at)


def texts(part: Any) -> Iterator[str]:
    """All strings in a part of the file, such as names."""
    for one in dict.values(part) if isinstance(part, dict) else part:
        yield from [one] if type(one) is str else texts(one) if isinstance(one, (dict, list)) else []


def parsed(text: str) -> Object:
    """Parses a document; raises BadCertificate unless it has this format and version."""
    if len(text) > LONGEST:
        raise BadCertificate(f"{len(text)} characters: at most {LONGEST} are read")
    try:
        found = json.loads(text, parse_int=_int, parse_float=_no, parse_constant=_no, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise BadCertificate(f"not valid JSON: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadCertificate(f'"format" has to be {FORMAT!r}')
    if get(found, "version", int) != VERSION:
        old = str(found["version"])[:20]
        raise BadCertificate(f"version {old} is not read: let symview write the certificate anew, as version {VERSION}")
    return found


def sides(document: Object) -> tuple[Object, Object]:
    """What a certificate claims, and its evidence: of this, nothing changes what is claimed."""
    return get(document, "claim", dict), get(document, "evidence", dict)


def _int(text: str) -> int:
    return int(text) if len(text) <= DIGITS else _no(f"a number of {len(text)} digits", f"at most {DIGITS} are read")


def _no(text: str, why: str = "all numbers are integers") -> NoReturn:
    raise BadCertificate(f"{text[:60]}: {why}")


def _object(pairs: Sequence[tuple[str, object]]) -> Object:
    return found if len(found := Fields(pairs)) == len(pairs) else _no("an object", "a key stands twice in it")


_WORDS: dict[type, str] = {dict: "an object", list: "a list", str: "a text", int: "an integer", bool: "true or false"}


def checked(value: object, kind: type[Item], what: str) -> Item:
    """Returns the value; raises BadCertificate if it is missing or has another type."""
    if isinstance(value, kind) and type(value) in (kind, Fields):
        return value
    raise BadCertificate(f"{what} has to be {_WORDS[kind]}, not {repr(value)[:40]}")


def get(of: object, key: str, kind: type[Item]) -> Item:
    """Reads a field of this type."""
    found = checked(of.get(key) if isinstance(of, dict) else None, kind, f'"{key}"')
    if isinstance(found, list) and len(found) > PARTS:
        _no(f'"{key}" of {len(found)} parts', f"at most {PARTS} are read")
    return found


def listed(of: object, key: str, read: Callable[[Any], Item]) -> list[Item]:
    """Reads a field that is a list, applying `read` to each part."""
    return [read(x) for x in get(of, key, list)]


def some(of: object, key: str, read: Callable[[Any], Item]) -> list[Item]:
    """Reads a field that is a list, which may be missing."""
    return listed(of, key, read) if isinstance(of, dict) and key in of else []


def maybe(of: object, key: str, kind: type[Item]) -> Item | None:
    """Reads a field of this type; None if it is null or missing."""
    return None if isinstance(of, dict) and of.get(key) is None else get(of, key, kind)


def integers(of: object, key: str) -> tuple[int, ...]:
    """Reads a field that is a list of integers."""
    return tuple(listed(of, key, lambda x: checked(x, int, f'what is in "{key}"')))


def values(of: object, key: str) -> dict[str, int]:
    """Reads a field that maps names to numbers."""
    return {n: checked(x, int, f"the value of {n[:40]}") for n, x in get(of, key, dict).items()}


def formula(value: object) -> Tree:
    """A formula: true, false, or ["op", operand, …]."""
    return expression(value, formula=True)


def expression(value: object, formula: bool = False, depth: int = 0) -> Tree:
    """An integer expression: a number, a name (without the checker's own prefixes), or ["op", operand, …]."""
    if type(value) is bool if formula else type(value) is int or (type(value) is str and value[:1] not in "#$("):
        return value
    op, *args = value if type(value) is list and value else [None]
    least, most, _ = (FORMULAS if formula else INTEGERS).get(op if type(op) is str else "", (1, 0, None))
    if not least <= len(args) <= most or depth > DEEPEST:
        raise BadCertificate(f"{repr(value)[:40]}: not {'a formula' if formula else 'an expression'}")
    logical = formula and op not in RELATIONS
    return (op, *[expression(a, logical or (op == "if" and n == 0), depth + 1) for n, a in enumerate(args)])


def view(value: Any) -> View:
    """Reads a view: shape, strides, offset, mask (null, "empty", or bounds); nothing is computed."""
    shape, strides = (tuple(listed(value, key, expression)) for key in ("shape", "strides"))
    offset, mask = expression(value.get("offset")), value.get("mask", False)
    if len(shape) != len(strides) or any(type(n) is int and n < 0 for n in shape):
        raise BadCertificate(f"sizes {shape} and strides {strides}")
    if mask is None or mask == "empty":
        return View(shape, strides, offset, None, mask is not None)
    bounds = [tuple(listed({"bound": b}, "bound", expression)) for b in checked(mask, list, '"mask"')]
    if len(bounds) != len(shape) or any(len(b) != 2 for b in bounds):
        raise BadCertificate("a mask has two bounds for each size")
    for n, (low, high) in zip(shape, bounds, strict=True):
        if {int} == {*map(type, (n, low, high))} and not 0 <= low <= high <= n:
            raise BadCertificate(f"the mask {[low, high]} of a size {n}")
    return View(shape, strides, offset, tuple((b[0], b[1]) for b in bounds))


def chain(of: object, key: str, least: int = 1, numeric: bool = False) -> list[View]:
    """Reads a field that is a list of at least `least` views."""
    found = listed(of, key, view)
    if len(found) < least or (numeric and any({int} != {*map(type, v.entries())} for v in found)):
        raise BadCertificate(f'"{key}" has to be {least} views or more{", of numbers" if numeric else ""}')
    return found


def layout(value: Any, tiler: bool = False, depth: int = 0) -> Any:
    """Reads a layout: (size, stride), or a list of layouts; or a tiler: one, None, or a dict of "modes", tilers."""
    if depth > DEEPEST:
        raise BadCertificate("a layout is nested too deep")
    if type(value) is list:
        return [layout(m, False, depth + 1) for m in value]
    if tiler and (value is None or (isinstance(value, dict) and "modes" in value)):
        return value if value is None else {"modes": listed(value, "modes", lambda m: layout(m, True, depth + 1))}
    size, stride = (expression(checked(value, dict, "a layout").get(key)) for key in ("size", "stride"))
    if type(size) is int and size < 1:
        raise BadCertificate("the sizes of layouts are from 1 on")
    return size, stride
