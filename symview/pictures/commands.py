"""The command that draws."""

from __future__ import annotations

from symview.commands.entries import Command, Group, argument, option, shared

COMMANDS = (
    Command(
        "symview.pictures.replies:draw",
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
)
