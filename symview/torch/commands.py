"""The command on programs of PyTorch."""

from __future__ import annotations

from symview.commands.entries import Command, Group, argument, option

COMMANDS = (
    Command(
        "symview.torch.replies:lint",
        "List the lines where a PyTorch program copies tensors.",
        (
            argument("SCRIPT", "A Python script, which is run."),
            argument("[ARGUMENT]...", "The arguments of the script; its options stand after --.", name="arguments"),
            option("--fake", "Run it on fake tensors, and compute nothing."),
            option("--library", "Group the copies by the lines of libraries that make them."),
            option("--try", "Make the advised changes in copies of the modules, and run again.", name="attempt"),
            option("--sarif", "Print the copies in SARIF 2.1.0, for code reviews."),
        ),
        (option("--json", "Print the answer, or the error, as JSON."),),
        """
        List the reshapes, contiguous calls and kernels of a script that copy a tensor to lay it out anew.

        For each line it prints the bytes, the first index that breaks, and strides with which it would be a view, if
        these are known; for a copy in a library, the library's line too. Needs PyTorch. The script's own output goes to
        stderr. With --fake it stops where it needs an element, as in x.item(). With --try it runs once more for each
        advice about .contiguous(), and says how many copies are left and whether the script's variables are the same.

        Exit code: 0 if nothing is copied, 1 if something is, 2 without PyTorch or a script that starts, 3 if the script
        stopped before its end: the place is printed, and the copies until then. sys.exit(0) in the last statement is
        the end.

        Example:

        $ symview lint attention.py
        where           copies                                       times  bytes  breaks …
        attention.py:7  reshape of (2,5,4,2):(40,2,10,1) to (2,5,8)  1      320 B  at index (0,0,2): …

        $ symview lint train.py data -- --epochs 1
        no copies
        """,
        "running the script",
        group=Group.TOOLS,
        many=True,
        elsewhere="options of the script stand after --, as in: symview lint train.py -- --epochs 1",
    ),
)
