"""Rewards and their nodes: leaves, weights, sums, gates, routes, splits, schedules.

This package imports `rewards.cache` and `verifiers`; everything else in `rewards` imports from it.
"""
