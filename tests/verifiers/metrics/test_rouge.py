"""Rouge compared with the rouge-score package, and its tokenizers."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import Late
from tests.timing import examples
from verifiers import ConfigError, Rouge, Status
from verifiers.metrics.rouge import TOKENIZERS, common_places, tokenizer

rouge_scorer = Late("rouge_score.rouge_scorer")

ENGLISH = (
    "the a cat sat on mat, running runs ran; dogs' don't 3.5 Big-BIG mats and the fastest rivers".split()
)
KOREAN = "한국어 문법이 옳다. 띄어 쓴다, 'ㄷ' 불규칙 3월 15일 B형 漢字 사과(apple) 할 수 있다 カナ".split()
KINDS = ["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"]


class _Tokenizer:
    """One of ours, as that package takes them."""

    def __init__(self, name: str) -> None:
        self.tokenize = tokenizer(name)


def _texts(words: list[str], count: int, seed: int) -> list[tuple[str, str]]:
    draw = random.Random(seed)

    def text() -> str:
        lines = [" ".join(draw.choices(words, k=draw.randint(0, 12))) for _ in range(draw.randint(1, 5))]
        return "\n".join(lines)

    return [(text(), text()) for _ in range(count)]


@pytest.mark.parametrize(
    ("name", "words", "options"),
    [
        ("rouge_score", ENGLISH, {}),
        ("rouge_score", KOREAN, {}),
        ("rouge_score_stemmed", ENGLISH, {"use_stemmer": True}),
        ("default", KOREAN, {"tokenizer": _Tokenizer("default")}),
        ("characters", KOREAN, {"tokenizer": _Tokenizer("characters")}),
    ],
)
def test_every_figure_is_that_of_rouge_score(name: str, words: list[str], options: dict[str, object]) -> None:
    """To the last bit; where the reference has too few tokens we say so, and that package says 0."""
    scorer = rouge_scorer.RougeScorer(KINDS, **options)
    judged = 0
    many = examples(120)
    for text, reference in _texts(words, many, seed=len(name)):
        if not text.strip() or not reference.strip():
            continue
        theirs = scorer.score(reference, text.strip())
        for kind in KINDS:
            for figure in ("fmeasure", "precision", "recall"):
                verdict = Rouge(kind, figure, name).verify(text, reference)
                if verdict.score is None:
                    assert verdict.reason == "bad_reference"
                    assert theirs[kind].recall == 0.0
                else:
                    assert verdict.score == getattr(theirs[kind], figure), (kind, text, reference)
                    judged += 1
    assert judged > 10 * many


@given(st.lists(st.sampled_from("abc"), max_size=9), st.lists(st.sampled_from("abc"), max_size=9))
def test_places_of_a_longest_common_subsequence(one: list[str], other: list[str]) -> None:
    """They are places, they fall, the subsequence is in both, and none is longer (by the usual table)."""
    places = list(common_places(one, other))
    assert places == sorted(set(places), reverse=True)
    rest = iter(other)
    assert all(one[place] in rest for place in reversed(places))
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            table[i + 1][j + 1] = table[i][j] + 1 if left == right else max(table[i][j + 1], table[i + 1][j])
    assert len(places) == table[-1][-1]


def test_default_tokens_are_rouge_scores_in_english() -> None:
    """So that a recipe in English may keep the default."""
    for text, _ in _texts(ENGLISH, 200, seed=5):
        assert TOKENIZERS["default"](text) == TOKENIZERS["rouge_score"](text)


@given(st.text(max_size=60), st.sampled_from(["default", "characters", "rouge_score"]))
def test_tokens_hold_no_space_and_do_not_depend_on_composition(text: str, name: str) -> None:
    """NFC and NFD are one text, but for rouge-score's own tokenizer."""
    tokens = TOKENIZERS[name](text)
    assert all(token and not any(map(str.isspace, token)) for token in tokens)
    if name != "rouge_score":
        assert TOKENIZERS[name](unicodedata.normalize("NFD", text)) == TOKENIZERS[name](
            unicodedata.normalize("NFC", text)
        )


def test_korean_that_is_the_same_is_the_same() -> None:
    """rouge-score gives two identical Korean strings 0.0."""
    text = "한국어 문법이 옳다"
    for kind in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
        for name in ("default", "characters"):
            assert Rouge(kind, tokenizer=name).verify(text, text).passed
    parity = Rouge("rouge1", tokenizer="rouge_score").verify(text, text)
    assert (parity.score, parity.reason) == (0.0, "reference_erased")
    assert Rouge("rouge1").verify("ㄷ 불규칙", "ㄹ 불규칙").score == 0.5


@pytest.mark.slow
def test_morphemes_share_a_word_whose_particle_differs() -> None:
    """책을 and 책이 are one word with two particles."""
    pytest.importorskip("kiwipiepy")
    assert Rouge("rouge1", tokenizer="morphemes").verify("책을 읽다", "책이 읽다").score == pytest.approx(
        0.75
    )
    assert Rouge("rouge1").verify("책을 읽다", "책이 읽다").score == 0.5


def test_nikl_tokens_are_the_contests() -> None:
    """Lone jamo are gone, so two rules that differ in one are equal; NFD has no tokens at all."""
    pytest.importorskip("mecab")
    nikl = TOKENIZERS["nikl"]
    assert nikl("'ㄷ' 불규칙") == nikl("'ㄹ' 불규칙") != []
    assert nikl(unicodedata.normalize("NFD", "빵을 굽는다.")) == []
    assert nikl("책을\n읽는다. B형") == ["책", "을", "읽", "는다", "b", "형"]
    assert len(nikl("가 " * 3_000)) == 1_000


def test_a_tokenizer_of_ones_own() -> None:
    """By its import path, so that it travels."""
    assert Rouge("rouge1", tokenizer="builtins:list").verify("abc", "abd").score == pytest.approx(2 / 3)
    with pytest.raises(ConfigError, match="mecabb"):
        Rouge("rouge1", tokenizer="mecabb")
    for kind in ("rouge0", "rouge10", "rougel", "R1"):
        with pytest.raises(ConfigError, match=kind):
            Rouge(kind)
    with pytest.raises(ConfigError, match="f1"):
        Rouge("rouge1", figure="f1")


def test_the_best_reference_counts() -> None:
    """And the verdict says which."""
    verdict = Rouge("rouge1").verify("the cat sat", ["a dog", "the cat", "…"])
    assert verdict.expected == "the cat"
    assert verdict.score == 0.8
    assert Rouge("rouge1").verify("the cat", ["…", "!"]).status is Status.UNSCORED


def test_too_many_sentences_are_over_a_limit() -> None:
    """By the number of steps, before they are taken."""
    text = "\n".join(f"w{number} a" for number in range(30_000))
    assert Rouge("rougeLsum").verify(text, "a b " * 200).reason == "over_limit"
    assert Rouge("rouge1").verify("a " * 150_000, "a b").reason == "over_limit"
    assert Rouge("rouge1").verify("a", "a " * 150_000).reason == "reference_over_limit"
