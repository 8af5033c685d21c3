"""Formulas and shapes, and what is calculated with them: exact values, balls, rational functions, regions.

What mathematics is once it is read, whoever reads it and whatever policy holds. It imports from `text` (the
limits) alone; `read`, `decide`, rendering and the verifier may import from here.
"""
