"""What is printed for Rocq: every operator, names that are not names, and nothing of a file's text."""

from __future__ import annotations

import json

import pytest
import schema
from claims import claimed, claiming
from command import typed

from symview import View, conditions, cute, prove
from symview.proof import by_list_induction
from symview.rocq import to_rocq
from symview.rocq.exporting import exported
from symview.rocq.terms import Names, Printer
from symview.verify import BadCertificate

HOSTILE = ["x *)", "*) Admitted. (*", "a.\nAxiom f : False", '"', "x'", "q'0", "h'1", "S", "O", "Z", "mod", "at",
           "end", "forall", "lemma_1", "shown_1", "part_1", "l_1", "main", "claim_1", "i0", "x_1",
           "sv_side", "é", "λ", "x" * 50, "", " ",
           "True", "False", "Admitted .", "Axiom", "ceildiv", "look", "a b", "a\u200b", "0", "_"]  # fmt: skip


def theorem(claim, assume=(), **more):
    return claimed("theorem", claim=claim, assume=list(assume), verdict="proved", **more)


def main(text):
    return text[text.index("Theorem main") :].partition("\nProof")[0]


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (["+", "a", 1, ["neg", "b"]], "((a + 1) + (- b))"),
        (["-", "a", -1], "(a - (-1))"),
        (["*", 2, "a", "b"], "((2 * a) * b)"),
        (["//", ["%", "a", "b"], 3], "((a mod b) / 3)"),
        (["//trunc", "a", ["%trunc", "a", "b"]], "(Z.quot a (Z.rem a b))"),
        (["//euclid", "a", ["%euclid", "a", "b"]], "(ZEuclid.div a (ZEuclid.modulo a b))"),
        (["min", "a", "b", ["max", "a"]], "(Z.min (Z.min a b) a)"),
        (["gcd", "a"], "(Z.gcd a 0)"),
        (["&", "a", ["|", "b", ["^", "a", ["~", "b"]]]], "(Z.land a (Z.lor b (Z.lxor a (Z.lnot b))))"),
        (["<<", "a", [">>", "b", 2]], "(Z.shiftl a (b / 4))"),
        (["**", "a", 2], "(a ^ 2)"),
        (["ceildiv", "a", ["wrap", "a", 0, 8]], "(ceildiv a (wrap a 0 8))"),
        (["floor_sum", "a", "b", 1, ["abs", "b"]], "(floor_sum a b 1 (Z.abs b))"),
        (["if", ["and", ["<", "a", 1], ["not", ["!=", "b", 2]]], "a", "b"],
         "(if ((a <? 1) && (negb (negb (b =? 2)))) then a else b)"),
    ],
)  # fmt: skip
def test_every_operator(tree, text) -> None:
    assert Printer(Names()).integer(_tuple(tree)) == text


def _tuple(tree):
    return tuple(map(_tuple, tree)) if isinstance(tree, list) else tree


def test_formulas_keep_their_parentheses() -> None:
    text = Printer(Names()).formula(
        ("<->", ("->", ("<", "a", 1), True), ("or", ("!=", "a", 2), ("not", ("==", "a", 3))))
    )
    assert text == "((a < 1) -> (True)) <-> ((a <> 2) \\/ (~ (a = 3)))"


def test_no_two_names_become_one() -> None:
    names = Names()
    texts = [names[n] for n in HOSTILE]
    assert len(set(texts)) == len(HOSTILE)
    assert all(set(x) <= set("abcdefghijklmnopqrstuvwxyz0123456789_") for x in texts)


@pytest.mark.parametrize("name", [n for n in HOSTILE if n[:1] not in "#$("])
def test_nothing_of_a_files_text_is_in_what_is_written(name) -> None:
    claim = ["==", ["+", name, ["*", 2, "y"]], ["+", ["*", 2, "y"], name]]
    found = exported(theorem(claim, [[">=", name, 1]]))
    plain = len(name) > 1 and name.isidentifier()  # such a word may stand in our own text
    assert found.main
    assert plain or len(name) < 2 or name not in found.body
    assert "Admitted" not in found.body
    assert "Axiom" not in found.body
    assert "x_1 >= 1" in main(found.body)


def test_a_name_that_is_renamed_is_told_in_plain_letters() -> None:
    found = exported(theorem(["==", "a*)", "a*)"]))
    assert "(* x_1 stands for U+61 U+2A U+29 *)" in found.body


def test_notes_that_nobody_reads_are_not_written() -> None:
    certificate = {**theorem(["<=", "x", "x"]), "note": "*) Axiom no : False. (*"}
    assert "no : False" not in to_rocq(certificate)


@pytest.mark.parametrize(
    "claim", [["==", "x"], ["Axiom", "x", "y"], ["<", ["+)", 1, 2], 3], "x", 3, None, ["<", "#0", 1]]
)
def test_what_is_no_formula_is_refused(claim) -> None:
    if claim is None:
        assert exported(theorem(claim)).open
        return
    with pytest.raises(BadCertificate):
        exported(theorem(claim))


