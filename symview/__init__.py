"""symview: exact reasoning about strided tensor views. Importing it loads no other module of the package."""

from __future__ import annotations

from os import environ

TYPE_CHECKING = False  # as in `typing`, which takes long to load
if TYPE_CHECKING:
    from typing import Any

    from symview.answers import Exact, Sound, Status, TooStrong, TooWeak
    from symview.cases.case import Case, Witness
    from symview.cases.conditions import Conditions
    from symview.cases.examples import Example
    from symview.cases.joint import joint_conditions
    from symview.cases.least_guards import LeastGuards, least_guards
    from symview.counterexample import Counterexample, Kind
    from symview.engine.radix import ravel, unravel
    from symview.errors import (
        InputError,
        NotationError,
        NotAView,
        NotSupported,
        OutOfBounds,
        SymbolError,
        SymviewError,
        Undecided,
    )  # fmt: skip
    from symview.logic.budget import Budget
    from symview.logic.terms import floor_sum
    from symview.pictures.drawing import draw, draw_conditions, draw_overflows
    from symview.plans.answers import Conflict, Plan
    from symview.plans.plan import plan
    from symview.proof.verdicts import Proved, Refuted, Unknown
    from symview.rules.index_expressions import AxisInfo, Bounds, axis_info, bijective, bounds, injective
    from symview.rules.index_maps import OneToOne, index_map
    from symview.rules.premises.premise import Premise
    from symview.rules.premises.weakest import weakest
    from symview.rules.programs.program import Program, Rule, tensor
    from symview.rules.prove import prove
    from symview.rules.simplify import SimplifiedIndex, simplify_index
    from symview.show.overflow_table import OverflowTable
    from symview.view import View, compose_at
    from symview.views.certified import certificate
    from symview.views.chains import equivalent
    from symview.views.conditions import conditions
    from symview.views.density import contiguous_conditions, dense_conditions, injective_conditions
    from symview.views.fewer_views import Simplified, simplify
    from symview.views.free_strides import CanonicalStrides, canonical_strides
    from symview.views.merging import merge
    from symview.views.overflow_table import overflows
    from symview.views.overlap import Overlap, overlap, overlap_conditions
    from symview.views.placement_conditions import placement_conditions
    from symview.views.placements import NoPlacement, placements_after
    from symview.views.recast import recast, recast_conditions
    from symview.views.reshaping import max_merge_view, reshape, reshape_conditions, why_not
    from symview.views.shards import shard_conditions
    from symview.views.span import Span, span, span_conditions
    from symview.views.stride_faults import is_contiguous, is_dense, is_injective, order_of

    __all__ = [  # for type checkers; at run time, `__getattr__` leaves out what missing satellites provide
        "AxisInfo", "Bounds", "Budget", "CanonicalStrides", "Case", "Conditions", "Conflict", "Counterexample", "Exact",
        "Example", "InputError", "Kind", "LeastGuards", "NoPlacement", "NotAView", "NotSupported", "NotationError",
        "OneToOne", "OutOfBounds", "OverflowTable", "Overlap", "Plan", "Premise", "Program", "Proved", "Refuted",
        "Rule", "Simplified", "SimplifiedIndex", "Sound", "Span", "Status", "SymbolError", "SymviewError", "TooStrong",
        "TooWeak", "Undecided", "Unknown", "View", "Witness", "axis_info", "bijective", "bounds", "canonical_strides",
        "certificate", "compose_at", "conditions", "contiguous_conditions", "dense_conditions", "draw",
        "draw_conditions", "draw_overflows", "equivalent", "floor_sum", "index_map", "injective",
        "injective_conditions", "is_contiguous", "is_dense", "is_injective", "joint_conditions", "least_guards",
        "max_merge_view", "merge", "order_of", "overflows", "overlap", "overlap_conditions", "placement_conditions",
        "placements_after", "plan", "prove", "ravel", "recast", "recast_conditions", "reshape", "reshape_conditions",
        "shard_conditions", "simplify", "simplify_index", "span", "span_conditions", "tensor", "unravel", "weakest",
        "why_not",
    ]  # fmt: skip

_LATER = {
    "symview.engine.radix": ("ravel", "unravel"),
    "symview.errors": (
        "InputError", "NotAView", "NotSupported", "NotationError", "OutOfBounds", "SymbolError", "SymviewError",
        "Undecided",
    ),
    "symview.logic.budget": ("Budget",),
    "symview.logic.terms": ("floor_sum",),
    "symview.view": ("View", "compose_at"),
    "symview.answers": ("Exact", "Sound", "Status", "TooStrong", "TooWeak"),
    "symview.counterexample": ("Counterexample", "Kind"),
    "symview.views.conditions": ("conditions",),
    "symview.cases.examples": ("Example",),
    "symview.cases.case": ("Case", "Witness"),
    "symview.cases.conditions": ("Conditions",),
    "symview.cases.joint": ("joint_conditions",),
    "symview.cases.least_guards": ("LeastGuards", "least_guards"),
    "symview.views.certified": ("certificate",),
    "symview.views.chains": ("equivalent",),
    "symview.views.fewer_views": ("Simplified", "simplify"),
    "symview.views.density": ("contiguous_conditions", "dense_conditions", "injective_conditions"),
    "symview.views.stride_faults": ("is_contiguous", "is_dense", "is_injective", "order_of"),
    "symview.views.free_strides": ("CanonicalStrides", "canonical_strides"),
    "symview.views.merging": ("merge",),
    "symview.views.overflow_table": ("overflows",),
    "symview.views.overlap": ("Overlap", "overlap", "overlap_conditions"),
    "symview.show.overflow_table": ("OverflowTable",),
    "symview.rules.index_expressions": ("AxisInfo", "Bounds", "axis_info", "bijective", "bounds", "injective"),
    "symview.rules.index_maps": ("OneToOne", "index_map"),
    "symview.rules.premises.premise": ("Premise",),
    "symview.rules.programs.program": ("Program", "Rule", "tensor"),
    "symview.rules.prove": ("prove",),
    "symview.rules.simplify": ("SimplifiedIndex", "simplify_index"),
    "symview.rules.premises.weakest": ("weakest",),
    "symview.views.placement_conditions": ("placement_conditions",),
    "symview.views.placements": ("NoPlacement", "placements_after"),
    "symview.views.recast": ("recast", "recast_conditions"),
    "symview.views.reshaping": ("max_merge_view", "reshape", "reshape_conditions", "why_not"),
    "symview.views.shards": ("shard_conditions",),
    "symview.views.span": ("Span", "span", "span_conditions"),
    "symview.proof.verdicts": ("Proved", "Refuted", "Unknown"),
}  # fmt: skip
_HOME = {name: module for module, names in _LATER.items() for name in names}

__version__ = "0.9.0"


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    from importlib import import_module  # slow to load

    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    else:
        value = import_module("symview.features").public_name(__name__, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from symview.features import public_names  # no module is loaded with `import symview`

    return sorted([*_HOME, *public_names(__name__)])


if environ.get("CUTE_CHECK", "0") not in ("", "0"):  # checks the CuTe DSL's layouts as soon as it is imported
    from symview.features import required

    required("CUTE_CHECK", "symview.dsl")()
