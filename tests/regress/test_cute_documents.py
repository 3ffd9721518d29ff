"""Every example of CuTe's documents: layouts, their algebra, TMA's coordinates, the DSL's notebook and its reference.

Sources, in CUTLASS 4.4: `01_layout.md`, `02_layout_algebra.md` and `0z_tma_tensors.md` of the C++ documents, the
notebooks `cute_layout_algebra.ipynb` and `composed_layout.ipynb`, and the concepts of the DSL's compiler. What these
print with _4 for 4 stands here without; what is known at run time only stands under its value or as a symbol.
"""

from __future__ import annotations

import pytest

from symview import cute
from symview.cute import CoordinateLayout, E, Layout, Swizzle

LAYOUTS = """
make_layout(8)                                            8:1
make_layout((2, 4))                                       (2,4):(1,2)
make_layout((2, 4), (12, 1))                              (2,4):(12,1)
make_layout((2, 4), LayoutLeft())                         (2,4):(1,2)
make_layout((2, 4), LayoutRight())                        (2,4):(4,1)
make_layout((2, (2, 2)), (4, (2, 1)))                     (2,(2,2)):(4,(2,1))
make_layout((2, (2, 2)), LayoutRight)                     (2,(2,2)):(4,(2,1))
make_layout(shape(make_layout((2, (2, 2)))), LayoutLeft)  (2,(2,2)):(1,(2,4))
Layout((4, (3, 6)))                                       (4,(3,6)):(1,(4,12))
get(Layout((4, (3, 6))), 0)                               4:1
get(Layout((4, (3, 6))), 1)                               (3,6):(4,12)
get(Layout((4, (3, 6))), 1, 0)                            3:4
get(Layout((4, (3, 6))), 1, 1)                            6:12
select(Layout((2, 3, 5, 7)), 1, 3)                        (3,7):(2,30)
select(Layout((2, 3, 5, 7)), 0, 1, 3)                     (2,3,7):(1,2,30)
select(Layout((2, 3, 5, 7)), 2)                           (5):(6)
take(Layout((2, 3, 5, 7)), 1, 3)                          (3,5):(2,6)
take(Layout((2, 3, 5, 7)), 1, 4)                          (3,5,7):(2,6,30)
make_layout(Layout(3), Layout(4, 3))                      (3,4):(1,3)
make_layout(Layout(4, 3), Layout(3))                      (4,3):(3,1)
make_layout(Layout((3, 4)), Layout((4, 3), (3, 1)))       ((3,4),(4,3)):((1,3),(3,1))
make_layout(Layout(3))                                    (3):(1)
make_layout(make_layout(Layout(3)))                       ((3)):((1))
make_layout(Layout(3), make_layout(Layout(3)), Layout(3)) (3,(3),3):(1,(1),1)
append(Layout(3), Layout(4, 3))                           (3,4):(1,3)
prepend(Layout(3), Layout(4, 3))                          (4,3):(3,1)
append(Layout((3, 4)), Layout((3, 4)))                    (3,4,(3,4)):(1,3,(1,3))
replace(append(Layout((3, 4)), Layout((3, 4))), 2, Layout(4, 3))  (3,4,4):(1,3,3)
group(Layout((2, 3, 5, 7)), 0, 2)                         ((2,3),5,7):((1,2),6,30)
group(group(Layout((2, 3, 5, 7)), 0, 2), 1, 3)            ((2,3),(5,7)):((1,2),(6,30))
flatten(group(Layout((2, 3, 5, 7)), 0, 2))                (2,3,5,7):(1,2,6,30)
make_ordered_layout((4, 2), (0, 1))                       (4,2):(1,4)
make_ordered_layout((4, 2), (1, 0))                       (4,2):(2,1)
make_ordered_layout((4, 3, 8, 2), (2, 1, 3, 0))           (4,3,8,2):(6,2,24,1)
make_layout_like(Layout(8, 2))                            8:1
make_layout_like(Layout((4, 2), (4, 1)))                  (4,2):(2,1)
make_layout_like(Layout((2, (3, 4)), (1, (2, 8))))        (2,(3,4)):(1,(2,6))
make_layout_like(Layout((2, 3, 4, 5), (0, 42, 1, 0)))     (2,3,4,5):(0,4,1,0)
make_identity_layout(4)                                   4:1
make_identity_layout((4, 2))                              (4,2):(1@0,1@1)
make_identity_layout((2, (3, 4), 5))                      (2,(3,4),5):(1@0,(1@0@1,1@1@1),1@2)
group_modes(Layout((4, 5, 6)), 0, 2)                      ((4,5),6):((1,4),20)
group_modes(Layout((4, 5, 6)), 1, 3)                      (4,(5,6)):(1,(4,20))
group_modes(Layout((4, 5, 6)), 0, 3)                      ((4,5,6)):((1,4,20))
slice_(Layout((2, 3, 4)), (0, None, 1))                   (3):(2)
dice(Layout((2, 3, 4)), (0, None, 1))                     (2,4):(1,6)
recast_layout(32, 8, Layout((32, 4)))                     (8,4):(1,8)
recast_layout(8, 32, Layout((8, 4)))                      (32,4):(1,32)
recast_layout(32, 32, Layout((8, 4)))                     (8,4):(1,8)
recast_layout(4, 6, Layout((8, 4)))                       (12,4):(1,12)
"""

