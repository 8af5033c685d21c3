"""Two scorings of the same rows held against one another: what flipped, why, and whether chance does as much.

`sides` keeps scored rows as short records, on disk by key; `reading` and `scoring` make them, `figures` says
which rows belong together and counts, and `comparing` goes from two sides to plain data.
"""
