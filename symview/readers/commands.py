"""The command that proves a compiler's rewrite rules."""

from __future__ import annotations

from symview.commands.entries import JOBS, Command, Group, argument, option, shared

COMMANDS = (
    Command(
        "symview.readers.replies:rules",
        "Prove the rewrite rules of a compiler's checkout.",
        (
            argument("PROJECT", "Whose rules: halide, tvm or tinygrad."),
            argument("CHECKOUT", "The directory of its checkout; for tinygrad an installed package does."),
            option("--bits TYPES", "Wrapping types to check rules in, if the source does; or none.", default="i8 u8"),
            option("--zero", "Halide: check each rule also with divisor 0, x/0 being 0."),
            option("--out FILE", "Write the rules as a file for `symview prove` (.toml)."),
            option("--sarif FILE", "Write what is false or undecided as SARIF, for code scanning.", name="sarif_file"),
            option("--only FILE:LINE", "Only the rules of a file, or of a line of it, as in Simplify_Sub.cpp:166."),
            option("--seconds SECONDS", "Seconds that one question may take.", default=20.0, min=0.1),
            JOBS,
        ),
        shared(),
        """
        Read the rewrite rules of a checkout from their source, and prove or refute each.

        Halide: rewrite(l, r, p) in src/Simplify_*.cpp. TVM: TVM_TRY_REWRITE_IF and its like in
        src/arith/rewrite_simplify.cc. tinygrad: UPat and lambda in symbolic.py and divandmod.py.

        Each rule is checked in wrapping types (--bits) if its source uses it in them, then for all integers. Divisors
        are not 0. For a false rule the smallest values found are printed, and, if it is false for integers, the weakest
        premise on its constants, if one is found; and a line for a shell that runs the rule in the compiler itself, at
        these values. Rules that cannot be read are listed with reasons.

        Exit code: 0 all rules read are proved; 1 some are false; 3 some are undecided, and none is false; 2 no rules
        found.

        Example:

        $ symview rules halide ~/Halide --out halide.toml --sarif halide.sarif
        """,
        "",
        group=Group.RULES,
        many=True,
    ),
)
