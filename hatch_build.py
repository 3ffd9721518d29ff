"""Metadata that needs the address of the repository: the constant below, or what the environment has in its place.

Without an address there are no links to it, and the README's links stay relative.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

SYMVIEW_REPOSITORY = ""  # as in https://github.com/owner/symview


class Hook(MetadataHookInterface):
    """Fills in `urls` and `readme`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """The links of the package, and the README as the package index can show it."""
        repository = os.environ.get("SYMVIEW_REPOSITORY", SYMVIEW_REPOSITORY).rstrip("/")
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(readme, repository)}
        metadata["urls"] = urls(repository)


def urls(repository: str) -> dict[str, str]:
    """The project's links by name."""
    if not repository:
        return {}
    documents = f"{repository}/blob/main"
    return {
        "Repository": repository,
        "Documentation": f"{documents}/docs/index.md",
        "Changelog": f"{documents}/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def absolute(text: str, repository: str) -> str:
    """The text with links and pictures in the repository, where they are relative."""
    if not repository:
        return text
    pictures = re.sub(r"(!\[[^]]*\]\()(?!https?:|#)", rf"\g<1>{repository}/raw/main/", text)
    return re.sub(r"((?<!!)\[[^]]*\]\()(?!https?:|#)", rf"\g<1>{repository}/blob/main/", pictures)
