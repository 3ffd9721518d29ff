"""Rules of movement operations: for all sizes, and with `...` in the shapes at every rank.

A rule is about the sizes at which its left side is defined; sizes are positive. The structure rules are those that
TensorRight (POPL 2025) states for XLA (slice, pad, concat, reverse, broadcast, transpose, iota, dynamic slice; an iota
is a tensor read with stride 0 along the other dims, a dynamic slice a shrink by a name). Those on reshape, bitcast and
strides are from XLA's algebraic simplifier, tinygrad and PyTorch, and can be stated here since a program has place
values. The false ones are refuted at the smallest sizes, by their sum, and the smallest index.
"""

from __future__ import annotations

import pytest

from symview import Refuted, prove
from symview.rules import checked, theorem

XLA = "XLA: algebraic_simplifier.cc"
TENSORRIGHT = "TensorRight (POPL 2025), rules of XLA's algebraic simplifier"
TINYGRAD = "tinygrad: movement operations of the scheduler"


# Permutations, reverses


@theorem(source=f"{XLA}, HandleTranspose")
def test_transpose_of_transpose():
    """Transposes compose."""
    yield "x(n,m).permute(1,0).permute(1,0) == x(n,m)"
    yield "x(n,m,k).permute(1,2,0).permute(2,1,0) == x(n,m,k).permute(0,2,1)"
    yield "x(a,b,c,d).permute(3,1,0,2).permute(2,1,3,0) == x(a,b,c,d)"
    yield "x(...,n,m).permute(-1,-2).permute(-1,-2) == x(...,n,m)"


@theorem(source=TENSORRIGHT)
def test_reverse_of_reverse():
    """A reverse undoes a reverse."""
    yield "x(n,m).flip(0,1).flip(1) == x(n,m).flip(0)"
    yield "x(...,n).flip(...,-1).flip(...) == x(...,n).flip(-1)"
    yield "x(1,n).flip(0) == x(1,n)"


@theorem(source=TENSORRIGHT)
def test_reverse_of_transpose():
    """A reverse moves through a transpose."""
    yield "x(n,m).permute(1,0).flip(0) == x(n,m).flip(1).permute(1,0)"
    yield "x(...,n,m).permute(-1,-2).flip(-1) == x(...,n,m).flip(-2).permute(-1,-2)"


@theorem(source="the ravels of an index and of its reverse add up to the last address")
def test_reverse_of_reshape():
    """A reverse of all dims of a reshape."""
    yield "x(n,m).reshape(n*m).flip(0) == x(n,m).flip(0,1).reshape(n*m)"
    yield "x(a,b,c,d).flip(0,1,2,3).reshape(a*b,c*d) == x(a,b,c,d).reshape(a*b,c*d).flip(0,1)"
    yield "x(...,n).flip(...,-1).reshape(...*n) == x(...,n).reshape(...*n).flip(0)"


# Slices


@theorem(source=TENSORRIGHT)
def test_slice_of_slice():
    """Slices compose."""
    yield "x(n).slice(a,b,s).slice(0,(b - a + s - 1)//s,t) == x(n).slice(a,b,s*t)"
    yield "x(n).shrink((a,b)).shrink((c,d)) == x(n).shrink((a + c,a + d))"
    yield "x(n,m).slice((0,0),(n,m),(2,3)).slice((0,0),((n+1)//2,(m+2)//3),(2,2)) == x(n,m).slice((0,0),(n,m),(4,6))"
    yield "x(...s,n).shrink((...a,...b),(0,n)).shrink((...c,...d),(0,n)) == x(...s,n).shrink((...a+c,...a+d),(0,n))"


@theorem(source=TENSORRIGHT)
def test_whole_slice():
    """A slice of the whole changes nothing."""
    yield "x(n,m).slice((0,0),(n,m),(1,1)) == x(n,m)"
    yield "x(...,n).shrink((0,n)) == x(...,n)"
    yield "x(n).slice(0,1,s) == x(n).shrink((0,1))"


