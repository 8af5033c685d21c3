"""How a sentence without any mark ties a number to what was asked: what nobody understands is no answer.

A number with what it counts (24 chairs) says something of things. A bare one is tied by its clause alone, which
is a closed world in three places: what is said of it where it is the subject ("24 is ..."), what stands before a
clause that has no subject of its own ("..., it is 24", "... gives 24"), and whose number it is ("a hasty reader
writes 24", 친구 말로는 24). In Korean and Chinese only what a number comes from is read.
"""

from __future__ import annotations

import re

from ...runtime.patterns import lazy
from ..languages import LANGUAGES
from .leads import is_understood, sentence_start

_ENGLISH = next(language for language in LANGUAGES if language.name == "English")
_BARE = lazy(r"[-−]?[$€£₩]?[\d.,/]+%?")
_CLOSES = lazy(r"[\s*_\"'”’)$]{0,4}(?:[.!,;:]|\Z|\n)")
"""Nothing is counted by the number."""
_SUBJECT = lazy(
    r"[\s*_\"'“(]{0,4}(?:(?:so|thus|hence|therefore|then|and|but),?\s)?[\s*_$]{0,4}\Z", re.IGNORECASE
)
_IS = lazy(
    r"[*_$\"'”’]{0,3}\s(?:is|was|would be|might be|may be|could be|seems?|looks?|sounds?|feels?|comes?|came|springs?|pops?)\b(?P<said>[^.!?\n]{0,80})",
    re.IGNORECASE,
)
_ROLE = lazy(
    r"\s(?:(?:indeed|therefore|thus|hence|then|clearly|also)\s)?(?:(?:the|my|our|your|its|his|her|their|this|that)\s)?(?:(?:final|correct|right|required|desired|total|exact|least|greatest|smallest|largest|maximum|minimum|only|smallest possible|largest possible|new|original|missing|whole)\s){0,3}"
    r"(?:answer|result|total|sum|value|number|amount|count|solution|product|quotient|difference|remainder|average|mean|median|mode|area|volume|perimeter|length|width|height|distance|speed|time|age|price|cost|profit|root|maximum|minimum|gcd|lcm|correct|right|true|what (?:we|i|is|was)|how (?:many|much|far|long|old)|left|needed|required)\b"
    r"(?!\s(?:most|many|some|people|everyone|everybody|that (?:most|many|some|people)|you (?:would|might|get|may)|given|quoted|printed|on the board|in the book))",
    re.IGNORECASE,
)
_WITHOUT_SUBJECT = lazy(
    r"\b(?:it(?:['’]s|\s(?:is|was|would be|looks like|seems|comes out as|must be))|(?:we|one|you|i)\s(?:gets?|finds?|obtains?|arrives? at|ends? up with|reach(?:es)?)|gives?|yields?|leads?\s(?:us\s)?to|results?\sin|produces?|says)(?:\s(?:us|me|that|exactly|just|simply))?[\s*_$\"'“]{1,4}\Z",
    re.IGNORECASE,
)
_OTHERS = lazy(
    r"(?:\A|[,;:]\s|\b(?:and|but|so|that)\s)[\s*_]{0,3}(?:an?\s[a-z-]{2,16}(?:\s[a-z-]{2,16})?(?:\sin\sa\s[a-z]{2,12})?|(?:some|many|most|few)\s[a-z]{2,16}(?:\s[a-z]{2,16})?|someone(?:\s[a-z]{2,12}){0,4}|somebody(?:\s[a-z]{2,12}){0,4}|anyone|people|others)\s"
    r"(?:(?:would|might|may|could|will|often|usually|always)\s)?(?:gets?|writes?|puts?|says?|ends?\sup\swith|stops?\sat|answers?|guess(?:es)?|picks?|chooses?|replies|arrives?\sat|lands?\son|thinks?(?:\sof)?|believes?|claims?|obtains?)[\s*_$\"'“]{1,4}\Z",
    re.IGNORECASE,
)
_MEANS = frozenset(
    "adding subtracting multiplying dividing simplifying solving substituting evaluating summing plugging combining computing calculating counting taking"
    " rounding squaring cubing expanding factoring factorising factorizing rearranging integrating differentiating applying using doing working up together both sides side back into"
    " them these those all values value terms term numbers number digits equation equations formula expression x y z n a b c k m t sum product difference quotient"
    " remainder total rest two three four five six seven eight nine ten by over per times plus minus symmetry inspection definition induction hypothesis theorem pythagoras"
    " law rule method step line part case first second third last other one subtraction addition multiplication division substitution elimination algebra arithmetic"
    " average mean median mode maximum minimum equal equals when left right hand unknown variable variables coefficient coefficients ratio proportion percentage percent fraction half double square root power logarithm function"
    " derivative integral limit area volume perimeter length width height radius base angle triangle circle rectangle polygon graph table chart figure image data".split()
)
_WORD = lazy(r"[a-z]{2,}(?:['’][a-z]+)?")
_SOURCE = lazy(
    "(?:\\A|[\\s,])(?:(?!(?:결과|최종|전체|합계|정답|답|식|값|총합|실제|수학|계산|결론|정확|일반|수식|소수|분수))[가-힣]{1,8}(?:으로는|로는)|(?:느낌|직감|추측)상|(?:얼핏|언뜻|대충)\\s?[가-힣]{0,6}|[가-힣]{1,8}에\\s?따르면)\\s[^.!?\n]{0,12}\\Z"
    "|(?:凭[^。，]{1,4}|直觉[^。，]{0,3}|乍一看|表面上看?|说(?:答案|答数|结果)?)(?:是|为|有)?\\s?\\Z"
)
"""From what a number comes that the writer does not state: 말로는, 느낌상, 乍一看, 有人说是."""


def is_tied(text: str, start: int, end: int) -> bool:
    """Whether the words that tie an unmarked number to its sentence are understood.

    >>> text = "24 is the number most people blurt out."
    >>> is_tied(text, 0, 2), is_tied("24 is the number of chairs.", 0, 2), is_tied("By instinct it is 24.", 18, 20)
    (False, True, False)
    >>> text = "Forgetting to carry gives 24."
    >>> is_tied(text, 26, 28), is_tied("Adding them up gives 24.", 21, 23)
    (False, True)
    """
    if _BARE.fullmatch(text, start, end) is None:
        return True
    low = sentence_start(text, start)
    before = text[low:start]
    if _SUBJECT.match(before) and (said := _IS.match(text, end)) is not None:
        return _ROLE.match(said["said"]) is not None
    if not text[low : end + 40].isascii():
        return _SOURCE.search(before) is None
    if _CLOSES.match(text, end) is None:
        return True
    if _OTHERS.search(before):
        return False
    clause = _WITHOUT_SUBJECT.search(before)
    return clause is None or any(map(str.isdigit, before)) or _understood(before[: clause.start()])


def _understood(words: str) -> bool:
    """Whether all words before a clause without a subject are of means that lead to a number, or affirm."""
    return all(word in _MEANS or is_understood(word, _ENGLISH) for word in _WORD.findall(words.lower()))
