"""The command that checks certificates."""

from __future__ import annotations

from dataclasses import replace

from symview.commands.entries import Command, Group, argument, option, shared

_TIMEOUT = "Seconds that a question to the solver may take; a file takes at most five times that, or 10 seconds."
_SHARED = tuple([replace(p, text=_TIMEOUT, otherwise="2") if p.name == "timeout" else p for p in shared()])

COMMANDS = (
    Command(
        "symview.verify.replies:verify",
        "Check certificates of answers.",
        (
            argument("FILE...", "Files with certificates of answers; - reads one from stdin.", name="files"),
            option(
                "--solver cvc5|z3|PATH",
                "The solver for obligations that enumeration does not settle (cvc5, or z3 if that is not installed).",
            ),
            option("--seed INT", "The seed of cvc5 or z3.", default=0, min=0),
            option("--proof DIR", "Save each question to the solver, and cvc5's own proof of it, in DIR."),
            option("--rocq FILE", "Write a file for Rocq: lemmas, and a main theorem for each certificate."),
            option("--check", "Run Rocq's coqc on the written file."),
            option(
                "--rocq-library DIR",
                "Write the library of these files to DIR, so that FILE imports it.",
                name="library",
            ),
        ),
        _SHARED,
        """
        Check certificates of answers, with a checker that shares no code with the program that wrote them.

        It derives what must hold, enumerates small boxes in plain integers, and calls a solver for the rest.

        Exit code: 0 if all are confirmed; 1 if one is refuted; 2 if a file is not a certificate, or is vacuous: no
        values satisfy its assumptions; 3 if one is confirmed but for the parts printed, or if --rocq leaves
        something open, or Rocq rejects it. The output also lists what was checked.

        Example:

        $ symview verify answer.json
        answer.json: confirmed
        """,
        "checking",
        group=Group.TOOLS,
        reads_files=True,
    ),
)
