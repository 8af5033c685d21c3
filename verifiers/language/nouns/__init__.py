"""What may be counted: nouns by their shape, counters, measure words; one module for each language.

Numerals, units and everything above import from here; it imports `verifiers.language.numerals.english` alone.
"""
