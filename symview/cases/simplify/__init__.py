"""Simplifies conditions: comparisons, clauses and cases; producers call `cases.simplified`."""
