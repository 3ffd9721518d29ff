"""The options that commands share, declared once, and what is given with them.

A command names those that it takes, and gets them as one `Options`:

    @takes("assume", "at", doing="looking for a counterexample")
    def counterexample(outer: Outer, inner: Inner, options: Options) -> Reply: …

    COMMANDS = (entry(counterexample, (arguments, output)),)

`--json`, `--budget` and `--timeout` belong to every command. A command returns its `Reply`, which is printed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from inspect import Parameter, Signature, signature
from math import isfinite
from typing import Annotated, Any, TypeAlias

from symview.cli.replies import Reply
from symview.cli.terminal import show, show_json, working
from symview.errors import InputError
from symview.logic.budget import DEFAULT, MOST_SECONDS, Budget
from symview.logic.notation import said


@dataclass(frozen=True, slots=True)
class Entry:
    """A command as its help page has it: what runs it, and an epilog of examples."""

    run: Callable[..., int]
    epilog: str


def entry(run: Callable[..., int], *shown: tuple[str, str]) -> Entry:
    """A command with examples: what stands behind its name on the command line, and what that prints."""
    return Entry(run, examples(run.__name__, *shown))


def examples(command: str, *shown: tuple[str, str]) -> str:
    """An epilog with examples of a command; the help page keeps its lines as they are."""
    lines = ["Example:", *(f"$ symview {command} {asked}\n{answer}" for asked, answer in shown)]
    return "\b\n" + "\n\n".join(lines).replace("\n\n", "\n\n\b\n")


@dataclass(frozen=True, slots=True)
class Declared:
    """What the help page says of a parameter: an option with its flags, or an argument, which has none.

    `min` is the least number that is allowed.
    """

    flags: tuple[str, ...]
    metavar: str | None
    text: str
    min: float | None = None


def argument(name: str, text: str) -> Declared:
    """An argument with its name on the help page."""
    return Declared((), name, text)


def option(*flags: str, text: str, metavar: str | None = None, min: float | None = None) -> Declared:
    """An option with its text on the help page."""
    return Declared(flags, metavar, text, min)


_EVIDENCE = "Print the evidence as SMT-LIB: every check-sat has to answer unsat."
_STEPS = f"How many solver steps may be spent; {DEFAULT.work // 10**6} million, unless given."
_SECONDS = "Seconds that the whole question may take; what is settled by then is kept."
_SHARED: dict[str, tuple[Any, Any, Declared]] = {  # name: type, default, declaration
    "assume": (list[str] | None, None, option(
        "--assume", text='What is known of the symbols, such as "s >= 2"; may be repeated.', metavar="TEXT")),
    "at": (list[str] | None, None, option("--at", text="A value for a symbol; may be repeated.", metavar="NAME=INT")),
    "guard": (str | None, None, option(
        "--guard", text="A check at run time: is it exact, too strong or too weak?", metavar="TEXT")),
    "explain": (bool, False, option(
        "--explain", "-v", text="Show what forces each condition, and why nothing is missing.")),
    "python": (bool, False, option("--python", text="Print the check at run time as Python.")),
    "pytest": (bool, False, option("--pytest", text="Print a test that runs on numpy and pytest alone.")),
    "json": (bool, False, option("--json", text="Print the answer, or the error, as JSON.")),
    "latex": (bool, False, option("--latex", text="Print the condition, or the cases, in LaTeX.")),
    "smt2": (bool, False, option("--smt2", text=_EVIDENCE)),
    "all": (bool, False, option("--all", text="Print all cases and conditions, however many and long they are.")),
    "budget": (int | None, None, option("--budget", text=_STEPS, metavar="INT", min=1)),
    "timeout": (float | None, None, option("--timeout", text=_SECONDS, metavar="SECONDS")),
}  # fmt: skip
_SHARE = 8  # of the work, for what is asked about an answer that took all of it
_ALWAYS = ("json", "budget", "timeout")
_ALONE = ("explain", "guard", "latex", "pytest", "python", "smt2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the shared options say; raises InputError for options that do not go together.

    `at` has the values by name; `budget` is what `--budget` and `--timeout` allow together, its clock running.
    """

    assume: tuple[str, ...] = ()
    at: Mapping[str, int] = field(default_factory=dict)
    guard: str | None = None
    explain: bool = False
    python: bool = False
    pytest: bool = False
    json: bool = False
    latex: bool = False
    smt2: bool = False
    all: bool = False
    budget: Budget = DEFAULT

    def __post_init__(self) -> None:
        asked = [name for name in _ALONE if getattr(self, name) not in (False, None)]
        beside_json = self.json and not {"guard", "python"}.issuperset(asked)
        if len(asked) > 1 or beside_json or (self.at and not {"pytest"}.issuperset(asked)):
            raise InputError(
                "choose one of --explain, --guard, --latex, --pytest, --python and --smt2; with --at only --json or "
                "--pytest goes, and --json goes with --guard and --python as well"
            )

    def asks(self) -> bool:
        """Whether anything but plain text or JSON is wanted, which only conditions can give."""
        return bool(self.at or any(getattr(self, name) not in (False, None) for name in _ALONE))

    def cap(self) -> str | None:
        """How all can be seen, where no more is printed than a person reads; None where all is."""
        return None if self.all else "--all prints the rest"

    def rest(self) -> Budget:
        """The budget of further questions about the answer: what is left of the time and the work, but some of it."""
        left, asked = self.budget.seconds_left(), self.budget.plain()
        rest = replace(asked, work=max(self.budget.left(), asked.work // _SHARE, 1))
        return rest if left is None else replace(rest, timeout=max(left, 1e-3)).started()


Command: TypeAlias = Callable[..., Reply]


@dataclass(frozen=True, slots=True)
class Asked:
    """A command as the batch asks it: the function that replies, its own parameters, and the shared ones."""

    reply: Command
    own: tuple[Parameter, ...]
    shared: tuple[Parameter, ...]


def takes(*names: str, doing: str | Callable[..., str], **texts: str) -> Callable[[Command], Callable[..., int]]:
    """Gives a command these shared options, as its parameter `options`; `texts` are other words for some of them.

    `doing`, or what it makes of the arguments, is shown on a terminal meanwhile. What comes of this prints the reply;
    its attribute `asked` has the command itself.
    """
    shared = []
    for name, (kind, default, declared) in _SHARED.items():
        if name in (*names, *texts, *_ALWAYS):
            told = replace(declared, text=texts.get(name, declared.text))
            shared.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, told]))

    def decorate(command: Command) -> Callable[..., int]:
        own = [p for p in signature(command, eval_str=True).parameters.values() if p.name != "options"]
        parameters = [p.replace(kind=Parameter.KEYWORD_ONLY) for p in own] + shared

        @wraps(command)
        def run(**given: Any) -> int:
            options = options_of({p.name: given.pop(p.name) for p in shared})
            with working(doing if isinstance(doing, str) else doing(**given)):
                reply = command(**given, options=options)
                shown = reply.to_dict(command.__name__) if options.json else list(reply.blocks())
            show_json(shown) if isinstance(shown, dict) else show(shown)
            return reply.code

        run.__signature__ = Signature(parameters, return_annotation=int)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        run.asked = Asked(command, tuple(own), tuple(shared))  # type: ignore[attr-defined]
        return run

    return decorate