@theorem(source=TENSORRIGHT)
def test_slice_moves():
    """A slice moves through a transpose, a reverse, a broadcast."""
    yield "x(n,m).permute(1,0).slice((a,b),(c,d),(s,t)) == x(n,m).slice((b,a),(d,c),(t,s)).permute(1,0)"
    yield "x(n).flip(0).shrink((a,b)) == x(n).shrink((n - b,n - a)).flip(0)"
    yield "x(1,m).expand(n,m).shrink((a,b),(c,d)) == x(1,m).shrink((0,1),(c,d)).expand(b - a,d - c)"
    yield "x(n*s).slice(0,n*s,s).flip(0) == x(n*s).flip(0).slice(s - 1,n*s,s)"


@theorem(source=TENSORRIGHT)
def test_slice_of_concat():
    """A slice of one part of a concat."""
    yield "x(n).concat(y(m),0).shrink((0,n)) == x(n)"
    yield "x(n).concat(y(m),0).shrink((n,n + m)) == y(m)"
    yield "x(n,k).concat(y(m,k),0).shrink((n + a,n + b),(0,k)) == y(m,k).shrink((a,b),(0,k))", "a >= 0"
    yield "x(...,n).concat(y(...,m),-1).shrink((0,n)) == x(...,n)"


@theorem(source=TENSORRIGHT)
def test_slice_of_pad():
    """A slice takes back a pad."""
    yield "x(n).pad((a,b)).shrink((a,a + n)) == x(n)"
    yield "x(n).pad((a,b)).shrink((c,a + n)) == x(n).pad((a - c,0))", "c <= a"
    yield "x(...s,n).pad((...a,...b),(0,0)).shrink((...a,...a+s),(0,n)) == x(...s,n)"
    yield "x(n).pad((a,b)).shrink((0,a)) == y(n).pad((a,0)).shrink((0,a))"


@theorem(source=f"{TENSORRIGHT}; {XLA}, HandleDynamicSlice")
def test_dynamic_slices():
    """A dynamic slice adds its starts."""
    yield "x(n).shrink((i,i + a)).shrink((j,j + b)) == x(n).shrink((i + j,i + j + b))"
    yield "x(n,m).permute(1,0).shrink((i,i + a),(j,j + b)) == x(n,m).shrink((j,j + b),(i,i + a)).permute(1,0)"
    yield "x(n,m).shrink((i,i + 1),(0,m)).reshape(m) == x(n,m).reshape(n*m).shrink((i*m,i*m + m))"
    updated = "x(n).shrink((0,i)).concat(u(k),0).concat(x(n).shrink((i + k,n)),0)"
    yield f"{updated}.shrink((i,i + k)) == u(k)"
    yield f"{updated}.shrink((0,i)) == x(n).shrink((0,i))", "i + k <= n"


# Pads


@theorem(source=TENSORRIGHT)
def test_pad_of_pad():
    """Pads add."""
    yield "x(n).pad((a,b)).pad((c,d)) == x(n).pad((a + c,b + d))"
    yield "x(n,m).pad((a,0),(0,0)).pad((0,0),(0,b)) == x(n,m).pad((a,0),(0,b))"
    yield "x(...,n).pad((...a,...b),(0,0)).pad((...c,...d),(0,0)) == x(...,n).pad((...a+c,...b+d),(0,0))"
    yield "x(n).pad((0,0)) == x(n)"


@theorem(source=TENSORRIGHT)
def test_pad_moves():
    """A pad moves through a transpose, a reverse."""
    yield "x(n,m).permute(1,0).pad((a,b),(c,d)) == x(n,m).pad((c,d),(a,b)).permute(1,0)"
    yield "x(n).flip(0).pad((a,b)) == x(n).pad((b,a)).flip(0)"
    yield "x(1,m).expand(n,m).pad((0,0),(a,b)) == x(1,m).pad((0,0),(a,b)).expand(n,m + a + b)"
    yield "x(...,n).flip(...).pad((...a,...b),(0,0)) == x(...,n).pad((...b,...a),(0,0)).flip(...)"


