"""Further rewards: changed or combined values, the form of a completion, and the user's functions.

This package imports `rewards.tree`; recipes and comparisons import from it.
"""
