"""The process that asks solvers for a sweep: it reads what to do, and writes a line for each input.

Behind an input that is answered wrongly stands another line, its smallest form.
"""

from __future__ import annotations

import json
import signal
import sys

from symview.cli.sweeps.sweep import Sweep


def main() -> None:
    """Reads one line, the sweep and its first and last input; writes a line at the start and one an input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is heard by the process that reads, which ends this one
    asked, first, last = json.loads(sys.stdin.readline())
    sweep = Sweep(**asked)
    print("ready", flush=True)
    for n in range(first, last):
        finding = sweep.at(n)
        print(json.dumps(finding), flush=True)
        if finding.wrong:
            print(json.dumps(sweep.smallest(n)), flush=True)


if __name__ == "__main__":
    main()
