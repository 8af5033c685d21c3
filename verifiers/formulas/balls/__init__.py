"""Rigorous ball arithmetic (Arb, through python-flint): values, comparison, and the points at which it looks.

Uses trees, exact values, ranges and the meter of the folder above; only `formulas`, `read`
and `decide` import from here.
"""
