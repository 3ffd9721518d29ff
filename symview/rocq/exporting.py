"""Exports certificates as files for Rocq: lemmas, one main theorem for each, and its axioms."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from symview.displayed import Json
from symview.rocq import (
    computed,
    layout_cases,
    layouts,
    lemmas,
    merges,
    programs,
    statements,
    strides,
)
from symview.rocq.book import MORE, WORK, Book, Open, Shown
from symview.rocq.terms import Names, TooLong
from symview.trusted.document import BadCertificate, Object, get, maybe, parsed, sides
from symview.trusted.work import TooMuchWork, Work
from symview.verify.checking import obligations
from symview.verify.obligations import Ask, Obligation

LIBRARY = Path(__file__).parent / "library"
# Each imports the previous ones.
PARTS = ("Definitions", "Symview", "Checker", "Steps", "Solve", "Views", "Layouts", "Programs")
TRIED = 2_000  # points at which a doubtful obligation is tried
BY_OBLIGATIONS: dict[str, Callable[[Book, Object, Object, Shown], str]] = {
    "theorem": lemmas.theorem, "premise": statements.premise,
}  # fmt: skip
WORKED_OUT: dict[str, Callable[[Book, Object, Object], str]] = {  # proved by their own lemmas
    "conditions": merges.conditions, "guard": merges.guard, "stride_conditions": strides.conditions,
    "layout": layouts.layouts, "layout_conditions": layout_cases.conditions,
    "merge": computed.merge, "chains": computed.chains, "rule": programs.rule,
}  # fmt: skip
_HEAD = """From Coq Require Import ZArith Lia List Bool Zeuclid Ring.
Import ListNotations.
Open Scope Z_scope.
"""


class Exported(NamedTuple):
    """A certificate as text of Rocq: whether it has a main theorem, its lemmas, and the open claims.

    `last` names the last theorem of the text; `searched` counts the lemmas whose proof Rocq must search for.
    """

    body: str
    last: str
    main: bool
    lemmas: int
    searched: int
    open: list[str]
    library: list[str]
    names: Names

    def __bool__(self) -> bool:
        """Whether it has anything that Rocq checks."""
        return self.lemmas > 0 or self.main

    @property
    def text(self) -> str:
        """A self-contained file."""
        return whole([self])

    def importing(self) -> str:
        """A file that imports the library."""
        return whole([self], inline=False)


def whole(found: Sequence[Exported], inline: bool = True) -> str:
    """One file for all; if there are several, each is a module. The file imports the library, or begins with it.

    It ends with the axioms of all claims together: Rocq takes half a second to list them.
    """
    parts = [part for part in PARTS if not found or any(part in one.library for one in found)]
    first = [*map(library_text, parts), _HEAD] if inline else [_HEAD, f"From Symview Require Import {' '.join(parts)}."]
    if len(found) == 1:
        return "\n".join([*first, found[0].body, f"Print Assumptions {found[0].last}.\n" if found[0] else ""])
    modules = [f"Module claim_{n}.\n{one.body}End claim_{n}." for n, one in enumerate(found, 1)]
    claims = ", ".join(["I", *(f"claim_{n}.{one.last}" for n, one in enumerate(found, 1) if one)])
    axioms = f"Definition all := ({claims}).\nPrint Assumptions all.\n" if any(found) else ""
    return "\n\n".join([*first, *modules, axioms])


def exported(certificate: Json) -> Exported:
    """The lemmas and the main theorem; raises BadCertificate if the certificate is not one."""
    document = parsed(json.dumps(certificate))
    claim, evidence = sides(document)
    kind = get(claim, "kind", str)
    book = Book(MORE if kind in BY_OBLIGATIONS else WORK)
    why, main = "no main theorem is written for this kind yet", ""
    try:
        if kind in WORKED_OUT:
            try:
                return _exported(book, WORKED_OUT[kind](book, claim, evidence))
            except (Open, ArithmeticError, TooMuchWork) as error:
                why, book = str(error), Book()
        refutations = maybe(evidence, "refutations", list) or []
        shown = book.all(_followed(document, book.effort), refutations, kind in BY_OBLIGATIONS)
        if kind in BY_OBLIGATIONS:
            main = BY_OBLIGATIONS[kind](book, claim, evidence, shown)
    except (Open, TooLong, TooMuchWork) as error:
        why = str(error)
    except RecursionError:
        raise BadCertificate("it is nested too deeply") from None
    book.open += [why] if not main and why not in book.open else []
    return _exported(book, main)


def _exported(book: Book, main: str) -> Exported:
    library = [part for part in PARTS if part in book.library]
    last = "main" if main else f"lemma_{book.count}"
    return Exported(_body(book, main), last, bool(main), book.count, book.searched, book.open, library, book.names)


def _followed(document: Object, work: Work) -> Iterator[tuple[int, Obligation]]:
    """The obligations by number; lemmas for necessity are found by trying values."""
    steps, found, number = obligations(document, work), None, -1
    while True:
        try:
            asked = steps.send(found)
        except StopIteration:
            return
        one = asked.of if isinstance(asked, Ask) else asked
        number, found = number + (one is asked), None
        if one is not asked and one.claim is not None and not one.some:
            points, whole = one.points(work)
            found = next(one.failures(points if whole else islice(points, TRIED), [], work), None)
        if one is asked and not one.some:
            yield number, one


def _body(book: Book, main: str) -> str:
    """Notes, lemmas and the main theorem."""
    notes = [f"(* {note} *)" for note in book.names.renamed()]
    if not main:
        notes.append("(* There is no main theorem: that these lemmas are what the question means is not shown here. *)")
    return "\n".join([*notes, *book.text, main, ""])


def library_text(part: str) -> str:
    """A part of the library as a module, without its imports of earlier parts."""
    text = (LIBRARY / f"{part}.v").read_text(encoding="utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("From Symview"))
    return f"Module {part}.\n{lines}\nEnd {part}.\nImport {part}.\n"


def write_library(folder: Path) -> list[Path]:
    """Writes the library once for many files that import it."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        (folder / f"{part}.v").write_text((LIBRARY / f"{part}.v").read_text(encoding="utf-8"), encoding="utf-8")
    return [folder / f"{part}.v" for part in PARTS]
