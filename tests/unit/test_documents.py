"""The documents keep their word where they are not code: commands, links, pictures, length."""

from __future__ import annotations

import re
import runpy
import shlex
from importlib import import_module
from pathlib import Path

import pytest
from command import typed
from satellites import needs

import symview

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
NAMED = ("README.md", "CONTRIBUTING.md", "proofs/README.md", "symview/cute/README.md")
PAGES = [*(ROOT / name for name in NAMED), *sorted((ROOT / "docs").rglob("*.md"))]


def test_two_commands_stand_in_the_readme_and_ci_runs_the_second() -> None:
    commands = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
    assert len(commands) == 2
    assert all(c.startswith("python3 -m venv .venv && ") for c in commands)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pattern = re.search(r"grep -m1 '(.*?)' README.md", script)
    assert pattern is not None
    chosen = [line for line in README.splitlines() if re.search(pattern[1], line)]
    assert chosen[:1] == commands[1:]


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120


def test_a_version_begins_with_three_lines_and_is_the_one_that_is_cited() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^## \[(.*?)\]", changes)[0] == symview.__version__
    assert f"\nversion: {symview.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for version in changes.split("\n## ")[1:]:
        top, _, details = version.partition("\n### ")
        assert len(re.findall(r"(?m)^\* ", top)) == (3 if details else 0)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    for target in found:
        name, _, anchor = target.partition("#")
        there = page.parent / name if name else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and the documentation make them; an included page has its own."""
    text = page.read_text(encoding="utf-8")
    included = re.findall(r"```\{include\} (\S+)", text)
    headings = re.findall(r"(?m)^#+ (.*)", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    plain = [re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading)).lower() for heading in headings]
    own = {heading.replace(" ", "-") for heading in plain} | documented(text)
    return own.union(*[anchors(page.parent / name) for name in included])


def documented(text: str) -> set[str]:
    """The names that a page about the API documents, each of which is an anchor of it."""
    found, module = set[str](), ""
    for directive, name in re.findall(r"(?m)^\.\. (\w+):: (\S+)$", text):
        module = name if directive in ("currentmodule", "automodule") else module
        names = import_module(name).__all__ if directive == "automodule" else [name]
        found |= {f"{module}.{n}" for n in names}
    return found


def test_the_documentation_has_twenty_pages() -> None:
    """The list of questions, and those that it lists; Sphinx refuses others."""
    trees = re.findall(r"```\{toctree\}\n(?::.*\n)*\n(.*?)```", (ROOT / "docs/index.md").read_text(), re.DOTALL)
    assert 1 + len("".join(trees).split()) <= 20


def test_the_api_page_has_every_public_name() -> None:
    found = documented((ROOT / "docs/api.md").read_text(encoding="utf-8"))
    assert {f"symview.{name}" for name in symview.__all__ if not name.startswith("_")} <= found


COMMANDS = re.findall(r"`symview ([^`]*)`", (ROOT / "docs/index.md").read_text(encoding="utf-8"))
ELSEWHERE = ("lint", "plan", "swizzle", "rules", "verify", "batch", "draw", 'reshape "memref')  # files and satellites


@pytest.mark.parametrize("command", [c for c in COMMANDS if not c.startswith(ELSEWHERE)])
def test_each_command_of_the_list_of_questions_is_answered(command: str) -> None:
    run = typed(shlex.split(command))
    assert run.exit_code in (0, 1), run.stderr
    assert run.stdout


@needs("pictures")
@needs("shared_memory")
def test_pictures_are_what_symview_draws() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "draw.py"))
    drawn = made["pictures"]()
    assert {p.name for p in made["FOLDER"].iterdir()} == set(drawn)
    for name, svg in drawn.items():
        assert (made["FOLDER"] / name).read_text(encoding="utf-8") == svg, "python docs/draw.py"
