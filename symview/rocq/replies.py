"""What `symview verify --rocq` writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from symview.displayed import Json
from symview.errors import InputError
from symview.rocq.checking import accepted
from symview.rocq.exporting import exported, whole, write_library
from symview.rules.files import read_text


def write(found: Sequence[Json], path: Path, check: bool, library: str | None) -> None:
    """Writes one file for Rocq; records what it contains for each certificate, and the result of Rocq."""
    if any(f["file"] == "-" for f in found):
        raise InputError("--rocq: give the certificates as files, for stdin is read but once")
    texts = [exported(json.loads(read_text(f["file"]))) for f in found]
    if library is not None:
        write_library(Path(library))
    path.write_text(whole(texts, inline=library is None), encoding="utf-8")
    said = accepted(texts) if check else [None] * len(texts)
    for f, one, refused in zip(found, texts, said, strict=True):
        more = {} if refused is None else {"refused": refused}
        f["rocq"] = {"main": one.main, "lemmas": one.lemmas, "searched": one.searched, "open": one.open, **more}
