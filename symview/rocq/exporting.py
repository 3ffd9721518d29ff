"""Exports certificates as files for Rocq: lemmas, one main theorem for each, and its axioms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from symview.displayed import Json
from symview.rocq.book import MORE, WORK, Book
from symview.rocq.lemmas import Theorems
from symview.rocq.printed import Statements
from symview.rocq.proofs import Proofs
from symview.rocq.properties import plain
from symview.rocq.terms import Names, Open
from symview.trusted.document import BadCertificate, Object, get, maybe, parsed, sides
from symview.trusted.work import TooMuchWork
from symview.verify.checking import obligations
from symview.verify.kinds.conditions import Merges
from symview.verify.meaning import statement
from symview.verify.nodes import Node
from symview.verify.obligations import Obligation

LIBRARY = Path(__file__).parent / "library"
# Each imports the previous ones.
PARTS = ("Definitions", "Symview", "Checker", "Steps", "Solve", "Views", "Layouts", "Programs")
_HEAD = """From Coq Require Import ZArith Lia List Bool Zeuclid Ring.
Import ListNotations.
Open Scope Z_scope.
"""


class Exported(NamedTuple):
    """A certificate as text of Rocq: whether it has a main theorem, its lemmas, and the open claims.

    `searched` counts the lemmas whose proof Rocq must search for.
    """

    body: str
    main: bool
    lemmas: int
    searched: int
    open: list[str]
    library: list[str]
    names: Names

    def __bool__(self) -> bool:
        """Whether it has anything that Rocq checks."""
        return self.main

    @property
    def text(self) -> str:
        """A self-contained file."""
        return whole([self])


def whole(found: Sequence[Exported], inline: bool = True) -> str:
    """One file for all; if there are several, each is a module. The file imports the library, or begins with it.

    It ends with the axioms of all claims together: Rocq takes half a second to list them.
    """
    parts = [part for part in PARTS if not found or any(part in one.library for one in found)]
    first = [*map(library_text, parts), _HEAD] if inline else [_HEAD, f"From Symview Require Import {' '.join(parts)}."]
    if len(found) == 1:
        return "\n".join([*first, found[0].body, "Print Assumptions main.\n" if found[0] else ""])
    modules = [f"Module claim_{n}.\n{one.body}End claim_{n}." for n, one in enumerate(found, 1)]
    claims = ", ".join(["I", *(f"claim_{n}.main" for n, one in enumerate(found, 1) if one)])
    axioms = f"Definition all := ({claims}).\nPrint Assumptions all.\n" if any(found) else ""
    return "\n\n".join([*first, *modules, axioms])


def exported(certificate: Json) -> Exported:
    """The lemmas and the main theorem; raises BadCertificate if the certificate is not one."""
    document = parsed(json.dumps(certificate))
    claim, evidence = sides(document)
    by_integers = get(claim, "kind", str) in ("theorem", "premise")
    book = Book(MORE if by_integers else WORK)
    try:
        refutations = (maybe(evidence, "refutations", list) or []) if by_integers else []
        for obligation, steps in zip(obligations(document, book.effort), refutations, strict=False):
            if isinstance(obligation, Obligation) and obligation.claim is not None and steps is not None:
                book.refute(obligation, steps)
        stated = statement(claim)
        try:
            return _exported(book, _main(book, plain(stated), claim, evidence))
        except Open as why:
            return _exported(Book(), "", [f"{_known(stated)}: {why}"])
    except (ArithmeticError, TooMuchWork) as error:
        return _exported(Book(), "", [str(error)])
    except RecursionError:
        raise BadCertificate("it is nested too deeply") from None


def _known(stated: Node) -> str:
    """What Rocq has of a statement that is not proved."""
    try:
        Statements(Names()).formula(plain(stated))
    except Open:
        return "Rocq has neither the statement nor a proof"
    return "Rocq has the statement, but no proof of it"


def _main(book: Book, stated: Node, claim: Object, evidence: Object) -> str:
    """The main theorem; raises Open where there is none."""
    kind = claim["kind"]
    if kind == "theorem" and claim.get("verdict") == "proved" and ("by" in evidence or "lists" in claim):
        return Theorems(book).main(stated, claim, evidence)
    cases = Merges(claim, evidence, book.effort).cases if kind in ("conditions", "guard") and "views" in claim else []
    return Proofs(book, evidence, cases).main(stated)


def _exported(book: Book, main: str, open_: Sequence[str] = ()) -> Exported:
    notes = [f"(* {note} *)" for note in book.names.renamed()]
    body = "\n".join([*notes, *book.text, main or "(* There is no main theorem. *)", ""])
    library = [part for part in PARTS if part in book.library]
    left = [f"{why}: it is left out of the main theorem" for why in book.left]
    return Exported(body, bool(main), book.count, book.searched, [*left, *open_], library, book.names)


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
