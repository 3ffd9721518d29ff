"""What is printed means the same where it is pasted: in C and Python, and as a statement in symview itself."""

from __future__ import annotations

import operator
import re
from math import gcd
from random import Random

from oracle.statement_brute import Meaning, NoValue
from symview import View, floor_sum, reshape_conditions
from symview.logic.notation import parse_statement, term_text
from symview.views.density import contiguous_conditions, injective_conditions
from symview.views.span import span_conditions

NAMES = ("c", "row", "C", "d1", "σ2")
_TOKEN = re.compile(r"\s*(\d+|\w+|<<|>>|//|[<>=!]=|[-+*%&|^~()<>])")
_LEVELS = (("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>"), ("+", "-"), ("*", "//", "%"))
_COMPARED = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
             ">=": operator.ge}  # fmt: skip


class InC:
    """The value of a text by the precedences of C, in which & | ^ bind less tightly than comparisons.

    // is the quotient that rounds down, which C does not have, where C has /.
    """

    def __init__(self, text, values):
        self.tokens, self.values, self.meaning = [*_TOKEN.findall(text), ""], values, Meaning()

    def value(self, level=0):
        if level == len(_LEVELS):
            return self.signed()
        left = self.value(level + 1)
        while (op := self.tokens[0]) in _LEVELS[level]:
            self.tokens.pop(0)
            right = self.value(level + 1)
            compare = _COMPARED.get(op)
            left = int(compare(left, right)) if compare else self.meaning.operation(op, left, right)
        return left

    def signed(self):
        token = self.tokens.pop(0)
        if token in ("-", "~"):
            return -self.signed() if token == "-" else ~self.signed()
        if token == "(":
            found = self.value()
            assert self.tokens.pop(0) == ")"
            return found
        return int(token) if token.isdigit() else self.values[token]


def expression(rng, depth):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(NAMES) if rng.random() < 0.7 else str(rng.randint(0, 9))
    a, b = (expression(rng, depth - 1) for _ in range(2))
    match rng.randrange(6):
        case 0:
            return f"({rng.choice('-~')}{a})"
        case 1:
            return f"({a} {rng.choice(['<<', '>>'])} {rng.choice('0123')})"
        case 2 | 3:
            return f"({a} {rng.choice('&|^')} {b})"
    return f"({a} {rng.choice(['+', '-', '*', '//', '%'])} {b})"


def test_a_printed_statement_means_the_same_in_c(effort):
    rng, differ = Random(11), 0
    for _ in range(int(1500 * effort)):
        text = f"{expression(rng, 3)} {rng.choice([*_COMPARED])} {expression(rng, 3)}"
        shown = term_text(parse_statement(text))
        for _ in range(4):
            values = {name: rng.randint(-5, 9) for name in NAMES}
            expected = Meaning().true_at(text, values)
            if expected is None:
                continue
            try:
                assert bool(InC(shown, values).value()) == expected, (text, shown, values)
                differ += bool(InC(text.replace("(", "").replace(")", ""), values).value()) != expected
            except NoValue:
                differ += 1  # only the text without its parentheses has no value
    assert differ > 100  # parentheses matter in many of them


def views(rng):
    """Views with names in sizes and strides, and numbers that make remainders and multiples."""
    sizes = ["n", *(rng.choice(["n", "m", "4", "2*n", "6"]) for _ in range(rng.randint(0, 2)))]
    strides = [rng.choice(["s", "t", "1", "4", "3*t", "n"]) for _ in sizes]
    return f"({','.join(sizes)}):({','.join(strides)})"


def questions(rng):
    view = views(rng)
    shape = View.parse(view).shape
    match rng.randrange(4):
        case 0:
            return contiguous_conditions(view)
        case 1:
            return injective_conditions(view)
        case 2:
            return span_conditions(view, storage=rng.choice(["N", "4*N", "100"]))
    flat = "*".join(f"({x})" for x in shape)
    wanted = rng.choice([f"({flat})", "(-1,4)", "(2,-1)", f"({flat},1)"])
    return reshape_conditions(view, wanted)


def said_at(printed, values):
    """The truth of a printed condition, read by symview and evaluated by Python, from left to right."""
    return eval(term_text(parse_statement(printed)), {"gcd": gcd, "floor_sum": floor_sum}, dict(values))


def held(headline, values):
    """Whether a headline holds: a condition, or lines of cases `where: condition`."""
    for line in headline.split("\n"):
        where, _, said = line.rpartition(": ")
        if not where or said_at(where, values):
            return said == "always" if said in ("always", "never") else said_at(said, values)
    raise AssertionError(f"no case of {headline} at {values}")


def test_a_printed_condition_is_read_as_it_was(effort):
    rng, read = Random(12), 0
    for _ in range(int(120 * effort)):
        found = questions(rng)
        headline = found.headline()
        if "undecided" in headline:
            continue
        for _ in range(8):
            values = {name: rng.randint(1, 6) if name in "nmN" else rng.randint(-7, 9) for name in found.symbols()}
            if found.sizes_agree(values):
                assert held(headline, values) == found.holds(values), (str(found.question), headline, values)
                read += headline not in ("always", "never")
    assert read > 100 * effort
