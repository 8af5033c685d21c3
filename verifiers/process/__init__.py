"""Steps of a solution: where they stand, which calculations they hold, and whether these are right.

Stands on `verifiers.maths`, and nothing below `rewards` imports it.
"""
