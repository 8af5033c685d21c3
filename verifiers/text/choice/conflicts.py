"""What speaks against a label that is chosen: the end of its sentence, and another label that is chosen."""

from __future__ import annotations

import re

from ...language.choice_words import CONNECTORS
from ...runtime.patterns import lazy
from . import patterns
from .groups import Group
from .places import LONGEST_SENTENCE, STOP, sentence_start

_CHOOSING = lazy(f"{patterns.CHOOSE.pattern}|{CONNECTORS}", re.IGNORECASE)
_BETWEEN = " ,，、;；.。\n"
_DELIMITERS = tuple(".．):：、,，]")
_NEAR = 40
"""Characters between two sentences that say the same of two labels."""


def denied_in_line(text: str, group: Group) -> bool:
    """Whether the line of an option that is put first says that it is not the answer."""
    stop = text.find("\n", group.end)
    end = min(stop if stop >= 0 else len(text), group.end + LONGEST_SENTENCE)
    return patterns.ANSWER_DENIED.search(text, group.end, end) is not None


def denied_at_the_end(text: str, group: Group) -> bool:
    """Whether the sentence of a label and its text ends as a denial, as only Korean does."""
    if text[group.end : group.end + 1] in _DELIMITERS:
        return False  # what follows is the option's own text
    stop = STOP.search(text, group.end, group.end + LONGEST_SENTENCE)
    end = stop.start() if stop else min(len(text), group.end + LONGEST_SENTENCE)
    return patterns.SENTENCE_DENIED.search(text, group.end, end) is not None


def adjoin(text: str, one: Group, start: int) -> bool:
    """Whether nothing but the choosing stands between labels and the next: choose A, choose B.

    Args:
        text: The text.
        one: The first labels.
        start: Where the choosing of the next ends.
    """
    return one.end < start and not _CHOOSING.sub("", text[one.end : start]).strip(_BETWEEN)


def said_before(text: str, group: Group, groups: list[Group]) -> Group | None:
    """Another label in the sentence right before that of a group, with no second thoughts between."""
    before = [each for each in groups if each.end <= group.start]
    if not before or before[-1].labels[0].name == group.labels[0].name:
        return None
    between = text[before[-1].end : group.start]
    apart = len(between) > _NEAR or "\n" in between or patterns.SECOND_THOUGHTS.search(between) is not None
    return None if apart or sentence_start(text, group.start) <= before[-1].end else before[-1]
