"""The answer after a phrase such as "the answer is" or "정답은"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from .sentence_end import sentence_end

_PHRASE = re.compile(
    r"""
    (?: \b(?:the|my|our)\s+(?:(?:final|correct|right)\s+)*(?:answer|solution|choice|option)s?\s*
        (?:is|are|was|were|=|:|would\s+be|should\s+be)(?!\w)(?!\s+(?:not|that|wrong|incorrect)\b)
      | \b(?:(?:final|correct)\s+)?answer\s*(?:(?:\*\*|__)\s*)?(?:[:：=]|is\b(?!\s+(?:not|that)\b))
      | (?m:^)[ \t>*_\#]*(?:final\s+answer|answer)[ \t*_]*\n
      | (?m:^)[ \t>*_]*A[*_]*[:：](?=[^\n]{0,80}\s*\Z)  # the last line of a "Q: ... A: ..." text
      | (?m:^)[ \t>*_]*∴(?=[^\n]{0,80}\s*\Z)  # the last line of a derivation
      | (?m:^)[ \t>*_\#]*(?:최종\s*)?(?:정답|답)[ \t*_]*\n
      | [\[【]\s*(?:최종\s*)?(?:정답|답)\s*[\]】]\s*[:：]?
      | (?<![가-힣])(?:정답|답)\s+(?=[①-⑮])
      | (?:옳은|맞는|알맞은|올바른|적절한|않은|틀린)\s*것은\s+(?=[\s*_(\[①-⑮A-Jㄱ-ㅎ\d])
      | (?<![가-힣])(?:최종\s*|올바른\s*|옳은\s*)?(?:정답|해답|답안|답)\s*(?:(?:\*\*|__)\s*)?
        (?: [:：=] | \s[-–]\s | (?:은|는|이|가)(?=[\s*_:：$\\(\[①-⑮\d<"'“‘-]) [:：]? )
      | 【(?:最终|正确|参考)?答案】
      | (?:最终|正确|参考)?答案\s*(?:[:：=]|[为是](?![不错否]))
      | (?:故|应|应该|因此|所以)选择?\s*[:：]?\s*(?=[(（]?[A-J](?![a-zA-Z]))
    )
    (?:\s|\*\*|__|[:：]|</?(?:b|strong)>)*
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What only rounds a sentence off: "$42$, as wanted".
_REMARK = re.compile(
    r"(?:\s*[,，(]\s*|\s+)(?:as (?:wanted|required|desired|claimed|needed|expected|requested|stated|asked)"
    r"|(?:so|and) we are done|which (?:completes|concludes|finishes) the (?:proof|solution))\s*\)?\s*\Z",
    re.IGNORECASE,
)
# "답은 15개입니다" says 15개.
_COPULA = re.compile(
    r"\s*(?:[이가] (?:됩니다|된다|되겠습니다|맞습니다)|(?:으로|로) (?:보입니다|판단됩니다|생각됩니다)"
    r"|(?:이?라고) (?:생각합니다|할 수 있습니다|볼 수 있습니다)"
    r"|입니다|이에요|예요|이다|임|이야|이죠|이네요)\s*[.!?。~]*\Z"
)
_COPULA_WINDOW = 40
"""Characters at an answer's end in which its ending is looked for; it keeps the search linear."""
_REMARK_WINDOW = 60
"""The same for a remark."""
_DISPLAY = re.compile(r"\\\[(.{1,2000}?)\\\]|\$\$([^$]{1,2000})\$\$", re.DOTALL)
# Marks around words; in 2**3 and a__b they are none.
_BOLD = re.compile(r"(?<![\w)\]}*])(?:\*\*|__)(?=[^\s*_])|(?<=[^\s*_])(?:\*\*|__)(?![\w(\[{\\*])")
_KEYWORDS = ("answer", "solution", "choice", "option", "답", "것은", "答案", "选")
_LAST_LINE = re.compile(r"[ \t>*_]*(?:A[*_]*[:：]|∴)", re.IGNORECASE)
"""How a last line begins that needs no keyword."""
_BEFORE = 100
"""Characters of a phrase before its keyword, with room to spare."""


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class AnswerPhrase(Extractor):
    """What follows the last "the answer is", "**Answer:**", "A:", "정답은", "답:" and the like.

    The answer ends with its sentence or line; bold marks and a closing 입니다 or 이다 are dropped.

    >>> AnswerPhrase().extract("Hence **Answer:** $3.50 in all.").text
    '$3.50 in all'
    >>> AnswerPhrase().extract("따라서 답은 15개입니다.").text
    '15개'
    >>> AnswerPhrase().extract("we look for the answer")
    """

    def extract(self, text: str) -> Extraction | None:
        found = None
        for phrase in _PHRASE.finditer(text, _first_place(text)):
            found = phrase
        if found is None:
            return None
        start = found.end()
        if display := _DISPLAY.match(text, start):
            return trimmed(
                text, *display.span(display.lastindex or 0), "answer_phrase", "the formula is empty"
            )
        end = sentence_end(text, start)
        if remark := _REMARK.search(text, max(start, end - _REMARK_WINDOW), end):
            end = remark.start()
        if ending := _COPULA.search(text, max(start, end - _COPULA_WINDOW), end):
            end = ending.start()
        answer = trimmed(text, start, end, "answer_phrase", "nothing follows the phrase")
        if answer.text is None:
            return answer
        inner = _BOLD.sub("", answer.text).strip()
        if not inner:
            return Extraction(None, answer.span, answer.method, "nothing follows the phrase")
        return Extraction(inner, answer.span, answer.method)


def _first_place(text: str) -> int:
    """Where the first phrase could begin: this way most of a text is skipped without matching."""
    folded = text.lower()
    if len(folded) != len(text):
        return 0
    places = [place for place in (folded.find(word) for word in _KEYWORDS) if place >= 0]
    last_line = text.rfind("\n", 0, len(text.rstrip())) + 1  # "A: 42" counts there only
    if not _LAST_LINE.match(text, last_line):
        last_line = len(text)
    return max(0, min([last_line, *(place - _BEFORE for place in places)]))
