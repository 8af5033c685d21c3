"""Likeness to a reference text: n-grams, embeddings, learned ratings. Models load from disk only.

They import `verifiers.core`, `verifiers.extract` and `verifiers.language`; the scorer of the Korean contest
and the models of steps import them.
"""
