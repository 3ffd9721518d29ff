"""Layouts from their uses: the strides under which every consumer of a tensor is a view, or the necessary copies."""
