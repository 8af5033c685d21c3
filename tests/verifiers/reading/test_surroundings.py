"""What the boxed form refuses, no sentence pays: a number that is a part of something is not the answer."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import SOAK, examples
from tests.verifiers.reading.materials import PLAIN, boxed, judged, report, surroundings

NUMBERS = ("7", "36", "234")
SIGNS = [
    row
    for row in surroundings()
    if not re.search(
        r"(?<![\\a-zA-Z])[^\W\d_]{2}|[가-힣一-龥$<>=≤≥≠∈]|\\(?:[(\[]|[lg]e|neq?|in)\b", row["text"]
    )
]
"""What can stand inside another thing: no words, formulas in delimiters, or relations."""
OTHER = [row["text"] for row in surroundings() if row["is"] == "other"]


def _said(text: str) -> list[str]:
    # A mark such as ``!`` at the very end of a text may be the sentence's own: it needs something after it.
    return [
        sentence.replace("{}", text)
        for sentence in PLAIN
        if not (text[-1] in "!?" and sentence.endswith("{}"))
    ]


def test_there_are_enough_surroundings() -> None:
    """And none stands there twice."""
    texts = [row["text"] for row in surroundings()]
    assert len(set(texts)) == len(texts) >= 90
    assert all("{}" in text for text in texts)


@pytest.mark.parametrize("number", NUMBERS)
def test_what_is_another_thing_is_paid_in_no_box(number: str) -> None:
    """The labels hold for boxes, too: at least 7 is not 7."""
    texts = [text.replace("{}", number) for text in OTHER]
    verdicts = judged([(boxed(text), number) for text in texts])
    wrong = [
        ("box", text, verdict) for text, verdict in zip(texts, verdicts, strict=True) if verdict.score != 0.0
    ]
    assert not wrong, report(wrong, len(texts))


@pytest.mark.parametrize("number", NUMBERS)
def test_box_and_sentence_agree(number: str) -> None:
    """Law C: another thing, or refused in a box: unpaid in a sentence; paid in a box: paid, or without an answer."""
    texts = [(row["is"] == "other", row["text"].replace("{}", number)) for row in surroundings()]
    boxes = judged([(boxed(text), number) for _, text in texts])
    pairs = [
        (said, 0.0 if other else box.score)
        for place, ((other, text), box) in enumerate(zip(texts, boxes, strict=True))
        # Every fourth sentence, and the next ones with the next number; ``make soak`` takes all.
        for said in (_said(text) if SOAK else _said(text)[(place + NUMBERS.index(number)) % 4 :: 4])
    ]
    verdicts = judged([(said, number) for said, _ in pairs])
    wrong = [
        ("paid, and is another thing" if score == 0.0 else "refused, and the box is paid", said, verdict)
        for (said, score), verdict in zip(pairs, verdicts, strict=True)
        if verdict.score != score and (score == 0.0 or verdict.reason not in {"no_answer", "several_answers"})
    ]
    assert not wrong, report(wrong, len(pairs))


@settings(max_examples=examples(240), deadline=None)
@given(st.lists(st.sampled_from(SIGNS), min_size=1, max_size=2), st.sampled_from(surroundings()), st.data())
def test_no_nest_of_surroundings_is_paid_for_what_lies_inside(
    signs: list[dict[str, str]], outside: dict[str, str], data: st.DataObject
) -> None:
    """Law C for signs inside signs or words: against the number and each whole inside something other."""
    nest = [*signs, outside]
    inner = [data.draw(st.sampled_from(NUMBERS))]
    for row in nest:
        inner.append(row["text"].replace("{}", inner[-1]))
    whole = inner.pop()
    if whole.endswith("!"):
        return  # after anything but a whole number it is a cry
    said = data.draw(st.sampled_from(_said(whole)))
    for place, reference in enumerate(inner):
        if any(row["is"] == "other" for row in nest[place:]):
            box, sentence = judged([(boxed(whole), reference), (said, reference)])
            if box.score == 0.0:
                assert sentence.score == 0.0, f"{said!r} for {reference!r}: {sentence}; boxed: {box}"
