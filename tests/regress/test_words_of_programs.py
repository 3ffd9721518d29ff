"""Words of programs: what is not an operation is an error, and PyTorch's words are what they mean."""

from __future__ import annotations

import json

import pytest
from command import typed
from satellites import needs, there

from symview import InputError, NotationError, Program, Rule, prove, tensor, weakest
from symview.cli.batch import answered
from symview.logic.sympy_bridge import to_text
from symview.rules import theorem
from symview.rules.files import parse_rules
from symview.rules.theorems import TheoremFailed
from symview.view_notation import read_shape

if there("plans"):
    from symview import plan

HEADS = "permute(0,2,1,3).reshape(B*H,S,D)"


def run(*args: str) -> tuple[int, str]:
    result = typed(args)
    return result.exit_code, result.output


@needs("plans")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("reshap(B*S,H*D)", "reshape"), ("permut(1,0,2,3)", "permute"), ("flaten(0,1)", "flatten"), ("veiw(6)", "view"),
        ("reshap(6,4).permute(1,0)", "reshape"), ("permut(4,6).reshape(24)", "permute"), ("veiw(4).flip(0)", "view"),
        ("flaten(2,3).t()", "flatten"), ("trnaspose(0,1).flip(0)", "transpose"), ("unsqeeze(1).flip(0)", "unsqueeze"),
    ],
)  # fmt: skip
def test_a_misspelled_operation_is_no_tensor(typed: str, meant: str) -> None:
    with pytest.raises(InputError, match=f"did you mean '{meant}'"):
        plan("q(B,S,H,D)", HEADS, typed)
    with pytest.raises(InputError, match=f"did you mean '{meant}'"):
        Program.parse(typed)
    code, text = run("plan", "q(B,S,H,D)", HEADS, typed)
    assert (code, f"did you mean '{meant}'" in text) == (2, True)
    question = {"command": "plan", "tensor": "q(B,S,H,D)", "programs": [HEADS, typed]}
    assert meant in json.loads(answered((1, json.dumps(question).encode()))[1])["error"]


def test_a_rule_begins_with_tensors() -> None:
    """`flip(0).flip(0) == flip(0)` was proved: of a tensor named flip that has no elements."""
    for text in ("flip(0).flip(0) == flip(0)", "flp(0).flip(0) == flp(0)", "x(n,m).t() == reshap(m,n)"):
        for ask in (Rule.parse, prove, lambda rule: weakest(rule, about="n")):
            with pytest.raises(NotationError, match="operation"):
                ask(text)

        @theorem
        def claim(text: str = text) -> str:
            return text

        with pytest.raises(TheoremFailed, match="operation"):
            claim()
    [rule] = parse_rules('[[rule]]\nname = "r"\nleft = "reshap(4).flip(0)"\nright = "reshap(4).flip(0)"')
    with pytest.raises(NotationError, match="did you mean 'reshape'"):
        prove(rule.claim)


@needs("plans")
def test_a_further_tensor_has_an_operation() -> None:
    two = plan("q(4,6).reshape(24)", "k(4,6).permute(1,0).reshape(24)")
    assert two
    assert list(two.layouts) == ["q", "k"]
    assert plan("q(4,6)", "reshape(24)", "k(4,6).t()", "flip(0)") == plan(
        "q(4,6).reshape(24)", "k(4,6).t()", "k(4,6).flip(0)"
    )
    for alone in ("foo(4,6)", "merge(0,1)", "k(4,6)", "cuda().flatten()", "cuda()"):
        with pytest.raises(InputError, match="is not an operation; a tensor"):
            plan("q(4,6).reshape(24)", alone)
    with pytest.raises(InputError, match="begin with a tensor"):
        plan("view(4,6)")
    with pytest.raises(InputError, match="begin with a tensor"):
        plan("t()")


