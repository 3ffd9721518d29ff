"""`View.of` on numpy arrays and buffers: the address of an index is the element's place in the memory."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from array import array
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
import sympy
from satellites import needs, there

from symview import InputError, SymbolError, View
from symview.logic.sympy_bridge import to_term, to_text
from symview.logic.terms import as_entry, value_of

if there("torch"):
    from symview.torch import guard_at, view_guard

n, m = sympy.symbols("n m", integer=True, positive=True)


def sliced(rng: Random, x: np.ndarray) -> np.ndarray:
    """A slice of every axis, of any step."""
    return x[tuple(slice(rng.choice((None, 0, 1)), None, rng.choice((1, 2, 3, -1, -2))) for _ in x.shape)]


def permuted(rng: Random, x: np.ndarray) -> np.ndarray:
    return x.transpose(rng.sample(range(x.ndim), x.ndim))


def repeated(rng: Random, x: np.ndarray) -> np.ndarray:
    return np.broadcast_to(x, (rng.randint(1, 3), *x.shape))


def windowed(rng: Random, x: np.ndarray) -> np.ndarray:
    if x.ndim == 0 or x.shape[0] < 2:
        return x
    return np.lib.stride_tricks.sliding_window_view(x, 2, 0)


def retyped(rng: Random, x: np.ndarray) -> np.ndarray:
    """The same memory as elements of another width, where numpy allows it."""
    return x.view(rng.choice(("i2", "i4", "i8"))) if x.ndim and x.flags.c_contiguous and x.shape[-1] % 4 == 0 else x


MOVES = (sliced, permuted, repeated, windowed, retyped, lambda rng, x: x[None], lambda rng, x: x.T)


def random_array(rng: Random) -> np.ndarray:
    """A view of an owner whose bytes are all over the place, so that no two elements are alike by accident."""
    shape = tuple(rng.choice((1, 2, 3, 4, 8)) for _ in range(rng.randint(0, 3)))
    x = np.frombuffer(rng.randbytes(8 * math.prod(shape)), dtype="i8").reshape(shape).copy()
    for _ in range(rng.randint(0, 4)):
        x = rng.choice(MOVES)(rng, x) if x.ndim < 5 else x
    return x


def memory_of(x: np.ndarray) -> np.ndarray:
    """All elements of the owner's memory, in the type of x."""
    owner = x
    while owner.base is not None:
        owner = owner.base
    return np.frombuffer(owner.tobytes(), dtype=x.dtype)


def test_the_address_is_the_place_in_the_memory(turns) -> None:
    rng, seen = Random("arrays"), set()
    for _turn in turns(600):
        x = random_array(rng)
        view, memory = View.of(x), memory_of(x)
        assert view.shape == x.shape
        assert view.strides == tuple(t // x.itemsize for t in x.strides)
        assert all(type(entry) is int for entry in view.entries())
        for index in itertools.islice(np.ndindex(*x.shape), 200):
            assert memory[view.at(index)] == x[index]
        seen |= {("negative", any(t < 0 for t in view.strides)), ("repeated", 0 in view.strides)}
        seen |= {("offset", view.offset > 0), ("width", x.itemsize), ("rank", x.ndim), ("void", 0 in x.shape)}
    assert {("negative", True), ("repeated", True), ("offset", True), ("width", 2), ("rank", 0)} <= seen


def test_the_offset_counts_from_the_owner_of_the_memory() -> None:
    x = np.arange(24).reshape(4, 6)
    assert View.of(x[1:][1:]) == View((2, 6), (6, 1), 12)
    assert View.of(x.T[2:, ::-1]) == View((4, 4), (1, -6), 20)
    assert View.of(x[1:].copy()) == View((3, 6))
    assert View.of(np.lib.stride_tricks.as_strided(x[1:], (2, 2), (8, 0))) == View((2, 2), (1, 0), 6)
    assert View.of(np.frombuffer(bytes(16), dtype="i4", offset=8)) == View((2,))


def test_a_field_of_records_has_strides_where_they_divide() -> None:
    even = np.zeros((2, 3), dtype=[("x", "f4"), ("y", "f4")])
    assert View.of(even["y"]) == View((2, 3), (6, 2), 1)
    odd = np.zeros(3, dtype=[("x", "f4"), ("y", "i1")])
    assert View.of(odd["y"]) == View((3,), (5,), 4)
    with pytest.raises(InputError, match=r"stride 0 is 5 bytes.* 4 bytes"):
        View.of(odd["x"])
    with pytest.raises(InputError, match="the offset is 1 bytes"):
        View.of(np.zeros(9, "i1")[1:].view("i8"))
    with pytest.raises(InputError, match="0 bytes"):
        View.of(np.empty(3, "V0"))


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (b"abc", "(3):(1)"),
        (memoryview(bytes(24)).cast("i", (2, 3)), "(2,3):(3,1)"),
        (memoryview(bytes(9))[::-2], "(5):(-2)"),
        (memoryview(bytes(8)).cast("d", ()), "():()"),
        (array("d", [1, 2]), "(2):(1)"),
        (np.float32(1), "():()"),
        (np.datetime64("2020"), "():()"),
        (np.array(["abc", "d"]), "(2):(1)"),
        (SimpleNamespace(__array_interface__={"shape": (2, 3), "typestr": "<f8"}), "(2,3):(3,1)"),
        (SimpleNamespace(__array_interface__={"shape": (2,), "typestr": "<U3", "strides": (-24,)}), "(2):(-2)"),
    ],
    ids=lambda x: x if isinstance(x, str) else type(x).__name__,
)
def test_other_memory(x, expected) -> None:
    assert str(View.of(x)) == expected


