"""What MLIR adds to the notation of views: its types and its reassociations."""

FEATURES = {
    "a type of MLIR": "symview.mlir.types:read_type",
    "a reassociation of MLIR": "symview.mlir.reassociations:collapsed_shape",
}
