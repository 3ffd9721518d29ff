"""The command line: `symview COMMAND` on the notation of the papers.

Exit codes: 0 answered yes or with conditions, 1 no, 2 bad input, 3 undecided; 70 is a defect of symview, so
that a crash is never taken for an answer. Errors are `error: …` on stderr, or with `--json` an object
with the keys `error` and `kind` on stdout.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import symview
from symview.cli import batch, questions, sweep_command
from symview.cli.options import examples, option
from symview.cli.replies import Code
from symview.cli.running import Command, Commands
from symview.cli.view_commands import WORKED

app = typer.Typer(
    cls=Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples("conditions", WORKED),
)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"symview {symview.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool, option("--version", text="Print the version and exit.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Exact reasoning about strided tensor views: when two merge, under which conditions, and where they break.

    Views are written (shape):(strides)+offset [mask], as (9):(-1)+7 [2:8]; strides left out are those of a
    contiguous view. Sizes, strides and offsets are integers or names.

    With --json every answer has command, answer (yes, no, conditions, undecided) and version, before the JSON keys of
    its command; docs/json.md has the schema.

    A - among the arguments stands for the lines of standard input, each of them the arguments of one question.

    Exit codes: 0 yes, or answered with conditions; 1 no; 2 bad input; 3 undecided.
    """
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(Code.BAD_INPUT)


for _entry in (*questions.COMMANDS, *sweep_command.COMMANDS, *batch.COMMANDS):
    app.command(_entry.run.__name__, cls=Command, short_help=_entry.short, epilog=_entry.epilog)(_entry.run)


def main() -> None:
    """The entry point of the `symview` command."""
    app()


if __name__ == "__main__":
    main()