KERNELS = """
logical_divide(Layout(1000), size(Layout(128)))           (128,8):(1,128)
make_layout((128, 8), (1, 129))                           (128,8):(1,129)
select((5120, 5120, 4096), 0, 2)                          (5120,4096)
local_tile(Layout((512, 64)), (128, 128, 8), (1, 2, None), (1, None, 1))[0]  (128,8,8):(1,512,4096)
local_partition(Layout((128, 8)), Layout((32, 8)), 33)[0]  (4,1):(32,0)
local_tile(make_identity_layout((100, 50)), (32, 8), (1, None))[0]  (32,8,7):(1@0,1@1,8@1)
zipped_divide(make_identity_layout((100, 50)), (32, 8))   ((32,8),(4,7)):((1@0,1@1),(32@0,8@1))
parse("ArithTuple(0,_0,_0) o ((_128,_64),2,3):((_1@0,_1@1),_64@1,_1@2)")  ((128,64),2,3):((1@0,1@1),64@1,1@2)
parse("Layout<Shape<_4,Shape<_3,_6>>>{}")                 (4,(3,6)):(1,(4,12))
parse("Layout<Shape<Shape<_4,_2>,_4>,Stride<Stride<_8,_4>,_1>>")  ((4,2),4):((8,4),1)
composition(Layout((32, 32)), (Layout((4, 4, 2), (1, 8, 4)), 32))  ((4,4,2),32):((1,8,4),32)
"""

