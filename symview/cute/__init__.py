"""CuTe's layout algebra, exact: `import symview.cute as pycute` keeps the names and calls of pycute."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from symview.cute.algebra import hier_unzip
from symview.cute.complements import complement
from symview.cute.composition_failure import NoComposition, NoLayout
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import (
    Integer,
    congruent,
    crd2crd,
    crd2idx,
    elem_scale,
    flatten,
    has_none,
    idx2crd,
    inner_product,
    is_int,
    is_tuple,
    prefix_product,
    product,
    shape_div,
    signum,
    slice_,
    tuple_max,
)
from symview.cute.inverse import left_inverse, right_inverse
from symview.cute.layout import (
    Layout,
    LayoutBase,
    concat,
    cosize,
    depth,
    is_layout,
    make_layout,
    rank,
    size,
    slice_and_offset,
)
from symview.cute.modes import coalesce, filter, flat, sort
from symview.cute.operations import (
    blocked_product,
    composition,
    flat_divide,
    flat_product,
    logical_divide,
    logical_product,
    raked_product,
    tiled_divide,
    tiled_product,
    try_composition,
    zipped_divide,
    zipped_product,
)

if TYPE_CHECKING:
    from symview.cute.admission import (
        LeftDivision,
        Ruling,
        admissible_for_complementation,
        admissible_for_composition,
        admissible_mode,
        composition_by_definition,
        interval_of_definition,
        is_sorted,
        left_division,
    )
    from symview.cute.explanation import Explanation, explain
    from symview.cute.fact import (
        Factorisation,
        Morphism,
        NotALayout,
        is_bijection,
        layout_of,
        layout_permutations,
        morphism_of,
        ordered_factorisations,
        realised,
    )
    from symview.cute.swizzle import ComposedLayout, Swizzle, as_layout, is_bijective, is_injective, shiftl, shiftr
    from symview.cute.symbols.cases import LayoutCase
    from symview.cute.symbols.conditions import LayoutConditions, NoLayoutAt
    from symview.cute.symbols.queries import (
        coalesce_conditions,
        complement_conditions,
        composition_conditions,
        left_inverse_conditions,
        logical_divide_conditions,
        logical_product_conditions,
        right_inverse_conditions,
    )

_LATER = {
    "symview.cute.admission": (
        "LeftDivision", "Ruling", "admissible_for_complementation", "admissible_for_composition", "admissible_mode",
        "composition_by_definition", "interval_of_definition", "is_sorted", "left_division",
    ),
    "symview.cute.symbols.cases": ("LayoutCase",),
    "symview.cute.symbols.conditions": ("LayoutConditions", "NoLayoutAt"),
    "symview.cute.explanation": ("Explanation", "explain"),
    "symview.cute.fact": (
        "Factorisation", "Morphism", "NotALayout", "is_bijection", "layout_of", "layout_permutations",
        "morphism_of", "ordered_factorisations", "realised",
    ),
    "symview.cute.swizzle": (
        "ComposedLayout", "Swizzle", "as_layout", "is_bijective", "is_injective", "shiftl", "shiftr",
    ),
    "symview.cute.symbols.queries": (
        "coalesce_conditions", "complement_conditions", "composition_conditions", "left_inverse_conditions",
        "logical_divide_conditions", "logical_product_conditions", "right_inverse_conditions",
    ),
}  # fmt: skip
_HOME = {name: module for module, names in _LATER.items() for name in names}

__all__ = [
    "ComposedLayout", "Explanation", "Factorisation", "Integer", "Layout", "LayoutBase", "LayoutCase",
    "LayoutConditions", "LayoutError", "LeftDivision", "Morphism", "NoAnswer", "NoComposition", "NoLayout",
    "NoLayoutAt", "NotALayout", "Ruling", "Swizzle", "admissible_for_complementation", "admissible_for_composition",
    "admissible_mode", "as_layout", "blocked_product", "coalesce", "coalesce_conditions", "complement",
    "complement_conditions", "composition", "composition_by_definition", "composition_conditions", "concat",
    "congruent", "cosize", "crd2crd", "crd2idx", "depth", "elem_scale", "explain", "filter", "flat", "flat_divide",
    "flat_product", "flatten", "has_none", "hier_unzip", "idx2crd", "inner_product", "interval_of_definition",
    "is_bijection", "is_bijective", "is_injective", "is_int", "is_layout", "is_sorted", "is_tuple", "layout_of",
    "layout_permutations", "left_division", "left_inverse", "left_inverse_conditions", "logical_divide",
    "logical_divide_conditions", "logical_product", "logical_product_conditions", "make_layout", "morphism_of",
    "ordered_factorisations", "prefix_product", "product", "raked_product", "rank", "realised", "right_inverse",
    "right_inverse_conditions", "shape_div", "shiftl", "shiftr", "signum", "size", "slice_", "slice_and_offset",
    "sort", "tiled_divide", "tiled_product", "try_composition", "tuple_max", "zipped_divide", "zipped_product",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'symview.cute' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
