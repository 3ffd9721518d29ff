"""What was decided in this process, and a function compiled by PyTorch alone and with symview side by side."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest
import torch
import torch._inductor.config
from clients.torch_patterns import PATTERNS, made
from clients.torch_programs import attention, windows_and_back

import symview.torch
from symview import InputError
from symview.torch import Report, compile_report, installed, report
from symview.torch.installing import paused


def viewed(name: str) -> Any:
    m = made(next(p for p in PATTERNS if p.name == name), 0)
    with m.mode:
        m.tensor.view(m.shape)
    return m.env


def difference(before: Report) -> tuple[int, ...]:
    now = report()
    return tuple(getattr(now, n) - getattr(before, n) for n in ("answered", "unguarded", "guards", "left", "errors"))


def test_answers_are_counted() -> None:
    before = report()
    viewed("triples")
    assert difference(before) == (0, 0, 0, 0, 0)
    with installed():
        assert len(viewed("triples").guards) == 1
    assert difference(before) == (1, 0, 1, 0, 0)
    assert report().seconds > before.seconds
    with installed():
        viewed("tokens of a batch")
    assert difference(before) == (2, 1, 1, 0, 0)
    with installed(), pytest.raises(ValueError, match="copy where"):
        viewed("a prefix of the rows")
    assert difference(before) == (3, 1, 2, 0, 0)
    with installed():
        viewed("twelve heads, if they divide")  # a check at run time
    assert difference(before)[:2] == (4, 1)
    assert difference(before)[3:] == (0, 0)


def test_the_first_error_is_kept_with_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise InputError("not today")

    monkeypatch.setattr("symview.torch.installing.view_guard", fails)
    monkeypatch.setattr("symview.torch.installing._TALLY", symview.torch.reporting.Tally())
    with installed():
        viewed("triples")
        viewed("triples")
    found = report()
    assert (found.answered, found.left, found.errors) == (0, 2, 2)
    assert found.first_error.startswith("Traceback")
    assert "not today" in found.first_error
    assert str(found).splitlines()[0] == (
        "answered 0, 0 without a guard, the others with 0 guards; left to PyTorch 2; "
        f"{found.seconds:.2f} s; guards saved: see compile_report, which also runs PyTorch alone"
    )
    assert "2 errors, the first of which:\nTraceback" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["errors"] == 2


def test_nothing_is_decided_in_a_pause() -> None:
    before = report()
    with installed(), paused():
        assert len(viewed("triples").guards) > 1
    assert difference(before) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("permanent", [False, True])
def test_both_runs_of_windows_there_and_back(permanent: bool) -> None:
    if permanent:
        symview.torch.install()
    try:
        found = compile_report(windows_and_back, torch.rand(2, 8, 12, 3), torch.rand(3, 12, 8, 5))
    finally:
        symview.torch.uninstall()
    assert found.same
    assert found.alone.graphs >= found.with_symview.graphs >= 1
    assert sum(found.with_symview.guards) * 2 < sum(found.alone.guards)
    assert sum(found.with_symview.characters) * 2 < sum(found.alone.characters)
    assert len(found.alone.seconds) == len(found.with_symview.seconds) == 2
    assert str(found).splitlines()[-1] == "the outputs are equal"
    assert json.loads(json.dumps(found.to_dict()))["alone"]["graphs"] == found.alone.graphs


@pytest.mark.skipif(shutil.which("g++") is None, reason="Inductor needs a C++ compiler: install g++")
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch.*", "ignore:.*script_method.*:DeprecationWarning")
def test_the_default_backend_gives_equal_outputs() -> None:
    with torch._inductor.config.patch(compile_threads=1):
        found = compile_report(windows_and_back, x := torch.rand(2, 8, 12, 3), backend="inductor")
    assert found.same
    assert torch.equal(found.with_symview.outputs[0], windows_and_back(x))
    assert sum(found.with_symview.guards) < sum(found.alone.guards)


def three_heads(x: Any) -> Any:
    b, s, _ = x.shape
    q, k, v = (t.reshape(b, s, 8, -1).transpose(1, 2) for t in x.chunk(3, -1))
    return (q @ k.transpose(-1, -2) @ v).transpose(1, 2).reshape(b, s, -1)


@pytest.mark.skipif(shutil.which("g++") is None, reason="Inductor needs a C++ compiler: install g++")
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch.*", "ignore:.*script_method.*:DeprecationWarning")
def test_heads_of_one_element_are_multiplied_right_by_inductor() -> None:
    with torch._inductor.config.patch(compile_threads=1):
        found = compile_report(three_heads, x := torch.rand(4, 6, 24), backend="inductor")
    assert found.same
    assert torch.equal(found.with_symview.outputs[0], three_heads(x))


def test_outputs_that_differ_are_said_to() -> None:
    turns = iter(range(100))

    def changing(x: Any) -> Any:
        return x + next(turns)

    found = compile_report(torch.compiler.disable(changing), torch.ones(4))
    assert not found.same
    assert str(found).endswith("the outputs differ")


def test_calls_are_needed() -> None:
    with pytest.raises(InputError, match="give calls"):
        compile_report(attention)
