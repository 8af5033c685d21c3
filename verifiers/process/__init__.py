"""Steps of a solution: where they stand, which calculations they hold, and whether these are right.

Calculations in running text are read as signs (`calculation_signs`, `calculation_reader`) and judged as
`claims`; `derivations` says which rests on which. Models of steps stand on `verifiers.metrics`, all else on
`verifiers.maths`; nothing below `rewards` imports this folder.
"""
