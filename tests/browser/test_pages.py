"""The pages as they are read: links that lead somewhere, search, formulas, and a phone of 360 pixels."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

PHONE = {"width": 360, "height": 740}
LEFT_OUT = ("_modules", "_static", "_sources", "try")


class _Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.anchors |= {str(found[name]) for name in ("id", "name") if found.get(name)}
        self.links += [str(found[name]) for name in ("href", "src") if found.get(name)]


def pages(built: Path) -> dict[Path, _Page]:
    paths = [p for p in built.rglob("*.html") if p.relative_to(built).parts[0] not in LEFT_OUT]
    return {path: _Page(path) for path in paths}


def test_every_link_of_the_built_pages_leads_somewhere(built: Path) -> None:
    found = pages(built)
    assert len(found) >= 20
    broken = []
    for path, page in found.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment) if there in found else ""
            if not there.exists() or (anchor and anchor not in found[there].anchors):
                broken.append(f"{path.relative_to(built)}: {link}")
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize(
    ("asked", "page"), [("guard", "pytorch"), ("swizzle", "cute"), ("GuardOnDataDependent", "errors")]
)
def test_the_search_finds_pages(browser: Any, address: str, asked: str, page: str) -> None:
    shown = browser.new_page()
    shown.goto(f"{address}/search.html?q={asked}")
    shown.wait_for_selector(f'#search-results li a[href*="{page}.html"]')
    shown.close()


def test_formulas_are_mathematics(browser: Any, address: str) -> None:
    shown = browser.new_page()
    shown.goto(f"{address}/papers.html")
    assert shown.locator('math[display="block"]').count() >= 3
    assert shown.locator("math mfrac").first.bounding_box()["height"] > 20
    shown.close()


@pytest.mark.parametrize("name", ["index", "errors", "papers", "json", "limits", "cute", "pytorch", "try"])
def test_pages_are_as_wide_as_a_phone(browser: Any, address: str, name: str) -> None:
    shown = browser.new_page(viewport=PHONE)
    shown.goto(f"{address}/{name}.html")
    assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    shown.close()
