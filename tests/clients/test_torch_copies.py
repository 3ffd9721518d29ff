"""What `copies()` and `symview lint` say on fake tensors, beside what real tensors do."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import numpy
import pytest
import torch
from clients.test_torch_sizes import traced
from clients.torch_models import MODELS
from clients.torch_profiler import MODES, copied, reported
from command import typed
from jsonschema import validate
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.overrides import TorchFunctionMode
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode

import symview.cli
from symview import View, reshape
from symview.torch import copies
from symview.torch.copy_report import CopyReport
from symview.torch.trying import without_contiguous
from symview.torch.view_texts import where_a_view

SCHEMA = Path(symview.cli.__file__).parent / "schema.json"
LAYING_OUT = ("reshape", "flatten", "contiguous", "ravel", "unflatten", "reshape_as", "to")
NAMES = [getattr(f, "__name__", type(f).__name__) for f, _ in MODELS]


def on_fake_tensors(run: Callable[..., Any], shape: tuple[int, ...]) -> CopyReport:
    with FakeTensorMode(allow_non_fake_inputs=True), copies() as report:
        run(torch.randn(shape))
    return report


class Pointers(TorchFunctionMode):
    """Counts calls of functions that lay out whose result lies elsewhere than the tensor, by the function."""

    def __init__(self) -> None:
        super().__init__()
        self.moved = Counter[str]()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "")
        if name in LAYING_OUT and out.numel() and args[0].data_ptr() != out.data_ptr():
            self.moved[name] += 1
        return out


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", range(len(MODELS)), ids=[f"{n}-{name}" for n, name in enumerate(NAMES)])
def test_all_copies_are_told_and_no_others(number, mode) -> None:
    run, shape = MODELS[number]
    with MODES[mode]():
        x = torch.randn(shape)
        with copies() as real:
            run(x)
        assert reported(real) == copied(lambda: run(x))
        with Pointers() as pointers:
            run(x)
    counts = Counter[str]()
    for copy in real.copies:
        counts[copy.operation] += copy.times
        assert copy.place.file == sys.modules["clients.torch_models"].__file__
    assert pointers.moved <= counts


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", range(len(MODELS)), ids=[f"{n}-{name}" for n, name in enumerate(NAMES)])
def test_on_fake_tensors_those_within_kernels_are_missing(number, mode) -> None:
    run, shape = MODELS[number]
    with MODES[mode]():
        found = on_fake_tensors(run, shape)
        assert reported(found) == copied(lambda: run(torch.randn(shape)), fakes=True)


def test_matrices_are_copied_as_pytorch_copies_them(turns, least) -> None:
    rng, seen = Random("matrices"), Counter[int]()

    def matrix(rows: int, columns: int) -> torch.Tensor:
        strides = ((columns, 1), (1, rows), (columns + 2, 1), (2 * columns, 2), (0, 1), (1, 0), (1, 1), (2, 1), (3, 2))
        return torch.empty_strided((rows, columns), rng.choice(strides))

    for _turn in turns(60):
        a, b, c = (rng.choice((1, 1, 2, 3, 5)) for _ in range(3))
        x, y = matrix(a, b), matrix(b, c)
        with copies() as report:
            torch.mm(x, y)
        with FakeTensorMode(allow_non_fake_inputs=True) as mode, copies() as on_fakes:
            torch.mm(mode.from_tensor(x), mode.from_tensor(y))
        wanted = copied(lambda x=x, y=y: torch.mm(x, y))
        assert reported(report) == reported(on_fakes) == wanted
        seen[len(report)] += 1
    assert min(seen[n] for n in range(3)) >= least(3)


@pytest.mark.parametrize("mode", ["no_grad", "inference_mode"])
def test_what_runs_is_what_runs_without_a_report(mode) -> None:
    """Attention takes its fast path, which no mode may see; numbers beside tensors keep their values."""
    layer = torch.nn.TransformerEncoderLayer(6, 2, 8, batch_first=True).eval()
    x = torch.randn(2, 5, 6)
    with MODES[mode]():
        plain = names(lambda: layer(x))
        with copies():
            assert names(lambda: layer(x)) == plain
            double, half = x * 2.0, x.half() * 2
    assert "aten::_transformer_encoder_layer_fwd" in plain
    assert torch.equal(double, x * 2.0)
    assert torch.equal(half, x.half() * 2)


def names(run: Callable[[], Any]) -> list[str]:
    with profile(activities=[ProfilerActivity.CPU]) as profiled:
        run()
    return [event.name for event in profiled.events()]


def test_wrappers_are_not_counted_beside_what_they_wrap() -> None:
    x = torch.randn(2, 3, 4)
    with copies() as report:
        torch.vmap(lambda t: t.t().contiguous())(x)
    assert [(c.layout, c.times) for c in report.copies] == [("(2,4,3):(12,1,4)", 1)]


def test_another_mode_hides_no_copy() -> None:
    class Counting(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func(*args, **(kwargs or {}))

    x = torch.randn(3, 4)
    for mode in MODES.values():
        with mode(), Counting(), copies() as report:
            x.t().flatten()
        assert [c.operation for c in report.copies] == ["flatten"]


def test_blocks_are_of_one_thread_and_may_be_nested() -> None:
    x = torch.randn(3, 4)
    with copies() as outer:
        x.t().contiguous()
        with copies() as inner:
            x.t().contiguous()
        other = Thread(target=lambda: x.t().contiguous())
        other.start()
        other.join()
    x.t().contiguous()
    assert (len(outer), len(inner)) == (2, 1)


def test_a_to_counts_where_neither_type_nor_device_ask_for_it() -> None:
    x = torch.randn(1, 4).expand(3, 4)
    with copies() as report:
        x.to(torch.float64)
        x.to("cpu", copy=True)
        x.contiguous().to("cpu", copy=True)
    assert [c.operation for c in report.copies] == ["to", "contiguous", "to"]
    assert report.copies[2].breaks == "copy=True asks for it"


def test_why_a_to_copies() -> None:
    """copy=True alone, unless the format is another one; then it is no advice to copy before."""
    x, y = torch.randn(3, 4).t(), torch.randn(2, 3, 4, 5)
    with copies() as report:
        x.to(torch.float32, copy=True)
        x.to(torch.float32, copy=True)
        x.to(torch.float32, copy=True, memory_format=torch.contiguous_format)
        y.to(memory_format=torch.channels_last)
        y.permute(0, 3, 1, 2).to(memory_format=torch.contiguous_format)
        torch.randn(8).as_strided((2, 1, 2, 2), (4, 1, 2, 1)).to(memory_format=torch.contiguous_format)
    asked, of_format = "copy=True asks for it", [c.breaks for c in report.copies[2:]]
    assert [(c.breaks, c.times) for c in report.copies[:3]] == [(asked, 1)] * 3
    assert of_format[1:] == [
        "dim 1 has stride 20, but would have to be 1",
        "dim 3 has stride 5, but would have to be 1",
        "PyTorch takes its strides for another format",
    ]
    assert report.shared == []


@pytest.mark.filterwarnings("ignore:To copy construct:UserWarning")
def test_making_a_tensor_is_no_copy_of_one() -> None:
    array, x = numpy.arange(12.0).reshape(3, 4), torch.randn(3, 4)
    with copies() as report:
        torch.tensor(array)
        torch.tensor(array.T)
        torch.tensor(x.t())
        x.new_tensor(x)
        torch.tensor([[1.0, 2.0]])
        torch.from_numpy(array.T).contiguous()
    assert [c.operation for c in report.copies] == ["contiguous"]


def test_a_line_says_what_breaks_and_what_avoids_it() -> None:
    def heads_back(x: Any) -> Any:
        return x.transpose(1, 2).reshape(2, 5, -1)

    (copy,) = on_fake_tensors(heads_back, (2, 4, 5, 3)).copies
    assert str(copy).endswith(
        "reshape of (2,5,4,3):(60,3,15,1) to (2,5,12) copies 480 B: at index (0,0,3) the element is at address "
        "15; constant strides would put it at 3; a view if stride 2 were 3, not 15"
    )
    assert copy.place.code == "return x.transpose(1, 2).reshape(2, 5, -1)"
    assert reshape(View((2, 5, 4, 3), (60, 3, 3, 1)), (2, 5, 12))


def test_copies_of_a_loop_are_one() -> None:
    def loop(x: Any) -> None:
        for _ in range(3):
            x[:, :2].contiguous()

    found = on_fake_tensors(loop, (4, 4))
    assert [(c.times, c.bytes) for c in found.copies] == [(3, 96)]
    assert (len(found), found.bytes) == (3, 96)


@pytest.mark.parametrize(
    ("run", "instead"),
    [
        (
            lambda x: x.permute(0, 3, 1, 2).contiguous().flatten(2),
            "drop .contiguous(): the view to (1,5,12) after it needs no copy; check with --try",
        ),
        (
            lambda x: x.transpose(1, 2).contiguous().view(-1, 3, 5),
            ".reshape instead of .contiguous().view: the view to (4,3,5) after it needs no copy, but only where "
            "a = 1 or b = 1 or c = 1 (here a = 1, b = 4, c = 3, d = 5); check with --try",
        ),
        (
            lambda x: x[..., :2].contiguous().view(3, 4, 2, 1),
            ".reshape instead of .contiguous().view: the view to (3,4,2,1) after it needs no copy, but only where "
            "the sizes are these; check with --try",
        ),
        (lambda x: x.permute(0, 3, 1, 2).contiguous().flatten(0), ""),
        (
            lambda x: [(t.flatten(2), t.view(1, 5, 3, 4)) for t in [x.permute(0, 3, 1, 2).contiguous()]],
            "drop .contiguous(): the views to (1,5,12) and (1,5,3,4) after it need no copy; check with --try",
        ),
        (lambda x: [(t.flatten(2), t.view(60)) for t in [x.permute(0, 3, 1, 2).contiguous()]], ""),
    ],
)
def test_a_needless_contiguous_is_told_with_its_condition(run, instead) -> None:
    """Of a copy with a second view that needs it, nothing is said."""
    (copy,) = on_fake_tensors(run, (1, 3, 4, 5)).copies
    assert copy.instead == instead


def test_the_condition_of_an_advice_is_right_at_other_sizes(turns) -> None:
    """Against reshapes of real tensors that are permuted in the same way."""
    rng, seen = Random("conditions"), Counter[str]()
    for _turn in turns(150):
        rank = rng.choice((2, 3, 4))
        order, cut = rng.sample(range(rank), rank), rng.randrange(rank - 1)
        shapes = [[rng.choice((1, 2, 3)) for _ in range(rank)] for _ in range(6)]

        def merged(sizes: list[int], cut: int = cut) -> list[int]:
            return [*sizes[:cut], sizes[cut] * sizes[cut + 1], *sizes[cut + 2 :]]

        views = []
        for sizes in shapes:
            x = torch.empty([sizes[order.index(d)] for d in range(rank)]).permute(order)
            views.append((sizes, x, x.reshape(merged(sizes)).data_ptr() == x.data_ptr()))
        sizes, x, _ = views[0]
        found = where_a_view(View(tuple(x.shape), tuple(x.stride())), merged(sizes))
        if found == "the sizes are these":
            seen["not told"] += 1
            continue
        condition = found.split(" (here")[0].replace(" = ", " == ").replace("≤", "<=")
        for sizes, _, is_view in views:
            names = dict(zip("abcd", sizes, strict=False))
            assert is_view == (condition == "always" or (condition != "never" and eval(condition, names)))
        seen["always" if condition == "always" else "told"] += 1
    assert min(seen["always"], seen["told"]) > 3


def test_one_tensor_that_is_copied_several_times_is_told() -> None:
    def three(x: Any) -> None:
        x = x.transpose(0, 1)
        for _ in range(2):
            x.reshape(-1)
            x.contiguous()
        x.add_(1)
        x.reshape(-1)  # of other elements
        torch.randn(2, 3).t().contiguous()

    x = torch.randn(3, 4)
    with copies() as report:
        three(x)
    (shared,) = report.shared
    first = three.__code__.co_firstlineno
    assert [p.line - first for p in shared.places] == [3, 3, 4, 4]
    assert (shared.times, shared.bytes) == (1, 3 * 48)
    assert str(shared).endswith(" copy the same tensor 4 times: one .contiguous() before them would save 144 B")


def test_of_expanded_dims_no_other_strides_are_named() -> None:
    (copy,) = on_fake_tensors(lambda x: x[:, None].expand(4, 3, 4).reshape(12, 4), (4, 4)).copies
    assert copy.instead == ""
    assert copy.breaks == "at index (3,0) the element is at address 4; constant strides would put it at 0"


def test_copies_at_symbolic_sizes_say_where_they_are_none() -> None:
    env = ShapeEnv()
    u, v = env.create_unbacked_symint(), env.create_unbacked_symint()
    with FakeTensorMode(shape_env=env), copies() as report:
        torch.empty(u, v).t().contiguous()
    (copy,) = report.copies
    assert (copy.what, copy.bytes) == ("contiguous of (u1,u0):(1,Max(1, u1))", 0)
    assert copy.breaks == "no copy where u1 = 0 or u0 = 0 or u1 = 1 or u0 = 1"


def test_reshapes_at_symbolic_sizes_say_where_they_are_views() -> None:
    _, mode, (a, b, c) = traced(3, 4, 5)
    with mode, copies() as report:
        torch.empty(a, b, c).transpose(1, 2).reshape(a, b * c)
    (copy,) = report.copies
    assert (copy.operation, copy.bytes) == ("reshape", 240)
    assert copy.breaks in (f"no copy where {b} = 1 or {c} = 1", f"no copy where {c} = 1 or {b} = 1")


# The command

SCRIPT = """
import sys
import torch
from torch import nn

