"""Linear layouts: matrices over the field of two elements."""
