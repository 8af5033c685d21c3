"""The words of every language by which a text chooses an option, as patterns."""

from __future__ import annotations

import re

from ...language import choice_words as words
from ...language.languages import LANGUAGES
from ...language.patterns import fragments


def _union(field: str) -> str:
    return "|".join(each for language in LANGUAGES for each in fragments(language, field))


_FINAL = "|".join(each for language in LANGUAGES for each in fragments(language, "final"))
TITLE_LINE = re.compile(rf"(?:(?!\n)[\W\d_])*(?:(?:{_FINAL})\s{{0,2}})?\Z", re.IGNORECASE)
"""What stands before a title in its line."""
CHOOSE = re.compile(words.CHOOSING, re.IGNORECASE)
"""What a label that is chosen follows, besides the marks of any answer."""
POINTS_ON = re.compile(rf"\s*+(?:{_union('points_on')})\s*+[.:。]?\s*+", re.IGNORECASE)
CHOOSER = re.compile(words.CHOOSER, re.IGNORECASE)
OTHERS_CHOOSE = re.compile(words.OTHERS_CHOOSE, re.IGNORECASE | re.DOTALL)
NOT_CHOSEN = re.compile(rf"(?:{words.NOT_CHOSEN})\s*+\Z", re.IGNORECASE)
BEFORE = re.compile(
    rf"[\s:,]*+(?:{words.ADVERBS}(?:[\s,]++|(?=[A-Z(])))*+(?:{words.BOTH}\s++)?", re.IGNORECASE
)
EITHER = re.compile(rf"\s*+{words.EITHER}[\s,]*+(?:of |is |are |be |the )?", re.IGNORECASE)
PRE_NOT = re.compile(rf"\s*+(?:{words.PRE_NOT})\s*+", re.IGNORECASE)
ANSWER_DENIED = re.compile(words.ANSWER_DENIED, re.IGNORECASE)
SENTENCE_DENIED = re.compile(words.SENTENCE_DENIED, re.IGNORECASE)
SECOND_THOUGHTS = re.compile(words.SECOND_THOUGHTS, re.IGNORECASE)
BUT = re.compile(words.BUT, re.IGNORECASE)
TOPIC = re.compile(rf"(?:{words.TOPIC})[(\[<「『‘“'\"]?\Z", re.IGNORECASE)
LEADING = re.compile(rf"{words.LEADING}\s*+[:：]?\s*+[(\[\"'“‘]?\Z", re.IGNORECASE)
PITFALL = re.compile(words.PITFALL, re.IGNORECASE)
DENYING = re.compile(words.DENYING, re.IGNORECASE)
SOLE = re.compile(rf"{words.SOLE}\s[(\[\"'“‘]?\Z", re.IGNORECASE)
SUITS = re.compile(words.SUITS, re.IGNORECASE)
CONNECTORS = re.compile(rf"[\s>•\-]*+(?:{words.CONNECTORS}[\s,:]*+)++[\"'“‘「(\[]?", re.IGNORECASE)
ANSWER = re.compile(words.ANSWER_NOUN, re.IGNORECASE)
JUDGED = re.compile(words.JUDGED, re.IGNORECASE)
DESCRIBED = re.compile(words.DESCRIBED)
NOMINAL = re.compile(words.NOMINAL)
NOT_NOMINAL = re.compile(words.NOT_NOMINAL)
TEXT_STATED = re.compile(words.TEXT_STATED)
CASES = re.compile(words.CASES, re.IGNORECASE)
HYPOTHETICAL = re.compile(words.HYPOTHETICAL, re.IGNORECASE)
AGAINST = re.compile(words.AGAINST, re.IGNORECASE)
UNKNOWN = re.compile(_union("unknown"), re.IGNORECASE)
BECAUSE = re.compile(words.BECAUSE)
SPEAKER = re.compile(words.SPEAKER)
