"""Particles: what the rows of fixtures/cases/korean/josa.jsonl do not show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers import ConfigError
from verifiers.korean import josa
from verifiers.korean.particles import Sound, ending, josa_fits, reading


@given(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3))
def test_a_syllable_takes_what_its_closing_consonant_asks_for(syllable: str) -> None:
    """By the decomposition of Unicode: three letters close, and ㄹ keeps 로."""
    parts = unicodedata.normalize("NFD", syllable)
    assert josa(syllable, "이/가") == ("이" if len(parts) == 3 else "가")
    assert josa(syllable, "으로/로") == ("으로" if len(parts) == 3 and parts[2] != "ᆯ" else "로")


@given(st.integers(0, 10**24))
def test_a_number_takes_what_its_reading_takes(number: int) -> None:
    """Spelled as people read it, digit by digit and place by place."""
    assert ending(f"{number:,}") == ending(str(number)) == ending(_read(number))


def _read(number: int) -> str:
    if number == 0:
        return "영"
    zeros = len(str(number)) - len(str(number).rstrip("0"))
    places = ["", "십", "백", "천", "만", "만", "만", "만", "억", "억", "억", "억", "조", "조", "조", "조"]
    places += ["경"] * 4 + ["해"] * 5
    return places[zeros] or "영일이삼사오육칠팔구"[number % 10]


@given(st.text(max_size=40), st.sampled_from(["이/가", "은/는", "로/으로", "이나/나"]))
def test_any_text_has_a_form(word: str, pair: str) -> None:
    """One of the two, or both where the word cannot be read; and what is written fits."""
    found = josa(word, pair)
    one, other = pair.split("/")
    assert found in (one, other) or "(" in found
    if "(" not in found:
        assert josa_fits(word, found, pair)


@pytest.mark.parametrize("pair", ["이가", "", "이/은", "책/가", "/", "가/"])
def test_what_is_no_pair_is_refused(pair: str) -> None:
    """With an example of one that is."""
    with pytest.raises(ConfigError, match="이/가"):
        josa("책", pair)


def test_readings_of_hanja_follow_the_standards_order() -> None:
    """Every character of KS X 1001 has a reading, and they only rise."""
    codes = (bytes([lead, trail]) for lead in range(0xCA, 0xFE) for trail in range(0xA1, 0xFF))
    found = [reading(code.decode("euc_kr")) or "" for code in codes]
    assert found == sorted(found)
    assert len(found) == 4_888
    assert len(set(found)) > 450
    assert [reading(char) for char in "學校國家漢字問題人東京"] == list("학교국가한자문제인동경")


def test_unsure_words_fit_either_form() -> None:
    """Loanwords are read in more than one way."""
    assert josa("apple", "을/를") == "을"
    assert ending("apple") == (Sound.RIEUL, False)
    assert josa_fits("apple", "를", "을/를")
    assert not josa_fits("사과", "을", "을/를")


def test_a_particle_fits_the_last_sound() -> None:
    """After a consonant, a vowel, and ㄹ before 으로."""
    for word, pair, form in (
        ("책", "이/가", "이"),
        ("나무", "이/가", "가"),
        ("나무", "가/이", "가"),
        ("길", "으로/로", "로"),
        ("길", "이/가", "이"),
        ("집", "으로/로", "으로"),
        ("바다", "으로/로", "로"),
        ("책", "와/과", "과"),
        ("나무", "와/과", "와"),
        ("7", "이/가", "이"),
        ("2", "이/가", "가"),
        ("책", "이에요/예요", "이에요"),
        ("★", "이/가", "이(가)"),
        ("★", "으로/로", "(으)로"),
    ):
        assert josa(word, pair) == form, (word, pair)
