"""What a run's log history calls the figures that alarms, curves and reports look at."""

from __future__ import annotations

STRICT = "strict"
"""What logs call the outcome that measures the run; other strict parts are ``strict.NAME``."""
STRICT_KEY = f"rewards/{STRICT}/mean"
LENGTH_KEY = "completions/mean_length"
CUT_KEY = "completions/clipped_ratio"
"""The share of completions that were cut off at their longest."""
KL_KEY = "kl"
FORMAT_KEY = "rewards/format/mean"
UNSCORED_KEY = "reward/unscored"
SAME_KEY = "groups/zero_variance"
"""The share of groups that teach nothing. TRL's ``frac_reward_zero_std`` misses groups of rewards such as
0.2, which 32 bits do not hold."""
AUDIT = "audit"
AUDIT_KEY = f"{AUDIT}/{{name}}"
"""The figure of a finding in the last completions, by its name."""
LEVEL_KEY = f"{AUDIT}/{{name}}/level"
"""2 for a warning, 3 for an alarm; not there for a note."""
AUDIT_SECONDS_KEY = f"{AUDIT}/seconds"
RAISED_KEY = "alarms/{name}"
"""1 in the line of the log in which an alarm is raised."""
