"""The command line as typer has it: the help pages, completion, and whatever is wrong on a line.

Exit codes: 0 answered yes or with conditions, 1 no, 2 bad input, 3 undecided; 70 is a defect of symview, so
that a crash is never taken for an answer. Errors are `error: …` on stderr, or with `--json` an object
with the keys `error` and `kind` on stdout.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from inspect import Parameter as Declared
from inspect import Signature, cleandoc
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import symview
from symview.cli.options import REQUIRED, Parameter
from symview.cli.replies import Code
from symview.cli.running import answer, run_line
from symview.cli.table import COMMANDS, Command


class Page(TyperCommand):
    """A command whose help page names its arguments as they were declared, under every version of typer."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words behind the command on the usage line."""
        return [self.options_metavar or "", *(str(p.metavar) for p in self._arguments())]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The arguments and the options, each with its text."""
        arguments = [(str(p.metavar), getattr(p, "help", "") or "") for p in self._arguments()]
        options = [p.get_help_record(ctx) for p in self.get_params(ctx) if p.param_type_name == "option"]
        for title, rows in (("Arguments", arguments), ("Options", list(filter(None, options)))):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def _arguments(self) -> list[Any]:
        return [p for p in self.params if p.param_type_name == "argument"]


def _parts(command: Command) -> tuple[str, list[str]]:
    """The help of a command, and its examples: what is typed, and what that prints."""
    text, _, examples = cleandoc(command.page).partition("\n\nExample:\n\n")
    return text, re.split(r"\n\n(?=\$ )", examples)


def _epilog(examples: Sequence[str]) -> str:
    """The examples, whose lines a help page keeps as they are."""
    return "\b\n" + "\n\n".join(["Example:", *examples]).replace("\n\n", "\n\n\b\n")


def _for_typer(command: Command) -> Callable[..., int]:
    """A function that answers, with parameters as typer wants them declared."""
    parameters = list(map(_declared, command.parameters))

    def run(**given: Any) -> int:
        return answer(command, given)

    run.__annotations__ = {p.name: p.annotation for p in parameters}
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return run


def _declared(parameter: Parameter) -> Declared:
    default = Declared.empty if parameter.default is REQUIRED else parameter.default
    says = type(default) in (int, float) or (type(default) is str and default != "")
    info = (
        typer.Option(
            *parameter.flags, metavar=parameter.metavar, help=parameter.text, min=parameter.min, show_default=says
        )
        if parameter.flags
        else typer.Argument(metavar=parameter.metavar, help=parameter.text, show_default=False)
    )
    kind: Any = list[str] if parameter.kind is list else parameter.kind
    kind = kind if default is not None else kind | None
    return Declared(parameter.name, Declared.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


class Commands(TyperGroup):
    """The commands, whose lines all run in one way."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs one command line; exits with its code, or returns it where not standalone."""
        self._main_shell_completion(extra, "symview", complete_var)
        code = run_line(sys.argv[1:] if args is None else args)
        if standalone_mode:
            sys.exit(code)
        return code


_SETTINGS = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(
    cls=Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=_SETTINGS,
    epilog=_epilog(_parts(COMMANDS["conditions"])[1][:1]),
)
for _command in COMMANDS.values():
    _about, _examples = _parts(_command)
    app.command(_command.name, cls=Page, help=_about, short_help=_command.short, epilog=_epilog(_examples))(
        _for_typer(_command)
    )


def parsed(words: Sequence[str]) -> int:
    """Runs a line as typer reads it; raises what is wrong with it."""
    group: Any = typer.main.get_command(app)
    try:
        with group.make_context("symview", list(words)) as context:
            return int(group.invoke(context) or 0)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"symview {symview.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)
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