@theorem(source=TINYGRAD)
def test_pad_and_reshape():
    """Whole rows of padding stay whole in a reshape."""
    yield "x(n,B).pad((p,q),(0,0)).reshape((p + n + q)*B) == x(n,B).reshape(n*B).pad((p*B,q*B))"
    yield "x(n,a,b).pad((p,q),(0,0),(0,0)).reshape(p + n + q,a*b) == x(n,a,b).reshape(n,a*b).pad((p,q),(0,0))"
    yield "x(n,m).pad((0,0),(0,1)).reshape(n,m + 1,1) == x(n,m).reshape(n,m,1).pad((0,0),(0,1),(0,0))"
    yield "x(n*B).pad((p,q)).reshape(N,B) == x(n*B).reshape(n,B).pad((p//B,q//B),(0,0))", ["p % B == 0", "q % B == 0"]


# Concats


@theorem(source=TENSORRIGHT)
def test_concat_moves():
    """A concat moves through a transpose, a reverse."""
    yield "x(n,k).concat(y(m,k),0).permute(1,0) == x(n,k).permute(1,0).concat(y(m,k).permute(1,0),1)"
    yield "x(n).concat(y(m),0).flip(0) == y(m).flip(0).concat(x(n).flip(0),0)"
    yield "x(n,k).concat(y(m,k),0).flip(1) == x(n,k).flip(1).concat(y(m,k).flip(1),0)"
    yield "x(...,n).concat(y(...,m),-1).flip(...,-1) == y(...,m).flip(-1).concat(x(...,n).flip(-1),-1).flip(...)"


@theorem(source=TENSORRIGHT)
def test_concat_of_concat():
    """Concats nest either way."""
    yield "x(n).concat(y(m),0).concat(z(k),0) == x(n).concat(y(m).concat(z(k),0),0)"
    yield "x(...,n).concat(y(...,m),-1).concat(z(...,k),-1) == x(...,n).concat(y(...,m).concat(z(...,k),-1),-1)"


@theorem(source=f"{XLA}, HandleConcatenate")
def test_concat_of_slices():
    """The parts of a tensor, joined, are the tensor."""
    yield "x(n).shrink((0,a)).concat(x(n).shrink((a,n)),0) == x(n)"
    yield "x(n).shrink((a,b)).concat(x(n).shrink((b,c)),0) == x(n).shrink((a,c))"
    yield "x(n,m).shrink((0,n),(0,a)).concat(x(n,m).shrink((0,n),(a,m)),1) == x(n,m)"


@theorem(source=f"{XLA}, HandleReshape")
def test_concat_and_reshape():
    """A concat along the leading dim through a reshape."""
    yield "x(n,k).concat(y(m,k),0).reshape((n + m)*k) == x(n,k).reshape(n*k).concat(y(m,k).reshape(m*k),0)"
    yield "x(n).reshape(1,n).concat(y(n).reshape(1,n),0).reshape(2*n) == x(n).concat(y(n),0)"


@theorem(source=f"{XLA}, HandleConcatenate")
def test_concat_and_pad():
    """A concat with padding is a pad."""
    yield "x(n).concat(y(m).pad((0,k)),0) == x(n).concat(y(m),0).pad((0,k))"
    yield "x(n).pad((k,0)).concat(y(m),0) == x(n).concat(y(m),0).pad((k,0))"


# Broadcasts, iota


@theorem(source=TENSORRIGHT)
def test_broadcast():
    """Broadcasts compose."""
    yield "x(1,1).expand(n,1).expand(n,m) == x(1,1).expand(n,m)"
    yield "x(1,m).expand(n,m).permute(1,0) == x(1,m).permute(1,0).expand(m,n)"
    yield "x(1,m).expand(n,m).flip(0) == x(1,m).expand(n,m)"
    yield "x(...,1).expand(...,n).flip(-1) == x(...,1).expand(...,n)"
    yield "x(1,m).expand(n,m).reshape(n*m).reshape(n,m).flip(1) == x(1,m).flip(1).expand(n,m)"
    yield "x(1,k).expand(n*m,k).reshape(n,m,k) == x(1,k).reshape(1,1,k).expand(n,m,k)"


