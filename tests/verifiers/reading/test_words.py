"""Words are words: never a product of letters, a numeral inside another word, or a fault."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import examples
from tests.verifiers.reading.materials import FOLDER, LANGUAGES, Frame, frames, judged, report, surroundings
from verifiers import MathEquivalence

WORDY = (FOLDER / "no_value.txt").read_text(encoding="utf-8").splitlines()
REFERENCES = ("0", "1", "3", "4", "5", "7", "10", "x+1", r"2\sqrt{3}", "(3,4)", "i", "a", "e")
PIECES = st.one_of(
    st.text(max_size=12), st.sampled_from([row["text"].replace("{}", "7") for row in surroundings()])
)
ALL_FRAMES = [frame for language in LANGUAGES for frame in frames(language)]


def test_nothing_is_paid_or_proved_of_words() -> None:
    """A sentence without a value says nothing of any: 칠판 is no 7, and "I get it" no product."""
    pairs = [(text, reference) for text in WORDY for reference in REFERENCES]
    wrong = [
        (verdict.reason, f"{text!r} for {reference}", verdict)
        for (text, reference), verdict in zip(pairs, judged(pairs), strict=True)
        if verdict.score != 0.0 or verdict.reason == "proved_unequal"
    ]
    assert not wrong, report(wrong, len(pairs))


@settings(max_examples=examples(140), deadline=None)
@given(st.sampled_from(ALL_FRAMES), st.lists(PIECES, min_size=1, max_size=3))
def test_any_text_in_any_frame_has_a_verdict(frame: Frame, pieces: list[str]) -> None:
    """With a documented reason; never a fault, never None."""
    judge = MathEquivalence()
    for reference in ("7", r"\frac{1}{2}"):
        verdict = judge.verify(frame.says({"value": "".join(pieces), "read": "이"}), reference)
        assert verdict.score in (0.0, 1.0), verdict
        assert verdict.reason in judge.all_reasons(), verdict
