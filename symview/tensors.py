"""Arrays and tensors of other libraries as views.

No such library is imported here: an object of one exists only where its library was imported before.
"""

from __future__ import annotations

import sys
from typing import Any

from symview.errors import InputError
from symview.logic.sympy_bridge import Integer
from symview.view import View


def view_of(x: Any) -> View:
    """The layout of an array or a tensor: sizes, strides and offset in elements; see `View.of`.

    >>> str(view_of(memoryview(bytes(6)).cast("B", (2, 3))))
    '(2,3):(3,1)'
    """
    if _comes_from(x, "torch", "Tensor"):
        return _of_tensor(x)
    if _comes_from(x, "numpy", "ndarray"):
        owner = x  # the last array in the chain of bases: the memory of x is its memory
        while hasattr(below := getattr(owner, "base", None), "__array_interface__"):
            owner = below
        return _in_elements(x.shape, x.strides, _start(x) - _start(owner), x.itemsize)
    interface = getattr(x, "__array_interface__", None)
    if isinstance(interface, dict):
        kind = interface["typestr"]  # as in <f8, <U3: how many bytes an element has, of text how many letters
        item = int(kind[2:]) * (4 if kind[1] == "U" else 1)
        return _in_elements(interface["shape"], interface.get("strides"), 0, item)
    return _of_buffer(x)


def as_entry(value: Any) -> Any:
    """A size, stride or offset as symview has it: PyTorch's SymInt becomes a sympy expression or an int.

    >>> as_entry(3)
    3
    """
    node = getattr(value, "node", None)
    if node is None:
        return value
    if (number := node.maybe_as_int()) is not None:
        return number
    expression = getattr(node, "expr", None)
    if expression is None:
        raise InputError(f"{value} is no integer expression: the ragged size of a nested tensor is no size of a view")
    return plain(expression)


def environment(*values: Any) -> Any:
    """The ShapeEnv of the SymInts among these tensors and integers; None without any."""
    for value in values:
        node = getattr(value, "node", None)
        found = getattr(node, "shape_env", None)
        if found is None and _comes_from(value, "torch", "Tensor"):
            found = environment(*value.shape, *value.stride(), value.storage_offset())
        if found is not None:
            return found
    return None


def plain(expression: Any) -> Any:
    """A sympy expression or relation without PyTorch's own functions; symbols stay as they are.

    Claim: equal at all integers for which PyTorch defines them. Of what has no counterpart the
    function stays, and whoever reads the expression says so.

    >>> import sympy
    >>> n = sympy.Symbol("n", integer=True)
    >>> class FloorDiv(sympy.Function): pass  # as PyTorch names it
    >>> plain(FloorDiv(n + 1, 2) - 1)
    floor(n/2 + 1/2) - 1
    """
    if not expression.args:
        return expression
    args = [plain(a) for a in expression.args]
    build = _builders().get(type(expression).__name__, expression.func)
    return build(*args)


def _builders() -> dict[str, Any]:
    """What builds the counterpart of each of PyTorch's functions, by name."""
    import sympy

    def floordiv(a: Any, b: Any) -> Any:
        return sympy.floor(a / b)

    return {
        "FloorDiv": floordiv, "CleanDiv": floordiv, "CeilDiv": lambda a, b: -floordiv(-a, b),
        "Mod": sympy.Mod, "PythonMod": sympy.Mod, "ModularIndexing": lambda a, b, c: sympy.Mod(floordiv(a, b), c),
        "Min": sympy.Min, "Max": sympy.Max, "PowByNatural": sympy.Pow, "Identity": lambda a: a,
    }  # fmt: skip


def _comes_from(x: Any, library: str, name: str) -> bool:
    """Whether x is an instance of that class, known without importing its library."""
    return isinstance(x, getattr(sys.modules.get(library), name, ()))


def _of_tensor(x: Any) -> View:
    """The view of its storage that a strided tensor of PyTorch is."""
    if x.is_nested or x.is_quantized or str(x.layout) != "torch.strided":
        kind = "nested" if x.is_nested else "quantized" if x.is_quantized else str(x.layout).removeprefix("torch.")
        raise InputError(f"View.of a {kind} tensor: only a strided tensor is a view of its storage")
    shape, strides = [as_entry(n) for n in x.shape], [as_entry(t) for t in x.stride()]
    return View(shape, strides, as_entry(x.storage_offset()))


def _of_buffer(x: Any) -> View:
    """The view of an object with a buffer, which begins at offset 0."""
    try:
        buffer = memoryview(x)
    except TypeError:
        raise InputError(
            f"View.of({type(x).__name__}): give a numpy array, a PyTorch tensor or a buffer; "
            "for sizes and strides of your own there is View(shape, strides, offset)"
        ) from None
    if buffer.suboffsets:
        raise InputError("View.of a buffer with suboffsets: its elements do not lie in one memory")
    return _in_elements(buffer.shape, buffer.strides, 0, buffer.itemsize)


def _in_elements(shape: Any, strides: Any, start: int, item: int) -> View:
    """The view of these strides and this start in bytes; strides None for contiguous."""
    steps = None if strides is None else [_divided(t, item, f"stride {n}") for n, t in enumerate(strides)]
    return View(shape, steps, _divided(start, item, "the offset"))


def _divided(distance: int, item: int, what: str) -> Integer:
    """A distance in bytes as a number of elements of so many bytes."""
    if item == 0 or distance % item:
        raise InputError(
            f"View.of: {what} is {distance} bytes, no whole number of elements of {item} bytes: take a view of bytes"
        )
    return distance // item


def _start(x: Any) -> int:
    """Where the first element lies, in bytes."""
    return int(x.__array_interface__["data"][0])
