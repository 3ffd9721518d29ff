"""The built documentation in headless Chromium: `.ci/browser` builds it and runs these tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

BUILT = Path(__file__).parents[2] / "build" / "docs"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Elsewhere there is no browser, and the documentation is not built."""
    return None if "SYMVIEW_BROWSER" in os.environ else True


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Requests are not listed."""


@pytest.fixture(scope="session")
def built() -> Path:
    return BUILT


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=BUILT))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield found
        found.close()
