"""Linear layouts: matrices over the field of two elements, beside strided and swizzled layouts."""
