"""The replies of the commands on CuTe layouts: the algebra, and properties of their values.

`symview compose`, `coalesce`, `complement`, `inverse`, `divide`, `product`; `linear`, `banks`, `footprint`; and `span`,
which takes views and layouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from symview import cute
from symview.cases.algebra import Algebra
from symview.cases.query import assumptions, positive_names
from symview.commands.options import Options
from symview.commands.replies import Code, Found, Reply, at_values, conditions_reply, reply
from symview.counterexample import Counterexample, Kind
from symview.cute import operations
from symview.cute.algebra import ARRANGEMENTS, operation
from symview.cute.analysis.machines import Hardware
from symview.cute.composition_failure import Break, NoComposition
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import flatten, leaves, profile_text
from symview.cute.layout import Layout, is_layout
from symview.cute.named.conditions import Operation
from symview.cute.named.substitution import put
from symview.cute.operations import Anything
from symview.cute.swizzle import Swizzle
from symview.cute.swizzled.coalescing import coalesce as coalesced
from symview.cute.text import parse, read_layout_or_tiler, read_tiler_of
from symview.displayed import Json
from symview.engine.index_map import index_text
from symview.errors import InputError, NotationError, Undecided, unknown_name
from symview.logic.entailment import Entailment
from symview.logic.integer import of_term
from symview.logic.notation import parse_expression
from symview.logic.sympy_bridge import is_number, to_term
from symview.logic.terms import Term, names, num, sym
from symview.show.formulas import exactly, where_text
from symview.view import View
from symview.views.span import span as span_of
from symview.views.span import span_conditions


def compose(a: str, b: str, options: Options) -> Reply:
    """Composes A ∘ B, in B's shape."""
    args = parse(a), read_tiler_of(b)
    return _with_notes(_of_operation("composition", args, options), "composition", args, _beyond, options)


def coalesce(a: str, options: Options) -> Reply:
    """Finds the layout of the same function with the fewest modes."""
    return _of_operation("coalesce", (parse(a),), options)


def complement(a: str, bound: str, options: Options) -> Reply:
    """Finds a layout that moves A to disjoint copies, up to the bound."""
    return _of_operation("complement", (parse(a), of_term(parse_expression(bound))), options)


def inverse(a: str, side: str, options: Options) -> Reply:
    """The right or the left inverse of A."""
    if side not in ("right", "left"):
        raise InputError(f"--side {side}: choose right or left")
    return _of_operation(f"{side}_inverse", (parse(a),), options)


def divide(a: str, b: str, arranged: str, options: Options) -> Reply:
    """Splits A into the tile B and the rest."""
    layout, tiler = parse(a), read_tiler_of(b)
    found = _of_operation(_arranged("divide", arranged), (layout, tiler), options)
    return _with_notes(found, "logical_divide", (layout, tiler), _outside, options)


def _with_notes(
    found: Reply,
    name: str,
    args: tuple[Any, Any],
    outside: Callable[[Any, Any, Entailment], Iterable[str]],
    options: Options,
) -> Reply:
    """The reply with what lies outside of the first layout, if there is an answer, and it is of plain layouts."""
    plain = all(isinstance(x, Layout) for x in leaves(args) if is_layout(x) or isinstance(x, Swizzle))
    if not plain or found.code is not Code.YES or replace(options, at={}).wants_conditions():
        return found
    facts = assumptions(options.assume, Operation(name, args).symbols())
    known = Entailment([] if options.at else facts, options.budget)
    first, second = (put(x, options.at) for x in args)
    notes = list(outside(first, second, known))
    if not notes:
        return found
    text = "\n".join(notes)
    return replace(found, fields=lambda: {**found.fields(), "outside": notes}, blocks=lambda: [*found.blocks(), text])


def _beyond(a: Layout, b: Any, known: Entailment) -> Iterator[str]:
    """That B's values go beyond A's size, where CuTe goes on with A's last mode; with names, when they do.

    Nothing is said of strides that may be negative.
    """
    size, modes = a.size(), b.flat() if isinstance(b, Layout) else ()
    told = f"B reaches beyond A's {profile_text(size)} elements: there A's last mode goes on, as in CuTe"
    last = sum([(n - 1) * d for n, d in modes])
    if is_number(last) and is_number(size):
        if last >= size and min(d for _, d in modes) >= 0:
            yield told
        return
    sizes = [to_term(n) for n in (*leaves(a.shape), *[n for n, _ in modes])]
    positive = positive_names(sizes, known.facts)
    known = known.also(*[Term(">=", (sym(name), num(1))) for name in positive])
    inside = Term("<", (to_term(last), to_term(size)))
    if not all(known.implies(Term(">=", (to_term(d), num(0)))) for _, d in modes) or known.implies(inside):
        return
    algebra = Algebra(positive, names(inside))
    yield f"where {where_text(algebra.below(*map(algebra.poly, (size, last + 1))))}, {told}"


