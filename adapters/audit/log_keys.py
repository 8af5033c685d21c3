"""What a run's log history calls the figures that alarms, curves and reports look at."""

from __future__ import annotations

STRICT = "strict"
"""What logs call the outcome that measures the run; other strict parts are ``strict.NAME``."""
STRICT_KEY = f"rewards/{STRICT}/mean"
LENGTH_KEY = "completions/mean_length"
FORMAT_KEY = "rewards/format/mean"
UNSCORED_KEY = "reward/unscored"
SAME_KEY = "groups/zero_variance"
"""The share of groups that teach nothing. TRL's ``frac_reward_zero_std`` misses groups of rewards such as
0.2, which 32 bits do not hold."""
