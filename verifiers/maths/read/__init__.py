"""From a cleaned text to its shape: `readings.Reading` is what deciding gets of an answer.

It imports from `text` and `formulas`, and does not know `decide`. `decide` and the verifier may import
`readings`, and tests any module.
"""
