"""The commands on statements: `symview prove`, `weakest`, and `verify`, which checks certificates of any answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import symview
from symview.cli.certificates import verify_files
from symview.cli.options import Options, argument, entry, option, takes
from symview.cli.replies import Code, Reply
from symview.cli.rule_files import rule_files, verdict_reply
from symview.errors import InputError
from symview.rules.outcomes import save_query
from symview.rules.premises.premise import premise_blocks

_DIGITS = 10  # of a width, at most
Division: TypeAlias = Annotated[
    str, option("--division", metavar="floor|trunc|euclid", text="What // and % mean for negative numbers.")
]


@takes("assume", doing=lambda statement, **_: "" if _are_files(statement) else "proving")
def prove(
    statement: Annotated[
        list[str], argument("STATEMENT|FILE...", 'A claim such as "x % 6 // 3 < 2", or files of rules (.toml).')
    ],
    division: Division = "floor",
    bits: Annotated[
        str | None, option("--bits", text="The width of the integers: 32 or i32, u32, …", metavar="WIDTH")
    ] = None,
    save: Annotated[
        str | None, option("--save", text="A folder for open questions, as SMT-LIB.", metavar="DIR")
    ] = None,
    jobs: Annotated[
        int | None,
        option("--jobs", text="How many cores for files; all, unless given.", metavar="INT", min=1),
    ] = None,
    *,
    options: Options,
) -> Reply:
    """Prove or refute a statement about all integers that meet the assumptions, or each rule of some files.

    A statement is made of names, integers, + - * // % **, & | ^ ~ << >>, `a if c else b` or where(c, a, b), min,
    max, abs, gcd, floor_sum, ceildiv (or cdiv), comparisons, and, or, not, ->, <->, with Python's precedences; in
    assumptions a comma means `and`.
    Definitions stand at its end: "up(x, 4) >= x where up(x, m) = (x + m - 1)//m*m". Or it is a rule of movement
    operations, proved for all sizes: "x(n,m).permute(1,0).reshape(n*m) == x(n,m).reshape(n*m)".

    A file of rules is TOML: tables [[rule]] with the keys name, claim (or left and right), assume, division, bits,
    source, expect (proved, refuted, unknown), at (the smallest refutation), about and premise (the weakest premise), by
    (earlier rules as lemmas), issue. With files, --timeout is for all of them together and --budget for each rule;
    rules that are not begun in time are unknown.

    Exit code: 0 proved, 1 refuted, 3 unknown; of files: 0 all as expected, 1 some not, 2 a rule that cannot be read or
    whose assumptions nothing meets, 3 some unknown and the others as expected.

    JSON keys: verdict, statement, assumptions, division; proved: rests_on, seconds; refuted: values, sides,
    smallest, of programs index; unknown: reason, smt2. Of files: rules (name, place, source, expect, met, problem,
    premise, and the above), counts.
    """
    if _are_files(statement):
        if options.assume or division != "floor" or bits is not None:
            raise InputError("--assume, --division and --bits are for a statement: a file of rules says them itself")
        return rule_files(statement, options, save, jobs)
    if len(statement) != 1:
        raise InputError("give one statement, or files of rules, whose names end in .toml")
    verdict = symview.prove(statement[0], options.assume, division, bits=_width(bits), budget=options.budget)
    if isinstance(verdict, symview.Unknown) and save:
        save_query(save, statement[0], verdict.smt2)
    return verdict_reply(verdict)


@takes("assume", doing="looking for a premise")
def weakest(
    statement: Annotated[str, argument("STATEMENT", 'A claim about integers, such as "(x % m) % k == x % k".')],
    about: Annotated[str, option("--about", text="The symbols that the condition is about.", metavar="NAMES")],
    division: Division = "floor",
    *,
    options: Options,
) -> Reply:
    """The weakest condition on some symbols under which a statement holds for all values of the others.

    STATEMENT is what `prove` takes, a rule of programs too. The condition is looked for among equalities, orders and
    divisibilities of names, numbers, products, sums, absolute values and greatest common divisors, joined by and and
    or. Where one is found, each direction is proved, or was only checked: for all values up to some number.

    Exit code: 0 where a condition was found, 3 where none was.

    JSON keys: statement, about, assumptions, division, condition, sufficient, necessary (each "proved" or "checked to
    N"), reason (why none was found), witnesses (what to put for the other symbols wherever the condition fails),
    rests_on, seconds.
    """
    premise = symview.weakest(statement, about, options.assume, division, options.budget)
    code = Code.YES if premise else Code.UNDECIDED
    conditional = premise.condition != "true"
    return Reply(code, premise.to_dict, lambda: premise_blocks(premise), conditional)


@takes(doing="checking")
def verify(
    files: Annotated[list[str], argument("FILE...", "Certificates, as answers give them; - reads one from stdin.")],
    solver: Annotated[
        str | None,
        option(
            "--solver",
            text="Who is asked what walking leaves open (cvc5, or z3 where that is not installed).",
            metavar="cvc5|z3|PATH",
        ),
    ] = None,
    seed: Annotated[int, option("--seed", text="The seed of cvc5 or z3.", metavar="INT", min=0)] = 0,
    proof: Annotated[
        str | None,
        option("--proof", text="Save cvc5's own proof for each question, beside the question, in DIR.", metavar="DIR"),
    ] = None,
    *,
    options: Options,
) -> Reply:
    """Check certificates of answers, by a checker that shares no code with what wrote them.

    It works out what has to hold, walks small boxes in plain integers, and asks a solver about all else. The
    --timeout is for each question to the solver (2 seconds).

    Exit code: 0 where all are confirmed; 1 where one is refuted; 2 where a file is no certificate, or vacuous: nothing
    meets what it assumes; 3 where one is confirmed but for the parts that are named. What was checked is printed too.

    JSON keys: certificates, objects of file, verdict (confirmed, refuted, vacuous, partly, bad), claim (what was
    checked, a line for each case), wrong, vacuous (what nothing meets), open (the parts that are left), settled (how
    many parts are), questions (how many the solver was asked so far); counts; and left, how often each open part is.
    With --proof, certificates have unproved, the questions without a proof.
    """
    left = options.budget.seconds_left()
    return verify_files(files, solver, 2.0 if left is None else max(0.1, left), seed, proof)


def _are_files(statement: Sequence[str]) -> bool:
    return bool(statement) and all(text.endswith(".toml") for text in statement)


def _width(text: str | None) -> int | str | None:
    return int(text) if text is not None and text.isdecimal() and len(text) < _DIGITS else text


COMMANDS = (
    entry(prove, (
        '"(x % m) // c == (x // c) % (m // c)" --assume "x >= 0 and 0 < c <= m"',
        "refuted given x >= 0 and 0 < c and c <= m: (x % m) // c == (x // c) % (m // c)  "
        "at x = 2, m = 3, c = 2 (smallest): 1 on the left, 0 on the right")),
    entry(weakest, (
        '"(x % m) // c == (x // c) % (m // c)" --about "c, m" --assume "x >= 0 and 0 < c <= m"',
        "m % c == 0\n\nsufficient: proved\nnecessary: proved, by x = m - 1")),
    entry(verify, ("answer.json", "answer.json: confirmed")),
)  # fmt: skip
