"""What verbs say about results: tables, trees of verdicts, and the conditions under which CI fails.

Only `adapters.cli` imports from here.
"""
