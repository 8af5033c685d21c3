"""Bleurt: the weights of bleurt-pytorch's layout in stock models, with small random ones."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from benchmarks import metrics_bleurt as made
from verifiers import Bleurt, ConfigError, Status

pytestmark = pytest.mark.torch
WIDE = {**made.SHAPE, "embedding_size": made.SHAPE["hidden_size"]}


def _pairs(count: int, seed: int) -> list[tuple[list[int], list[int]]]:
    draw = random.Random(seed)
    return [
        tuple([draw.randrange(4, 120) for _ in range(draw.randint(1, 40))] for _ in range(2))
        for _ in range(count)
    ]


def _shown(ids: list[int]) -> str:
    return " ".join(f"w{number - 4}" for number in ids)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small BLEURT-20: a narrow embedding before wide layers."""
    return made.save(
        tmp_path_factory.mktemp("bleurt") / "model", made.SHAPE, made.random_weights(made.SHAPE, 1)
    )


@pytest.mark.parametrize("shape", [made.SHAPE, WIDE], ids=["RemBERT's shape", "BERT's shape"])
def test_renamed_weights_give_the_ratings_of_a_plain_forward(shape: dict[str, Any], tmp_path: Path) -> None:
    """Written down from the architecture; RemBERT's own attention takes the very same steps."""
    weights = made.random_weights(shape, 2)
    model = made.save(tmp_path / "model", shape, weights)
    pairs = _pairs(20, 3)
    expected = [made.forward(weights, shape, reference, text) for text, reference in pairs]
    verdicts = Bleurt(model, "cpu", batch_size=1).verify_batch(
        [_shown(text) for text, _ in pairs], [_shown(reference) for _, reference in pairs]
    )
    found = [verdict.raw for verdict in verdicts]
    assert found == expected if shape is made.SHAPE else found == pytest.approx(expected, abs=1e-5)
    assert [verdict.score for verdict in verdicts] == [min(max(value or 0.0, 0.0), 1.0) for value in found]


def test_both_layouts_are_one_model(checkpoint: str, tmp_path: Path) -> None:
    """Saved by transformers under RemBERT's names, in safetensors, and read back."""
    from transformers import RemBertForSequenceClassification

    from verifiers.metrics.bleurt import _load

    stock = _load(Path(checkpoint), checkpoint, __import__("torch").float32)
    assert isinstance(stock, RemBertForSequenceClassification)
    stock.save_pretrained(tmp_path)
    made.save_tokenizer(tmp_path, made.SHAPE["vocab_size"])
    pairs = _pairs(10, 4)
    texts, references = [_shown(text) for text, _ in pairs], [_shown(reference) for _, reference in pairs]
    one, other = (
        Bleurt(model, "cpu").verify_batch(texts, references) for model in (checkpoint, str(tmp_path))
    )
    assert [verdict.raw for verdict in one] == pytest.approx([verdict.raw for verdict in other], abs=1e-6)


def test_order_batches_and_sides(checkpoint: str) -> None:
    """One verdict a row, in order; padding changes nothing that counts; reference and text are not exchangeable."""
    pairs = _pairs(25, 5)
    texts, references = [_shown(text) for text, _ in pairs], [_shown(reference) for _, reference in pairs]
    whole = [verdict.raw for verdict in Bleurt(checkpoint, "cpu").verify_batch(texts, references)]
    singly = [Bleurt(checkpoint, "cpu").verify(*pair).raw for pair in zip(texts, references, strict=True)]
    turned = [verdict.raw for verdict in Bleurt(checkpoint, "cpu").verify_batch(references, texts)]
    assert whole == pytest.approx(singly, abs=1e-5)
    assert turned != pytest.approx(whole, abs=1e-3)


