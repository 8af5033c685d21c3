"""The chosen option is the right one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from ..core.extraction import EXTRACTORS, Answer, Extraction, Extractor, trimmed
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract.answers_and_references import accepted_texts, find_answer, reference_answer
from ..extract.chain import FirstOf, Inside
from ..extract.marked_answers import Boxed, HashMarks, JsonAnswer, Tag
from ..extract.phrases import OtherLanguage
from ..language.choice_words import ORDERS, TAKEN_BACK
from ..language.normalization import nfc
from ..runtime.patterns import lazy
from ..visible.seen import visible
from .offered_options import NO_OPTIONS, Options, offered, options_of, view_of
from .option_labels import MAX_LABELS, Choice
from .option_reader import answered, chosen

__all__ = ["MAX_LABELS", "Choice", "LastLabel", "MultipleChoice", "read_choice"]

_LONGEST_ANSWER = 4_000
"""Characters of an extracted answer that are read."""
_LISTED = 200
"""Characters after the first of several labels that are shown."""


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class LastLabel(Extractor):
    """The option that a text chooses: after its last mark, at its start, or in its last conclusion.

    Args:
        options: The question's labels with their texts. A text then counts for its label, and other labels do
            not count. `MultipleChoice` takes it from the question.

    >>> LastLabel().extract("Paris is the capital.\\nSo our selection is option D.").text
    'option D'
    >>> LastLabel((("A", "red"), ("B", "blue"))).extract("The best colour is blue.").text
    'B'
    """

    options: tuple[tuple[str, str], ...] = ()

    def extract(self, text: str) -> Extraction | None:
        view = view_of(text)
        found = chosen(view.text, options_of(self.options))
        if found is None:
            return None
        if found.strength == "undone":
            span = view.original(found.start), view.original(found.end, end=True)
            return Extraction(None, span, "last_label", "another label is chosen as well")
        if found.group is None:
            start, end = view.original(found.start), view.original(found.end, end=True)
            return trimmed(text, start, end, "last_label", "no option is named")
        start, end = view.original(found.group.start), view.original(found.group.end, end=True)
        if found.group.offered:  # with what offers the others
            start = min(start, view.original(found.start))
            end = len(text[: end + _LISTED].rstrip())
        label = found.group.labels[0]
        answer = label.name if label.shape == "text" and not found.group.offered else text[start:end]
        return Extraction(answer, (start, end), "last_label")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class MultipleChoice(Verifier):
    """The answer names the right option, and only that one.

    Labels are letters, numbers, circled and bracketed signs, roman numerals above I, the Korean and Chinese
    counterparts of A, B, C, and combinations of one kind ("BC", "A and C"). Text after a label, such as the
    option's own, does not matter. If the row has the question (`Sample.prompt`), only its labels count, and
    an option's full text counts for its label.

    Args:
        extract: Finds the answer: a mark, an option at the start, or the last conclusion.
        by_position: Whether labels of different kinds agree by position, as in KMMLU, whose references are
            numbers and whose prompts show letters.

    >>> print(MultipleChoice().verify("So the correct option is (C), because it is the largest.", "C"))
    MultipleChoice 1.00 right_choice  '(C)' for 'C'
    >>> MultipleChoice().verify("Answer: A, B, C, D", "B").reason
    'several_answers'
    """

    reference_first: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "right_choice": "the reference's option, and no other",
        "wrong_choice": "another option",
        "several_answers": "more options than the reference has",
        "no_answer": "no answer was found, its mark was left open, or thinking never ended",
        "no_label": "the answer names no option",
    }

    extract: Extractor = field(
        default=FirstOf(
            Inside(Tag(), FirstOf(Boxed(), JsonAnswer(), LastLabel())),
            Boxed(),
            HashMarks(),
            JsonAnswer(),
            OtherLanguage("label"),
            LastLabel(),
        )
    )
    by_position: bool = False

    def check(self, sample: Sample) -> Verdict:
        try:
            texts = accepted_texts(sample.reference)
        except ConfigError as error:
            return self.unscored("bad_reference", str(error))
        accepted = [(text, _reference(text)) for text in texts]
        usable = [(text, choice) for text, choice in accepted if choice is not None and not choice.offered]
        if not usable:
            return self.unscored("bad_reference", f"no option such as C, 3, ③ or BD in {texts!r:.80}")
        options = self._options(sample.prompt, [choice for _, choice in usable])
        answer = find_answer(self, _among(self.extract, options) if options else self.extract, sample)
        if isinstance(answer, Verdict):
            return answer
        given = read_choice(answer, options_of(options))
        if given is None or (given.kind == "mark" and all(choice.kind != "mark" for _, choice in usable)):
            return self.scored(0.0, "no_label", extracted=answer, expected=usable[0][0])
        if _is_taken_back(sample.completion, answer):
            return self.scored(0.0, "several_answers", extracted=answer, expected=usable[0][0])
        for text, choice in usable:
            if self._placed(given) == self._placed(choice):
                return self.scored(1.0, "right_choice", extracted=answer, expected=text)
        several = given.offered or len(given.labels) > max(len(choice.labels) for _, choice in usable)
        reason = "several_answers" if several else "wrong_choice"
        return self.scored(0.0, reason, extracted=answer, expected=usable[0][0])

    def fields_read(self) -> tuple[str, ...]:
        return ("prompt", "prompts")

    def _options(self, question: str, wanted: list[Choice]) -> tuple[tuple[str, str], ...]:
        """Return the question's options if they include the references."""
        return () if self.by_position or not question else offered(question, frozenset(wanted))

    def _placed(self, choice: Choice) -> Choice:
        if not self.by_position or choice.kind == "number":
            return choice
        order = ORDERS[choice.kind]
        return choice._replace(
            kind="number", labels=frozenset(str(order.index(label) + 1) for label in choice.labels)
        )


def _among(extract: Extractor, options: tuple[tuple[str, str], ...]) -> Extractor:
    """An extractor that knows what is on offer, wherever it looks for labels."""
    match extract:
        case LastLabel(options=()):
            return LastLabel(options)
        case FirstOf():
            return FirstOf(*(_among(each, options) for each in extract.extractors))
        case Inside():
            return Inside(_among(extract.outer, options), _among(extract.inner, options), extract.else_all)
    return extract


def _is_taken_back(completion: str, answer: Answer) -> bool:
    """Return whether the words after the answer in its line take it back."""
    if answer.span is None:
        return False
    return _TAKEN_BACK.match(nfc(completion[answer.span[1] : answer.span[1] + _BEHIND])) is not None


_TAKEN_BACK = lazy(TAKEN_BACK)
_BEHIND = 40
"""Characters after an answer in which it may be taken back."""


@lru_cache(maxsize=4096)
def _reference(text: str) -> Choice | None:
    return read_choice(reference_answer(visible(text)))


def read_choice(text: str, options: Options = NO_OPTIONS) -> Choice | None:
    """The options that a text names as its answer; None when it names none.

    >>> sorted(read_choice("A and C").labels), read_choice("(B) is right").labels, read_choice("A cat")
    (['A', 'C'], frozenset({'B'}), None)
    """
    found = answered(view_of(nfc(text[:_LONGEST_ANSWER])).text.strip(), options)
    if found is None or found.group is None or len(found.group.labels) > MAX_LABELS:
        return None
    return found.group.choice
