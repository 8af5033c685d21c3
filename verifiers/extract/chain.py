"""Putting extractors together, and the order that verifiers use by default."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..errors import ConfigError
from ..language.answers.retractions import Retraction, retraction
from ..language.answers.second_answers import beside, replaced
from ..language.patterns import next_question
from .boxed import Boxed
from .hash_marks import HashMarks
from .numbers import LastNumber, OnlyNumber, is_bare
from .other_languages import OtherLanguage
from .phrases import AnswerPhrase
from .tags import Tag


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class WholeText(Extractor):
    """The whole visible text.

    Args:
        keep_stop: Keep one closing full stop: it belongs to a sentence, and not to a number.

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
    """The first extractor whose marker is present decides, even if it finds no usable answer there.

    Raises:
        ConfigError: No extractor is given, or something that is not an extractor.

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
    r"""What `inner` finds inside what `outer` found, and all of that where it finds nothing.

    What `outer` found is kept as the whole, which is compared before the part.

    Args:
        outer: Where `inner` looks.
        inner: What looks there.
        else_all: Whether all of it is the answer where `inner` finds nothing; otherwise there is none, but
            for a whole that is the reference word for word.

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


def not_taken_back(text: str, found: Extraction) -> Extraction:
    """What was found, or what a sentence after it puts in its place, if one takes it back."""
    taken = retraction(text, *found.span)
    if (taken is None or taken.value is None) and (other := replaced(text, *found.span)) is not None:
        taken = Retraction(other[0], other)
    if taken is None:
        if (second := beside(text, *found.span)) is None:
            return found
        return Extraction(
            None, (found.span[0], second[1]), "taken_back", "a second answer is given beside it"
        )
    whole = found.whole
    while whole is not None and whole.span[1] <= taken.start:
        whole = whole.whole
    if taken.value is None:
        return Extraction(None, found.span, "taken_back", "the answer is taken back", whole)
    return Extraction(text[slice(*taken.value)], taken.value, "correction", whole=whole)


NO_MARK = "nothing in the completion is marked as an answer"
"""Why there is no answer in a text without any mark, as a clause for a person."""
_BARE_LIMIT = 400


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class BareAnswer(Extractor):
    r"""The whole text if it is nothing but an answer: short, one paragraph, no prose.

    >>> BareAnswer().extract(r"\frac{1}{2}").text
    '\\frac{1}{2}'
    >>> BareAnswer().extract("There are 3 of them, so 12 legs.")
    """

    def extract(self, text: str) -> Extraction | None:
        stripped = text.strip()
        if not stripped or len(stripped) > _BARE_LIMIT or "\n\n" in stripped or not is_bare(stripped):
            return None
        return trimmed(text, 0, len(text), "bare_answer", "the completion is empty")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class UntilNextQuestion(Extractor):
    """What `inner` finds before the next question: a base model goes on with one after its answer.

    Args:
        inner: What looks there; by default as mathematics is looked for.

    >>> UntilNextQuestion().extract("The answer is 4.\\n\\nQuestion: 3 + 4?\\nAnswer: 7").text
    '4'
    """

    inner: Extractor = field(default_factory=lambda: MARKED_OR_NUMBER)

    def extract(self, text: str) -> Extraction | None:
        start = len(text) - len(text.lstrip())
        following = next_question().search(text, start)
        return self.inner.extract(text[: following.start()] if following else text)


MARKED_OR_WHOLE = Inside(
    WholeText(),
    FirstOf(
        Inside(Tag(), FirstOf(Boxed(), AnswerPhrase())),
        Boxed(),
        HashMarks(),
        OtherLanguage("text"),
        AnswerPhrase(),
    ),
)
"""For text: the marks by which a completion shows its answer, strongest first; without one all of it."""

PASSAGE = FirstOf(Tag(keep_stop=True), WholeText(keep_stop=True))
"""For whole sentences: an answer tag, or all of it, since prose may say "the answer is" and mark nothing."""

MARKED_OR_NUMBER: Extractor = Inside(
    WholeText(),
    FirstOf(
        Inside(
            Tag(),
            FirstOf(Boxed(), Inside(AnswerPhrase(), OnlyNumber(with_unit=True)), OnlyNumber(with_unit=True)),
        ),
        Boxed(),
        HashMarks(),
        OtherLanguage(),
        Inside(AnswerPhrase(), FirstOf(Boxed(), OnlyNumber(with_unit=True))),
        BareAnswer(),
        LastNumber(with_unit=True),
    ),
    else_all=False,
)
"""For mathematics: the same marks; without one a bare answer, or the last number of the prose."""
