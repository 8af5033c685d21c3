"""Where sentences and lines begin."""

from __future__ import annotations

import re

from ...runtime.patterns import lazy

LONGEST_SENTENCE = 300
"""Characters that a sentence is looked through for."""
STOP = lazy(r"[.!?](?=[\s\"'”’)]|\Z)|[。！？;；\n]")
"""What ends a sentence."""


def sentence_start(text: str, place: int) -> int:
    """Where the sentence that a place is in begins."""
    start = max(0, place - LONGEST_SENTENCE)
    for stop in STOP.finditer(text, start, place):
        start = stop.end()
    return start


def line_start(text: str, place: int) -> int:
    """Where the line that a place is in begins, or as much of it as is looked at."""
    return max(text.rfind("\n", 0, place) + 1, place - LONGEST_SENTENCE)


def skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    """The place after what a pattern matches, or the place itself."""
    found = pattern.match(text, at)
    return found.end() if found else at
