"""PrmScore reads each published format where its authors read it, whatever a completion writes."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support import Late
from tests.verifiers.process import tiny_models
from tests.verifiers.process.tiny_models import HOSTILE, QUESTION, STEPS
from verifiers import ConfigError, PrmScore, Status, Verdict
from verifiers.process.prm_score import Aggregate, aggregated
from verifiers.process.step_layout import FORMATS

Late("transformers")
pytestmark = pytest.mark.torch
NAMES = sorted(FORMATS)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One small model for each format."""
    return {name: tiny_models.model_of(name, tmp_path_factory.mktemp(name)) for name in NAMES}


@pytest.fixture(params=NAMES)
def prm(request: pytest.FixtureRequest, folders: dict[str, str]) -> PrmScore:
    """Each format, on a processor."""
    return PrmScore(folders[request.param], request.param, device="cpu")


def _text(prm: PrmScore, steps: list[str]) -> str:
    return ("\n" if FORMATS[prm.format].by == "lines" else "\n\n").join(steps)


def _scores(verdict: Verdict) -> list[float | None]:
    return [part.score for part in verdict.parts]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_probabilities_are_those_of_the_published_way(prm: PrmScore, count: int) -> None:
    """By a forward pass of the test's own, in the authors' layout, and at no other place."""
    verdict = prm.verify(_text(prm, STEPS[:count]), prompt=QUESTION)
    wanted = tiny_models.published(prm.format, prm.model, QUESTION, STEPS[:count])
    # Random weights tell every place from its neighbours by far more than the tolerance.
    assert all(0.01 < each < 0.99 for each in wanted)
    assert all(abs(one - other) > 1e-3 for one, other in itertools.combinations(wanted, 2))
    assert _scores(verdict) == pytest.approx(wanted, abs=1e-5)
    assert verdict.score == pytest.approx(min(wanted), abs=1e-5)
    assert verdict.reason == "rated"


def test_what_a_model_does_to_its_logits_is_done(tmp_path: Path) -> None:
    """Gemma bounds them; and only those of steps are worked out, since a vocabulary is wide."""
    folder = tiny_models.model_of("rlhflow", tmp_path, "Gemma2", final_logit_softcapping=0.5, head_dim=8)
    wanted = tiny_models.published("rlhflow", folder, QUESTION, STEPS)
    assert max(map(abs, (each - 0.5 for each in wanted))) < 0.25
    prm = PrmScore(folder, "rlhflow", device="cpu")
    head = prm.loaded("cpu")._model.get_output_embeddings()
    seen: list[int] = []
    watch = head.register_forward_hook(lambda _, given, logits: seen.append(logits.shape[:-1].numel()))
    verdicts = prm.verify_batch(["\n\n".join(STEPS), STEPS[0]], prompt=[QUESTION] * 2)
    watch.remove()
    assert _scores(verdicts[0]) == pytest.approx(wanted, abs=1e-5)
    assert seen == [len(STEPS) + 1]


def test_threads_share_one_model(prm: PrmScore) -> None:
    """And get what one gets."""
    texts = [_text(prm, STEPS[: 1 + place % 3]) for place in range(12)]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda text: _scores(prm.verify(text, prompt=QUESTION)), texts))
    for text, scores in zip(texts, found, strict=True):
        assert scores == pytest.approx(_scores(prm.verify(text, prompt=QUESTION)), abs=1e-5)


def test_parts_are_the_steps_with_their_places(prm: PrmScore) -> None:
    """The lowest is what the verdict shows; hidden characters are left out, and places are those as it came."""
    text = _text(prm, ["Step 1: 8+7\u200b = 15.", *STEPS[1:]])
    verdict = prm.verify(text, prompt=QUESTION)
    assert [part.extracted for part in verdict.parts] == STEPS
    for part in verdict.parts:
        assert part.span is not None
        assert text[slice(*part.span)].replace("\u200b", "") == part.extracted
    lowest = min(verdict.parts, key=lambda part: part.score or 0.0)
    assert (verdict.extracted, verdict.span) == (lowest.extracted, lowest.span)
    plain = prm.verify(_text(prm, STEPS), prompt=QUESTION)
    assert _scores(plain) == _scores(verdict)


