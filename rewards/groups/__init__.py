"""Rewards that compare the completions of one prompt: ranks, win rates, duplicates, diversity.

It imports `rewards.tree`; only recipes ask for it, by name.
"""
