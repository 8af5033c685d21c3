"""Putting extractors together, and the order that verifiers use by default."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..errors import ConfigError
from ..language.sentences.judgement import judgement
from ..runtime.packages import deferred
from .marked_answers import Boxed, HashMarks, JsonAnswer, Tag
from .phrases import AnswerPhrase, AnswerSubject, OtherLanguage

_CONSENT = deferred("reward_verifiers.verifiers.extract.consent")  # for numbers that nothing marks


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class WholeText(Extractor):
    """The whole visible text.

    Args:
        keep_stop: Keep a final full stop, which belongs to sentences and not to numbers.

    >>> WholeText().extract(" Seoul. ").text
    'Seoul'
    """

    keep_stop: bool = False

    def extract(self, text: str) -> Extraction | None:
        # Without its stop "3!." would cry out "3".
        keep_stop = self.keep_stop or text.rstrip().endswith("!.")
        return trimmed(text, 0, len(text), "whole_text", "the completion is empty", keep_stop=keep_stop)


@EXTRACTORS.register
@dataclass(frozen=True, repr=False, init=False)
class FirstOf(Extractor):
    """The first extractor whose mark occurs decides, even if it finds no usable answer there.

    Raises:
        ConfigError: There is no extractor, or one is not an extractor.

    >>> FirstOf(Tag("answer"), Boxed()).extract(r"<answer>7").problem
    '<answer> is not closed'
    """

    extractors: tuple[Extractor, ...]

    def __init__(self, *first: Extractor, extractors: tuple[Extractor, ...] = ()) -> None:
        chosen = (*first, *extractors)
        strangers = [each for each in chosen if not isinstance(each, Extractor)]
        if not chosen or strangers:
            raise ConfigError(f"FirstOf: needs one or more extractors, such as Boxed(); got {strangers}")
        object.__setattr__(self, "extractors", chosen)

    def extract(self, text: str) -> Extraction | None:
        for extractor in self.extractors:
            found = extractor.extract(text)
            if found is not None:
                return found
        return None


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class Inside(Extractor):
    r"""Search with `inner` inside the extraction of `outer`; if `inner` finds nothing, keep all of it.

    The result of `outer` stays as the whole, which is compared before the part.

    Args:
        outer: Extractor for the place.
        inner: Extractor inside that place.
        else_all: Whether the whole place is the answer if `inner` finds nothing. Otherwise there is no
            answer, except a whole that equals the reference word for word.

    >>> Inside(Tag("answer"), Boxed()).extract(r"<answer>It is \boxed{4}.</answer>").text
    '4'
    """

    outer: Extractor
    inner: Extractor
    else_all: bool = True

    def extract(self, text: str) -> Extraction | None:
        found = self.outer.extract(text)
        if found is None or found.text is None:
            return found
        inner = self.inner.extract(found.text)
        if inner is not None:
            return inner.inside(found, text)
        return found if self.else_all else Extraction(None, found.span, found.method, NO_MARK, whole=found)


def not_taken_back(text: str, found: Extraction, question: str = "") -> Extraction:
    """Return the extraction if the text lets it stand, or the text's final replacement for it."""
    said = judgement(text, *found.span, shown=found.method in _SHOWN, named=found.method == "last_label")
    if said.kind == "stands":
        if not _is_unmarked(found) or not (words := _CONSENT.not_consented(text, *found.span, question)):
            return found
        return Extraction(None, found.span, "taken_back", f"not_understood: {text[slice(*words)]!r:.80}")
    if said.kind == "several":
        span = found.span[0], said.value[1]
        return Extraction(None, span, "taken_back", "a second answer is given beside it")
    if said.kind == "not_understood":
        return Extraction(None, found.span, "taken_back", f"not_understood: {text[slice(*said.value)]!r:.80}")
    whole = found.whole
    while whole is not None and whole.span[1] <= said.start:
        whole = whole.whole
    if said.kind == "taken_back":
        return Extraction(None, found.span, "taken_back", "the answer is taken back", whole)
    return Extraction(text[slice(*said.value)], said.value, "correction", whole=whole)


def _is_unmarked(found: Extraction) -> bool:
    """Return whether a number was found in a sentence alone, inside no mark."""
    part: Extraction | None = found
    while part is not None:
        if part.method not in ("last_number", "whole_text"):
            return False
        part = part.whole
    return found.method == "last_number"


_SHOWN = frozenset({"boxed", "tag", "hash_marks", "json_answer", "whole_text"})
"""What shows an answer without words."""
NO_MARK = "nothing in the completion is marked as an answer"
"""Why there is no answer in a text without any mark, as a clause for a person."""


MARKED_OR_WHOLE = Inside(
    WholeText(),
    FirstOf(
        Inside(Tag(), FirstOf(Boxed(), JsonAnswer(), AnswerPhrase())),
        Boxed(),
        HashMarks(),
        JsonAnswer(),
        OtherLanguage("text"),
        AnswerPhrase(),
        AnswerSubject(),
    ),
)
"""For text: the marks by which a completion shows its answer, strongest first; without one all of it."""

PASSAGE = FirstOf(Tag(keep_stop=True), WholeText(keep_stop=True))
"""For whole sentences: an answer tag, or all of it, since prose may say "the answer is" and mark nothing."""
