"""`symview plan`: programs as arguments and in files, exit codes, JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import typed
from schema import own


def run(*args: str) -> tuple[int, str]:
    result = typed(["plan", *args])
    return result.exit_code, result.stdout


def test_a_file_of_programs(tmp_path: Path) -> None:
    file = tmp_path / "uses.txt"
    file.write_text("q(B,S,H)  # a query\npermute(0,2,1).reshape(B*H,S)\n\nk(n,m).reshape(n*m)\npermute(1,0)\n")
    code, text = run(str(file))
    assert code == 0
    assert text.splitlines() == [
        "no copy",
        "q: (B,S,H):(H,B*H,1), contiguous groups: [B H] [S]",
        "k: (n,m):(m,1), contiguous groups: [n m]",
    ]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("q(4,6)", "reshape(24)"), 0),
        (("q(4,6)", "reshape(24)", "permute(1,0).reshape(24)"), 1),
        (("q(4,6)",), 0),
        (("q(4,6).pad((1,1),(0,0))",), 2),
        (("q(4,6)", "reshape(25)"), 2),
        (("reshape(24)",), 2),
        (("q(4,6)", "reshape(24)", "--align", "S=x"), 2),
        (("q(4,6)", "reshape(24)", "--align", "0=0"), 2),
        (("q(4,6)", "reshape(24)", "--align", "0=2,0=4"), 2),
        (("q(4,6)", "reshape(24)", "--align", "2.5"), 2),
        (("q(A,B)", "reshape(A*B)", "--assume", "A < 0"), 2),
        (("q(4,6)", "reshape(24)", "--names", "A,B", "--unit", "C"), 2),
        (("q(2,3)", "flip(1).reshape(6)"), 1),
        (("q(2,3)", "flip(1).reshape(6)", "--signed"), 0),
        (("q(4,6)", "reshape(24)", "permute(1,0).reshape(24)", "--layouts", "2"), 0),
        (("missing.txt",), 2),
    ],
)
def test_exit_codes(args: tuple[str, ...], code: int) -> None:
    assert run(*args)[0] == code


def test_json() -> None:
    code, text = run("q(4,6)", "reshape(24)", "permute(1,0).reshape(24)", "--json", "--bytes", "2")
    found = own(text)
    assert (code, found["weight"], found["unit"], found["optimal"]) == (1, 48, "bytes", "proved")
    [conflict] = found["conflicts"]
    assert conflict["text"].endswith("would share an address")


def test_alignment_and_explanation() -> None:
    code, text = run("q(2,84)", "permute(0,1)", "--names", "A,B", "--unit", "B", "--align", "A=16", "--explain")
    assert code == 0
    assert "q: (2,84):(96,1)" in text
    assert "q.permute(0,1) is (2,84):(96,1)" in text
