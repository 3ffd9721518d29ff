"""What `symview verify --rocq` writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from symview.displayed import Json
from symview.errors import InputError
from symview.rocq.checking import accepted
from symview.rocq.exporting import Exported, exported, whole, write_library
from symview.rules.files import read_text
from symview.trusted.work import TooMuchWork
from symview.verify.apart import each

_SECONDS = 300.0  # seconds of CPU time for the proof of one certificate


def write(found: Sequence[Json], path: Path, check: bool, library: str | None) -> None:
    """Writes one file for Rocq; records what it contains for each certificate, and the result of Rocq.

    A certificate whose proof takes too long, or too much memory, is left out.
    """
    if any(f["file"] == "-" for f in found):
        raise InputError("--rocq: give the certificates as files, for stdin is read but once")
    texts = list(each(_exported, [f["file"] for f in found], _SECONDS))
    written = [one for one in texts if one is not None]
    if library is not None:
        write_library(Path(library))
    path.write_text(whole(written, inline=library is None), encoding="utf-8")
    refusals = iter(accepted(written) if check else ())
    for f, one in zip(found, texts, strict=True):
        refused = next(refusals) if check and one is not None else None
        f["rocq"] = {**_said(one), **({"refused": refused} if one and refused is not None else {})}


def _exported(path: str) -> Exported:
    return exported(json.loads(read_text(path)))


def _said(one: Exported | None) -> Json:
    """What the file contains for one certificate."""
    if one is None:
        return {"main": False, "lemmas": 0, "searched": 0, "open": [str(TooMuchWork())]}
    return {"main": one.main, "lemmas": one.lemmas, "searched": one.searched, "open": one.open}
