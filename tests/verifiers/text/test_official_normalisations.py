"""SQuAD's and KorQuAD's normalisations are the published ones, letter by letter; what differs has another name."""

from __future__ import annotations

import random
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable

import pytest

from verifiers import ExactMatch, TokenF1
from verifiers.language.normalization import Normalization, normalize
from verifiers.visible.seen import visible

PAIRS = 5000
_ALPHABET = (
    *"aAbBtThHeEnN 019",
    *string.punctuation,
    *"√≥±−–—…€℃♯😀«»“”‘’、。，《》〈〉「」·ßİſΣé́ñ",
    *"가나다서울ᄀ한글漢字½²\u00a0\u3000\t\n",
    *("the ", " a ", "an", "The", " THE ", "A.", "theatre", "Straße"),
)
_WORDS = (
    "서울", "《춘향전》", "조선", "1592년", "임진왜란,", "이순신(李舜臣)", "약", "3,000명", "B.C.", "3.5%", "-", "the", "A", "'며칠'",
    '"할 수 있다."', "<부록>", "〈표〉", "‘가’", "“나”", "「다」", "서울·부산", "…", "℃", "O형", "An", "a_b", "$5", "Straße",
)  # fmt: skip


def squad(text: str) -> str:
    """Rajpurkar et al., 2016: lower case, no punctuation, no articles, single blanks, in this order."""
    lower = text.lower()
    kept = "".join(char for char in lower if char not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def korquad(text: str) -> str:
    """Lim et al., 2019: quotes and brackets become blanks one after the other, then lower case and no punctuation."""
    for sign in ("'", '"', "《", "》", "<", ">", "〈", "〉", "(", ")", "‘", "’"):
        text = text.replace(sign, " ")
    return " ".join("".join(char for char in text.lower() if char not in set(string.punctuation)).split())


def _f1(given: Counter[str], wanted: Counter[str]) -> float:
    """The harmonic mean of precision and recall, as both scripts have it."""
    same = sum((given & wanted).values())
    if not same:
        return 0.0
    precision, recall = same / sum(given.values()), same / sum(wanted.values())
    return 2 * precision * recall / (precision + recall)


def _pairs() -> list[tuple[str, str]]:
    """Random texts, and each with a near one: some letters other; every third of the first is of words that are easily taken apart."""
    chosen, pairs = random.Random(37), []
    for _ in range(PAIRS):
        text = chosen.choices(_ALPHABET, k=chosen.randint(1, 14))
        other = [each if chosen.random() < 0.85 else chosen.choice(_ALPHABET) for each in text]
        pairs.append(("".join(text), "".join(other)))
    for place in range(0, 900, 3):
        one, other = (" ".join(chosen.choices(_WORDS, k=chosen.randint(1, 5))) for _ in range(2))
        pairs[place] = one, other
    return pairs


@pytest.mark.parametrize(("how", "published"), [("squad", squad), ("korquad", korquad)])
def test_normalisations_are_the_published_ones(how: Normalization, published: Callable[[str], str]) -> None:
    """Both texts of every pair come out the same; so the exact match of every pair does."""
    for pair in _pairs():
        assert [normalize(each, how) for each in pair] == [published(each) for each in pair], pair


@pytest.mark.parametrize(
    ("how", "tokens", "published"),
    [("squad", "words", squad), ("korquad", "characters", korquad)],
)
def test_verifiers_give_the_published_figures(
    how: Normalization, tokens: str, published: Callable[[str], str]
) -> None:
    """Of what a reader sees; the reference is settled first, and one of which nothing is left judges nothing."""
    exact, judged = ExactMatch(normalize=how), 0
    overlap = TokenF1() if tokens == "words" else TokenF1(tokens="characters")
    for text, reference in _pairs()[:900]:
        if "<" in text + reference or not text.strip():
            continue  # a tag of its own
        given, wanted = (published(visible(each).strip()) for each in (text, reference))
        verdict = overlap.verify(f"<answer>{text}</answer>", reference)
        if not wanted:
            assert verdict.reason == "bad_reference"
            continue
        counted = [
            Counter(each.split() if tokens == "words" else each.replace(" ", "")) for each in (given, wanted)
        ]
        if verdict.reason not in ("no_answer",) and verdict.extracted == visible(text).strip():
            judged += 1
            assert verdict.score == pytest.approx(_f1(*counted), abs=1e-12), (text, reference)
            assert exact.verify(f"<answer>{text}</answer>", reference).score == (given == wanted)
    assert judged > 500


@pytest.mark.parametrize("pair", ["√2 2", "≥3 3", "−5 5", "C♯ C", "5℃ 5", "3€ 3"])
@pytest.mark.parametrize("how", ["squad", "korquad", "unicode"])
def test_a_symbol_is_no_punctuation(pair: str, how: Normalization) -> None:
    """What a value means hangs on it."""
    text, other = pair.split()
    assert ExactMatch(normalize=how).verify(text, other).score == 0.0


def test_unicode_drops_the_punctuation_of_every_script() -> None:
    """Quotes and dashes that no keyboard of 2016 had."""
    texts = ["“Seoul”", "Seoul—", "«Seoul»", "「Seoul」。"]
    assert {normalize(each, "unicode") for each in texts} == {"seoul"}
    assert len({normalize(each, "squad") for each in texts}) == len(texts)
    composed = unicodedata.normalize("NFC", "é")
    assert normalize("e\u0301", "unicode") == composed != normalize("e\u0301", "squad")
