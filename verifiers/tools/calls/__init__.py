"""Tool calls: how each family of models writes them, what is expected, and whether the two are the same.

Only `verifiers.tools` imports from here.
"""
