"""Layouts with symbols: the public queries (`queries`), comparisons that fork (`restrict`), and the resulting cases.

A query makes an `Operation`. Its algorithm, written for numbers, runs once on each path of open comparisons; a
composition is one walk on integers that fork (`composing`). The runs become the cases of `Conditions`.
"""
