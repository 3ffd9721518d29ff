"""The commands: of each its function, loaded where it is asked, what it takes, and its help page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from inspect import cleandoc
from typing import Any

from symview.cli.options import REQUIRED, Given, Parameter, argument, option, options_of, shared

_EXAMPLE = "\n\nExample:\n\n"


class Group(Enum):
    """What a command is about: its heading in the list of commands."""

    VIEWS = "Views"
    RULES = "Rules and index expressions"
    CUTE = "CuTe layouts"
    TOOLS = "Tools"


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its function as `module:name`, and what the list of commands says of it.

    `own` are the function's arguments, `shared` what becomes its `options`; a command without these prints by itself.
    `page` is its help, with examples at the end; `doing` is shown on a terminal meanwhile; `group` is where it is
    listed. The keys of its JSON are in docs/json.md.
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
        """What its help says."""
        return cleandoc(self.page).partition(_EXAMPLE)[0]

    @property
    def examples(self) -> list[str]:
        """The examples of its help: what is typed, and what that prints."""
        return re.split(r"\n\n(?=\$ )", cleandoc(self.page).partition(_EXAMPLE)[2])

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All that it takes."""
        return self.own + self.shared

    def ask(self, given: Given) -> Any:
        """Calls the function with values for its parameters."""
        module, _, name = self.function.partition(":")
        run: Callable[..., Any] = getattr(import_module(f"symview.cli.{module}"), name)
        own = {p.name: given[p.name] for p in self.own}
        options = {"options": options_of({p.name: given[p.name] for p in self.shared})} if self.shared else {}
        return run(**own, **options)


_OUTER = argument("OUTER", "The view that lays out memory: (shape):(strides)+offset [mask].")
_INNER = argument("INNER", "The view of the tensor that OUTER describes.")
_MORE = argument("[MORE]...", "Further views, each of the tensor that the one before it describes.")
_VIEW = argument("VIEW", "The view: (shape):(strides)+offset [mask].")
_DIVISION = option("--division floor|trunc|euclid", "What // and % mean for negative numbers.", default="floor")
_A = argument(
    "A",
    "A layout in CuTe's notation: ((2,2),8):((1,4),2); of coordinates: (4,5):(1@0,2@1); behind a swizzle:"
    " 'Sw<2,0,3> o 0 o (8,8):(8,1)'.",
)
_B = argument("B", "A layout, a size, or one for each mode of A: <4:1,_,8>, where _ leaves a mode alone.")
_LAYOUT = argument("LAYOUT", 'A layout, perhaps behind a swizzle: "Sw<3,3,3> o 0 o (8,4):(64,8)", or a linear one.')
_CONDITIONS = ("assume", "at", "guard", "python", "latex", "smt2", "all")
_EXPLAINED = shared(*_CONDITIONS, "pytest", "explain")
_STEPS = "Show the steps; needs numbers."
_JOBS = option("--jobs INT", "How many cores; 0 for all.", default=1, min=0)


def _arranged(choices: str, text: str) -> Parameter:
    return option(f"--as {choices}", text, name="arranged", default="logical")


