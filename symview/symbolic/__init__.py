"""Symbols where numbers stand in the engine: sizes, inner strides, reshapes; each answer by cases or clauses."""
