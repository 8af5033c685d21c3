"""Texts and tokens: one spelling for an answer, its tokens, what its wording shows, and what it may cost.

Nothing here knows what a formula means. The folder above may import from here; this one imports `language`
and the limits of `formulas`.
"""