def _outside(layout: Layout, tiler: Any, known: Entailment, place: tuple[int, ...] = ()) -> Iterator[str]:
    """The indices outside of a mode where a tile does not divide it; with names, when there are none."""
    if isinstance(tiler, tuple):
        for n, (mode, tile) in enumerate(zip(layout.modes(), tiler, strict=False)):
            yield from _outside(mode, tile, known, (*place, n))
        return
    where = f"in mode {profile_text(place if len(place) > 1 else place[0])}, " if place else ""
    reach, size = _reach(tiler), layout.size()
    left = 0 if reach is None else size % reach
    if reach is not None and isinstance(left, int):
        if left:
            last = size - left + reach - 1
            which = f"indices {size} to {last} are" if last > size else f"index {size} is"
            yield f"{where}{tiler} does not divide {size}: {which} outside"
    elif reach is not None and not known.implies(Term("==", (to_term(left), num(0)))):
        divides = Term("==", (Term("%", (to_term(size), to_term(reach))), num(0)))
        yield f"{where}the tiles cover nothing beyond {profile_text(size)} exactly if {where_text(divides)}"


def _reach(tile: Any) -> Any:
    """The elements that a tile and the rest between its parts fill; None if names leave that open."""
    one = tile if isinstance(tile, Layout) else Layout(1 if tile is None else tile)
    modes = [(n, d) for n, d in one.flat() if n != 1 and d != 0]
    if len(modes) == 1 and modes[0][1] == 1:
        return modes[0][0]
    return max([n * d for n, d in modes], default=1) if one.numeric else None


def product(a: str, b: str, arranged: str, options: Options) -> Reply:
    """Repeats A in the arrangement of B."""
    read = read_layout_or_tiler if arranged in ("blocked", "raked") else read_tiler_of  # those have no tile by modes
    return _of_operation(_arranged("product", arranged), (parse(a), read(b)), options)


# Answering a layout command


def _arranged(kind: str, how: str) -> str:
    """The variant of the operation that arranges tiles and rests, or blocks and copies, in this way."""
    if how not in ARRANGEMENTS[kind]:
        raise InputError(f"--as {how}: choose one of {', '.join(ARRANGEMENTS[kind])}")
    return f"{how}_{kind}"


def _of_operation(name: str, args: tuple[Any, ...], options: Options) -> Reply:
    """Runs the operation on numbers; with names, or if conditions were requested, returns conditions."""
    if any(isinstance(x, Swizzle) or (is_layout(x) and not isinstance(x, Layout)) for x in leaves(args)):
        return _of_other_layouts(name, args, options)
    question = Operation(name, args)
    on_numbers = not (question.symbols() or options.assume or options.at)
    if on_numbers and options.explain:
        return _explained(name, args, options)
    if on_numbers and not options.wants_conditions():
        return _layout_reply(lambda: operation(name)(Anything(options.budget.started()), *args))
    if options.explain:
        raise InputError("--explain shows the steps on numbers; with names, --smt2 prints the evidence")
    from symview.cute.named.queries import answered  # slow to load

    return conditions_reply(
        answered(name, args, options.assume, options.budget),
        options,
        at=lambda found: _at(found, options),
        blocks=lambda found: [found.headline(options.cap())],
    )


def _explained(name: str, args: tuple[Any, ...], options: Options) -> Reply:
    """The steps of an operation on numbers."""
    from symview.cute.explained import explain  # slow to load

    steps = explain(name, *args, budget=options.budget)
    if isinstance(steps.answer, Undecided):
        raise steps.answer
    none = isinstance(steps.answer, Counterexample | NoAnswer)
    return Reply(Code.NO if none else Code.YES, dict, lambda: steps.blocks)


def _of_other_layouts(name: str, args: tuple[Any, ...], options: Options) -> Reply:
    """Runs the operation on layouts with coordinates as values, or with a swizzle: an answer without conditions."""
    if options.explain or options.assume or options.wants_conditions():
        kind = "coordinates" if any(isinstance(x, CoordinateLayout) for x in leaves(args)) else "swizzled values"
        raise InputError(f"{name} of {args[0]}: for layouts of {kind} only the answer can be shown, not steps or cases")
    if name == "complement" and isinstance(args[0], CoordinateLayout):
        raise InputError(f"complement of {args[0]}: gaps are between numbers, its values are coordinates")
    special: dict[str, Callable[..., Any]] = {"coalesce": coalesced, "complement": cute.complement}
    run = special.get(name) or partial(getattr(operations, name), budget=options.budget)
    return _layout_reply(lambda: run(*args))


