"""The command that answers batches."""

from __future__ import annotations

from symview.commands.entries import JOBS, Command, Group, argument

COMMANDS = (
    Command(
        "symview.cli.batch:batch",
        "Answer questions given as JSON lines.",
        (argument("[FILE]", "A file of questions, one a line; - is stdin.", default="-"), JOBS),
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
        many=True,
        reads_files=True,
    ),
)
