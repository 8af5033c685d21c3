"""Formulas and shapes, and what is calculated with them: exact values, balls, rational functions, regions.

What mathematics is once it is read, however it is read and whatever policy holds. Every function either
encloses the true value or says that it does not know it. It imports from `language` and `units`; `reading`,
`maths` and whoever calculates may import from here.
"""