def _layout_reply(run: Callable[[], Any]) -> Reply:
    """The resulting layout, or why there is none."""
    try:
        found = run()
    except NoAnswer as error:
        return reply({"layout": None, "no_layout": _reason(error)}, error, yes=False)
    return reply({"layout": str(found)}, found)


def _at(found: Found, options: Options) -> Reply:
    """The layout at the values of `--at`, or why there is none."""
    layout = found.layout(options.at)
    question = {"question": str(found.question), "values": dict(options.at)}
    if layout is not None:
        return reply({**question, "layout": str(layout)}, layout)
    broken = found.counterexample(options.at)
    why = {} if broken is None else {"no_layout": _reason(broken.reason)}
    return reply({**question, "layout": None, **why}, broken, yes=False)


def _reason(found: Any) -> Json:
    """Why there is no layout."""
    why = found.found.reason if isinstance(found, NoComposition) else found
    return why.to_dict() if isinstance(why, Break) else {"reason": str(why)}


# Values of layouts


def linear(a: str, b: str | None, size: int | None, names: str | None, options: Options) -> Reply:
    """Writes a layout as a linear, a strided and a swizzled one, or compares two layouts."""
    x, *others = _with_values(options, *(cute.parse(text) for text in (a, b) if text is not None))
    _need_numbers("linear", a, x)
    if not others:
        return _one(x, size, names, options)
    if size is not None or names is not None:
        raise cute.LayoutError("--size and --names are about one layout: leave B away")
    (y,) = others
    _need_numbers("linear", b or "", y)
    same = cute.same_function(x, y, options.budget)
    if same is True:
        return reply({"same": True, "difference": None}, "the same function")
    difference = {"index": same.index[0], "left": same.got, "right": same.expected}
    return reply({"same": False, "difference": difference}, same, yes=False)


def banks(
    layout: str, banks: int | None, width: int | None, threads: int | None, element_bytes: int | None, vector: int,
    machine: str | None, write: bool, phases: str | None, options: Options,
) -> Reply:  # fmt: skip
    """Counts the ways that an access to shared memory takes in the worst phase."""
    (given,) = _with_values(options, cute.parse(layout))
    sizes = {"banks": banks, "width": width, "threads": threads}
    hardware = Hardware.of("bank_conflicts", **sizes, machine=machine, phases=phases)
    size = hardware.width if element_bytes is None else element_bytes
    row = hardware.memories(size, vector, write, "bank_conflicts")[0]
    counts = {"banks": row.banks, "width": row.width, "threads": row.threads, "bytes": size, "vector": vector}
    told = {"machine": machine, "write": write} if machine else {"phases": phases} if phases else {}
    query = {"layout": layout, **counts, **told, "values": dict(options.at)}
    try:
        found = cute.bank_conflicts(
            given, **sizes, element_bytes=size, vector=vector, machine=machine, write=write, phases=phases,
            budget=options.budget,
        )  # fmt: skip
    except cute.NoAnswer as error:
        return reply({**query, "not_aligned": str(error)}, error, yes=False)
    if hasattr(found, "cases"):  # of a symbol
        return Reply(
            Code.YES,
            lambda: {**query, "by_stride": dict(found.question.more)},
            lambda: [found.headline(options.cap())],
            conditional=True,
        )
    code = Code.UNDECIDED if found.disputed else Code.NO if found else Code.YES
    return Reply(code, lambda: {**query, "conflicts": found.to_dict()}, lambda: [str(found)])


def span(view: str, storage: str | None, bits: str | None, relative: bool, options: Options) -> Reply:
    """Finds the range of a view's addresses, or whether it is inside a storage or a width."""
    given = _view_or_layout(view)
    if storage is None and bits is None:
        if options.wants_text() or relative:
            raise InputError("span: give --storage or --bits: without them there is no condition")
        [known] = _with_values(options, given)
        found = (span_of if isinstance(known, View) else cute.span)(known, options.assume, options.budget)
        return reply({"view": str(given), "values": dict(options.at), **found.to_dict()}, found)
    if not isinstance(given, View):
        raise InputError(f"span: {view} is not a view: ask without --storage and --bits")
    fits = span_conditions(given, storage, bits=bits, relative=relative, assume=options.assume, budget=options.budget)

    def told(holds: bool, there: View | Counterexample | None) -> tuple[str, Json]:
        if isinstance(there, Counterexample):
            text = f"does not fit: the address at {index_text(there.index)} is {there.got}"
            return text, {"counterexample": there.to_dict()}
        return "fits" if holds else "does not fit", {"counterexample": None}

    def blocks(found: Found) -> Iterator[str]:
        yield exactly("fits", found.headline(options.cap()))

    return conditions_reply(fits, options, partial(at_values, options=options, told=told), blocks, numbers=True)


