"""Notations with rules of their own inside a formula: integrals, sums and products over a range.

The grammar above calls what is here, and is known here only as the abstract `Grammar`.
"""
