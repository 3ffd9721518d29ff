"""CuTe's layout algebra, exact: `import symview.cute as pycute` keeps the names and calls of pycute."""

from __future__ import annotations

import sys
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Any

from symview.cute.pycute_modules import PycuteModules

if TYPE_CHECKING:
    from symview.cute.algebra import hier_unzip
    from symview.cute.analysis.banks import bank_conflicts
    from symview.cute.analysis.by_strides import is_contiguous_conditions, is_injective_conditions, span
    from symview.cute.analysis.image import (
        Footprint,
        Image,
        footprint,
        image,
        is_contiguous,
        is_surjective,
        order,
    )
    from symview.cute.analysis.phases import BankConflicts
    from symview.cute.analysis.vectors import VectorWidth, vector_width
    from symview.cute.arranging import (
        append,
        ceil_div,
        compatible,
        dice,
        filter,
        filter_zeros,
        get,
        group,
        group_modes,
        make_composed_layout,
        make_layout,
        make_layout_like,
        make_ordered_layout,
        make_swizzle,
        prepend,
        product_each,
        replace,
        round_up,
        select,
        slice_,
        slice_and_offset,
        sort,
        take,
    )
    from symview.cute.arranging import flatten_modes as flatten
    from symview.cute.basis import BasisSum, E, ScaledBasis
    from symview.cute.claims import certificate
    from symview.cute.complements import complement
    from symview.cute.composition_failure import NoComposition
    from symview.cute.coordinate_layouts import CoordinateLayout, make_identity_layout, make_identity_tensor
    from symview.cute.errors import LayoutError, NoAnswer
    from symview.cute.explained import Explanation, explain
    from symview.cute.int_tuple import (
        Integer,
        congruent,
        crd2crd,
        crd2idx,
        elem_scale,
        has_none,
        idx2crd,
        inner_product,
        is_int,
        is_tuple,
        prefix_product,
        product,
        shape_div,
        signum,
        tuple_max,
    )
    from symview.cute.inverse import strict_left_inverse
    from symview.cute.kernels import (
        append_ones,
        assume,
        coshape,
        domain_offset,
        downcast,
        elem_less,
        find,
        flatten_to_tuple,
        front,
        has_underscore,
        is_congruent,
        is_major,
        is_static,
        leading_dim,
        local_partition,
        local_tile,
        make_fragment_like,
        make_layout_image_mask,
        make_layout_tv,
        max_alignment,
        max_common_layout,
        max_common_vector,
        nullspace,
        prepend_ones,
        pretty_str,
        recast_layout,
        repeat_like,
        shape,
        size_in_bytes,
        stride,
        tile_to_shape,
        transform_leaf,
        upcast,
    )
    from symview.cute.layout import (
        GenColMajor,
        GenRowMajor,
        Layout,
        LayoutBase,
        LayoutLeft,
        LayoutRight,
        cosize,
        depth,
        is_layout,
        rank,
        size,
    )
    from symview.cute.linear.conversions import as_layout, to_linear, to_view
    from symview.cute.linear.differences import same_function
    from symview.cute.linear.layout import LinearLayout
    from symview.cute.linear.slices import slice_to_view
    from symview.cute.named.queries import (
        coalesce_conditions,
        complement_conditions,
        composition_conditions,
        left_inverse_conditions,
        logical_divide_conditions,
        logical_product_conditions,
        recast_layout_conditions,
        right_inverse_conditions,
        tile_to_shape_conditions,
    )
    from symview.cute.operations import (
        blocked_product,
        composition,
        flat_divide,
        flat_product,
        left_inverse,
        logical_divide,
        logical_product,
        raked_product,
        right_inverse,
        tiled_divide,
        tiled_product,
        try_composition,
        zipped_divide,
        zipped_product,
    )
    from symview.cute.printing import layout_table, print_layout
    from symview.cute.swizzle import ComposedLayout, Swizzle, shiftl, shiftr
    from symview.cute.swizzled.coalescing import coalesce
    from symview.cute.swizzled.permutations import is_bijective, is_injective
    from symview.cute.swizzled.unswizzling import to_swizzled
    from symview.cute.text import parse, symbols
    from symview.cute.values import is_bijection, layout_of

    __all__ = [  # for type checkers; at run time, `__getattr__` adds what satellites provide
        "BankConflicts", "BasisSum", "ComposedLayout", "CoordinateLayout", "E", "Explanation", "Footprint",
        "GenColMajor", "GenRowMajor", "Image", "Integer", "Layout", "LayoutBase", "LayoutError", "LayoutLeft",
        "LayoutRight", "LinearLayout", "NoAnswer", "NoComposition", "ScaledBasis", "Swizzle", "VectorWidth", "append",
        "append_ones", "as_layout", "assume", "bank_conflicts", "blocked_product", "ceil_div", "certificate",
        "coalesce", "coalesce_conditions", "compatible", "complement", "complement_conditions", "composition",
        "composition_conditions", "congruent", "coshape", "cosize", "crd2crd", "crd2idx", "depth", "dice",
        "domain_offset", "downcast", "elem_less", "elem_scale", "explain", "filter", "filter_zeros", "find",
        "flat_divide", "flat_product", "flatten", "flatten_to_tuple", "footprint", "front", "get", "group",
        "group_modes", "has_none", "has_underscore", "hier_unzip", "idx2crd", "image", "inner_product", "is_bijection",
        "is_bijective", "is_congruent", "is_contiguous", "is_contiguous_conditions", "is_injective",
        "is_injective_conditions", "is_int", "is_layout", "is_major", "is_static", "is_surjective", "is_tuple",
        "layout_of", "layout_table", "leading_dim", "left_inverse", "left_inverse_conditions", "local_partition",
        "local_tile", "logical_divide", "logical_divide_conditions", "logical_product", "logical_product_conditions",
        "make_composed_layout", "make_fragment_like", "make_identity_layout", "make_identity_tensor", "make_layout",
        "make_layout_image_mask", "make_layout_like", "make_layout_tv", "make_ordered_layout", "make_swizzle",
        "max_alignment", "max_common_layout", "max_common_vector", "nullspace", "order", "parse", "prefix_product",
        "prepend", "prepend_ones", "pretty_str", "print_layout", "product", "product_each", "raked_product", "rank",
        "recast_layout", "recast_layout_conditions", "repeat_like", "replace", "right_inverse",
        "right_inverse_conditions", "round_up", "same_function", "select", "shape", "shape_div", "shiftl", "shiftr",
        "signum", "size", "size_in_bytes", "slice_", "slice_and_offset", "slice_to_view", "sort", "span",
        "strict_left_inverse", "stride", "symbols", "take", "tile_to_shape", "tile_to_shape_conditions", "tiled_divide",
        "tiled_product", "to_linear", "to_swizzled", "to_view", "transform_leaf", "try_composition", "tuple_max",
        "upcast", "vector_width", "zipped_divide", "zipped_product",
    ]  # fmt: skip

