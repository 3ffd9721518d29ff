"""The tour: the notebook runs from the first cell to the last, and shows what it promises."""

from __future__ import annotations

from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.dear
def test_the_notebook_runs() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(DOCS / "tour.ipynb", as_version=4)
    cells = [c for c in notebook.cells if c.cell_type == "code"]
    assert len(cells) == 10
    assert not any(c.outputs for c in cells)  # as committed
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [set().union(*[o.get("data", {}) for o in c.outputs]) for c in cells]
    kinds = ["text/plain", "image/svg+xml", "text/html", "text/html", "image/svg+xml", "text/html", "image/svg+xml",
             "text/html", "text/html", "text/html"]  # fmt: skip
    for kind, data in zip(kinds, shown, strict=True):
        assert kind in data
    text = [str(o.data.get("text/plain")) for c in cells for o in c.outputs if "data" in o]
    assert "6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3" in "\n".join(text)
