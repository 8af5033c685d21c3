"""The official scorer of the 2025 AI Malpyeong contest (한국어 어문 규범 기반 생성), its faults included.

https://github.com/teddysum/korean_evaluation, `evaluation_korean_contest_RAG_QA`. What is odd about it is kept,
since it is what the leaderboard shows: ``가 옳다`` is looked for in the whole text before ``이 옳다``; both kinds of
straight quotes are deleted, also inside, and no others; the particle and 옳다 stay in the compared text, so that a
right particle loses where the reference has a wrong one; and an item without a reason leaves the mean of the
reasons instead of counting as 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

from ..core.completions import SplitCompletion
from ..core.verdicts import Status, Verdict
from ..errors import ConfigError
from ..extract.chain import WholeText
from ..metrics.bert_score import BertScore
from ..metrics.bleurt import Bleurt
from ..metrics.rouge import Rouge
from ..metrics.text_metric import TextMetric

_MARKS = ("가 옳다", "이 옳다")


class ContestScore(NamedTuple):
    """The figures of a submission, in [0, 1] (BLEURT may lie a little outside).

    Args:
        exact_match: Share of items whose answer is the reference's.
        metrics: The mean of each metric over the items in which both sides have a reason.
        descriptive: The mean of the metrics.
        final: The mean of `exact_match` and `descriptive`.
    """

    exact_match: float
    metrics: tuple[float, ...]
    descriptive: float
    final: float


def split_answer(text: str) -> tuple[str, str]:
    """The answer and the reason, as the official scorer cuts them.

    >>> split_answer('"할 수 있다."가 옳다. 의존 명사는 띄어 쓴다.')
    ('할 수 있다.가 옳다', '의존 명사는 띄어 쓴다.')
    """
    for mark in _MARKS:
        place = text.find(mark)
        if place >= 0:
            cut = place + len(mark)
            return _bare(text[:cut]), text[cut:].strip().lstrip("., ")
    return _bare(text), ""


def exact_match(answer: str, reference: str) -> bool:
    """Return whether an answer equals an alternative; ``#`` separates them, both as from `split_answer`."""
    return any(alternative.strip() == answer for alternative in reference.split("#"))


def contest_score(
    completions: Sequence[str], references: Sequence[str], metrics: Sequence[TextMetric] | None = None
) -> ContestScore:
    """The official score of a submission: ``(EM + mean(ROUGE-1, BERTScore, BLEURT)) / 2``.

    It is one figure for a whole file; for a reward of rows see the preset ``malpyeong``.

    Args:
        completions: The predicted texts.
        references: The gold texts, in the same order.
        metrics: Metrics for reasons; None for the official three, whose models must be available.

    Raises:
        ConfigError: The lengths differ or are 0, or a metric cannot measure a pair.
    """
    if len(completions) != len(references) or not completions:
        raise ConfigError(
            f"contest_score: {len(completions)} completions for {len(references)} references; give one for each"
        )
    given = [split_answer(text) for text in completions]
    wanted = [split_answer(text) for text in references]
    pairs = list(zip(given, wanted, strict=True))
    em = fmean(exact_match(answer, gold) for (answer, _), (gold, _) in pairs)
    reasons = [(reason, gold) for (_, reason), (_, gold) in pairs if reason and gold]
    chosen = official_metrics() if metrics is None else metrics
    if not chosen:
        raise ConfigError("contest_score: metrics must name at least one metric, got none")
    found = tuple(_mean(metric, reasons) for metric in chosen)
    descriptive = fmean(found)
    return ContestScore(em, found, descriptive, (em + descriptive) / 2)


def official_metrics() -> tuple[TextMetric, ...]:
    """ROUGE-1 over MeCab morphemes, BERTScore by multilingual BERT at layer 9, and BLEURT-20."""
    return Rouge("rouge1", tokenizer="nikl"), BertScore("bert-base-multilingual-cased", layer=9), Bleurt()


def _mean(metric: TextMetric, reasons: Sequence[tuple[str, str]]) -> float:
    if not reasons:
        return 0.0
    # The texts as they are: tags and thinking are not looked for in them.
    whole = replace(metric, extract=WholeText(keep_stop=True))
    verdicts = whole.verify_batch(
        [SplitCompletion(reason, reason, "", False) for reason, _ in reasons], [gold for _, gold in reasons]
    )
    for verdict in verdicts:
        if verdict.status is not Status.SCORED:
            raise ConfigError(
                f"contest_score: {verdict.verifier} cannot judge: {verdict.reason}: {verdict.detail}"
            )
    return fmean(_figure(verdict) for verdict in verdicts)


def _figure(verdict: Verdict) -> float:
    """The metric as the scorer sums it up: BERTScore and BLEURT as they are, even outside [0, 1]."""
    figure = verdict.raw if verdict.verifier in ("BertScore", "Bleurt") else verdict.score
    assert figure is not None  # noqa: S101
    return figure


def _bare(text: str) -> str:
    return text.replace('"', "").replace("'", "").strip()
