"""Likeness to a reference text: n-grams, embeddings, learned ratings. Models load from the disk alone.

They import `verifiers.core`, `verifiers.extract` and `verifiers.language`; the Korean contest's scorer imports
them.
"""
