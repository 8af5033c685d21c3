"""The one reader: what a number, a name, a formula, a unit is, in a box and in a sentence.

`answer_readings.Reading` is an answer as it is read; `prose` finds the longest stretch around a place in a
sentence that reads as one value. It imports from `language`, `units` and `formulas`; `extract`, `maths` and
`process` ask it, and write no grammar of their own.
"""
