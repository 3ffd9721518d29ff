"""The reply of `symview swizzle`."""

from __future__ import annotations

from typing import Any

from symview import cute
from symview.commands.options import Options
from symview.commands.replies import Code, Reply
from symview.cute.analysis.machines import Hardware
from symview.errors import InputError


def swizzle(
    tile: str, accesses: list[str], element_bytes: int, banks: int | None, width: int | None, threads: int | None,
    machine: str | None, phases: str | None, objective: str, padding: bool, tradeoffs: bool, options: Options,
) -> Reply:  # fmt: skip
    """Finds the layout of a tile in shared memory with the fewest bank conflicts."""
    if padding and tradeoffs:
        raise InputError("choose one of --padding and --tradeoffs")
    memory: Any = {"banks": banks, "width": width, "threads": threads, "machine": machine, "phases": phases}
    hardware = Hardware.of("swizzle", **memory)
    sizes = {"banks": hardware.banks, "width": hardware.width, "threads": hardware.threads}
    told = {"machine": machine} if machine else {"phases": phases} if phases else {}
    question = {"tile": tile, "accesses": accesses, "bytes": element_bytes, **sizes, **told}
    memory |= {"element_bytes": element_bytes, "budget": options.budget}
    if tradeoffs:
        front = cute.swizzle_tradeoffs(tile, accesses, **memory)
        shown = [block for x in front for block in (x.explain().blocks if options.explain else [str(x)])]
        return Reply(Code.YES, lambda: {**question, "layouts": [x.to_dict() for x in front]}, lambda: shown)
    best = cute.best_padding if padding else cute.best_swizzle
    found = best(tile, accesses, objective=objective, **memory)
    blocks = found.explain().blocks if options.explain else (str(found),)
    return Reply(Code.YES if found else Code.NO, lambda: {**question, **found.to_dict()}, lambda: blocks)
