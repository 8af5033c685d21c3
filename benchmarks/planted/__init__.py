"""Reward functions with a hole each (`holed`, `holed_more`), and without (`sound`), for `benchmarks.certify`.

They are written for this study, in the manner of reward functions that people publish.
"""