print("arguments:", *sys.argv[1:])
x = torch.randn(2, 5, 24)
q, k, v = x.view(2, 5, 3, 4, 2).permute(2, 0, 3, 1, 4)
y = x.transpose(1, 2).reshape(2, -1)
z = nn.Linear(24, 3)(x)
if sys.argv[1:] == ["item"]:
    z.sum().item()
if sys.argv[1:] == ["exit"]:
    sys.exit(4)
if sys.argv[1:] == ["compiled"]:
    torch.compile(lambda t: t.transpose(0, 1).flatten(), backend="eager")(y)
if sys.argv[1:] == ["trained"]:
    z.sum().backward()
"""


@pytest.fixture
def script(tmp_path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(SCRIPT)
    return "model.py"


def run(*words: str) -> Any:
    return typed(["lint", *words])


def test_a_script_is_run(script) -> None:
    found = run(script, "item")
    assert found.exit_code == 1
    header, line = found.stdout.strip().splitlines()
    assert header.split() == ["where", "copies", "times", "bytes", "breaks", "instead"]
    assert line.startswith(
        "model.py:9  reshape of (2,24,5):(120,1,24) to (2,120)  1      960 B  at index (0,5) the element "
    )
    assert line.endswith("is at address 1; constant strides would put it at 120  a view if stride 1 were 120, not 1")
    assert "arguments:" in found.stderr


@pytest.mark.parametrize(
    ("words", "stopped"),
    [
        (["--fake", "model.py", "item"], "model.py:12: DataDependentOutputException"),
        (["model.py", "exit"], "model.py:14: SystemExit: 4"),
    ],
)
def test_a_script_that_stops_is_undecided(script, words, stopped) -> None:
    found = run("--json", *words)
    assert found.exit_code == 3
    answer = json.loads(found.stdout)
    assert (answer["answer"], answer["fake"], len(answer["copies"])) == ("undecided", "--fake" in words, 1)
    assert answer["stopped"].startswith(stopped)
    lines = list(filter(None, run(*words).stdout.splitlines()))
    if "--fake" in words:
        assert lines.pop(0).startswith("on fake tensors: ")
    first, second, *table = lines
    assert first.startswith(f"stopped at {stopped}")
    assert (second, len(table)) == ("later lines did not run; copies until then: 1", 2)
    (of_sarif,) = json.loads(run("--sarif", *words).stdout)["runs"]
    (failed,) = of_sarif["invocations"]
    assert failed["executionSuccessful"] is False
    assert failed["toolExecutionNotifications"][0]["message"]["text"].startswith(f"stopped at {stopped}")


MODEL = """
import torch

