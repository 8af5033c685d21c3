"""The words of every language by which a text chooses an option, as patterns."""

from __future__ import annotations

import re

from ..language import choice_words as words
from ..language.language_patterns import fragments
from ..language.spoken_languages import LANGUAGES
from ..runtime.patterns import lazy


def _union(field: str) -> str:
    return "|".join(each for language in LANGUAGES for each in fragments(language, field))


_FINAL = "|".join(each for language in LANGUAGES for each in fragments(language, "final"))
TITLE_LINE = lazy(rf"(?:(?!\n)[\W\d_])*(?:(?:{_FINAL})\s{{0,2}})?\Z", re.IGNORECASE)
"""What stands before a title in its line."""
CHOOSE = lazy(words.CHOOSING, re.IGNORECASE)
"""What a label that is chosen follows, besides the marks of any answer."""
POINTS_ON = lazy(rf"\s*+(?:{_union('points_on')})\s*+[.:。]?\s*+", re.IGNORECASE)
CHOOSER = lazy(words.CHOOSER, re.IGNORECASE)
OTHERS_CHOOSE = lazy(words.OTHERS_CHOOSE, re.IGNORECASE | re.DOTALL)
NOT_CHOSEN = lazy(rf"(?:{words.NOT_CHOSEN})\s*+\Z", re.IGNORECASE)
BEFORE = lazy(rf"[\s:,]*+(?:{words.ADVERBS}(?:[\s,]++|(?=[A-Z(])))*+(?:{words.BOTH}\s++)?", re.IGNORECASE)
EITHER = lazy(rf"\s*+{words.EITHER}[\s,]*+(?:of |is |are |be |the )?", re.IGNORECASE)
PRE_NOT = lazy(rf"\s*+(?:{words.PRE_NOT})\s*+", re.IGNORECASE)
ANSWER_DENIED = lazy(words.ANSWER_DENIED, re.IGNORECASE)
SENTENCE_DENIED = lazy(words.SENTENCE_DENIED, re.IGNORECASE)
SECOND_THOUGHTS = lazy(words.SECOND_THOUGHTS, re.IGNORECASE)
BUT = lazy(words.BUT, re.IGNORECASE)
TOPIC = lazy(rf"(?:{words.TOPIC})[(\[<「『‘“'\"]?\Z", re.IGNORECASE)
LEADING = lazy(rf"{words.LEADING}\s*+[:：]?\s*+[(\[\"'“‘]?\Z", re.IGNORECASE)
PITFALL = lazy(words.PITFALL, re.IGNORECASE)
DENYING = lazy(words.DENYING, re.IGNORECASE)
SOLE = lazy(rf"{words.SOLE}\s?[(\[\"'“‘]?\Z", re.IGNORECASE)
SUITS = lazy(words.SUITS, re.IGNORECASE)
CONNECTORS = lazy(rf"[\s>•\-]*+(?:{words.CONNECTORS}[\s,:]*+)++[\"'“‘「(\[]?", re.IGNORECASE)
ANSWER = lazy(words.ANSWER_NOUN, re.IGNORECASE)
JUDGED = lazy(words.JUDGED, re.IGNORECASE)
DESCRIBED = lazy(words.DESCRIBED)
NOMINAL = lazy(words.NOMINAL)
NOT_NOMINAL = lazy(words.NOT_NOMINAL)
TEXT_STATED = lazy(words.TEXT_STATED)
CASES = lazy(words.CASES, re.IGNORECASE)
HYPOTHETICAL = lazy(words.HYPOTHETICAL, re.IGNORECASE)
AGAINST = lazy(words.AGAINST, re.IGNORECASE)
UNKNOWN = lazy(_union("unknown"), re.IGNORECASE)
BECAUSE = lazy(words.BECAUSE)
SPEAKER = lazy(words.SPEAKER)
