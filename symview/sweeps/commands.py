"""The command that checks laws on many inputs."""

from __future__ import annotations

from symview.commands.entries import JOBS, Command, Group, argument, option

COMMANDS = (
    Command(
        "symview.sweeps.replies:sweep",
        "Test a property, a rule file or another library on many inputs.",
        (
            argument("LAW|FILE", "merge, compose or conditions; or a file of rules (TOML).", name="law"),
            option("--bound INT", "The largest inputs: elements of a view, or values of a rule.", default=4, min=1),
            option("--random COUNT", "This many random inputs in place of all.", min=1),
            option("--seed INT", "The seed of the random inputs.", default=0),
            option("--against PEER", "Compare with a peer: tinygrad (merge), pycute (compose).", default=""),
            option("--db FILE", "Keep the results in this file, and continue from it."),
            JOBS,
            option("--scheduler ADDRESS", "The address of a Dask scheduler, to use a cluster.", default=""),
            option("--seconds SECONDS", "Seconds after which an input is left undecided.", default=20.0, min=0.1),
        ),
        (option("--json", "Print the counts, or the error, as JSON."),),
        """
        Test a property, the rules of a file or another library's answers on all small inputs, or on random ones.

        merge: the view found is the composition at every index, or no view is. compose: the same for CuTe's layouts.
        conditions: the answers at some strides are right. FILE: each rule holds at all values up to the bound.

        --db keeps finished pieces: if it is killed and run again, it continues from there. Counts do not depend on the
        number of workers. Each wrong answer, ours or a peer's, is printed in its smallest form.

        Exit code: 0 if no answer is wrong, 1 if one is.

        Example:

        $ symview sweep compose --bound 2
        outcome  inputs
        compose  1666

        1666 of 1666 inputs, no wrong answers.
        """,
        "",
        group=Group.TOOLS,
        many=True,
    ),
)
