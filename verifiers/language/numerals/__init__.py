"""Numbers in words and what may be counted with them, one module for each language; formulas read aloud.

Units and everything above may import from here; it imports the spellings of `verifiers.language.normalization`.
"""
