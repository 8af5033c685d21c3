"""A text that `is_plain` accepts is left unchanged: every code point, alone and beside others."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from verifiers.visible.characters import characters, fold_width_but_stops, is_plain

HANGUL_BEHIND = range(0x1160, 0x1200)
"""Vowels and final consonants, which compose by rule and not by a table."""


@cache
def plain() -> list[int]:
    """Not worked out by those who only collect this test."""
    return [code for code in range(sys.maxunicode + 1) if is_plain(chr(code))]


def settled(text: str) -> str:
    return fold_width_but_stops(characters(text))


def test_every_plain_character_stays_and_composes_with_nothing() -> None:
    """So does every text of them: NFC changes one only where a character does, or has a class, or comes second."""
    second = set(HANGUL_BEHIND)
    for code in range(sys.maxunicode + 1):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            second.add(int(parts[1], 16))
    for code in plain():
        char = chr(code)
        assert unicodedata.combining(char) == 0
        assert code not in second
        for text in (char, f"e{char}", f"가{char}1", f"1{char}1"):
            assert settled(text) == text


@given(st.text(st.characters(codec=None), max_size=8) | st.text("e\u0301각１，\u200b\u00ad’ π…", max_size=8))
def test_a_plain_text_stays(text: str) -> None:
    if is_plain(text):
        assert settled(text) == text


def test_what_people_write_is_plain() -> None:
    """Otherwise it would be right for nothing."""
    assert all(
        map(
            is_plain,
            (
                "It’s — “fine” … π ≤ 4, café, 5 µm, α → ∞",
                "정답은 42입니다.",
                "答案是四十二。",
                "答えは「42」です。",
            ),
        )
    )
    assert len(plain()) > 40_000
