"""Texts and tokens: one spelling for an answer, its tokens, what its wording shows, and what it may cost.

Nothing here knows formulas. Every folder of `maths` and the verifier may import from here; this folder
imports from none of them.
"""
