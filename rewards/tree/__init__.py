"""What a reward is, and its nodes: leaves, weights, sums, gates, routes, splits, schedules.

It imports `rewards.cache` and `verifiers`; everything else in `rewards` imports from it.
"""
