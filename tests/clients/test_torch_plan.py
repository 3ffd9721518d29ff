"""Plans of PyTorch functions: what copies, which layouts save it; run with these layouts and compared by storage."""

from __future__ import annotations

import random
from math import prod
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from clients.torch_models import MODELS, embedding  # noqa: E402

from symview import InputError, NotSupported  # noqa: E402
from symview.torch import copies, plan  # noqa: E402


def storage(x):
    return x.untyped_storage().data_ptr()


def laid_out(x, view):
    new = torch.empty_strided(x.shape, view.strides, dtype=x.dtype)
    return new.copy_(x)


def heads_and_sums(q):
    return q.permute(0, 2, 1, 3).reshape(8, 5, 4) + 1, q.reshape(2, 5, 16).sum(0)


def test_an_input() -> None:
    q = torch.randn(2, 5, 4, 4)
    found = plan(heads_and_sums, q)
    assert not found
    assert (len(found.copies), found.bytes, found.left) == (1, 640, 0)
    assert found.changes == {"q": "q.permute(1, 0, 2, 3).contiguous().permute(1, 0, 2, 3), strides (16, 32, 4, 1)"}
    assert found.check(q) == ()
    assert found.check(laid_out(q, found.plan.layouts["q"])) == ()
    assert plan(heads_and_sums, laid_out(q, found.plan.layouts["q"])).copies == ()
    assert "then 0 bytes are copied" in str(found)


def attention(q, k, v, w):
    b, h, s, d = q.shape
    scores = (q.reshape(b * h, s, d) @ k.reshape(b * h, s, d).transpose(1, 2)).softmax(-1)
    out = torch.bmm(scores, v.reshape(b * h, s, d)).view(b, h, s, d)
    out = out + q
    return out.transpose(1, 2).reshape(b, s, h * d) @ w


def test_a_result() -> None:
    """The sum is read as (b, s, h·d) alone: laid out so, its reshape is a view."""
    q, k, v = (torch.randn(2, 8, 16, 4) for _ in range(3))
    w = torch.randn(32, 32)
    found = plan(attention, q, k, v, w)
    assert [c.split("(")[0] for c in found.copies] == ["add"]
    assert list(found.changes) == ["add"]
    assert found.left == 0
    assert found.check(q, k, v, w) == ()


def test_what_copies_in_any_layout() -> None:
    def clash(x):
        return x.reshape(64, 6) * 2, x.permute(0, 2, 1, 3).reshape(16, 8, 3) + 1

    x = torch.randn(8, 8, 2, 3)
    found = plan(clash, x)
    assert not found.changes
    assert found.left == found.bytes == 8 * 8 * 2 * 3 * 4
    assert "would share an address" in str(found)
    assert len(found.check(x)) == 1


def test_contiguous_before_a_view() -> None:
    def turned(x):
        return x.transpose(1, 2).contiguous().view(4, 30) + 1

    x = torch.randn(4, 5, 6)
    found = plan(turned, x)
    assert found.bytes == 480
    assert found.left == 0
    assert found.check(x) == ()


def test_what_makes_a_tensor_is_named_and_no_change_is_none() -> None:
    def needless(x):
        y = x + 1
        return y.permute(0, 2, 1).contiguous().flatten(2) * 2, (y * 2).transpose(1, 2).reshape(4, 30) + 1

    x = torch.randn(4, 5, 6)
    found = plan(needless, x)
    line = needless.__code__.co_firstlineno
    assert found.changes["add"] == f"drop the .contiguous() at {__file__}:{line + 2}".replace(f"{Path.cwd()}/", "")
    lines = str(found).splitlines()
    assert found.changes["add"] in lines
    assert any(text.startswith("lay out mul1 as ") for text in lines)
    assert any(text.startswith("mul1 is the result of mul at ") and text.endswith(f":{line + 2}") for text in lines)
    assert found.check(x) == ()


def test_slices_and_parts() -> None:
    def parts(x):
        a, b = x.split(4, dim=2)
        return a.reshape(6, 4) + b[..., :4].reshape(6, 4), x.select(1, 0).unsqueeze(0).expand(2, -1, -1).sum(), x[0]

    x = torch.randn(2, 3, 8)
    assert plan(parts, x).copies == ()


def test_weights_that_are_no_arguments() -> None:
    layer = torch.nn.Linear(6, 4)

    def use(x):
        return layer(x.transpose(0, 1).reshape(5, 6))

    x = torch.randn(3, 5, 2)
    found = plan(use, x)
    assert len(found.copies) == 1
    assert list(found.changes) == ["x"]
    assert found.check(x) == ()


def test_nothing_to_plan() -> None:
    with pytest.raises(InputError):
        plan(lambda: None)
    assert plan(lambda x: x + 1, torch.ones(3))


@pytest.mark.parametrize(("fn", "shape"), MODELS)
def test_models(fn, shape) -> None:
    """What is traced on fakes is copied; where layouts save all copies, none is left."""
    x = torch.zeros(shape, dtype=torch.long) if fn is embedding else torch.randn(shape)
    found = plan(fn, x)
    with torch.no_grad(), copies() as report:
        fn(x)
    assert found.bytes <= report.bytes
    assert found.left <= found.bytes
    if found.left == 0:
        assert found.check(x) == ()


def test_shapes_that_change_in_place() -> None:
    def turned(x):
        y = x + 1
        y.transpose_(0, 1)
        return y.reshape(-1) * 2

    x = torch.randn(3, 4)
    found = plan(turned, x)
    assert (list(found.changes), found.left) == (["add"], 0)
    assert found.check(x) == ()
    with pytest.raises(NotSupported):
        plan(lambda x: (x + 1).as_strided_((2, 2), (1, 1)).reshape(-1) + 1, x)


def test_views_that_are_not_followed() -> None:
    assert plan(lambda x: (x + 1).unfold(0, 2, 1).reshape(-1), torch.randn(6)).copies == ()


def random_function(rng, shape):
    """A function that returns two or three reshapes of its input, permuted and merged."""
    rank = len(shape)
    steps = []
    for _ in range(rng.randint(1, 3)):
        order = rng.sample(range(rank), rank)
        sizes = [shape[d] for d in order]
        at = rng.randrange(rank - 1)
        steps.append((order, [*sizes[:at], sizes[at] * sizes[at + 1], *sizes[at + 2 :]]))
    return lambda x: [x.permute(order).reshape(new) for order, new in steps]


def test_random_functions(turns) -> None:
    """Run on inputs that are laid out as planned, without anything of ours: as many bytes are copied as is said."""
    seen = {"saved": 0, "kept": 0}
    for turn in turns(60):
        rng = random.Random(f"torch plan {turn}")
        shape = tuple(rng.choice([1, 2, 3, 4]) for _ in range(rng.randint(2, 4)))
        fn, x = random_function(rng, shape), torch.randn(shape)
        found = plan(fn, x)
        own = sum(4 * prod(shape) for out in fn(x) if storage(out) != storage(x))
        assert found.bytes == own
        if found.changes:
            there = laid_out(x, found.plan.layouts["x"])
            outs = fn(there)
            assert sum(4 * prod(shape) for out in outs if storage(out) != storage(there)) == found.left < own
            assert all(torch.equal(a, b) for a, b in zip(outs, fn(x), strict=True))
            assert len(found.check(x)) * 4 * prod(shape) == found.left
        seen["saved" if found.changes else "kept"] += 1
    assert seen["saved"] and seen["kept"]