@theorem(source=TENSORRIGHT)
def test_iota():
    """An iota counts along one dim."""
    yield "t(n).read((n,m):(1,0)) == t(n).reshape(n,1).expand(n,m)"
    yield "t(n).read((n,m):(1,0)).permute(1,0) == t(n).read((m,n):(0,1))"
    yield "t(n).read((n,m):(1,0)).flip(1) == t(n).read((n,m):(1,0))"
    yield "t(n).read((n):(1)).flip(0) == t(n).read((n):(-1)+n-1)"
    yield "t(n).read((n,m):(1,0)).shrink((a,b),(0,m)) == t(n).shrink((a,b)).reshape(b - a,1).expand(b - a,m)"


# Reshapes


@theorem(source=f"{XLA}, HandleReshape")
def test_reshape_of_reshape():
    """A reshape of a reshape."""
    yield "x(n,m,k).reshape(n*m,k).reshape(n,m*k) == x(n,m,k).reshape(n,m*k)"
    yield "x(n,m).reshape(n*m).reshape(n,m) == x(n,m)"
    yield "x(a,b,c,d,e,f).reshape(a*b*c*d*e*f).reshape(a,b,c,d,e,f) == x(a,b,c,d,e,f)"
    yield "x(N).reshape(a,b).reshape(c,d) == x(N).reshape(c,d)"
    yield "x(...,n).reshape(...*n).reshape(...,n) == x(...,n)"


@theorem(source=f"{XLA}, HandleTranspose and ReshapeIsBitcast")
def test_transpose_as_reshape():
    """A transpose that is a bitcast."""
    yield "x(n,1,m).permute(1,0,2) == x(n,1,m).reshape(1,n,m)"
    yield "x(1,n,1).permute(2,1,0) == x(1,n,1)"
    yield "x(n,m).read((m,n):(1,m)) == x(n,m).permute(1,0)"
    yield "x(n,m).reshape(1,n,m).permute(1,2,0).reshape(n,m) == x(n,m)"


@theorem(source=f"{XLA}, HandleReshape; {TINYGRAD}")
def test_transpose_of_merged():
    """A transpose of merged dims."""
    yield "x(a,b,c).reshape(a*b,c).permute(1,0).reshape(c,a,b) == x(a,b,c).permute(2,0,1)"
    yield "x(a,b,c,d).reshape(a*b,c*d).permute(1,0).reshape(c,d,a,b) == x(a,b,c,d).permute(2,3,0,1)"
    yield "x(a,b,c).permute(0,2,1).reshape(a*c,b) == x(a,b,c).permute(0,2,1).reshape(a,c,b).reshape(a*c,b)"
    yield "x(...,n,m).permute(-1,-2).reshape(...,m*n).reshape(...,m,n).permute(-1,-2) == x(...,n,m)"


@theorem(source=TINYGRAD)
def test_slice_of_merged():
    """Slices of merged dims."""
    yield "x(n,m).reshape(n*m).shrink((a*m,b*m)) == x(n,m).shrink((a,b),(0,m)).reshape((b - a)*m)"
    yield "x(n*s).slice(0,n*s,s) == x(n*s).reshape(n,s).shrink((0,n),(0,1)).reshape(n)"
    yield "x(n*s).slice(k,n*s,s) == x(n*s).reshape(n,s).shrink((0,n),(k,k + 1)).reshape(n)", "0 <= k < s"
    yield "x(n).pad((0,p)).reshape(q,s).shrink((0,q),(0,1)).reshape(q) == x(n).pad((0,p)).slice(0,q*s,s)"


# Strides


