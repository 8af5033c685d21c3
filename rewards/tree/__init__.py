"""What a reward is, and the nodes that it is made of: leaves, weights, sums, gates, routes, splits, schedules.

It imports `rewards.cache` and `verifiers`; everything else in `rewards` imports from it.
"""
