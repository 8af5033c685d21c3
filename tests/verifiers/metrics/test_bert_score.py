"""BertScore compared with the bert-score package, with small models made on the spot."""

from __future__ import annotations

import pickle
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support import Late
from tests.verifiers.metrics import tiny
from verifiers import BertScore, ConfigError, Status
from verifiers.metrics import local_models

Late("bert_score")
pytestmark = [
    pytest.mark.torch,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*Empty (candidate|reference)"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small BERT, in a folder that is never numbered "bert5": a path with t5 is a T5 to bert_score."""
    return tiny.encoder(tmp_path_factory.mktemp("encoder"), model_max_length=40)


def _texts(count: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    return [
        " ".join(f"w{draw.randrange(tiny.WORDS)}" for _ in range(draw.randint(1, 30))) for _ in range(count)
    ]


def _theirs(folder: str, layers: int, pairs: list[tuple[str, str]], **options: Any) -> list[Any]:
    """Pair by pair: in a batch, a maximum can come from that package's padding."""
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=folder, num_layers=layers, device="cpu", **options)
    return [[float(figure) for figure in scorer.score([text], [reference])] for text, reference in pairs]


@pytest.mark.parametrize("layer", [1, 3, 4])
def test_figures_are_those_of_bert_score(folder: str, layer: int) -> None:
    """Within 1e-6: precision, recall, F1."""
    pairs = list(zip(_texts(30, 1), _texts(30, 2), strict=True))
    theirs = _theirs(folder, layer, pairs)
    for place, figure in enumerate(("precision", "recall", "f1")):
        verdicts = BertScore(folder, layer, "cpu", figure=figure).verify_batch(*zip(*pairs, strict=True))
        assert [verdict.raw for verdict in verdicts] == pytest.approx(
            [each[place] for each in theirs], abs=1e-6
        )


def test_rare_tokens_and_baselines(folder: str, tmp_path: Path) -> None:
    """Document frequencies from texts or a file of them; rescaled figures may be below 0."""
    pairs = list(zip(_texts(12, 3), _texts(12, 4), strict=True))
    documents = _texts(25, 5)
    listed = tmp_path / "documents.txt"
    listed.write_text("\n".join(documents), encoding="utf-8")
    theirs = [each[2] for each in _theirs(folder, 3, pairs, idf=True, idf_sents=documents)]
    for idf in (tuple(documents), str(listed)):
        verdicts = BertScore(folder, 3, "cpu", idf=idf).verify_batch(*zip(*pairs, strict=True))
        assert [verdict.raw for verdict in verdicts] == pytest.approx(theirs, abs=1e-6)
    table = tmp_path / "table.tsv"
    table.write_text("LAYER,P,R,F\n3,0.9,0.91,0.92\n", encoding="utf-8")
    plain = BertScore(folder, 3, "cpu").verify_batch(*zip(*pairs, strict=True))
    scaled = BertScore(folder, 3, "cpu", rescale=str(table)).verify_batch(*zip(*pairs, strict=True))
    for one, other in zip(plain, scaled, strict=True):
        assert one.raw is not None
        assert other.raw == pytest.approx((one.raw - 0.92) / 0.08, abs=1e-5)
        assert other.score == min(max(other.raw or 0.0, 0.0), 1.0)


@pytest.mark.parametrize("rescale", ["ko", "xx", "/no/such/table.tsv"])
def test_a_missing_baseline_is_said(folder: str, rescale: str) -> None:
    """bert-score gives unscaled figures instead, which look like good ones."""
    assert BertScore(folder, 3, "cpu", rescale=rescale).verify("w1", "w1").reason == "no_baseline"


@pytest.mark.parametrize("kind", ["Roberta", "DistilBert", "Electra", "Albert"])
def test_other_architectures(kind: str, tmp_path: Path) -> None:
    """The layers are dropped, or the right hidden state is read; text beyond the limit is cut off."""
    folder = tiny.encoder(tmp_path, kind)
    pairs = list(zip(_texts(8, 6), _texts(8, 7), strict=True))
    ours = BertScore(folder, 2, "cpu").verify_batch(*zip(*pairs, strict=True))
    assert [verdict.raw for verdict in ours] == pytest.approx(_by_hidden_states(folder, 2, pairs), abs=1e-5)
    assert BertScore(folder, 2, "cpu").verify("w1 " * 500, "w1 w2").status is Status.SCORED


def _by_hidden_states(folder: str, layer: int, pairs: list[tuple[str, str]]) -> list[float]:
    """The paper's formula over all hidden states of the whole model."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).train(False)

    def vectors(text: str) -> Any:
        ids = tokenizer(text)["input_ids"]
        with torch.no_grad():
            states = model(torch.tensor([ids]), output_hidden_states=True).hidden_states[layer][0]
        return states / states.norm(dim=-1, keepdim=True)

    found = []
    for text, reference in pairs:
        alike = vectors(text) @ vectors(reference).T
        precision = alike.max(dim=1).values[1:-1].mean()
        recall = alike.max(dim=0).values[1:-1].mean()
        found.append(float(2 * precision * recall / (precision + recall)))
    return found


@pytest.mark.parametrize(
    "text", ["", " \n", "\u200b", "w1 " * 5_000, "\ud800", "\x00", "다른 문자", "[CLS] [SEP]"]
)
def test_any_text_has_a_score(folder: str, text: str) -> None:
    """bert-score ends the step on the first two, and on a tokenizer without a limit on the fourth."""
    assert BertScore(folder, 3, "cpu").verify(text, "w1 w2").status is Status.SCORED
    verdicts = BertScore(folder, 3, "cpu").verify_batch([text, "w1 w2", text], ["w1 w2", "w1 w2", " "])
    assert [verdict.status.value for verdict in verdicts] == ["scored", "scored", "unscored"]
    assert verdicts[1].score == pytest.approx(1.0)


def test_a_tokenizer_without_a_limit(tmp_path: Path) -> None:
    """The model's positions are the limit then."""
    assert BertScore(tiny.encoder(tmp_path), 3, "cpu").verify("w1 " * 500, "w1").status is Status.SCORED


def test_order_duplicates_and_batch_sizes(folder: str) -> None:
    """One verdict a row, in order, whatever the batches."""
    texts, references = _texts(20, 8) * 2, _texts(20, 9) + _texts(20, 10)
    whole = BertScore(folder, 3, "cpu").verify_batch(texts, references)
    singly = [
        BertScore(folder, 3, "cpu", batch_size=1).verify(*pair)
        for pair in zip(texts, references, strict=True)
    ]
    assert [verdict.extracted for verdict in whole] == texts
    assert [verdict.raw for verdict in whole] == pytest.approx([verdict.raw for verdict in singly], abs=1e-6)


def test_calls_in_portions_are_the_same(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Embeddings are held for a bounded number of tokens at once."""
    texts, references = _texts(30, 11), _texts(3, 12) * 10
    whole = [verdict.raw for verdict in BertScore(folder, 3, "cpu").verify_batch(texts, references)]
    monkeypatch.setattr("verifiers.metrics.bert_score.TOKENS_AT_ONCE", 50)
    portions = [verdict.raw for verdict in BertScore(folder, 3, "cpu").verify_batch(texts, references)]
    assert portions == pytest.approx(whole, abs=1e-6)


def test_threads_load_one_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a lock; and the tokenizer is not changed by two at once."""
    folder, loads = tiny.encoder(tmp_path), []
    real = local_models.from_disk
    monkeypatch.setattr(
        "verifiers.metrics.bert_score.from_disk",
        lambda *args, **kw: (loads.append(1), real(*args, **kw))[1],
    )
    verifier = BertScore(folder, 3, "cpu")
    texts = _texts(8, 13)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: verifier.verify(text, texts[0]).raw, texts))
    assert len(loads) == 1  # the configuration, which is read once for each model
    assert found == pytest.approx([verifier.verify(text, texts[0]).raw for text in texts], abs=1e-6)