@pytest.mark.parametrize("given", [{"shape": (2,)}, {"typestr": "<f8"}, {"shape": 2, "typestr": "|O"}])
def test_an_interface_that_says_too_little_is_refused(given) -> None:
    with pytest.raises(InputError, match="lacks"):
        View.of(SimpleNamespace(__array_interface__=given))


@pytest.mark.parametrize("x", [[1, 2], (3,), 5, "text", None, np.ndarray, {}, View((2,))], ids=repr)
def test_what_has_no_strides_is_refused(x) -> None:
    with pytest.raises(InputError, match=r"give a numpy array, a PyTorch tensor or a buffer"):
        View.of(x)


def test_a_buffer_loads_nothing() -> None:
    program = "import sys; from symview import View; View.of(b''); print({'numpy', 'torch', 'sympy'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def symint(expression: object, number: int | None = None) -> SimpleNamespace:
    """What symview reads of a PyTorch SymInt."""
    return SimpleNamespace(node=SimpleNamespace(expr=expression, maybe_as_int=lambda: number))


def peer(name: str) -> type[sympy.Function]:
    """A function of PyTorch's, which does not evaluate."""
    return type(name, (sympy.Function,), {"is_integer": True, "__module__": "torch.utils._sympy.functions"})


def test_symbolic_entries_are_the_expressions_of_the_library() -> None:
    assert as_entry(symint(sympy.Integer(7), 7)) == 7
    assert as_entry(symint(2 * n + 1)) == 2 * n + 1
    view = View([as_entry(symint(peer("FloorDiv")(n, 2))), as_entry(symint(m))], (m, 1))
    assert str(view) == "(n//2,m):(m,1)"
    with pytest.raises(SymbolError, match="Whatever"):
        View([as_entry(symint(peer("Whatever")(n)))])
    with pytest.raises(InputError, match="ragged"):
        as_entry(SimpleNamespace(node=SimpleNamespace(maybe_as_int=lambda: None)))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("FloorDiv", lambda a, b: a // b),
        ("CleanDiv", lambda a, b: a // b),
        ("CeilDiv", lambda a, b: -(-a // b)),
        ("PythonMod", lambda a, b: a % b),
        ("Mod", lambda a, b: a % b),
        ("Min", min),
        ("Max", max),
        ("LShift", lambda a, b: a << b),
        ("RShift", lambda a, b: a >> b),
    ],
)
def test_functions_of_two_arguments_mean_the_same(name, meant) -> None:
    read = to_term(peer(name)(n, m) + 2)
    for a, b in itertools.product(range(1, 9), repeat=2):
        assert value_of(read, {"n": a, "m": b}) == meant(a, b) + 2


def test_modular_indexing_and_relations() -> None:
    read = to_term(sympy.Eq(peer("ModularIndexing")(n, 2, 3), peer("Identity")(m)))
    assert to_text(read) == "n//2 % 3 == m"
    assert to_text(to_term(peer("Where")(n > 2, n, m))) == "n if n > 2 else m"
    with pytest.raises(SymbolError, match="FloorDiv is outside the notation"):
        to_term(type("FloorDiv", (sympy.Function,), {})(n, m))  # of another library, it may mean anything


def fake_symint(symbol: sympy.Symbol, env: SimpleNamespace) -> SimpleNamespace:
    return SimpleNamespace(node=SimpleNamespace(expr=symbol, maybe_as_int=lambda: None, shape_env=env))


@needs("torch")
@pytest.mark.parametrize("hints", ["backed_var_to_val", "var_to_val"])
def test_ranges_and_hints_of_a_shape_env(hints) -> None:
    bounds = SimpleNamespace(lower=sympy.Integer(0), upper=sympy.oo)
    env = SimpleNamespace(var_to_range={m: bounds}, **{hints: {n: sympy.Integer(2), m: sympy.Integer(3)}})
    sizes = [fake_symint(s, env) for s in (n, m)]
    answer = view_guard(np.zeros(6), sizes)
    assert str(answer) in ("view (n,m):(m,1) where n*m == 6", "view (n,m):(m,1) where m*n == 6")
    assert "m >= 0" in [to_text(t) for t in answer.conditions.assumed]


@needs("torch")
def test_a_guard_at_values() -> None:
    view, new = View.parse("(a,b):(t0,t1)"), View.parse("(c)").shape
    legal = "a*b == c and (a == 1 or b == 1 or t0 == b*t1)"
    here = {"a": 2, "b": 3, "c": 6, "t0": 7, "t1": 1}
    found = guard_at(view, new, here)
    assert found.guard == "a*b == c and a != 1 and b != 1 and t0 != b*t1"
    assert str(found.counterexample) in str(found)
    assert guard_at(view, new, here | {"t0": 3}).guard == legal
    assert str(guard_at(view, (-1, 2), {})).endswith(", else copy where a*b % 2 == 0")
    with pytest.raises(InputError, match="6 elements and 5"):
        guard_at(view, new, here | {"c": 5})


@needs("torch")
def test_a_guard_says_where_the_strides_are_these() -> None:
    view, new = View.parse("(a,b):(t0,t1)"), View.parse("(b,a)").shape
    swapped = guard_at(view, new, {"a": 3, "b": 2, "t0": 8, "t1": 4}, ["a >= 2", "b >= 2"])
    assert (swapped.guard, str(swapped.view)) == ("a == b or t0 == b*t1", "(b,a):(a*t1,t1)")
    assert swapped.strides_guard == "a != b"
    same = guard_at(view, new, {"a": 2, "b": 2, "t0": 5, "t1": 4}, ["a >= 2", "b >= 2"])
    assert (str(same.view), same.strides_guard) == ("(b,a):(t0,t1)", "a == b")
    assert guard_at(view, new, {}).view is None


@needs("torch")
def test_guards_of_numbers() -> None:
    x = np.zeros((4, 6))
    assert str(view_guard(x[::2], (2, 2, 3))) == "view (2,2,3):(12,3,1)"
    assert (
        str(view_guard(x.T, (-1,)))
        == "copy: at index (4) the element is at address 1; constant strides would put it at 24"
    )
    never = guard_at(View.parse("(u,20,4):(80,1,20)"), (sympy.Symbol("u", integer=True), 80), {})
    assert (never.outcome, never.guard, never.view, str(never)) == ("copy", "True", None, "copy")
    assert view_guard(x, np.array([2, 12])).outcome == "view"
    assert view_guard(x, "(2,-1)").view == View((2, 12))
    for wrong in (24, "24", (2.0, 12), None):
        with pytest.raises(InputError, match=r"neither a sequence of integers|give an integer|write \(24\)"):
            view_guard(x, wrong)
