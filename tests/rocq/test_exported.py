"""Exported claims are accepted by Rocq, without axioms, and false ones with the same proof are refused."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from command import typed

import symview.cute as cute
from rocq.sweep import mutants, rules
from symview import (
    View,
    certificate,
    conditions,
    dense_conditions,
    equivalent,
    injective_conditions,
    merge,
    overlap_conditions,
    prove,
    reshape_conditions,
    weakest,
)
from symview.cute import Layout
from symview.proof import by_induction, by_list_induction
from symview.rocq import to_rocq
from symview.rocq.exporting import exported, whole
from symview.rocq.printed import Statements
from symview.rocq.properties import plain
from symview.rocq.terms import Names, Open
from symview.trusted.document import parsed, sides
from symview.verify.meaning import statement

AXIOMS = "Definition none := I.\nPrint Assumptions none.\n"


def views(*texts, **more):
    return conditions(*map(View.parse, texts), **more).certificate()


def reshaped(view, shape):
    return reshape_conditions(view, shape).certificate()


def guarded(guard, *texts):
    return conditions(*map(View.parse, texts)).compare(guard).certificate()


def layout(name, *given):
    return cute.certificate(name, given, getattr(cute, name)(*given))


def merged(*texts):
    pair = [*map(View.parse, texts)]
    return certificate(merge(*pair), *pair)


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
    yield weakest("x*a <= x*b - 8", about="a, b", assume="x >= 0").certificate(), "<-> (False)", "<-> (True)"
    folds = {"P": ("1", "P*s"), "R": ("0", "R*s + d")}
    yield by_list_induction("R < P", folds, each="0 <= d < s").certificate(), "in R < P", "in P < R"
    yield views("(10,3,3):(a,b,c)", "(s):(4)"), "a = (2 * b) + (3 * c)", "a = (3 * b) + (2 * c)"
    yield views("(10,9,4):(a,b,c)", "(6):(9)"), "(8 * b)", "(9 * b)"
    yield views("(2,2,3):(a,b,c)", "(2,1,2):(2,0,-1)+9"), "b = 3 * c", "b = 2 * c"
    yield views("(N,3,2):(a,b,c)", "(n):(3)", assume="n <= 2*N"), "(n <= 2 ->", "(n <= 3 ->"
    yield views("(10,3,3):(9,1,c)", "(s):(4)"), "s <= 3", "s <= 4"
    yield reshaped("(B,S,D):(t0,t1,t2)", "(B*S,D)"), "B = 1", "B = 2"
    yield reshaped("(2*n,m):(a,b)", "(n,2*m)"), "a = m * b", "a = b * n"
    yield reshaped("(7*h,7*w):(a,b)", "(h,7,w,7)"), "<-> (True)", "<-> (False)"
    yield reshaped("(a,b):(0,1)", "(a*b)"), "((a = 1) \\/ (b = 1))", "((a = 1) \\/ (b = 2))"
    yield views("(3,2,2,1,1):(s0,s1,s2,s3,s4)", "(2,2):(2,0)"), "[s1; 0]", "[s2; 0]"
    yield views("(N,Q):(s,t)", "(k,l):(Q,1)"), "s = x_2 * t", "s = x_1 * t"
    yield views("(2,2):(a,b)", "(2,2):(1,-1)+1", "(3):(1)+1"), "2 * a = b", "3 * a = b"
    yield views("(2,4):(s,t) [0:2,0:3]", "(n):(2)"), "s = 4 * t", "s = 3 * t"
    yield views("(2,3):(a,b) [0:1,0:3]", "(4):(1)"), "(0, 1)", "(0, 2)"
    yield views("(3,N):(s,t) [0:2,0:N]", "(3):(2*u)"), "(2 * u >= x_1)", "(2 * u >= 1)"
    yield reshaped("(8):(a) [2:6]", "(2,4)"), "(~ (one_view", "(~ ~ (one_view"
    three = "(10,3,3):(a,b,c)", "(s):(4)"
    yield guarded("s <= 3", *three), "(~ (s <= 3))", "(s > 23)"
    yield guarded("a == 3*b and b == 3*c and s <= 23", *three), "(one_view", "(~ one_view"
    yield guarded("a == 2*b + 3*c and s < 24", *three), "[5]", "[4]"
    yield guarded("n <= 3", "(2,4):(s,t) [0:2,0:3]", "(n):(2)"), "(breaks", "(~ breaks"
    rule = prove("x(n,m).permute(1,0).flip(0) == x(n,m).flip(1).permute(1,0)")
    yield rule.certificate(), "flip [1]", "flip [0]"
    yield prove("x(n).pad((a,b)).pad((c,d)) == x(n).pad((a + c,b + d))").certificate(), "[a + c]", "[a + d]"
    yield prove("x(n).slice(0,1,s) == x(n).shrink((0,1))").certificate(), "[1] [s]", "[n] [s]"
    yield prove("x(n).shrink((0,a)).concat(x(n).shrink((a,n)),0) == x(n)").certificate(), "[a] [n] [1]", "[0] [n] [1]"
    yield merged("(4,6):(6,1)", "(2,3):(12,2)+1"), "] ([2; 3], [12; 2]", "] ([2; 3], [12; 3]"
    yield merged("(10,3,3):(1,1,1)", "(4):(4)"), "[3]", "[2]"
    yield (
        equivalent([View((4, 6), (6, 1))], [View((24,), (1,)), View((4, 6), (6, 1))]).certificate(),
        "[4; 6]",
        "[4; 7]",
    )
    yield layout("composition", Layout((4, 6, 8), (1, 4, 24)), Layout(6, 3)), "[(6, 3)] = P", "[(6, 4)] = P"
    yield layout("coalesce", Layout((2, 4), (1, 2))), "[(8, 1)]", "[(8, 2)]"
    yield layout("complement", Layout((4, 4), (1, 16)), 256), "(4, 64)]", "(4, 65)]"
    yield layout("right_inverse", Layout((4, 6), (6, 1))), "[(6, 4); (4, 1)]", "[(6, 4); (4, 2)]"
    yield layout("left_inverse", Layout((4, 6), (8, 1))), "[(8, 4); (4, 1)]", "[(8, 4); (4, 2)]"
    yield layout("coalesce", Layout((2, (1, 6)), (1, (6, 2))), (1, 1)), "[(2, 1)] P1", "[(2, 3)] P1"
    yield (
        layout("composition", Layout(((4, 2), 6), ((1, 16), 2)), (Layout(4, 2), None)),
        "P ++ [(6, 2)]",
        "[(6, 2)] ++ P",
    )
    yield layout("logical_divide", Layout((4, 2, 3), (2, 1, 8)), Layout(4, 2)), "U ++ V", "V ++ U"
    yield layout("zipped_divide", Layout((4, 6, 5)), (2, 3)), "U1 ++ U2 ++ V1", "U1 ++ V1 ++ U2"
    yield layout("logical_product", Layout((2, 2), (1, 5)), Layout((3, 2), (2, 1))), "(2, 1)] V", "(2, 2)] V"
    yield layout("flat_product", Layout((2, 3), (1, 2)), (2, 4)), "[(4, 1)] V2", "[(4, 2)] V2"
    yield layout("blocked_product", Layout((2, 5), (5, 1)), Layout((3, 4))), "[(2, 5)] ++ V1", "V1 ++ [(2, 5)]"
    yield layout("raked_product", Layout((2, 5), (5, 1)), Layout(3)), "V1 ++ [(2, 5)]", "[(2, 5)] ++ V1"
    yield layout("tile_to_shape", Layout((2, 4)), (4, 6)), "6 <= layout", "9 <= layout"


def by_lemmas() -> Iterator[tuple[dict, str, str]]:
    """Claims that lemmas show: instances of theorems, and folds of one list, of one more behind it, or of none."""
    halved = prove("(x//a)//2 == x//(a*2)", "a >= 1")
    yield prove("(i*n + j)//n//2 == (i*n + j)//(n*2)", "n >= 1", by=[halved]).certificate(), "(n * 2)", "(n * 3)"
    again = prove("(y//2)//2 == y//4", by=[halved])
    yield prove("(y + z)//4 == (y + z)//2//2", by=[again]).certificate(), ") / 4", ") / 5"
    below = by_list_induction("0 <= R < P", {"P": ("1", "P*s"), "R": ("0", "R*s + d")}, "0 <= d < s")
    positive = by_list_induction("P >= 1", {"P": ("1", "P*s")}, "s >= 1")
    behind = {"x": ("R", "x + d*W*P"), "W": ("1", "W*s"), "H": ("0", "H + d*W")}
    further = by_list_induction("x == R + P*H", behind, "0 <= d < s")
    yield prove("R//P == 0 and P >= 1", by=[below, positive]).certificate(), "P >= 1)", "P >= 2)"
    yield prove("x//P == H", by=[below, further]).certificate(), "x / P = H", "x / P = W"
    yield prove("R//P*k == 0", by=[prove("R//P == 0", by=[below])]).certificate(), "* k = 0", "* k = k"
    yield by_induction("f == n*d", sequences={"f": ("0", "f + d")}).certificate(), "f = n * d", "f = n + d"
    given = by_list_induction("m*P >= 1", {"P": ("1", "P*s")}, "s >= 1", "m >= 1")
    yield prove("m*P >= 0", "m >= 1", by=[given]).certificate(), "P >= 0", "P >= 2"


@pytest.mark.parametrize("claims", [stated, by_lemmas])
def test_each_kind_is_accepted_and_false_ones_are_refused(said, refused, claims) -> None:
    found = [(exported(certificate), before, after) for certificate, before, after in claims()]
    assert all(one.main and not one.open for one, *_ in found)
    assert said(whole([one for one, *_ in found], inline=False)) == ""
    false = []
    for one, before, after in found:
        head, statement = one.body.split("Theorem main")
        claim, proof = statement.split("Proof", 1)
        assert before in claim, claim
        false.append(f"{head}Theorem main{claim.replace(before, after)}Proof{proof}")
        assert false[-1] != one.body
    assert refused(found[0][0].body, false)


def printed(certificate: dict) -> str:
    """The statement of a certificate as text of Rocq, without a proof; empty if there are no definitions for it."""
    claim, _ = sides(parsed(json.dumps(certificate)))
    try:
        return Statements(Names()).formula(plain(statement(claim)))
    except Open:
        return ""


def test_every_statement_is_well_typed(said) -> None:
    found = [c for claims in (stated, by_lemmas) for c, *_ in claims()]
    found += [prove(s).certificate() for s in ("x(n,m).reshape(n*m).reshape(n,m) == x(n,m)", "x(n).flip(0) == x(n)")]
    found += [overlap_conditions(View.parse("(n):(2)"), View.parse("(m):(s)+1")).certificate()]
    found += [injective_conditions(View.parse("(n,m):(s,t)")).certificate()]
    found += [dense_conditions(View.parse("(n,m):(s,t)")).certificate()]
    texts = [(c["claim"]["kind"], printed(c)) for c in found]
    assert all(text for _, text in texts)
    goals = "\n".join(f"Goal {text}.\nAbort." for _, text in texts if text)
    assert said(f"{whole([], inline=False)}\n{goals}\n{AXIOMS}") == ""
    assert said(f"{whole([], inline=False)}\n{goals.replace('one_view', 'two_view')}\n{AXIOMS}")


def test_what_is_not_shown_of_a_statement_is_said(said) -> None:
    ranks = exported(prove("x(...,n).flip(-1).flip(-1) == x(...,n)").certificate())
    apart = exported(injective_conditions(View.parse("(n):(s)")).certificate())
    why = "that any number of first dims behaves as one and none"
    assert ranks.main and ranks.open == [f"{why}: it is left out of the main theorem"]
    assert apart.main and len(apart.open) > 1
    assert all("(* Not proved here: that" in one.body for one in (ranks, apart))
    assert said(whole([ranks, apart], inline=False)) == ""


@pytest.mark.parametrize(("before", "after"), [("[(6, 4)] [(3, 1)]", "[(6, 5)] [(3, 1)]"),
                                               ("exists [(2, 1)]", "exists [(2, 3)]"),
                                               ("[(2, 12)]", "[(2, 13)]")])  # fmt: skip
def test_a_division_of_other_layouts_is_refused(said, before, after) -> None:
    text = whole([exported(layout("zipped_divide", Layout((4, 6, 5)), (2, 3)))], inline=False)
    assert text.count(before) == 1
    assert said(text.replace(before, after))


def test_rules_are_accepted_in_one_file(said) -> None:
    found = [exported(c.certificate) for c in rules(every=25)]
    assert len(found) > 15
    shown = [one for one in found if one.main and not one.searched]
    assert len(shown) > 0.9 * len(found)
    assert said(whole(shown, inline=False)) == ""


def test_false_rules_with_the_proofs_of_true_ones_are_refused(refused) -> None:
    found = [*mutants(20, every=60)]
    assert not any(exported(certificate).main for _, certificate, _ in found)
    assert refused(exported(prove("x//2*2 <= x").certificate()).body, [text for *_, text in found])


def test_a_search_of_rocqs_own_finds_a_proof(said) -> None:
    asked = [
        ("abs(x*y) == abs(x)*abs(y)", "True", "floor"),
        ("x//a <= x//b", "x >= 0, a >= b, b >= 1", "trunc"),
        ("x % y * (z % y) % y == x*z % y", "y != 0", "trunc"),
        ("(d*k + e*j) % gcd(d, e) == 0", "d >= 1, e >= 1", "trunc"),
        ("x ^ y ^ y == x", "True", "floor"),
        ("x ^ x == 0", "True", "floor"),
        ("(x & y) + (x | y) == x + y", "True", "floor"),
        ("(x & -8)//8 == x//8", "True", "floor"),
        ("x & 2**k - 1 == x % 2**k", "k >= 0", "floor"),
        ("(x | y) <= x + y", "x >= 0, y >= 0", "floor"),
        ("(4*k << s) % (4 << s) == 0", "s >= 0", "floor"),
        ("x*m >> k == x//d", "0 <= x <= n, d >= 1, 0 <= e, k >= 0, m*d == 2**k + e, n*e < 2**k", "floor"),
    ]
    found = [exported(prove(claim, assume=a, division=d).certificate()) for claim, a, d in asked]
    assert all(one.main and one.searched == 1 for one in found)
    assert said(whole(found, inline=False)) == ""


def test_refutations_are_found_when_the_file_is_written(said) -> None:
    magic = "0 <= x <= n, d >= 1, 0 <= e"
    asked = [
        ("x*m//p == x//d", f"{magic}, p >= 1, m*d == p + e, n*e < p"),
        ("x*m//p == x//d", "0 <= x < n, d >= 1, p >= 1, 0 <= e, p <= m*d, m*d - p <= e, n*e <= p"),
        ("x//a <= x//b", "x >= 0, a >= b, b >= 1"),
    ]
    found = [exported(prove(claim, assume=assume).certificate()) for claim, assume in asked]
    assert all(one.main and one.searched == 0 for one in found)
    assert said(whole(found, inline=False)) == ""


def test_only_a_main_theorem_is_said_to_be_accepted(folder, tmp_path) -> None:
    asked = {
        "rule": prove("x//2*2 <= x"),
        "overlap": overlap_conditions(View.parse("(n):(2)"), View.parse("(m):(s)+1")),
        "reshape": prove("x(n,m).reshape(n*m).reshape(n,m) == x(n,m)"),
        "layout": cute.composition_conditions(Layout.parse("(4,6):(a,b)"), Layout(6)),
    }
    for name, answer in asked.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(answer.certificate()), encoding="utf-8")
    files = [str(tmp_path / f"{name}.json") for name in asked]
    for some in (files, files[1:2]):
        run = typed(["verify", *some, "--rocq", str(tmp_path / "all.v"), "--check"])
        lines = [line for line in run.stdout.splitlines() if "Rocq: " in line]
        assert run.exit_code == 3
        assert [line.count("accepted") for line in lines] == [int("rule.json" in one) for one in some]
    assert "Rocq has the statement, but no proof of it: none is written for this kind yet" in lines[0]


def test_a_file_with_its_library_stands_alone(said) -> None:
    assert said(to_rocq(prove("x//2*2 <= x"))) == ""


def test_an_axiom_is_seen(said) -> None:
    text = whole([exported(prove("x//2*2 <= x").certificate())], inline=False)
    assert said(
        text.replace("Theorem main", "Axiom no : False.\nTheorem main").replace(
            "refine (lemma_1", "destruct no; refine (lemma_1"
        )
    )


def test_any_name_will_do(said) -> None:
    names = ["S", "mod", "*) Axiom no : False. (*", "N", "lemma_1", "i0", "tau0", "x_1", "σ1", "a'"]
    text = str(prove("x%(k*c)//c == x//c%k", assume="c >= 1, k >= 1").certificate())
    found = [exported(eval(text.replace("'c'", repr(name)))) for name in names]  # lists and names, made just before
    assert said(whole(found, inline=False)) == ""
