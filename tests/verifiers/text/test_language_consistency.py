"""LanguageConsistency: shares on their limits, and the laws that leave no cliff."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import from_table
from verifiers import ConfigError, LanguageConsistency
from verifiers.language.running_text import (
    ADDRESSES_SHARE,
    FEW_TERMS,
    FREE_COMMANDS,
    FREE_NAMES,
    FREE_SHORTS,
    FREE_TERMS,
    KANA_SHARE,
    LETTERS_A_SIGN,
    LONG_ASIDE,
    LONG_HAN_ASIDE,
    NAMES_SHARE,
    SHORT_ASIDES,
    SHORT_TEXT,
)

KO = LanguageConsistency("ko")


@from_table()
def test_a_language_is_told_by_shares(text: str, language: str, letters: str, reason: str) -> None:
    """On each limit, and one letter or piece further: that letter counts, or that piece, and no other."""
    assert (ADDRESSES_SHARE, KANA_SHARE, LETTERS_A_SIGN, NAMES_SHARE, FEW_TERMS) == (3, 0.15, 12, 2, 8)
    assert (SHORT_TEXT, SHORT_ASIDES, LONG_ASIDE, LONG_HAN_ASIDE) == (20, 10, 40, 8)
    assert (FREE_COMMANDS, FREE_NAMES, FREE_SHORTS, FREE_TERMS) == (6, 4, 4, 2)
    verdict = LanguageConsistency(language).verify(text)
    assert (verdict.detail.removesuffix(" letters"), verdict.reason) == (letters, reason)


@pytest.mark.parametrize(("signs", "counted"), [(0, 40), (1, 28), (3, 4), (4, 0)])
def test_each_sign_of_a_fenced_block_makes_letters_code(signs: int, counted: int) -> None:
    """Twelve of them; what is more is prose, fence or not. Its own letters are the language's."""
    block = " ".join(["words"] * 8) + "#" * signs
    assert KO.verify(f"가나다라\n```\n{block}\n```").detail == f"4 of {4 + counted} letters"
    assert KO.verify(f"```\n가나다라 {block}\n```").detail == f"4 of {4 + counted} letters"


def test_too_little_text_is_in_no_language() -> None:
    """Wherever it is looked for; how much is enough can be chosen."""
    thinking = LanguageConsistency("ko", of="thinking")
    for text, reason in (
        ("<think>1</think>답은 하나이다", "too_little_text"),
        ("<think>음</think>답은 하나이다", "too_little_text"),
        ("<think>...</think>답은 하나이다", "empty"),
        ("<think></think>답은 하나이다", "empty"),
        ("<think>x = 1, y = 2</think>답은 하나이다", "too_little_text"),
        ("<think>하나를 더한다</think>2", "in_language"),
    ):
        assert thinking.verify(text).reason == reason, text
        assert thinking.verify(text).score == (reason == "in_language")
    assert LanguageConsistency("ko", least=0).verify("x = 3").reason == "no_letters"
    assert LanguageConsistency("ko", least=0).verify("x = 3").score == 1.0
    assert LanguageConsistency("ko", least=6).verify("답은 다섯이다").score == 1.0
    assert LanguageConsistency("ko", least=7).verify("답은 다섯이다").score == 0.0
    with pytest.raises(ConfigError, match="least"):
        LanguageConsistency("ko", least=-1)


KOREAN = [
    "먼저", "두 수를", "더하면", "답이", "나온다.", "그래서", "이 값은", "변수는", "함수의", "극한을", "구한다.", "조건에서", "따라서",
]  # fmt: skip
FORMAL = [
    *(
        "x", "y = 3", "a_n", "f(x)", "AB", "x^2 + 1", "sin x", "log 2", "n!", "12 km", "5 kg", "H2O", "NaCl", "KTX", "DNA",
        "GPT-4",
    ),
    *(
        "Python", "Albert Einstein", "iPhone", "user_name", "maxCount", "print(x)", "train.py", "\\frac{1}{2}", "$x$", "α",
        "∠ABC",
    ),
]  # fmt: skip
ENGLISH = [
    "then we divide the sum by three", "because nothing else fits here", "so the answer must be seven",
    "which is what we wanted to show", "and this holds for every value",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(KOREAN * 3 + FORMAL + ENGLISH), min_size=2, max_size=25)


@given(TEXTS, st.sampled_from(FORMAL), st.integers(0, 30))
def test_one_more_name_or_formula_costs_at_most_its_own_letters(
    words: list[str], more: str, place: int
) -> None:
    """The law without cliffs: nothing that was there before counts for it."""
    before, after = " ".join(words), " ".join([*words[:place], more, *words[place:]])
    first, second = KO.verify(before), KO.verify(after)
    if first.reason == "too_little_text":
        return
    letters = _letters(first.detail)
    own = sum(map(str.isalpha, more))
    assert first.score is not None
    assert second.score is not None
    assert second.score >= first.score - own / (letters + own) - 1e-12, (before, after)


@given(
    st.lists(st.sampled_from(KOREAN), min_size=6, max_size=25), st.sampled_from(ENGLISH), st.integers(1, 6)
)
def test_a_sentence_of_another_language_costs_its_letters(
    words: list[str], sentence: str, times: int
) -> None:
    """In full, wherever it is inserted between sentences."""
    text = " ".join(words)
    own = len(re.findall("[가-힣]", text))
    for inserted in (
        f"{sentence.capitalize()}.",
        f"「나」 ({sentence}).",
        "因为没有别的答案是对的。",
        "Ответ равен семи.",
    ):
        foreign = sum(map(str.isalpha, inserted)) - inserted.count("나")
        verdict = KO.verify(f"{text}. " + f"{inserted} " * times)
        wanted = (own + inserted.count("나") * times) / (own + (foreign + inserted.count("나")) * times)
        assert verdict.score == pytest.approx(wanted), inserted


@given(TEXTS)
def test_it_does_not_matter_how_a_text_is_composed(words: list[str]) -> None:
    """Nor whether a formula stands between dollar signs; and what is judged twice is judged equally."""
    text = " ".join(words)
    assert KO.verify(text) == KO.verify(text)
    assert KO.verify(text.replace("y = 3", "$y = 3$")).score == KO.verify(text).score


@pytest.mark.parametrize(
    "piece",
    ["(", '"', "a(", "\\a", "'a", "<a", "漢(", "a_", "1a", "`", "```", "「", "가a ", "*", "a@", ". ", "$"],
)
def test_it_takes_linear_time(piece: str) -> None:
    """Whatever is repeated: twice the text takes no more than some twice the processor time."""
    times = []
    for size in (25_000, 100_000):
        started = time.process_time()
        KO.verify(piece * (size // len(piece)))
        times.append(time.process_time() - started)
    assert times[1] < 12 * times[0] + 0.2, times


def _letters(detail: str) -> int:
    return int(detail.split(" of ")[1].split()[0].replace(",", ""))
