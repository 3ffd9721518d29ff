"""For JAX: exact comparisons of symbolic dims in `jax.export`. JAX is imported only where it is in use."""

from symview.jax.equality import equal
from symview.jax.hook import install, installed, uninstall

__all__ = ["equal", "install", "installed", "uninstall"]
