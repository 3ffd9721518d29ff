"""The command that finds layouts of tiles in shared memory."""

from __future__ import annotations

from symview.commands.entries import REQUIRED, Command, Group, argument, option, shared

COMMANDS = (
    Command(
        "symview.shared_memory.replies:swizzle",
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
            option("--banks INT", "How many banks there are.", min=1, otherwise="32"),
            option("--width INT", "How many bytes a word of a bank has.", min=1, otherwise="4"),
            option("--threads INT", "How many threads an instruction has.", min=1, otherwise="32"),
            option(
                "--machine NAME",
                "nvidia, cdna3, cdna4, rdna3 or rdna4, or a product (H100, MI300X, gfx950): its banks and phases.",
            ),
            option("--phases TEXT", 'The threads that are served together: "0-3 20-23; 4-7 16-19; ...".'),
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
        ldmatrix.trans reads the same addresses as ldmatrix: .trans changes the registers. cp.async and stmatrix write,
        other accesses if they end in "write"; some machines serve writes otherwise than reads. What a machine does is
        taken from public sources; the last lines say how certain that is, and who says so.

        Exit code: 0; 1 if no layout has the vectors of two of the accesses; 3 undecided.

        Example:

        $ symview swizzle "(64,64)" "cp.async 16 B" ldmatrix --bytes 2
        Sw<3,3,3> o 0 o (64,64):(64,1)

        access         vector            ways
        cp.async 16 B  16 B along dim 1  1
        ldmatrix       16 B along dim 1  1

        5 wavefronts (turns of shared memory): 4 for cp.async 16 B, 1 for ldmatrix.
        No layout with these vectors has fewer: the words of a phase, spread evenly over the banks, need these ways.
        $ symview swizzle "(64,64)" "row 16 B write" "column 16 B" --bytes 2 --machine cdna3
        Sw<3,3,3> o 0 o (64,64):(64,1)

        access          vector            ways
        row 16 B write  16 B along dim 1  1
        column 16 B     16 B along dim 1  1

        16 wavefronts (turns of shared memory): 8 for row 16 B write, 8 for column 16 B.
        No layout with these vectors has fewer: the words of a phase, spread evenly over the banks, need these ways.
        cdna3, writes of 16 bytes: 32 banks, 8 phases (0-7; 8-15; …): documented (CK Tile's manual, hipBLASLt#1180)
        cdna3, reads of 16 bytes: 32 banks, 8 phases (0-3 20-23; 4-7 16-19; …): measured (amd-shark-ai#2919, triton#11365, CK Tile's manual)
        """,  # noqa: E501
        "looking for a layout",
        group=Group.CUTE,
    ),
)
