"""Short answers in words: what a reference asks for, where a text says it, and whether the text means it.

`verifiers.text` and what stands below it may not import from here; `verifiers.judge` may.
"""
