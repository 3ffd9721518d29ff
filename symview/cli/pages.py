"""The command line in typer: help pages, completion, and errors in a line.

Exit codes: 0 answered yes or with conditions, 1 no, 2 bad input, 3 undecided; 70 is a defect of symview, so
that nobody mistakes a crash for an answer. Errors are `error: …` on stderr, or with `--json` an object
with the keys `error` and `kind` on stdout.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from inspect import Parameter as Declared
from inspect import Signature
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import symview
from symview.cli.options import REQUIRED, Parameter
from symview.cli.replies import Code
from symview.cli.running import answer, run_line
from symview.cli.table import COMMANDS, Command, Group


class Page(TyperCommand):
    """A command whose help page names its arguments as declared, under every version of typer."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the command on the usage line."""
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


def _shown(title: str, examples: Sequence[str]) -> str:
    """Formats the examples under a title; a help page does not rewrap their lines. Empty if there are none."""
    return "\b\n" + "\n\n".join([title, *examples]).replace("\n\n", "\n\n\b\n") if examples else ""


def _for_typer(command: Command) -> Callable[..., int]:
    """Wraps the command as a function whose parameters are declared for typer."""
    parameters = list(map(_declared, command.parameters))

    def run(**given: Any) -> int:
        return answer(command, given)

    run.__annotations__ = {p.name: p.annotation for p in parameters}
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return run


def _declared(parameter: Parameter) -> Declared:
    default = Declared.empty if parameter.default is REQUIRED else parameter.default
    says = type(default) in (int, float) or (type(default) is str and default != "")
    said = parameter.otherwise or (default if says and not parameter.flags else "")
    text = f"{parameter.text} [default: {said}]" if said else parameter.text
    info = (
        typer.Option(*parameter.flags, metavar=parameter.metavar, help=text, min=parameter.min, show_default=says)
        if parameter.flags
        else typer.Argument(metavar=parameter.metavar, help=text, show_default=False)
    )
    kind: Any = list[str] if parameter.kind is list else parameter.kind
    kind = kind if default is not None else kind | None
    return Declared(parameter.name, Declared.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


class Commands(TyperGroup):
    """All commands: every line runs in the same way, and the list shows them in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Lists the commands of each group, with a line about each."""
        for group in Group:
            with formatter.section(group.value):
                formatter.write_dl([(c.name, c.short) for c in COMMANDS.values() if c.group is group])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs one command line; exits with its code, or returns it if not standalone."""
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
)
for _command in COMMANDS.values():
    app.command(
        _command.name,
        cls=Page,
        help=f"{_shown('Example:', _command.examples[:1])}\n\n{_command.about}",
        short_help=_command.short,
        epilog=_shown("More examples:", _command.examples[1:]),
    )(_for_typer(_command))


def parsed(words: Sequence[str]) -> int:
    """Runs a line that typer parses; raises its errors."""
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


_ABOUT = """
Exact reasoning about strided tensor views: when two merge, under which conditions, and where they break.

Views are written (shape):(strides)+offset [mask], as (9):(-1)+7 [2:8]; strides left out are those of a contiguous
view. Sizes, strides and offsets are integers or names.

symview COMMAND --help has an example of each command. With --json every answer is one object for programs, whose keys
docs/json.md lists.

A - among the arguments stands for the lines of standard input, each of them the arguments of one question.

Exit codes: 0 yes, or answered with conditions; 1 no; 2 bad input; 3 undecided.
"""
_GUARD = next(example for example in COMMANDS["reshape"].examples if "--python" in example)


@app.callback(invoke_without_command=True, help=f"{_shown('Example:', [_GUARD])}\n{_ABOUT}")
def _start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """The options that come before the name of a command."""
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(Code.BAD_INPUT)