def options_of(given: Mapping[str, Any]) -> Options:
    """The options from what was given for the shared parameters; the clock of the question starts."""
    rest = dict(given)
    if rest["timeout"] is not None:
        _load()
    budget = budget_of(rest.pop("budget"), rest.pop("timeout")).started()
    at, assume = values_of(rest.pop("at", None) or ()), tuple(said(rest.pop("assume", None) or ()))
    return Options(at=at, assume=assume, budget=budget, **rest)


def _load() -> None:
    """Imports what symbols and solvers need, so that a clock counts the question alone."""
    import sympy  # noqa: F401

    from symview.logic.z3_door import load

    load()


def budget_of(work: int | None, timeout: float | None) -> Budget:
    """What `--budget` and `--timeout` allow."""
    if timeout is not None and not (isfinite(timeout) and timeout > 0):
        raise InputError(f"--timeout {timeout:g}: give a number of seconds above 0")
    if timeout is not None and timeout >= MOST_SECONDS:
        raise InputError(
            f"--timeout {timeout:g} is too large: give less than {MOST_SECONDS:g} seconds, or leave it out"
        )
    return Budget(timeout=timeout) if work is None else Budget(work=work, timeout=timeout)


def values_of(given: Iterable[str]) -> dict[str, int]:
    """The values of `--at`."""
    values: dict[str, int] = {}
    for text in given:
        name, _, number = (part.strip() for part in text.partition("="))
        try:
            value = int(number)
        except ValueError:
            raise InputError(f"--at {text}: write NAME=INT, such as --at s=4") from None
        if values.setdefault(name, value) != value:
            raise InputError(f"--at gives {name} both as {values[name]} and as {value}: give it once")
    return values
