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
from typing import NamedTuple

_LIBRARIES = tuple({get_paths()[name] + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_FOLDERS = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_DISPATCH = "_ops.py", "_compile.py", "_dynamo", "_subclasses", str(Path("utils", "_python_dispatch.py"))
_RENAMED = {"run_backward": "backward"}
_OURS = str(Path(__file__).parents[1]) + os.sep


class Place(NamedTuple):
    """A line of a source file."""

    file: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"{short(self.file)}:{self.line}"


class Site(NamedTuple):
    """Where an operation was called: the user's line; the line of the library that it called, if another one."""

    place: Place
    library: Place | None
    call: str


def here() -> Site:
    """Where the running operation of PyTorch was called. `call` is the name of the called function, if it is known."""
    call, library, frame = "", None, _caller(sys._getframe(1))
    if frame is not None:
        call = _called(frame.f_code, frame.f_lasti)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith(("<", *_within())):
            if is_of_user(file):
                return Site(_place(frame), library and _place(library), call)
            library = library or frame
        frame = frame.f_back
    return Site(_place(library) if library else Place("?", 0, ""), None, call)


def is_of_user(file: str) -> bool:
    """Whether a source file belongs neither to a library nor to Python nor to symview."""
    return not file.startswith(("<", *_within(), *_LIBRARIES)) and not any(name in file for name in _FOLDERS)


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
    while frame is not None and frame.f_code.co_filename.startswith(_within()):
        if frame.f_code.co_filename.startswith(_OURS):
            found = frame.f_back
        frame = frame.f_back
    while found is not None and found.f_code.co_filename.startswith(_dispatch()):
        found = found.f_back
    return found


def _place(frame: FrameType) -> Place:
    file, line = frame.f_code.co_filename, frame.f_lineno
    return Place(file, line, linecache.getline(file, line).strip())


@lru_cache(4096)
def _called(code: CodeType, instruction: int) -> str:
    """The name of the function that a line calls at an instruction; empty if it calls none by name."""
    span = next(islice(code.co_positions(), instruction // 2, None), None)
    if span is None or None in span:
        return ""
    first, last, start, end = span
    lines = [line.encode() for line in linecache.getlines(code.co_filename)[first - 1 : last]]  # type: ignore[operator]
    if not lines:
        return ""
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    try:
        node = ast.parse(b"(" + b"".join(lines) + b")", mode="eval").body
    except SyntaxError:
        return ""
    return _name(node)


def _name(node: ast.expr) -> str:
    """The name of a call, or of an operator."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return _RENAMED.get(name, "" if hasattr(builtins, name) else name.strip("_"))
        case ast.BinOp(op=ast.MatMult()):
            return "matmul"
    return ""


@cache
def _within() -> tuple[str, str]:
    """The folders of PyTorch and of symview."""
    spec = find_spec("torch")
    return _OURS, str(Path(spec.origin).parent) + os.sep if spec and spec.origin else _OURS


@cache
def _dispatch() -> tuple[str, ...]:
    """The sources of PyTorch that hand operations to others."""
    return tuple(_within()[1] + name for name in _DISPATCH)
