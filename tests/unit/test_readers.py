"""`proofs/extract_rules.py` on small sources of our own, written as Halide and TVM write theirs."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from extract_rules import Rule, main
from extract_rules import halide as halide_rules
from extract_rules import tvm as tvm_rules

HALIDE = """
#include "Simplify_Internal.h"
// rewrite(x + 1, x) is only a comment, and "rewrite(x, y)" a string
Expr Simplify::visit(const Div *op, ExprInfo *info) {
    auto rewrite = IRMatcher::rewriter(IRMatcher::div(a, b), op->type);
    if (rewrite(x / 1, a) ||
        rewrite(IRMatcher::Overflow() / x, a)) {
        return rewrite.result;
    }
    if (EVAL_IN_LAMBDA  //
        (rewrite(((x * c0) + y) / c1, x * fold(c0 / c1) + y / c1, c0 % c1 == 0 && c1 > 0 && !overflows(c0 / c1)) ||
         (no_overflow(op->type) &&
          (rewrite(min(x, likely(y)) / c0, min(x / c0, y / c0), can_prove(c0 >= 1, this)) ||
           rewrite((x + c0) / c1, x / c1 + fold(a_rem / c1 - (a_rem - c0) / c1), a_mod % c1 == 0))) ||
         (op->type.is_float() && rewrite(x / c0, x * fold(1 / c0))) ||
         rewrite(ramp(x, y, c0) / broadcast(z, c0), ramp(x / z, y / z, c0)) ||
         rewrite(select(x, y, z) / w, select(x, y / w, z / w)) ||
         (denominator_non_zero && (rewrite((x + y) / x, y / x + 1))) ||
         rewrite((x + c0) / c1, x / c1))) {
        return mutate(rewrite.result, info);
    }
    if (op->type.is_bool()) {
        if (rewrite(select(x, y, true), !x || y) || rewrite(x == 0, neg(x))) return rewrite.result;
    }
    rewrite(x < ty.min(), false);
}
"""

TVM = """
#define TVM_TRY_REWRITE(SrcExpr, ResExpr) \\
  if ((SrcExpr).Match(ret)) { return (ResExpr).Eval(); }
Expr RewriteSimplifier::Impl::VisitExpr_(const SubNode* op) {
  PVar<IntImm> c1, c2, c3;
  if (IsIndexTypedExpr(op)) {
    TVM_TRY_REWRITE(matches_one_of(x - (x + y), x - (y + x)), 0 - y);
    TVM_TRY_REWRITE_IF(truncdiv(x + c1, c2) - truncdiv(x, c2), truncdiv(c1, c2),
                       c1.Eval()->value % c2.Eval()->value == 0 && CanProveGreaterEqual(x.Eval(), 0) &&
                           c1.Eval()->value >= 0);
    TVM_TRY_RECURSIVE_REWRITE_IF(floormod(x, c1), x, c2.Eval()->value % c1.Eval()->value > 0);
    TVM_TRY_REWRITE_IF(floormod(x, c1), x,
                       (c2.Eval()->value % c1.Eval()->value + c1.Eval()->value) % c1.Eval()->value > 0);
    TVM_TRY_REWRITE((PMatchesOneOf{
                        x - x,
                        min(x, y) - min(y, x),
                    }),
                    ZeroWithTypeLike(x));
    TVM_TRY_REWRITE(floordiv(x, y) - truncdiv(x, y), x);
    TVM_TRY_REWRITE(truncmod(x, c1),
                    truncmod(x, PConst<PrimExpr>(IntImm(op->ty.as_or_throw<PrimType>(), -c1.Eval()->value))));
  }
  if (op_ty.MatchesCode(DLDataTypeCode::kDLUInt)) {
    TVM_TRY_REWRITE(x - y, x);
  }
}
PrimExpr RewriteSimplifier::Impl::ApplyRewriteRules(Not ret) {
  TVM_TRY_REWRITE(!(x && !y), (!x) || y);
}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "src" / "arith").mkdir(parents=True)
    (tmp_path / "src" / "Simplify_Div.cpp").write_text(HALIDE, encoding="utf-8")
    (tmp_path / "src" / "arith" / "rewrite_simplify.cc").write_text(TVM, encoding="utf-8")
    return tmp_path