A, B, C = "Layout((12, (4, 8)), (59, (13, 1)))", "Layout((9, (4, 8)), (59, (13, 1)))", "Layout((6, 8), (8, 1))"
TILE, P, Q = "(Layout(3, 3), Layout((2, 4), (1, 8)))", "Layout((2, 5), (5, 1))", "Layout((3, 4))"
R, S = "Layout((3, 4), (4, 1))", "Layout((2, 5))"
ALGEBRA = f"""
coalesce(Layout((2, (1, 6)), (1, (6, 2))))                12:1
coalesce(Layout((2, (1, 6)), (1, (6, 2))), (1, 1))        (2,6):(1,2)
coalesce(Layout((3, (4, 5)), (8, (1, 4))), (1, 1))        (3,20):(8,1)
coalesce(Layout(((2, (3, 4)), (3, 2), 1), ((4, (8, 24)), (2, 6), 12)))  (24,6):(4,2)
composition(Layout((6, 2), (8, 2)), Layout((4, 3), (3, 1)))  ((2,2),3):((24,2),8)
composition(Layout(20, 2), Layout((5, 4), (4, 1)))        (5,4):(8,2)
composition(Layout((10, 2), (16, 4)), Layout((5, 4)))     (5,(2,2)):(16,(80,4))
composition(Layout((10, 2), (16, 4)), Layout(5))          5:16
composition(Layout((10, 2), (16, 4)), Layout(4, 5))       (2,2):(80,4)
composition({A}, (Layout(3, 4), Layout(8, 2)))            (3,(2,4)):(236,(26,1))
composition({A}, (3, 8))                                  (3,(4,2)):(59,(13,1))
composition(Layout((4, 8)), (2, 4))                       (2,4):(1,4)
composition(Layout((6, 4), (4, 1)), (Layout((2,), (1,)), Layout((2,), (1,))))  ((2),(2)):((4),(1))
complement(Layout(4), 24)                                 6:4
complement(Layout(6, 4), 24)                              4:1
complement(Layout((4, 6)), 24)                            1:0
complement(Layout(4, 2), 24)                              (2,3):(1,8)
complement(Layout((2, 4), (1, 6)), 24)                    3:2
complement(Layout((2, 2), (1, 6)), 24)                    (3,2):(2,12)
complement(Layout(4), (4, 7))                             7:4
complement(Layout((2, 2), (4, 1)), (24,))                 (2,3):(2,8)
complement(Layout((2, 2), (4, 1)))                        2:2
right_inverse(Layout((2, 4, 6), (4, 1, 8)))               (4,2,6):(2,1,8)
left_inverse(Layout((2, 4, 6), (4, 1, 8)))                (4,2,6):(2,1,8)
right_inverse(Layout((2, 4), (4, 1)))                     (4,2):(2,1)
left_inverse(Layout((2, 4), (4, 1)))                      (4,2):(2,1)
logical_divide(Layout((4, 2, 3), (2, 1, 8)), Layout(4, 2))  ((2,2),(2,3)):((4,1),(2,8))
logical_divide({B}, {TILE})                               ((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))
composition({B}, {TILE})                                  (3,(2,4)):(177,(13,2))
zipped_divide({B}, {TILE})                                ((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))
tiled_divide({B}, {TILE})                                 ((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))
flat_divide({B}, {TILE})                                  (3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))
logical_divide({C}, (3, 4))                               ((3,2),(4,2)):((8,24),(1,4))
logical_divide({C}, (Layout((3,), (1,)), Layout((4,), (1,))))  (((3),2),((4),2)):(((8),24),((1),4))
logical_divide({C}, Layout((3, 4)))                       ((3,(2,2)),4):((8,(24,1)),2)
zipped_divide({C}, (3, 4))                                ((3,4),(2,2)):((8,1),(24,4))
tiled_divide({C}, (3, 4))                                 ((3,4),2,2):((8,1),24,4)
flat_divide({C}, (3, 4))                                  (3,4,2,2):(8,1,24,4)
logical_product(Layout((2, 2), (4, 1)), Layout(6))        ((2,2),(2,3)):((4,1),(2,8))
logical_product(Layout((2, 2), (4, 1)), Layout((4, 2), (2, 1)))  ((2,2),(4,2)):((4,1),(8,2))
logical_product(Layout((2, 2), (4, 1)), Layout((3, 2), (2, 1)))  ((2,2),(3,2)):((4,1),(8,2))
logical_product({R}, {S})                                 ((3,4),(2,5)):((4,1),(12,24))
zipped_product({R}, {S})                                  ((3,4),(2,5)):((4,1),(12,24))
tiled_product({R}, {S})                                   ((3,4),2,5):((4,1),12,24)
flat_product({R}, {S})                                    (3,4,2,5):(4,1,12,24)
blocked_product({R}, {S})                                 ((3,2),(4,5)):((4,12),(1,24))
raked_product({R}, {S})                                   ((2,3),(5,4)):((12,4),(24,1))
blocked_product({P}, {Q})                                 ((2,3),(5,4)):((5,10),(1,30))
raked_product({P}, {Q})                                   ((3,2),(4,5)):((10,5),(30,1))
zipped_product({P}, {Q})                                  ((2,5),(3,4)):((5,1),(10,30))
tiled_product({P}, {Q})                                   ((2,5),3,4):((5,1),10,30)
flat_product({P}, {Q})                                    (2,5,3,4):(5,1,10,30)
logical_product({P}, (Layout(3, 5), Layout(4, 6)))        ((2,3),(5,4)):((5,10),(1,30))
tile_to_shape(Layout((2, 2)), (8, 8))                     ((2,4),(2,4)):((1,4),(2,16))
"""
NAMES = {name: getattr(cute, name) for name in cute.__all__}


def examples(text: str) -> list[tuple[str, str]]:
    return [tuple(line.rsplit(maxsplit=1)) for line in text.strip().splitlines()]  # type: ignore[misc]


@pytest.mark.parametrize(("call", "printed"), examples(LAYOUTS) + examples(KERNELS) + examples(ALGEBRA))
def test_calls_of_the_documents(call: str, printed: str) -> None:
    assert cute.pretty_str(eval(call, dict(NAMES))) == printed


TABLES = [
    (Layout((2, 4)), "0 2 4 6 / 1 3 5 7"),
    (Layout((2, 4), (12, 1)), "0 1 2 3 / 12 13 14 15"),
    (Layout((2, (2, 2))), "0 2 4 6 / 1 3 5 7"),
    (Layout((2, (2, 2)), (4, (2, 1))), "0 2 1 3 / 4 6 5 7"),
    (Layout((4, 2)), "0 4 / 1 5 / 2 6 / 3 7"),
    (Layout((4, 2), (2, 1)), "0 1 / 2 3 / 4 5 / 6 7"),
    (Layout(((2, 2), 2), ((4, 1), 2)), "0 2 / 4 6 / 1 3 / 5 7"),
    (Layout((3, (2, 3)), (3, (12, 1))), "0 12 1 13 2 14 / 3 15 4 16 5 17 / 6 18 7 19 8 20"),
]  # fmt: skip