class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rates = [rate.item() for rate in torch.linspace(0, 1, 3)]
        self.weight = torch.nn.Parameter(torch.ones(4, 4) * self.rates[1])

    def forward(self, x):
        return (x.t() @ self.weight).t().reshape(-1) if type(x).__name__ == "Tensor" else x.t().reshape(-1)

y = Scaled()(torch.ones(4, 5))
"""


def test_models_are_built_for_real_and_run_on_fakes(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.py").write_text(MODEL)
    (tmp_path / "t.py").write_text(MODEL + "print(y[0].item())\n")
    first, _, _, line = run("--fake", "s.py").stdout.splitlines()
    assert first.startswith("on fake tensors: ")
    assert line.startswith("s.py:11  reshape of (5,4):(1,5) to (20) ")
    (line,) = run("s.py").stdout.splitlines()[1:]
    assert line.startswith("s.py:11  reshape of (4,5):(1,4) to (20) ")
    assert (run("--fake", "t.py").exit_code, run("t.py").exit_code) == (3, 1)


FAKE = (
    "on fake tensors: copies inside kernels are not seen, results may have other strides than real ones, "
    "and the script may take another branch"
)


def test_what_differs_on_fakes_is_said_first(tmp_path, monkeypatch) -> None:
    """A branch that only real tensors take, and a copy inside a kernel: on fakes there are neither."""
    monkeypatch.chdir(tmp_path)
    x = "import torch\nx = torch.randn(3, 4)\n"
    (tmp_path / "s.py").write_text(
        f"{x}y = x.t().reshape(12) if type(x) is torch.Tensor else x\nz = torch.softmax(x.t(), 0)\n"
    )
    assert [*filter(None, run("--fake", "s.py").stdout.splitlines())] == [FAKE, "no copies"]
    assert [c["line"] for c in json.loads(run("s.py", "--json").stdout)["copies"]] == [3, 4]


@pytest.mark.parametrize(
    "last",
    [
        "print(x.sum().item())",
        "if x.sum() > 0: print()",
        "x[x > 0].tolist()",
        "torch.ops.aten._grouped_mm(x, x)",  # as models with experts do: a kernel that knows no fakes of it
        "import sys; sys.exit(1)",
        "raise ValueError('no data')",
    ],
)
def test_a_script_that_stops_on_fakes_is_not_free_of_copies(tmp_path, monkeypatch, last) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.py").write_text(f"import torch\nx = torch.ones(3, 4) * 2\n{last}\ny = x.t().reshape(12)\n")
    found = run("--fake", "s.py")
    assert found.exit_code == 3
    first, second, third, *more = filter(None, found.stdout.splitlines())
    assert (first, third, more) == (FAKE, "later lines did not run; copies until then: 0", [])
    assert second.startswith("stopped at s.py:3: ")
    for option in ("--json", "--sarif"):
        assert "no copies" not in run("--fake", option, "s.py").stdout


@pytest.mark.parametrize(
    ("source", "stopped"),
    [
        ("import torch\nraise ValueError('no data')\n", "s.py:2: ValueError: no data"),
        ("import nowhere_to_be_found\n", "s.py:1: ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("import broken\n", "s.py:1: SyntaxError: '(' was never closed (broken.py, line 1)"),
        ("raise KeyboardInterrupt\n", "s.py:1: KeyboardInterrupt"),
        ("class Ended(BaseException): pass\nraise Ended\n", "s.py:2: Ended"),
        ("import sys\nsys.exit('no GPU')\n", "s.py:2: SystemExit: no GPU"),
        ("import sys\nif True:\n    sys.exit()\nprint()\n", "s.py:3: SystemExit"),
        ("import sys\ndef main():\n    sys.exit(0)\n    print()\nmain()\n", "s.py:3: SystemExit: 0"),
        ("import sys\nfor n in range(3):\n    sys.exit(0)\n", "s.py:3: SystemExit: 0"),
        ("import argparse\nargparse.ArgumentParser().parse_args(['-h'])\nprint()\n", "s.py:2: SystemExit: 0"),
    ],
)
def test_of_a_script_that_stopped_nothing_is_said_to_be_free_of_copies(tmp_path, monkeypatch, source, stopped) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.py").write_text("print(\n")
    (tmp_path / "s.py").write_text(source)
    found = run("s.py")
    assert (found.exit_code, found.stdout.splitlines()[0]) == (3, f"stopped at {stopped}")
    assert "no copies" not in found.stdout


@pytest.mark.parametrize(
    "source",
    [
        "import sys\nsys.exit()\n",
        "import os, sys\ndef main():\n    os.chdir('/')\n    sys.exit(0)\n\nif __name__ == '__main__':\n    main()\n",
        "import sys\ndef main() -> int:\n    return 0\nif True:\n    raise SystemExit(main())\n",
    ],
)
def test_a_script_that_exits_in_its_last_statement_has_run(tmp_path, monkeypatch, source) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.py").write_text(source)
    found = run("s.py")
    assert (found.exit_code, found.stdout.strip()) == (0, "no copies")


@pytest.mark.parametrize("source", ["import torch\nx = = 3\n", "x = '\0'\n"])
def test_a_script_that_does_not_start_is_bad_input(tmp_path, monkeypatch, source) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.py").write_text(source)
    found = run("s.py")
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith("error: s.py does not run: ")


def test_ctrl_c_in_a_script_prints_what_was_seen(tmp_path) -> None:
    (tmp_path / "s.py").write_text(
        "import os, signal, time, torch\ntorch.ones(2, 3).t().reshape(6)\nos.kill(os.getpid(), signal.SIGINT)\n"
        "time.sleep(9)\n"
    )
    command = [sys.executable, "-m", "symview", "lint", "s.py"]

    def hears_ctrl_c() -> None:  # a shell starts jobs in the background deaf to it
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, preexec_fn=hears_ctrl_c, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (130, False)
    assert done.stdout.startswith("stopped at s.py:3: KeyboardInterrupt\nlater lines did not run; copies until then: 1")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("word", ["compiled", "trained"])
def test_compiled_and_trained_scripts_are_run(script, word) -> None:
    answer = json.loads(run(script, word, "--json").stdout)
    assert answer["stopped"] is None
    assert [c["operation"] for c in answer["copies"]] == ["reshape", "flatten" if word == "compiled" else "backward"]


@pytest.mark.parametrize(
    "last", [lambda y: y.sum(), lambda y: (y * y).sum(), lambda y: y.transpose(1, 2)[0].exp().mean()]
)
def test_copies_of_a_gradient_are_those_of_real_tensors(last) -> None:
    def trained(x: Any) -> None:
        last(torch.nn.Linear(24, 3)(x)).backward()

    found = on_fake_tensors(trained, (2, 5, 24))
    assert reported(found) == copied(lambda: trained(torch.randn(2, 5, 24)))
    assert all(c.operation == "backward" for c in found.copies)


def test_json_and_sarif_have_schemas(script) -> None:
    found = json.loads(run(script, "--json").stdout)
    validate(found, json.loads(SCHEMA.read_text()))
    assert found["copies"][0]["line"] == 9
    sarif = json.loads(run(script, "--sarif").stdout)
    (result,) = sarif["runs"][0]["results"]
    assert sarif["version"] == "2.1.0"
    assert result["ruleId"] == sarif["runs"][0]["tool"]["driver"]["rules"][0]["id"] == "copy/reshape"
    location = result["locations"][0]["physicalLocation"]
    assert location == {"artifactLocation": {"uri": "model.py"}, "region": {"startLine": 9}}
    assert result["message"]["text"].startswith("reshape of (2,24,5):(120,1,24) to (2,120) copies 960 B: ")


def test_nothing_to_tell_and_bad_input(script, tmp_path) -> None:
    (tmp_path / "quiet.py").write_text("import torch\ntorch.ones(2, 3).view(6)\n")
    found = run("quiet.py")
    assert (found.exit_code, found.stdout.strip()) == (0, "no copies")
    assert run("nowhere.py").exit_code == 2
    assert run(script, "--json", "--sarif").exit_code == 2


def test_options_of_the_script_stand_after_dashes(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.py").write_text("import sys\nprint(sys.argv[1:])\n")
    found = run("s.py", "data", "--json", "--", "-h", "--json", "--epochs", "1")
    assert found.stderr.strip() == "['data', '-h', '--json', '--epochs', '1']"
    assert json.loads(found.stdout)["copies"] == []
    for option in ("-x", "--epochs"):
        found = run("s.py", option, "1")
        assert (found.exit_code, found.stdout) == (2, "")
        assert f"unknown option {option}; options of the script stand after --, as in: symview lint " in found.stderr


def test_a_library_between_is_not_the_users_line(script, tmp_path, monkeypatch) -> None:
    library = tmp_path / "site-packages" / "rearranging.py"
    library.parent.mkdir()
    library.write_text("def flat(x):\n    return x.t().reshape(-1)\n")
    calls = "rearranging.flat(torch.ones(2, 3))\n"
    (tmp_path / "user.py").write_text(f"import torch, rearranging\n\n{calls}{calls}")
    monkeypatch.syspath_prepend(str(library.parent))
    monkeypatch.chdir(tmp_path)
    first, second = json.loads(run("user.py", "--json").stdout)["copies"]
    assert (first["line"], second["line"], first["library"]["line"]) == (3, 4, 2)
    _, *rows = run("user.py").stdout.splitlines()
    called = [f"site-packages/rearranging.py:2, called from user.py:{line}" for line in (3, 4)]
    assert [row.split("  ")[0] for row in rows] == called
    _, row = run("--library", "user.py").stdout.splitlines()
    assert row.split()[0] == "site-packages/rearranging.py:2"
    assert row.split("  ", 1)[1].startswith("reshape of (3,2):(1,3) to (6)  2      48 B ")


ACCURACY = """
import sys
import torch
import symview.torch

