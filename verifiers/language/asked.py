"""What the words of a question ask for, where it is a choice, a ratio or a number of selections."""

from __future__ import annotations

import re

ASKS_CHOOSING = re.compile(
    r"\bwhich\b|\bfollowing\b|\bwrite an?\b|\bexpression\b|\bset up\b|다음 중|哪", re.IGNORECASE
)
"""One of several, or a form: what repeats the question may be the answer."""
ASKS_RATIO = re.compile(r"\bratios?\b|\bproportions?\b|\bodds\b|\bscale\b|比|비율|비를|비는", re.IGNORECASE)
"""A ratio, written as times of day are."""
ASKS_SELECTING = re.compile(
    r"\b(?:permut|combination|arrange|choos|chosen|select|probabilit|committee|how many ways)"
    r"|\b(?:expan|coefficient)"
    r"|排列|组合|种|概率|选|조합|순열|경우의 수|확률",
    re.IGNORECASE,
)
"""In how many ways: an index and a power are a number of selections."""
