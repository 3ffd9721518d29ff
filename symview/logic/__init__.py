"""Formulas over the integers: terms, their notation, polynomials, integer points, and the solvers."""
