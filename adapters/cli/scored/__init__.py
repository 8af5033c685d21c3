"""Verbs that read scored files, by prompt or as a whole.

Only `adapters.cli` imports from here.
"""