@pytest.mark.parametrize(("layout", "rows"), TABLES, ids=lambda x: str(x)[:20])
def test_tables_of_values(layout: Layout, rows: str) -> None:
    table = [[int(x) for x in row.split()] for row in rows.split("/")]
    assert [[layout(i, j) for j in range(len(table[0]))] for i in range(len(table))] == table
    assert [layout(x) for x in range(layout.size())] == [row[j] for j in range(len(table[0])) for row in table]


def test_a_printed_table() -> None:
    """What `print_layout` of C++ prints."""
    assert cute.layout_table(Layout((2, (2, 2)), (4, (2, 1)))).splitlines() == [
        "(2,(2,2)):(4,(2,1))",
        "      0   1   2   3",
        "    +---+---+---+---+",
        " 0  | 0 | 2 | 1 | 3 |",
        "    +---+---+---+---+",
        " 1  | 4 | 6 | 5 | 7 |",
        "    +---+---+---+---+",
    ]


VECTORS = [
    (Layout(8), [0, 1, 2, 3, 4, 5, 6, 7]),
    (Layout(8, 2), [0, 2, 4, 6, 8, 10, 12, 14]),
    (Layout(((4, 2),), ((2, 1),)), [0, 2, 4, 6, 1, 3, 5, 7]),
    (Layout(((4, 2),), ((1, 4),)), [0, 1, 2, 3, 4, 5, 6, 7]),
    (Layout((2, 4), (12, 1)), [0, 12, 1, 13, 2, 14, 3, 15]),
    (Layout((4, 4, 2), (1, 8, 4)), [n + k for k in (0, 4) for m in (0, 8, 16, 24) for n in range(m, m + 4)]),
    (Layout((2, (2, 2)), (4, (2, 1))), [0, 4, 2, 6, 1, 5, 3, 7]),
    (cute.composition(Layout((6, 2), (8, 2)), Layout((4, 3), (3, 1))), [0, 24, 2, 26, 8, 32, 10, 34, 16, 40, 18, 42]),
    (cute.right_inverse(Layout((2, 4), (4, 1))), [0, 2, 4, 6, 1, 3, 5, 7]),
]  # fmt: skip


@pytest.mark.parametrize(("layout", "values"), VECTORS, ids=lambda x: str(x)[:20])
def test_values_in_a_row(layout: Layout, values: list[int]) -> None:
    assert [layout(x) for x in range(layout.size())] == values


COMPATIBLE = {
    (24, 32): False, (24, (4, 6)): True, ((4, 6), ((2, 2), 6)): True, (((2, 2), 6), ((2, 2), (3, 2))): True,
    (24, ((2, 2), (3, 2))): True, (24, ((2, 3), 4)): True, (((2, 3), 4), ((2, 2), (3, 2))): False,
    (((2, 2), (3, 2)), ((2, 3), 4)): False, (24, (24,)): True, ((24,), 24): False, ((24,), (4, 6)): False,
}  # fmt: skip


def test_compatible_shapes() -> None:
    assert {pair: cute.compatible(*pair) for pair in COMPATIBLE} == COMPATIBLE


