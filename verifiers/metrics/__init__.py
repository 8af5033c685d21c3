"""Metrics that compare a text with a reference text: overlap, embeddings, learned ones."""
