"""Dry runs: a reward's behaviour on the data, before anyone pays for a GPU.

References scored against themselves, attacks in the form that the reward wants, completions of a file or of
the model, the sizes of a step. The command line imports from here, and nothing else does.
"""
