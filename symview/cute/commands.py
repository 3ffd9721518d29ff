"""The commands about CuTe's layouts."""

from __future__ import annotations

from symview.commands.entries import CONDITIONS, Command, Group, Parameter, argument, option, shared

_A = argument(
    "A",
    "A layout in CuTe's notation: ((2,2),8):((1,4),2); of coordinates: (4,5):(1@0,2@1); swizzled:"
    " 'Sw<2,0,3> o 0 o (8,8):(8,1)'.",
)
_B = argument(
    "B",
    "A layout with strides, a size, or one for each mode of A: <4:1,_,8>, where _ leaves a mode alone. CuTe's tuple"
    " (4,8) is <4,8>.",
)
_LAYOUT = argument("LAYOUT", 'A layout, perhaps swizzled: "Sw<3,3,3> o 0 o (8,4):(64,8)", or a linear one.')
_STEPS = "Show the steps; needs numbers."


def _arranged(choices: str, text: str) -> Parameter:
    return option(f"--as {choices}", text, name="arranged", default="logical")


COMMANDS = (
    Command(
        "symview.cute.replies:span",
        "Find the storage that a view needs, or when it stays inside one.",
        (
            argument("VIEW", "The view: (shape):(strides)+offset [mask]; or a CuTe layout."),
            option("--storage TEXT", "The elements of a storage: a number, or an expression such as M*ld."),
            option("--bits WIDTH", "The width of an integer that has to hold the addresses: 32 or i32, u32, …"),
            option("--relative", "Addresses without the offset; with --bits, also all partial sums of them."),
        ),
        shared(*[name for name in CONDITIONS if name != "smt2"]),
        """
        Find the least and the greatest address of a view, in elements, and the storage that it needs.

        Strides may have any sign. --storage and --bits decide whether all addresses are inside; with names, they find
        the condition. Use --bits 32 --relative to ask whether an offset or a partial sum leaves 32 bits.

        Exit code: 0; with --storage or --bits 0 if the addresses fit, perhaps under conditions, and 1 if they do not.
        With --guard: 0 exact, 1 too strong or too weak, 3 only known to be sound.

        Example:

        $ symview span "(5,2):(50,10)+2"
        addresses 2 to 212: a storage of 213 elements

        $ symview span "(a,b):(s,t)" --storage N --assume "s >= 0 and t >= 0"
        fits exactly if (a - 1)*s + (b - 1)*t < N

        $ symview span "(B,S,D):(t0,D,1)" --bits 32 --assume "t0 >= 0"
        fits exactly if (B - 1)*t0 + D*S ≤ 2147483648
        """,
        "comparing addresses",
        group=Group.VIEWS,
    ),
    Command(
        "symview.cute.replies:compose",
        "Compose two CuTe layouts.",
        (_A, _B),
        shared(*CONDITIONS, explain=_STEPS),
        """
        Find the layout A ∘ B of B's shape, whose modes may be split; with names, the conditions under which it exists.

        Exit code: 0 if there is one, perhaps under conditions; 1 if there is none; 3 undecided. With --guard:
        0 exact, 1 too strong or too weak, 3 only known to be sound.

        Example:

        $ symview compose "(4,6,8):(a,b,c)" "6:3"
        b = 4*a: 6:3*a
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "symview.cute.replies:coalesce",
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
        "symview.cute.replies:complement",
        "Find the CuTe layout that fills the gaps of another.",
        (_A, argument("BOUND", "Up to where the gaps are filled: a number, or an expression.")),
        shared(*CONDITIONS, explain=_STEPS),
        """
        Find the layout whose values move A to disjoint copies that tile 0 to BOUND; with names, by cases.

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
        "symview.cute.replies:inverse",
        "Find the right or left inverse of a CuTe layout.",
        (
            _A,
            option(
                "--side right|left",
                "right: A(R(i)) = i for R's indices; left: A(L(A(i))) = A(i) for A's.",
                default="right",
            ),
        ),
        shared(*CONDITIONS, explain=_STEPS),
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
        "symview.cute.replies:divide",
        "Split a CuTe layout into a tile and the rest.",
        (_A, _B, _arranged("logical|zipped|tiled|flat", "How tiles and rests are arranged.")),
        shared(*CONDITIONS, explain=_STEPS),
        """
        Split A into the tile B and the rest; with names, by cases.

        Exit code: 0 if the result is a layout, perhaps under conditions; 1 if it is not; 3 undecided.

        Example:

        $ symview divide "(4,6)" "<2,3>" --as zipped
        ((2,3),(2,2)):((1,4),(2,12))
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "symview.cute.replies:product",
        "Repeat a CuTe layout in the arrangement of another.",
        (_A, _B, _arranged("logical|zipped|tiled|flat|blocked|raked", "How blocks and copies are arranged.")),
        shared(*CONDITIONS, explain=_STEPS),
        """
        Repeat A: copies of it, arranged by B; with names, by cases.

        Exit code: 0 if the result is a layout, perhaps under conditions; 1 if it is not; 3 undecided.

        Example:

        $ symview product "(2,2):(4,1)" 6
        ((2,2),(2,3)):((4,1),(2,8))
        """,
        "looking for carries",
        group=Group.CUTE,
    ),
    Command(
        "symview.cute.replies:linear",
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

        $ symview linear "Sw<1,0,2> o 0 o 8:1"
        linear     {index = [1, 2, 5]} -> {offset = 8}
        strided    no layout: at index 5 the value is 4; the values at the multiples of 1 and 4 fit (4,2):(1,5), which has 6 there
        swizzled   Sw<1,0,2> o 0 o 8:1
        injective  yes

        $ symview linear "(4,2):(a,b)" "{lane = [1, 2], warp = [8]}" --at a=1 --at b=8
        the same function
        """,  # noqa: E501
        "looking for differences",
        group=Group.CUTE,
    ),
    Command(
        "symview.cute.replies:banks",
        "Count bank conflicts in shared memory.",
        (
            _LAYOUT,
            option("--banks INT", "How many banks there are.", min=1, otherwise="32"),
            option("--width INT", "How many bytes a word of a bank has.", min=1, otherwise="4"),
            option("--threads INT", "How many threads an access has.", min=1, otherwise="32"),
            option(
                "--bytes --element-bytes INT",
                "How many bytes an element has.",
                name="element_bytes",
                min=1,
                otherwise="as a word",
            ),
            option("--vector INT", "How many elements a thread reads at once.", default=1, min=1),
            option(
                "--machine NAME",
                "nvidia, cdna3, cdna4, rdna3 or rdna4, or a product (H100, MI300X, gfx950): its banks and phases.",
            ),
            option("--write", "The access of the machine is a write."),
            option("--phases TEXT", 'The threads that are served together: "0-3 20-23; 4-7 16-19; ...".'),
        ),
        shared("at", "all"),
        """
        Find the worst bank conflict of an access to shared memory; with one symbol in the strides, for all its values.

        Index i of the layout is thread i mod THREADS of access i // THREADS. An access is served in phases: all threads
        at once if each reads at most a word, else as many consecutive threads as the banks are wide. The ways of a
        phase are the largest number of different words in one bank.

        What a machine does is taken from public sources: the last line says how certain it is, and who says so. Where
        sources disagree, both answers are printed. A machine that is not listed needs --phases.

        Exit code: 0 without conflicts, and with a symbol; 1 with conflicts, or not aligned; 3 undecided, also if only
        one of two sources has conflicts.

        Example:

        $ symview banks 32:2
        2-way conflict: threads 0 and 16 read 2 different words of bank 0 (words 0, 32)
        $ symview banks 32:ld --at ld=33
        no conflict
        $ symview banks "(16,4):(ld,8)" --bytes 2 --vector 8 --machine cdna3
        ld = 0 or ld % 32 = 16: no conflict
        ld % 16 = 8 or ld % 64 = 32: 2-way conflict
        ld % 64 = 0 and ld ≠ 0: 4-way conflict
        otherwise: misaligned
        cdna3, reads of 16 bytes: 32 banks, 8 phases (0-3 20-23; 4-7 16-19; …): measured (amd-shark-ai#2919, triton#11365, CK Tile's manual)
        """,  # noqa: E501
        "reading addresses",
        group=Group.CUTE,
    ),
    Command(
        "symview.cute.replies:footprint",
        "Report the values of a layout: number, contiguity, vectors.",
        (_LAYOUT,),
        shared("at"),
        """
        Report the number of a layout's values, and how they lie; `symview span` finds how far they reach.

        Contiguous: the values are an interval, and each belongs to one index. Onto: every number from 0 to the greatest
        value is a value. Vector: how many elements are adjacent and aligned, everywhere. Order: the order of the
        permutation, if the layout is contiguous.

        Exit code: 0; 3 if the values are undecided.

        Example:

        $ symview footprint "Sw<1,0,2> o 0 o (4,2):(1,4)"
        values       8 of 8 places, for 8 indices
        contiguous   yes
        onto 0…7     yes
        vector       1: at index 4 the value is 5, not 4
        order        2
        """,
        "reading values",
        group=Group.CUTE,
    ),
)
