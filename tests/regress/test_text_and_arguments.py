"""Python takes what the command line takes: text wherever a view, a layout or a shape is; arguments one by one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import sympy
from command import typed
from satellites import there

import symview
from symview import View, cute, tensor

PLAIN, COLUMNS, SIX = View((2, 3)), View((2, 3), (1, 2)), View((6,))
OPEN = View.parse("(B,S,D):(t0,t1,t2)")

VIEWS: dict[str, Callable[..., Any]] = {
    "merge": lambda v, w: symview.merge(v, w),
    "conditions": lambda v, w: symview.conditions(v, w),
    "overflows": lambda v, w: symview.overflows(v, w),
    "compose_at": lambda v, w: symview.compose_at(v, w, index=(3,)),
    "equivalent": lambda v, w: symview.equivalent([v, w], w).statement,
    "simplify": lambda v, w: symview.simplify(v, w),
    "reshape": lambda v, w: symview.reshape(v, (3, 2)),
    "reshape_conditions": lambda v, w: symview.reshape_conditions(v, (3, 2)),
    "why_not": lambda v, w: symview.why_not(v, (6,)),
    "max_merge_view": lambda v, w: symview.max_merge_view(v),
    "canonical_strides": lambda v, w: symview.canonical_strides(v),
    "dense_conditions": lambda v, w: symview.dense_conditions(v),
    "injective_conditions": lambda v, w: symview.injective_conditions(v),
    "contiguous_conditions": lambda v, w: symview.contiguous_conditions(v),
    "is_dense": lambda v, w: symview.is_dense(v),
    "is_injective": lambda v, w: symview.is_injective(v),
    "is_contiguous": lambda v, w: symview.is_contiguous(v, "column_major"),
    "span": lambda v, w: symview.span(v),
    "span_conditions": lambda v, w: symview.span_conditions(v, 3),
    "recast": lambda v, w: symview.recast(v, 8, 8),
    "recast_conditions": lambda v, w: symview.recast_conditions(v, 8, 16),
    "overlap": lambda v, w: symview.overlap(v, w),
    "overlap_conditions": lambda v, w: symview.overlap_conditions(v, w),
    "order_of": lambda v, w: symview.order_of(v),
    "certificate": lambda v, w: symview.certificate(View((6,)), v, w),
    "tensor.read": lambda v, w: tensor("x", "(2,3)").read(v),
}  # fmt: skip
SHAPES: dict[str, Callable[[Any], Any]] = {
    "View": lambda s: View(s),
    "strides": lambda s: View((5, 6), s),
    "View.contiguous": View.contiguous,
    "View.empty": View.empty,
    "View.in_order": lambda s: View.in_order(s, "column_major"),
    "expand": lambda s: View((1, 3)).expand(s),
    "reshape of a view": lambda s: SIX.reshape(s),
    "index_into": lambda s: SIX.index_into(s, (4,)),
    "reshape": lambda s: symview.reshape(SIX, s),
    "reshape_conditions": lambda s: symview.reshape_conditions(SIX, s),
    "why_not": lambda s: symview.why_not(COLUMNS, s),
    "shard_conditions": lambda s: symview.shard_conditions(s, 0, 2),
    "placements_after": lambda s: symview.placements_after(s, "S(0)", (6,), 2),
    "placements_after, new shape": lambda s: symview.placements_after((6,), "S(0)", s, 2),
    "placement_conditions": lambda s: symview.placement_conditions(s, "S(0)", (6,), "S(0)", 2),
    "tensor": lambda s: tensor("x", s),
    "reshape of a program": lambda s: tensor("x", "(6)").reshape(s),
    "ravel": lambda s: symview.ravel((1, 2), s),
    "unravel": lambda s: symview.unravel(4, s),
}
if there("pictures"):
    VIEWS |= {
        "draw_overflows": lambda v, w: symview.draw_overflows(v, w),
        "draw": lambda v, w: symview.draw(v),
    }
if there("torch"):
    from symview.torch import guard_at, view_guard

    VIEWS |= {
        "guard_at": lambda v, w: guard_at(v, (6,), {}),
    }
    SHAPES |= {
        "guard_at": lambda s: guard_at(SIX, s, {}),
        "view_guard": lambda s: view_guard(memoryview(bytes(6)), s),
    }


@pytest.mark.parametrize("name", VIEWS)
def test_text_stands_for_a_view(name) -> None:
    ask = VIEWS[name]
    assert str(ask("(2,3):(1,2)", "(6):(1)")) == str(ask(COLUMNS, SIX))


@pytest.mark.parametrize("name", SHAPES)
def test_text_stands_for_a_shape(name) -> None:
    assert str(SHAPES[name]("(2,3)")) == str(SHAPES[name]((2, 3)))


def test_every_public_function_of_views_is_in_the_table() -> None:
    """A parameter that says View, or a shape, takes text."""
    for name in symview.__all__:
        made = getattr(symview, name)
        if not inspect.isfunction(made):
            continue
        given = [
            p for p in inspect.signature(made).parameters.values() if p.name != "found"
        ]  # an answer, not a question
        kinds = {p.name: str(p.annotation) for p in given}
        assert name in VIEWS or not any("View" in kind for kind in kinds.values()), name
        assert all("str" in kind for kind in kinds.values() if "View" in kind), name
        assert name in SHAPES or not {"shape", "local"} & kinds.keys(), name


def test_the_shape_of_the_command_line() -> None:
    n, m = sympy.symbols("n m", positive=True, integer=True)
    answer = symview.reshape_conditions(View((n, m), (m, 1)), "(m,-1)")  # a name is the view's own symbol
    assert str(answer) == "always"
    assert str(symview.reshape_conditions("(B,S,D):(t0,t1,t2)", "(B,S,8,-1)")) == "D % 8 = 0"
    assert symview.conditions(View((n,), (m,)), "(n)").guards() == "True"


MOVES: dict[str, tuple[Callable[..., View], tuple[Any, ...]]] = {
    "permute": (PLAIN.permute, (1, 0)),
    "permute of negative axes": (PLAIN.permute, (-1, 0)),
    "flip": (PLAIN.flip, (0,)),
    "flip of two": (PLAIN.flip, (0, 1)),
    "flip of none": (PLAIN.flip, ()),
    "shrink": (PLAIN.shrink, ((0, 1), (1, 3))),
    "shrink of one dim": (SIX.shrink, ((1, 3),)),
    "shrink of none": (View(()).shrink, ()),
    "pad": (PLAIN.pad, ((0, 1), (1, 3))),
    "pad of one dim": (SIX.pad, ((1, 3),)),
    "expand": (View((1, 3)).expand, (4, 3)),
    "expand of none": (View(()).expand, ()),
    "reshape": (SIX.reshape, (3, -1)),
    "reshape to one dim": (PLAIN.reshape, (6,)),
    "reshape to none": (View((1,)).reshape, ()),
    "with names": (OPEN.permute, (2, 0, 1)),
}


@pytest.mark.parametrize("name", MOVES)
def test_arguments_one_by_one_are_one_sequence(name) -> None:
    move, arguments = MOVES[name]
    assert str(move(*arguments)) == str(move(arguments)) == str(move(list(arguments)))


# Layouts

LAYOUT, TILE, BEHIND = "(8,6):(6,1)", "<2:1,3:1>", "Sw<1,0,2> o 0 o (8,8):(8,1)"
CUTE: dict[str, tuple[Any, ...]] = {
    "append": (LAYOUT,), "append_ones": (LAYOUT,), "front": (LAYOUT,), "as_layout": (LAYOUT,),
    "bank_conflicts": (LAYOUT,), "blocked_product": (LAYOUT, "(2,2)"), "coalesce": (LAYOUT,),
    "coalesce_conditions": ("(8,n):(n,1)",), "complement": ("(2,2):(1,6)", 24),

    "complement_conditions": ("(2,n):(1,6)",), "composition": (LAYOUT, "(2,4):(1,2)"),
    "composition_conditions": ("(8,6):(a,b)", "4:2"),
    "congruent": ("(2,3)", "(4,5)"), "coshape": (LAYOUT,), "cosize": (LAYOUT,),
    "compatible": ("6", "(2,3)"), "ceil_div": ("(7,5)", "(2,2)"), "round_up": ("(7,5)", "(2,2)"),
    "crd2idx": ("(1,2)", "(4,6)"), "idx2crd": (7, "(4,6)"), "depth": (LAYOUT,), "dice": ("(1,_)", LAYOUT),
    "downcast": (LAYOUT, 2), "elem_less": ("(1,2)", "(4,6)"), "filter": (LAYOUT,),
    "filter_zeros": (LAYOUT,), "flat_divide": (LAYOUT, TILE), "flat_product": (LAYOUT, "2:1"),
    "flatten": (LAYOUT,), "footprint": (LAYOUT,), "span": ("(8,6):(a,b)",), "get": (LAYOUT, 1),
    "group": (LAYOUT, 0, 1), "image": (LAYOUT,), "is_bijection": (LAYOUT,),
    "is_bijective": (LAYOUT,),
    "is_contiguous": (LAYOUT,), "is_contiguous_conditions": ("(8,6):(a,b)",), "is_injective": (LAYOUT,),
    "is_injective_conditions": ("(8,6):(a,b)",), "is_surjective": (LAYOUT,),
    "is_congruent": (LAYOUT, "(2,2)"), "layout_table": (LAYOUT,),
    "left_inverse": (LAYOUT,), "left_inverse_conditions": ("(8,6):(6,a)",), "local_tile": (LAYOUT, "(2,3)", "(1,1)"),
    "local_partition": (LAYOUT, "(2,3)", 1), "logical_divide": (LAYOUT, TILE), "logical_product": (LAYOUT, "2:1"),
    "logical_divide_conditions": ("(8,n):(n,1)", "<2:1,_>"), "logical_product_conditions": ("(8,n):(n,1)", "2:1"),
    "make_fragment_like": (LAYOUT,), "make_identity_layout": ("(2,3)",),
    "make_identity_tensor": ("(2,3)",), "make_layout": (LAYOUT, "2:1"),
    "make_layout_like": (LAYOUT,), "make_layout_tv": ("4:1", "2:1"), "make_ordered_layout": ("(2,3)", (1, 0)),
    "max_alignment": (LAYOUT,), "max_common_layout": (LAYOUT, LAYOUT), "max_common_vector": (LAYOUT, LAYOUT),
    "nullspace": ("(8,6):(0,1)",), "order": ("4:1",), "prepend": (LAYOUT,), "pretty_str": (LAYOUT,),
    "product": ("(2,3)",),
    "product_each": ("(2,(3,4))",), "raked_product": (LAYOUT, "(2,2)"), "rank": (LAYOUT,),
    "recast_layout": (16, 8, LAYOUT),
    "replace": (LAYOUT, 0, "2:1"), "right_inverse": (LAYOUT,), "right_inverse_conditions": ("(8,6):(6,a)",),
    "same_function": (LAYOUT, "(8,6):(6,1)"),
    "select": (LAYOUT, 1),
    "shape": (LAYOUT,), "shape_div": ("(8,6)", "(2,3)"), "size": (LAYOUT,), "slice_": ("(1,_)", LAYOUT),
    "sort": (LAYOUT,),
    "slice_and_offset": ("(1,_)", LAYOUT), "strict_left_inverse": (LAYOUT,), "stride": (LAYOUT,),
    "take": (LAYOUT, 0, 1),
    "recast_layout_conditions": (16, 8, "(n,2):(1,a)"),
    "tile_to_shape": ("(2,2)", "(4,6)"), "tile_to_shape_conditions": ("(2,2)", "(4,n)"), "tiled_divide": (LAYOUT, TILE),
    "tiled_product": (LAYOUT, "2:1"), "to_linear": ("(8,4):(4,1)",),
    "to_swizzled": (BEHIND,), "to_view": (LAYOUT,),
    "try_composition": (LAYOUT, "4:2"),
    "upcast": (LAYOUT, 1), "vector_width": (LAYOUT,),
    "zipped_divide": (LAYOUT, TILE), "zipped_product": (LAYOUT, "2:1"),

}  # fmt: skip
ELSEWHERE = {  # numbers, functions, text of another kind, named arguments, and what is told by the answers of others
    "assume", "symbols",
    "flatten_to_tuple", "has_underscore", "prepend_ones", "repeat_like",
      "E", "certificate", "crd2crd", "domain_offset", "elem_scale",
    "explain",

      "find", "group_modes", "has_none",
    "hier_unzip",
    "inner_product", "is_int", "is_layout", "is_major", "is_static", "is_tuple",
    "layout_of", "leading_dim", "make_composed_layout",
    "make_layout_image_mask", "make_swizzle",
    "parse", "prefix_product",

      "print_layout", "shiftl", "shiftr",
    "signum",
    "size_in_bytes", "slice_to_view", "transform_leaf", "tuple_max",
}  # fmt: skip
if there("shared_memory"):
    ELSEWHERE |= {"best_padding", "best_swizzle", "swizzle_tradeoffs"}


@pytest.mark.parametrize("name", CUTE)
def test_text_stands_for_a_layout(name) -> None:
    """The answer is that of the objects that the text spells: a layout, or the tuple of a shape or coordinate."""
    function = getattr(cute, name)
    objects = [_spelled(x, p) for x, p in zip(CUTE[name], _names(function, len(CUTE[name])), strict=True)]
    assert str(function(*CUTE[name])) == str(function.__wrapped__(*objects))


def test_every_public_function_of_cute_is_in_the_table() -> None:
    functions = {name for name in cute.__all__ if inspect.isfunction(getattr(cute, name))}
    assert functions == CUTE.keys() | ELSEWHERE
    assert not CUTE.keys() & ELSEWHERE


def _names(function: Callable[..., Any], count: int) -> list[str]:
    named: list[str] = []
    for name, p in inspect.signature(function).parameters.items():
        named += [name] * (count if p.kind is p.VAR_POSITIONAL else 1)
    return named[:count]


def _spelled(text: Any, name: str) -> Any:
    """The object: with strides a layout, else by what the parameter is called."""
    if not isinstance(text, str):
        return text
    if text == TILE:
        return (cute.Layout(2, 1), cute.Layout(3, 1))
    if text == "<2:1,_>":
        return (cute.Layout(2, 1), None)
    if ":" in text:
        return cute.parse(text)
    tiles = text == "(2,2)" and name == "tiler"
    plain = eval(text, {"_": None, "n": sympy.Symbol("n", integer=True)})
    return cute.Layout(plain) if name in ("layout", "layoutA", "layoutB", "block", "atom") or tiles else plain


def test_text_in_layouts_themselves() -> None:
    assert cute.Layout("(4,8)") == cute.Layout((4, 8))
    assert cute.Layout("(4,8)", "(8,1)") == cute.Layout("(4,8):(8,1)") == cute.Layout((4, 8), (8, 1))
    assert cute.composition(cute.Layout((8, 6), (6, 1)), "2:3") == cute.Layout(2, 18)


def test_names_are_answered_by_reshape_as_by_the_command() -> None:
    assert str(symview.reshape("(B,S)", "(B*S)")) == "(B*S):(1)"
    assert str(symview.reshape("(B,S):(a,b)", "(B,-1)")) == "(B,S):(a,b)"
    broken = symview.reshape("(4,6):(1,4)", (24,))
    open_ = symview.reshape("(B,S):(a,b)", "(B*S)")
    assert type(broken) is symview.Counterexample
    assert isinstance(open_, symview.Conditions)
    assert open_.guards() == "B == 1 or S == 1 or a == S*b"
    shown = typed(["reshape", "(B,S):(a,b)", "(B*S)"])
    assert shown.stdout.splitlines()[0] == str(open_)


def test_a_reshape_that_fails_for_all_values_has_a_counterexample() -> None:
    found = symview.reshape("(4,6,n):(1,4,a)", "(24,n)")
    assert type(found) is symview.Counterexample


@pytest.mark.parametrize("strides", [(1, 1, 1), (9, 3, 1)])
def test_an_answer_has_the_class_that_its_repr_says(strides) -> None:
    view = View((10, 3, 3), strides)
    for found in (symview.merge(view, View((4,), (4,))), symview.reshape(view, (90,))):
        assert repr(found).startswith(f"{type(found).__name__}(")
        assert type(eval(repr(found), vars(symview))) is type(found)


def test_there_is_one_reshape_of_a_view() -> None:
    with pytest.raises(AttributeError) as caught:
        View((4, 6)).permute(1, 0).reshaped(24)  # type: ignore[attr-defined]
    assert (caught.value.name, [n for n in dir(View) if n.startswith("resh")]) == ("reshaped", ["reshape"])


@pytest.mark.parametrize(
    "ask",
    [
        *(lambda x, ask=ask: ask(x, x) for ask in VIEWS.values()),
        View,
        *([symview.draw] if there("pictures") else []),
        cute.coalesce,
        cute.Layout.from_view,
    ],
)
def test_an_array_in_place_of_a_view_is_told_of_view_of(ask) -> None:
    array = numpy.zeros((4, 6))
    with pytest.raises(symview.InputError, match=r"View\.of\(x\)") as caught:
        ask(array)
    assert "0." not in str(caught.value)
