"""What a row of a case distinction says when it holds wherever no other row does."""

from __future__ import annotations

REMAINDERS = frozenset(
    {"otherwise", "else", "elsewhere", "in all other cases", "all other cases", "other cases", "other"}
    | {"그 외", "그외", "그 외의 경우", "그밖의 경우", "그 밖의 경우", "나머지", "나머지 경우", "기타"}
    | {"其他", "其它", "否则"}
)
"""Folded texts, without punctuation."""
