"""Shared memory: which layout of a tile suits the accesses to it."""
