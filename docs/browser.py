"""Puts beside the built pages what docs/try.html loads: `python docs/browser.py build/docs`.

That is Pyodide, which npm fetches, and wheels: the package as it is, Z3 as its authors build it for Pyodide, and sympy.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PYODIDE, PYTHON, PLATFORM = "314.0.7", "3.14", "pyemscripten_2026_0_wasm32"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
OTHERS = {"z3.whl": "z3-solver", "sympy.whl": "sympy", "mpmath.whl": "mpmath<1.4"}
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
    _wheel(folder / "symview.whl", ["wheel", "--no-deps", "-w"], str(ROOT))
    for name, package in OTHERS.items():
        there = ["--only-binary=:all:", "--python-version", PYTHON, "--platform", PLATFORM]
        _wheel(folder / name, ["download", "--no-deps", *there, "-d"], package)


def _wheel(path: Path, command: list[str], package: str) -> None:
    """Has pip put the package's wheel there."""
    with TemporaryDirectory() as made:
        subprocess.run([sys.executable, "-m", "pip", "-q", *command, made, package], check=True)
        [wheel] = Path(made).glob("*.whl")
        shutil.copyfile(wheel, path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
