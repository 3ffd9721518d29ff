"""tinygrad's groups of operations, rules of several operations as one rule for each, and patterns with a name."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from pathlib import Path

Pair = tuple[ast.expr, ast.expr]


class Groups:
    """The sets of operations that `class GroupOp` has names for; of sets, those that are known are kept."""

    def __init__(self, known: Collection[str]) -> None:
        self.known, self.named = known, dict[str, list[str]]()

    @staticmethod
    def of(checkout: Path, known: Collection[str]) -> Groups:
        """The groups of a checkout; none if it has no such class."""
        found = Groups(known)
        for path in sorted(checkout.rglob("uop/*.py")):
            for group in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(group, ast.ClassDef) and group.name == "GroupOp":
                    found.add([x for x in group.body if isinstance(x, ast.Assign)])
        return found

    def add(self, lines: Sequence[ast.Assign]) -> None:
        """Reads the sets in order."""
        for line in lines:
            if isinstance(line.targets[0], ast.Name) and (ops := self.every(line.value)) is not None:
                self.named[line.targets[0].id] = ops

    def read(self, node: ast.expr) -> list[str] | None:
        """The known operations of a set; None if it is no set."""
        every = self.every(node)
        return None if every is None else [op for op in every if op in self.known]

    def every(self, node: ast.expr) -> list[str] | None:
        """All operations of a set, in order."""
        match node:
            case ast.Set(elts=elts) | ast.Tuple(elts=elts):
                names = [x.attr for x in elts if isinstance(x, ast.Attribute)]
                return names if len(names) == len(elts) else None
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="GroupOp"), attr=name) if name in self.named:
                return self.named[name]
            case ast.BinOp(left=left, op=ast.BitOr() | ast.Sub() as op, right=right):
                one, other = self.every(left), self.every(right)
                if one is None or other is None:
                    return None
                joined = [*one, *other] if isinstance(op, ast.BitOr) else [x for x in one if x not in other]
                return list(dict.fromkeys(joined))
            case ast.Call(func=ast.Attribute(attr="union"), args=args):
                sets = list(map(self.every, args))
                return None if None in sets else list(dict.fromkeys(x for each in sets for x in each or ()))
        return None


def with_patterns(tree: ast.Module) -> ast.Module:
    """The module with the patterns that have a name of their own in place of that name."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(name := statement.targets[0], ast.Name):
            made = statement.value
            if isinstance(made, ast.Call) and ast.unparse(made).startswith("UPat"):
                for later in tree.body[tree.body.index(statement) + 1 :]:
                    _Put(name.id, made).visit(later)
    return tree


def of_one_operation(pair: ast.Tuple, loop: ast.comprehension | None, groups: Groups) -> dict[str, Pair]:
    """The rule with each operation of the set in its pattern, or of the loop around it; as it is, if there is none."""
    if loop is not None and isinstance(loop.target, ast.Name) and (ops := groups.read(loop.iter)):
        return {op: _with(pair, loop.target.id, op) for op in ops}
    for call in _operations(pair.elts[0]):
        if ops := groups.read(call.args[0]):
            kept, found = call.args[0], dict[str, Pair]()
            for op in ops:
                call.args[0] = _named(op)
                found[op] = _with(pair, "", op)
            call.args[0] = kept
            return found
    return {"": (pair.elts[0], pair.elts[1])}


def _operations(pattern: ast.expr) -> Iterator[ast.Call]:
    calls = [n for n in ast.walk(pattern) if isinstance(n, ast.Call) and n.args]
    return (n for n in calls if isinstance(n.func, ast.Name) and n.func.id == "UPat")


def _named(op: str) -> ast.expr:
    return ast.Attribute(ast.Name("Ops"), op)


def _with(pair: ast.Tuple, variable: str, op: str) -> Pair:
    """A copy of the rule in which a variable is an operation."""
    copied = _Put(variable, _named(op)).visit(deepcopy(pair))
    return copied.elts[0], copied.elts[1]


class _Put(ast.NodeTransformer):
    """Puts an expression in place of a name that is read; a lambda's own names stay."""

    def __init__(self, variable: str, made: ast.expr) -> None:
        self.variable, self.made = variable, made

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return deepcopy(self.made) if node.id == self.variable and isinstance(node.ctx, ast.Load) else node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        if self.variable not in [a.arg for a in node.args.args]:
            node.body = self.visit(node.body)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node
