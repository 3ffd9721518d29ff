"""For MLIR: types of `memref` and `tensor` as views, and when their dims may be collapsed or expanded."""

from symview.mlir.reassociations import (
    collapse_conditions,
    collapsed_type,
    expand_guards,
    expanded_view,
    read_reassociation,
)
from symview.mlir.types import read_type
from symview.mlir.verified import Verified, verify_collapse, verify_expand, verify_op

__all__ = [
    "Verified",
    "collapse_conditions",
    "collapsed_type",
    "expand_guards",
    "expanded_view",
    "read_reassociation",
    "read_type",
    "verify_collapse",
    "verify_expand",
    "verify_op",
]
