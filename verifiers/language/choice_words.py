"""How a text says which option it takes: the words of every language about options, as one set of patterns.

The words themselves are data of their language (`languages.model.ChoiceWords`); what stands here is the
punctuation around them, which all languages share.
"""

from __future__ import annotations

from .languages import LANGUAGES

HANGUL = "가-힣"
HAN = "一-鿿㐀-䶿"
"""Characters of the scripts that write no blank between a label and what is said of it."""
_LINE_START = r"(?m:^)[*_\s>#]{0,6}"


def _any(*fields: str) -> str:
    """What any language has for any of these fields; a pattern that never matches where none has anything."""
    found = [
        words for language in LANGUAGES for field in fields if (words := getattr(language.choices, field))
    ]
    return f"(?:{'|'.join(found)})" if found else "(?!)"


DIRECT = _any("direct")
CHOOSING = rf"{_any('choosing')}|{_LINE_START}{_any('titles')}\s?:|{DIRECT}|{_LINE_START}{_any('answer_titles')}\s?\)"
CHOOSER = _any("chooser")
OTHERS_CHOOSE = _any("others_choose")
NOT_CHOSEN = _any("not_chosen")
ADVERBS = _any("adverbs")
PRE_NOT = _any("denied_before")
BUT = rf"[\s,，]*+{_any('but')}\s*+"
EITHER = _any("either")
BOTH = _any("both")
ONE_OF = rf"[^\S\n]*+{_any('one_of')}"
ANSWER_DENIED = _any("answer_denied")
SENTENCE_DENIED = _any("sentence_denied")
SECOND_THOUGHTS = _any("second_thoughts")
VERDICTS = rf"[\s:：.)=(（\[-]*+(?:x(?![a-z])|×|✗|✘|❌|{_any('verdicts')})"
OTHERWISE = rf"{_any('otherwise')}\s++"
REASONS = _any("reasons")
CAUSES = _any("causes")
TOPIC = rf"{_any('topic')}\s*+[:：]?\s*+|{_any('topic_corrected')}"
LEADING = _any("leading")
PITFALL = _any("pitfall")
DENYING = _any("denying")
CONNECTORS = _any("connectors")
ANSWER_NOUN = _any("answer_noun")
JUDGED = _any("judged")
JUDGING = _any("judging")
NOMINAL = _any("nominal")
NOT_NOMINAL = _any("not_nominal")
CASES = _any("cases")
HYPOTHETICAL = _any("hypothetical")
SOLE = _any("sole")
SUITS = _any("suits")
HARDLY = _any("hardly")
CONTRAST = _any("contrast")
NEGATED = _any("negated")
DESCRIBED = _any("described")
VERBLESS = _any("verbless")
ONLY = rf"{_any('only')}?"
SPEAKER = rf"[\s\-•*\d.]*+{_any('person')}\s?:"
TEXT_STATED = _any("text_stated")
SAID_BY_OTHERS = _any("said_by_others")
BECAUSE = _any("because")
TAKEN_BACK = (
    rf"{_any('taken_back')}|\s*+[,，.]?\s*+{_any('but_another')}\s{{0,2}}(?:\d|[A-HJ-Z](?![a-z])|[①-⑳])"
)

AGAINST = _any("against")
NO_LABEL_AFTER = _any("no_label_after")
NOUN_BEFORE = _any("noun_before")
NOUN_AFTER = _any("noun_after")
OPTION_NOUN = rf"\s*+{_any('option_noun')}"
ORDINALS = {word: number for language in LANGUAGES for word, number in language.choices.ordinals}
ORDINAL_BEFORE = _any("ordinal_before")
ORDINAL_NOUN = rf"\s*+{_any('ordinal_noun')}"
PLACES = _any("places")
AND = _any("and_")
OR = _any("or_")
