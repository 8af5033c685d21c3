"""Files of completions: JSON lines in bounded memory, scoring over all cores, candidates for selection.

It imports `rewards` and `verifiers`; the command line and training import from it.
"""
