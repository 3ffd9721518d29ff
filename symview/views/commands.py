"""The commands about views."""

from __future__ import annotations

from symview.commands.entries import CONDITIONS, Command, Group, argument, option, shared

_OUTER = argument("OUTER", "The outer view, of memory: (shape):(strides)+offset [mask].")
_INNER = argument("INNER", "The inner view, of the tensor that OUTER describes.")
_MORE = argument("[MORE]...", "More views, each of the tensor that the previous one describes.")
_VIEW = argument("VIEW", "The view: (shape):(strides)+offset [mask].")
_EXPLAINED = shared(*CONDITIONS, "explain")

COMMANDS = (
    Command(
        "symview.views.replies_with_names:conditions",
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
        check is the weakest one; --python prints the weakest check.

        Exit code: 0 if they merge, perhaps under conditions; 1 if they never do within bounds; 3 if a case is
        undecided. With --at: 0 or 1. With --guard: 0 exact, 1 too strong or too weak, 3 only known to be sound.

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
        sound, but too strong: it refuses σ1 = 0, σ2 = 0, σ3 = 0, s = 4, where the views merge
        """,
        "looking for overflows",
        group=Group.VIEWS,
    ),
    Command(
        "symview.views.replies:merge",
        "Merge views into one view.",
        (_OUTER, _INNER, _MORE),
        shared(explain="Show the steps: place values, carries, and their consequences."),
        """
        Merge views of numbers into one view, or find the index where a single view breaks.

        With names, find the view that is right for all their values, or else the conditions, as `symview conditions`
        does. --explain shows the steps, as one would do them by hand.

        Exit code: 0 if they merge, perhaps under conditions; 1 if they do not; 3 undecided.

        Example:

        $ symview merge "(10,3,3):(9,3,1)" "(4,2):(4,-1)+1"
        (4,2):(4,-1)+1
        """,
        "merging",
        group=Group.VIEWS,
    ),
    Command(
        "symview.views.replies:reshape",
        "Decide whether a view can have another shape.",
        (
            _VIEW,
            argument("SHAPE", "The new shape, as in (2,-1); or MLIR's reassociation, as in '[[0, 1], [2]]'."),
            option("--order C|F", "Row-major order, or column-major as in Fortran.", default="C"),
        ),
        _EXPLAINED,
        """
        Find the view of another shape with the same elements in row-major order, or why there is none.

        With names, find the exact, weakest condition under which there is one. It includes that the sizes agree, and
        that -1 stands for an integer. --at decides whether there is one at these values; --guard, whether that check is
        the weakest one; --python prints the weakest check.

        Exit code: 0 if there is one, perhaps under conditions; 1 if there is none; 3 undecided. With --guard: 0 exact,
        1 too strong or too weak, 3 only known to be sound.

        Example:

        $ symview reshape "(B,S,D):(t0,t1,t2)" "(B*S,D)" --assume "B >= 2"
        S = 1 or t0 = S*t1

        sizes  condition  merged view
        S = 1  always     (B*S,D):(t0,t2)
        S ≠ 1  t0 = S*t1  (B*S,D):(t1,t2)

        $ symview reshape "(B,S,D):(t0,t1,t2)" "(B*S,D)" --python
        B == 1 or S == 1 or t0 == S*t1

        $ symview reshape "(i0,192)" "(12,-1,192)" --at i0=36
        A view with i0 = 36: (12,3,192):(576,192,1)

        $ symview reshape "memref<?x?x4xf32, strided<[?, ?, 1], offset: ?>>" "[[0, 1], [2]]" --python
        d0 == 1 or d1 == 1 or s0 == d1*s1

        $ symview reshape "(i0,192)" "(12,-1,192)" --guard "i0 > 12"
        too weak: it allows i0 = 13, where the sizes do not fit
        """,
        "looking for conditions",
        group=Group.VIEWS,
    ),
    Command(
        "symview.views.replies:chain",
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

        minimal: one view is not enough: at index (2) the element is at address 1; constant strides would put it at 8
        """,
        "simplifying",
        group=Group.VIEWS,
    ),
    Command(
        "symview.views.replies:overflows",
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
        "symview.views.replies:counterexample",
        "Find the smallest place where views do not merge.",
        (_OUTER, _INNER, _MORE),
        shared("assume", "at"),
        """
        Find the smallest place where the views do not merge: by sizes first, then by strides, then by the index.

        With --at, which must then set every symbol, find the smallest index at these values.

        Exit code: 1 if there is one, as the views then do not (always) merge; 0 if there is none; 3 undecided.

        Example:

        $ symview counterexample "(10,3,3):(a,b,c)" "(s):(4)" --assume "s >= 6"
        The views do not merge with a = 0, b = 0, c = 1, s = 6.
        At index (3) the element is at address 0; constant strides would put it at 3.

        step along axis 0  in the outer view   overflow             address moves by
        (0) to (1)         (0,0,0) to (0,1,1)  none                 1
        (2) to (3)         (0,2,2) to (1,1,0)  dim 2 into 1 into 0  -2

        A single view moves by the same amount on every step along an axis.
        """,
        "looking for a counterexample",
        group=Group.VIEWS,
    ),
    Command(
        "symview.views.replies_with_names:dense",
        "Decide whether a view is contiguous in some order of its dims.",
        (_VIEW, option("--flips", "Strides may be negative: dense after flipping axes.")),
        shared(*CONDITIONS),
        """
        Decide whether a view is dense: contiguous in some order of its dims; with names, find the condition.

        Dims of size 1 do not count, and of a mask only the indices inside do. --at decides it at these values;
        --guard, whether that check is the weakest one; --python prints the weakest check.

        Exit code: 0 if it is, perhaps under conditions; 1 if it is not; 3 undecided. With --guard: 0 exact, 1
        too strong or too weak, 3 only known to be sound.

        Example:

        $ symview dense "(M,N):(p,q)"
        dense exactly if (p = N and q = 1) or ((M = 1 or p = 1) and (N = 1 or q = M))
        """,
        "comparing strides",
        group=Group.VIEWS,
    ),
    Command(
        "symview.views.replies_with_names:injective",
        "Decide whether all indices have different addresses.",
        (_VIEW,),
        shared(*CONDITIONS),
        """
        Decide whether all indices of a view have different addresses; with names, find the condition.

        Some questions with names stay open; with numbers, as from --at, all are decided. Of a mask only the indices
        inside count.

        Exit code: 0 if all addresses differ, perhaps under conditions; 1 if two indices always share an address; 3
        undecided. With --guard: 0 exact, 1 too strong or too weak, 3 only known to be sound.

        Example:

        $ symview injective "(B,S,D):(t0,D,1)"
        one-to-one exactly if B = 1 or D*S ≤ abs(t0)
        """,
        "comparing strides",
        group=Group.VIEWS,
    ),
    Command(
        "symview.views.replies_with_names:contiguous",
        "Decide whether a view is contiguous in an order of its dims.",
        (
            _VIEW,
            option(
                "--order DIMS|column_major|channels_last|…",
                "Dims, the fastest first, as in 1,0, or the name of a format.",
                otherwise="row_major",
            ),
        ),
        shared(*CONDITIONS),
        """
        Decide whether a view is contiguous in an order of its dims; with names, find the condition.

        Dims of size 1 do not count, and of a mask only the indices inside do.

        Exit code: 0 if it is, perhaps under conditions; 1 if it is not; 3 undecided. With --guard: 0 exact, 1
        too strong or too weak, 3 only known to be sound.

        Example:

        $ symview contiguous "(N,C,H,W):(s,1,W*C,C)" --order channels_last
        contiguous exactly if N = 1 or s = C*H*W
        """,
        "comparing strides",
        group=Group.VIEWS,
    ),
    Command(
        "symview.views.replies_with_names:overlap",
        "Decide whether two views share an address.",
        (
            argument("A", "A view of a buffer: (shape):(strides)+offset [mask]."),
            argument("B", "Another view of the same buffer."),
        ),
        shared(*CONDITIONS),
        """
        Decide whether two views of one buffer touch the same memory; with names, find the condition.

        Offsets and strides count elements. Some questions with names stay open; with numbers, all are decided.

        Exit code: 0 if they share an address, perhaps under conditions; 1 if they never do; 3 undecided. With --guard:
        0 exact, 1 too strong or too weak, 3 only known to be sound.

        Example:

        $ symview overlap "(4,9):(16,1)" "(4,8):(16,1)+8"
        The views overlap: address 8 has index (0,8) in the first and (0,0) in the second.

        $ symview overlap "(h,d):(d,1)" "(h,d):(d,1)+p" --assume "p >= 0"
        they overlap exactly if d*h > p
        """,
        "comparing addresses",
        group=Group.VIEWS,
    ),
    Command(
        "symview.views.replies:strides",
        "List the arbitrary strides, and what libraries put there.",
        (_VIEW,),
        shared(),
        """
        List the strides that do not matter (those of size 1), and what each library stores there.

        The strides of dims of size 1 are free, and all strides if a size is 0.

        Exit code: 0.

        Example:

        $ symview strides "(3,1,4)"
        arbitrary strides: dim 1

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
        "symview.views.replies_with_names:recast",
        "Decide whether a view is one of another element type.",
        (
            _VIEW,
            argument("OLD", "The type of its elements: bits, or a name such as fp16."),
            argument("NEW", "The type in which the memory is read."),
            option("--dim INT", "The dim along which elements are joined or split.", kind=int, default=-1),
        ),
        shared(*[name for name in CONDITIONS if name != "smt2"]),
        """
        Find the view of the same memory with elements of another width, aligned and in order, or why there is none.
        Address 0 counts as aligned.

        With names, find the condition under which there is one. --at decides it at these values; --guard, whether that
        check is the weakest one; --python prints the weakest check.

        Exit code: 0 if there is one, perhaps under conditions; 1 if there is none. With --guard: 0 exact, 1 too
        strong or too weak.

        Example:

        $ symview recast "(a,n):(ld,1)+o" int8 int32
        a view exactly if n % 4 = 0 and o % 4 = 0 and (a = 1 or ld % 4 = 0)
        (a,n//4):(ld//4,1)+o//4

        $ symview recast "(4,8):(9,1)" fp16 fp32
        no view: 2 does not divide the stride 9 of dim 0
        """,
        "comparing strides",
        group=Group.VIEWS,
    ),
    Command(
        "symview.views.replies_with_names:shard",
        "Find the placement of a sharded tensor after a reshape, or where it breaks.",
        (
            argument("SHAPE", "The shape of the whole tensor, such as (N,K); with --parts, that of one part."),
            argument("[PLACEMENTS]", 'One for each mesh axis, as PyTorch prints them: "S(0), _S(0, 4), R".'),
            argument("[NEW]", "The new shape of the whole tensor.", name="new_shape"),
            option("--mesh TEXT", "The ranks of each mesh axis, such as 4, 2x2 or m."),
            option("--to PLACEMENTS", "The placements to test; by default, those with the weakest condition."),
            option("--dim INT", "With --parts: the dim along which the tensor is cut.", kind=int),
            option("--parts TEXT", "The number of equal parts, if SHAPE is that of one: a number, or an expression."),
            option("--dims FIRST,LAST", "With --parts: the dims that are flattened, first and last; all if left out."),
        ),
        _EXPLAINED,
        """
        Find the placements after a reshape with which each rank keeps its elements, in order. Parts may be uneven.

        S(d) cuts a dim as torch.chunk does, _S(d, f) each of f pieces of it; several mesh axes cut from left to right.
        With --parts instead: is one of so many equal parts still one view after dims of the whole are flattened?

        The tensor is row-major; sizes and ranks are positive. --at decides it at these values; --guard, whether that
        check is the weakest one; --python prints the weakest check.

        Exit code: 0 if it is, perhaps under conditions; 1 if it is not; 3 undecided. With --guard: 0 exact, 1
        too strong or too weak, 3 only known to be sound.

        Example:

        $ symview shard "(N,K)" "S(0)" "(N*K)" --mesh m
        S(0) exactly if K*(-N % m) < m

        $ symview shard "(6,4)" "S(0)" "(24)" --mesh 4
        no placement: S(0) first differs at element 6 of rank 0

        $ symview shard "(A,b)" --dim 1 --parts m --python
        A == 1 or b == 1 or m == 1
        """,
        "looking for conditions",
        group=Group.VIEWS,
    ),
)
