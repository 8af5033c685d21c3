"""What a reader sees of a text: one spelling, in linear time, with a way back to every character."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table
from tests.timing import SOAK, affordable, examples
from verifiers.visible.characters import _LETTER, MOST_MARKS, characters
from verifiers.visible.markup import DRESS, MOST
from verifiers.visible.seen import Form, see, visible


def test_korean_is_composed_through_what_nobody_sees() -> None:
    """A filler between the letters of a syllable keeps them apart no more; spans point at what was there."""
    assert characters("4\u200b2 \u1112\u3164\u1161\u11ab") == "42 한"
    seen = see("<b>정답:</b>\u200b 4\u200b2")
    assert (seen.text, seen.span(4, 6)) == ("정답: 42", (12, 15))


PIECES = st.sampled_from(
    [
        "정답", unicodedata.normalize("NFD", "정답은"), "\u1112", "\u1161", "\u11ab", "Å", "\u212b", "e\u0301\u0327", "\u200b",
        "\u3164", "\u00ad", "\u2066", "\ufe0f", "\U000e0041", "\ud800", "\u0958", "…", "１，２", "Ａ！", "ㅁ", "<b>", "</b>", "<sup>",
        "</sup>", "<p>", "</p>", "<br/>", "<answer>", "</answer>", "<i", "&nbsp;", "&lt;", "&#8203;", "&#4370;", "&bogus;",
        "&amp;", "a<b", ">", " ", "\n", "4", "2", "x",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=20)
FORMS: tuple[Form, ...] = ("visible", "characters", "raw")


@settings(max_examples=examples(300), deadline=None)
@given(TEXTS)
def test_every_character_has_a_place(text: str) -> None:
    """In the text as it came: within it, in order, with all that it was made of."""
    for form in FORMS:
        seen = see(text, form)
        places = [seen.span(place, place + 1) for place in range(len(seen.text))]
        assert all(each is not None for each in places)
        known = [each for each in places if each is not None]
        assert all(0 <= start < end <= len(text) for start, end in known)
        assert known == sorted(known)
        for char, (start, end) in zip(seen.text, known, strict=True):
            around = see(text[start:end], form).text
            assert char in around or not char.isalnum() or "<" in text or "&" in text, (char, text[start:end])
        whole = seen.span(0, len(seen.text))
        assert whole == ((known[0][0], known[-1][1]) if known else whole)


@settings(max_examples=examples(300), deadline=None)
@given(TEXTS, st.sampled_from("\u200b\u3164\u00ad\u115f\u1160\u202e\u2069\ufeff\ufe0f\U000e0067"), st.data())
def test_composition_and_hidden_characters_change_nothing_that_is_seen(
    text: str, hidden: str, data: st.DataObject
) -> None:
    """Wherever a hidden character stands, in a tag and between the parts of a letter, too."""
    for form in ("visible", "characters"):
        shown = see(text, form).text
        for composition in ("NFC", "NFD"):
            other = unicodedata.normalize(composition, text)
            at = data.draw(st.integers(0, len(other)))
            assert see(other[:at] + hidden + other[at:], form).text == shown
    assert characters(characters(text)) == characters(text)


@from_table()
def test_what_a_reader_sees(text: str, shown: str) -> None:
    """Clothes go, whatever says something stays: tags of answers, a chain of letters."""
    assert visible(text) == shown


def test_tags_that_somebody_looks_for_are_no_clothes() -> None:
    """An extractor may be told to look into any tag."""
    assert see("<b>a</b> <i>b</i>", keep=frozenset({"b"})).text == "<b>a</b> b"
    assert {"answer", "think", "solution"}.isdisjoint(DRESS)


def test_a_place_leads_to_all_that_a_character_was_made_of() -> None:
    """Hidden characters at its edges left out, those inside it not."""
    seen = see("\u200b\u1112\u200b\u1161\u11ab\u200b <i>4\u00ad2</i>")
    assert seen.text == "한 42"
    assert [seen.span(place, place + 1) for place in range(4)] == [(1, 5), (6, 7), (10, 11), (12, 13)]
    assert seen.span(2, 4) == (10, 13)
    assert seen.span(1, 1) == (6, 6)


def test_no_letter_is_cut_apart() -> None:
    """Of all characters that compose with one before them, each is kept with it."""
    for code in range(0x80, sys.maxunicode + 1):
        letter = chr(code)
        parts = unicodedata.normalize("NFD", letter)
        if len(parts) > 1 and unicodedata.normalize("NFC", parts) == letter:
            assert _LETTER.findall(parts) == [parts], hex(code)


def test_marks_are_composed_up_to_a_limit() -> None:
    """As many as the limit says, far more than any language has."""
    assert MOST_MARKS == 64
    assert characters("e" + "\u0327" * 30 + "\u0301") == unicodedata.normalize("NFC", "é" + "\u0327" * 30)
    assert len(characters("e" + "\u0301" * 5_000)) == 5_000


SHARE = 1 if SOAK else 16
HOSTILE = {
    "decomposed": unicodedata.normalize("NFD", "정답은 사십이입니다. ") * (30_000 // SHARE),
    "marks": "a" + "\u0301\u0327" * (500_000 // SHARE),
    "hidden": "a\u200b" * (500_000 // SHARE),
    "hidden marks": "e" + "\u200b\u0301" * (500_000 // SHARE),
    # At full length: a piece that looked through the run took 14 s here, and a tenth of it no time.
    "a run of hidden": "4" + "\u200b" * 1_000_000 + "2",
    "a run of hidden before a mark": "e" + "\u200b" * 1_000_000 + "\u0301",
    "wide": "１，" * (500_000 // SHARE),
    "tags": "<b>x</b>" * (120_000 // SHARE),
    "open tags": "<b>" * (330_000 // SHARE),
    "crossed tags": "<b></i>" * (140_000 // SHARE),
    "brackets": "</" * (500_000 // SHARE),
    "attributes": "<span " * (160_000 // SHARE) + "</",
    "signs": "&nbsp;" * (160_000 // SHARE),
    "ampersands": "&;" * (500_000 // SHARE),
    "spaces in a tag": "<br" + " " * (1_000_000 // SHARE),
    "surrogates": "\ud83d\u200b" * (500_000 // SHARE),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_long_texts_take_linear_time(text: str) -> None:
    """The text, and the way back from its middle."""
    most = 2.0 if SOAK else 0.5
    assert affordable(see, text, most)
    middle = len(see(text).text) // 2
    assert affordable(lambda text: see(text).span(middle, middle + 1), text, 2 * most)


def test_a_text_with_too_many_tags_or_signs_stays_as_it_is() -> None:
    """No answer is dressed like that."""
    assert visible("<b>x</b>" * (MOST // 2)) == "x" * (MOST // 2)
    assert visible("<b>x</b>" * (MOST // 2 + 1)).startswith("<b>")
    assert visible("&nbsp;" * MOST) == "\xa0" * MOST
    assert visible("&nbsp;" * (MOST + 1)).startswith("&nbsp;")