def test_coordinates_and_indices() -> None:
    shape, stride = (3, (2, 3)), (3, (12, 1))
    natural = [(i, (j, k)) for k in range(3) for j in range(2) for i in range(3)]
    assert [cute.idx2crd(x, shape) for x in range(18)] == natural
    assert [cute.idx2crd((x % 3, x // 3), shape) for x in range(18)] == natural
    assert [cute.idx2crd(c, shape) for c in natural] == natural
    for coordinate in (16, (1, 5), (1, (1, 2))):
        assert cute.idx2crd(coordinate, shape) == (1, (1, 2))
        assert cute.crd2idx(coordinate, shape, stride) == 17


def test_a_tile_is_found_at_its_coordinate() -> None:
    """Mode 0 of a zipped division is the tile, which is the composition; mode 1 says where the tiles begin."""
    layout, tiler = Layout((9, (4, 8)), (59, (13, 1))), (Layout(3, 3), Layout((2, 4), (1, 8)))
    divided = cute.zipped_divide(layout, tiler)
    assert divided[0] == cute.composition(layout, tiler)
    assert [divided(0, n) for n in (3, 7)] == [divided(0, (0, 1)), divided(0, (1, 2))]
    assert divided(0, (1, 2)) == 59 + divided(0, (0, 2))


def test_complements_do_what_the_document_promises() -> None:
    for shape, stride in (((2, 2), (1, 6)), ((2, 4), (1, 6)), (4, 2), (6, 4), ((6, 3), (1, 9))):
        layout = Layout(shape, stride)
        rest = cute.complement(layout, 72)
        both = cute.make_layout(layout, rest)
        assert both.cosize() >= 72
        assert rest.size() >= 72 // layout.size() or (shape, stride) == ((6, 3), (1, 9))  # which covers less
        values = [rest(x) for x in range(rest.size())]
        assert values == sorted(set(values))
        assert not set(values[1:]) & {layout(x) for x in range(layout.size())}


def test_coordinates_of_tma_tensors() -> None:
    assert [str(e) for e in (E(), E(0), E(1), E(0, 0), E(0, 1), E(1, 0), 5 * E(1), 5 * E(0, 1))] == [
        "1", "1@0", "1@1", "1@0@0", "1@1@0", "1@0@1", "5@1", "5@1@0",
    ]  # fmt: skip
    upright, lying = (cute.make_layout((4, 5), stride) for stride in ((E(0), E(1)), (E(1), E(0))))
    assert isinstance(upright, CoordinateLayout)
    assert (str(upright), str(lying)) == ("(4,5):(1@0,1@1)", "(4,5):(1@1,1@0)")
    assert [upright(i, j) for i in range(4) for j in range(5)] == [(i, j) for i in range(4) for j in range(5)]
    assert [lying(i, j) for i in range(4) for j in range(5)] == [(j, i) for i in range(4) for j in range(5)]
    mixed = CoordinateLayout((3, 4, 5, 8), (2 * E(0, 1), E(1), 5 * E(1), 7 * E(0, 0)))
    assert mixed(2, 3, 4, 7) == ((49, 4), 23)


def test_layouts_of_mma_atoms() -> None:
    """`0t_mma_atom.md`: each element of the tile has one thread and one value."""
    quad_pair = Layout((4, 2), (1, 16))
    assert [quad_pair(x) for x in range(8)] == [0, 1, 2, 3, 16, 17, 18, 19]
    float_tile = Layout(((2, 2, 2), (2, 2, 2)), ((1, 16, 4), (8, 2, 32)))
    group_tile = Layout(((4, 8, 4), (2, 2, 16)), ((128, 1, 16), (64, 8, 512)))
    row_tile = Layout(((4, 2), 4), ((8, 4), 1))
    assert all(map(cute.is_bijective, (float_tile, group_tile, row_tile, Layout((8, 8)))))
    shared = Layout((128, (64, 16)), (0, (1, 64)))
    assert shared(5, 3) == shared(77, 3) == 3
    assert cute.filter(shared).size() == 1024


def test_composed_layouts() -> None:
    """inner(offset + outer(c))."""
    composed = cute.make_composed_layout(Swizzle(3, 4, 3), 6, Layout((8, 2), (2, 16)))
    assert str(composed) == "Sw<3,4,3> o 6 o (8,2):(2,16)"
    assert [composed(i, j) for i, j in ((0, 0), (1, 0), (7, 1))] == [Swizzle(3, 4, 3)(x) for x in (6, 8, 36)]


DYNAMIC = [  # what the notebook leaves to run time, as symbols: the layout, or the guard and the layout
    (cute.composition_conditions(Layout.parse("(6,2):(d,2)"), Layout((4, 3), (3, 1))), {"d": 8},
     "((2,2),3):((24,2),8)"),
    (cute.coalesce_conditions(Layout.parse("(2,(1,6)):(1,(d,2))")), {"d": 6}, "12:1"),
    (cute.composition_conditions(Layout.parse("(m,n):(a,b)"), Layout((5, 4), (1, 5))),
     {"m": 10, "n": 2, "a": 16, "b": 4}, "(5,(2,2)):(16,(80,4))"),
    (cute.composition_conditions(Layout.parse("(12,(4,n)):(a,(b,1))"), (3, 8)), {"n": 8, "a": 59, "b": 13},
     "(3,(4,2)):(59,(13,1))"),
]  # fmt: skip


@pytest.mark.parametrize(("conditions", "values", "layout"), DYNAMIC, ids=lambda x: "")
def test_entries_known_at_run_time(conditions, values, layout) -> None:
    assert str(conditions.layout(values)) == layout
