"""What MLIR adds to the command line: types in place of views."""

FEATURES = {"--mlir": "symview.mlir.reshapes:read_reshape"}
