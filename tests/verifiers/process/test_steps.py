"""Steps stand where they are said to, and do not change when the text goes on."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers.process.steps import By, Steps

BYS: tuple[By, ...] = ("marks", "sentences", "lines", "paragraphs")
PIECES = st.sampled_from(
    [
        "Step 1: ", "2. ", "3) ", "\n", "\n\n", ". ", "! ", "8+7=15", "x = 3.5", "Dr. Kim ", "\\[", "\\]", "$$", " ", "다. ",
        "단계 2: ", "2단계: ", "第二步：", "。", "\\begin{align}", "\\end{align}", "e.g. ", "(1) ", "- ", "**", "\r\n", "\t",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=24).map("".join) | st.text(max_size=60)


def shown(text: str, by: By = "marks") -> list[str]:
    """The steps of a text."""
    return [text[start:end] for start, end in Steps(by).split(text)]


def test_kinds_of_steps() -> None:
    """Numbered, titled, on lines, as sentences and as formulas, in several languages."""
    assert shown("1. a. b\n2. c\n   d\n\ne. f") == ["1. a. b", "2. c\n   d", "e.", "f"]
    assert shown("Step 1: 8+7=15. Good.\n**Step 2:** 3") == ["Step 1: 8+7=15. Good.", "**Step 2:** 3"]
    assert shown("1단계: 8+7=15이다. 좋다.\n2단계: 3이다.") == ["1단계: 8+7=15이다. 좋다.", "2단계: 3이다."]
    assert shown("一。二！三") == ["一。", "二！", "三"]
    assert shown("so\n\\[\n3 + 4\n= 7\n\\]\nthen") == ["so", "\\[\n3 + 4\n= 7\n\\]", "then"]
    assert shown("It is 7.5 kg. Dr. Kim weighs 3.") == ["It is 7.5 kg.", "Dr. Kim weighs 3."]


def test_what_ends_a_step_can_be_chosen() -> None:
    """The same text by lines, paragraphs and sentences."""
    text = "1. a. b\nc\n\nd"
    assert shown(text, "lines") == ["1. a. b", "c", "d"]
    assert shown(text, "paragraphs") == ["1. a. b\nc", "d"]
    assert shown(text, "sentences") == ["1. a.", "b\nc", "d"]


@pytest.mark.parametrize("by", BYS)
@given(TEXTS)
def test_steps_stand_in_order_and_hold_all_that_is_no_space(by: By, text: str) -> None:
    """Nothing is lost or twice in a step."""
    steps = Steps(by).split(text)
    assert all(one.end <= other.start for one, other in itertools.pairwise(steps))
    assert "".join("".join(text[start:end].split()) for start, end in steps) == "".join(text.split())


@pytest.mark.parametrize("by", BYS)
@given(TEXTS)
def test_a_text_that_goes_on_has_the_steps_that_it_had(by: By, text: str) -> None:
    """The prefix that ends where a step ends has the same steps."""
    steps = Steps(by).split(text)
    for place, step in enumerate(steps):
        assert Steps(by).split(text[: step.end]) == steps[: place + 1]