@pytest.mark.parametrize(("long", "short"), [(80, 3), (3, 80), (80, 80), (13, 14)])
def test_the_longer_side_is_cut_off(checkpoint: str, long: int, short: int) -> None:
    """Token by token from the longer side, as BERT's preparation does."""
    text, reference = [f"w{number}" for number in range(long)], [f"w{number + 20}" for number in range(short)]
    cut_text, cut_reference = list(text), list(reference)
    while len(cut_text) + len(cut_reference) > 20 - 3:
        (cut_reference if len(cut_reference) > len(cut_text) else cut_text).pop()
    whole = Bleurt(checkpoint, "cpu", max_length=20).verify(" ".join(text), " ".join(reference))
    cut = Bleurt(checkpoint, "cpu").verify(" ".join(cut_text), " ".join(cut_reference))
    assert whole.raw == cut.raw


@pytest.mark.parametrize("text", ["", " ", "w1 " * 2_000, "\ud800", "\x00", "모르는 말"])
def test_any_text_has_a_score(checkpoint: str, text: str) -> None:
    """A rating, or 0 for nothing."""
    assert Bleurt(checkpoint, "cpu").verify(text, "w1 w2").status is Status.SCORED


def test_a_sentencepiece_model_is_read_as_it_is(tmp_path: Path) -> None:
    """BLEURT-20 ships one, and its special pieces stand in it."""
    import sentencepiece

    corpus = tmp_path / "corpus.txt"
    corpus.write_text(
        "\n".join("꽃이 핀다 나비가 난다 물이 흐른다 하늘이 맑다".split() * 20), encoding="utf-8"
    )
    shape = {**made.SHAPE, "vocab_size": 40}
    folder = Path(made.save(tmp_path / "model", shape, made.random_weights(shape, 6)))
    for old in folder.glob("*token*"):
        old.unlink()
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(folder / "spm"), vocab_size=40, hard_vocab_limit=False,
        control_symbols="[CLS],[SEP]", minloglevel=3,
    )  # fmt: skip
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "spm.model"))
    verdict = Bleurt(str(folder), "cpu").verify("꽃이 난다", "나비가 난다")
    cls, sep = pieces.piece_to_id("[CLS]"), pieces.piece_to_id("[SEP]")
    import torch

    from verifiers.metrics.bleurt import _load

    model = _load(folder, "x", torch.float32).train(False)
    reference, text = pieces.encode("나비가 난다"), pieces.encode("꽃이 난다")
    ids = [cls, *reference, sep, *text, sep]
    kinds = [0] * (len(reference) + 2) + [1] * (len(text) + 1)
    with torch.no_grad():
        rating = model(torch.tensor([ids]), token_type_ids=torch.tensor([kinds])).logits
    assert verdict.raw == pytest.approx(float(rating[0, 0]), abs=1e-6)


def test_what_is_no_checkpoint_is_said(tmp_path: Path) -> None:
    """Weights under other names, no weights, no model at all."""
    weights = made.random_weights(made.SHAPE, 7)
    weights["bleurt.pooler.other"] = weights.pop("bleurt.pooler.dense.weight")
    strange = made.save(tmp_path / "strange", made.SHAPE, weights)
    verdict = Bleurt(strange, "cpu").verify("w1", "w1")
    assert verdict.reason == "bad_model"
    assert "rembert.pooler.dense.weight" in verdict.detail
    assert "rembert.pooler.other" in verdict.detail
    empty = tmp_path / "empty"
    empty.mkdir()
    assert Bleurt(str(empty), "cpu").verify("w1", "w1").reason == "bad_model"
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "config.json").write_text(json.dumps({"model_type": "bleurt", **made.SHAPE}), encoding="utf-8")
    assert "model.safetensors" in Bleurt(str(bare), "cpu").verify("w1", "w1").detail
    # What could not be loaded is not tried again for a minute.
    (bare / "pytorch_model.bin").write_bytes(b"")
    assert "model.safetensors" in Bleurt(str(bare), "cpu").verify("w1", "w1").detail
    assert "hf download no/such" in Bleurt("no/such").verify("w1", "w1").detail


@pytest.mark.parametrize("options", [{"dtype": "int8"}, {"batch_size": 0}, {"max_length": 3}])
def test_fields_out_of_range(options: dict[str, Any]) -> None:
    """Found when the verifier is made."""
    with pytest.raises(ConfigError, match=str(next(iter(options.values())))):
        Bleurt(**options)
