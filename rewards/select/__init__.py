"""Choosing among several completions of a prompt: for answers, for training data, and for figures.

>>> from rewards.select import majority, pass_at_k
>>> round(pass_at_k(10, 3, 5), 4)
0.9167
>>> majority(["so 1/2", "it is 0.5", "I think 3"]).answer
'1/2'
"""

from __future__ import annotations

from .candidates import Candidate, best_of_n, preference_pairs, rejection_sample, star_sample
from .preferences import Preference, preferences
from .prompt_figures import Interval, best_at_k, mean_interval, pass_at_k
from .statistics import GroupStatistics, group_statistics
from .vote import Vote, majority, vote

__all__ = [
    "Candidate",
    "GroupStatistics",
    "Interval",
    "Preference",
    "Vote",
    "best_at_k",
    "best_of_n",
    "group_statistics",
    "majority",
    "mean_interval",
    "pass_at_k",
    "preference_pairs",
    "preferences",
    "rejection_sample",
    "star_sample",
    "vote",
]