def accuracy(output, target, topk=(1, 3)):
    pred = output.topk(max(topk), 1)[1].t()
    correct = pred.eq(target.view(1, -1).expand_as(pred))
    return [correct[:k].view(-1).sum() for k in topk]

if sys.argv[1:] == ["install"]:
    symview.torch.install()
with symview.torch.installed():
    accuracy(torch.randn(4, 10), torch.arange(4))
"""
EXPLAINED = """symview: s.py:9: correct[:k] is (3,4):(1,3), and has no view of these sizes:
  at index (4) the element is at address 1; constant strides would put it at 12
  either correct[:k].reshape(-1), which copies 12 B here,
  or .contiguous() where the tensor is made: one copy for all later views
"""


def test_the_first_error_is_explained_before_pytorch_tells_it(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.py").write_text(ACCURACY)
    found = run("s.py")
    assert found.exit_code == 3
    assert found.stdout.startswith(EXPLAINED)
    assert "stopped at s.py:9: RuntimeError: view size is not compatible" in found.stdout
    for words in ((), ("install",)):
        done = subprocess.run([sys.executable, "s.py", *words], capture_output=True, text=True, check=False)
        assert done.stderr.startswith(EXPLAINED)
        assert "RuntimeError: view size is not compatible" in done.stderr


@pytest.mark.parametrize(
    "source",
    [
        "def made():\n    print('again')\n    return torch.ones(2, 3).t()\nmade().view(6)\n",  # it would have effects
        "x = torch.ones(2, 3)\nx.view(7)\n",
        "raise RuntimeError('view size is not compatible with input tensor\\'s size and stride')\n",
    ],
)
def test_no_other_error_is_explained(tmp_path, monkeypatch, source) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.py").write_text(f"import torch\n{source}")
    found = run("s.py")
    assert (found.exit_code, found.stderr.count("again") <= 1) == (3, True)
    assert found.stdout.startswith("stopped at s.py:")


TRIED = """
import torch, library
x = torch.randn(1, 3, 4, 5)
a = library.heads(x)
b = x.permute(0, 3, 1, 2).contiguous().flatten(2) + 1
c = torch.nn.functional.conv2d(library.moved(x), torch.ones(2, 5, 1, 1))
"""
LIBRARY = """
def heads(x):
    return x.transpose(1, 2).contiguous().view(-1, 3, 5)

