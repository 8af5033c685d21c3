"""The answer after a phrase such as "the answer is" or a title such as "Answer:", in any language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..language.sentences.judgement import subject
from ..language.sentences.marks import Mark, marks, sentence_end
from ..language.sentences.retractions import righted, stated_instead
from ..language.sentences.said_values import Value, pointed_to, value
from ..language.sentences.words_before import governed, sentence_start
from ..language.table_reading import Form, said_in
from ..runtime.patterns import lazy

_DISPLAY = lazy(r"\\\[(.{1,2000}?)\\\]|\$\$([^$]{1,2000})\$\$", re.DOTALL)
# Marks around words; in 2**3 and a__b they are none.
_BOLD = lazy(r"(?<![\w)\]}*])(?:\*\*|__)(?=[^\s*_])|(?<=[^\s*_])(?:\*\*|__)(?![\w(\[{\\*])")
_SHORT = 60
"""Characters of an answer that a clear title keeps against sentences further down."""
_QUOTED = lazy(r"\"([^\"]+)\"|'([^']+)'|“([^”]+)”|‘([^’]+)’|「([^」]+)」")
_NOTHING = "nothing follows the phrase"
_STANDINGS = {
    "reported": "somebody else says so: {!r:.80}",
    "not_understood": "not_understood: {!r:.80}",
}
"""Why a phrase gives no answer, with the words that say so."""


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class AnswerPhrase(Extractor):
    """The text after the last "the answer is", "**Answer:**", "A:" and the like, in every known language.

    The answer ends with its sentence or line, without a closing verb, as in Korean; bold marks are removed. A
    phrase that denies, doubts or asks gives no answer, and cancels only the answer that it denies. A later
    sentence does not cancel a title that says "final". See `verifiers.language`.

    >>> AnswerPhrase().extract("Hence **Answer:** $3.50 in all.").text
    '$3.50 in all'
    >>> AnswerPhrase().extract("The answer is not 14 but 15.").text
    '15'
    >>> AnswerPhrase().extract("we look for the answer")
    """

    def extract(self, text: str) -> Extraction | None:
        chosen: Extraction | None = None
        last: Extraction | None = None
        taken_back: list[str] = []
        for mark in marks(text):
            if chosen is not None and not mark.clear:
                continue
            read = _read(text, mark)
            if read is None:
                continue
            found, kind, denied = read
            last = last or found
            if kind not in ("bare", "stated"):
                if kind == "denied":
                    taken_back.append(_folded(denied))
            elif chosen is None or len(found.text or "") <= _SHORT:
                chosen = found
            if chosen is not None and mark.clear:
                break
        if chosen is None:
            instead = None if last is None else stated_instead(text, last.span[0])
            if instead is None and last is not None and taken_back:
                instead = righted(text, last.span[1])
            return last if instead is None else trimmed(text, *instead, "correction", _NOTHING)
        if chosen.text is not None and _folded(chosen.text) in taken_back:
            return Extraction(None, chosen.span, "refused_phrase", "the answer is taken back")
        return chosen


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class AnswerSubject(Extractor):
    """The subject of a sentence that calls it the answer, unless the text contradicts it.

    >>> AnswerSubject().extract("So Lisbon is the right answer.").text
    'Lisbon'
    >>> AnswerSubject().extract("Lisbon is not the right answer.")
    """

    def extract(self, text: str) -> Extraction | None:
        found = subject(text)
        return None if found is None else trimmed(text, *found, "answer_phrase", _NOTHING)


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _read(text: str, mark: Mark) -> tuple[Extraction, str, str] | None:
    """Return a phrase's extraction, its kind and the words of another value; None if only supposed."""
    standing = "" if mark.titled else governed(text, mark.start)
    opposed = standing == "denied"
    if standing == "supposed":
        return None
    if standing and not opposed:
        problem = _STANDINGS[standing].format(text[sentence_start(text, mark.start) : mark.end].strip())
        refused = Extraction(None, (mark.start, mark.end), "refused_phrase", problem)
        return refused, standing, ""
    start = mark.end
    points = pointed_to(text, start)
    if points is not None:
        start = points
    if display := _DISPLAY.match(text, start):
        span = display.span(display.lastindex or 0)
        return trimmed(text, *span, "answer_phrase", "the formula is empty"), "bare", ""
    end = sentence_end(text, start)
    if text[end : end + 1] in ("?", "？"):
        refused = Extraction(None, (start, end), "refused_phrase", "the phrase asks for an answer")
        return refused, "asked", ""
    said = value(text, start, end, titled=mark.titled)
    if opposed or said.kind not in ("bare", "stated"):
        kind = "denied" if opposed else said.kind
        refused = Extraction(None, (start, end), "refused_phrase", f"what follows the phrase is {kind}")
        return refused, kind, text[said.start : said.ends[-1]]
    return _extraction(text, said), said.kind, ""


def _extraction(text: str, said: Value) -> Extraction:
    """The value by its shortest reading, inside of the longer ones."""
    whole: Extraction | None = None
    for end in said.ends:
        answer = trimmed(text, said.start, end, "answer_phrase", _NOTHING)
        inner = answer.text or ""
        if "**" in inner or "__" in inner:
            inner = _BOLD.sub("", inner).strip()
        if inner and (whole is None or inner != whole.text):
            whole = Extraction(inner, answer.span, answer.method, whole=whole)
        elif not inner and whole is None:
            return Extraction(None, answer.span, answer.method, _NOTHING)
    if whole is not None and whole.text and (quoted := _QUOTED.fullmatch(whole.text)) is not None:
        inner = next(filter(None, quoted.groups()), "")
        place = text.find(inner, *whole.span)
        whole = Extraction(inner, (place, place + len(inner)), whole.method, whole=whole)
    assert whole is not None  # noqa: S101  (there is at least one reading)
    return whole


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class OtherLanguage(Extractor):
    """The last answer of a text in a language with a table of words; see `verifiers.language.table_reading`.

    Args:
        form: Kind of answer. A ``number`` comes back in digits with a decimal point; an option as its
            ``label``, or as the ``text`` that is called the answer.

    >>> OtherLanguage().extract("La réponse est quatre-vingt-dix-sept.").text
    '97'
    >>> OtherLanguage().extract("Die Antwort ist vielleicht 42.").problem
    'the sentence is doubted'
    >>> OtherLanguage().extract("The answer is 42.")
    """

    form: Form = "number"

    def extract(self, text: str) -> Extraction | None:
        said = said_in(text, self.form)
        if said is None:
            return None
        span = (said.start, said.end)
        if not said.value:
            return Extraction(None, span, "refused_phrase", f"the sentence is {said.why.replace('_', ' ')}")
        raw = text[said.start : said.end]
        whole = None if raw == said.value else Extraction(raw, span, "other_language")
        return Extraction(said.value, span, "other_language", whole=whole)
