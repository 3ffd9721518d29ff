"""Takes the changes that a report advises in copies of the modules, runs the script again, and compares.

With a JSON object on its standard input, `python -m symview.torch.trying` is one of these runs.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from symview.torch.copy_report import CopyReport
from symview.torch.copying import copies
from symview.torch.linting import as_script
from symview.torch.view_texts import copied_bytes


def tried(script: str, arguments: Sequence[str], report: CopyReport) -> Iterator[str]:
    """What becomes of each advised change: one at a time, in a process of its own; the files stay as they are."""
    places = dict.fromkeys(c.library or c.place for c in report.copies if ".contiguous()" in c.instead)
    before = _run(script, arguments, "", "") if places else {}
    for place in places:
        changed = without_contiguous(Path(place.file).read_text(), place.line)
        if changed is None:
            yield f"{place}: no .contiguous() ends in this line: nothing was tried"
            continue
        source, change = changed
        yield f"{place} {change}: {_compared(before, _run(script, arguments, place.file, source))}"


def without_contiguous(source: str, line: int) -> tuple[str, str] | None:
    """The source without a `.contiguous()` that ends in a line, and the change; None if there is none.

    >>> without_contiguous("y = x.t().contiguous().view(6)", 1)
    ('y = x.t().reshape(6)', 'with .reshape instead of .contiguous().view')
    >>> without_contiguous("y = x.t().contiguous()", 1)
    ('y = x.t()', 'without .contiguous()')
    """
    calls: dict[str, list[tuple[ast.expr, ast.expr]]] = {"view": [], "contiguous": []}
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr="view", value=inner) as func) if _is_contiguous(inner):
                calls["view"].append((inner, func))
            case ast.Call() if _is_contiguous(node):
                calls["contiguous"].append((node, node))
    for name, end in (("view", ".reshape"), ("contiguous", "")):
        for call, last in calls[name]:
            if call.end_lineno == line and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                change = "with .reshape instead of .contiguous().view" if end else "without .contiguous()"
                return _replaced(source, call.func, last, end), change
    return None


def _is_contiguous(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="contiguous"), args=[], keywords=[]):
            return True
    return False


def _replaced(source: str, first: ast.Attribute, last: ast.expr, text: str) -> str:
    """The source with a text in place of everything from the dot of an attribute to the end of an expression."""
    lines = source.encode().splitlines(keepends=True)
    name, end = (sum(map(len, lines[: (e.end_lineno or 1) - 1])) + (e.end_col_offset or 0) for e in (first, last))
    whole = b"".join(lines)
    return (whole[: whole.rindex(b".", 0, name)] + text.encode() + whole[end:]).decode()


def _run(script: str, arguments: Sequence[str], file: str, source: str) -> dict[str, Any]:
    """The copies and the tensors of a run in which a file has another source."""
    given = {"script": script, "arguments": list(arguments), "file": file, "source": source}
    command = [sys.executable, "-m", "symview.torch.trying"]
    done = subprocess.run(command, input=json.dumps(given), stdout=subprocess.PIPE, text=True, check=False)
    return dict(json.loads(done.stdout or '{"stopped": "no answer"}'))


def _compared(before: dict[str, Any], after: dict[str, Any]) -> str:
    for run in (before, after):
        if run["stopped"]:
            return f"the script stops: {run['stopped']}"
    numbers = f"{before['copies']} copies -> {after['copies']}, " + " -> ".join(
        copied_bytes(run["bytes"]) for run in (before, after)
    )
    different = [name for name, found in before["tensors"].items() if after["tensors"].get(name) != found]
    if not before["tensors"]:
        return f"{numbers}; the script leaves no tensors to compare"
    return f"{numbers}; " + (f"other values of {', '.join(different)}" if different else "outputs bitwise equal")


def _main() -> None:
    """One run: prints its copies and the hashes of the tensors that the script leaves in its variables."""
    import torch  # slow to load

    given, stdout = json.load(sys.stdin), sys.stdout
    script, file = given["script"], given["file"]
    if file:
        _serve(file, given["source"])
    own = os.path.abspath(script) == os.path.abspath(file)
    code = compile(given["source"] if own else Path(script).read_text(), script, "exec")
    module, stopped = ModuleType("__main__"), ""
    module.__file__ = script
    torch.manual_seed(0)
    with redirect_stdout(sys.stderr), as_script(script, given["arguments"]), copies() as report:
        sys.modules["__main__"] = module
        try:
            exec(code, vars(module))
        except SystemExit as end:
            stopped = f"exit code {end.code}" if end.code else ""
        except BaseException as error:
            stopped = f"{type(error).__name__}: {error}".splitlines()[0]
    found = {name: hashes for name, value in vars(module).items() if (hashes := _hashes(value))}
    answer = {"copies": len(report), "bytes": report.bytes, "tensors": found, "stopped": stopped}
    print(json.dumps(answer), file=stdout)


def _serve(file: str, source: str) -> None:
    """Lets imports find another source in place of a file's."""
    read, stats = SourceFileLoader.get_data, SourceFileLoader.path_stats

    def get_data(self: Any, path: str) -> bytes:
        return source.encode() if path == file else read(self, path)

    def path_stats(self: Any, path: str) -> Any:
        if path == file:
            raise OSError("no compiled file is that of this source")
        return stats(self, path)

    SourceFileLoader.get_data = get_data  # type: ignore[method-assign]
    SourceFileLoader.path_stats = path_stats  # type: ignore[method-assign]


def _hashes(value: Any) -> list[str]:
    """Of the tensors in a value, their sizes, types and bytes."""
    import torch  # slow to load
    from torch.utils._pytree import tree_leaves  # slow to load

    leaves = tree_leaves(dict(value) if isinstance(value, dict) else value)
    found = []
    for x in leaves:
        if isinstance(x, torch.Tensor) and x.layout is torch.strided:
            plain = x.detach().resolve_conj().resolve_neg().cpu().contiguous().view(-1).view(torch.uint8)
            found.append(sha256(repr((x.shape, x.dtype)).encode() + plain.numpy().tobytes()).hexdigest())
    return found


if __name__ == "__main__":
    _main()
