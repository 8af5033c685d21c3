"""Laws of boxes: what holds of any boxes in any form."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.timing import timed, within
from verifiers import BoxIoU, ErrorRate

CORNERS = st.tuples(*[st.integers(0, 400)] * 2, *[st.integers(1, 200)] * 2)


@given(st.lists(CORNERS, min_size=1, max_size=5, unique=True))
def test_every_form_of_the_same_boxes_earns_all(found: list[tuple[int, int, int, int]]) -> None:
    """Corners, sizes and centres say the same, in JSON and in prose; permuted, too."""
    due = [[x, y, x + w, y + h] for x, y, w, h in found]
    forms: dict[str, list[list[Any]]] = {
        "xyxy": due,
        "xywh": [list(each) for each in found],
        "cxcywh": [[x + w / 2, y + h / 2, w, h] for x, y, w, h in found],
    }
    for form, boxes in forms.items():
        for text in (
            json.dumps(boxes),
            "\n".join(map(str, reversed(boxes))),
            json.dumps([{"bbox_2d": b} for b in boxes]),
        ):
            assert BoxIoU(format=form).verify(text, due).score == 1.0, (form, text)  # type: ignore[arg-type]


@given(CORNERS, st.lists(CORNERS, max_size=6))
def test_more_boxes_never_earn_more(
    due: tuple[int, int, int, int], more: list[tuple[int, int, int, int]]
) -> None:
    """Stating further boxes beside the right one only costs."""
    x, y, w, h = due
    row = [x, y, x + w, y + h]
    stated = [row, *([a, b, a + c, b + d] for a, b, c, d in more)]
    score = BoxIoU().verify(json.dumps(stated), row).score
    assert score is not None
    assert score <= 1 / len(stated) + 1e-9


@given(st.text(max_size=200))
def test_any_text_has_a_verdict(text: str) -> None:
    """Nothing raises, and what is no box earns nothing."""
    assert BoxIoU().verify(text, [0, 0, 10, 10]).score is not None


@given(st.text("가나다 한글ab", min_size=1, max_size=30))
def test_a_transcript_equals_itself(text: str) -> None:
    """By every unit; and one letter is never more of an error than its syllable."""
    if not text.strip():
        return
    for unit in ("words", "characters", "jamo", "spaced"):
        assert ErrorRate(unit=unit).verify(text, text).score == 1.0


def test_long_texts_are_bounded() -> None:
    """A megabyte of brackets or of words costs little."""
    for text in ("[1,2,3,4]," * 9_000, "(" * 99_000, "(1,2" * 24_000, "[[" * 500_000):
        assert within(timed(lambda text=text: BoxIoU().verify(text, [1, 2, 3, 4]))[1], 1.0)
    assert within(timed(lambda: ErrorRate().verify("a " * 500_000, "b " * 90_000))[1], 2.0)
