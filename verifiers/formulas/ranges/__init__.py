"""Integrals, sums and products over ranges, enclosed in balls: integrands, ends where they break off, tails.

`ball_values` imports from here and gives it the values of constants; nothing here imports `ball_values`.
Every function either encloses the true value or says that it does not know it.
"""
