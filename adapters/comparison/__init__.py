"""Two scorings of the same rows held against one another: what flipped, why, and whether chance does as much.

`sides` reads scored rows into short records, `spill` keeps those on disk by key, `matching` says which rows
belong together, `figures` counts, and `comparing` goes from two sides to plain data. `conditions` is the
language of ``--fail-on``.
"""
