"""The table of commands: the function of each, which is imported when it runs, its parameters, and its help page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from importlib import import_module
from inspect import cleandoc
from typing import Any

from symview.cli.options import REQUIRED, Given, Parameter, argument, option, options_of, shared

_EXAMPLE = "\n\nExample:\n\n"


class Group(Enum):
    """The topic of a command: its heading in the list of commands."""

    VIEWS = "Views"
    RULES = "Rules and index expressions"
    CUTE = "CuTe layouts"
    TOOLS = "Tools"


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its function as `module:name`, and its line in the list of commands.

    `own` are the function's arguments, `shared` become its `options`; a command without these prints by itself.
    `page` is its help, with examples at the end; a terminal shows `doing` while it runs; `group` is its heading in the
    list. The keys of its JSON are in docs/json.md.
    """

    function: str
    short: str
    own: tuple[Parameter, ...]
    shared: tuple[Parameter, ...]
    page: str
    doing: str = ""
    group: Group = field(kw_only=True)

    @property
    def name(self) -> str:
        """The name of the command."""
        return self.function.partition(":")[2].replace("_", "-")

    @property
    def about(self) -> str:
        """Its help text without the examples."""
        return cleandoc(self.page).partition(_EXAMPLE)[0]

    @property
    def examples(self) -> list[str]:
        """The examples of its help: commands, and what they print."""
        return re.split(r"\n\n(?=\$ )", cleandoc(self.page).partition(_EXAMPLE)[2])

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All its parameters."""
        return self.own + self.shared

    def ask(self, given: Given) -> Any:
        """Calls its function with values for its parameters."""
        module, _, name = self.function.partition(":")
        run: Callable[..., Any] = getattr(import_module(f"symview.cli.{module}"), name)
        own = {p.name: given[p.name] for p in self.own}
        options = {"options": options_of({p.name: given[p.name] for p in self.shared})} if self.shared else {}
        return run(**own, **options)


_OUTER = argument("OUTER", "The outer view, of memory: (shape):(strides)+offset [mask].")
_INNER = argument("INNER", "The inner view, of the tensor that OUTER describes.")
_MORE = argument("[MORE]...", "More views, each of the tensor that the previous one describes.")
_VIEW = argument("VIEW", "The view: (shape):(strides)+offset [mask].")
_DIVISION = option("--division floor|trunc|euclid", "How // and % round negative numbers.", default="floor")
_A = argument(
    "A",
    "A layout in CuTe's notation: ((2,2),8):((1,4),2); of coordinates: (4,5):(1@0,2@1); swizzled:"
    " 'Sw<2,0,3> o 0 o (8,8):(8,1)'.",
)
_B = argument("B", "A layout, a size, or one for each mode of A: <4:1,_,8>, where _ leaves a mode alone.")
_LAYOUT = argument("LAYOUT", 'A layout, perhaps swizzled: "Sw<3,3,3> o 0 o (8,4):(64,8)", or a linear one.')
_CONDITIONS = ("assume", "at", "guard", "python", "latex", "smt2", "all")
_EXPLAINED = shared(*_CONDITIONS, "pytest", "explain")
_STEPS = "Show the steps; needs numbers."
_OF_A_CHECK = tuple(
    [
        replace(
            p,
            text="Seconds that a question to the solver may take; a file takes at most five times that, or 10 seconds.",
            otherwise="2",
        )
        if p.name == "timeout"
        else p
        for p in shared()
    ]
)
_JOBS = option("--jobs INT", "How many cores; 0 for all.", default=1, min=0)


def _arranged(choices: str, text: str) -> Parameter:
    return option(f"--as {choices}", text, name="arranged", default="logical")


_TABLE = (
    Command(
        "views:conditions",
        "Find the conditions under which views merge.",
        (
            _OUTER,
            _INNER,
            _MORE,
            option("--engine auto|enumerate|smt", "How overflows are found; the answer is the same.", default="auto"),
        ),
        _EXPLAINED,
        """
        The exact, weakest conditions under which the views merge into one, by cases of the sizes.

        Sizes, strides and offsets may be names. --at decides whether they merge at these values; --guard, whether that
        check is the weakest one; --python prints the weakest check; --pytest prints a test with examples on both sides
        of each condition.

        Exit code: 0 if they merge, perhaps under conditions; 1 if they never do within bounds; 3 if a case is
        undecided. With --at: 0 or 1. With --guard: 0 exact, 1 too strong or too weak.

        Example:

        $ symview conditions "(10,3,3):(σ1,σ2,σ3)" "(s):(4)"
        1 ≤ s ≤ 3: always
        4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3
        6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3
        s ≥ 24: out of bounds

        sizes       merged view    simplified by the condition
        1 ≤ s ≤ 3   (s):(σ2 + σ3)
        4 ≤ s ≤ 5   (s):(σ2 + σ3)
        6 ≤ s ≤ 23  (s):(σ2 + σ3)  (s):(4*σ3)

        $ symview conditions "(10,3,3):(σ1,σ2,σ3)" "(6):(4)" --python
        σ1 == 3*σ2 and σ2 == 3*σ3

        $ symview conditions "(10,3,3):(σ1,σ2,σ3)" "(s):(4)" --guard "s <= 3"
        too strong: it refuses σ1 = 0, σ2 = 0, σ3 = 0, s = 4, where the views merge
        """,
        "looking for overflows",
        group=Group.VIEWS,
    ),
    Command(
        "views:merge",
        "Merge views of numbers into one view.",
        (_OUTER, _INNER, _MORE),
        shared(explain="Show the steps: place values, carries, and their consequences."),
        """
        Merge views of numbers into one view, or find the index where a single view breaks.

        With names, find the view that is right for all their values, if there is one. --explain shows the steps, as one
        would do them by hand.

        Exit code: 0 if they merge, 1 if they do not, 3 undecided.

        Example:

        $ symview merge "(10,3,3):(9,3,1)" "(4,2):(4,-1)+1"
        (4,2):(4,-1)+1
        """,
        "merging",
        group=Group.VIEWS,
    ),
    Command(
        "views:reshape",
        "Decide whether a view can have another shape.",
        (
            _VIEW,
            argument("SHAPE", "The new shape; one size may be -1, as in (2,-1)."),
            option("--mlir", "VIEW is a memref or tensor type; SHAPE may be a reassociation, as in '[[0, 1], [2]]'."),
        ),
        _EXPLAINED,
        """
        Find the view of another shape with the same elements in row-major order, or why there is none.

        With names, find the exact, weakest condition under which there is one. It includes that the sizes agree, and
        that -1 stands for an integer. --at decides whether there is one at these values; --guard, whether that check is
        the weakest one; --python prints the weakest check; --pytest prints a test with examples on both sides of each
        condition.

        Exit code: 0 if there is one, perhaps under conditions; 1 if there is none; 3 undecided. With --guard: 0 exact,
        1 too strong or too weak.

        Example:

        $ symview reshape "(B,S,D):(t0,t1,t2)" "(B*S,D)" --assume "B >= 2"
        S = 1 or t0 = S*t1

        sizes  condition  merged view
        S = 1  always     (B*S,D):(t0,t2)
        S ≠ 1  t0 = S*t1  (B*S,D):(t1,t2)

        $ symview reshape "(B,S,D):(t0,t1,t2)" "(B*S,D)" --python
        B == 1 or S == 1 or t0 == S*t1

        $ symview reshape "(i0,192)" "(12,-1,192)" --at i0=36
        The views merge with i0 = 36: (12,3,192):(576,192,1)

        $ symview reshape --mlir "memref<?x?x4xf32, strided<[?, ?, 1], offset: ?>>" "[[0, 1], [2]]" --python
        d0 == 1 or d1 == 1 or s0 == d1*s1

        $ symview reshape "(i0,192)" "(12,-1,192)" --guard "i0 > 12"
        too weak: it allows i0 = 13, where the sizes do not fit
        """,
        "looking for conditions",
        group=Group.VIEWS,
    ),
    Command(
        "views:chain",
        "Find fewer views that mean the same as a chain.",
        (
            argument("VIEWS...", "The views, from the outer one, of memory, to the last."),
            option("--equals VIEW", "Compare with this chain instead; repeat it for each of its views.", kind=list),
        ),
        shared(),
        """
        Find as few views as possible that mean the same as a chain of views of numbers.

        --equals decides whether two chains mean the same, and finds an index where they differ.

        Exit code: 0; with --equals 0 if they mean the same, 1 if not, 3 undecided.

        Example:

        $ symview chain "(2,4):(1,2)" "(2,4):(1,2)" "(8):(1)"
        (4,2):(1,4)
        (8):(1)

        minimal: no single view does: at index (2) the element is at address 1; constant strides would put it at 8
        """,
        "simplifying",
        group=Group.VIEWS,
    ),
    Command(
        "views:overflows",
        "Find which digits overflow into which, and the equations that follow.",
        (_OUTER, _INNER, option("--all", "One row for each index, as in the papers.", name="every")),
        shared(),
        """
        Find which digits overflow into which, the first index of each overflow, and the equations on strides that
        follow.

        Sizes are numbers; the strides of OUTER may be names.

        Exit code: 0, or 3 if the search was stopped.

        Example:

        $ symview overflows "(10,3,3):(σ1,σ2,σ3)" "(4):(4)" --all
        i  i1  i2  i3  Equation
        0  0   0   0
        1  0   1   1   τ = σ2 + σ3
        2  0   2   2   τ = σ2 + σ3
        3  1   1   0   σ1 + σ2 = 2σ2 + 2σ3 + τ
        """,
        "looking for overflows",
        group=Group.VIEWS,
    ),
    Command(
        "views:counterexample",
        "Find the smallest place where views do not merge.",
        (_OUTER, _INNER, _MORE),
        shared("assume", "at", pytest="Print the counterexample as a test that runs on numpy and pytest alone."),
        """
        Find the smallest place where the views do not merge: by sizes first, then by strides, then by the index.

        With --at, which must then set every symbol, find the smallest index at these values.

        Exit code: 1 if there is one, as the views then do not (always) merge; 0 if there is none; 3 undecided.

        Example:

        $ symview counterexample "(10,3,3):(a,b,c)" "(s):(4)" --assume "s >= 6"
        The views do not merge with a = 0, b = 0, c = 1, s = 6.
        At index (3) the element is at address 0; constant strides would put it at 3.

        step along axis 0  digits              overflow             moves by
        (0) to (1)         (0,0,0) to (0,1,1)  none                 1
        (2) to (3)         (0,2,2) to (1,1,0)  dim 2 into 1 into 0  -2

        A single view moves by the same amount on every step along an axis.
        """,
        "looking for a counterexample",
        group=Group.VIEWS,
    ),
    Command(
        "statements:prove",
        "Prove or refute a statement about integers, or the rules of files.",
        (
            argument(
                "STATEMENT|FILE...", 'A claim such as "x % 6 // 3 < 2", or files of rules (.toml).', name="statement"
            ),
            _DIVISION,
            option("--bits WIDTH", "The width of the integers: 32 or i32, u32, …"),
            option("--save DIR", "A folder for open questions, as SMT-LIB."),
            _JOBS,
        ),
        shared("assume"),
        """
        Prove or refute a statement about all integers that satisfy the assumptions, or each rule of some files.

        A statement is made of names, integers, + - * // % **, & | ^ ~ << >>, `a if c else b` or where(c, a, b), min,
        max, abs, gcd, floor_sum, ceildiv (or cdiv), comparisons, and, or, not, ->, <->, with Python's precedences; in
        assumptions a comma means `and`. Definitions come last: "up(x, 4) >= x where up(x, m) = (x + m -
        1)//m*m". Or it is a rule of movement operations, proved for all sizes: "x(n,m).permute(1,0).reshape(n*m) ==
        x(n,m).reshape(n*m)".

        A file of rules is TOML: tables [[rule]] with the keys name, claim (or left and right), assume, division,
        bits, source, expect (proved, refuted, unknown), at (the smallest refutation), about and premise (the weakest
        premise), by (earlier rules as lemmas), issue. With files, --timeout is for all of them together and --budget
        for each rule; rules that are not started in time are unknown.

        Exit code: 0 proved, 1 refuted, 3 unknown; of files: 0 all as expected, 1 some not, 2 a rule that cannot be
        read or whose assumptions nothing satisfies, 3 some unknown and the others as expected.

        Example:

        $ symview prove "(x % m) // c == (x // c) % (m // c)" --assume "x >= 0 and 0 < c <= m"
        refuted given x >= 0 and 0 < c and c <= m: (x % m) // c == (x // c) % (m // c)  at x = 2, m = 3, c = 2 (smallest): 1 on the left, 0 on the right
        """,  # noqa: E501
        "",
        group=Group.RULES,
    ),
    Command(
        "statements:weakest",
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

        Exit code: 0 if a condition was found, 3 if none was.

        Example:

        $ symview weakest "(x % m) // c == (x // c) % (m // c)" --about "c, m" --assume "x >= 0 and 0 < c <= m"
        m % c == 0

        sufficient: proved
        necessary: proved, by x = m - 1
        """,
        "looking for a premise",
        group=Group.RULES,
    ),
    Command(
        "statements:index_map",
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
        proved for all indices in the ranges, whose sizes may be names. If the map is not one-to-one, two indices with
        the same value are printed.

        Exit code: 0 one-to-one, 1 not, 3 undecided.

        Example:

        $ symview index-map "(x//4, x % 4)" "x: 0..16"
        one-to-one: x = 4*y0 + y1

        $ symview index-map "(i//16, j//8, i % 16, j % 8)" "i: n, j: m"
        one-to-one: i = 16*y0 + y2, j = 8*y1 + y3

        $ symview index-map "(r, c ^ (r % 8))" "r: 16, c: 8"
        one-to-one: r = y0, c = y1 ^ y0 % 8
        """,
        "proving",
        group=Group.RULES,
    ),
    Command(
        "plans:plan",
        "Find the layout that makes every use a view, or the copies needed.",
        (
            argument("TENSOR", "The tensor: q(B,S,H,D); or a file of programs, one a line, its name ending in .txt."),
            argument(
                "[PROGRAMS]...", "Its operations: permute(0,2,1,3).reshape(B*H,S,D); or another tensor with some."
            ),
            option("--names NAMES", "Names of the tensor's dims: B,S,H,D."),
            option("--bytes INT", "The bytes of an element.", min=1),
            option("--unit NAME", "The dim that must have stride 1."),
            option("--align TEXT", "Strides as multiples, S=8,H=16; or '16 bytes'; or tma."),
            option("--signed", "Strides may be negative."),
            option("--layouts INT", "How many layouts each tensor may have at once.", default=1, min=1),
        ),
        shared("assume", explain="Show the view of each program, and what is proved."),
        """
        Find the layouts under which every program is a view of its tensor. If there are none, find the copies with the
        fewest bytes, and, for each conflicting group of programs, two indices that would share an address.

        Operations are permute, flip, shrink, slice, expand, reshape, and copy, which marks a copy that programs may
        share; and PyTorch's view, flatten, unflatten, transpose, t, squeeze, unsqueeze, movedim, narrow, contiguous
        (whose result is row-major), and split and chunk with the index of a part: chunk(3, dim=2)[0].

        With names in sizes the answer is for all sizes from 2, and says when fewer copies suffice if some sizes are 1.
        If the budget ends, the answer is the best plan so far, and what copies weigh at least.

        Exit code: 0 if nothing copies, 1 if something must, 3 if it is undecided whether fewer copies suffice.

        Example:

        $ symview plan "q(B,S,H,D)" "permute(0,2,1,3).reshape(B*H,S,D)" "reshape(B,S,H*D)"
        no copy
        q: (B,S,H,D):(D*H,B*D*H,D,1), blocks [B H D][S]

        $ symview plan "q(4,1024,32,128)" "permute(0,2,1,3).reshape(128,1024,128)" "reshape(4096,4096)" --bytes 2
        1 copy, 33554432 bytes: q.permute(0,2,1,3).reshape(128,1024,128)
        q: (4,1024,32,128):(4194304,4096,128,1), blocks [0 1][2 3]
        q.permute(0,2,1,3).reshape(128,1024,128): (128,1024,128):(131072,128,1)
        or copy instead: q.reshape(4096,4096), which weighs the same
        q.permute(0,2,1,3).reshape(128,1024,128) and q.reshape(4096,4096):
          q[0,32,0,0] and q[0,0,1,0] would share an address
        """,
        "looking for layouts",
        group=Group.VIEWS,
    ),
    Command(
        "sources:rules",
        "Prove the rewrite rules of a compiler's checkout.",
        (
            argument("PROJECT", "Whose rules: halide, tvm or tinygrad."),
            argument("CHECKOUT", "The directory of its checkout; for tinygrad an installed package does."),
            option("--bits TYPES", "Wrapping types to check rules in, if the source does; or none.", default="i8 u8"),
            option("--zero", "Halide: check each rule also with divisor 0, x/0 being 0."),
            option("--out FILE", "Write the rules as a file for `symview prove` (.toml)."),
            option("--sarif FILE", "Write what is false or undecided as SARIF, for code scanning.", name="sarif_file"),
            option("--seconds SECONDS", "Seconds that one question may take.", default=20.0, min=0.1),
            _JOBS,
        ),
        shared(),
        """
        Read the rewrite rules of a checkout from their source, and prove or refute each.

        Halide: rewrite(l, r, p) in src/Simplify_*.cpp. TVM: TVM_TRY_REWRITE_IF and its like in
        src/arith/rewrite_simplify.cc. tinygrad: UPat and lambda in symbolic.py and divandmod.py.

        Each rule is checked for all integers, and in wrapping types (--bits) if its source uses it in them. Divisors
        are not 0. For a false rule the smallest values found are printed, and, if it is false for integers, the weakest
        premise on its constants, if one is found. Rules that cannot be read are listed with reasons.

        Exit code: 0 all rules read are proved; 1 some are false; 3 some are undecided, and none is false; 2 no rules
        found.

        Example:

        $ symview rules halide ~/Halide --out halide.toml --sarif halide.sarif
        """,
        "",
        group=Group.RULES,
    ),
    Command(
        "statements:verify",
        "Check certificates of answers.",
        (
            argument("FILE...", "Files with certificates of answers; - reads one from stdin.", name="files"),
            option(
                "--solver cvc5|z3|PATH",
                "The solver for obligations that enumeration does not settle (cvc5, or z3 if that is not installed).",
            ),
            option("--seed INT", "The seed of cvc5 or z3.", default=0, min=0),
            option("--proof DIR", "Save each question to the solver, and cvc5's own proof of it, in DIR."),
            option("--rocq FILE", "Write a file for Rocq: lemmas, and a main theorem for each certificate."),
            option("--check", "Run Rocq's coqc on the written file."),
            option(
                "--rocq-library DIR",
                "Write the library of these files to DIR, so that FILE imports it.",
                name="library",
            ),
        ),
        _OF_A_CHECK,
        """
        Check certificates of answers, with a checker that shares no code with the program that wrote them.

        It derives what must hold, enumerates small boxes in plain integers, and calls a solver for the rest.

        Exit code: 0 if all are confirmed; 1 if one is refuted; 2 if a file is no certificate, or vacuous, which means
        that no values satisfy its assumptions; 3 if one is confirmed but for the parts printed, or if --rocq leaves
        something open, or Rocq rejects it. The output also lists what was checked.

        Example:

        $ symview verify answer.json
        answer.json: confirmed
        """,
        "checking",
        group=Group.TOOLS,
    ),
    Command(
        "layouts:compose",
        "Compose two CuTe layouts.",
        (_A, _B),
        shared(
            *_CONDITIONS,
            explain=_STEPS,
            pytest="Print the answer as a test in plain integers that runs on pytest alone; with names, examples.",
        ),
        """
        Find the layout A ∘ B of B's shape, whose modes may be split; with names, the conditions under which it exists.

        Exit code: 0 if there is one, perhaps under conditions; 1 if there is none; 3 undecided. With --guard:
        0 exact, 1 too strong or too weak.

        Example:

        $ symview compose "(4,6,8):(a,b,c)" "6:3"
        b = 4a: 6:3*a
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:coalesce",
        "Coalesce a CuTe layout into the fewest modes.",
        (_A,),
        shared("assume", "at", "latex", "smt2", "all", explain=_STEPS),
        """
        Find the layout of the same function with the fewest modes; with names, by cases.

        Exit code: 0, or 3 if a case is undecided.

        Example:

        $ symview coalesce "(2,(1,6)):(1,(6,2))"
        12:1
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:complement",
        "Find the CuTe layout that fills the gaps of another.",
        (_A, argument("BOUND", "Up to where the gaps are filled: a number, or an expression.")),
        shared(*_CONDITIONS, explain=_STEPS),
        """
        Find the layout that moves A to disjoint copies, up to the bound; with names, by cases.

        If every gap of A is a multiple of the modes before it, A and its copies reach each number exactly once.

        Exit code: 0 if there is one, perhaps under conditions; 1 if there is none; 3 undecided.

        Example:

        $ symview complement "4:2" 16
        (2,2):(1,8)
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:inverse",
        "Find the right or left inverse of a CuTe layout.",
        (
            _A,
            option(
                "--side right|left",
                "right: A(R(i)) = i for R's indices; left: A(L(A(i))) = A(i) for A's.",
                default="right",
            ),
        ),
        shared(*_CONDITIONS, explain=_STEPS),
        """
        Find the right or the left inverse of A, as CuTe defines them; with names, by cases.

        Exit code: 0 if there is one, perhaps under conditions; 1 if there is none; 3 undecided.

        Example:

        $ symview inverse "(4,8):(8,1)"
        (8,4):(4,1)
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:divide",
        "Split a CuTe layout into a tile and the rest.",
        (_A, _B, _arranged("logical|zipped|tiled|flat", "How tiles and rests are arranged.")),
        shared(*_CONDITIONS, explain=_STEPS),
        """
        Split A into the tile B and the rest; with names, by cases.

        Exit code: 0 if the result is a layout, perhaps under conditions; 1 if it is none; 3 undecided.

        Example:

        $ symview divide "(4,6)" "<2,3>" --as zipped
        ((2,3),(2,2)):((1,4),(2,12))
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:product",
        "Repeat a CuTe layout in the arrangement of another.",
        (_A, _B, _arranged("logical|zipped|tiled|flat|blocked|raked", "How blocks and copies are arranged.")),
        shared(*_CONDITIONS, explain=_STEPS),
        """
        Repeat A: copies of it, arranged by B; with names, by cases.

        Exit code: 0 if the result is a layout, perhaps under conditions; 1 if it is none; 3 undecided.

        Example:

        $ symview product "(2,2):(4,1)" 6
        ((2,2),(2,3)):((4,1),(2,8))
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:linear",
        "Write a layout as a linear, a strided and a swizzled one; or compare two.",
        (
            argument("A", "A layout, S<b,m,s> o 0 o one, or {lane = [1, 2]}; Triton's listings too."),
            argument("[B]", "Another layout: are both the same function of the index?"),
            option("--size INT", "Only the indices below it.", min=1),
            option("--names NAMES", "Linear in the coordinates: a name for each mode, as in i,j."),
        ),
        shared("at"),
        """
        Write a layout as a linear layout over bits, as a strided one, and as a swizzle after one; or compare two.

        A layout is a function of its index, whose first mode or input is the fastest. Names need numbers: --at a=4.

        Exit code: 0 if A is linear, or both are the same function; 1 if not; 3 undecided.

        Example:

        $ symview linear "SW_1_0_2 o 0 o 8:1"
        linear     {index = [1, 2, 5]} -> {offset = 8}
        strided    no layout: the values at 0 and the multiples of 1, 4 make it (4,2):(1,5), which has 6 at 5, not 4
        swizzled   SW_1_0_2 o 0 o 8:1
        injective  yes

        $ symview linear "(4,2):(a,b)" "{lane = [1, 2], warp = [8]}" --at a=1 --at b=8
        the same function
        """,
        "looking for differences",
        group=Group.CUTE,
    ),
    Command(
        "views:dense",
        "Decide whether a view fills an interval of addresses.",
        (_VIEW, option("--flips", "Strides may be negative: dense after flipping axes.")),
        shared(*_CONDITIONS, "pytest"),
        """
        Decide whether a view is dense: contiguous in some order of its dims; with names, find the condition.

        Dims of size 1 do not count, and a mask counts as a shrink. --at decides it at these values; --guard, whether
        that check is the weakest one; --python prints the weakest check; --pytest prints a test with examples on both
        sides of each condition.

        Exit code: 0 if it is, perhaps under conditions; 1 if it is not; 3 undecided. With --guard: 0 exact, 1
        too strong or too weak.

        Example:

        $ symview dense "(M,N):(p,q)"
        ((M = 1 or p = N) and (N = 1 or q = 1)) or ((M = 1 or p = 1) and (N = 1 or q = M))
        """,
        "comparing strides",
        group=Group.VIEWS,
    ),
    Command(
        "views:injective",
        "Decide whether all indices have different addresses.",
        (_VIEW,),
        shared(*_CONDITIONS, "pytest"),
        """
        Decide whether all indices of a view have different addresses; with names, find the condition.

        Some questions with names stay open; with numbers, as from --at, all are decided. A mask counts as a shrink.

        Exit code: 0 if they have, perhaps under conditions; 1 if two always share one; 3 undecided. With --guard: 0
        exact, 1 too strong or too weak.

        Example:

        $ symview injective "(B,S,D):(t0,D,1)"
        B = 1 or D*S ≤ abs(t0)
        """,
        "comparing strides",
        group=Group.VIEWS,
    ),
    Command(
        "views:contiguous",
        "Decide whether a view is contiguous in an order of its dims.",
        (
            _VIEW,
            option(
                "--order DIMS|column_major|channels_last|…",
                "Dims, the fastest first, as in 1,0, or the name of a format.",
                otherwise="row_major",
            ),
        ),
        shared(*_CONDITIONS, "pytest"),
        """
        Decide whether a view is contiguous in an order of its dims; with names, find the condition.

        Dims of size 1 do not count, and a mask counts as a shrink.

        Exit code: 0 if it is, perhaps under conditions; 1 if it is not; 3 undecided. With --guard: 0 exact, 1
        too strong or too weak.

        Example:

        $ symview contiguous "(N,C,H,W):(s,1,W*C,C)" --order channels_last
        N = 1 or s = C*H*W
        """,
        "comparing strides",
        group=Group.VIEWS,
    ),
    Command(
        "views:overlap",
        "Decide whether two views share an address.",
        (
            argument("A", "A view of a buffer: (shape):(strides)+offset [mask]."),
            argument("B", "Another view of the same buffer."),
        ),
        shared(*_CONDITIONS),
        """
        Decide whether two views of one buffer touch the same memory; with names, find the condition.

        Offsets and strides count elements. Some questions with names stay open; with numbers, all are decided.

        Exit code: 0 if they share an address, perhaps under conditions; 1 if they never do; 3 undecided. With --guard:
        0 exact, 1 too strong or too weak.

        Example:

        $ symview overlap "(4,9):(16,1)" "(4,8):(16,1)+8"
        Address 8 is that of (0,8) and of (0,0).

        $ symview overlap "(h,d):(d,1)" "(h,d):(d,1)+p" --assume "p >= 0"
        d*h > p
        """,
        "comparing addresses",
        group=Group.VIEWS,
    ),
    Command(
        "views:strides",
        "List the arbitrary strides, and what libraries put there.",
        (_VIEW,),
        shared(),
        """
        List the strides of a view of numbers that are free, that is arbitrary, and what libraries put there.

        The strides of dims of size 1 are free, and all strides if a size is 0.

        Exit code: 0.

        Example:

        $ symview strides "(3,1,4)"
        free: dim 1

        numpy    (4,4,1)
        pytorch  (4,4,1)
        cute     (4,0,1)
        pycute   (4,12,1)
        dlpack   (4,1,1)
        """,
        "comparing strides",
        group=Group.VIEWS,
    ),
    Command(
        "views:shard",
        "Decide whether a shard is one view after dims are flattened.",
        (
            argument("SHAPE", "The shape of one part, such as (A,b).", name="local"),
            option("--dim INT", "The dim along which the tensor is cut.", kind=int, default=REQUIRED),
            option("--parts TEXT", "The number of equal parts: a number, or an expression.", default=REQUIRED),
            option("--dims FIRST,LAST", "The first and the last dim that are flattened; all if left out."),
        ),
        _EXPLAINED,
        """
        Cut a tensor along a dim, then flatten some dims: decide whether the local part is one view.

        The tensor is row-major; sizes and the number of parts are positive. --at decides it at these values; --guard,
        whether that check is the weakest one; --python prints the weakest check.

        Exit code: 0 if it is, perhaps under conditions; 1 if it is not; 3 undecided. With --guard: 0 exact, 1
        too strong or too weak.

        Example:

        $ symview shard "(A,b)" --dim 1 --parts m --python
        A == 1 or b == 1 or m == 1
        """,
        "looking for conditions",
        group=Group.VIEWS,
    ),
    Command(
        "layouts:banks",
        "Count bank conflicts in shared memory.",
        (
            _LAYOUT,
            option("--banks INT", "How many banks there are.", default=32, min=1),
            option("--width INT", "How many bytes a word of a bank has.", default=4, min=1),
            option("--threads INT", "How many threads an access has.", default=32, min=1),
            option(
                "--bytes --element-bytes INT",
                "How many bytes an element has.",
                name="element_bytes",
                min=1,
                otherwise="as a word",
            ),
            option("--vector INT", "How many elements a thread reads at once.", default=1, min=1),
        ),
        shared("at"),
        """
        Count the ways that an access to shared memory takes, at worst; with one symbol in the strides, for all its
        values.

        Index i of the layout is thread i mod THREADS of access i // THREADS. An access is served in phases: all threads
        at once if each reads at most a word, else as many consecutive threads as the banks are wide. The ways of a
        phase are the largest number of different words in one bank.

        Exit code: 0 without conflicts, and with a symbol; 1 with conflicts, or not aligned; 3 undecided.

        Example:

        $ symview banks 32:2
        2-way conflict: threads 0 and 16 read 2 different words of bank 0 (0, 32)
        $ symview banks 32:ld --at ld=33
        1 way: no bank conflicts
        """,
        "reading addresses",
        group=Group.CUTE,
    ),
    Command(
        "layouts:swizzle",
        "Find the layout of a shared tile with the fewest conflicts.",
        (
            argument("TILE", "The sizes of the tile: (64,64)."),
            argument(
                "ACCESS...",
                "cp.async 16 B, ldmatrix, ldmatrix.trans, stmatrix, mma.A, row 16 B, column 2 B, block 4x8; along"
                " another dim than the last: 'ldmatrix along 0'; or a layout of threads and values, as in"
                " '((8,4),2):((128,1),64) vector 2'.",
                name="accesses",
            ),
            option("--bytes --element-bytes INT", "How many bytes an element has.", "element_bytes", int, REQUIRED, 1),
            option("--banks INT", "How many banks there are.", default=32, min=1),
            option("--width INT", "How many bytes a word of a bank has.", default=4, min=1),
            option("--threads INT", "How many threads an instruction has.", default=32, min=1),
            option("--objective sum|wavefronts|most", "Minimise ways, wavefronts, or the most ways.", default="sum"),
            option("--padding", "Pad the rows instead; sizes may be arbitrary."),
            option("--tradeoffs", "Cut vectors: all layouts that none beats in instructions and wavefronts."),
        ),
        shared(explain="Show the bits of each access, and the banks."),
        """
        Find the layout of a tile in shared memory under which all accesses together have the fewest bank conflicts.

        The answer is an order of the dims, a swizzle after one, or else a linear layout by bases, with the ways of each
        access and a proof that it is best: among all layouts with these vectors by pigeonhole or by a cover, among
        linear ones by a search.

        Vectors extend along the last dim of the tile, those of mma.B along k, the first; "along 0" names another dim.
        ldmatrix.trans reads the same addresses as ldmatrix: .trans changes the registers.

        Exit code: 0; 1 if no layout has the vectors of two of the accesses; 3 undecided.

        Example:

        $ symview swizzle "(64,64)" "cp.async 16 B" ldmatrix --bytes 2
        SW_3_3_3 o 0 o (64,64):(64,1)

        access         vector            ways
        cp.async 16 B  16 B along dim 1  1
        ldmatrix       16 B along dim 1  1

        5 wavefronts for 2 instructions. Optimal for these vectors: each phase needs at least this many words per bank.
        """,
        "looking for a layout",
        group=Group.CUTE,
    ),
    Command(
        "layouts:footprint",
        "Report the values of a layout: range, number, contiguity.",
        (_LAYOUT,),
        shared("at"),
        """
        Report the range of a layout's values, their number, and how they lie.

        Contiguous: the values are an interval, and each belongs to one index. Onto: every number from 0 to the greatest
        value is a value. Vector: how many elements are adjacent and aligned, everywhere. Order: the order of the
        permutation, if the layout is contiguous.

        Exit code: 0; 3 if the values are undecided.

        Example:

        $ symview footprint "Sw<1,0,2> o 0 o (4,2):(1,4)"
        values       0 to 7: 8 of 8 places, for 8 indices
        contiguous   yes
        onto 0…7     yes
        vector       1: at index 4 the value is 5, not 4
        order        2
        """,
        "reading values",
        group=Group.CUTE,
    ),
    Command(
        "views:draw",
        "Draw a view, overflows or conditions.",
        (
            argument("VIEW...", "One view, or several; the outer one, of memory, comes first.", name="views"),
            option("--layout", "VIEW is a CuTe layout, which may be swizzled."),
            option("--reshape SHAPE", "Draw the conditions under which VIEW can have this shape."),
            option(
                "-o --output FILE", "The file: .svg, or with matplotlib .png and .pdf. Without it, the SVG is printed."
            ),
            option("--force", "Overwrite an existing file."),
        ),
        shared("assume"),
        """
        Draw a view or a layout, the overflows of two views, or conditions on one or two sizes.

        One view: a table of its addresses, with the memory that they occupy. Two views whose sizes are numbers: the
        steps of the inner one in the outer shape, and where they overflow. Views with symbolic sizes: which case of
        their conditions holds at which sizes.

        Exit code: 0.

        Example:

        $ symview draw "(10,3,3):(σ1,σ2,σ3)" "(6):(4)" -o overflows.svg
        overflows.svg: Where (6):(4) leads in (10,3,3):(σ1,σ2,σ3)

        $ symview draw "((4,2),8):((2,1),8)" --layout -o layout.svg
        layout.svg: ((4,2),8):((2,1),8)
        """,
        "drawing",
        group=Group.TOOLS,
    ),
    Command(
        "sweeps.command:sweep",
        "Check a law, a rule or a peer on many inputs.",
        (
            argument("LAW|FILE", "merge, compose or conditions; or a file of rules (TOML).", name="law"),
            option("--bound INT", "The largest inputs: elements of a view, or values of a rule.", default=4, min=1),
            option("--random COUNT", "This many random inputs in place of all.", min=1),
            option("--seed INT", "The seed of the random inputs.", default=0),
            option("--against PEER", "Compare with a peer: tinygrad (merge), pycute (compose).", default=""),
            option("--db FILE", "Keep the results in this file, and continue from it."),
            _JOBS,
            option("--scheduler ADDRESS", "The address of a Dask scheduler, to use a cluster.", default=""),
            option("--seconds SECONDS", "Seconds after which an input is left undecided.", default=20.0, min=0.1),
        ),
        (option("--json", "Print the counts, or the error, as JSON."),),
        """
        Check a law, the rules of a file, or a peer's answers on all small inputs, or on random ones.

        merge: the view found is the composition at every index, or no view is. compose: the same for CuTe's layouts.
        conditions: the answers at some strides are right. FILE: each rule holds at all values up to the bound.

        --db keeps finished pieces: if it is killed and run again, it continues from there. Counts do not depend on the
        number of workers. Each wrong answer, ours or a peer's, is printed in its smallest form.

        Exit code: 0 if no answer is wrong, 1 if one is.

        Example:

        $ symview sweep compose --bound 2
        outcome  inputs
        compose  1666

        1666 of 1666 inputs, none answered wrongly.
        """,
        "",
        group=Group.TOOLS,
    ),
    Command(
        "linting:lint",
        "List the lines where a PyTorch program copies tensors.",
        (
            argument("SCRIPT", "A Python script, which runs on fake tensors and computes nothing."),
            argument("[ARGUMENT]...", "The arguments of the script.", name="arguments"),
            option("--sarif", "Print the copies in SARIF 2.1.0, for code reviews."),
        ),
        (option("--json", "Print the answer, or the error, as JSON."),),
        """
        List the reshapes, contiguous calls and matrix products of a script that copy a tensor to lay it out anew.

        For each it prints the line, the bytes, the first index that breaks, and strides with which it would be a view,
        if these are known. Needs PyTorch. The script's own output goes to stderr. The script stops where it needs an
        element, as in x.item().

        Exit code: 0 if nothing is copied, 1 if something is, 2 without PyTorch or a script that starts, 3 if the script
        stopped before its end: the place is printed, and the copies until then. sys.exit(0) in the last statement is
        the end.

        Example:

        $ symview lint attention.py
        where           copies                                       times  bytes  breaks …
        attention.py:7  reshape of (2,5,4,2):(40,2,10,1) to (2,5,8)  1      320 B  at index (0,0,2): …
        """,
        "running the script",
        group=Group.TOOLS,
    ),
    Command(
        "batch:batch",
        "Answer questions given as JSON lines.",
        (argument("[FILE]", "A file of questions, one a line; - is stdin.", default="-"), _JOBS),
        (),
        """
        Answer questions given as JSON lines, each with one JSON line, in their order and as they come.

        A line is an object: the command, and its arguments and options as keys, such as {"command": "merge", "views":
        ["(10,3,3):(9,3,1)", "(4):(4)"]} or {"command": "conditions", "views": ["(10,3,3):(a,b,c)", "(s):(4)"], "at":
        {"s": 3}, "timeout": 1}. Lists of texts may be one text, shapes lists of numbers; empty lines are passed over.

        An answer is the --json output of the command, with the number of the line. If a line is not a question, its
        answer has the keys error and kind, and the other lines are still answered.

        Exit code: 0 if every question has an answer, 2 if a line was not a question, 3 if one is undecided.

        Example:

        $ symview batch questions.jsonl
        {"line": 1, "command": "merge", "answer": "yes", "version": "0.9.0", "outer": "(4,6):(6,1)", …
        {"line": 2, "error": "no command 'paint'; there are …", "kind": "InputError"}
        """,
        "",
        group=Group.TOOLS,
    ),
)

COMMANDS: Mapping[str, Command] = {command.name: command for command in _TABLE}
MANY = ("sweep", "lint", "rules", "batch")  # which ask many questions
