"""PyTorch with symview's decisions: fewer compilations, the same results, and PyTorch again afterwards."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

import pytest
import torch
from clients.torch_patterns import PATTERNS, Pattern, made
from clients.torch_programs import DATA_DEPENDENT, PROGRAMS, compiled, data_dependent
from clients.torch_random import fault, numbers_of, random_program, traced
from torch._subclasses import fake_impls

import symview.torch
from symview import InputError
from symview.torch import installed, view_guard
from symview.torch.installing import VERSIONS


def patched() -> list[bool]:
    return [hasattr(f, "_symview") for f in (torch._refs._reshape_view_helper, fake_impls._view_unbacked_meta)]


def pattern(name: str, turn: int = 0) -> Any:
    return made(next(p for p in PATTERNS if p.name == name), turn)


# What stays as it was


def test_nothing_is_replaced_before_and_after() -> None:
    theirs = torch._refs._reshape_view_helper, fake_impls._view_unbacked_meta
    assert patched() == [False, False]
    symview.torch.install()
    symview.torch.install()
    assert patched() == [True, True]
    with installed():
        symview.torch.uninstall()
        assert patched() == [True, True]
    assert (torch._refs._reshape_view_helper, fake_impls._view_unbacked_meta) == theirs
    with installed(), installed():
        assert patched() == [True, True]
    symview.torch.uninstall()
    assert (torch._refs._reshape_view_helper, fake_impls._view_unbacked_meta) == theirs


def test_what_others_put_over_ours_stays(monkeypatch) -> None:
    monkeypatch.setattr(torch._refs, "_reshape_view_helper", torch._refs._reshape_view_helper)  # is put back at the end
    with installed():
        ours = torch._refs._reshape_view_helper
        monkeypatch.setattr(torch._refs, "_reshape_view_helper", lambda *a, **k: ours(*a, **k))
        above = torch._refs._reshape_view_helper
    assert torch._refs._reshape_view_helper is above
    m = pattern("triples")
    with m.mode:
        m.tensor.view(m.shape)  # ours is asked no more, and hands on
    assert len(m.env.guards) > 1


def test_an_unknown_version_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(torch, "__version__", "9.9.0")
    with pytest.raises(InputError, match=r"2\.13.*not of 9\.9\.0"):
        symview.torch.install()
    with pytest.raises(InputError), installed():
        pass
    assert patched() == [False, False]
    assert view_guard(torch.empty(4, 6), (24,))
    assert list(VERSIONS) == ["2.13", "2.14"]


def test_threads_share_it() -> None:
    symview.torch.install()
    seen = list[int]()

    def traced_guards(turn: int) -> None:
        with installed():
            m = pattern("triples", turn)
            with m.mode:
                m.tensor.view(m.shape)
            seen.append(len(m.env.guards))

    threads = [threading.Thread(target=traced_guards, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    symview.torch.uninstall()
    assert seen == [1] * 4
    assert patched() == [False, False]


def test_pytorch_decides_where_symview_fails(monkeypatch) -> None:
    def fails(*_: Any) -> None:
        raise InputError("not today")

    monkeypatch.setattr("symview.torch.installing.view_guard", fails)
    m, other = pattern("triples"), pattern("triples")
    with m.mode, installed():
        found = m.tensor.view(m.shape)
    with other.mode:
        assert len(other.tensor.view(other.shape).shape) == len(found.shape)
    assert [str(g.expr) for g in m.env.guards] == [str(g.expr) for g in other.env.guards]


# What it decides


def test_there_is_one_guard() -> None:
    m = pattern("groups of channels")
    with m.mode, installed():
        x = m.tensor.view(m.shape)
    assert [str(g.expr) for g in m.env.guards] == ["Eq(Mod(s44*s45*s73, 32), 0)"]
    assert [str(t) for t in x.stride()] == ["s44*s45*s73", "((s44*s45*s73)//32)", "1"]


def test_a_copy_says_where_it_breaks() -> None:
    m = pattern("a prefix of the rows")
    with m.mode, installed(), pytest.raises(ValueError, match=r"Cannot view.*copy where s44 != 3: at index \(3,0\)"):
        m.tensor.view(m.shape)


@pytest.mark.parametrize("new", [lambda b, s, d: (b, s, 8, d // 8), lambda b, s, d: (d // 8, b * s, d)])
def test_a_size_that_is_1_at_its_hint_is_the_number(new) -> None:
    """As in PyTorch: Inductor broadcasts along no size that is only known to be 1."""
    m = made(Pattern("", (4, 6, 8), lambda x, *sizes: (x, new(*sizes))))
    with m.mode, installed():
        x = m.tensor.view(m.shape)
    assert [type(n) for n in x.shape].count(int) >= 1
    assert 1 in [n for n in x.shape if isinstance(n, int)]
    assert any("//8" in str(g.expr) and "Eq" in str(g.expr) for g in m.env.guards)


def test_why_no_check_helps() -> None:
    m, other = pattern("rows of unknown number, some"), pattern("rows of unknown number")
    with m.mode, installed(), pytest.raises(ValueError, match="no check helps: copy"):
        m.tensor.view(m.shape)
    with other.mode, installed(), pytest.raises(RuntimeError, match="only where it has one element or none, u0 == 0"):
        other.tensor.view(other.shape)


def test_one_check_at_run_time() -> None:
    m = pattern("twelve heads, if they divide")
    with m.mode, installed():
        x = m.tensor.view(m.shape)
    checks = [str(a.expr) for asserts in m.env.deferred_runtime_asserts.values() for a in asserts]
    assert checks == ["0 <= u0", "Eq(PythonMod(u0, 12), 0)"]
    assert [str(t) for t in x.stride()] == ["192*((u0//12))", "192", "1"]


def test_a_copy_of_what_has_no_view() -> None:
    m = pattern("rows of unknown number, some")
    with m.mode, installed():
        x = torch.ops.aten.view_copy(m.tensor, m.shape)
    assert [str(t) for t in x.stride()] == ["80", "1"]


def test_one_of_several_strides_needs_no_more_than_it_has_to() -> None:
    m = pattern("strided, two sizes swapped")
    with m.mode, installed():
        m.tensor.view(m.shape)
    assert [str(g.expr) for g in m.env.guards] == ["Eq(s15, s20*s44)"]


# Compiled


@pytest.mark.parametrize("name", ["triples", "sizes swapped", "groups", "windows", "flat after a transpose"])
def test_no_more_compilations_than_without(name) -> None:
    program = next(p for p in PROGRAMS if p.name == name)
    theirs, _ = compiled(program)
    with installed():
        ours, found = compiled(program)
    assert ours <= theirs
    for x, arguments in zip(found, program.arguments(), strict=True):
        expected = program.run(*arguments)
        assert torch.equal(x, expected)
        assert x.stride() == expected.stride()


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("case", DATA_DEPENDENT, ids=lambda case: case[0].__name__)
def test_views_of_sizes_that_data_say(case, backend) -> None:
    with installed():
        found = data_dependent(*case, backend=backend)
    assert torch.equal(found, case[0](*case[1]))


def test_a_check_that_fails_at_run_time_is_a_view_that_fails() -> None:
    import torch._dynamo.config as config
    from clients.torch_programs import columns_flat, numbered, of_mask

    torch._dynamo.reset()
    with config.patch(capture_dynamic_output_shape_ops=True), installed():
        run = torch.compile(columns_flat, backend="eager", fullgraph=True, dynamic=True)
        assert run(numbered((8, 6)), of_mask(3)).shape == (6,)
        with pytest.raises(RuntimeError):
            run(numbered((8, 6)), of_mask(3, 4))


# Wrong guards


@pytest.mark.parametrize("kinds", ["bbbbu", "b", "ub"])
def test_random_programs_do_what_real_tensors_do(kinds, turns, least) -> None:
    rng, seen = Random(f"installed {kinds}"), dict[str, int]()
    for _turn in turns(25):
        seed = rng.random()
        program = random_program(Random(seed), kinds)
        with installed():
            trace = traced(program, Random(seed))
        values = Random(seed)
        for _ in range(8):
            numbers = numbers_of(program, trace.entries, values)
            wrong, used = fault(program, trace, numbers)
            assert not wrong, (program.sizes, program.strides, program.text, numbers, wrong)
            seen[used] = seen.get(used, 0) + 1
    assert seen["view"] > least(20)
    assert seen.get("too strong", 0) <= seen["view"] // 50  # where strides depend on values, PyTorch decides
    assert seen.get("refused", 0) + seen.get("check fails", 0) > least(10)
