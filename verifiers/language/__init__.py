"""What people write around and inside an answer, language by language: spellings that mean the same, numerals,
counter words.

It imports nothing of ours; everything above it may import from it.
"""
