"""Rewards: what verdicts are paid.

>>> from rewards import Pay
>>> from verifiers import ExactMatch, TagFormat
>>> reward = Pay(ExactMatch()) + 0.5 * Pay(TagFormat(("THINK", "SOLUTION")))
>>> reward(completions=["<THINK>6*7</THINK><SOLUTION>42</SOLUTION>", "42"], answer=["42", "42"])
[1.5, 1.0]
"""

from __future__ import annotations

import verifiers as _verifiers

__distribution__ = "reward-verifiers"

if getattr(_verifiers, "__distribution__", None) != __distribution__:
    # verifiers._names, which says this at more length, may not be ours either.
    raise ImportError(
        f"`import verifiers` finds {getattr(_verifiers, '__file__', None)}, which is another package and not "
        f"{__distribution__}'s; the two cannot share an environment. Install {__distribution__} in a virtual "
        "environment of its own."
    )

from ._base import Batch, Payment, Reward
from .recipe import load_recipe
from .tree import Pay, Scale, Sum

__all__ = ["Batch", "Pay", "Payment", "Reward", "Scale", "Sum", "load_recipe"]
