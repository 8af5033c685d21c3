"""Words around an answer, language by language: spellings, numerals, counter words.

It imports nothing of ours but `visible`; everything above it may import from it.
"""