def test_divisors_are_stated() -> None:
    assert main(to_rocq(prove("x//y*y + x % y == x", assume="y != 0").certificate())).count("y <> 0") == 1
    text = main(to_rocq(prove("x//y*y + x % y == x").certificate()))
    assert "forall x y : Z, y <> 0 -> " in text


def test_a_false_claim_has_no_theorem() -> None:
    found = exported(theorem(["==", ["//", ["*", "x", 2], 3], "x"]))
    assert not found.main
    assert found.open
    assert "Theorem main" not in found.body


def test_a_refutation_that_is_none_is_not_used() -> None:
    assert not exported(theorem(["==", ["+", "x", 1], "x"], refutations=[[["sum", [1, 0]]]])).main
    for steps in ([], [["sum", [1, 99]]], [["split", 0, 0]], [["name", "*)"]], 3, [[]], [["sum", []]], {"a": 1}):
        assert not exported(theorem(["==", ["+", "x", 1], "x"], refutations=[steps])).main


def test_what_is_left_open_is_named() -> None:
    found = exported(claiming(theorem(None), verdict="unknown"))
    assert not found
    assert found.open == ["Rocq has neither the statement nor a proof: a statement that is not a formula of integers"]
    assert "no main theorem" in found.body


def test_views_are_told_by_where_an_index_leads() -> None:
    answer = conditions(View.parse("(2,4):(s,t) [0:2,0:3]"), View.parse("(3):(2)"))
    views = "[([3], [2], 0, []); ([2; 4], [s; t], 0, [(0, 2); (0, 3)])]"
    assert main(to_rocq(answer)) == (
        "Theorem main : forall s t : Z, (s = 4 * t ->\n"
        f"  leads_as {views} ([3], [2 * t], 0, []))\n"
        f"  /\\ (one_view {views} -> s = 4 * t)."
    )


def test_a_guard_that_is_too_weak_is_refuted_at_values() -> None:
    answer = conditions(View.parse("(2,4):(s,t)"), View.parse("(8):(1)")).compare("s >= t")
    assert main(to_rocq(answer)) == (
        "Theorem main : forall s t : Z, s = 0 -> t = (-1) ->\n"
        "  (s >= t)\n"
        "  /\\ (breaks [([8], [1], 0, []); ([2; 4], [s; t], 0, [])] [4])."
    )


def test_programs_are_told_step_by_step() -> None:
    rule = prove("x(n,m).permute(1,0).flip(0) == x(n,m).flip(1).permute(1,0)")
    assert main(to_rocq(rule)) == (
        "Theorem main : forall n m : Z, n >= 1 -> m >= 1 ->\n"
        "  forall (Element : Type) (x : list Z -> Element),\n"
        "  shows_same (flip [0]%nat (permute [1; 0]%nat (source x [n; m])))\n"
        "    (permute [1; 0]%nat (flip [1]%nat (source x [n; m])))."
    )


def test_a_rule_is_refuted_at_an_index_of_the_box() -> None:
    text = main(to_rocq(prove("x(n).pad((a,b)).flip(0) == x(n).flip(0).pad((a,b))")))
    assert "forall n a b : Z, n = 1 -> a = 0 -> b = 1 ->" in text
    assert "/\\ in_box (sizes (flip [0]%nat (pad [a] [b] (source x [n])))) [0])" in text


@pytest.mark.parametrize("rule", ["x(n,m).reshape(m,n) == x(n,m).reshape(m,n)", "n(n).flip(0).flip(0) == n(n)"])
def test_other_programs_have_no_theorem(rule) -> None:
    assert not exported(prove(rule).certificate()).main


def test_of_several_certificates_each_has_a_module() -> None:
    from symview.rocq.exporting import whole

    found = [exported(prove(s).certificate()) for s in ("x//2 <= x or x < 0", "x % 3 >= 0")]
    text = whole(found)
    assert text.endswith("Definition all := (I, claim_1.main, claim_2.main).\nPrint Assumptions all.\n")
    assert text.count("Print Assumptions") == 1
    assert text.index("Module claim_1.") < text.index("End claim_1.") < text.index("Module claim_2.")


def test_the_command_counts_proofs_that_rocq_has_to_search_for(tmp_path) -> None:
    found, searched = tmp_path / "found.json", tmp_path / "searched.json"
    found.write_text(json.dumps(prove("x//2*2 <= x").certificate()), encoding="utf-8")
    searched.write_text(json.dumps(prove("abs(x*y) == abs(x)*abs(y)").certificate()), encoding="utf-8")
    command = ["verify", str(found), str(searched), "--rocq", str(tmp_path / "both.v")]
    lines = [line for line in typed(command).stdout.splitlines() if "Rocq" in line]
    assert lines[0] == "  Rocq: a main theorem after 1 lemma"
    assert lines[1] == f"{lines[0]}; 1 lemma has a proof that Rocq has to search for"
    answer = schema.read(typed([*command, "--json"]).stdout)["certificates"]
    assert [c["rocq"] for c in answer] == [{"main": True, "lemmas": 1, "searched": n, "open": []} for n in (0, 1)]


