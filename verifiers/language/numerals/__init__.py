"""Numbers in words, one module for each language, and formulas read aloud."""