@needs("plans")
@pytest.mark.parametrize(
    "name", ["q", "k", "v", "t", "x", "kv", "qk", "pos", "head", "slot", "page", "bias", "cache", "w1"]
)
def test_short_names_are_right_use(name: str) -> None:
    assert plan("q(4,6)", "reshape(24)", f"{name}(4,6).reshape(4,3,2)")
    assert prove(f"{name}(n,m).t().t() == {name}(n,m)")


def test_tensors_of_any_name_survive_repr() -> None:
    for name in ("flip", "reshap", "expanded", "t"):
        program = tensor(name, "(n,m)").flip(0)
        assert eval(repr(program)).key() == program.key()
        assert eval(repr(program == program)) == (program == program)


@needs("plans")
def test_plan_takes_operations_as_the_command_does() -> None:
    """`plan("q(4,6)", "view(24)")` made a tensor named view."""
    copies = plan("q(4,6)", "view(24)", "t().flatten()").copies
    assert len(copies) == 1
    assert copies == plan("q(4,6).reshape(24)", "q(4,6).permute(1,0).reshape(24)").copies


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("x(B,S,H,D).transpose(1, 2)", "permute(0,2,1,3)"),
        ("x(B,S,H,D).transpose(-1, dim1=-2)", "permute(0,1,3,2)"),
        ("x(B,S,H,D).flatten(0, 1)", "reshape(B*S,H,D)"),
        ("x(B,S,H,D).flatten(start_dim=2)", "reshape(B,S,D*H)"),
        ("x(B,H*D).unflatten(-1, (H, -1))", "reshape(B,H,D)"),
        ("x(B,H*D).unflatten(dim=1, sizes=[H, D])", "reshape(B,H,D)"),
        ("x(n,m).t()", "permute(1,0)"),
        ("x(1,4,1).squeeze()", "reshape(4)"),
        ("x(1,n,1).squeeze((0, 2))", "reshape(n)"),
        ("x(n,m).unsqueeze(-1)", "reshape(n,m,1)"),
        ("x(a,b,c).movedim(0, -1)", "permute(1,2,0)"),
        ("x(a,b,c).movedim((0, 1), [2, 0])", "permute(1,2,0)"),
        ("x(n,1).expand(2, -1, k)", "reshape(1,n,1).expand(2,n,k)"),
        ("x(n,m).narrow(1, o, 2)", "shrink((0,n),(o,o + 2))"),
        ("x(n,m).narrow(0, -1, 1)", "shrink((n - 1,n),(0,m))"),
        ("x(B,3*D).chunk(3, dim=-1)[2]", "shrink((0,B),(2*D,3*D))"),
        ("x(7).chunk(4)[3]", "shrink((6,7))"),
        ("x(B,3*D).split(D, 1)[0]", "shrink((0,B),(0,D))"),
        ("x(q + 2*k).split([q, k, k])[-1]", "shrink((k + q,2*k + q))"),
        ("x(n,m).view([m, n])", "reshape(m,n)"),
        ("x(n,m).permute(dims=(1, 0))", "permute(1,0)"),
        ("x(n,m).contiguous()", "contiguous()"),
    ],
)
def test_words_of_pytorch(word: str, meant: str) -> None:
    assert str(Program.parse(word)).split(").", 1)[1] == meant


@pytest.mark.parametrize(
    ("word", "sizes"),
    [("x(1,n)[0]", "(n)"), ("x(1,1)[0, -1]", "()"), ("x(3,n)[2:][0]", "(n)"), ("x(n,1)[:, 0]", "(n)")],
)
def test_an_index_of_a_dim_of_size_1_takes_the_dim_away(word: str, sizes: str) -> None:
    assert Program.parse(word).shape == read_shape(sizes)


