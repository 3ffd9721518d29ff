"""Questions about bits of indices, put to Z3 as bit-vectors through the one door `z3_door`.

The last tier of `solve`: swizzles and large tables of layouts ask it directly, for their claims are about numbers
below a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symview.errors import InternalError, Undecided
from symview.logic import halving, z3_door
from symview.logic.budget import DEFAULT, Budget

Numbers = tuple[int, ...]


class Bits:
    """Arithmetic that reads the same on Python's integers and on Z3's bit-vectors of one width.

    The caller chooses a width in which nothing overflows.
    """

    def __init__(self, session: z3_door.Session | None = None, width: int = 0) -> None:
        self.z3 = None if session is None else session.z3
        self.context = None if session is None else session.context
        self.width = width

    def number(self, x: int) -> Any:
        """The number as a bit-vector."""
        return x if self.z3 is None else self.z3.BitVecVal(x, self.width, self.context)

    def divide(self, x: Any, by: int) -> Any:
        """floor(x/by), x not negative."""
        return x // by if self.z3 is None else self.z3.UDiv(x, self.number(by))

    def remainder(self, x: Any, by: int) -> Any:
        """The remainder of x by that number, x not negative."""
        return x % by if self.z3 is None else self.z3.URem(x, self.number(by))

    def shifted(self, x: Any, by: int) -> Any:
        """The bits of x shifted right by that many bits, to the left where negative."""
        if by <= 0:
            return x << -by
        return x >> by if self.z3 is None else self.z3.LShR(x, by)


def some_point(
    sizes: Sequence[int], width: int, claim: Callable[[Bits, Sequence[Any]], Any], budget: Budget = DEFAULT
) -> Numbers | None:
    """Numbers x_j with 0 <= x_j < sizes_j for which the claim is true, or None where there are none.

    The claim is replayed in plain integers. Raises Undecided when the budget ends.

    >>> some_point((8,), 8, lambda bits, x: x[0] ^ bits.shifted(x[0], 1) == 6)
    (4,)
    """
    session = z3_door.session_of(budget)
    z3, bits = session.z3, Bits(session, width)
    names = [z3.BitVec(f"x{j}", width, session.context) for j in range(len(sizes))]
    solver = z3.SimpleSolver(ctx=session.context)
    solver.add([z3.ULT(x, bits.number(size)) for x, size in zip(names, sizes, strict=True)])
    solver.add(claim(bits, names))
    answer = session.check(solver, budget)
    if isinstance(answer, str):
        raise Undecided(f"on bits, {answer}")
    if answer == z3.unsat:
        return None
    model = solver.model()
    found = tuple([model.eval(x, model_completion=True).as_long() for x in names])
    if not claim(Bits(), found):
        raise InternalError(f"a model of Z3 does not replay: {found}")
    return found


def least(size: int, width: int, claim: Callable[[Bits, Any], Any], budget: Budget = DEFAULT) -> int | None:
    """The least x below the size for which the claim is true, None where there is none.

    >>> least(100, 8, lambda bits, x: bits.remainder(x, 7) == 5)
    5
    """

    def below(bound: int) -> int | None:
        found = some_point((bound,), width, lambda bits, x: claim(bits, x[0]), budget)
        return None if found is None else found[0]

    known = below(size)
    return None if known is None else halving.least(known, int, lambda most: below(most + 1))
