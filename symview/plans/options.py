"""The options of `plan`: names of dims, weights of copies, and demands on the strides of tensors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from symview.errors import InputError
from symview.logic.notation import term_text
from symview.logic.polynomial import poly_of, times
from symview.logic.terms import num
from symview.plans.answers import short
from symview.plans.forest import Result
from symview.plans.strides import Demand
from symview.rules.programs.notation import split_entries
from symview.views.recast import width_in_bytes

_TMA = 16  # alignment of the addresses of hardware tensor copies
_ALIGNED = re.compile(r"\s*([^=\s]+)\s*=\s*(\d+)\s*")
_ALIGN = "give multiples of elements by dim, such as 'S=8,H=16', or '16 bytes', or 'tma'"


@dataclass(frozen=True)
class Options:
    """The options of a question about programs. `align`: multiples by dim; `every`: of all dims but the unit one."""

    names: Any
    weights: Mapping[str, int]
    element_bytes: int | None
    unit: str | None
    align: Mapping[str, int]
    every: int
    tma: bool
    positive: bool
    layouts: int

    def weight(self, result: Result) -> Any:
        """The weight of a copy of a result; a polynomial if sizes have names."""
        for name in both_names(result):
            if name in self.weights:
                return self.weights[name]
        return reduce(times, map(poly_of, result.program.sizes), poly_of(num(self.element_bytes or 1)))

    def dims(self, result: Result) -> list[str]:
        """The names of the dims of a result: the tensor's `names`, those of its sizes, or their numbers."""
        sizes = result.program.sizes
        own = self.names
        if result.before is not None:
            own = None
        elif isinstance(own, Mapping):
            own = own.get(result.program.step.given[0])
        if own is not None:
            if not isinstance(own, Iterable):
                raise InputError(f"names {own!r}: give text, such as 'B,S', or a mapping from tensors to such text")
            listed = [str(x) for x in (split_entries(own) if isinstance(own, str) else own)]
            if len(listed) != len(sizes) or len(set(listed)) < len(listed):
                raise InputError(f"names {own!r}: give each of the {len(sizes)} dims of {result.program} its own")
            return listed
        texts = [term_text(t) if t.op == "sym" else str(d) for d, t in enumerate(sizes)]
        return texts if len(set(texts)) == len(texts) else list(map(str, range(len(sizes))))

    def demand(self, result: Result) -> Demand:
        """The demand on the strides of a result; strides of copies must only be positive."""
        if result.before is not None:
            return Demand(self.positive)
        dims = self.dims(result)
        unit = dims.index(self.unit) if self.unit in dims else len(dims) - 1 if self.tma and dims else None
        multiples = tuple([self.align.get(d, self.every) for d in dims])
        return Demand(self.positive, unit, multiples if set(multiples) - {1} else ())

    def check(self, results: Iterable[Result]) -> None:
        """Raises InputError for names of dims, tensors or results that there are not."""
        tensors = [r for r in results if r.before is None]
        own = [r.program.step.given[0] for r in tensors]
        strange = [n for n in self.names if n not in own] if isinstance(self.names, Mapping) else []
        if strange:
            raise InputError(f"names of {strange[0]!r}: the tensors are {', '.join(own)}")
        dims = {name for r in tensors for name in self.dims(r)}
        strange = sorted({*self.align, *([] if self.unit is None else [self.unit])} - dims)
        if strange:
            raise InputError(f"no dim {strange[0]!r}: the dims are {', '.join(sorted(dims))}")
        known = {name for r in results for name in both_names(r)}
        strange = [n for n in self.weights if n not in known]
        if strange:
            raise InputError(f"the weight of {strange[0]}: no program has such a result")


def options_of(
    names: Any,
    weights: Any,
    element_bytes: Any,
    unit: Any,
    align: Any,
    positive: Any,
    layouts: Any,
) -> Options:
    """The options as they are given; raises InputError for values that are none."""
    if weights is not None and not isinstance(weights, Mapping):
        raise InputError(f"weights={weights!r}: give weights by results, such as {{'q.reshape(24)': 96}}")
    for name, weight in (weights or {}).items():
        if type(weight) is not int or weight < 0:
            raise InputError(f"the weight {weight!r} of {name}: give an integer from 0 up")
    if element_bytes is not None and (type(element_bytes) is not int or element_bytes < 1):
        raise InputError(f"element_bytes={element_bytes!r}: give the bytes of an element, such as 2")
    if unit is not None and type(unit) not in (int, str):
        raise InputError(f"unit={unit!r}: give the name of a dim, or its number")
    if type(positive) is not bool:
        raise InputError(f"positive={positive!r}: give True, or False for strides of any sign")
    if type(layouts) is not int or layouts < 1:
        raise InputError(f"layouts={layouts!r}: give how many layouts a tensor may have, from 1 up")
    own, every = _multiples(align, element_bytes)
    unit = None if unit is None else str(unit)
    return Options(names, weights or {}, element_bytes, unit, own, every, _is_tma(align), positive, layouts)


def _is_tma(align: Any) -> bool:
    return isinstance(align, str) and align.strip().lower() == "tma"


def _multiples(align: Any, element_bytes: int | None) -> tuple[dict[str, int], int]:
    """The multiples by dim, from a mapping, or text such as S=8,H=16; and that of all dims but the unit one."""
    if align is None:
        return {}, 1
    if isinstance(align, str) and (_is_tma(align) or not align.strip().isdecimal()):
        bytes = _TMA if _is_tma(align) else width_in_bytes(align.strip())
        if bytes is not None:
            if element_bytes is None or bytes % element_bytes:
                raise InputError(f"align={align!r}: give the bytes of an element too (--bytes), a divisor of {bytes}")
            return {}, bytes // element_bytes
    pairs = list(align.items()) if isinstance(align, Mapping) else []
    if isinstance(align, str):
        found = [_ALIGNED.fullmatch(part) for part in align.split(",")]
        pairs = [(pair[1], int(pair[2])) for pair in found if pair]
        if len(pairs) < len(found):
            raise InputError(f"align={align!r}: {_ALIGN}")
        if len(dict(pairs)) < len(pairs):
            raise InputError(f"align={align!r}: give each dim one multiple")
    elif not isinstance(align, Mapping):
        raise InputError(f"align={align!r}: of which dims? {_ALIGN}")
    for name, multiple in pairs:
        if type(multiple) is not int or multiple < 1:
            raise InputError(f"align: the stride of {name} as a multiple of {multiple!r}: give an integer from 1 up")
    return {str(name): multiple for name, multiple in pairs}, 1


def both_names(result: Result) -> tuple[str, str]:
    """The names of a result, with the shape of its tensor and without."""
    name = str(result.program)
    return name, short(name)
