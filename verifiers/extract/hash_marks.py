"""The answer after ``####``, as GSM8K writes it."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..language.maths_words import SYLLABLE_LABELS
from ..runtime.patterns import lazy

_MARK = lazy(r"(?<!#)####(?!#)[ \t]*([^\n#]*)")
# "#### Step 3: multiply" is a Markdown heading. Ahead of further text only a short answer counts.
_ANSWER = lazy(rf"[-+−$€£₩\\(\[{{*]*[\d.].{{0,30}}|[$\\].{{0,80}}|[(*]*[A-Ja-j{SYLLABLE_LABELS}①-⑩][)*]*")
_LONG_RUN = "#" * 500
_WORD = lazy(r"[^\W\d_]{3,}.*[^\W\d_]{3,}")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class HashMarks(Extractor):
    """The rest of the line after the last ``####`` (Cobbe et al., 2021, arXiv:2110.14168).

    On the text's last line whatever follows counts; further up, a Markdown heading does not.

    >>> HashMarks().extract("16 - 7 = 9, 9 * 2 = 18\\n#### 18").text
    '18'
    >>> HashMarks().extract("#### Step 1: add\\n1 + 1 = 2") is None
    True
    """

    def extract(self, text: str) -> Extraction | None:
        if "####" not in text:
            return None
        end_of_text = len(text.rstrip())
        at = len(text)
        while (at := text.rfind("####", 0, at)) >= 0:  # the last one that counts decides
            if text[at - 1 : at] == "#":  # a longer run marks nothing
                while text.endswith(_LONG_RUN, 0, at):
                    at -= len(_LONG_RUN)
                while at and text[at - 1] == "#":
                    at -= 1
                continue
            mark = _MARK.match(text, at)
            rest = mark.group(1).strip() if mark else ""
            if mark and (mark.end() >= end_of_text or (_ANSWER.fullmatch(rest) and not _WORD.search(rest))):
                return trimmed(text, *mark.span(1), "hash_marks", "nothing follows ####")
        return None
