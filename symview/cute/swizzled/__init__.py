"""Swizzled layouts: when one equals a plain layout, and how the operations apply to it."""
