"""Layouts with symbols: what can be asked (`queries`), how comparisons fork (`asking`), and what is answered.

A query makes an `Operation`; its algorithm, the one of numbers, is run on every path of open comparisons, a composition
as one walk on integers that ask (`composing`); runs become the cases of `Conditions`.
"""
