"""The table of commands: those that each part of symview has in its `commands.py`, if the part is there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib.machinery import SourceFileLoader
from types import ModuleType

import symview
from symview.commands.entries import Command

_FIRST = ("views", "rules", "cute")  # the parts whose commands lead the lists; the others follow by name


def _commands() -> Iterator[Command]:
    """Reads the entries without the packages around them, which take long to load."""
    for home in symview.__path__:
        for part in (*_FIRST, *sorted({*os.listdir(home)}.difference(_FIRST))):
            file = os.path.join(home, part, "commands.py")
            if os.path.exists(file):
                module = ModuleType(f"symview.{part}.commands")
                SourceFileLoader(module.__name__, file).exec_module(module)
                yield from module.COMMANDS


COMMANDS: Mapping[str, Command] = {command.name: command for command in _commands()}
MANY = tuple([name for name, command in COMMANDS.items() if command.many])  # which ask many questions