def moved(x):
    x = x.permute(0, 3, 1, 2).contiguous()
    assert x.view(1, -1, 4).is_contiguous()
    return x.view(1, 5, 3, 4)
"""


def test_advice_is_tried_in_copies_of_the_modules(tmp_path, monkeypatch) -> None:
    """Where the copy moves into the next kernel, or the program breaks, the outcome says so; no file is changed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.py").write_text(TRIED)
    (tmp_path / "library.py").write_text(LIBRARY)
    answer = json.loads(run("--try", "--json", "s.py").stdout)
    validate(answer, json.loads(SCHEMA.read_text()))
    before = len(answer["copies"])
    found = sorted(answer["tried"])
    assert found[0].startswith(
        f"library.py:3 with .reshape instead of .contiguous().view: {before} copies -> {before - 1}, "
    )
    assert found[0].endswith("; outputs bitwise equal")
    assert found[1].startswith("s.py:5 without .contiguous(): ")
    assert found[1].endswith("; outputs bitwise equal")
    assert (len(found), (tmp_path / "library.py").read_text()) == (2, LIBRARY)
    assert run("--try", "--fake", "s.py").exit_code == 2


@pytest.mark.parametrize(
    ("source", "line", "changed"),
    [
        ("y = (x.t()\n     .contiguous()\n     .view(6))", 2, "y = (x.t()\n     .reshape(6))"),
        ("y = (x + x).contiguous()", 1, "y = (x + x)"),
        ("y = 'ä', x.contiguous(), x.t().contiguous().view(6)", 1, "y = 'ä', x.contiguous(), x.t().reshape(6)"),
        ("y = x.contiguous(memory_format=m)", 1, None),
        ("x.contiguous()\ny = 1", 2, None),
    ],
)
def test_one_contiguous_is_taken_out_of_a_source(source, line, changed) -> None:
    found = without_contiguous(source, line)
    assert (found and found[0]) == changed
