"""Brute force over whole index boxes, and random views to use it on.

Nothing here imports symview, and nothing here is clever: `brute` is the definitions written down, so that
the engine has something independent to be compared with.
"""
