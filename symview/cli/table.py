"""The commands: in which module each of them is, loaded where it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from symview.cli.options import Entry

COMMANDS: Mapping[str, tuple[str, str]] = {  # the module, and what the help page says, which has them in this order
    "conditions": ("view_commands", "Under which conditions views merge."),
    "merge": ("view_commands", "The one view that views of numbers merge into."),
    "reshape": ("view_commands", "Whether one view can have another shape."),
    "chain": ("view_commands", "Fewer views that mean the same as a chain."),
    "overflows": ("view_commands", "Which digits overflow into which, and what that demands."),
    "counterexample": ("view_commands", "The smallest place where views do not merge."),
    "prove": ("proof_commands", "Prove or refute a statement about integers, or the rules of files."),
    "weakest": ("proof_commands", "The weakest condition under which a statement holds."),
    "verify": ("proof_commands", "Check certificates of answers."),
    "compose": ("cute_commands", "The composition of two CuTe layouts."),
    "coalesce": ("cute_commands", "A CuTe layout with the fewest modes."),
    "complement": ("cute_commands", "The CuTe layout that fills the gaps of another."),
    "inverse": ("cute_commands", "The right or left inverse of a CuTe layout."),
    "divide": ("cute_commands", "A CuTe layout split into a tile and the rest."),
    "product": ("cute_commands", "A CuTe layout repeated as another says."),
    "linear": ("linear_command", "A layout as a linear, a strided and a swizzled one; or two compared."),
    "dense": ("stride_commands", "Whether a view fills an interval of addresses."),
    "injective": ("stride_commands", "Whether no two indices have one address."),
    "contiguous": ("stride_commands", "Whether a view lies in an order of its dims."),
    "strides": ("stride_commands", "Which strides say nothing, and what libraries put there."),
    "shard": ("stride_commands", "Whether a shard is one view where dims are flattened."),
    "banks": ("memory_commands", "Bank conflicts of shared memory."),
    "footprint": ("memory_commands", "Which values a layout has, and how."),
    "draw": ("draw_command", "A picture of a view, of overflows or of conditions."),
    "sweep": ("sweep_command", "A law, a rule or a comparison over many inputs."),
    "batch": ("batch", "Answer questions that are JSON lines."),
}
MANY = ("sweep", "batch")  # which ask many questions


def entry_of(command: str) -> Entry:
    """The command of that name."""
    entries = import_module(f"symview.cli.{COMMANDS[command][0]}").COMMANDS
    found: Entry = next(e for e in entries if e.run.__name__ == command)
    return found
