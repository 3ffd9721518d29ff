"""Questions of ordinary programs, with a name wherever a program has a number that it does not know.

Ten kinds: windows, caches, packed projections, transposed convolutions, ring buffers, padded blocks, patches, rotary
halves, flips, and sizes with `//` and `%`. A question is a tensor with its strides, what the program does to it, and
often a reshape in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from .masked_queries import OpenMask, Query
from .parametric import Open, contiguous


def view(*axes: str, offset: str = "0") -> OpenMask:
    """A view whose axes are texts `size:stride`, or `size:stride:low:high` if it has a mask."""
    parts = [a.split(":") for a in axes]
    masked = any(len(p) > 2 for p in parts)
    bounds = tuple((p[2], p[3]) if len(p) > 2 else ("0", p[0]) for p in parts) if masked else None
    return OpenMask(Open(tuple(p[0] for p in parts), tuple(p[1] for p in parts), offset), bounds)


def whole(*shape: str) -> OpenMask:
    """A whole shape, row-major."""
    return OpenMask(Open(shape, contiguous(shape)))


def product(*sizes: str) -> str:
    return "*".join(n if n.isalnum() else f"({n})" for n in sizes)


def one(rng: Random, name: str, *numbers: str) -> str:
    """The name; a third of the time one of the numbers."""
    return rng.choice(numbers) if rng.random() < 1 / 3 else name


def tensor(rng: Random, *shape: str) -> OpenMask:
    """A tensor of any strides; the last one is often 1."""
    names = "abcde"[: len(shape) - 1]
    return view(*map(":".join, zip(shape, (*names, rng.choice(("1", "z"))), strict=True)))


def chained(rng: Random, *views: OpenMask, assume: Sequence[str] = (), often: float = 0.6) -> Query:
    """The views, and often a reshape that joins two neighbours, or all dims."""
    shape = views[-1].view.shape
    if len(shape) > 1 and rng.random() < often:
        at = rng.randrange(len(shape) - 1)
        two = (*shape[:at], product(*shape[at : at + 2]), *shape[at + 2 :])
        views = (*views, whole(*rng.choice((two, two, (product(*shape),)))))
    return Query(views, tuple(assume))


def moved(rng: Random, one: OpenMask) -> OpenMask:
    """The dims in their order, or two of them exchanged."""
    axes = list(zip(*one.view[:2], strict=True))
    if len(axes) > 1 and rng.random() < 0.4:
        at = rng.randrange(len(axes) - 1)
        axes[at : at + 2] = axes[at + 1], axes[at]
    return view(*map(":".join, axes), offset=one.view.offset)


# The ten kinds


def windows(rng: Random) -> Query:
    """`unfold` and `as_strided`: w windows of k elements, s apart, in each row or in rows of pixels."""
    step, k, rows = one(rng, "s", "1", "2"), one(rng, "k", "2", "3"), one(rng, "C", "2")
    inside = [f"(w-1)*({step})+{k} <= L", *(["s >= 1"] if step == "s" else [])]
    if rng.random() < 0.3:  # as_strided over everything
        start = rng.choice(("0", "o"))
        given = [f"{start} + (w-1)*({step})+{k} <= {rows}*L", *inside[1:], *(["o >= 0"] if start == "o" else [])]
        return chained(rng, tensor(rng, rows, "L"), view(f"w:{step}", f"{k}:1", offset=start), assume=given)
    if rng.random() < 0.4:  # windows of rows
        axes = (f"w:({step})*C", f"{k}:C", "C:1")
        return chained(rng, tensor(rng, "L", "C"), moved(rng, view(*axes)), assume=inside)
    return chained(rng, tensor(rng, rows, "L"), moved(rng, view(f"{rows}:L", f"w:{step}", f"{k}:1")), assume=inside)


def caches(rng: Random) -> Query:
    """A cache of keys: T positions from p on, or all pages, heads before or behind them; or a cache filled in part."""
    h, d, kind = one(rng, "H", "2"), one(rng, "D", "2", "4"), rng.randrange(4)
    if kind == 0:  # pages of P positions
        pages = f"N:P*{h}*{d}", f"{h}:{d}", f"P:{h}*{d}", f"{d}:1"
        return chained(rng, tensor(rng, "N", "P", h, d), view(*rng.choice((pages, (pages[1], pages[0], *pages[2:])))))
    p = rng.choice(("0", "p"))
    given = [f"{p}+T <= S", *(["p >= 0"] if p == "p" else [])]
    if kind == 1:  # only the first f positions are filled
        cache = view("S:a:0:f", f"{d}:b")
        return chained(rng, cache, view(f"T:{d}", f"{d}:1", offset=f"{p}*{d}"), assume=given)
    if kind == 2:  # (B, H, S, D)
        axes = (f"B:{h}*S*{d}", f"{h}:S*{d}", f"T:{d}", f"{d}:1")
        return chained(rng, tensor(rng, "B", h, "S", d), moved(rng, view(*axes, offset=f"{p}*{d}")), assume=given)
    axes = (f"B:S*{h}*{d}", f"T:{h}*{d}", f"{h}:{d}", f"{d}:1")
    return chained(rng, tensor(rng, "B", "S", h, d), moved(rng, view(*axes, offset=f"{p}*{h}*{d}")), assume=given)


def projections(rng: Random) -> Query:
    """Queries, keys and values packed in one row: heads of one of them, or of a group that shares keys."""
    h, d, s = one(rng, "H", "2", "4"), one(rng, "D", "2", "4"), one(rng, "S", "1", "3")
    if rng.random() < 0.3:  # (H + 2G) heads
        row, start = f"({h}+2*G)*{d}", rng.choice(("0", f"{h}*{d}", f"({h}+G)*{d}"))
        heads = h if start == "0" else "G"
    else:
        row, start, heads = f"3*{h}*{d}", rng.choice(("0", f"{h}*{d}", f"2*{h}*{d}", f"i*{h}*{d}")), h
    given = ["i >= 0", "i <= 2"] if start.startswith("i") else []
    batch = rng.random() < 0.6
    axes = (*([f"B:{s}*{row}"] if batch else []), f"{s}:{row}", f"{heads}:{d}", f"{d}:1")
    packed = tensor(rng, *(["B"] if batch else []), s, row)
    return chained(rng, packed, moved(rng, view(*axes, offset=start)), assume=given)


def convolutions(rng: Random) -> Query:
    """A transposed convolution puts s − 1 zeros behind each element, cuts off the last ones, and may add margins."""
    step, rows, kind = one(rng, "s", "2", "3"), one(rng, "C", "1", "2"), rng.randrange(4)
    spread, length = f"L*{product(step)}", f"(L-1)*{product(step)}+1"
    if kind == 0:
        return chained(rng, view("L:a", f"{step}:0:0:1"), rng.choice((whole(spread), whole(length))), often=0)
    many = view(f"{rows}:c", "L:a", f"{step}:0:0:1")
    if kind == 1:  # rows of D
        wide = view("L:a", f"{step}:0:0:1", "D:b")
        return chained(rng, wide, whole(rng.choice((spread, length)), "D"))
    if kind == 2:
        return chained(rng, many, whole(rows, spread))
    margin = rng.choice(("0", "0", "p"))
    if margin == "p":  # margins first: the element itself moves by p
        many = view(f"{rows}:c", "L+p:a:p:L+p", f"{step}:0:0:1", offset="-p*a")
        spread, length = f"(L+p)*{product(step)}", f"(L+p-1)*{product(step)}+1"
    return chained(rng, many, view(f"{rows}:{spread}", f"{length}:1"))


def rings(rng: Random) -> Query:
    """A ring of R rows: L rows from p on, in the ring written twice."""
    d, p = one(rng, "D", "1", "2"), rng.choice(("p", "p", "p % R", "0", "R-1"))
    given = ["p >= 0"] if "p" in p else []
    given += rng.choice(([], [f"{p}+L <= 2*R"], ["L <= R", *(["p <= R"] if p == "p" else [])]))
    if rng.random() < 0.3:
        return chained(rng, view("2:0", "R:a"), view("L:1", offset=p), assume=given)
    if rng.random() < 0.15:  # backwards
        back = view(f"L:-{d}", f"{d}:1", offset=f"({p}+L-1)*{d}")
        return chained(rng, view("2:0", "R:a", f"{d}:b"), back, assume=given)
    return chained(rng, view("2:0", "R:a", f"{d}:b"), view(f"L:{d}", f"{d}:1", offset=f"({p})*{d}"), assume=given)


def blocks(rng: Random) -> Query:
    """Rows padded to whole blocks of k, then seen in blocks."""
    k, d = rng.choice(("2", "4", "4")), one(rng, "D", "1", "2")
    count = f"(N+{int(k) - 1})//{k}"
    rows, kind = f"({count})*{k}", rng.randrange(3)
    if kind == 0:
        return chained(rng, view(f"{rows}:a:0:N"), moved(rng, whole(count, k)))
    padded = view(f"{rows}:a:0:N", f"{d}:b")
    if kind == 1:
        return chained(rng, padded, moved(rng, whole(count, k, d)))
    return chained(rng, view("B:c", f"{rows}:a:0:N"), moved(rng, whole("B", count, k)))


def patches(rng: Random) -> Query:
    """An image in patches of P times Q."""
    h, w, p, q, c = (one(rng, n, "2") for n in "HWPQC")
    if rng.random() < 0.4:
        axes = (f"{h}:{p}*{w}*{q}", f"{p}:{w}*{q}", f"{w}:{q}", f"{q}:1")
        image, order = tensor(rng, f"{h}*{p}", f"{w}*{q}"), rng.choice(((0, 2, 1, 3), (0, 1, 2, 3), (2, 0, 1, 3)))
    else:
        axes = (f"{c}:{h}*{p}*{w}*{q}", f"{h}:{p}*{w}*{q}", f"{p}:{w}*{q}", f"{w}:{q}", f"{q}:1")
        image = tensor(rng, c, f"{h}*{p}", f"{w}*{q}")
        order = rng.choice(((1, 3, 0, 2, 4), (1, 3, 2, 4, 0), (0, 1, 3, 2, 4)))
    return chained(rng, image, view(*(axes[n] for n in order)), often=0.7)


def halves(rng: Random) -> Query:
    """Rotary embeddings: the first or second half of each head, all even elements, both halves as a dim."""
    h, d, s = one(rng, "H", "1", "2"), one(rng, "D", "2", "16"), one(rng, "S", "1", "3")
    outer = [f"B:{s}*{h}*2*{d}", f"{s}:{h}*2*{d}", f"{h}:2*{d}"]
    last, start = rng.choice((
        ((f"{d}:1",), "0"), ((f"{d}:1",), d), ((f"{d}:2",), "0"), ((f"{d}:2",), "1"),
        (("2:1", f"{d}:2"), "0"), ((f"{d}:1", f"2:{d}"), "0"), ((f"2:-{d}", f"{d}:1"), d),
    ))  # fmt: skip
    heads = tensor(rng, "B", s, h, f"2*{d}")
    return chained(rng, heads, moved(rng, view(*outer, *last, offset=start)))


def flips(rng: Random) -> Query:
    """A dim from its end, every k-th from the end, or both dims."""
    n, m, kind = one(rng, "N", "2", "4"), one(rng, "M", "2", "3"), rng.randrange(4)
    flat = tensor(rng, n, m)
    if kind == 0:
        last = rng.choice(
            (view(f"{n}:-{m}", f"{m}:1", offset=f"({n}-1)*{m}"), view(f"{n}:{m}", f"{m}:-1", offset=f"{m}-1"))
        )
        return chained(rng, flat, moved(rng, last))
    if kind == 1:
        return chained(rng, flat, view(f"{n}*{m}:-1", offset=f"{n}*{m}-1"))
    if kind == 2:
        k = rng.choice(("2", "k"))
        return chained(rng, flat, view(f"{n}:{m}", f"({m}+{k}-1)//{k}:-{k}", offset=f"{m}-1"))
    three = (f"B:{n}*{m}", f"{n}:-{m}", f"{m}:-1")
    return chained(rng, tensor(rng, "B", n, m), moved(rng, view(*three, offset=f"{n}*{m}-1")))


def quotients(rng: Random) -> Query:
    """Chunks of a size that need not divide it, halves of a dim, rests."""
    d, k, kind = one(rng, "D", "1", "2"), rng.choice(("2", "4", "k")), rng.randrange(5)
    if kind == 0:  # whole blocks alone
        return chained(rng, tensor(rng, "N", d), view(f"N//{k}:{k}*{d}", f"{k}:{d}", f"{d}:1"), assume=[f"N >= {k}"])
    if kind == 1:  # the rest
        start = f"(N-N % {k})*{d}"
        return chained(rng, tensor(rng, "N", d), view(f"N % {k}:{d}", f"{d}:1", offset=start), assume=[f"N % {k} >= 1"])
    if kind == 2:  # one of the halves, of each row
        low, n = rng.choice((("0", "N//2"), ("N//2", "N-N//2")))
        return chained(rng, tensor(rng, "M", "N"), view("M:N", f"{n}:1", offset=low), assume=["N >= 2"])
    if kind == 3:  # every k-th
        return chained(rng, tensor(rng, "N", d), view(f"(N+{k}-1)//{k}:{k}*{d}", f"{d}:1"))
    start = f"i*((N+{k}-1)//{k})"
    given = ["i >= 0", f"{start} < N", f"{start}+(N+{k}-1)//{k} <= N"]
    return chained(rng, tensor(rng, "N", d), view(f"(N+{k}-1)//{k}:{d}", f"{d}:1", offset=f"{start}*{d}"), assume=given)


KINDS: tuple[Callable[[Random], Query], ...] = (
    windows, caches, projections, convolutions, rings, blocks, patches, halves, flips, quotients
)  # fmt: skip


def question(number: int) -> Query:
    """The question of this number; the kinds take turns."""
    return KINDS[number % len(KINDS)](Random(f"realistic {number}"))