def test_slices_backwards_do_not_count_from_the_end_below_0() -> None:
    """For Python x[:-1:-1] has no index; the normal form of names would have all."""
    assert [to_text(t) for t in Program.parse("x(n)[:k:-1]").declared] == ["k >= 0"]
    with pytest.raises(NotationError, match=r"the stop n - k of a slice backwards"):
        Program.parse("x(n)[:n-k:-1]")


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("x(n,m).squeeze()", "whether n, the size of dim 0, is 1 is not known"),
        ("x(n).chunk(2)[0]", "write narrow"),
        ("x(n).split(4)[0]", "write narrow"),
        ("x(n).split([2,3])[0]", "whose sum is n"),
        ("x(7).split(3)[3]", "has 3 parts"),
        ("x(7).split(3)", "has 3 parts"),
        ("x(7).flip(0)[7]", "index 7 of a dim of size 7"),
        ("x(7).flip(0)[1, 2]", "2 slices of a tensor of 1 dims"),
        ("x(7).flip(0)[::0]", "a slice with step 0"),
        ("x(7)[:, None].flip(0)", "a slice has no new dims"),
        ("x(n).flip(0)[-2:-3]", "0 <= lo <= hi <= n"),
        ("x(n)[1:n+1].flip(0)", "0 <= lo <= hi <= n"),
        ("x(n)[-2:-3][::-1]", "0 <= lo <= hi <= n"),
        ("x(...,7)[0].flip(0)", "of a program with further dims"),
        ("x(2,3).flatten(1,0)", "comes after"),
        ("x(2,3,4).t()", "transpose"),
        ("x(6).unflatten(0,(4,2))", "differ"),
        ("x(2,3).transpose(0,2)", "axes 0..1"),
        ("x(2,3).movedim((0,0),(0,1))", "given twice"),
        ("x(3).expand(-1,3)", "-1 is not a size"),
        ("x(2,3).narrow(0,1,2)", "lo <= hi <= 2"),
        ("x(2,3).transpose(dim=0)", "does not take the keyword dim"),
        ("x(2,3).clone()", "no operation 'clone': write contiguous"),
    ],
)
def test_words_raise_where_pytorch_does_or_names_decide(word: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        Program.parse(word)


@needs("plans")
def test_contiguous_in_a_plan_is_row_major() -> None:
    assert plan("x(4,6)", "t().contiguous().view(24)").layouts["x"].strides == (1, 4)
    assert plan("x(n,m)", "t().contiguous()").conditions.holds({"n": 4, "m": 6, "t0": 1, "t1": 4})
    assert not plan("x(n,m)", "t().contiguous()").conditions.holds({"n": 4, "m": 6, "t0": 2, "t1": 8})
    both = plan("x(4,6)", "contiguous()", "t().contiguous()")
    assert (both.weight, both.optimal) == (24, "proved")
    assert plan("x(4,6)", "narrow(1,0,3).contiguous()").copies


@needs("plans")
def test_a_unit_dim_of_names_is_inside_all_others() -> None:
    """The search for strides gave up: "no strides were found among small ones"."""
    found = plan("q(B,S)", "permute(1,0).reshape(B*S)", unit="S")
    assert found.copies == ("q(B,S).permute(1,0).reshape(B*S)",)
    assert plan("q(B,S)", "permute(1,0).reshape(B*S)", unit="B")


@needs("plans")
@pytest.mark.parametrize(
    "text", ["swapaxes(0,1).flatten()", "Select(0,1).flip(0)", "repeat(2,2).flip(0)", "RESHAPE(24).flip(0)"]
)
def test_words_of_other_libraries_are_no_further_tensors(text: str) -> None:
    with pytest.raises(InputError, match=r"no operation|not an operation"):
        plan("q(4,6)", text)


@needs("plans")
def test_what_to_write_for_words_of_other_libraries() -> None:
    with pytest.raises(InputError, match="no operation 'swapaxes': write transpose"):
        plan("q(4,6).flip(0).swapaxes(0,1)")
    assert plan("swapaxes(4,6).flip(0)")  # a first tensor may have any name that is not an operation's