_TABLE = (
    Command(
        "views:conditions",
        "Under which conditions views merge.",
        (
            _OUTER,
            _INNER,
            _MORE,
            option("--engine auto|enumerate|smt", "How overflows are found, never what is answered.", default="auto"),
        ),
        _EXPLAINED,
        """
        The exact, weakest conditions under which the views merge into one, by cases of the sizes.

        Sizes, strides and offsets may be names. With --at, whether they merge at these values; with --guard, whether
        that check is the weakest one; with --python, the weakest check to run; with --pytest, a test of examples on
        both sides of each condition.

        Exit code: 0 where they merge, at least under conditions; 1 where they never do within bounds; 3 where a case
        stayed undecided. With --at: 0 or 1. With --guard: 0 exact, 1 too strong or too weak.

        Example:

        $ symview conditions "(10,3,3):(σ1,σ2,σ3)" "(s):(4)"
        1 ≤ s ≤ 3: always
        4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3
        6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3
        s ≥ 24: out of bounds

        sizes       merged view    with the equations used
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
        "The one view that views of numbers merge into.",
        (_OUTER, _INNER, _MORE),
        shared(explain="Show the steps: place values, carries, and what they say."),
        """
        The one view that views of numbers merge into, or where that breaks.

        With names, the view that is right for all their values, if there is one. With --explain, the steps by which a
        person works that out.

        Exit code: 0 where they merge, 1 where they do not, 3 undecided.

        Example:

        $ symview merge "(10,3,3):(9,3,1)" "(4,2):(4,-1)+1"
        (4,2):(4,-1)+1
        """,
        "merging",
        group=Group.VIEWS,
    ),
    Command(
        "views:reshape",
        "Whether one view can have another shape.",
        (
            _VIEW,
            argument("SHAPE", "The new shape; one size may be -1, as in (2,-1)."),
            option("--mlir", "VIEW is a memref or tensor type; SHAPE may be a reassociation, as in '[[0, 1], [2]]'."),
        ),
        _EXPLAINED,
        """
        The view of another shape with the same elements in row-major order, or why there is none.

        With names, the exact, weakest condition under which there is one. That the sizes agree, and that -1 comes out
        whole, is part of it. With --at, whether there is one at these values; with --guard, whether that check is the
        weakest one; with --python, the weakest check to run; with --pytest, a test of examples on both sides of each
        condition.

        Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided. With --guard:
        0 exact, 1 too strong or too weak.

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
        "Fewer views that mean the same as a chain.",
        (
            argument("VIEWS...", "The views, from the one that lays out memory to the last."),
            option("--equals VIEW", "Compare with this chain instead; repeat it for each of its views.", kind=list),
        ),
        shared(),
        """
        As few views as can be found that mean the same as a chain of views of numbers.

        With --equals, whether two chains mean the same, and at which index they differ.

        Exit code: 0; with --equals 0 where they mean the same, 1 where not, 3 undecided.

        Example:

        $ symview chain "(2,4):(1,2)" "(2,4):(1,2)" "(8):(1)"
        (2,2,2):(2,1,4)
        (8):(1)

        minimal: no single view does: at index (2): one view would reach 8, the composition reaches 1
        """,
        "simplifying",
        group=Group.VIEWS,
    ),
    Command(
        "views:overflows",
        "Which digits overflow into which, and what that demands.",
        (_OUTER, _INNER, option("--all", "One row for each index, as in the papers.", name="every")),
        shared(),
        """
        Which digits overflow into which, at which index first, and what that demands of the strides.

        Sizes are numbers; the strides of OUTER may be names.

        Exit code: 0, or 3 where the search was stopped.

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
        "The smallest place where views do not merge.",
        (_OUTER, _INNER, _MORE),
        shared("assume", "at", pytest="Print the counterexample as a test that runs on numpy and pytest alone."),
        """
        The smallest place where the views do not merge: sizes first, then strides, then the index.

        With --at, which then has to give every symbol, the smallest index at these values.

        Exit code: 1 where there is one, for then the views do not (always) merge; 0 where there is none; 3 undecided.

        Example:

        $ symview counterexample "(10,3,3):(a,b,c)" "(s):(4)" --assume "s >= 6"
        The views do not merge with a = 0, b = 0, c = 1, s = 6.
        At index (3) one view would reach address 3, the composition reaches 0.

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
            option("--jobs INT", "How many cores for files.", min=1, otherwise="all"),
        ),
        shared("assume"),
        """
        Prove or refute a statement about all integers that meet the assumptions, or each rule of some files.

        A statement is made of names, integers, + - * // % **, & | ^ ~ << >>, `a if c else b` or where(c, a, b), min,
        max, abs, gcd, floor_sum, ceildiv (or cdiv), comparisons, and, or, not, ->, <->, with Python's precedences; in
        assumptions a comma means `and`. Definitions stand at its end: "up(x, 4) >= x where up(x, m) = (x + m -
        1)//m*m". Or it is a rule of movement operations, proved for all sizes: "x(n,m).permute(1,0).reshape(n*m) ==
        x(n,m).reshape(n*m)".

        A file of rules is TOML: tables [[rule]] with the keys name, claim (or left and right), assume, division,
        bits, source, expect (proved, refuted, unknown), at (the smallest refutation), about and premise (the weakest
        premise), by (earlier rules as lemmas), issue. With files, --timeout is for all of them together and --budget
        for each rule; rules that are not begun in time are unknown.

        Exit code: 0 proved, 1 refuted, 3 unknown; of files: 0 all as expected, 1 some not, 2 a rule that cannot be
        read or whose assumptions nothing meets, 3 some unknown and the others as expected.

        Example:

        $ symview prove "(x % m) // c == (x // c) % (m // c)" --assume "x >= 0 and 0 < c <= m"
        refuted given x >= 0 and 0 < c and c <= m: (x % m) // c == (x // c) % (m // c)  at x = 2, m = 3, c = 2 (smallest): 1 on the left, 0 on the right
        """,  # noqa: E501
        "",
        group=Group.RULES,
    ),
    Command(
        "statements:weakest",
        "The weakest condition under which a statement holds.",
        (
            argument("STATEMENT", 'A claim about integers, such as "(x % m) % k == x % k".'),
            option("--about NAMES", "The symbols that the condition is about.", default=REQUIRED),
            _DIVISION,
        ),
        shared("assume"),
        """
        The weakest condition on some symbols under which a statement holds for all values of the others.

        STATEMENT is what `prove` takes, a rule of programs too. The condition is looked for among equalities, orders
        and divisibilities of names, numbers, products, sums, absolute values and greatest common divisors, joined by
        and and or. Where one is found, each direction is proved, or was only checked: for all values up to some
        number.

        Exit code: 0 where a condition was found, 3 where none was.

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
        "Whether an index map is one-to-one, and its inverse.",
        (
            argument("EXPRESSIONS", "Its values: one, or several in parentheses: (x//4, x % 4)."),
            argument("RANGES", "The indices: a size, or where it begins and ends: x: 0..16, y: n."),
            _DIVISION,
        ),
        shared("assume"),
        """
        Whether an index map takes different indices to different values, and what takes the values back.

        The inverse is made of quotients and remainders of the values y0, y1, …, and is proved for all indices in the
        ranges, whose sizes may be names. Where the map is not one-to-one, two indices of one value are shown.

        Exit code: 0 one-to-one, 1 not, 3 undecided.

        Example:

        $ symview index-map "(x//4, x % 4)" "x: 0..16"
        one-to-one: x = 4*y0 + y1

        $ symview index-map "(i//16, j//8, i % 16, j % 8)" "i: n, j: m"
        one-to-one: i = 16*y0 + y2, j = 8*y1 + y3
        """,
        "proving",
        group=Group.RULES,
    ),
    Command(
        "plans:plan",
        "The layout that makes every use a view, or who copies.",
        (
            argument("TENSOR", "The tensor: q(B,S,H,D); or a file of programs, one a line, its name ending in .txt."),
            argument("[PROGRAMS]...", "What is done to it: permute(0,2,1,3).reshape(B*H,S,D); or another tensor."),
            option("--names NAMES", "Names of the tensor's dims: B,S,H,D."),
            option("--bytes INT", "The bytes of an element.", min=1),
            option("--unit NAME", "The dim that has to have stride 1."),
            option("--align TEXT", "Strides as multiples, S=8,H=16; or '16 bytes'; or tma."),
            option("--signed", "Strides may be negative."),
            option("--layouts INT", "In how many layouts each tensor may be there.", default=1, min=1),
        ),
        shared("assume", explain="Show the view that each program is, and what is proved."),
        """
        The layouts under which every program is a view of its tensor; where there are none, the least copies by bytes,
        and for each group of programs that cannot agree two indices that would share an address.

        Operations are permute, flip, shrink, slice, expand, reshape, and copy, which says where programs may share one.
        With names in sizes the answer is for all sizes from 2, and says where fewer copies do if some are 1.

        Exit code: 0 where nothing copies, 1 where something has to, 3 where it is undecided whether fewer would do.

        Example:

        $ symview plan "q(B,S,H,D)" "permute(0,2,1,3).reshape(B*H,S,D)" "reshape(B,S,H*D)"
        no copy
        q: (B,S,H,D):(D*H,B*D*H,D,1), blocks [B H D][S]

        $ symview plan "q(4,1024,32,128)" "permute(0,2,1,3).reshape(128,1024,128)" "reshape(4096,4096)" --bytes 2
        1 copy, 33554432 bytes: q.permute(0,2,1,3).reshape(128,1024,128)
        q: (4,1024,32,128):(4194304,4096,128,1), blocks [0 1][2 3]
        q.permute(0,2,1,3).reshape(128,1024,128): (128,1024,128):(131072,128,1)
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
            option("--bits TYPES", "The types that wrap, where rules are used in such; or none.", default="i8 u8"),
            option("--zero", "Halide: also each rule where a divisor is 0, x/0 being 0."),
            option("--out FILE", "Write the rules as a file for `symview prove` (.toml)."),
            option("--sarif FILE", "Write what is false or undecided as SARIF, for code scanning.", name="sarif_file"),
            option("--seconds SECONDS", "How long one question may take.", default=20.0, min=0.1),
            option("--jobs INT", "How many cores.", min=1, otherwise="all"),
        ),
        shared(),
        """
        Read the rewrite rules of a checkout from their source, and prove or refute each.

        Halide: rewrite(l, r, p) in src/Simplify_*.cpp. TVM: TVM_TRY_REWRITE_IF and its like in
        src/arith/rewrite_simplify.cc. tinygrad: UPat and lambda in symbolic.py and divandmod.py.

        Each rule is asked of all integers, and in the types that wrap (--bits) where its source uses it in such.
        Divisors are not 0. Of a false rule the smallest values are told that are found, and of one that is false for
        integers the weakest premise on its constants, where one is found. What is not read is told with its reason.

        Exit code: 0 all that were read are proved; 1 some are false; 3 some are undecided, and none is false; 2 no
        rules there.

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
            argument("FILE...", "Certificates, as answers give them; - reads one from stdin.", name="files"),
            option(
                "--solver cvc5|z3|PATH",
                "Who is asked what walking leaves open (cvc5, or z3 where that is not installed).",
            ),
            option("--seed INT", "The seed of cvc5 or z3.", default=0, min=0),
            option("--proof DIR", "Save cvc5's own proof for each question, beside the question, in DIR."),
            option("--rocq FILE", "Write what Rocq checks: lemmas, and a main theorem for each certificate."),
            option("--check", "Run Rocq's coqc on what is written."),
            option(
                "--rocq-library DIR",
                "Write the library that such files begin with to DIR; FILE imports it.",
                name="library",
            ),
        ),
        shared(),
        """
        Check certificates of answers, by a checker that shares no code with what wrote them.

        It works out what has to hold, walks small boxes in plain integers, and asks a solver about all else. The
        --timeout is for each question to the solver (2 seconds); a file takes five times that at most, or 10 seconds.

        Exit code: 0 where all are confirmed; 1 where one is refuted; 2 where a file is no certificate, or vacuous:
        nothing meets what it assumes; 3 where one is confirmed but for the parts that are named, or --rocq leaves
        something open, or Rocq refuses it. What was checked is printed too.

        Example:

        $ symview verify answer.json
        answer.json: confirmed
        """,
        "checking",
        group=Group.TOOLS,
    ),
    Command(
        "layouts:compose",
        "The composition of two CuTe layouts.",
        (_A, _B),
        shared(
            *_CONDITIONS,
            explain=_STEPS,
            pytest="Print the answer as a test in plain integers that runs on pytest alone; with names, examples.",
        ),
        """
        The layout A ∘ B of B's shape, each mode perhaps split; with names, under which conditions there is one.

        Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided. With --guard:
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
        "A CuTe layout with the fewest modes.",
        (_A,),
        shared("assume", "at", "latex", "smt2", "all", explain=_STEPS),
        """
        The layout of the same function with the fewest modes; with names, by cases.

        Exit code: 0, or 3 where a case stayed undecided.

        Example:

        $ symview coalesce "(2,(1,6)):(1,(6,2))"
        12:1
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:complement",
        "The CuTe layout that fills the gaps of another.",
        (_A, argument("BOUND", "Up to where the gaps are filled: a number, or an expression.")),
        shared(*_CONDITIONS, explain=_STEPS),
        """
        Where copies of A stand apart, up to the bound; with names, by cases.

        Where every gap of A is a multiple of what comes before it, A and the copies reach each number once.

        Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided.

        Example:

        $ symview complement "4:2" 16
        (2,2):(1,8)
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:inverse",
        "The right or left inverse of a CuTe layout.",
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
        The right or the left inverse of A, as CuTe has them; with names, by cases.

        Exit code: 0 where there is one, at least under conditions; 1 where there is none; 3 undecided.

        Example:

        $ symview inverse "(4,8):(8,1)"
        (8,4):(4,1)
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:divide",
        "A CuTe layout split into a tile and the rest.",
        (_A, _B, _arranged("logical|zipped|tiled|flat", "How tiles and rests are arranged.")),
        shared(*_CONDITIONS, explain=_STEPS),
        """
        A split into the tile B and the rest; with names, by cases.

        Exit code: 0 where that is a layout, at least under conditions; 1 where it is none; 3 undecided.

        Example:

        $ symview divide "(4,6)" "<2,3>" --as zipped
        ((2,3),(2,2)):((1,4),(2,12))
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:product",
        "A CuTe layout repeated as another says.",
        (_A, _B, _arranged("logical|zipped|tiled|flat|blocked|raked", "How blocks and copies are arranged.")),
        shared(*_CONDITIONS, explain=_STEPS),
        """
        A and its copies, placed as B says; with names, by cases.

        Exit code: 0 where that is a layout, at least under conditions; 1 where it is none; 3 undecided.

        Example:

        $ symview product "(2,2):(4,1)" 6
        ((2,2),(2,3)):((4,1),(2,8))
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "layouts:linear",
        "A layout as a linear, a strided and a swizzled one; or two compared.",
        (
            argument("A", "A layout, S<b,m,s> o 0 o one, or {lane = [1, 2]}; Triton's listings too."),
            argument("[B]", "Another: are both the same function of the index?"),
            option("--size INT", "Only the indices below it.", min=1),
            option("--names NAMES", "Linear in the coordinates: a name for each mode, as in i,j."),
        ),
        shared("at"),
        """
        A layout as a linear layout over bits, as a strided one, and as a swizzle in front of one; or two compared.

        Layouts are read by their index, the first mode or input fastest. Strides may have names: then, for which ones
        A is linear in its coordinates, or both are the same function.

        Exit code: 0 where A is linear, or both are the same function, at least under conditions; 1 where not; 3
        undecided.

        Example:

        $ symview linear "SW_1_0_2 o 0 o 8:1"
        linear     {index = [1, 2, 5]} -> {offset = 8}
        strided    no layout: the values at 0 and the multiples of 1, 4 make it (4,2):(1,5), which has 6 at 5, not 4
        swizzled   SW_1_0_2 o 0 o 8:1
        injective  yes

        $ symview linear "(4,2):(a,b)" "{lane = [1, 2], warp = [8]}"
        a = 1 and b = 8
        """,
        "looking for differences",
        group=Group.CUTE,
    ),
    Command(
        "views:dense",
        "Whether a view fills an interval of addresses.",
        (_VIEW, option("--flips", "Strides may be negative: dense after flipping axes.")),
        shared(*_CONDITIONS, "pytest"),
        """
        Whether a view is dense: contiguous in some order of its dims; with names, under which condition.

        Dims of size 1 do not count, and a mask counts as a shrink. With --at, whether it is at these values; with
        --guard, whether that check is the weakest one; with --python, the weakest check to run; with --pytest, a test
        of examples on both sides of each condition.

        Exit code: 0 where it is, at least under conditions; 1 where it is not; 3 undecided. With --guard: 0 exact, 1
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
        "Whether no two indices have one address.",
        (_VIEW,),
        shared(*_CONDITIONS, "pytest"),
        """
        Whether no two indices of a view have one address; with names, under which condition.

        What stays open between names is decided for numbers, as with --at. A mask counts as a shrink.

        Exit code: 0 where they never have, at least under conditions; 1 where some always do; 3 undecided. With
        --guard: 0 exact, 1 too strong or too weak.

        Example:

        $ symview injective "(B,S,D):(t0,D,1)"
        B = 1 or D*S ≤ abs(t0)
        """,
        "comparing strides",
        group=Group.VIEWS,
    ),
    Command(
        "views:contiguous",
        "Whether a view lies in an order of its dims.",
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
        Whether a view is contiguous in an order of its dims; with names, under which condition.

        Dims of size 1 do not count, and a mask counts as a shrink.

        Exit code: 0 where it is, at least under conditions; 1 where it is not; 3 undecided. With --guard: 0 exact, 1
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
        "Whether two views share an address.",
        (
            argument("A", "A view of a buffer: (shape):(strides)+offset [mask]."),
            argument("B", "Another view of the same buffer."),
        ),
        shared(*_CONDITIONS),
        """
        Whether two views of one buffer touch the same memory; with names, under which condition.

        Offsets and strides count elements. What stays open between names is decided for numbers, as with --at.

        Exit code: 0 where they share an address, at least under conditions; 1 where they never do; 3 undecided. With
        --guard: 0 exact, 1 too strong or too weak.

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
        "Which strides say nothing, and what libraries put there.",
        (_VIEW,),
        shared(),
        """
        Which strides of a view of numbers are free, and what libraries put there.

        Free are those of dims of size 1, and all where a size is 0.

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
        "Whether a shard is one view where dims are flattened.",
        (
            argument("SHAPE", "The shape of one part, such as (A,b).", name="local"),
            option("--dim INT", "The dim along which the tensor is cut.", kind=int, default=REQUIRED),
            option("--parts TEXT", "Into how many equal parts: a number, or an expression.", default=REQUIRED),
            option("--dims FIRST,LAST", "The first and the last dim that are flattened; all if left out."),
        ),
        _EXPLAINED,
        """
        Whether the local part of a tensor that is cut along a dim is one view where dims of the tensor are flattened.

        The tensor is row-major; sizes and the number of parts are positive. With --at, whether it is at these values;
        with --guard, whether that check is the weakest one; with --python, the weakest check to run.

        Exit code: 0 where it is, at least under conditions; 1 where it is not; 3 undecided. With --guard: 0 exact, 1
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
        "Bank conflicts of shared memory.",
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
        How many ways an access to shared memory takes, at worst; with one symbolic stride, by its residue.

        Index i of the layout is thread i mod THREADS of access i // THREADS. An access is served in phases, all
        threads at once where each reads at most a word, else as many in a row as the banks are wide; ways are the
        most different words of a phase in one bank.

        Exit code: 0 without conflicts, and with a symbol; 1 with conflicts, or not aligned; 3 undecided.

        Example:

        $ symview banks 32:2
        2 ways: in access 0, the phase from thread 0 on, bank 0 has the words 0 of thread 0; 32 of thread 16
        """,
        "reading addresses",
        group=Group.CUTE,
    ),
    Command(
        "layouts:swizzle",
        "The layout of a shared tile with the fewest conflicts.",
        (
            argument("TILE", "The sizes of the tile: (64,64)."),
            argument(
                "ACCESS...",
                "cp.async 16 B, ldmatrix, ldmatrix.trans, stmatrix, mma.A, row 16 B, column 2 B, block 4x8; or a layout"
                " of threads and values, as in '((8,4),2):((128,1),64) vector 2'.",
                name="accesses",
            ),
            option("--bytes --element-bytes INT", "How many bytes an element has.", "element_bytes", int, REQUIRED, 1),
            option("--banks INT", "How many banks there are.", default=32, min=1),
            option("--width INT", "How many bytes a word of a bank has.", default=4, min=1),
            option("--objective sum|wavefronts|most", "What is least: ways, wavefronts, the most ways.", default="sum"),
            option("--padding", "Pad the rows, of any sizes, instead."),
            option("--tradeoffs", "Cut vectors: all that none beats in instructions and wavefronts."),
        ),
        shared(explain="Show what each access asks of the banks, and these."),
        """
        The layout of a tile in shared memory under which all accesses together have the fewest bank conflicts.

        The answer is an order of the dims, a swizzle behind one, or else a linear layout by bases, with the ways of each
        access and why none is better: by pigeonhole or cover no layout with these vectors is, by search no linear one.

        Exit code: 0; 1 where no layout has the vectors of two of the accesses; 3 undecided.

        Example:

        $ symview swizzle "(64,64)" "cp.async 16 B" ldmatrix --bytes 2
        SW_3_3_3 o 0 o (64,64):(64,1)

        access         vector  ways
        cp.async 16 B  16 B    1
        ldmatrix       16 B    1

        5 wavefronts of 2 instructions. No layout with these vectors is better: a phase has as many places for each bank, at least.
        """,  # noqa: E501
        "looking for a layout",
        group=Group.CUTE,
    ),
    Command(
        "layouts:footprint",
        "Which values a layout has, and how.",
        (_LAYOUT,),
        shared("at"),
        """
        From where to where the values of a layout reach, how many there are, and how they lie.

        Contiguous: an interval, each value of one index. Onto: every number from 0 to the greatest value is one.
        Vector: how many elements lie together and aligned, everywhere. Order: how often the permutation is applied
        until it is none, where the layout is contiguous.

        Exit code: 0; 3 where the values are left undecided.

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
        "A picture of a view, of overflows or of conditions.",
        (
            argument("VIEW...", "One view, or several, the one that lays out memory first.", name="views"),
            option("--layout", "VIEW is a CuTe layout, perhaps behind a swizzle."),
            option("--reshape SHAPE", "Draw when VIEW can have this shape."),
            option(
                "-o --output FILE", "Where to; .svg, or with matplotlib .png and .pdf. Without, the SVG is printed."
            ),
            option("--force", "Write over a file that is there."),
        ),
        shared("assume"),
        """
        Draw a view or a layout, the overflows of two views, or conditions on one or two sizes.

        One view is a table of its addresses, with the memory that they take. Two views whose sizes are numbers: where
        the steps of the inner one lead in the outer shape, and where they carry. Views with symbolic sizes: which
        case of their conditions holds where.

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
        "A law, a rule or a comparison over many inputs.",
        (
            argument("LAW|FILE", "merge, compose or conditions; or a file of rules (TOML).", name="law"),
            option("--bound INT", "How large inputs are: elements of a view, or values of a rule.", default=4, min=1),
            option("--random COUNT", "So many random inputs in place of all.", min=1),
            option("--seed INT", "The seed of the random inputs.", default=0),
            option("--against PEER", "Compare with a peer: tinygrad (merge), pycute (compose).", default=""),
            option("--db FILE", "Keep the results in this file, and go on from it."),
            _JOBS,
            option("--scheduler ADDRESS", "The address of a Dask scheduler, to use a cluster.", default=""),
            option("--seconds SECONDS", "After which an input is given up.", default=20.0, min=0.1),
        ),
        (option("--json", "Print the counts, or the error, as JSON."),),
        """
        Ask a law, the rules of a file, or a comparison with a peer of all small inputs, or of random ones.

        merge: the view found is the composition at every index, or none is. compose: the same of CuTe's layouts.
        conditions: what they say at some strides holds there. FILE: each rule at all values up to the bound.

        With --db, what is done is kept: killed and asked again, it goes on where it was. Counts do not depend on the
        number of workers. Each wrong answer is told in its smallest form, and so are a peer's.

        Exit code: 0 where no answer is wrong, 1 where one is.

        Example:

        $ symview sweep compose --bound 2
        what came  inputs
        compose    1666

        1666 of 1666 inputs, none answered wrongly.
        """,
        "",
        group=Group.TOOLS,
    ),
    Command(
        "linting:lint",
        "Where a program of PyTorch copies tensors.",
        (
            argument("SCRIPT", "A Python script, which runs on fake tensors: nothing is computed."),
            argument("[ARGUMENT]...", "What the script gets as its arguments.", name="arguments"),
            option("--sarif", "Print the copies in SARIF 2.1.0, for code reviews."),
        ),
        (option("--json", "Print the answer, or the error, as JSON."),),
        """
        List the reshapes, contiguous calls and matrix products of a script that copy a tensor to lay it out anew.

        Of each the line, how many bytes, the first index that breaks, and the strides with which it were a view, where
        these are known. Needs PyTorch. What the script prints goes to stderr; where it needs an element, as in
        x.item(), it stops.

        Exit code: 0 where nothing is copied, 1 where something is, 2 without the script or PyTorch, 3 where the script
        stopped before its end.

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
        "Answer questions that are JSON lines.",
        (argument("[FILE]", "A file of questions, one a line; - is stdin.", default="-"), _JOBS),
        (),
        """
        Answer questions that are JSON lines, each by one JSON line, in their order and as they come.

        A line is an object: the command, and its arguments and options as keys, such as {"command": "merge", "views":
        ["(10,3,3):(9,3,1)", "(4):(4)"]} or {"command": "conditions", "views": ["(10,3,3):(a,b,c)", "(s):(4)"], "at":
        {"s": 3}, "timeout": 1}. Lists of texts may be one text, shapes lists of numbers; empty lines are passed over.

        An answer is what the command prints with --json, and the number of the line. Where a line is no question, it
        has error and kind, and the rest goes on.

        Exit code: 0 where every question has an answer, 2 where a line was no question, 3 where one stayed undecided.

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
