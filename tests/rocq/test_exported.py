"""Exported claims are accepted by Rocq, without axioms, and false ones with the same proof are refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import symview.cute as cute
from rocq.sweep import HEAD, mutants, rules
from symview import View, conditions, equivalent, merge, prove, reshape_conditions, weakest
from symview.cute import Layout
from symview.proof import by_list_induction
from symview.rocq.exporting import exported, whole


def views(*texts, **more):
    return conditions(*map(View.parse, texts), **more).certificate()


def reshaped(view, shape):
    return reshape_conditions(view, shape).certificate()


def layout(name, *given):
    return cute.certificate(name, given, getattr(cute, name)(*given))


def merged(*texts):
    pair = [*map(View.parse, texts)]
    return merge(*pair).certificate(*pair)


def by_cases(name, *given, **more):
    texts = [Layout.parse(x) if isinstance(x, str) else x for x in given]
    return getattr(cute, f"{name}_conditions")(*texts, **more).certificate()


def stated() -> Iterator[tuple[dict, str, str]]:
    """Certificates of each kind, and a place of the main theorem that is made false: what stands there, and instead."""
    yield prove("x%(k*c)//c == x//c%k", assume="c >= 1, k >= 1").certificate(), "= (x / c) mod k", "= (x / k) mod c"
    yield prove("(x + 0*y + 2*3)//3*1 == x//3 + 2").certificate(), "(x / 3) + 2", "(x / 3) + 1"
    yield prove("max(x, y)//3 <= max(x//3, y//3)").certificate(), "/ 3 <=", "/ 3 <"
    yield prove("(x if x > y else y) >= y").certificate(), "x >? y", "x <? y"
    yield prove("x % 16 == x & 15").certificate(), "mod 16", "mod 8"
    yield prove("(x << 3) >> 3 == x").certificate(), "x * 8", "x * 4"
    yield prove("x*x >= x").certificate(), "x * x >= x", "x * x > x"
    yield prove("(x + a)//b == x//b + a//b", assume="a >= 1, b >= 1").certificate(), "(Z.abs b) < 4", "(Z.abs b) < 5"
    yield prove("x//2 > x").certificate(), "~ (x / 2 > x)", "(x / 2 > x)"
    yield (
        weakest("(x + a)//b == x//b + a//b", about="a, b", assume="a >= 1, b >= 1").certificate(),
        "a mod b = 0",
        "b mod a = 0",
    )
    yield weakest("x*c//c == x", about="c").certificate(), "(x * c)", "(x * (c + 1))"
    folds = {"P": ("1", "P*s"), "R": ("0", "R*s + d")}
    yield by_list_induction("R < P", folds, each="0 <= d < s").certificate(), "in R < P", "in P < R"
    yield views("(10,3,3):(a,b,c)", "(s):(4)"), "a = (2 * b) + (3 * c)", "a = (3 * b) + (2 * c)"
    yield views("(10,9,4):(a,b,c)", "(6):(9)"), "(8 * b)", "(9 * b)"
    yield views("(2,2,3):(a,b,c)", "(2,1,2):(2,0,-1)+9"), "b = 3 * c", "b = 2 * c"
    yield views("(N,3,2):(a,b,c)", "(n):(3)", assume="n <= 2*N"), "n <= 2)", "n <= 3)"
    yield views("(10,3,3):(9,1,c)", "(s):(4)"), "s <= 3", "s <= 4"
    yield reshaped("(B,S,D):(t0,t1,t2)", "(B*S,D)"), "B = 1", "B = 2"
    yield reshaped("(2*n,m):(a,b)", "(n,2*m)"), "a = b * m", "a = b * n"
    yield reshaped("(7*h,7*w):(a,b)", "(h,7,w,7)"), "<-> (True)", "<-> (False)"
    yield merged("(4,6):(6,1)", "(2,3):(12,2)+1"), "<> Outside", "= Outside"
    yield merged("(10,3,3):(1,1,1)", "(4):(4)"), "~ exists", "exists"
    yield (
        equivalent([View((4, 6), (6, 1))], [View((24,), (1,)), View((4, 6), (6, 1))]).certificate(),
        "[4; 6]",
        "[4; 7]",
    )
    yield layout("composition", Layout((4, 6, 8), (1, 4, 24)), Layout(6, 3)), "(layout_at B i)", "(layout_at B (i + 1))"
    yield layout("coalesce", Layout((2, 4), (1, 2))), "layout_at A i", "layout_at A (i + 1)"
    yield layout("complement", Layout((4, 4), (1, 16)), 256), "layout_at R j <", "layout_at R j >"
    yield layout("right_inverse", Layout((4, 6), (6, 1))), "(layout_at R i) = i", "(layout_at R i) = i + 1"
    yield layout("left_inverse", Layout((4, 6), (8, 1))), "(layout_at A i)) =", "(layout_at A i)) = 1 +"
    yield layout("coalesce", Layout((2, (1, 6)), (1, (6, 2))), (1, 1)), "layout_at P2 i", "layout_at P2 (i + 1)"
    yield layout("composition", Layout(((4, 2), 6), ((1, 16), 2)), (Layout(4, 2), None)), "A1 ++ [", "["
    yield layout("logical_divide", Layout((4, 2, 3), (2, 1, 8)), Layout(4, 2)), "(B ++ C)", "(C ++ B)"
    yield layout("zipped_divide", Layout((4, 6, 5)), (2, 3)), "U1 ++ U2 ++ V1", "U1 ++ V1 ++ U2"
    yield layout("logical_product", Layout((2, 2), (1, 5)), Layout((3, 2), (2, 1))), "V j =", "V k ="
    yield layout("flat_product", Layout((2, 3), (1, 2)), (2, 4)), "layout_at C2 (", "layout_at C1 ("
    yield layout("blocked_product", Layout((2, 5), (5, 1)), Layout((3, 4))), "A1 ++ V1", "V1 ++ A1"
    yield layout("raked_product", Layout((2, 5), (5, 1)), Layout(3)), "V1 ++ A1", "A1 ++ V1"
    yield layout("tile_to_shape", Layout((2, 3)), (4, 6)), "layout_size V2 = 6", "layout_size V2 = 7"
    yield by_cases("composition", "(4,6,8):(a,b,c)", "6:3"), "<-> (b = 4 * a)", "<-> (b = 3 * a)"
    yield by_cases("composition", "(4,6,8):(a,b,c)", "6:3"), "[[(6, 3 * a)]]", "[[(6, 4 * a)]]"
    yield by_cases("composition", "(n,m):(a,b)", "3:1"), "(n = 1)", "(n = 3)"
    yield by_cases("composition", "((2,3),6):((a,b),c)", (3, None)), "[[(3, a)]]", "[[(3, b)]]"
    yield by_cases("composition", "(3,8,6):(c,2*a,a)", "(3,4):(1,2)"), "<-> (2 * a = 3 * c)", "<-> (a = 3 * c)"
    yield by_cases("composition", "(3,4):(0,1)", "(1,8,6):(1,1,8)"), "<-> False", "<-> True"
    yield by_cases("logical_divide", "(4,6):(a,b)", 3), "<-> (b = 4 * a)", "<-> (b = 6 * a)"
    yield by_cases("tile_to_shape", Layout((2, 3)), Layout.parse("(n,6)").shape), "[[(n / 2, 6)]", "[[(n / 2, 2)]"
    yield (
        by_cases("coalesce", "(n,2):(a,b)"),
        "layout_coalesces [(n, a); (2, b)] [(2, b)]",
        "layout_coalesces [(n, a); (2, b)] [(2, a)]",
    )
    yield by_cases("right_inverse", "(2,3):(1,b)"), "[(6, 1)]", "[(2, 1)]"
    yield by_cases("left_inverse", "2:a"), "(a >= 1)", "(a >= 2)"


def test_each_kind_is_accepted_and_false_ones_are_refused(said) -> None:
    found = [(exported(certificate), before, after) for certificate, before, after in stated()]
    assert all(one.main and not one.open for one, *_ in found)
    assert said(whole([one for one, *_ in found], inline=False), len(found)) == ""
    for one, before, after in found:
        text, (head, statement) = one.importing(), one.importing().split("Theorem main")
        claim, proof = statement.split("Proof", 1)
        assert before in claim, claim
        false = f"{head}Theorem main{claim.replace(before, after)}Proof{proof}"
        assert false != text
        assert said(false), claim


@pytest.mark.parametrize(("before", "after"), [("[(4, 1); (6, 4); (5, 24)]", "[(4, 1); (6, 5); (5, 24)]"),
                                               ("U2 : list (Z * Z) := [(3, 4)]", "U2 : list (Z * Z) := [(3, 5)]"),
                                               ("[(2, 12)]", "[(2, 13)]")])  # fmt: skip
def test_a_division_of_other_layouts_is_refused(said, before, after) -> None:
    text = exported(layout("zipped_divide", Layout((4, 6, 5)), (2, 3))).importing()
    assert text.count(before) == 1
    assert said(text.replace(before, after))


def test_rules_are_accepted_in_one_file(said) -> None:
    found = [exported(c.certificate) for c in rules(every=25)]
    assert len(found) > 15
    shown = [one for one in found if one.main and not one.searched]
    assert len(shown) > 0.9 * len(found)
    assert said(whole(shown, inline=False), len(shown)) == ""


def test_false_rules_with_the_proofs_of_true_ones_are_refused(said) -> None:
    assert all(said(HEAD + text) and not exported(c).main for _, c, text in mutants(20, every=60))


def test_a_search_of_rocqs_own_finds_a_proof(said) -> None:
    certificates = [
        prove("x//a <= x//b", assume="x >= 0, a >= b, b >= 1", division=division).certificate()
        for division in ("floor", "trunc", "euclid")
    ]
    found = [exported(c) for c in (prove("abs(x*y) == abs(x)*abs(y)").certificate(), *certificates)]
    assert all(one.main and one.searched == 1 for one in found)
    assert said(whole(found, inline=False), len(found)) == ""


def test_a_file_with_its_library_stands_alone(said) -> None:
    assert said(prove("x//2*2 <= x").to_rocq()) == ""


def test_an_axiom_is_seen(said) -> None:
    text = exported(prove("x//2*2 <= x").certificate()).importing()
    assert said(
        text.replace("Theorem main", "Axiom no : False.\nTheorem main").replace(
            "refine (lemma_1", "destruct no; refine (lemma_1"
        )
    )


@pytest.mark.parametrize(
    "name", ["S", "mod", "*) Axiom no : False. (*", "N", "lemma_1", "i0", "tau0", "x_1", "σ1", "a'"]
)
def test_any_name_will_do(said, name) -> None:
    certificate = prove("x%(k*c)//c == x//c%k", assume="c >= 1, k >= 1").certificate()
    text = str(certificate).replace("'c'", repr(name))
    assert said(exported(eval(text)).importing()) == ""  # a text of lists and names, made just before
