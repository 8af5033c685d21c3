"""Steps of a solution: where they stand, which calculations they hold, and whether these are right.

Stands on `verifiers.maths` and, for models of steps, on `verifiers.metrics`; nothing below
`rewards` imports it.
"""
