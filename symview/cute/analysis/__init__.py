"""What a layout, swizzled or linear too, does in memory: its values, vectors, banks."""
