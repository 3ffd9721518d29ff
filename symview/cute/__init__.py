"""CuTe's layout algebra, exact: `import symview.cute as pycute` keeps the names and calls of pycute."""

from __future__ import annotations

from symview.cute.complements import complement
from symview.cute.compose import composition, try_composition
from symview.cute.divide import flat_divide, hier_unzip, logical_divide, tiled_divide, zipped_divide
from symview.cute.errors import LayoutError, NoComposition
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
from symview.cute.nolayout import NoLayout
from symview.cute.products import (
    blocked_product,
    flat_product,
    logical_product,
    raked_product,
    tiled_product,
    zipped_product,
)

__all__ = [
    "Integer", "Layout", "LayoutBase", "LayoutError", "NoComposition", "NoLayout", "blocked_product",
    "coalesce", "complement", "composition", "concat", "congruent", "cosize", "crd2crd", "crd2idx", "depth",
    "elem_scale", "filter", "flat", "flat_divide", "flat_product", "flatten", "has_none", "hier_unzip",
    "idx2crd", "inner_product", "is_int", "is_layout", "is_tuple", "left_inverse", "logical_divide",
    "logical_product", "make_layout", "prefix_product", "product", "raked_product", "rank", "right_inverse",
    "shape_div", "signum", "size", "slice_", "slice_and_offset", "sort", "tiled_divide", "tiled_product",
    "try_composition", "tuple_max", "zipped_divide", "zipped_product",
]  # fmt: skip