@theorem(source="View: an index lies at offset + Σ i·σ; tinygrad, PyTorch as_strided")
def test_reads():
    """A tensor read with strides."""
    yield "x(n,m).read((n,m):(m,1)) == x(n,m)"
    yield "x(n,m,k).read((k,n,m):(1,m*k,k)) == x(n,m,k).permute(2,0,1)"
    yield "x(n,m).read((n,m):(-m,-1)+n*m-1) == x(n,m).flip(0,1)"
    yield "x(n,m).read((n):(m+1)) == x(n,m).reshape(n*m).slice(0,n*m,m + 1)", "n == m"
    yield "x(n).read((a,b):(b,1)) == x(n).shrink((0,a*b)).reshape(a,b)"
    yield "x(N).read((a,b):(s,t)+o).permute(1,0) == x(N).read((b,a):(t,s)+o)"
    yield "x(N).read((a,b):(s,t)+o).flip(0) == x(N).read((a,b):(-s,t)+o+(a-1)*s)"
    yield "x(N).read((a,b):(b*t,t)+o).reshape(a*b) == x(N).read((a*b):(t)+o)"
    yield "x(N).read((a,b):(s,t)+o).shrink((i,a),(j,b)) == x(N).read((a-i,b-j):(s,t)+o+i*s+j*t)"
    yield "x(N).read((a):(s)+o).slice(0,a,2) == x(N).read(((a+1)//2):(2*s)+o)"


@theorem(source="tinygrad's and PyTorch's unfold: overlapping windows as strides")
def test_windows():
    """Windows."""
    yield "x(n).read((w,n-w+1):(1,1)).permute(1,0) == x(n).read((n-w+1,w):(1,1))", "w <= n"
    yield "x(n).read((n-w+1,w):(1,1)).shrink((0,n-w+1),(0,1)).reshape(n-w+1) == x(n).shrink((0,n-w+1))", "w <= n"


@theorem(source="View: bounds of the valid indices")
def test_masks():
    """A mask is a pad."""
    yield "x(n).read((n+a+b):(1)-a [a:a+n]) == x(n).pad((a,b))", ["a >= 0", "b >= 0"]
    yield "x(n).read((n):(1) [a:b]) == x(n).shrink((a,b)).pad((a,n - b))"
    yield "x(n,m).read((n,m+1):(m,1) [0:n,0:m]) == x(n,m).pad((0,0),(0,1))"


# What is wrong

