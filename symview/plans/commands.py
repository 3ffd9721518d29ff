"""The command that finds layouts from their uses."""

from __future__ import annotations

from symview.commands.entries import Command, Group, argument, option, shared

COMMANDS = (
    Command(
        "symview.plans.replies:plan",
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
        q: (B,S,H,D):(D*H,B*D*H,D,1), contiguous groups: [B H D] [S]

        $ symview plan "q(4,1024,32,128)" "permute(0,2,1,3).reshape(128,1024,128)" "reshape(4096,4096)" --bytes 2
        1 copy, 33554432 bytes: q.permute(0,2,1,3).reshape(128,1024,128)
        q: (4,1024,32,128):(4194304,4096,128,1), contiguous groups: [0 1] [2 3]
        q.permute(0,2,1,3).reshape(128,1024,128): (128,1024,128):(131072,128,1)
        or copy instead: q.reshape(4096,4096), which weighs the same
        q.permute(0,2,1,3).reshape(128,1024,128) and q.reshape(4096,4096):
          q[0,32,0,0] and q[0,0,1,0] would share an address
        """,
        "looking for layouts",
        group=Group.VIEWS,
    ),
)
