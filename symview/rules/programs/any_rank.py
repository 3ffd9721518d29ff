"""Shapes that begin with `...`: the few ranks such that a rule that holds there holds at every rank.

Untouched dims have the same index terms on both sides. Dims that are all treated alike add a guard and a term each, in
names of their own. So the valid sets are products A_1×…×A_k×C and B_1×…×B_k×E, and k = 0 and k = 1 suffice. Dims that a
reshape merges with others, untouched or flipped, are one digit below their number of elements, since ravel is one to
one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from symview.errors import NotSupported
from symview.logic.terms import Term, names, num, substituted
from symview.rules.programs.entries import MORE
from symview.rules.programs.meaning import entries, terms_of
from symview.rules.programs.program import Program, Rule, Step


class Instance(NamedTuple):
    """A rule without `...`, with its assumptions and what its proof rests on.

    `dims`: the number of dims, all treated alike, in place of `...`; None if there is no `...`, or a reshape merges it.
    """

    rule: Rule
    assumed: Sequence[Term]
    rests_on: frozenset[str] = frozenset()
    dims: int | None = None


def instances(rule: Rule, assumed: Sequence[Term]) -> Iterator[Instance]:
    """Rules without `...` that together are equivalent to the rule."""
    parts = [part for side in (rule.left, rule.right) for part in side.parts()]
    if all(part.block is None for part in parts):
        yield Instance(rule, assumed)
        return
    merged = any(map(_merges, parts))
    for part in parts:
        _check(part, merged)
    note, own = frozenset({"any rank"}), _own_names(parts)
    for count in (1,) if merged else (0, 1):
        said = assumed if count else [a for a in assumed if not own.intersection(names(a))]
        at_rank = Rule(_with_dims(rule.left, count), _with_dims(rule.right, count))
        yield Instance(at_rank, said, note, None if merged else count)


def names_of(rule: Rule) -> tuple[str, ...]:
    """The names in a rule, also those that each dim of `...` has for itself."""
    parts = [part for side in (rule.left, rule.right) for part in side.parts()]
    own = sorted(_own_names(parts) - {MORE})
    return tuple(dict.fromkeys((*names(*entries(rule.left, rule.right), *rule.declared()), *own)))


def _with_dims(program: Program, count: int) -> Program:
    """The program with `count` (0 or 1) dims in place of `...`."""
    before = None if program.before is None else _with_dims(program.before, count)
    op, given, each = program.step
    more = () if program.block is None or count == 0 else (program.block,)
    block = program.chain()[0].block  # the size of its one dim is the number of elements
    sizes = (*more, *(t if block is None else substituted(t, {MORE: block}) for t in program.sizes))
    rank = len(sizes)
    had = count if program.before is not None and program.before.block is not None else 0
    match op:
        case "permute" | "flip":
            axes = tuple(a % rank if program.block is not None else a for a in given)
            given = (*(range(had) if op == "permute" or each else ()), *axes)
        case "shrink" | "pad" | "slice":
            end = num(0) if op == "pad" else program.block
            still = (num(0), end, num(1)) if op == "slice" else (num(0), end)
            given = (*(each or still,) * had, *given)
        case "expand" | "reshape":
            given = sizes
        case "concat":
            given = (_with_dims(given[0], count), given[1] % rank if program.block is not None else given[1])
    return Program(Step(op, given), before, sizes, None, program.declared)


def _merges(part: Program) -> bool:
    """Whether a reshape merges the block with other dims, or splits it off again."""
    return part.step.op == "reshape" and part.before is not None and (part.block is None) != (part.before.block is None)


def _check(part: Program, merged: bool) -> None:
    """Raises NotSupported for a step that does not treat all ranks alike."""
    op, given, each = part.step
    if merged and op not in ("tensor", "flip") and each is not None and op != "reshape":
        raise NotSupported(
            f"{part}: dims `...` that a reshape merges may be flipped, and nothing else: {op} changes them"
        )
    if op == "concat" and part.block is not None:
        for arm in (part.before, given[0]):
            for inner in arm.parts() if arm is not None else ():
                if inner.step.op not in ("tensor", "reshape") and inner.step.each is not None:
                    raise NotSupported(
                        f"{part}: in a concat, the dims `...` are left as they are; do {inner.step.op} after it"
                    )


def _own_names(parts: Sequence[Program]) -> set[str]:
    """The names that each further dim has for itself."""
    blocks = [p.block for p in parts if p.block is not None]
    blocks += [t for p in parts if isinstance(p.step.each, tuple) for t in p.step.each if isinstance(t, Term)]
    shared = {n for p in parts for n in names(*terms_of(p))} - {MORE}
    return set(names(*blocks)) - shared
