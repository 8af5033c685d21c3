"""Comparison of two scorings of the same rows: flips, their reasons, and the chance of as many.

`sides` keeps scored rows as short records, on disk by key; `side_reading` and `scoring` make them, `figures`
says which rows belong together and counts, and `comparing` goes from two sides to plain data.
"""
