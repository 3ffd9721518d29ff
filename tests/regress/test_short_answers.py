"""Answers are as short as they were: each pattern with the literals and the text of its condition, in a table.

Where an answer gets shorter, or a pattern is added, write the table anew and look at what changed:

    PYTHONPATH=. python tests/regress/test_short_answers.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # where the table is written

from oracle.reshape_patterns import PATTERNS

from symview import Conditions, View, conditions, reshape_conditions
from symview.logic.notation import parse_statement, term_text
from symview.logic.terms import comparisons
from symview.show.formulas import headline
from symview.view_notation import read_shape

TABLE = Path(__file__).with_suffix(".tsv")
RESHAPES = """\
(h,w):(s,t) -> (h//7,7,w//7,7)
(b,h,w,c) -> (b,h//7,7,w//7,7,c)
(b,h,w,c) -> (b,h//p,p,w//p,p,c)
(h,w):(s,t) -> (h//p,p,w//q,q)
(a,b,c) -> (a//2,2,b//3,3,c//5,5)
(h,w):(s,t) -> (h//7,7,w//7,7) given h >= 0
(n):(t) -> (n//m,m)
(n+1):(t) -> (2,(n+1)//2)
(2*n) -> (n//3,6)
(6*n):(t) -> (4,-1)
(9*n+6):(t) -> (6,-1)
(a,b):(s,t) -> (a//4,4*b)
(a,b):(s,t) -> (b//2,2*a)
(a,b):(s,t) -> (a*b//6,6)
(a,b,c):(s,t,u) -> (a*b//4,4*c)
(a,b):(2*t,t) -> (a*b)
(a,b):(c*t,t) -> (a*b)
(a,b,c):(x*y,y,1) -> (a*b*c)
(a,b,c,d):(b*c*d,1,b*d,b) -> (a,b*c*d)
(n,m):(s,t) -> (m,n) given n <= m
(n,m):(s,t) -> (m,n) given n >= 2 and m >= 2
(n,3):(s,t) -> (3*n) given n >= 0 and n <= 1
(n,m):(s,t) -> (n,m//2,2) given n >= 0 and m >= 0
(n):(t) -> (n%4+1)
(n,16,d):(t0,d,1) -> (n,8,2*d)
(A,b):(m*b,1) -> (A*b)
(B,S,D):(S*D,D,1) -> (B,S,8,-1)
(B,S,D):(t0,t1,t2) -> (B,S,8,-1)
(B,S,D):(t0,t1,t2) -> (B*S,8,D//8)
(B,S,D):(t0,t1,t2) -> (B*S,8,D//8) given D % 8 == 0
(B,S,D):(t0,t1,t2) -> (-1,3)
(B,S,H,64):(S*H*64,64,S*64,1) -> (B,S,H*64)
(B,H,S,D):(H*S*D,D,H*D,1) -> (B,S*H,D)
(B,S,3*H*D):(3*S*H*D,3*H*D,1) -> (B,S,3,H,D)
(B,S,H,D):(3*S*H*D,3*H*D,D,1) -> (B,S,H*D)
(B,S,H,D):(3*S*H*D,3*H*D,D,1) -> (B*S,H*D)
(B,S,64):(S*128,128,1) -> (B*S,64)
(B,C,H,W):(C*H*W,H*W,W,1) -> (B,C*H*W)
(B,C,H,W):(C*H*W,1,W*C,C) -> (B,H*W,C)
(B,C,H,W):(C*H*W,1,W*C,C) -> (B,C,H*W)
(b,c,2*h,2*w):(s,t,u,v) -> (b,4*c,h,w)
(a,b,c,d,e):(t0,t1,t2,t3,t4) -> (a*b*c*d*e)
(b,c,h,w):(c*h*w,1,w*c,c) -> (b,h*w*c)
(b,c,h,w):(c*h*w,1,w*c,c) -> (b*h*w,c)
(B,S,H,D):(S*H*D,D,S*D,1) -> (B*S,H*D)
(n,k):(2*k,1) -> (n*k) given k >= 0
(1,1,n,1):(36960,4620,1,330) -> (n)
(s*7,6):(a,b) -> (s,42)"""
MERGES = """\
(10,3,3):(a,b,c) | (s):(4)
(10,3,3):(a,b,c) | (s):(4) given s >= 2
(10,3,3):(a,b,c) | (4):(t)
(10,3,3):(a,b,c) | (n,m):(3,1)
(10,3,3):(a,b,c) | (s,t):(4,1)
(10,3,3):(a,b,c) | (3,2):(t,u)
(6,6):(a,b) | (3,3):(t,u)
(4,6,8):(a,b,c) | (6):(3)
(64):(a) | (n):(t)
(N):(s) | (k):(4)
(N,3):(s,t) | (k):(2)
(N,3,2):(a,b,c) | (n):(3)
(N,Q):(s,t) | (k):(2)
(N,Q):(s,t) | (k):(Q)
(N,Q):(s,t) | (k):(Q) given k >= 0
(N,Q):(s,t) | (k):(Q+1)
(N,Q):(s,t) | (k,l):(Q,1)
(N,M):(a,b) | (m,n):(1,M)
(N,M,K):(a,b,c) | (n):(K)
(N,M,K):(a,b,c) | (n,m):(K,1)
(N,M,K):(a,b,c) | (n,m,k):(M*K,K,1)"""
MASKS = """\
(100,32,2):(32,1,0) [0:100,0:32,0:1] | (1,8,1,32):(0,0,0,2)+64*p
(100,32,2):(32,1,0) [0:100,0:32,0:1] | (1,8,1,32):(0,0,0,2)+64*p given 0 <= p and p < 100
(100,32,2):(32,1,0) [a:b,0:32,0:1] | (1,8,1,32):(0,0,0,2)+64*p
(100,32,2):(32,1,0) [0:100,0:32,0:1] | (1,8,1,32):(0,0,0,2)+p
(n+2*p):(1)-p [p:n+p] | (n):(1)+p
(n+2*p):(1)-p [p:n+p] | (k):(1)+o
(n+2*p):(1)-p [p:n+p] | (k):(1)+o given p >= 0
(h+2*p,w+2*p):(w,1)-p*w-p [p:h+p,p:w+p] | (h*w+2*h*p+2*p*w+4*p*p):(1)
(h+2*p,w+2*p):(w,1)-p*w-p [p:h+p,p:w+p] | (h,w+2*p):(w+2*p,1)+(w+2*p)*p
(A,B):(s,t) [a:b,c:d] | (A*B):(1)
(A*B):(s) [a:b] | (A,B):(B,1)
(4,6):(s,t) | (n):(1)-2 [2:n]
(4,6):(s,t) | (9):(2)-a [a:b]
(2,4):(s,t) [0:2,0:3] | (n):(2)
(2+p,M,2):(a,b,c) [0:2,0:M,0:2] | (4*M+2*M*p):(1)
(2+q,N+q):(s,t) [0:2,0:N] | (2+q,N+q-k):(N+q,1)+k
(n+p,m+q):(a,b) [0:n,0:m] | (l,h):(m+q,1)
(n+p,m+q):(a,b) [0:n,0:m] | (l,h):(m+q,1) given h <= m+q
(3,3):(s,t) [a:3,0:3] | (4,3):(-2,-u)+8 [a:a+1,0:3]
(2,5,2):(a,b,c) [k:2,0:4,1:2] | (4):(-u) [1:3]
(2,3,4):(s,t,u) [0:2,0:b,0:4] | (4):(1)+o
(4,N):(s,t) [3:4,0:N] | (n):(u)+7
(3,N):(s,t) [0:2,0:N] | (3):(2*u)
(4,6):(s,t) [1:3,0:6] | (n):(u)
(4,N):(s,t) [1:4,0:N] | (2,N):(N,1) | (2*N-i):(1)+i
(4,N):(s,t) [1:a,0:N] | (N,4):(1,N) | (4*N):(1)"""


class Row(NamedTuple):
    """A question, and its answer with the number of comparisons in it."""

    literals: int
    question: str
    answer: str


def questions() -> Iterator[str]:
    for pattern in PATTERNS:
        reshape = pattern.reshape()
        given = " and ".join(reshape.assume)
        yield f"{reshape.view} -> ({','.join(reshape.shape)}){given and f' given {given}'}"
    yield from RESHAPES.splitlines()
    yield from MERGES.splitlines()
    yield from MASKS.splitlines()


def ask(question: str) -> Conditions:
    text, _, given = question.partition(" given ")
    if "->" in text:
        view, shape = text.split(" -> ")
        return reshape_conditions(View.parse(view), read_shape(shape), assume=given or ())
    return conditions(*map(View.parse, text.split(" | ")), assume=given or ())


def row(question: str) -> Row:
    data = ask(question).data
    formulas = data.clauses if data.clauses is not None else [f for c in data.lines() for f in (c.where, *c.required)]
    return Row(sum(1 for f in formulas for _ in comparisons(f)), question, headline(data).replace("\n", "; "))


def table() -> list[Row]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [Row(int(count), *texts) for count, *texts in (line.split("\t") for line in lines)]


def test_the_table_is_of_these_questions() -> None:
    assert [r.question for r in table()] == list(questions())


@pytest.mark.sampled
@pytest.mark.parametrize("told", table() if TABLE.exists() else (), ids=lambda r: r.question)
def test_an_answer_is_as_short_as_it_was(told: Row) -> None:
    assert row(told.question) == told


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        ("(h,w):(s,t) -> (h//7,7,w//7,7)", ["h % 7 == 0", "w % 7 == 0"]),
        ("(4*n):(t) -> (6,-1)", ["n % 3 == 0"]),
        ("(a,a,a):(s,t,u) -> (a*a*a)", ["a == 1 or s == a*t and t == a*u"]),
        ("(2,n,3):(s,t,u) -> (3,n,2)", ["s == 3*n*u", "n == 1 or t == 3*u"]),
        ("(a,b):(s,t) -> (a*b) given a >= 0 and b >= 0", ["a <= 1 or b <= 1 or s == b*t"]),
        ("(N,Q):(s,t) | (k):(Q)", ["k <= N"]),
        ("(n+2*p,m):(a,b)-a*p [p:n+p,0:m] -> ((n+2*p)*m) given p >= 0", ["n == 1 or m == 1 or a == m*b"]),
        ("(n,m):(a,b) [p:q,0:m] -> (n*m)", ["q <= p + 1 or m == 1 or a == m*b"]),
        (
            "(4,6):(a,b) | (n,m):(6,1) | (n*m):(1) given m >= 2",
            ["6*n + m <= 30", "n == 1 or a == b*m", "m <= 6 or a == 6*b"],
        ),
        (
            "(2,3,4):(a,b,c) | (n,m):(4,1) | (m,n):(1,m)",
            ["4*n + m <= 28", "4*n + m <= 16 or a == 3*b", "m <= 4 or b == 4*c"],
        ),
    ],
)
def test_what_a_person_would_write(question, clauses) -> None:
    found = ask(question).data.clauses or ()
    assert [term_text(c) for c in found] == [term_text(parse_statement(c)) for c in clauses]


if __name__ == "__main__":
    TABLE.write_text("".join("\t".join(map(str, row(q))) + "\n" for q in questions()), encoding="utf-8")
