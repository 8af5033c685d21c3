"""What tells in one look that a long text has no rare character is true of the patterns that it spares."""

from __future__ import annotations

import random

import pytest

from verifiers.core.completions import _THINK, split_thinking
from verifiers.extract import HashMarks, Tag
from verifiers.visible import characters
from verifiers.visible.characters import _NEAR_ROWS, _UNSEEN, _UNSEEN_FAR, _WIDE, _WIDE_STOP_SIGN, fold_width

POOLS = (
    "abc 12\n", "\uac00\ub098 ", "\u4e2d\u3002\uff0c", "\uff21\uff11\uff0c\uff0e", "\u200b\u00ad\ufe0f\u3164",
    "\U0001f600\U000e0041", "e\u0301", "\ud800\udc00", "\u2026\u201c\u2212\u00e9", "\x00\x07",
)  # fmt: skip


def test_the_rows_are_those_of_the_patterns() -> None:
    codes = range(0x10000)
    assert {code >> 8 for code in codes if _UNSEEN.match(chr(code))} == set(_NEAR_ROWS)
    wide = {code >> 8 for code in codes if _WIDE.match(chr(code)) or _WIDE_STOP_SIGN.match(chr(code))}
    assert wide == {0xFF}
    assert not any(_UNSEEN_FAR.match(chr(code)) for code in codes)


@pytest.mark.parametrize("seed", range(8))
def test_a_long_text_is_settled_like_its_parts(seed: int) -> None:
    """Both ways are taken: by rows for the long text, by patterns alone for the short ones."""
    chance = random.Random(seed)
    # White space between the parts composes with nothing, and belongs to no number.
    parts = ["".join(chance.choices("".join(chance.sample(POOLS, 2)), k=20)) for _ in range(150)]
    if seed % 2:
        parts = ["\uac00\ub098"] * 1200 + parts[:1]
    text = "\n".join(parts)
    assert len(text) > characters._QUICK
    assert characters.characters(text) == "\n".join(map(characters.characters, parts))
    settled = characters.fold_width_but_stops(text)
    assert settled == "\n".join(map(characters.fold_width_but_stops, parts))


def test_a_run_of_full_width_forms_is_narrowed_like_any() -> None:
    run = "".join(map(chr, range(0xFF01, 0xFF5F)))
    assert characters._narrow(run) == fold_width(run)


@pytest.mark.parametrize("text", ["<" * 50, "<think", "<answer", "</think <", "a<b", "<think >x</think>4"])
def test_a_tag_needs_its_bracket(text: str) -> None:
    if ">" not in text:
        assert _THINK.search(text) is None
        assert split_thinking(text).response == text
        assert Tag().extract(text) is None
    else:
        assert split_thinking(text).response == "4"


@pytest.mark.parametrize("length", [3, 5, 6, 499, 500, 501, 504, 505, 1000, 1003, 1004])
def test_a_longer_run_of_signs_marks_nothing(length: int) -> None:
    run = "#" * length
    assert HashMarks().extract(run + " 7") is None
    found = HashMarks().extract(f"#### 42\n{run} and more")
    assert found is not None
    assert found.text == "42"
