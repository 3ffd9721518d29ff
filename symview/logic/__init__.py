"""Formulas over the integers: one tree, its notation, polynomials, points, and the one question to the solvers."""
