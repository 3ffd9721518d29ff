"""For JAX: exact comparisons and divisions of symbolic dims in `jax.export`. JAX is imported only when it is used."""

from symview.jax.equality import equal
from symview.jax.hook import install, installed, uninstall

__all__ = ["equal", "install", "installed", "uninstall"]
