"""Reward functions with a hole each (`holed`, `holed_more`, `unseen`) and without (`sound`).

They are written for this study, in the manner of reward functions that people publish.
"""
