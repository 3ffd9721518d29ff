"""Layouts behind swizzles: when one is a layout, and what operations make of it."""
