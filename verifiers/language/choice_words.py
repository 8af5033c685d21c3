"""Patterns for the choice of an option: names of options and every language's words about them.

The words themselves are data of their language (`languages.model.ChoiceWords`); what stands here is the
punctuation around them, which all languages share, and the signs of each kind of label.
"""

from __future__ import annotations

import string

from .language_patterns import any_choice as _any
from .spoken_languages import LANGUAGES

HANGUL = "가-힣"
HAN = "一-鿿㐀-䶿"
"""Characters of the scripts that write no blank between a label and what is said of it."""
_LINE_START = r"(?m:^)[*_\s>#]{0,6}"


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


SYLLABLES = "가나다라마바사아자차카타파하"
JAMO = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
STEMS = "甲乙丙丁戊己庚辛壬癸"
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
LETTERS = string.ascii_uppercase

ORDERS: dict[str, tuple[str, ...]] = {
    "letter": tuple(LETTERS),
    "syllable": tuple(SYLLABLES),
    "jamo": tuple(JAMO),
    "mark": (*(f"({each})" for each in JAMO), *(f"({each})" for each in SYLLABLES)),
    "stem": tuple(STEMS),
    "roman": ROMAN,
}
"""The labels of each kind but numbers, in their order. A mark is ㉠ or ㉮, which points into a passage."""

# Blocks "Enclosed Alphanumerics", "Dingbats", "Enclosed CJK Letters and Months", "Number Forms" and
# "Enclosed Alphanumeric Supplement" of Unicode 15: where a run of signs begins, and what it stands for.
_NUMBERS = (
    (0x2460, 1, 20), (0x2474, 1, 20), (0x2488, 1, 20), (0x24EB, 11, 10), (0x24F5, 1, 10), (0x2776, 1, 10),
    (0x2780, 1, 10), (0x278A, 1, 10), (0x3251, 21, 15), (0x32B1, 36, 15), (0x24EA, 0, 1), (0x24FF, 0, 1),
)  # fmt: skip
_ALPHABETS = (0x249C, 0x24B6, 0x24D0, 0x1F110, 0x1F130, 0x1F150, 0x1F170)
_HANGUL = ((0x3260, 0), (0x3200, 0), (0x326E, 14), (0x320E, 14))

SIGNS: dict[str, tuple[str, str]] = {
    **{
        chr(first + place): ("number", str(number + place))
        for first, number, count in _NUMBERS
        for place in range(count)
    },
    **{
        chr(first + place): ("letter", letter) for first in _ALPHABETS for place, letter in enumerate(LETTERS)
    },
    **{
        chr(first + place): ("mark", ORDERS["mark"][start + place])
        for first, start in _HANGUL
        for place in range(14)
    },
    **{chr(first + place): ("roman", ROMAN[place]) for first in (0x2160, 0x2170) for place in range(12)},
}
"""Characters that are a label by themselves, such as ③, ❹, Ⓓ, ⑴, ㉠ and Ⅱ: kind and label."""

SEPARATORS = ",，、/·ㆍ・&|＋+"
"""Signs between labels that are named together."""
_COPULA = r"입니다|이다|다(?![가-힣])|이에요|예요|에요|임(?![가-힣])|이고|이며|이므로|이야|야(?![가-힣])|이죠|죠(?![가-힣])|지요|이네|네요"
SYLLABLE_ALONE = (
    rf"(?:번|항)?\s*+(?:{_COPULA}|(?:이|가)\s*+(?:정답|답|옳|맞)|[.]?\s*+\Z|[.:)]"
    rf"|(?:[,/·ㆍ・&]|와|과|및|또는|혹은)\s*+[{SYLLABLES}](?![가-힣]))"
)
"""What shows that 가, 나 ... stand for an option: 나는, 사과 and 아, begin that way, too."""
FIRST = frozenset(
    {"A", "0", "1", SYLLABLES[0], JAMO[0], STEMS[0], ROMAN[0], ORDERS["mark"][0], ORDERS["mark"][14]}
)
"""What a list of options may begin with."""
