"""Exports certificates as files for Rocq: lemmas, one main theorem for each, and its axioms."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from symview.displayed import Json
from symview.rocq import layouts, lemmas
from symview.rocq.book import MORE, WORK, Book
from symview.rocq.proofs import Proofs
from symview.rocq.properties import plain
from symview.rocq.terms import Names, Open, TooLong
from symview.trusted.document import BadCertificate, Object, get, maybe, parsed, sides
from symview.trusted.work import TooMuchWork, Work
from symview.verify.checking import obligations
from symview.verify.kinds.conditions import Merges
from symview.verify.meaning import statement
from symview.verify.obligations import Ask, Obligation

LIBRARY = Path(__file__).parent / "library"
# Each imports the previous ones.
PARTS = ("Definitions", "Symview", "Checker", "Steps", "Solve", "Views", "Layouts", "Programs")
TRIED = 2_000  # points at which a doubtful obligation is tried
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
    by_integers, refutations = (
        get(claim, "kind", str) in ("theorem", "premise"),
        maybe(evidence, "refutations", list) or [],
    )
    book, why = Book(MORE if by_integers else WORK), "no main theorem is written for this kind yet"
    try:
        try:
            for n, obligation in _followed(document, book.effort) if by_integers else ():
                if n < len(refutations) and refutations[n] is not None:
                    book.refute(obligation, refutations[n])
            return _exported(book, _main(book, claim, evidence))
        except (Open, ArithmeticError, TooMuchWork) as error:
            why = str(error) or why
        book = Book(MORE if by_integers else WORK)
        book.all(_followed(document, book.effort), refutations, by_integers)
    except (TooLong, TooMuchWork) as error:
        why = str(error)
    except RecursionError:
        raise BadCertificate("it is nested too deeply") from None
    book.open += [why] if why not in book.open else []
    return _exported(book, "")


def _main(book: Book, claim: Object, evidence: Object) -> str:
    """The main theorem; raises Open where there is none."""
    kind, stated = claim["kind"], plain(statement(claim))
    if kind == "layout":
        return layouts.layouts(book, claim, evidence)
    if kind == "theorem" and claim.get("verdict") == "proved" and ("by" in evidence or "lists" in claim):
        return lemmas.theorem(book, stated, claim, evidence)
    book.printer.said(stated)  # raises Open before any search
    cases = Merges(claim, evidence, book.effort).cases if kind in ("conditions", "guard") and "views" in claim else []
    main = Proofs(book, evidence, cases).main(stated)
    book.open += [f"{why}: it is left out of the main theorem" for why in book.left]
    return main


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