def test_a_batch_is_its_rows(prm: PrmScore) -> None:
    """In order, with rows of other lengths beside them, and rows that cannot be judged between them."""
    texts = [_text(prm, STEPS[:1]), "", _text(prm, STEPS * 2), "x", _text(prm, STEPS), _text(prm, STEPS)]
    prompts = [QUESTION, QUESTION, "How many?", "", QUESTION * 2, QUESTION]
    together = prm.verify_batch(texts, prompt=prompts)
    for size in (1, 2, 64):
        sized = PrmScore(prm.model, prm.format, device="cpu", batch_size=size)
        assert [each.reason for each in sized.verify_batch(texts, prompt=prompts)] == [
            "rated", "no_steps", "rated", "no_question", "rated", "rated",
        ]  # fmt: skip
    for verdict, text, prompt in zip(together, texts, prompts, strict=True):
        alone = prm.verify(text, prompt=prompt)
        assert (alone.reason, alone.status) == (verdict.reason, verdict.status)
        assert _scores(alone) == pytest.approx(_scores(verdict), abs=1e-5)


def test_few_tokens_at_once_change_nothing(prm: PrmScore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded by tokens, and not only by rows."""
    texts = [_text(prm, STEPS[:count]) for count in (1, 2, 3)]
    whole = prm.verify_batch(texts, prompt=[QUESTION] * 3)
    monkeypatch.setattr("verifiers.process.step_model.TOKENS_AT_ONCE", 10)
    for one, other in zip(whole, prm.verify_batch(texts, prompt=[QUESTION] * 3), strict=True):
        assert _scores(one) == pytest.approx(_scores(other), abs=1e-5)


def test_what_goes_on_changes_no_step_before_it(prm: PrmScore) -> None:
    """So under `min` and `product` no further step raises a score."""
    for count in (1, 2):
        fewer, more = (
            prm.verify(_text(prm, STEPS[:several]), prompt=QUESTION) for several in (count, count + 1)
        )
        assert _scores(more)[:count] == pytest.approx(_scores(fewer), abs=1e-5)
        assert (more.score or 0.0) <= (fewer.score or 0.0) + 1e-6


def test_hostile_texts_are_rated(prm: PrmScore) -> None:
    """One part for each step that a person sees, and a score."""
    texts = [_text(prm, [STEPS[0], f"a {text} b".replace("\n", " "), STEPS[2]]) for text in HOSTILE]
    for verdict in prm.verify_batch(texts, prompt=[QUESTION] * len(texts)):
        assert (verdict.status, verdict.reason) == (Status.SCORED, "rated")
        assert len(verdict.parts) >= 3
        assert all(part.score is not None for part in verdict.parts)


def test_aggregates_by_hand(folders: dict[str, str]) -> None:
    """Of the same probabilities."""
    by_hand: dict[Aggregate, float] = {"min": 0.25, "product": 0.0625, "mean": 0.5625, "last": 0.5}
    for by, wanted in by_hand.items():
        assert aggregated([0.5, 0.25, 1.0, 0.5], by) == wanted
        prm = PrmScore(folders["qwen"], aggregate=by, device="cpu")
        verdict = prm.verify("\n\n".join(STEPS), prompt=QUESTION)
        scores = [part.score or 0.0 for part in verdict.parts]
        wanted = {
            "min": min(scores), "product": math.prod(scores), "mean": sum(scores) / 3, "last": scores[-1],
        }[by]  # fmt: skip
        assert verdict.score == pytest.approx(wanted)


def test_what_the_model_cannot_read_to_its_end_is_not_paid(prm: PrmScore) -> None:
    """Cut off, the wrong end of a long solution would be hidden; a question that fills the model is our fault."""
    for text in ("x" * (tiny_models.LIMIT + 9), _text(prm, STEPS * 60), "a\n\n" * 5_000, "y" * 300_000):
        verdict = prm.verify(text, prompt=QUESTION)
        assert (verdict.score, verdict.reason) == (0.0, "over_limit")
    for text in ("", STEPS[0], "x" * 300_000):
        for length in (tiny_models.LIMIT, 50_000):
            verdict = prm.verify(text, prompt="q" * length)
            assert (verdict.score, verdict.reason) == (None, "question_over_limit")
    rows = prm.verify_batch([STEPS[0], "z" * 5_000], prompt=[QUESTION] * 2)
    assert [each.reason for each in rows] == ["rated", "over_limit"]


def test_what_is_missing_is_no_zero(folders: dict[str, str], tmp_path: Path) -> None:
    """No weights, no question, no steps: only the last is the completion's."""
    prm = PrmScore(folders["qwen"], device="cpu")
    assert [each.reason for each in PrmScore("no/such").verify_batch(["a", ""], prompt=["q", ""])] == [
        "model_missing"
    ] * 2
    for prompt in ("", " ", [], [{"role": "system", "content": "x"}]):
        assert prm.verify("a", prompt=prompt).reason == "no_question"
    assert prm.verify("a").status is Status.UNSCORED
    chat = [{"role": "user", "content": QUESTION}]
    assert prm.verify(STEPS[0], prompt=chat).score == prm.verify(STEPS[0], prompt=QUESTION).score
    for text in ("", " \n\n", "\u200b"):
        verdict = prm.verify(text, prompt=QUESTION)
        assert (verdict.score, verdict.reason) == (0.0, "no_steps")


@pytest.mark.parametrize(
    ("model", "asked"),
    [("math_shepherd", "qwen"), ("rlhflow", "qwen"), ("qwen", "math_shepherd"), ("rlhflow", "skywork"), ("trl", "skywork")],
)  # fmt: skip
def test_another_kind_of_model_is_said(folders: dict[str, str], model: str, asked: Any) -> None:
    """A tokenizer without the separator, or a checkpoint without the head: no row is judged, an empty one neither."""
    verdicts = PrmScore(folders[model], asked, device="cpu").verify_batch(["a", ""], prompt=["q", "q"])
    assert [each.reason for each in verdicts] == ["bad_model"] * 2, verdicts


def test_broken_checkpoints_are_said(folders: dict[str, str], tmp_path: Path) -> None:
    """No template, an index that is no JSON, weights that give no number, too few positions."""
    tiny_models.model_of("qwen", tmp_path / "template")
    (tmp_path / "template" / "chat_template.jinja").unlink()
    tiny_models.model_of("qwen", tmp_path / "index")
    (tmp_path / "index" / "model.safetensors.index.json").write_text("{}")
    tiny_models.model_of("qwen", tmp_path / "short", max_position_embeddings=20)
    tiny_models.model_of("skywork", tmp_path / "nan")
    import torch
    from safetensors.torch import load_file, save_file

    file = tmp_path / "nan" / "model-00002-of-00002.safetensors"
    save_file({key: torch.full_like(each, math.nan) for key, each in load_file(file).items()}, file)
    for name in ("template", "index", "short", "nan"):
        form = "skywork" if name == "nan" else "qwen"
        verdict = PrmScore(str(tmp_path / name), form, device="cpu").verify("a", prompt="q")
        assert verdict.reason == "bad_model", (name, verdict.detail)
    said = json.loads(Path(folders["qwen"], "config.json").read_text())
    assert "auto_map" in said  # remote code was named, and not run


@pytest.mark.parametrize("name", ["PrmScore", "OrmScore"])
def test_a_missing_package_is_named_with_the_command(name: str) -> None:
    """No row can be judged, one that says nothing neither; and nothing is loaded before it is used."""
    code = (
        "import sys; sys.modules['torch'] = None\n"
        f"from verifiers import {name}\n"
        f"for verdict in {name}().verify_batch(['a', ''], prompt=['q', 'q']): print(verdict.reason, verdict.detail)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert first == second
    assert first.startswith("missing_dependency torch is not installed; run: ")


def test_fields_out_of_range() -> None:
    """Found when the verifier is made."""
    for options in (
        {"format": "prm"},
        {"aggregate": "max"},
        {"batch_size": 0},
        {"by": "words"},
        {"isolate": True},
    ):
        with pytest.raises(ConfigError, match=str(next(iter(options)))):
            PrmScore("x", **options)  # type: ignore[arg-type]
