"""Rewards that compare the completions of one prompt: ranks, win rates, duplicates, diversity.

It imports `rewards.tree`; nothing but recipes asks for it, by name.
"""
