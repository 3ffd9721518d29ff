"""Whatever the checker forgets to count, `symview verify` ends, and confirms nothing: its child process has limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from command import typed
from satellites import needs

from symview import prove
from symview.errors import InputError
from symview.verify.apart import each

needs_limits = pytest.mark.skipif(
    not hasattr(os, "fork") or find_spec("resource") is None, reason="processes have no limits here"
)
FORGETS = """
import sys
from importlib.util import find_spec
from symview.cli.running import run_line
from symview.trusted.work import Limits
from symview.verify import checking, smtlib, replies

places = [(checking, "_obligations"), (smtlib, "obligations")]
Limits.cpu = lambda limits: 0.3
replies._PROOFS = 0.3
if find_spec("symview.rocq"):
    import symview.rocq.exporting, symview.rocq.replies
    places.append((symview.rocq.exporting, "obligations"))
    symview.rocq.replies._SECONDS = 0.3

def forgetful(right):
    def forgetting(document, *more):
        claim = document["claim"] if "evidence" in document else document
        while claim.get("note") == "spins":
            pass
        while claim.get("note") == "grows":
            claim["grown"] = [claim.get("grown"), bytearray(1 << 28)]
        yield from right(document, *more)

    return forgetting

for module, name in places:
    setattr(module, name, forgetful(getattr(module, name)))
sys.exit(run_line(sys.argv[1:]))
"""


ALONE = """
import os
from symview.verify.apart import each

def worked(n):
    while n == 1:
        pass
    return len(bytearray(1 << 40 if n == 3 else n))

print(*each(worked, range(6), 0.2), *each(worked, [1, 1], 0.1), *each(worked, [], 0.1))
[there, again] = each(lambda _: os.getpid(), "ab", 1.0)
print(there == again != os.getpid())
try:
    print(os.waitpid(there, os.WNOHANG))
except ChildProcessError:
    print("ended")
"""  # in a process without other threads, such as those of other tests


@needs_limits
def test_items_beside_those_that_are_too_much() -> None:
    """In order; what is started again goes on with the next one; it is another process, and ends."""
    run = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=False, timeout=100)
    assert run.stdout.splitlines() == ["0 None 2 None 4 5 None None", "True", "ended"], run.stderr


WAITING = """
import time
from symview.verify.apart import each

def wait(_):
    print("here", flush=True)
    time.sleep(300)

print(*each(wait, [0], 9.0))
"""


@needs_limits
def test_the_child_ends_with_its_parent() -> None:
    """Whoever reads what both print does not wait for it."""
    parent = subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    assert parent.stdout.readline() == "here\n"
    parent.kill()
    assert parent.communicate(timeout=100) == ("", None)


def test_errors_are_raised_here() -> None:
    def refuse(n: int) -> int:
        if n == 2:
            raise InputError("two")
        return n

    found = each(refuse, [1, 2, 3], 1.0)
    assert next(found) == 1
    with pytest.raises(InputError, match="two"):
        next(found)


def test_beside_threads_there_is_no_child() -> None:
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    try:
        assert list(each(lambda _: os.getpid(), [0], 1.0)) == [os.getpid()]
    finally:
        over.set()
        other.join()


def forgotten(tmp_path: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", FORGETS, "verify", *words], cwd=tmp_path, input=given,
                          capture_output=True, text=True, check=False, timeout=100)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    right: Any = prove("x//2*2 <= x").certificate()
    for name, note in {"right": "", "spins": "spins", "grows": "grows"}.items():
        document = {**right, "claim": {**right["claim"], **({"note": note} if note else {})}}
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    return tmp_path


@needs_limits
def test_the_command_gives_up_a_file_and_goes_on(folder: Path) -> None:
    run = forgotten(folder, "spins.json", "right.json", "grows.json", "right.json")
    assert run.returncode == 3, run.stderr
    assert [line for line in run.stdout.splitlines() if line.startswith(("spins", "grows", "right"))] == [
        "spins.json: not confirmed: too much work", "right.json: confirmed",
        "grows.json: not confirmed: too much work", "right.json: confirmed",
    ]  # fmt: skip
    text = (folder / "spins.json").read_text()
    run = forgotten(folder, "-", given=text)
    assert (run.returncode, run.stdout) == (3, "-: not confirmed: too much work\n")
    assert typed(["verify", "-"], (folder / "right.json").read_text()).exit_code == 0


@needs_limits
@needs("rocq")
@pytest.mark.skipif(find_spec("cvc5") is None, reason="cvc5 is not there")
def test_proofs_and_theorems_for_rocq_are_given_up_too(folder: Path) -> None:
    run = forgotten(folder, "spins.json", "right.json", "--proof", "proofs", "--rocq", "all.v", "--json")
    assert run.returncode == 3, run.stderr
    given_up, right = json.loads(run.stdout)["certificates"]
    assert (given_up["open"], given_up["unproved"]) == (["too much work"], ["too much work"])
    assert given_up["rocq"] == {"main": False, "lemmas": 0, "searched": 0, "open": ["too much work"]}
    assert (right["verdict"], right["unproved"], right["rocq"]["main"]) == ("confirmed", [], True)
    assert "Theorem main" in (folder / "all.v").read_text()
