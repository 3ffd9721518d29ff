"""The commands about statements and index maps."""

from __future__ import annotations

from symview.commands.entries import JOBS, REQUIRED, Command, Group, argument, option, shared

_DIVISION = option("--division floor|trunc|euclid", "How // and % round negative numbers.", default="floor")

COMMANDS = (
    Command(
        "symview.rules.replies:prove",
        "Prove or refute a statement about integers, or every rule in a file.",
        (
            argument(
                "STATEMENT|FILE...", 'A claim such as "x % 6 // 3 < 2", or files of rules (.toml).', name="statement"
            ),
            _DIVISION,
            option("--bits WIDTH", "The width of the integers: 32 or i32, u32, …"),
            option("--save DIR", "A folder for open questions, as SMT-LIB."),
            JOBS,
        ),
        shared("assume"),
        """
        Prove or refute a statement about all integers that satisfy the assumptions, or each rule of some files.

        A statement is made of names, integers, + - * // % **, & | ^ ~ << >>, `a if c else b` or where(c, a, b), min,
        max, abs, gcd, floor_sum, ceildiv (or cdiv), comparisons, and, or, not, ->, <->, with Python's precedences; in
        assumptions a comma means `and`. Functions may be those that JAX, sympy, PyTorch, TVM and MLIR print, such as
        mod, FloorDiv, Eq, Max; of C there are && || ! ? : and, with --division trunc, /. Where all that
        divide are truncdiv and truncmod, that is the division. What languages read differently is refused. Definitions come last: "up(x, 4) >= x where up(x, m) = (x + m - 1)//m*m". Or it is a rule of movement operations, proved for all sizes: "x(n,m).permute(1,0).reshape(n*m) ==
        x(n,m).reshape(n*m)".

        A file of rules is TOML: tables [[rule]] with the keys name, claim (or left and right), assume, division,
        bits, source, expect (proved, refuted, unknown), at (the smallest refutation), about and premise (the weakest
        premise), by (earlier rules as lemmas), issue. With files, --timeout is for all of them together and --budget
        for each rule; rules that are not started in time are unknown.

        Exit code: 0 proved, 1 refuted, 3 unknown; of files: 0 all as expected, 1 some not, 2 a rule that cannot be
        read or whose assumptions nothing satisfies, 3 some unknown and the others as expected.

        Example:

        $ symview prove "(x % m) // c == (x // c) % (m // c)" --assume "x >= 0 and 0 < c <= m"
        refuted given x >= 0 and 0 < c and c <= m: x % m//c == x//c % (m//c)  at x = 2, m = 3, c = 2 (smallest): 1 on the left, 0 on the right
        """,  # noqa: E501
        "",
        group=Group.RULES,
    ),
    Command(
        "symview.rules.replies:weakest",
        "Find the weakest condition under which a statement holds.",
        (
            argument("STATEMENT", 'A claim about integers, such as "(x % m) % k == x % k".'),
            option("--about NAMES", "The symbols that the condition may contain.", default=REQUIRED),
            _DIVISION,
        ),
        shared("assume"),
        """
        Find the weakest condition on some symbols under which a statement holds for all values of the others.

        STATEMENT is what `prove` takes, including rules of programs. The search tries equalities, inequalities and
        divisibilities of names, numbers, products, sums, absolute values and greatest common divisors, joined by `and`
        and `or`. Each direction of the result is proved, or only checked for all values up to a number that is printed.
        Integers have no width here: `prove` with --bits says whether the condition is enough for 32 bits.

        Exit code: 0 if a condition was found, 3 if none was.

        Example:

        $ symview weakest "(x % m) // c == (x // c) % (m // c)" --about "c, m" --assume "x >= 0 and 0 < c <= m"
        m % c == 0

        sufficient: proved
        necessary: proved (otherwise x = m - 1 is a counterexample)
        """,
        "looking for a premise",
        group=Group.RULES,
    ),
    Command(
        "symview.rules.replies:index_map",
        "Decide whether an index map is one-to-one, and find its inverse.",
        (
            argument("EXPRESSIONS", "The values of the map: one, or several in parentheses: (x//4, x % 4)."),
            argument("RANGES", "The indices, each with a size, or with a start and an end: x: 0..16, y: n."),
            _DIVISION,
        ),
        shared("assume"),
        """
        Decide whether an index map takes different indices to different values, and find its inverse.

        The inverse consists of quotients and remainders of the values y0, y1, …, and of ^ where the map does. It is
        proved for all indices in the ranges, whose sizes may have names; those in m*n are taken to be 1 or more, as the
        answer says (the assumption n >= 0 allows 0). If the map is not one-to-one, two indices with the same value are
        printed. Whether the values fill a range is another question: a map of 0..n to itself is a
        permutation if it is one-to-one and `symview prove "0 <= f and f < n"` says that it stays there.

        Exit code: 0 one-to-one, 1 not, 3 undecided.

        Example:

        $ symview index-map "(x//4, x % 4)" "x: 0..16"
        one-to-one: x = 4*y0 + y1

        $ symview index-map "(i//16, j//8, i % 16, j % 8)" "i: n, j: m"
        one-to-one: i = 16*y0 + y2, j = 8*y1 + y3

        $ symview index-map "(r, c ^ (r % 8))" "r: 16, c: 8"
        one-to-one: r = y0, c = y1 ^ (y0 % 8)
        """,
        "proving",
        group=Group.RULES,
    ),
)
