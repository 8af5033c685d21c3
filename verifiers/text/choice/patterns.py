"""The words of every language by which a text chooses an option, as patterns."""

from __future__ import annotations

import re

from ...language import choice_words as words
from ...language.languages import LANGUAGES
from ...language.patterns import fragments


def _union(field: str) -> str:
    return "|".join(each for language in LANGUAGES for each in fragments(language, field))


def _longest_first(field: str) -> str:
    return "|".join(
        sorted({each for one in LANGUAGES for each in getattr(one, field)}, key=len, reverse=True)
    )


_TITLE = (
    rf"(?:(?:{_longest_first('final')})\s?)?(?<![A-Za-z])(?:{_longest_first('labels')}|{words.TITLES})"
    rf"(?:{words.TITLE_NOUN})?"
)
_LINK = r"(?:[:=→⇒]|->|\s[-–—](?=\s))"
MARK = re.compile(
    rf"(?P<title>(?m:^)[\s>#\-•.\d)]{{0,8}}(?:[\[【(]\s?{_TITLE}\s?[\]】)]\s?[:=]?|{_TITLE}\s?(?:{_LINK}|(?=\n))))"
    rf"|(?P<phrase>[\[【]\s?{_TITLE}\s?[\]】]\s?[:=]?|{_TITLE}\s?{_LINK}|{_union('marks')}|{words.DIRECT})"
    rf"|(?P<choose>{'|'.join(words.CHOOSING)})",
    re.IGNORECASE,
)
"""What a label follows: a title such as "Answer:", a phrase such as "the answer is", a verb of choosing."""
POINTS_ON = re.compile(rf"\s*(?:{_union('points_on')})\s*[.:。]?\s*", re.IGNORECASE)
NOT_CHOSEN = re.compile(rf"(?:{words.NOT_CHOSEN})\s*\Z", re.IGNORECASE)
BEFORE = re.compile(rf"[\s:,]*(?:{words.ADVERBS}(?:[\s,]+|(?=[A-Z(])))*(?:{words.BOTH}\s+)?", re.IGNORECASE)
EITHER = re.compile(rf"\s*{words.EITHER}[\s,]*(?:of |is |are |be |the )?", re.IGNORECASE)
PRE_NOT = re.compile(rf"\s*(?:{words.PRE_NOT})\s*", re.IGNORECASE)
BUT = re.compile(words.BUT, re.IGNORECASE)
TOPIC = re.compile(rf"{words.TOPIC}[(\[<「『‘“'\"]?\Z", re.IGNORECASE)
CONNECTORS = re.compile(rf"[\s>•\-]*(?:{words.CONNECTORS}[\s,:]*)+", re.IGNORECASE)
ANSWER = re.compile(words.ANSWER_NOUN, re.IGNORECASE)
JUDGED = re.compile(words.JUDGED, re.IGNORECASE)
DESCRIBED = re.compile(words.DESCRIBED)
NOMINAL = re.compile(words.NOMINAL)
NOT_NOMINAL = re.compile(words.NOT_NOMINAL)
TEXT_STATED = re.compile(words.TEXT_STATED)
CASES = re.compile(words.CASES, re.IGNORECASE)
HYPOTHETICAL = re.compile(words.HYPOTHETICAL, re.IGNORECASE)
UNKNOWN = re.compile(_union("unknown"), re.IGNORECASE)
SPEAKER = re.compile(words.SPEAKER)
