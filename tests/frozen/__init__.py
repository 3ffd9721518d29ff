"""Answers as they were before the house was rebuilt, and the programs that record and compare them.

They stay until the rebuilding is over; README.md in this folder says how they are used.
"""
