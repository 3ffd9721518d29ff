"""Layouts with symbols: what can be asked (`queries`), how comparisons fork (`comparer`), and what is answered.

A query makes a `Question`; its algorithm, the one of numbers, is run on every path of open
comparisons; compositions whose sizes are numbers ask `refinements` for the equations; runs become
the `cases` of `LayoutConditions`.
"""