def test_a_model_that_is_not_at_hand_is_named_with_the_command() -> None:
    """Nothing is downloaded in the middle of a step."""
    verdicts = BertScore("no/such-model").verify_batch(["a", ""], ["a", "a"])
    assert [verdict.reason for verdict in verdicts] == ["model_missing"] * 2
    assert "hf download no/such-model" in verdicts[0].detail


def test_what_is_no_encoder_is_said(folder: str, tmp_path: Path) -> None:
    """A layer that the model has not, and a folder without weights."""
    assert "4 layers" in BertScore(folder, 9, "cpu").verify("w1", "w1").detail
    tiny.encoder(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    assert BertScore(str(tmp_path), 2, "cpu").verify("w1", "w1").status is Status.UNSCORED


def test_nothing_is_loaded_before_it_is_used(folder: str) -> None:
    """A verifier is configuration: it travels without its model."""
    import subprocess

    code = (
        f"import sys, pickle; from verifiers import BertScore; v = BertScore({folder!r}, 3, 'cpu'); "
        "assert pickle.loads(pickle.dumps(v)) == v; print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    used = BertScore(folder, 3, "cpu")
    used.verify("w1", "w2")
    assert pickle.loads(pickle.dumps(used)) == used


@pytest.mark.parametrize(
    "options", [{"layer": 0}, {"dtype": "int8"}, {"batch_size": 0}, {"figure": "fmeasure"}, {"idf": 3}]
)
def test_fields_out_of_range(options: dict[str, Any]) -> None:
    """Found when the verifier is made."""
    with pytest.raises(ConfigError, match=str(next(iter(options.values())))):
        BertScore("x", **options)


def test_half_precision_is_close(folder: str) -> None:
    """bfloat16 changes the third digit."""
    texts, references = _texts(6, 14), _texts(6, 15)
    exact = [verdict.raw for verdict in BertScore(folder, 3, "cpu").verify_batch(texts, references)]
    half = [
        verdict.raw
        for verdict in BertScore(folder, 3, "cpu", dtype="bfloat16").verify_batch(texts, references)
    ]
    assert half == pytest.approx(exact, abs=0.02)
    assert half != exact


def test_folders_that_are_not_what_they_seem(tmp_path: Path) -> None:
    """transformers fills in missing weights at random, and a tokenizer of five tokens where there are no files."""
    for name in ("no tokenizer", "other weights", "more tokens", "garbage", "nan"):
        tiny.encoder(tmp_path / name)
    for file in (tmp_path / "no tokenizer").glob("*token*"):
        file.unlink()
    other = tiny.encoder(tmp_path / "other", "DistilBert")
    (tmp_path / "other weights" / "model.safetensors").write_bytes(
        (Path(other) / "model.safetensors").read_bytes()
    )
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "more tokens")
    tokenizer.add_tokens(["<extra>"])
    tokenizer.save_pretrained(tmp_path / "more tokens")
    (tmp_path / "garbage" / "model.safetensors").write_bytes(b"garbage")
    import torch
    from transformers import AutoModel

    broken = AutoModel.from_pretrained(tmp_path / "nan")
    torch.nn.init.constant_(broken.encoder.layer[0].output.dense.bias, float("nan"))
    broken.save_pretrained(tmp_path / "nan")
    for name in ("no tokenizer", "other weights", "more tokens", "garbage", "nan"):
        verdicts = BertScore(str(tmp_path / name), 2, "cpu").verify_batch(["w1", "w1 " * 99, ""], ["w1"] * 3)
        assert [verdict.reason for verdict in verdicts] == ["bad_model"] * 3, (name, verdicts)
    assert BertScore(str(tmp_path / "nan"), 2, "nodevice").verify("w1", "w1").reason == "bad_model"


def test_positions_that_start_after_the_padding_index(tmp_path: Path) -> None:
    """RoBERTa with another padding index: the limit is read off the model."""
    import transformers

    config = transformers.RobertaConfig(
        vocab_size=tiny.WORDS + 4, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=40, pad_token_id=5,
    )  # fmt: skip
    transformers.RobertaModel(config).save_pretrained(tmp_path)
    tiny.tokenizer().save_pretrained(tmp_path)
    assert BertScore(str(tmp_path), 2, "cpu").verify("w7 " * 500, "w7 w8").status is Status.SCORED


def test_documents_and_tables_that_cannot_be_used(folder: str, tmp_path: Path) -> None:
    """Said of every row, and never a fault."""
    empty, binary = tmp_path / "empty.txt", tmp_path / "binary.txt"
    empty.write_text("")
    binary.write_bytes(b"\xff\xfe\xff")
    for path in (empty, binary, tmp_path / "none.txt"):
        assert BertScore(folder, 3, "cpu", idf=str(path)).verify("w1", "w1").reason == "bad_idf"
    for row in ("3,1,1,1", "3,0.1", "3,nan,0.1,0.1", "2,0.1,0.1,0.1"):
        table = tmp_path / f"{row}.tsv"
        table.write_text(f"LAYER, P, R, F\n{row}\n")
        assert BertScore(folder, 3, "cpu", rescale=str(table)).verify("w1", "w1").reason == "no_baseline"
    with pytest.raises(ConfigError, match="idf"):
        BertScore(folder, idf=())
    with pytest.raises(ConfigError, match="isolate=True"):
        BertScore(folder, isolate=True)
