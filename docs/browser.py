"""Puts beside the built pages what docs/try.html loads: `python docs/browser.py build/docs`.

That is Pyodide, which npm fetches, and the package as a wheel, as it is: questions about numbers need no other package.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PYODIDE = "314.0.7"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
ROOT = Path(__file__).parents[1]


def main(pages: Path) -> None:
    """Makes the folder `try` of these pages."""
    folder = pages / "try"
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as made:
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", made]
        subprocess.run([*npm, f"pyodide@{PYODIDE}"], check=True)
        for name in FILES:
            shutil.copyfile(Path(made) / "node_modules" / "pyodide" / name, folder / name)
        subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", made, ROOT], check=True)
        [wheel] = Path(made).glob("*.whl")
        shutil.copyfile(wheel, folder / "symview.whl")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
