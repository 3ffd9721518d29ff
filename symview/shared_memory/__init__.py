"""Shared memory: finds the best layout of a tile for its accesses."""
