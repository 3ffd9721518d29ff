"""The process that asks solvers for a sweep: it reads what to do, and writes what each input comes to, a line each."""

from __future__ import annotations

import json
import sys

from symview.sweeps.sweep import Sweep


def main() -> None:
    """Reads one line, the sweep and its first and last input; writes a line at the start and one an input."""
    asked, first, last = json.loads(sys.stdin.readline())
    sweep = Sweep(**asked)
    print("ready", flush=True)
    for n in range(first, last):
        print(json.dumps(sweep.at(n)), flush=True)


if __name__ == "__main__":
    main()
