"""Files of rules: reads TOML into one `FileRule` for each table; every error names file and line.

source = "where these rules are from"          # holds for all rules; so do assume, division, bits
assume = "b >= 1"                              # holds for the rules that it says something about

[[rule]]
name = "quotients of sums"
claim = "(x + a)//b == x//b + a//b"            # or left and right: statements, or tensor programs
assume = ["a >= 1", "b >= 1"]
expect = "refuted"                             # proved (the default), refuted, unknown
at = { x = 0, a = 1, b = 2 }                   # the smallest values that refute it
about = "a, b"                                 # search for the weakest premise over these names
premise = "a % b == 0"                         # the premise that the search must find
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path

from symview.displayed import Json
from symview.errors import InputError, SymviewError, nearest, unknown_name
from symview.logic.notation import nonblank, parse_assumption, parse_statement, term_text
from symview.logic.terms import Term, conjuncts, names, untied
from symview.proof.statement import DIVISIONS
from symview.rules.programs.any_rank import names_of
from symview.rules.programs.notation import is_about_programs
from symview.rules.programs.program import Rule

EXPECTED = ("proved", "refuted", "unknown")
_DEFAULTS = ("source", "assume", "division", "bits")
_AS_WRITTEN = ("name", "division", "bits", "source", "expect", "at", "premise", "issue")
_KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "name": (str, "a text"),
    "claim": (str, "a text"),
    "left": (str, "a text"),
    "right": (str, "a text"),
    "assume": ((str, list), "a text or a list of texts"),
    "division": (str, f"one of {', '.join(DIVISIONS)}"),
    "bits": ((int, str), "a width such as 32, or 'u32'"),
    "source": (str, "a text"),
    "expect": (str, f"one of {', '.join(EXPECTED)}"),
    "at": (dict, "a table of integers by name"),
    "about": ((str, list), "names"),
    "premise": (str, "a text"),
    "issue": (str, "a text"),
    "by": ((str, list), "names of earlier rules"),
}


@dataclass(frozen=True, slots=True)
class FileRule:
    """One rule of a file: its claim, its assumptions, and the expected verdict.

    `lemmas` are the earlier rules of the file that it uses. `place` is `file:line`.
    """

    name: str
    claim: str
    assume: tuple[str, ...] = ()
    division: str = "floor"
    bits: int | str | None = None
    source: str = ""
    expect: str = "proved"
    at: Mapping[str, int] | None = field(default=None, hash=False)
    about: str = ""
    premise: str = ""
    issue: str = ""
    lemmas: tuple[FileRule, ...] = ()
    path: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)

    @property
    def place(self) -> str:
        """The file and the line where the rule begins."""
        return f"{self.path}:{self.line}"


def read_rules(path: str | PathLike[str]) -> tuple[FileRule, ...]:
    """The rules of a file, in order.

    Raises InputError, with file and line, if the file cannot be read, for an unknown key (with the most similar known
    one), for a value of the wrong kind, and for two rules of the same name.
    """
    return parse_rules(read_text(path), str(path))


def parse_rules(text: str, path: str = "rules") -> tuple[FileRule, ...]:
    """The rules of a text in this format; `path` is used in errors.

    >>> [rule.claim for rule in parse_rules('[[rule]]\\nname = "r"\\nleft = "x + y"\\nright = "y + x"')]
    ['x + y == y + x']
    >>> parse_rules('[[rule]]\\nname = "r"\\nclaims = "x == x"')
    Traceback (most recent call last):
    ...
    symview.errors.InputError: rules:3: unknown key 'claims': did you mean 'claim'?
    """
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: this is not TOML: {error}") from None
    own, *lines = _lines(text)
    tables = given.pop("rule", [])
    head = _Head(path, own, given)
    if not isinstance(tables, list) or len(tables) != len(lines) or not all(isinstance(t, dict) for t in tables):
        raise InputError(f"{path}: a rule is a table of its own, under a line [[rule]]")
    if not tables:
        raise InputError(f"{path}: no rules: each begins with a line [[rule]]")
    found: dict[str, FileRule] = {}
    for values, where in zip(tables, lines, strict=True):
        table = _Table(path, where, {**{k: v for k, v in given.items() if k not in values}, **values}, tuple(_KINDS))
        rule = table.rule(found)
        if "assume" not in values:
            rule = replace(rule, assume=head.concerning(rule))
        if rule.name in found:
            raise table.error("name", f"the name {rule.name!r} is taken already: see line {found[rule.name].line}")
        found[rule.name] = rule
    head.require_used()
    return tuple(found.values())


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file; InputError if it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: this is not UTF-8 text") from None


_Lines = Mapping[str, int]  # the line of each key; "" is the line where the table begins
_HEADER = re.compile(r"\s*\[\[\s*([\"']?)rule\1\s*\]\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')\s*[=.]")


def _lines(text: str) -> Iterator[_Lines]:
    """The lines of the keys: first of the file itself, then of each rule.

    A line inside a multi-line string is no key: the text before it is not valid TOML on its own.
    """
    lines = text.split("\n")
    here, begin = {"": 1}, 0
    for number, line in enumerate(lines):
        header, key = _HEADER.match(line), _KEY.match(line)
        if not (header or key) or not _is_toml("\n".join([*lines[begin:number], ""])):
            continue
        if header:
            yield here
            here, begin = {"": number + 1}, number
        elif key:
            here.setdefault(key[1].strip("\"'"), number + 1)
    yield here


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


class _Table:
    """One table of the file, with the lines of its keys."""

    def __init__(self, path: str, lines: _Lines, values: Json, keys: tuple[str, ...]) -> None:
        self.path, self.lines, self.values = path, lines, values
        for key, value in values.items():
            if key not in keys:
                near = nearest(key, keys)
                hint = f"did you mean {near!r}?" if near else f"there are {', '.join(keys)}"
                raise self.error(key, f"unknown key {key!r}: {hint}")
            kind, wanted = _KINDS[key]
            if not isinstance(value, kind) or isinstance(value, bool):
                raise self.error(key, f"{key} = {value!r}: give {wanted}")

    def error(self, key: str, message: str) -> InputError:
        return InputError(f"{self.path}:{self.lines.get(key, self.lines[''])}: {message}")

    def rule(self, earlier: Mapping[str, FileRule]) -> FileRule:
        values = self.values
        if "name" not in values or not values["name"].strip():
            raise self.error("", "a rule needs a name")
        for key, allowed in (("expect", EXPECTED), ("division", DIVISIONS)):
            if values.get(key, allowed[0]) not in allowed:
                raise self.error(key, f"{key} = {values[key]!r}: give one of {', '.join(allowed)}")
        at = values.get("at")
        if at is not None and not all(type(v) is int for v in at.values()):
            raise self.error("at", "at gives integers by name, such as { x = 1 }")
        if at is not None and values.get("expect") != "refuted":
            raise self.error("at", 'at goes with expect = "refuted"')
        if "premise" in values and "about" not in values:
            raise self.error("premise", "premise goes with about, the names that it is over")
        if "about" in values and "bits" in values:
            raise self.error("about", "about goes without bits: premises are looked for over all integers")
        return FileRule(
            claim=self._claim(),
            assume=tuple(nonblank(self.texts("assume"))),
            about=", ".join(self.texts("about")),
            lemmas=tuple([self._lemma(name, earlier) for name in self.texts("by")]),
            path=self.path,
            line=self.lines[""],
            **{key: values[key] for key in _AS_WRITTEN if key in values},
        )

    def _claim(self) -> str:
        sides = [self.values.get(key) for key in ("left", "right")]
        if ("claim" in self.values) == any(s is not None for s in sides) or (None in sides and any(sides)):
            raise self.error("claim" if "claim" in self.values else "left", "give either claim, or left and right")
        if "claim" in self.values:
            return str(self.values["claim"])
        left, right = map(str, sides)
        division = self.values.get("division", "floor")
        if _is_formula(left, division) or _is_formula(right, division):
            return f"({left}) <-> ({right})"
        return " == ".join(f"({side})" if " if " in side or "?" in side else side for side in (left, right))

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key, ())
        if isinstance(value, list) and not all(isinstance(v, str) for v in value):
            raise self.error(key, f"{key} = {value!r}: give {_KINDS[key][1]}")
        return (value,) if isinstance(value, str) else tuple(value)

    def _lemma(self, name: str, earlier: Mapping[str, FileRule]) -> FileRule:
        if name not in earlier:
            near = nearest(name, earlier)
            hint = f": did you mean {near!r}?" if near else ""
            raise self.error("by", f"no rule before this one is named {name!r}{hint}")
        return earlier[name]


class _Head:
    """The assumptions at the head of a file: each rule takes those that are tied to its claim."""

    def __init__(self, path: str, lines: _Lines, values: Json) -> None:
        self.table = _Table(path, lines, values, _DEFAULTS)
        self.assume = tuple(nonblank(self.table.texts("assume")))
        self.idle, self.known = dict[str, Term](), dict[str, None]()  # that no rule took; the rules' names
        with suppress(SymviewError):
            self.idle = self._parts(str(values.get("division", "floor")))

    def concerning(self, rule: FileRule) -> tuple[str, ...]:
        """The assumptions that say something about the claim, read with its division.

        All, if these cannot be read, as its check will say.
        """
        claim = rule.claim
        try:
            by_program = is_about_programs(claim)
            own = names_of(Rule.parse(claim)) if by_program else names(parse_statement(claim, division=rule.division))
            parts = self._parts(rule.division)
        except SymviewError:
            self.idle.clear()
            return self.assume
        far = untied(list(parts.values()), own) if own else []
        taken = tuple([text for text, term in parts.items() if term not in far])
        self.known |= dict.fromkeys(own)
        for text in taken:
            self.idle.pop(text, None)
        return taken

    def require_used(self) -> None:
        """Raises InputError for an assumption that no rule takes."""
        for text, term in self.idle.items() if self.known else ():
            for odd in [n for n in names(term) if n not in self.known][:1]:
                raise self.table.error("assume", f"assumption {text}: {unknown_name(odd, self.known, 'file')}")

    def _parts(self, division: str) -> dict[str, Term]:
        """The assumptions that the texts join, by their texts; one alone keeps its own."""
        found = dict[str, Term]()
        for text in self.assume:
            parts = list(conjuncts(parse_assumption(text, division=division)))
            found |= {text: parts[0]} if len(parts) == 1 else {term_text(part): part for part in parts}
        return found


def _is_formula(text: str, division: str) -> bool:
    try:
        parse_statement(text, division=division)
    except InputError:
        return False
    return True
