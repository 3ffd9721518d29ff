"""How a layout, swizzled or linear too, behaves in memory: its values, vectors and bank conflicts."""