_LATER = {
    "symview.cute.algebra": "hier_unzip",
    "symview.cute.analysis.banks": "bank_conflicts",
    "symview.cute.analysis.by_strides": "is_contiguous_conditions is_injective_conditions span",
    "symview.cute.analysis.image": "Footprint footprint Image image is_contiguous is_surjective order",
    "symview.cute.analysis.phases": "BankConflicts",
    "symview.cute.analysis.vectors": "vector_width VectorWidth",
    "symview.cute.arranging": (
        "append ceil_div compatible dice filter filter_zeros flatten get group group_modes make_composed_layout "
        "make_layout make_layout_like make_ordered_layout make_swizzle prepend product_each replace round_up select "
        "slice_ slice_and_offset sort take"
    ),
    "symview.cute.basis": "BasisSum E ScaledBasis",
    "symview.cute.claims": "certificate",
    "symview.cute.complements": "complement",
    "symview.cute.composition_failure": "NoComposition",
    "symview.cute.coordinate_layouts": "CoordinateLayout make_identity_layout make_identity_tensor",
    "symview.cute.errors": "LayoutError NoAnswer",
    "symview.cute.explained": "explain Explanation",
    "symview.cute.int_tuple": (
        "congruent crd2crd crd2idx elem_scale has_none idx2crd inner_product Integer is_int is_tuple prefix_product "
        "product shape_div signum tuple_max"
    ),
    "symview.cute.inverse": "strict_left_inverse",
    "symview.cute.kernels": (
        "append_ones assume coshape domain_offset downcast elem_less find flatten_to_tuple front "
        "has_underscore is_congruent is_major is_static leading_dim local_partition local_tile make_fragment_like "
        "make_layout_image_mask make_layout_tv max_alignment max_common_layout max_common_vector nullspace "
        "prepend_ones pretty_str recast_layout repeat_like shape size_in_bytes stride tile_to_shape "
        "transform_leaf upcast"
    ),
    "symview.cute.layout": (
        "cosize depth GenColMajor GenRowMajor is_layout Layout LayoutBase LayoutLeft LayoutRight rank size"
    ),
    "symview.cute.linear.conversions": "as_layout to_linear to_view",
    "symview.cute.linear.differences": "same_function",
    "symview.cute.linear.layout": "LinearLayout",
    "symview.cute.linear.slices": "slice_to_view",
    "symview.cute.swizzled.unswizzling": "to_swizzled",
    "symview.cute.operations": (
        "blocked_product composition flat_divide flat_product left_inverse logical_divide logical_product "
        "raked_product right_inverse tiled_divide tiled_product try_composition zipped_divide zipped_product"
    ),
    "symview.cute.printing": "layout_table print_layout",
    "symview.cute.swizzle": "ComposedLayout shiftl shiftr Swizzle",
    "symview.cute.swizzled.coalescing": "coalesce",
    "symview.cute.swizzled.permutations": "is_bijective is_injective",
    "symview.cute.named.queries": (
        "coalesce_conditions complement_conditions composition_conditions left_inverse_conditions "
        "logical_divide_conditions logical_product_conditions right_inverse_conditions tile_to_shape_conditions "
        "recast_layout_conditions"
    ),
    "symview.cute.text": "parse symbols",
    "symview.cute.values": "is_bijection layout_of",
}
_HOME = {name: module for module, names in _LATER.items() for name in names.split()}
sys.meta_path.insert(0, PycuteModules())

_WITHOUT_TEXT = ("parse", "explain")  # these take text unparsed


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), "flatten_modes" if name == "flatten" else name)
    else:
        value = import_module("symview.features").public_name(__name__, name)
    if isinstance(value, FunctionType) and name not in _WITHOUT_TEXT:
        from symview.cute.text import reading_text  # loads layouts

        value = reading_text(name, value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_HOME, *import_module("symview.features").public_names(__name__)])
