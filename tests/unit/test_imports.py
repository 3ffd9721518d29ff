"""What is loaded when: no solver, no sympy and no numpy before they are needed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from random import Random
from types import ModuleType

import hard
import pytest
from bridge import view
from satellites import needs, there

import symview
import symview.cute
from symview import merge
from symview.engine import decide

ARRAY = "import numpy; from symview.torch import view_guard; x = numpy.zeros((4, 6)); print("
ROOT = Path(__file__).parents[2]
HEAVY = ("z3", "sympy", "islpy", "numpy", "rich")
PARSE = "from symview import View; v = View.parse('(2,3):(3,1)+2*3 [0:1,0:3]'); print(v, repr(v), hash(v), v == v)"
NAMES = "import symview; dir(symview); from symview import Counterexample, Kind, Undecided, ravel, Budget; Budget()"
LARGE = "from symview import *; print(merge(View((10**9,) * 3, (7, 3, 1)), View((10**8, 10**8), (10**9 + 7, 3))))"
DENSITY = """
from symview import *
v = View.in_order((2, 3, 4), (1, 0, 2))
print(is_dense(v), is_dense(v, flips=True), is_contiguous(v, "column_major"), order_of(v), canonical_strides(v))
print(is_injective(v), is_injective(View((2, 2, 2, 2), (500, 601, 707, 823))))
"""
OUTSIDE = """
from symview import *
try:
    merge(View((2,)), View((3,)))
except OutOfBounds as error:
    print(error)
"""
LINEAR = """
from symview.cute import *
tile = LinearLayout.parse("{column = [1, 2], row = [5, 10]}")
print(as_layout(tile), slice_to_view(tile, row=3), to_swizzled(tile), tile.inverse())
print(to_linear(Layout((2**30, 2**20), (1, 2**40))))
print(same_function(Layout(2**60), LinearLayout([1 << i for i in range(60)])))
"""
SWIZZLED = """
from symview.cute import *
atom = composition(Swizzle(3, 3, 3), Layout((8, 64), (64, 1)))
tile = tile_to_shape(atom, (128, 64))
print(tile, slice_and_offset((3, None), tile), zipped_divide(tile, (8, 16)), right_inverse(tile), upcast(tile, 2))
print(bank_conflicts(tile, element_bytes=2), vector_width(tile), footprint(tile), order(tile), is_contiguous(tile))
print(as_layout(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((48, 10**9), (10**9, 1)))))
"""
EASY = {
    "import": "import symview",
    "parse": PARSE,
    "names": NAMES,
    "addresses": "from symview import *; compose_at(View((10, 3, 3)), View((4,), (4,)), index=(3,))",
    "merge": "from symview import *; print(merge(View((10, 3, 3)), View((4,), (4,))))",
    "counterexample": "from symview import *; print(merge(View((10, 3, 3), (1, 1, 1)), View((4,), (4,))))",
    "density": DENSITY,
    "out of bounds": OUTSIDE,
    "large": LARGE,
    "linear": LINEAR,
    "swizzled": SWIZZLED,
}
if there("shared_memory"):
    EASY["shared memory"] = """
from symview.cute import *
print(best_swizzle((64, 64), ["cp.async", "ldmatrix"], bytes=2), best_padding((48, 40), ["row"], bytes=2))
"""


def said(program: str) -> list[str]:
    """The lines that a fresh interpreter prints."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    return run.stdout.splitlines()


def loaded(program: str) -> set[str]:
    """The heavy packages that a fresh interpreter has after the program."""
    check = f"{program}\nimport sys\nprint('loaded', *sorted(set({HEAVY!r}) & set(sys.modules)))"
    return set(said(check)[-1].split()[1:])


@needs("torch")
def test_guards_of_arrays_load_no_solver() -> None:
    assert loaded(f"{ARRAY}view_guard(x, (-1,)), view_guard(x, (2, 2, 6)).strides, view_guard(x.T, (24,)))") == {
        "numpy"
    }


def test_numbers_load_nothing_heavy() -> None:
    """One process for all; what is loaded is said after each."""
    texts = [f"{text}\nprint('loaded after', {name!r}, HEAVY & set(sys.modules))" for name, text in EASY.items()]
    lines = said("\n".join(["import sys", f"HEAVY = {set(HEAVY)!r}", *texts]))
    after = [line for line in lines if line.startswith("loaded after")]
    assert after == [f"loaded after {name} set()" for name in EASY]


def test_a_search_over_residues_loads_nothing_heavy(monkeypatch) -> None:
    found = []
    monkeypatch.setattr(
        decide, "search_residues", lambda *a, plain=decide.search_residues: found.append(1) or plain(*a)
    )
    rng = Random("residues")
    while not found:
        outer, inner = (view(v) for v in hard.in_step_nearby(rng))
        merge(outer, inner)
    assert loaded(f"from symview import *; merge({outer!r}, {inner!r})") == set()


