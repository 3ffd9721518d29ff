"""Where in a program an operation of PyTorch was called: the user's line, the library's line, the name of the call."""

from __future__ import annotations

import ast
import builtins
import linecache
import os
import sys
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from sysconfig import get_paths
from types import CodeType, FrameType
from typing import Any, Literal, NamedTuple

_LIBRARIES = tuple({get_paths()[name] + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_FOLDERS = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_DISPATCH = "_ops.py", "_compile.py", "_dynamo", "_subclasses", str(Path("utils", "_python_dispatch.py"))
_RENAMED = {"run_backward": "backward"}
_OURS = str(Path(__file__).parents[1]) + os.sep


class Place(NamedTuple):
    """A line of a source file."""

    file: str
    line: int

    @property
    def code(self) -> str:
        """The text of the line."""
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        return f"{short(self.file)}:{self.line}"

    def to_dict(self) -> dict[str, Any]:
        """The line for JSON."""
        return {"file": self.file, "line": self.line, "code": self.code}


class Site(NamedTuple):
    """Where an operation was called: the user's line; the line of the library that it called, if another one.

    `call`: the name of the called function, empty if it is not known.
    """

    place: Place
    library: Place | None
    call: str


def here() -> Site:
    """Where the running operation of PyTorch was called; the user's line is the innermost one."""
    frame = _caller(sys._getframe(1))
    call, library = _called(frame.f_code, frame.f_lasti) if frame else "", None
    while frame is not None:
        kind = _kind(frame.f_code.co_filename)
        if kind == "user":
            return Site(Place(frame.f_code.co_filename, frame.f_lineno), library, call)
        if kind == "library" and library is None:
            library = Place(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return Site(library or Place("?", 0), None, call)


def is_of_user(file: str) -> bool:
    """Whether a source file belongs neither to a library nor to Python nor to symview."""
    return _kind(file) == "user"


def is_program(file: str) -> bool:
    """Whether a source file is the user's or of a library, but not of PyTorch or symview."""
    return _kind(file) in ("user", "library")


@cache
def _kind(file: str) -> Literal["ours", "dispatch", "torch", "library", "user"]:
    """Whose source a file is; what has no file counts as PyTorch's."""
    ours, torch = _within()
    if file.startswith(ours):
        return "ours"
    if file.startswith(tuple(torch + name for name in _DISPATCH)):
        return "dispatch"
    if file.startswith(("<", torch)):
        return "torch"
    return "library" if file.startswith(_LIBRARIES) or any(name in file for name in _FOLDERS) else "user"


def short(file: str) -> str:
    """A path without the working directory, or without the folder of installed packages."""
    path = Path(file)
    if path.is_relative_to(Path.cwd()):
        return str(path.relative_to(Path.cwd()))
    for folder in _FOLDERS:
        file = file.rpartition(folder)[2]
    return file


def _caller(frame: FrameType | None) -> FrameType | None:
    """The frame that called the operation: beyond those of symview, and of PyTorch's dispatch to it."""
    found = frame
    while frame is not None and (kind := _kind(frame.f_code.co_filename)) not in ("library", "user"):
        if kind == "ours":
            found = frame.f_back
        frame = frame.f_back
    while found is not None and _kind(found.f_code.co_filename) == "dispatch":
        found = found.f_back
    return found


@lru_cache(4096)
def _called(code: CodeType, instruction: int) -> str:
    """The name of the function that a line calls at an instruction; empty if it calls none by name."""
    match called_expression(code, instruction):
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr="default")):  # as in aten.clone.default
            return name.strip("_")
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return _RENAMED.get(name, "" if hasattr(builtins, name) else name.strip("_"))
        case ast.BinOp(op=ast.MatMult()):
            return "matmul"
    return ""


def called_expression(code: CodeType, instruction: int) -> ast.expr | None:
    """The expression that is evaluated at an instruction; None if it has no source."""
    span = next(islice(code.co_positions(), instruction // 2, None), None)
    if span is None or None in span:
        return None
    first, last, start, end = span
    lines = [line.encode() for line in linecache.getlines(code.co_filename)[first - 1 : last]]  # type: ignore[operator]
    if not lines:
        return None
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    try:
        return ast.parse(b"(" + b"".join(lines) + b")", mode="eval").body
    except SyntaxError:
        return None


@cache
def _within() -> tuple[str, str]:
    """The folders of symview and of PyTorch."""
    spec = find_spec("torch")
    return _OURS, str(Path(spec.origin).parent) + os.sep if spec and spec.origin else _OURS
