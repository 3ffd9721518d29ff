"""The documents are tests: every block of the Markdown files that is Python, a command line or rules is run."""

from __future__ import annotations

import gc
import os
import shlex
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from sybil import Example

ROOT = Path(__file__).parent
NEEDED = {  # documents, modules and helpers of tests that need a satellite, besides its own
    "dsl": ["docs/dsl.md"],
    "jax": ["docs/jax.md"],
    "mlir": ["docs/mlir.md"],
    "pictures": ["docs/tutorials/compilers.md"],
    "plans": ["docs/pytorch.md", "docs/tutorials/layouts.md", "symview/torch/planning.py"],
    "readers": ["docs/tutorials/rules.md"],
    "rocq": ["docs/trust.md"],
    "shared_memory": ["docs/tutorials/cute.md"],
    "sweeps": ["CONTRIBUTING.md"],
    "torch": ["docs/pytorch.md", "docs/tutorials/compilers.md"],
    "verify": [
        "docs/trust.md", "proofs/certificates.py", "tests/mutated.py", "tests/oracle/answers.py",
        "tests/oracle/closed.py", "tests/oracle/forged.py", "tests/oracle/stated.py",
    ],
}  # fmt: skip
collect_ignore = ["docs/browser.py", "docs/conf.py", "docs/draw.py", "hatch_build.py"]
if find_spec("torch") is None:
    collect_ignore += ["docs/pytorch.md"]
    collect_ignore += [f"symview/torch/{name}.py" for name in ("copy_modes", "fakes", "plan_modes")]
if find_spec("cutlass") is None:
    collect_ignore += ["docs/dsl.md", "symview/dsl/checking.py", "symview/dsl/reading.py"]
if find_spec("jax") is None:
    collect_ignore += ["docs/jax.md"]
if find_spec("tinygrad") is None:
    collect_ignore += ["docs/tutorials/rules.md"]
for satellite, files in NEEDED.items():
    if not (ROOT / "symview" / satellite).is_dir():
        collect_ignore += files


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keeps the examples of a document in one process, since later ones use the names of earlier ones."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling  # only where tests run in several processes

    class ByDocument(LoadScopeScheduling):  # type: ignore[misc,unused-ignore]
        def _split_scope(self, nodeid: str) -> str:
            path = nodeid.split("::")[0]
            return path if path.endswith(".md") else nodeid

    return ByDocument(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collects without the garbage collector, which later ignores what is collected, and runs less often."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000)
        gc.enable()


def in_a_folder_of_its_own(names: dict[str, Any]) -> None:
    """What a document writes does not stay."""
    names["_folder"], names["_before"] = TemporaryDirectory(), os.getcwd()
    os.chdir(names["_folder"].name)


def back(names: dict[str, Any]) -> None:
    """Leaves the folder again."""
    os.chdir(names["_before"])
    names["_folder"].cleanup()


def command_lines(example: Example) -> str | None:
    """Runs each `$ symview …` of a console block, and compares what it prints."""
    from command import typed

    for piece in filter(None, f"\n{example.parsed}".split("\n$ ")):
        command, _, expected = piece.partition("\n")
        name, *args = shlex.split(command)
        if name != "symview":
            return f"a console block begins with `$ symview`, not with {name!r}"
        printed = typed(args).stdout
        if [line.rstrip() for line in printed.strip().splitlines()] != [
            line.rstrip() for line in expected.strip().splitlines()
        ]:
            return f"$ {command}\nprinted\n{printed}\nnot\n{expected}"
    return None


def rules(example: Example) -> str | None:
    """Each rule of a TOML block comes to what it expects."""
    from symview.rules.files import parse_rules
    from symview.rules.outcomes import outcome

    problems = [found.problem for found in map(outcome, parse_rules(example.parsed)) if found.problem]
    return "\n".join(problems) or None


def batch_lines(example: Example) -> str | None:
    """Each line of a JSON block is a question that `symview batch` answers."""
    from symview.cli.batch import answered

    told = [answered((n, line.encode()))[1] for n, line in enumerate(example.parsed.splitlines(), 1)]
    return "\n".join(text for text in told if '"error"' in text) or None


if find_spec("sybil") is not None:  # the theorems alone need no more than pytest
    from sybil import Sybil
    from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

    pytest_collect_file = Sybil(
        parsers=[
            PythonCodeBlockParser(),
            CodeBlockParser("console", command_lines),
            CodeBlockParser("toml", rules),
            CodeBlockParser("json", batch_lines),
            SkipParser(),
        ],
        setup=in_a_folder_of_its_own,
        teardown=back,
        patterns=["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/*/*.md", "symview/*/README.md"],
    ).pytest()
