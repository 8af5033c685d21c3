"""Verbs that read scored files: what the rows of a prompt say beside one another, and what all of them say.

Only `adapters.cli` imports from here.
"""
