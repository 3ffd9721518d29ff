"""The commands on layouts in memory: `symview banks`, `symview footprint`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from symview.cli.options import Options, argument, entry, option, takes
from symview.cli.replies import Code, Reply
from symview.cute.errors import NoAnswer
from symview.errors import InputError, Undecided

if TYPE_CHECKING:
    from symview.cute.analysis.banks_by_stride import BankConflictsBy
    from symview.cute.analysis.phases import BankConflicts

Asked: TypeAlias = Annotated[
    str, argument("LAYOUT", 'A layout, perhaps behind a swizzle: "Sw<3,3,3> o 0 o (8,4):(64,8)", or a linear one.')
]


@takes("at", doing="reading addresses")
def banks(
    layout: Asked,
    number: Annotated[int, option("--banks", text="How many banks there are.", metavar="INT", min=1)] = 32,
    width: Annotated[int, option("--width", text="How many bytes a word of a bank has.", metavar="INT", min=1)] = 4,
    threads: Annotated[int, option("--threads", text="How many threads an access has.", metavar="INT", min=1)] = 32,
    element: Annotated[
        int | None,
        option(
            "--bytes",
            "--element-bytes",
            text="How many bytes an element has; those of a word, unless given.",
            metavar="INT",
            min=1,
        ),
    ] = None,
    vector: Annotated[
        int, option("--vector", text="How many elements a thread reads at once.", metavar="INT", min=1)
    ] = 1,
    *,
    options: Options,
) -> Reply:
    """How many ways an access to shared memory takes, at worst; with one symbolic stride, by its residue.

    Index i of the layout is thread i mod THREADS of access i // THREADS. An access is served in phases, all threads
    at once where each reads at most a word, else as many in a row as the banks are wide; ways are the most different
    words of a phase in one bank.

    Exit code: 0 without conflicts, and with a symbol; 1 with conflicts, or not aligned; 3 undecided.

    JSON keys: layout, banks, width, threads, bytes, vector, values; conflicts with ways, access, first, bank, words;
    with a symbol, and without --at, by_stride with symbol, modulus, above, ways; not_aligned where a vector is not.
    """
    from symview.cute import bank_conflicts

    given = _with_values(_read(layout), options)
    size = width if element is None else element
    memory = {"banks": number, "width": width, "threads": threads, "bytes": size, "vector": vector}
    asked = {"layout": layout, **memory, "values": dict(options.at)}
    try:
        found = bank_conflicts(given, number, width, threads, element_bytes=size, vector=vector, budget=options.budget)
    except NoAnswer as error:
        why = str(error)
        return Reply(Code.NO, lambda: {**asked, "not_aligned": why}, lambda: [why])
    return _banks_reply(found, asked)


def _banks_reply(found: BankConflicts | BankConflictsBy, asked: dict[str, Any]) -> Reply:
    if hasattr(found, "modulus"):
        by = found.to_dict()
        return Reply(Code.YES, lambda: {**asked, "by_stride": by}, lambda: [str(found)], conditional=True)
    code = Code.NO if found else Code.YES
    return Reply(code, lambda: {**asked, "conflicts": found.to_dict()}, lambda: [str(found)])


@takes("at", doing="reading values")
def footprint(layout: Asked, options: Options) -> Reply:
    """From where to where the values of a layout reach, how many there are, and how they lie.

    Contiguous: an interval, each value of one index. Onto: every number from 0 to the greatest value is one. Vector:
    how many elements lie together and aligned, everywhere. Order: how often the permutation is applied until it is
    none, where the layout is contiguous.

    Exit code: 0; 3 where the values are left undecided.

    JSON keys: layout, values, least, greatest, count, size, span, holes, reuse, gap; contiguous and onto, true or why
    not, with reason, value, indices; vector with width, index, expected, got; order (null where there is none).
    """
    from symview import cute

    given, budget = _with_values(_read(layout), options), options.budget
    open_names = given.symbols() if isinstance(given, cute.Layout | cute.ComposedLayout) else ()
    if open_names:
        shown = " ".join(f"--at {name}=4" for name in open_names)
        has = f"footprint of {layout}, which has the symbols {', '.join(open_names)}"
        raise InputError(f"{has}: give numbers, such as {shown}")
    places, gap = cute.footprint(given, budget), cute.image(given, budget).gap
    dense, onto = cute.is_contiguous(given, budget), cute.is_surjective(given, budget=budget)
    vector, order = cute.vector_width(given, budget), None
    with suppress(Undecided):
        order = cute.order(given, budget) if dense else None

    def told() -> dict[str, Any]:
        lacking = {"contiguous": dense, "onto": onto}
        return {
            "layout": layout, "values": dict(options.at), **places.to_dict(), "gap": gap,
            **{name: True if x is True else x.to_dict() for name, x in lacking.items()},
            "vector": vector.to_dict(), "order": order,
        }  # fmt: skip

    rows = [
        ("values", str(places)), ("contiguous", "yes" if dense is True else f"no: {dense}"),
        (f"onto 0…{places.greatest}", "yes" if onto is True else f"no: {onto}"), ("vector", str(vector)),
    ]  # fmt: skip
    if dense is True:
        rows.append(("order", "undecided" if order is None else str(order)))
    return Reply(Code.YES, told, lambda: ["\n".join(f"{name:<12} {text}" for name, text in rows)])


def _read(text: str) -> Any:
    """A layout, perhaps behind a swizzle, or a linear one."""
    from symview.cute import LinearLayout, parse

    return LinearLayout.parse(text) if text.lstrip().startswith("{") else parse(text)


def _with_values(layout: Any, options: Options) -> Any:
    """The layout with the numbers of `--at`."""
    if not options.at:
        return layout
    if not hasattr(layout, "with_values"):
        raise InputError(f"--at: {layout} has no symbols")
    return layout.with_values(options.at)


COMMANDS = (
    entry(banks, (
        "32:2",
        "2 ways: in access 0, the phase from thread 0 on, bank 0 has the words 0 of thread 0; 32 of thread 16")),
    entry(footprint, ('"Sw<1,0,2> o 0 o (4,2):(1,4)"', """\
values       0 to 7: 8 of 8 places, for 8 indices
contiguous   yes
onto 0…7     yes
vector       1: at index 4 the value is 5, not 4
order        2""")),
)  # fmt: skip
