"""SemanticSimilarity on pairs of Korean sentences; BLEU and chrF compared with sacrebleu."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support import FIXTURES, rows
from tests.verifiers.metrics import tiny
from verifiers import Bleu, Chrf, ConfigError, SemanticSimilarity, Status, Verifier
from verifiers.metrics import bleu_and_chrf

pytestmark = pytest.mark.torch
PAIRS = rows(FIXTURES / "pairs" / "korean.jsonl")


def _cosines(kind: str) -> list[float]:
    chosen = [row for row in PAIRS if row["kind"] == kind]
    verdicts = SemanticSimilarity().verify_batch(
        [row["left"] for row in chosen], [row["right"] for row in chosen]
    )
    return [verdict.raw or 0.0 for verdict in verdicts]


def test_paraphrases_are_told_from_unrelated_sentences() -> None:
    """The area under the curve; a sentence and its negation are nearly alike, and that is its limit."""
    alike, apart, denied = map(_cosines, ("paraphrase", "unrelated", "negation"))
    assert (len(alike), len(apart), len(denied)) == (50, 50, 30)
    above = sum(one > other for one in alike for other in apart)
    assert above / (len(alike) * len(apart)) >= 0.95
    assert sum(denied) / len(denied) > sum(alike) / len(alike)


def test_a_folder_of_sentence_transformers(tmp_path: Path) -> None:
    """Mean pooling over a small model made here, and the same by hand."""
    pytest.importorskip("sentence_transformers")
    import torch

    encoder = tiny.encoder(tmp_path, model_max_length=40)
    package = "sentence_transformers.models"
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": f"{package}.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{package}.Pooling"},
    ]
    pooling = {
        "word_embedding_dimension": 16,
        "pooling_mode_mean_tokens": True,
        "pooling_mode_cls_token": False,
    }
    (tmp_path / "1_Pooling").mkdir()
    for name, content in (
        ("modules.json", modules),
        ("1_Pooling/config.json", pooling),
        ("sentence_bert_config.json", {"max_seq_length": 40, "do_lower_case": False}),
    ):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    verdict = SemanticSimilarity(encoder, "cpu").verify("w1 w2 w3", "w3 w4")
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(encoder), AutoModel.from_pretrained(encoder).train(False)
    with torch.no_grad():
        one, other = (
            model(torch.tensor([tokenizer(text)["input_ids"]]))[0][0].mean(dim=0)
            for text in ("w1 w2 w3", "w3 w4")
        )
    assert verdict.raw == pytest.approx(float(torch.cosine_similarity(one, other, dim=0)), abs=1e-5)
    assert "hf download no/such" in SemanticSimilarity("no/such").verify("a", "b").detail
    with pytest.raises(ConfigError, match="batch_size"):
        SemanticSimilarity(batch_size=0)


@pytest.mark.parametrize("verifier", [SemanticSimilarity(), Bleu(), Bleu("char"), Chrf(), Chrf(2)], ids=repr)
@pytest.mark.parametrize(
    "text",
    ["", "\u200b", "\ud800 가", "\x00", "가" * 100_000, "a " * 90_000, "🙂" * 500, "<answer>", "<think>"],
)
def test_any_text_has_a_score(verifier: Verifier, text: str) -> None:
    """Whatever a completion holds."""
    assert verifier.verify(text, "비가 내린다.").status is Status.SCORED
    assert verifier.verify("비가 내린다.", "비가 내린다.").score == pytest.approx(1.0)


def test_threads_share_the_encoder() -> None:
    """And get what one gets."""
    texts = [row["left"] for row in PAIRS[:16]]
    verifier = SemanticSimilarity()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: verifier.verify(text, texts[0]).raw, texts))
    assert found == pytest.approx([verifier.verify(text, texts[0]).raw for text in texts], abs=1e-5)


def test_bleu_and_chrf_are_sacrebleus() -> None:
    """On its scale in `raw`, and of 1 in the score."""
    sacrebleu = pytest.importorskip("sacrebleu")
    texts, references = [row["left"] for row in PAIRS], [row["right"] for row in PAIRS]
    for ours, theirs in (
        (Bleu("char"), sacrebleu.BLEU(tokenize="char", effective_order=True)),
        (Bleu(lowercase=True), sacrebleu.BLEU(lowercase=True, effective_order=True)),
        (Chrf(), sacrebleu.CHRF()),
        (Chrf(word_order=2), sacrebleu.CHRF(word_order=2)),
    ):
        for verdict, text, reference in zip(
            ours.verify_batch(texts, references), texts, references, strict=True
        ):
            assert verdict.raw == pytest.approx(theirs.sentence_score(text, [reference]).score)
            assert verdict.score == pytest.approx((verdict.raw or 0.0) / 100)
    with pytest.raises(ConfigError, match="flores200"):
        Bleu("flores200")
    with pytest.raises(ConfigError, match="0"):
        Chrf(char_order=0)


WORDS = ["the", "cat", "sat", "on", "a", "mat", ".", ",", "비가", "온다", "오늘", "3", "2025-11-22", "don't"]


@pytest.mark.parametrize("tokenize", ["13a", "char", "intl"])
def test_several_references_are_taken_together_as_in_sacrebleu(tokenize: Any) -> None:
    """N-grams from any of them, the closest length; with one reference nothing changes."""
    sacrebleu = pytest.importorskip("sacrebleu")
    theirs = sacrebleu.BLEU(tokenize=tokenize, effective_order=True)
    chosen = random.Random(17)
    texts, references = [], []
    for _ in range(150):
        sentence = [chosen.choice(WORDS) for _ in range(chosen.randint(1, 14))]
        texts.append(" ".join(sentence))
        references.append(
            [
                " ".join(
                    chosen.choice([word, word, chosen.choice(WORDS)])
                    for word in sentence[: chosen.randint(1, 14)]
                )
                for _ in range(chosen.randint(1, 4))
            ]
        )
    verdicts = Bleu(tokenize).verify_batch(texts, references)
    for verdict, text, accepted in zip(verdicts, texts, references, strict=True):
        assert verdict.raw == pytest.approx(theirs.sentence_score(text, accepted).score), (text, accepted)
        assert verdict == Bleu(tokenize).verify(text, accepted)
    apart = [
        max(theirs.sentence_score(text, [one]).score for one in accepted)
        for text, accepted in zip(texts, references, strict=True)
    ]
    assert sum(verdict.raw > best + 1 for verdict, best in zip(verdicts, apart, strict=True)) > 20  # type: ignore[operator]


def test_a_tokenizer_without_its_packages_says_which_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """And judges no row, however empty."""
    monkeypatch.setattr(bleu_and_chrf, "find_spec", lambda name: None)
    for text in ("비가 온다", ""):
        verdict = Bleu("ko-mecab").verify(text, "비가 온다")
        assert (verdict.score, verdict.reason) == (None, "missing_dependency")
        assert 'pip install "sacrebleu[ko]"' in verdict.detail
