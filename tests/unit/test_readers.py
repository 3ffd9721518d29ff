"""`symview.readers` and `symview rules` on small sources of our own, written as compilers write theirs."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
import schema
from command import typed
from oracle.statement_brute import Meaning, smallest_exception

from symview import Budget, InputError
from symview.commands.waiting import progress
from symview.readers import Rule, read
from symview.readers.checking import Check, Limits, check
from symview.readers.halide import halide as halide_rules
from symview.readers.output import toml
from symview.readers.running import command
from symview.readers.tinygrad import tinygrad as tinygrad_rules
from symview.readers.tvm import tvm as tvm_rules
from symview.rules.files import parse_rules
from symview.rules.outcomes import outcome

LIMITS = Limits(Budget(), 30.0)

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
    assert (added["Div 19, c1 == 0"].claim, added["Div 19, c1 == 0"].assume) == ("0 == 0", ("c1 == 0",))
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


def test_where_rules_are_used_in_types_that_wrap(checkout: Path) -> None:
    signs = {r.name: r.signs for r in halide_rules(checkout)}
    assert (signs["Div 6"], signs["Div 14"], signs["Div 19"], signs["Div 23"]) == ("iu", "", "iu", "")
    assert {r.signs for r in tvm_rules(checkout)} == {""}


TINYGRAD = """
from tinygrad.uop.ops import UPat, PatternMatcher, Ops, GroupOp
import math
symbolic = PatternMatcher([
  (UPat.var("x") + 0, lambda x: x),
  ((UPat.var() % UPat.var("y")).named("base") % UPat.var("y"), lambda base,y: base),
  ((UPat.var("x")//UPat.cvar("c1"))*UPat.cvar("c3")+UPat.var("x")%UPat.cvar("c1")*UPat.cvar("c2"),
    lambda x,c1,c2,c3: x*c2 if c1.arg*c2.arg==c3.arg else None),
  (UPat.var("x", dtype=dtypes.bool) & UPat.cvar("c", vec=False), lambda x,c: x if c.arg else c),
  (UPat.maximum(UPat.var("x"), UPat.var("y")), lambda x,y: x if x.vmin >= y.vmax else y if x.vmax <= y.vmin else None),
  ((UPat.cvar("c0", vec=False)*UPat.var("x", dtype=dtypes.ints))<UPat.cvar("c1", vec=False),
   lambda x,c0,c1: x<math.ceil(c1.arg/c0.arg) if c0.arg > 0 and c1.arg > 0 else None),
  (UPat(Ops.ADD, src=(UPat.var("x", dtypes.sints), UPat.var("x")), name="a"), lambda a,x: x*2),
  (UPat.var("x") // UPat.var("d"), lambda x,d: -(x//(-d)) if d.vmax <=0 else None),
  (UPat.var("a").where(UPat.var("b").where(UPat.var("c"), UPat.var("d")), UPat.var("d")),
   lambda a,b,c,d: (a&b).where(c,d)),
  (UPat.var("x") != UPat.var("x"), lambda x: x.const_like(False).cast(dtypes.bool.vec(x.dtype.count))),
  (UPat.var("x", dtypes.uints).alu(Ops.IDIV, UPat.const(None, 1)), lambda x: x),
  (UPat.var("x") % UPat.var("y"), lambda x,y: folded(x, y)),
  (UPat.var("x") % UPat.var("y"), folded),
  (UPat(GroupOp.Idempotent, src=(UPat.var("x"), UPat.var("x"))), lambda x: x),
  (UPat.var("x") / UPat.var("y"), lambda x,y: x),
  (UPat.var("x"), lambda x: x.const_like(x.vmin) if x.vmin == x.vmax else None),
])
"""


def test_tinygrads_rules_are_read_from_python(tmp_path: Path) -> None:
    (tmp_path / "symbolic.py").write_text(TINYGRAD, encoding="utf-8")
    rules = list(tinygrad_rules(tmp_path))
    assert [(r.claim, r.assume, r.signs) for r in rules if r.claim] == [
        ("x + 0 == x", (), "iu"),
        ("any1 % y % y == any1 % y", (), "iu"),
        ("x//c1*c3 + x % c1*c2 == x*c2", ("c1*c2 == c3",), ""),
        ("x != 0 and c != 0 <-> x != 0", ("c != 0",), ""),
        ("x != 0 and c != 0 <-> c != 0", ("not c != 0",), ""),
        ("max(x, y) == x", ("x >= y",), "iu"),
        (
            "max(x, y) == y",
            ("not x_min >= y_max", "x_max <= y_min", "x_max >= x", "x_min <= x", "y_max >= y", "y_min <= y"),
            "iu",
        ),
        ("c0*x < c1 <-> x < -(-c1//c0)", ("c0 > 0", "c1 > 0"), ""),
        ("x + x == x*2", (), "i"),
        ("x//d == -(x//-d)", ("d <= 0",), "iu"),
        ("((c if b != 0 else d) if a != 0 else d) == (c if a != 0 and b != 0 else d)", (), "iu"),
        ("x != x <-> False", (), "iu"),
        ("x//1 == x", (), "u"),
        ("x == x_min", ("x_min == x_max", "x_max >= x", "x_min <= x"), "iu"),
    ]
    assert [r.division for r in rules if "//" in r.claim] == ["trunc", "floor", "trunc", "trunc"]
    assert [r.reason for r in rules if r.reason] == [
        "what a function computes", "what a function computes", "one rule for many operations", "about floats",
    ]  # fmt: skip
    (tmp_path / "ops.py").write_text("FLOORDIV = 1", encoding="utf-8")
    assert {r.division for r in tinygrad_rules(tmp_path)} == {"floor"}


GROUPS = """
class GroupOp:
  Unary = {Ops.EXP2, Ops.NEG}
  Associative = {Ops.ADD, Ops.MUL}
  Idempotent = {Ops.AND, Ops.MAX}
  ALU = set.union(Unary, Idempotent) - {Ops.AND} | {Ops.POW}
"""
SEVERAL = """
nothing = UPat(Ops.CONST, arg=Invalid, name="i")
gate = UPat.var("cond").where(UPat.var("x"), nothing)
symbolic = PatternMatcher([
  (UPat(GroupOp.Idempotent, src=(UPat.var("x"), UPat.var("x"))), lambda x: x),
  (UPat({Ops.SHL, Ops.SHR}, src=[UPat.var("x"), UPat.const(0)]), lambda x: x),
  (UPat(GroupOp.ALU, src=(UPat.var("x"), UPat.var("x"))), lambda x: x),
  *((UPat.var("x").alu(op, UPat.cvar("a")).alu(op, UPat.cvar("b")).named("f"),
     lambda f,x,a,b: x.alu(f.op, a.alu(f.op, b))) for op in GroupOp.Associative),
  (UPat((Ops.FLOORDIV, Ops.FLOORMOD), src=(UPat.var("x"), UPat.cvar("d")), name="n"),
   lambda n,x,d: None if d.val == 0 else x//d if n.op is Ops.FLOORDIV else x%d),
  (UPat(Ops.RANGE, src=UPat.var("end"), name="r") % UPat.var("end"), lambda r,end: r),
  (UPat.var("x", dtype=dtypes.bool).cast(dtypes.ints) != UPat.cvar("c"), lambda x,c: x if c.val == 0 else None),
  (UPat.var("a").where(UPat.var("b"), UPat.var("c")), lambda a,b,c: a.where(b, c) if not c.is_invalid else None),
  (UPat.var("x") * 0, lambda x: x.const_like(
    float("nan") if x.op is Ops.CONST and isinstance(x.val, float) and math.isnan(x.val) else 0)),
  ((UPat.cvar("a") < UPat.var("b")).where(UPat.var("b"), UPat.cvar("a")), lambda a,b: UOp.maximum(a, b)),
  (UPat.var("x").trunc() + UPat.var("y").where(UPat.var("t"), UPat.var("f")),
   lambda x,y,t,f: y.where(x+t, x+f) if t.op == f.op == Ops.CONST else None),
  (gate + UPat.var("y"), lambda cond,x,i,y: y),
  (UPat(Ops.STORE, src=(UPat.var("x"),)), lambda x: x),
  (UPat.var("x").cast(name="a"), lambda x,a: x),
])
"""


def test_a_pattern_of_several_operations_is_a_rule_for_each(tmp_path: Path) -> None:
    (tmp_path / "uop").mkdir()
    (tmp_path / "uop" / "__init__.py").write_text(GROUPS, encoding="utf-8")
    (tmp_path / "uop" / "ops.py").write_text("FLOORDIV = 1", encoding="utf-8")
    (tmp_path / "uop" / "symbolic.py").write_text(SEVERAL, encoding="utf-8")
    rules = list(tinygrad_rules(tmp_path))
    assert [(r.name.partition(" ")[2].partition(" ")[2], r.claim, r.assume) for r in rules if r.claim] == [
        ("AND", "(x & x) == x", ()), ("MAX", "max(x, x) == x", ()),
        ("SHL", "(x << 0) == x", ()), ("SHR", "(x >> 0) == x", ()),
        ("MAX", "max(x, x) == x", ()),
        ("ADD", "x + a + b == x + a + b", ()), ("MUL", "x*a*b == x*(a*b)", ()),
        ("FLOORDIV (1 of 2)", "x//d == x//d", ("not d == 0",)),
        ("FLOORMOD (2 of 2)", "x % d == x % d", ("not d == 0",)),
        ("", "r % end == r", ("r >= 0", "r < end")),
        ("", "(1 if x != 0 else 0) != c <-> x != 0", ("c == 0",)),
        ("", "(b if a != 0 else c) == (b if a != 0 else c)", ()),
        ("", "x*0 == 0", ()),
        ("", "(b if a < b else a) == max(a, b)", ()),
        ("", "x + (t if y != 0 else f) == (x + t if y != 0 else x + f)", ()),
    ]  # fmt: skip
    assert [r.reason for r in rules if r.reason] == ["about Invalid values", "about memory and order", "about types"]


@pytest.mark.skipif(find_spec("tinygrad") is None, reason="needs tinygrad")
def test_rules_of_an_installed_tinygrad() -> None:
    found = find_spec("tinygrad")
    assert found is not None and found.submodule_search_locations
    rules = [r for r in read("tinygrad", found.submodule_search_locations[0]) if r.claim]
    assert len(rules) >= 50
    (rule,) = (r for r in rules if r.claim == "x % d == -(x % -d)")
    judged = check(rule, LIMITS, ())
    assert judged.answer == "refuted"
    assert "at x = 1, d = -2 (smallest)" in judged.checks[0].told


def ask(*words: str) -> tuple[int, str]:
    run = typed(["rules", *words, "--jobs", "1"])
    return run.exit_code, run.stdout


@pytest.mark.dear
def test_the_command_says_what_is_false_and_writes_files(checkout: Path) -> None:
    written, marked = checkout / "found.toml", checkout / "found.sarif"
    code, printed = ask("halide", str(checkout), "--out", str(written), "--sarif", str(marked))
    assert code == 1
    assert "src/Simplify_Div.cpp:19, visit(Div)\n  refuted under euclid division: (x + c0)//c1 == x//c1" in printed
    assert "right for all integers where" in printed
    assert "    1  about overflow" in printed
    assert printed.endswith("9 rules: 6 proved, 3 refuted; 4 not read\n")
    rules = tomllib.loads(written.read_text(encoding="utf-8"))["rule"]
    assert len(rules) == 9
    assert rules[1]["assume"] == ["c0 % c1 == 0", "c1 > 0"]
    (run,) = json.loads(marked.read_text(encoding="utf-8"))["runs"]
    lines = {r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in run["results"]}
    assert 19 in lines and {r["level"] for r in run["results"]} == {"error"}


def test_types_that_wrap_can_be_left_out(checkout: Path) -> None:
    code, printed = ask("halide", str(checkout), "--bits", "none", "--json")
    found = schema.read(printed)
    assert (code, found["counts"]) == (1, {"proved": 8, "refuted": 1, "unknown": 0, "unread": 4})
    assert [r["line"] for r in found["rules"] if r["verdict"] == "refuted"] == [19]
    assert all(c["bits"] is None for r in found["rules"] for c in r["checks"])


def test_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    source = tmp_path / "src" / "Simplify_Add.cpp"
    source.write_text("Expr Simplify::visit(const Add *op) { rewrite(x + y, y + x); }", encoding="utf-8")
    assert ask("halide", str(tmp_path)) == (0, "1 rules: 1 proved; 0 not read\n")
    source.write_text("Expr Simplify::visit(const Add *op) { if (mine(op)) { rewrite(x + y, x); } }", encoding="utf-8")
    code, printed = ask("halide", str(tmp_path), "--bits", "none")
    assert code == 3
    assert "these conditions around the rule were not read: mine ( op )" in printed
    assert ask("halide", str(tmp_path / "src"))[0] == 2
    assert ask("halide", str(tmp_path), "--bits", "8")[0] == 2
    assert ask("lean", str(tmp_path))[0] == 2


@pytest.mark.parametrize(
    ("project", "claim", "bits", "left"),
    [
        ("halide", "x - min(x - y, c0) == max(x, y)", "i8", "(x[i] - hl.min((x[i] - y[i]), hl.i8(7)))"),
        (
            "halide",
            "(x if not y < 3 else -x) == x",
            None,
            "hl.select(hl.logical_not((y[i] < hl.i32(3))), x[i], (-x[i]))",
        ),
        ("tinygrad", "x//c0 + max(x, y, 2) == x", "u8", "((x // 7) + Tensor.maximum(Tensor.maximum(x, y), 2))"),
        ("tinygrad", "c0 + x < 3 and x < y <-> x < 3", "i8", "(((7 + x) < 3) & (x < y))"),
    ],
)
def test_a_false_rule_has_the_command_that_runs_it(project, claim, bits, left) -> None:
    rule = Rule("r", "f", 1, claim=claim, constants=("c0",))
    told = command(project, rule, Check(bits, "refuted", "", {"values": {"x": 1, "y": -2, "c0": 7}}))
    assert left in told
    compile(told.removeprefix('python -c "').removesuffix('"'), "", "exec")
    assert ("Tensor([-2], dtype=dtypes." if project == "tinygrad" else "y = hl.Buffer(np.array([-2], '") in told


@pytest.mark.parametrize(("division", "kind"), [("trunc", "trunc"), ("floor", "floor")])
def test_tvm_is_asked_for_a_range_and_at_the_values(division, kind) -> None:
    rule = Rule("r", "f", 1, claim="x//c0 == 1", constants=("c0",), division=division)
    told = command("tvm", rule, Check(None, "refuted", "", {"values": {"x": -1, "c0": 7}}))
    assert f"left = tirx.{kind}div(x, tirx.IntImm('int32', 7));" in told
    assert "asked.bind(x, ir.Range(-1, -1 + 99)); at.bind(x, tirx.IntImm('int32', -1));" in told
    compile(told.removeprefix('python -c "').removesuffix('"'), "", "exec")


def test_a_rule_without_such_a_command() -> None:
    false = Check("i8", "refuted", "", {"values": {"x": 1, "c0": 7}})
    assert command("another", Rule("r", "f", 1, claim="x == 1"), false) == ""
    assert command("halide", Rule("r", "f", 1, claim="gcd(x, 2) == 1"), false) == ""
    assert command("halide", Rule("r", "f", 1, claim="c0 == 1", constants=("c0",)), false) == ""
    assert (
        command("halide", Rule("r", "f", 1, claim="x == 1"), Check(None, "refuted", "", {"values": {"x": 1 << 31}}))
        == ""
    )
    assert command("halide", Rule("r", "f", 1, claim="x == 1"), Check("i8", "proved", "", {})) == ""


def test_only_the_rules_of_a_line(checkout: Path) -> None:
    code, printed = ask("halide", str(checkout), "--only", "Simplify_Div.cpp:19", "--bits", "none")
    assert (code, printed.count("refuted")) == (1, 2)
    assert printed.endswith("1 rules: 1 refuted; 0 not read\n")
    code, whole = ask("halide", str(checkout), "--only", "src/Simplify_Div.cpp", "--bits", "none")
    assert code == 1 and "1 refuted" in whole
    refused = typed(["rules", "halide", str(checkout), "--only", "Simplify_Div.cpp:1"])
    assert refused.exit_code == 2
    assert "no rule there; the nearest of that file are in lines 6" in refused.stderr
    assert "write FILE:LINE" in typed(["rules", "halide", str(checkout), "--only", "Foo.cpp"]).stderr


def test_verdicts_in_types_come_first(monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(
        "symview.readers.checking._checked", lambda rule, bits, _: asked.append(bits) or Check(bits, "proved", "", {})
    )
    found = check(Rule("r", "f", 1, claim="x == x", signs="iu"), LIMITS)
    assert asked == ["i8", "u8", None]
    assert [c.bits for c in found.checks] == [None, "i8", "u8"]


def test_progress_is_printed_where_stderr_is_no_terminal(capsys) -> None:
    assert list(progress(range(3), 3, "proving", seconds=0)) == [0, 1, 2]
    assert capsys.readouterr().err == "proving: 1 of 3\nproving: 2 of 3\nproving: 3 of 3\n"
    assert list(progress(range(3), None, "proving", seconds=60)) == [0, 1, 2]
    assert capsys.readouterr().err == ""


def test_the_time_for_all_rules(checkout: Path) -> None:
    code, printed = ask("halide", str(checkout), "--timeout", "0.000001")
    assert code == 3
    assert "undecided: the time for all rules is over" in printed


def test_a_checkout_without_rules_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give the directory of its checkout"):
        read("halide", tmp_path)


# Planted mistakes


OWN = """
rewrite((x*c0 + y)/c1, x*fold(c0/c1) + y/c1, c0 % c1 == 0 && c1 > 0)
rewrite((x + c0)/c1, x/c1 + fold(c0/c1), c0 % c1 == 0)
rewrite((x/c0)/c1, x/fold(c0*c1), c0 > 0 && c1 > 0)
rewrite((x*c0)/c1, x/fold(c1/c0), c1 % c0 == 0 && c0 > 0 && c1/c0 != 0)
rewrite((x*c0 + c1) % c2, c1 % c2, c0 % c2 == 0)
rewrite((x % c0) % c1, x % c1, c0 % c1 == 0)
rewrite(min(x, c0)/c1, min(x/c1, fold(c0/c1)), c1 > 0)
rewrite(max(x*c0, y*c0), max(x, y)*c0, c0 > 0)
rewrite(min(x + 2, y + 2), min(x, y) + 2)
rewrite(x*c0 < y*c0, x < y, c0 > 0)
rewrite(x/c0 < c1, x < fold(c1*c0), c0 > 0)
rewrite(x + 3 <= y + 1, x + 2 <= y)
rewrite(select(x < y, y - x, 0), max(y - x, 0))
rewrite((x*4 + 3)/2, x*2 + 1)
rewrite((x*6 + y) % 3, y % 3)
rewrite(max(min(x, c0), c1), c1, c0 <= c1)
rewrite(min(x, x + c0), x, c0 >= 0)
rewrite(x*c0 == c1, x == fold(c1/c0), c1 % c0 == 0)
rewrite((x + 7)/8*8 + 5 < x + 5, false)
rewrite((x + y)/2 - y/2 <= x/2 + 1, true)
"""


def mutants(rules: list[str], rng: Random) -> Iterator[str]:
    """Rules with a constant that is off by one, or without one of their premises."""
    while True:
        rule = rng.choice(rules)
        spots = [m.span() for m in re.finditer(r"(?<![\w.])\d+", rule)]
        left, joined, premise = rule.rpartition(", ")
        kept = premise.rstrip(")").split(" && ")
        if spots and rng.random() < 0.6:
            start, end = rng.choice(spots)
            yield f"{rule[:start]}{int(rule[start:end]) + rng.choice((-1, 1))}{rule[end:]}".replace("-1", "(-1)")
        elif rule.count(", ") > 1 and re.search("[<>=]", premise):
            kept.pop(rng.randrange(len(kept)))
            yield f"{left}{joined}{' && '.join(kept)})" if kept else f"{left})"


def planted(rules: list[str], rng: Random, folder: Path) -> Iterator[Rule]:
    """Rules with a mistake, read from a source, that are false at small values."""
    (folder / "src").mkdir(exist_ok=True)
    source = folder / "src" / "Simplify_Own.cpp"
    for text in mutants(rules, rng):
        source.write_text(f"Expr Simplify::visit(const Own *op) {{ {text}; }}", encoding="utf-8")
        (rule,) = halide_rules(folder)
        if rule.claim and is_false(rule):
            yield rule


def is_false(rule: Rule) -> bool:
    """Whether brute force finds small values at which the rule is false."""
    texts = [_as_python(t) for t in (rule.claim, *rule.assume)]
    names = sorted({n for t in texts for n in re.findall(r"[A-Za-z_]\w*", t)} - set(WORDS))
    values = range(-9, 10) if len(names) < 4 else range(-3, 4)
    return smallest_exception(texts[0], texts[1:], names, Meaning(rule.division), values)[0] is not None


WORDS = ("min", "max", "abs", "where", "and", "or", "not", "if", "else", "True", "False")


def _as_python(text: str) -> str:
    """A statement without `<->`, which stands at most once in these rules."""
    left, sign, right = text.partition(" <-> ")
    return f"({left}) == ({right})" if sign else text


def test_planted_mistakes_are_found(tmp_path: Path, turns: Callable[[int], range]) -> None:
    rng = Random("planted mistakes")
    wrong = planted([line for line in OWN.splitlines() if line], rng, tmp_path)
    for _, rule in zip(turns(20), wrong, strict=False):
        assert check(rule, LIMITS, ()).answer == "refuted", rule


def test_own_rules_are_right(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    body = ";\n".join(line for line in OWN.splitlines() if line)
    (tmp_path / "src" / "Simplify_Own.cpp").write_text(f"Expr Simplify::visit(const Own *op) {{ {body}; }}", "utf-8")
    rules = read("halide", tmp_path)
    assert len(rules) == 20 and all(r.claim for r in rules)
    assert [r.claim for r in rules if check(r, LIMITS, ()).answer != "proved"] == []


def test_the_file_of_the_rules_of_a_source_has_the_assumptions_that_concern_them(tmp_path: Path) -> None:
    """A source may test constants that its rule does not use, and a quotient by 0 that vanishes is read as such."""
    given = Rule("Div 3", "Div.cpp", 3, claim="x - x == 0", assume=("c0 > 0", "x >= 0"))
    (rule,) = parse_rules(toml([given]))
    assert rule.assume == ("x >= 0",)
    assert outcome(rule).is_met
