"""The hook comes and goes, and JAX is as it was; what goes wrong in it is JAX's own answer."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import jax
import pytest
from jax import export
from jax._src import core
from jax._src.export import shape_poly
from jax._src.export.shape_poly import BoundsPrecision

from symview import NotSupported
from symview import jax as client
from symview.jax import hook
from symview.jax.quotients import even_quotient
from symview.jax.signs import sign_of

OWN = shape_poly._bounds_decision
DIVISION = shape_poly._DimExpr._divmod


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    client.uninstall()
    assert shape_poly._bounds_decision is OWN
    assert shape_poly._DimExpr._divmod is DIVISION


def settles() -> bool:
    """Whether a comparison that JAX leaves open is settled; of new dims, so that nothing is remembered."""
    b, c = export.symbolic_shape("b, c")
    try:
        return b >= b % c
    except core.InconclusiveDimensionOperation:
        return False


def test_install_and_uninstall() -> None:
    assert not settles()
    client.install()
    client.install()
    assert settles()
    client.uninstall()
    assert shape_poly._bounds_decision is OWN
    assert not settles()
    client.uninstall()


def test_the_same_dims_are_open_again() -> None:
    b, c = export.symbolic_shape("b, c")
    with client.installed():
        assert b >= b % c
    with pytest.raises(core.InconclusiveDimensionOperation):
        bool(b >= b % c)
    with client.installed():
        assert b >= b % c


def test_blocks_within_blocks_and_an_install() -> None:
    with client.installed():
        with client.installed():
            assert settles()
        assert settles()
        client.install()
        client.uninstall()
        assert settles()
    assert not settles()
    client.install()
    with client.installed():
        pass
    assert settles()


def test_an_exception_leaves_the_block() -> None:
    with pytest.raises(KeyError), client.installed():
        raise KeyError
    assert not settles()


def test_another_hook_on_top_of_it_stays() -> None:
    client.install()
    below = shape_poly._bounds_decision

    def other(dim: Any, precision: Any) -> tuple[float, float]:
        return below(dim, precision)

    shape_poly._bounds_decision = other
    try:
        assert settles()
        client.uninstall()
        assert shape_poly._bounds_decision is other
        assert not settles()
        client.install()
        assert settles()
    finally:
        shape_poly._bounds_decision = below


def test_threads() -> None:
    barrier = Barrier(8)

    def turn(k: int) -> bool:
        barrier.wait()
        with client.installed():
            return all(settles() for _ in range(3)) and bool(client.equal(*halves(k)))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(turn, range(8)))
    assert not settles()


def halves(k: int) -> tuple[Any, Any]:
    (a,) = export.symbolic_shape(f"a{k}")
    return a // 2 + (a + 1) // 2, a


def test_an_unknown_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jax, "__version__", "0.99.0")
    with pytest.raises(NotSupported, match=r"JAX 0\.99\.0.*0\.10\.2"):
        client.install()
    with pytest.raises(NotSupported), client.installed():
        pass
    assert shape_poly._bounds_decision is OWN


def test_an_error_here_is_jax_own_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(dim: Any, less: str) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(hook, "sign_of", broken)
    with client.installed():
        assert not settles()
        (a,) = export.symbolic_shape("a")
        assert str(core.max_dim(a, a % 3)) == "max(a, mod(a, 3))"


def test_an_error_in_a_division_is_jax_own_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(dividend: Any, divisor: Any, own: Any) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(hook, "even_quotient", broken)
    (a,) = export.symbolic_shape("a")
    with client.installed():
        assert str((a - a % 3) % 3) == "mod(- mod(a, 3) + a, 3)"
        assert divmod(6 * a, 3) == (2 * a, 0)


def test_a_number_divided_by_a_dim_is_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dividing a number by a dim calls the method that is replaced, which must not ask itself without end."""
    asked = list[str]()

    def counted(dividend: Any, divisor: Any, own: Any) -> Any:
        asked.append(f"{dividend} by {divisor}")
        return even_quotient(dividend, divisor, own)

    monkeypatch.setattr(hook, "even_quotient", counted)
    (a,) = export.symbolic_shape("a")
    nothing = a % 4 + 4 * (a // 4) - a
    with client.installed():
        assert str(5 % a) == "mod(5, a)"
        assert nothing % (a + 1) == 0
    assert asked == ["5 by a", "mod(a, 4) + 4*floordiv(a, 4) - a by a + 1"]


def test_another_hook_on_the_division_stays() -> None:
    (a,) = export.symbolic_shape("a")
    client.install()
    below = shape_poly._DimExpr._divmod

    def other(dim: Any, divisor: Any) -> tuple[Any, Any]:
        return below(dim, divisor)

    shape_poly._DimExpr._divmod = other
    try:
        assert (a - a % 3) % 3 == 0
        client.uninstall()
        assert shape_poly._bounds_decision is OWN
        assert shape_poly._DimExpr._divmod is other
        assert core.is_symbolic_dim((a - a % 3) % 3)
        client.install()
        assert (a - a % 3) % 3 == 0
    finally:
        shape_poly._DimExpr._divmod = below


def test_what_jax_is_asked_for_best_bounds_stays() -> None:
    b, c = export.symbolic_shape("b, c")
    own = OWN(b - b % c, BoundsPrecision.BEST)
    with client.installed():
        assert shape_poly._bounds_decision(b - b % c, BoundsPrecision.BEST) == own
        assert shape_poly._bounds_decision(b - b % c, BoundsPrecision.FOR_GEQ0_OR_LT0)[0] == 0
        assert shape_poly._bounds_decision(b % c - b, BoundsPrecision.FOR_GEQ0_OR_LEQ0)[1] == 0
        assert shape_poly._bounds_decision(7, BoundsPrecision.FOR_GEQ0_OR_LT0) == (7, 7)


def test_equality_and_hash_stay() -> None:
    (a,) = export.symbolic_shape("a")
    whole = a // 2 + (a + 1) // 2
    before = hash(whole)
    with client.installed():
        assert (whole == a) is False
        assert hash(whole) == before
        assert len({whole, a}) == 2


def test_dims_of_two_scopes_are_refused_as_before() -> None:
    (a,), (b,) = export.symbolic_shape("a"), export.symbolic_shape("b")
    with client.installed(), pytest.raises(ValueError, match="Invalid mixing of symbolic scopes"):
        bool(a >= b)


def test_a_division_that_may_be_by_0_stays_an_error() -> None:
    a, b = export.symbolic_shape("a, b")
    with client.installed():
        with pytest.raises(core.InconclusiveDimensionOperation, match="Possible division by 0"):
            bool(a // (b - 1) >= 0)
        assert a // (a * a - a + 1) >= 0


def test_large_dims_are_left_to_jax() -> None:
    b, *shape = export.symbolic_shape("b, " + ", ".join(f"n{k}" for k in range(200)))
    assert sign_of(b - b % 3, "<") == ">="
    assert sign_of(b - b % 3 + sum(n * n for n in shape), "<") is None