WRONG = {
    "a transpose is no reshape": ("x(n,m).permute(1,0) == x(n,m).reshape(m,n)", {"n": 2, "m": 2}, (0, 1)),
    "transposes do not compose backwards": (
        "x(n,m,k).permute(1,2,0).permute(1,2,0) == x(n,m,k)",
        {"n": 1, "m": 1, "k": 2},
        None,
    ),
    "a transpose is not seen through a merge": (
        "x(n,m).permute(1,0).reshape(n*m) == x(n,m).reshape(n*m)",
        {"n": 2, "m": 2},
        (1,),
    ),
    "a reverse of one dim is not one of the merged dim": (
        "x(n,m).flip(1).reshape(n*m) == x(n,m).reshape(n*m).flip(0)",
        {"n": 2, "m": 1},
        (0,),
    ),
    "a reverse changes something": ("x(n).flip(0) == x(n)", {"n": 2}, (0,)),
    "a reverse keeps its pad in place": (
        "x(n).pad((a,b)).flip(0) == x(n).flip(0).pad((a,b))",
        {"n": 1, "a": 0, "b": 1},
        (0,),
    ),
    "a reverse keeps its bounds": (
        "x(n).flip(0).shrink((a,b)) == x(n).shrink((a,b)).flip(0)",
        {"n": 2, "a": 0, "b": 1},
        (0,),
    ),
    "a reverse keeps the order of a concat": (
        "x(n).concat(y(m),0).flip(0) == x(n).flip(0).concat(y(m).flip(0),0)",
        {"n": 1, "m": 1},
        (0,),
    ),
    "a strided slice starts at the same end": (
        "x(n).slice(0,n,s).flip(0) == x(n).flip(0).slice(0,n,s)",
        {"n": 2, "s": 2},
        (0,),
    ),
    "steps of slices add": (
        "x(n).slice(0,n,s).slice(0,(n+s-1)//s,t) == x(n).slice(0,n,s+t)",
        {"n": 2, "s": 1, "t": 1},
        None,
    ),
    "a slice of a slice forgets its start": (
        "x(n).shrink((a,n)).shrink((b,c)) == x(n).shrink((b,c))",
        {"n": 2, "a": 1, "b": 0, "c": 1},
        (0,),
    ),
    "a slice forgets that it cuts off": ("x(n).slice(0,n,s) == x(n).slice(0,n-n%s,s)", {"n": 1, "s": 2}, None),
    "a pad is taken back from the wrong end": ("x(n).pad((a,b)).shrink((0,n)) == x(n)", {"n": 1, "a": 1, "b": 0}, (0,)),
    "a pad after a slice restores": ("x(n).shrink((a,n)).pad((a,0)) == x(n)", {"n": 1, "a": 1}, (0,)),
    "a pad goes through a reshape by its width": (
        "x(n,B).pad((p,0),(0,0)).reshape((p + n)*B) == x(n,B).reshape(n*B).pad((p,0))",
        {"n": 1, "B": 2, "p": 1},
        None,
    ),
    "padding inside rows is padding behind": (
        "x(n,m).pad((0,0),(0,1)).reshape(n*(m + 1)) == x(n,m).reshape(n*m).pad((0,n))",
        {"n": 2, "m": 1},
        (1,),
    ),
    "padding of a broadcast is broadcast": (
        "x(1,m).expand(n,m).pad((a,0),(0,0)) == x(1,m).expand(n + a,m)",
        {"m": 1, "n": 1, "a": 1},
        (0, 0),
    ),
    "a concat on the last dim is one of the flat tensors": (
        "x(n,k).concat(y(n,m),1).reshape(n*(k+m)) == x(n,k).reshape(n*k).concat(y(n,m).reshape(n*m),0)",
        {"n": 2, "k": 1, "m": 1},
        (1,),
    ),
    "a concat commutes": ("x(n).concat(y(n),0) == y(n).concat(x(n),0)", {"n": 1}, (0,)),
    "a slice across a concat": (
        "x(n).concat(y(m),0).shrink((a,b)) == x(n).shrink((a,b))",
        {"n": 1, "m": 1, "a": 0, "b": 2},
        None,
    ),
    "strides of a transpose are swapped sizes": (
        "x(n,m).read((m,n):(n,1)) == x(n,m).permute(1,0)",
        {"n": 2, "m": 2},
        (0, 1),
    ),
    "equal strides are one dim": (
        "x(N).read((a*b):(t)).reshape(a,b) == x(N).read((a,b):(t,t))",
        {"N": 4, "a": 2, "b": 2, "t": 1},
        (1, 0),
    ),
    "two dims are one whatever the outer stride": (
        "x(N).read((a,b):(s,1)).reshape(a*b) == x(N).read((a*b):(1))",
        {"N": 1, "a": 2, "b": 1, "s": 0},
        None,
    ),
    "a window moves by its width": (
        "x(n).read((n-w+1,w):(1,1)).shrink((0,1),(0,w)).reshape(w) == x(n).shrink((n-w,n))",
        {"n": 2, "w": 1},
        (0,),
    ),
    "a diagonal is a column": (
        "x(n,m).read((n):(m+1)) == x(n,m).shrink((0,n),(0,1)).reshape(n)",
        {"n": 2, "m": 2},
        (1,),
    ),
    "a reverse of all dims changes nothing": ("x(...,n).flip(...) == x(...,n)", {"...": 2, "n": 1}, (0, 0)),
    "all dims sliced to nothing, at no further dim": (
        "x(...s,n).shrink((...a,...a),(0,n)) == y(...s,n).shrink((...a,...a),(0,n))",
        {"n": 1},
        (0,),
    ),
    "a merge of all dims ignores a transpose": (
        "x(...,n,m).permute(-1,-2).reshape(...*n*m) == x(...,n,m).reshape(...*n*m)",
        {"...": 1, "n": 2, "m": 2},
        (1,),
    ),
}


@pytest.mark.parametrize("name", WRONG)
@checked("the smallest values and index", refutes=True)
def test_wrong_rules(name) -> None:
    """Refuted at the smallest values and the smallest index."""
    claim, values, index = WRONG[name]
    verdict = prove(claim)
    assert isinstance(verdict, Refuted)
    assert verdict.smallest
    assert (verdict.values, verdict.index) == (values, index)