def _view_or_layout(text: str) -> Any:
    """Parses a view; a layout with nested modes is a view with a dim for each, other layouts are themselves."""
    try:
        return View.parse(text)
    except NotationError:
        with suppress(NotationError):
            layout = parse(text)
            return View(flatten(layout.shape), flatten(layout.stride)) if isinstance(layout, Layout) else layout
        raise


def footprint(layout: str, options: Options) -> Reply:
    """Reports the range of a layout's values, their number, and whether they are contiguous, onto or in vectors."""
    (given,), budget = _with_values(options, cute.parse(layout)), options.budget
    _need_numbers("footprint", layout, given)
    places, gap = cute.footprint(given, budget), cute.image(given, budget).gap
    dense, onto = cute.is_contiguous(given, budget), cute.is_surjective(given, budget=budget)
    vector, order = cute.vector_width(given, budget), None
    with suppress(Undecided):
        order = cute.order(given, budget) if dense else None
    fields = {
        "layout": layout, "values": dict(options.at), **places.to_dict(), "gap": gap,
        "contiguous": _value(dense), "onto": _value(onto),
        "vector": vector.to_dict(), "order": order,
    }  # fmt: skip
    rows = [
        ("values", str(places)), ("contiguous", "yes" if dense is True else f"no: {dense}"),
        (f"onto 0…{places.greatest}", "yes" if onto is True else f"no: {onto}"), ("vector", str(vector)),
    ]  # fmt: skip
    if dense is True:
        rows.append(("order", "undecided" if order is None else str(order)))
    return reply(fields, "\n".join(f"{name:<12} {text}" for name, text in rows))


def _value(found: Literal[True] | Counterexample) -> bool | Json:
    """True, or a number that is not a value, or one that two indices have."""
    if found is True:
        return True
    value = found.expected if found.kind is Kind.GAP else found.got
    return {"reason": found.reason, "value": value, "indices": [*(found.other or ()), *found.index]}


def _with_values(options: Options, *layouts: Any) -> list[Any]:
    """Substitutes the numbers of `--at`; raises InputError for a name that no layout has."""
    named = cute.Layout | cute.ComposedLayout | View
    known = dict.fromkeys(n for x in layouts if isinstance(x, named) for n in x.symbols())
    if odd := next((n for n in options.at if n not in known), None):
        raise InputError(f"--at: {unknown_name(odd, known)}")
    return [x.with_values(options.at) if options.at and isinstance(x, named) and x.symbols() else x for x in layouts]


def _need_numbers(command: str, text: str, layout: Any) -> None:
    """Raises InputError for a layout with symbols that have no numbers."""
    names = layout.symbols() if isinstance(layout, cute.Layout | cute.ComposedLayout) else ()
    if names:
        shown = " ".join(f"--at {name}=4" for name in names)
        raise InputError(
            f"{command} of {text}, which has the symbols {', '.join(names)}: give numbers, such as {shown}"
        )


# A layout in other forms


def _one(x: Any, size: int | None, names: str | None, options: Options) -> Reply:
    view = cute.to_view(x, size, options.budget)
    found = cute.to_linear(x, None if names is None else tuple(names.split(",")), size, options.budget)
    strided = view if isinstance(view, View) else None
    layout = None if strided is None else str(cute.Layout.from_view(View(strided.shape, strided.strides)))
    swizzled = injective = None
    if isinstance(found, cute.LinearLayout) and found.size() == (x.size() if size is None else size):
        swizzled, injective = None if view else cute.to_swizzled(found), found.is_injective()
    one = str(swizzled) if isinstance(swizzled, cute.ComposedLayout) else None
    fields = {
        "linear": str(found) if found else None,
        "not_linear": None if isinstance(found, cute.LinearLayout) else _witness(found),
        "layout": layout,
        "offset": None if strided is None else strided.offset,
        "not_strided": _witness(view) if strided is None else None,
        "swizzled": one,
        "injective": injective,
    }
    offset = f" + {strided.offset}" if strided is not None and strided.offset else ""
    rows = [("linear", str(found)), ("strided", str(view) if layout is None else f"{layout}{offset}")]
    if swizzled is not None:
        rows.append(("swizzled", one or "by no single swizzle"))
    if injective is not None:
        rows.append(("injective", "yes" if injective else "no"))
    return reply(fields, "\n".join(f"{name:<10} {text}" for name, text in rows), yes=bool(found))


def _witness(found: Any) -> Json:
    return {"index": found.index[0], "expected": found.expected, "got": found.got, "reason": found.reason}
