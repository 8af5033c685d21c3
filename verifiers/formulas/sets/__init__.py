"""Sets of real numbers: intervals, the inequalities that they solve, and the answers that they are.

Uses trees and balls of the folder above; `read` and `decide` use `regions` and `intervals`.
"""
