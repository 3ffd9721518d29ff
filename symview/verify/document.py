"""Reading a certificate: strict JSON with limits, in which nothing is executed and nothing is taken for granted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

FORMAT, VERSION = "symview certificate", 1
LONGEST, DEEPEST, DIGITS = 4_000_000, 100, 400  # characters of a file, brackets in brackets, digits of a number
Tree: TypeAlias = Any  # an int, a bool, a name, or a tuple of an operator and its operands


class BadCertificate(ValueError):
    """The file is no certificate that can be checked."""


_DIVISIONS = tuple(op + rounding for op in ("//", "%") for rounding in ("", "trunc", "euclid"))
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
ARITY: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("+", "*", "min", "max", "gcd", "and", "or"), (1, 10_000)),
    **dict.fromkeys((*_DIVISIONS, *_RELATIONS, "-", "ceildiv", "&", "|", "^", "<<", ">>", "**", "->", "<->"), (2, 2)),
    **dict.fromkeys(("neg", "abs", "~", "not"), (1, 1)),
    **dict.fromkeys(("if", "wrap"), (3, 3)),
}
FORMULAS = frozenset((*_RELATIONS, "and", "or", "not", "->", "<->"))
_OF_FORMULAS = frozenset(("and", "or", "not", "->", "<->"))


class View(NamedTuple):
    """A strided view; `mask` has half-open bounds, or is None; `void`: no index is valid."""

    shape: tuple[Tree, ...]
    strides: tuple[Tree, ...]
    offset: Tree
    mask: tuple[tuple[Tree, Tree], ...] | None
    void: bool


def parsed(text: str) -> dict[str, Any]:
    """The document; raises BadCertificate unless it is one of this format and version."""
    if len(text) > LONGEST:
        raise BadCertificate(f"{len(text)} characters: at most {LONGEST} are read")
    _check_depth(text)
    try:
        found = json.loads(
            text, parse_int=_number, parse_float=_refused, parse_constant=_refused, object_pairs_hook=_object
        )
    except BadCertificate:
        raise
    except (ValueError, RecursionError) as error:
        raise BadCertificate(f"no JSON: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadCertificate(f'no certificate: "format" has to be {FORMAT!r}')
    if type(found.get("version")) is not int or found["version"] != VERSION:
        raise BadCertificate(f"version {str(found.get('version'))[:20]}: this checker reads version {VERSION}")
    return found


def _check_depth(text: str) -> None:
    depth, quoted, escaped = 0, False, False
    for c in text:
        if quoted:
            quoted, escaped = escaped or c != '"', c == "\\" and not escaped
        elif c == '"':
            quoted = True
        elif c in "[{":
            depth += 1
            if depth > DEEPEST:
                raise BadCertificate(f"nested more than {DEEPEST} deep")
        elif c in "]}":
            depth -= 1


def _number(text: str) -> int:
    if len(text) > DIGITS:
        raise BadCertificate(f"a number of {len(text)} digits: at most {DIGITS} are read")
    return int(text)


def _refused(text: str) -> Any:
    raise BadCertificate(f"{text[:40]}: all numbers are integers")


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len(found := dict(pairs)) != len(pairs):
        raise BadCertificate("a key stands twice in one object")
    return found


_WORDS = {dict: "an object", list: "a list", str: "a text", int: "an integer", bool: "true or false"}


def get(of: Any, key: str, kind: type) -> Any:
    """A field of a kind; raises BadCertificate where it is missing or of another kind."""
    if not isinstance(of, dict) or key not in of:
        raise BadCertificate(f'"{key}" is missing')
    return checked(of[key], kind, f'"{key}"')


def checked(value: Any, kind: type, what: str) -> Any:
    """The value, of that kind."""
    if type(value) is not kind:
        raise BadCertificate(f"{what} has to be {_WORDS[kind]}, not {str(value)[:40]}")
    return value


def integers(value: Any, what: str) -> tuple[int, ...]:
    """A list of integers."""
    return tuple([checked(x, int, what) for x in checked(value, list, what)])


def values(value: Any, what: str) -> dict[str, int]:
    """Numbers by name."""
    return {n: checked(x, int, f"{what} of {n}") for n, x in checked(value, dict, what).items()}


def expression(value: Any) -> Tree:
    """An integer expression: a number, a name, or ["op", operand, …]."""
    return _tree(value, formula=False)


def formula(value: Any) -> Tree:
    """A formula: true, false, or ["op", operand, …]."""
    return _tree(value, formula=True)


def formulas(of: Any, key: str) -> list[Tree]:
    """A field that is a list of formulas."""
    return [formula(x) for x in get(of, key, list)]


def _tree(value: Any, formula: bool) -> Tree:
    if type(value) is bool and formula:
        return value
    if type(value) in (int, str) and not formula:
        return value
    wanted = "a formula" if formula else "an expression"
    if type(value) is not list or not value or type(value[0]) is not str or value[0] not in ARITY:
        raise BadCertificate(f"{str(value)[:40]}: not {wanted}")
    op, *args = value
    least, most = ARITY[op]
    if (op in FORMULAS) != formula or not least <= len(args) <= most:
        raise BadCertificate(f"{str(value)[:40]}: not {wanted}")
    of_formulas = op in _OF_FORMULAS
    return (op, *[_tree(a, of_formulas or (op == "if" and n == 0)) for n, a in enumerate(args)])


def view(value: Any) -> View:
    """A view: shape, strides, offset, mask (null, "empty", or bounds)."""
    shape, strides = (tuple([expression(x) for x in get(value, key, list)]) for key in ("shape", "strides"))
    if len(shape) != len(strides):
        raise BadCertificate(f"{len(shape)} sizes and {len(strides)} strides")
    if "offset" not in value or "mask" not in value:
        raise BadCertificate("a view needs an offset and a mask")
    offset, mask = expression(value["offset"]), value["mask"]
    if mask is None or mask == "empty":
        return View(shape, strides, offset, None, mask is not None)
    bounds = [tuple([expression(x) for x in checked(b, list, "a bound")]) for b in checked(mask, list, '"mask"')]
    if len(bounds) != len(shape) or any(len(b) != 2 for b in bounds):
        raise BadCertificate("a mask has two bounds for each size")
    for n, b in zip(shape, bounds, strict=True):
        if all(type(x) is int for x in (n, *b)) and not 0 <= b[0] <= b[1] <= n:
            raise BadCertificate(f"the mask {list(b)} of a size {n}")
    return View(shape, strides, offset, tuple((b[0], b[1]) for b in bounds), False)


def views(of: Any, key: str) -> list[View]:
    """A field that is a list of at least one view."""
    found = [view(v) for v in get(of, key, list)]
    if not found:
        raise BadCertificate(f'"{key}" is empty')
    return found
