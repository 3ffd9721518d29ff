"""`python -m symview.dsl kernel.py [arguments]`: runs a script and checks every layout that the CuTe DSL computes."""

from __future__ import annotations

import runpy
import sys

from symview import dsl

USAGE = """usage: python -m symview.dsl kernel.py [arguments]

Runs the script with every layout that the CuTe DSL computes compared with the exact one, and says at the end, on
standard error, how many were. A wrong layout ends the script with the line of the kernel, and the exit status 1."""


def main(arguments: list[str]) -> int:
    """Runs the script named first, with the rest as its arguments; returns 2 if none is named."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0 if arguments else 2
    sys.argv = arguments
    sys.path[0] = str(arguments[0]).rpartition("/")[0] or "."
    with dsl.checked() as report:
        try:
            runpy.run_path(arguments[0], run_name="__main__")
        finally:
            print(f"symview: {report}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