def claims(rules: list[Rule]) -> list[tuple[str, tuple[str, ...], str]]:
    return [(r.claim, r.assume, r.division) for r in rules if r.claim]


def test_halides_rules_are_read_with_their_predicates(checkout: Path) -> None:
    rules = list(halide_rules(checkout, zero=False))
    assert claims(rules) == [
        ("x//1 == x", (), "euclid"),
        ("(x*c0 + y)//c1 == x*(c0//c1) + y//c1", ("c0 % c1 == 0", "c1 > 0"), "euclid"),
        ("min(x, y)//c0 == min(x//c0, y//c0)", ("c0 >= 1",), "euclid"),
        (
            "(x + c0)//c1 == x//c1 + (a_rem//c1 - (a_rem - c0)//c1)",
            ("a_mod % c1 == 0", "x + c0 == a_mod*k + a_rem"),
            "euclid",
        ),
        ("(y if x != 0 else z)//w == (y//w if x != 0 else z//w)", (), "euclid"),
        ("(x + y)//x == y//x + 1", ("x != 0",), "euclid"),
        ("(x + c0)//c1 == x//c1", (), "euclid"),
        ("x != 0 and y != 0 or not x != 0 and True <-> not x != 0 or y != 0", (), "floor"),
        ("x != 0 <-> False <-> not x != 0", (), "floor"),
    ]
    assert [(r.name, r.reason) for r in rules if r.reason] == [
        ("Div 7", "about overflow"),
        ("Div 15", "about floats"),
        ("Div 16", "about vectors"),
        ("Div 25", "about the least or greatest value of a type"),
    ]
    assert rules[0].source == "src/Simplify_Div.cpp:6, visit(Div)"


def test_a_zero_divisor_of_halide_gives_zero(checkout: Path) -> None:
    added = {r.name: r for r in halide_rules(checkout, zero=True) if "==" in r.name}
    assert list(added) == ["Div 14, c1 == 0", "Div 17, w == 0", "Div 19, c1 == 0"]
    assert added["Div 19, c1 == 0"][2:4] == ("0 == 0", ("c1 == 0",))
    assert added["Div 14, c1 == 0"].assume == ("0 == 0", "x + c0 == a_mod*k + a_rem", "c1 == 0")


def test_tvms_rules_are_read_with_their_conditions(checkout: Path) -> None:
    rules = list(tvm_rules(checkout, zero=False))
    assert claims(rules) == [
        ("x - (x + y) == 0 - y", (), "floor"),
        ("x - (y + x) == 0 - y", (), "floor"),
        ("(x + c1)//c2 - x//c2 == c1//c2", ("c1 % c2 == 0", "x >= 0", "c1 >= 0"), "trunc"),
        ("x % c1 == x", ("(c2 % abs(c1) if c2 >= 0 else -(-c2 % abs(c1))) > 0",), "floor"),
        ("x % c1 == x", ("c2 % c1 > 0",), "floor"),
        ("x - x == 0", (), "floor"),
        ("min(x, y) - min(y, x) == 0", (), "floor"),
        ("(x//y if x % y == 0 or (x % y < 0 <-> y < 0) else x//y - 1) - x//y == x", (), "trunc"),
        ("x % c1 == x % -c1", (), "trunc"),
        ("not (x != 0 and not y != 0) <-> not x != 0 or y != 0", (), "floor"),
    ]
    assert [r.reason for r in rules if r.reason] == ["about unsigned types"]
    assert rules[1].name == "Sub 7 (2 of 2)"


def test_the_command_writes_a_rule_file_and_says_what_is_wrong(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = checkout / "found.toml"
    assert main(["halide", str(checkout), "--out", str(written), "--prove"]) == 1
    rules = tomllib.loads(written.read_text(encoding="utf-8"))["rule"]
    assert len(rules) == 9
    assert rules[1]["assume"] == ["c0 % c1 == 0", "c1 > 0"]
    printed = capsys.readouterr().out
    assert "src/Simplify_Div.cpp:19" in printed
    assert "refuted under euclid division: (x + c0)//c1 == x//c1" in printed
    assert "8 proved, 1 refuted" in printed


def test_a_checkout_without_rules_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["halide", str(tmp_path)])
    assert stop.value.code == 2
    assert "give the directory that holds src/" in capsys.readouterr().err
