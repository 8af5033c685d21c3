"""Log-likelihoods and perplexities of texts, against torch's cross entropy worked out one by one."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.adapters import tiny
from tests.training.runs import lines, source, write
from training.cli import app
from training.generation import likelihood
from training.generation.likelihood import likelihoods
from verifiers import ConfigError

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.torch]

TEXTS = [([5, 6, 7], "12+3"), ([5], "abc abc abc"), ([9] * 40, "z"), ([], "hello"), ([3, 4], "12+3"),
         ([], "")]  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tiny model is: 256 places, a token for each character."""
    return tiny.build(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def loaded(place: Path) -> tuple[Any, Any]:
    """Model and tokenizer."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    return AutoModelForCausalLM.from_pretrained(place), AutoTokenizer.from_pretrained(place)


def by_hand(model: Any, before: list[int], own: list[int]) -> float:
    """The text's log-likelihood by itself: no batch, no padding, torch's own cross entropy."""
    import torch

    ids = torch.tensor([[*before, *own]])
    with torch.no_grad():
        logits = model(ids).logits[0, len(before) - 1 : -1]
    return -float(torch.nn.functional.cross_entropy(logits, torch.tensor(own), reduction="sum"))


@pytest.mark.parametrize("size", [1, 2, 16])
def test_it_is_the_cross_entropy(loaded: tuple[Any, Any], size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the batch, and however few positions are looked at together."""
    model, tokenizer = loaded
    if size == 2:
        monkeypatch.setattr(likelihood, "CELLS", 1)
    model.train()
    found = list(likelihoods(model, tokenizer, TEXTS, batch_size=size))
    assert model.training
    model.eval()
    assert found[-1] is None
    for (prompt, text), each in zip(TEXTS[:-1], found, strict=False):
        own = tokenizer(text, add_special_tokens=False)["input_ids"]
        assert each is not None
        assert each.tokens == len(own) == len(text)
        total = by_hand(model, list(prompt) or [tokenizer.bos_token_id], own)
        assert each.total == pytest.approx(total, abs=1e-4)
        assert each.perplexity == pytest.approx(math.exp(-total / len(own)), rel=1e-5)


def test_without_a_first_token_the_texts_own_is_given(loaded: tuple[Any, Any]) -> None:
    """And not counted; a text of one token then has none to count."""
    model, tokenizer = loaded
    ids = tokenizer("hello", add_special_tokens=False)["input_ids"]
    was = tokenizer.bos_token
    tokenizer.bos_token = None
    try:
        word, letter = likelihoods(model, tokenizer, [([], "hello"), ([], "h")])
    finally:
        tokenizer.bos_token = was
    assert letter is None
    assert word is not None
    assert word.tokens == 4
    assert word.total == pytest.approx(by_hand(model, ids[:1], ids[1:]), abs=1e-4)


def test_what_has_no_room_is_not_measured(loaded: tuple[Any, Any]) -> None:
    """It is not cut off: another text would be measured."""
    model, tokenizer = loaded
    assert list(likelihoods(model, tokenizer, [([5], "a" * 256)])) == [None]
    assert list(likelihoods(model, tokenizer, [([5], "a" * 255)])) != [None]
    assert list(likelihoods(model, tokenizer, [([5], "abc")], most=3)) == [None]
    assert list(likelihoods(model, tokenizer, [])) == []
    with pytest.raises(ConfigError, match="batch_size must be at least 1"):
        list(likelihoods(model, tokenizer, [], batch_size=0))


def _config(folder: Path, place: Path, *rows: dict[str, Any]) -> str:
    model = {"name": str(place), "options": {}}
    return str(write(folder / "rank.yaml", model=model, data=source(folder, rows)))


def test_candidates_are_ranked(loaded: tuple[Any, Any], place: Path, tmp_path: Path) -> None:
    """The likeliest first, as the figures of each by itself say; after the prompt, or alone."""
    rows = [
        {"question": "2+2=", "candidates": ["4", "5 or so", "x" * 300], "best": "4"},
        {"question": "a+b=", "candidates": ["ab", "ab"], "best": "none"},
    ]
    config = _config(tmp_path, place, *rows)
    model, tokenizer = loaded
    for alone in ([], ["--alone"]):
        out = tmp_path / "ranked.jsonl"
        done = CliRunner().invoke(app, ["rank", "-c", config, "-o", str(out), "--gold", "best", *alone])
        assert done.exit_code == 0, done.output
        ranked = [row["ranked"] for row in lines(out)]
        assert ranked[0][-1] == {
            "text": "x" * 300, "perplexity": None, "log_likelihood": None, "tokens": None,
        }  # fmt: skip
        assert [each["text"] for each in ranked[1]] == ["ab", "ab"]
        measured = ranked[0][:2]
        assert measured[0]["perplexity"] <= measured[1]["perplexity"]
        prompt = tokenizer("2+2=")["input_ids"] if not alone else []
        for each in measured:
            [found] = likelihoods(model, tokenizer, [(prompt, each["text"])])
            assert found is not None
            assert each["log_likelihood"] == pytest.approx(found.total, abs=1e-4)
        first = measured[0]["text"] == "4"
        assert f"right one first  {int(first)} of 1" in done.output
        assert "rows whose best is no measured candidate" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"candidate": ["a"]}, "did you mean 'candidate'"),
        ({"candidates": []}, "must be a list of texts"),
        ({"candidates": "ab"}, "must be a list of texts"),
        ({"candidates": ["a", 1]}, "must be a list of texts"),
    ],
)
def test_rows_without_candidates_are_refused(
    row: dict[str, Any], message: str, place: Path, tmp_path: Path
) -> None:
    """Before a model is loaded."""
    config = _config(tmp_path, place, {"question": "q", **row})
    done = CliRunner().invoke(app, ["rank", "-c", config, "-o", str(tmp_path / "o.jsonl")])
    assert done.exit_code == 2
    assert message in done.output + done.stderr