def test_names_load_nothing_and_assumptions_load_z3() -> None:
    """The same check does see what is loaded."""
    program = "from symview import *; str(conditions(View.parse('(10,3,3):(a,b,c)'), View((6,), (4,)){}))"
    assert loaded(program.format("")) == set()
    assert loaded("from symview import *; str(conditions('(10,3,3):(a,b,c)', '(s):(4)'))") == set()
    for query in ("'(a*a,b)', '(a,a*b)'", "'(a)', '(b,b)'", "'(h//p*p)', '(h//p,p)'"):  # powers are factored
        assert "sympy" not in loaded(f"from symview import *; str(reshape_conditions({query}))"), query
    assert {"z3"} <= loaded(program.format(", assume='a > b*c'"))
    assert loaded("import sympy; from symview import View; View((sympy.Symbol('n', integer=True),))") == {"sympy"}


FIRST = {
    "reshape": "str(reshape_conditions('(B,S,D):(t0,t1,t2)', '(B*S,D)'))",
    "merge": "str(conditions('(10,3,3):(a,b,c)', '(s):(4)'))",
    "compose": "str(cute.composition_conditions('(4,6,8):(a,b,c)', '6:3'))",
    "other layouts": "str((cute.complement_conditions('(4,2):(a,b)', 64), cute.coalesce_conditions('(4,8):(a,b)')))",
    "movements": "str(View.parse('(n,m)').flip(0).pad((1, 0), (0, 2)).shrink((0, 2), (1, 3)).permute(1, 0))",
}  # fmt: skip


@pytest.mark.parametrize("question", FIRST)
def test_first_answers_with_names_load_no_sympy(question) -> None:
    assert "sympy" not in loaded(f"from symview import *; from symview import cute; {FIRST[question]}")


RESHAPES = [("(B,S,D):(t0,t1,t2)", "(B*S,D)"), ("(n,4):(a,b)", "(n*4)"), ("(n,4):(4,1)", "(2*n,2)"), ("(n)", "(-1,3)")]


@pytest.mark.parametrize("words", RESHAPES)
def test_a_reshape_on_the_command_line_loads_nothing_heavy(words) -> None:
    run = f"import sys; sys.argv = ['symview', 'reshape', *{words!r}]; from symview.cli import main"
    assert loaded(f"{run}\ntry: main()\nexcept SystemExit: pass") == set()


RUN = """
import contextlib, doctest, io, sys
space, done = {}, 0
for example in doctest.DocTestParser().get_examples(open(sys.argv[1], encoding="utf-8").read()):
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(example.source, "example", "single"), space)
        done += 1
    if "sympy" in sys.modules:
        sys.exit(f"loads sympy: {example.source}")
print(done)
"""


@pytest.mark.parametrize("document", ["README.md", *sorted(map(str, (ROOT / "docs/tutorials").glob("*.md")))])
def test_the_examples_of_a_tutorial_load_no_sympy(document, tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", RUN, ROOT / document], capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) >= 4


@pytest.mark.parametrize("module", [symview, symview.cute])
def test_every_public_name_is_there(module: ModuleType) -> None:
    for name in module.__all__:
        assert getattr(module, name) is not None
    assert len(set(module.__all__)) == len(module.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        _ = module.nothing


@pytest.mark.parametrize("module", [symview, symview.cute])
def test_dir_lists_the_public_names_and_nothing_else(module: ModuleType) -> None:
    assert dir(module) == sorted(module.__all__)


@needs("pictures")
def test_values_load_no_picture_before_one_is_shown() -> None:
    load = "import sys; from symview.view import View; from symview.cute.layout import Layout"
    drawn = "print(*(x((2, 3))._repr_svg_()[:4] for x in (View, Layout)))"
    assert said(f"{load}; print([m for m in sys.modules if 'pictures' in m]); {drawn}") == ["[]", "<svg <svg"]


OURS = "import sys; print(sorted(m for m in sys.modules if m.partition('.')[0] in ('symview', 'dataclasses')))"


def test_importing_a_package_loads_no_other_module() -> None:
    assert said(f"import symview; {OURS}") == ["['symview']"]
    assert said(f"import symview.cute; {OURS}") == ["['symview', 'symview.cute', 'symview.cute.pycute_modules']"]


def test_the_pytest_plugin_loads_itself_alone(tmp_path: Path) -> None:
    """In a project without theorems and rules."""
    (tmp_path / "test_theirs.py").write_text("def test_theirs(): pass\n")
    (tmp_path / "conftest.py").write_text(
        "import sys\n"
        "def pytest_sessionfinish():\n"
        "    print('loaded', sorted(m for m in sys.modules if m.startswith('symview')))\n"
    )
    installed = any(e.name == "symview" for e in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "symview.rules.plugin"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *plugin],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "loaded ['symview', 'symview.rules', 'symview.rules.plugin']" in run.stdout


def test_every_import_inside_a_function_says_why() -> None:
    """In a comment on its line: such imports are for load time alone."""
    root = Path(symview.__file__).parent
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        functions = [f for f in ast.walk(ast.parse(text)) if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef)]
        for inner in (n for f in functions for n in ast.walk(f) if isinstance(n, ast.Import | ast.ImportFrom)):
            line = text.splitlines()[inner.end_lineno - 1]
            assert "  # " in line, f"{path}:{inner.lineno}: {line.strip()}"