def test_lemmas_are_theorems_before_the_main_one() -> None:
    halved = prove("(x//a)//2 == x//(a*2)", "a >= 1")
    found = exported(prove("(i*n + j)//n//2 == (i*n + j)//(n*2)", "n >= 1", by=[halved]).certificate())
    assert "Theorem shown_1 : forall x a : Z, a >= 1 -> (x / a) / 2 = x / (a * 2)." in found.body
    assert main(found.body).startswith("Theorem main : forall i n j : Z, n >= 1 -> ")


def test_lists_that_lemmas_are_about_are_in_the_main_theorem() -> None:
    below = by_list_induction("0 <= R < P", {"P": ("1", "P*s"), "R": ("0", "R*s + d")}, "0 <= d < s")
    behind = {"x": ("R", "x + d*W*P"), "W": ("1", "W*s"), "H": ("0", "H + d*W")}
    further = by_list_induction("x == R + P*H", behind, "0 <= d < s")
    text = main(to_rocq(prove("x//P == H", by=[below, further]).certificate()))
    assert text.count("along") == 2
    assert "(R, 1, 0) l_1" in text
    assert text.endswith("P <> 0 -> x / P = H.")


def test_a_certificate_is_plain_json() -> None:
    certificate = json.loads(json.dumps(prove("x//2 <= x", assume="x >= 0").certificate()))
    assert to_rocq(certificate) == to_rocq(prove("x//2 <= x", assume="x >= 0"))


def layout(name, *given):
    return cute.certificate(name, given, getattr(cute, name)(*given))


def test_a_division_is_the_composition_with_the_tile_and_its_complement() -> None:
    text = main(exported(layout("zipped_divide", cute.Layout((4, 6, 5)), (2, 3))).body)
    assert text.splitlines() == [
        "Theorem main : exists U1 V1 U2 V2 : list (Z * Z),",
        "  [(2, 1); (3, 4); (2, 2); (2, 12); (5, 24)] = U1 ++ U2 ++ V1 ++ V2 ++ [(5, 24)]",
        "  /\\ layout_divided [(4, 1)] [(2, 1)] U1 V1",
        "  /\\ layout_divided [(6, 4)] [(3, 1)] U2 V2.",
    ]


def test_tiles_of_a_shape_are_copies_in_the_order() -> None:
    text = main(exported(layout("tile_to_shape", cute.Layout((2, 3)), (4, 11), (1, 0))).body)
    assert "layout_multiplied ([(2, 1)] ++ [(3, 2)]) ([(2, 4)] ++ [(4, 1)]) (V1 ++ V2)" in text
    assert "= [(2, 1)] ++ V1 ++ [(3, 2)] ++ V2" in text
    assert "11 <= layout_size [(3, 2)] * layout_size V2 < 11 + layout_size [(3, 2)]" in text


def test_layouts_of_too_many_values_have_no_main_theorem() -> None:
    found = exported(layout("logical_divide", cute.Layout((10**6, 6)), 1000))
    assert not found.main
    assert found.open == ["Rocq has neither the statement nor a proof: a layout of too many values to compute"]


def test_conditions_of_layouts_have_no_main_theorem() -> None:
    found = exported(cute.composition_conditions(cute.Layout.parse("(4,6):(a,b)"), cute.Layout(6)).certificate())
    assert not found.main
    why = "operations on layouts with names have no definitions yet"
    assert found.open == [f"Rocq has neither the statement nor a proof: {why}"]


def test_cases_that_never_are_and_no_cases_are_no_defects() -> None:
    right = conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)")).certificate()
    first, *others = right["claim"]["cases"]
    never = claiming(right, cases=[{**first, "where": False}, *others])
    answer = conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)")).compare("s <= 3 and s >= 4")
    none = answer.certificate()
    none["claim"]["verdict"], none["evidence"] = "exact", {"cases": [], "indices": []}
    none["claim"] = {key: x for key, x in none["claim"].items() if key not in ("values", "index")}
    assert "that the cases cover all values: it is false: it is left out of the main theorem" in exported(never).open
    assert not exported(none).main


def test_no_hypothesis_is_taken_twice() -> None:
    """A condition that is evident counts as no assumption, but has a name in the proof."""
    assume = [[">=", "x", 0], ["<=", 0, "x"], ["<", "x", 1]]
    claim = ["<=", ["*", "x", "a"], ["*", "x", "b"]]
    text = exported(claimed("premise", about=["a", "b"], claim=claim, assume=assume, condition=True,
                            directions="both")).body  # fmt: skip
    *_, way = text.split("\n{ ")
    taken = [n for line in way.splitlines() if line.startswith("intros ") for n in line.rstrip(".").split()[1:]]
    assert len(taken) == len({*taken}) == 5
