"""The command on programs of PyTorch: `symview lint`."""

from __future__ import annotations

from collections.abc import Iterable
from json import dumps
from typing import Any

from symview.commands.options import Options
from symview.commands.replies import VERSION, Code, Reply
from symview.errors import InputError
from symview.show.grid import Block
from symview.torch.linting import lint as linted
from symview.torch.trying import tried

_FAKE = (
    "on fake tensors: copies inside kernels are not seen, results may have other strides than real ones, "
    "and the script may take another branch"
)


def lint(
    script: str, arguments: list[str] | None, fake: bool, library: bool, attempt: bool, sarif: bool, options: Options
) -> Reply:
    """Lists the lines where a script copies tensors: no copies is yes; a script that stops early is undecided."""
    if sarif and options.json:
        raise InputError("choose one of --json and --sarif")
    if attempt and (fake or sarif):
        raise InputError("--try compares values: it goes neither with --fake nor with --sarif")
    report, stopped, explained = linted(script, arguments or (), fake)
    trials = list(tried(script, arguments or (), report)) if attempt and not stopped else []
    fields: dict[str, Any] = {
        "script": script, "fake": fake, **report.to_dict(), "tried": trials, "stopped": stopped or None,
    }  # fmt: skip

    def blocks() -> Iterable[Block]:
        if sarif:
            yield dumps(report.to_sarif(VERSION, stopped), indent=2)
            return
        if fake:
            yield _FAKE
        if explained:
            yield explained
        if stopped:
            yield f"stopped at {stopped}\nlater lines did not run; copies until then: {len(report)}"
        if report.copies or not stopped:
            yield report.grid(library) if report.copies else "no copies"
        if report.shared:
            yield "\n".join(map(str, report.shared))
        if attempt:
            yield "\n".join(["tried:", *trials]) if trials else "nothing to try"

    return Reply(Code.UNDECIDED if stopped else Code.NO if report.copies else Code.YES, lambda: fields, blocks)
