"""Measuring a model on rows: greedy accuracy, pass@k, majority@k, and the exams before and after training."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reward_verifiers.adapters.files.scored_candidates import equality
from reward_verifiers.rewards import Batch, Payment, Reward
from reward_verifiers.rewards.select import Candidate, pass_at_k, vote
from reward_verifiers.verifiers import Verdict

from ..config import RunConfig
from ..data import Row
from ..environment import gathered, rank, world_size
from ..generation import Backend, Generated, Sampling
from .run_inputs import RESERVED, Prepared, local_backend


@dataclass(frozen=True)
class Answered:
    """A row with its completions and their payments."""

    row: Row
    completions: list[Generated]
    payments: list[Payment]

    def outcomes(self, part: str) -> list[float | None]:
        """Return the outcome of each completion."""
        return [payment.values().get(part) for payment in self.payments]


@dataclass
class Measured:
    """Accuracy of a model.

    Args:
        n: Rows.
        accuracy: The mean outcome of the rows that could be judged, in [0, 1]; None if there are none.
        error: Its standard error over rows.
        unscored: Rows that could not be judged.
        parts: The mean of every part.
        tokens: Mean length of a completion.
        finished: Share of completions that ended by themselves.
        answered: Rows with their completions.
    """

    n: int
    accuracy: float | None
    error: float | None
    unscored: int
    parts: dict[str, float]
    tokens: float
    finished: float
    answered: list[Answered] = field(repr=False, default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for a JSON file, without the completions."""
        return {name: value for name, value in vars(self).items() if name != "answered"}


def answer(backend: Backend, rows: Sequence[Row], reward: Reward, sampling: Sampling) -> Iterator[Answered]:
    """Sample completions of rows and judge them, row by row in order."""
    converse = getattr(backend, "converse", None)
    generated: Iterator[list[Generated]]
    if converse is not None:  # environments read more of a row than its prompt
        generated = converse(rows, sampling)
    else:
        generated = backend.generate([row["prompt"] for row in rows], sampling)
    for row, completions in zip(rows, generated, strict=True):
        yield Answered(row, completions, judge(row, completions, reward))


def judge(row: Row, completions: Sequence[Generated], reward: Reward) -> list[Payment]:
    """Return a reward's payments for the completions of a row."""
    count = len(completions)
    columns: dict[str, Sequence[object]] = {
        name: [value] * count for name, value in row.items() if name not in RESERVED
    }
    columns["prompts"] = [row["prompt"]] * count
    columns["completion_tokens"] = [each.tokens for each in completions]
    if any(each.environment is not None for each in completions):
        columns["environments"] = [each.environment for each in completions]
    return Batch([completion_text(each) for each in completions], columns, group_size=count).pay(reward)


def completion_text(generated: Generated) -> Any:
    """Return a completion as verifiers take it: text, or messages for separate thinking or calls."""
    if generated.messages is not None:
        return list(generated.messages)
    if generated.thinking is None:
        return generated.text
    return [{"role": "assistant", "content": generated.text, "reasoning_content": generated.thinking}]


def measure(
    backend: Backend, rows: Sequence[Row], reward: Reward, outcome: str, sampling: Sampling
) -> Measured:
    """Measure accuracy on rows; with several completions each, the mean over them.

    Args:
        backend: Source of the texts.
        rows: With their prompts.
        reward: The reward.
        outcome: The part of it that is the accuracy.
        sampling: Greedy for one completion each.
    """
    return summary(list(answer(backend, rows, reward, sampling)), outcome)


def summary(answered: list[Answered], outcome: str) -> Measured:
    """Return the figures of answered rows."""
    means: list[float] = []
    for each in answered:
        judged = [value for value in each.outcomes(outcome) if value is not None]
        if judged:
            means.append(sum(judged) / len(judged))
    parts: dict[str, list[float]] = {}
    for payment in (payment for each in answered for payment in each.payments):
        for name, value in payment.values().items():
            if value is not None:
                parts.setdefault(name, []).append(value)
    generated = [completion for each in answered for completion in each.completions]
    count = max(len(generated), 1)
    return Measured(
        n=len(answered),
        accuracy=_mean(means),
        error=_standard_error(means),
        unscored=len(answered) - len(means),
        parts={name: sum(values) / len(values) for name, values in parts.items()},
        tokens=sum(each.tokens for each in generated) / count,
        finished=sum(each.finished for each in generated) / count,
        answered=answered,
    )


def pass_and_majority(answered: Sequence[Answered], outcome: str, k: int) -> dict[str, float]:
    """Return pass@1, pass@2, ... up to pass@k, and majority@k, over rows that could be judged.

    Args:
        answered: Rows with at least k completions each.
        outcome: The part that is the accuracy.
        k: Completions of each.
    """
    sizes = [size for size in (1, 2, 4, 8, 16, 32, 64, 128) if size < k] + [k]
    figures: dict[str, list[float]] = {f"pass@{size}": [] for size in sizes}
    votes: list[float] = []
    for each in answered:
        outcomes = each.outcomes(outcome)
        if any(value is None for value in outcomes):
            continue
        right = sum(value == 1.0 for value in outcomes)
        for size in sizes:
            figures[f"pass@{size}"].append(pass_at_k(len(outcomes), right, size))
        voted = _voted(each, outcome)
        if voted is not None:
            votes.append(voted)
    found = {name: sum(values) / len(values) for name, values in figures.items() if values}
    if votes:
        found[f"majority@{k}"] = sum(votes) / len(votes)
    return found


def candidates(each: Answered, outcome: str) -> list[Candidate]:
    """Return the completions of a row as `rewards.select` takes them."""
    found = []
    for generated, payment in zip(each.completions, each.payments, strict=True):
        values, verdict = payment.values(), _deciding(payment, outcome)
        found.append(
            Candidate(
                completion=completion_text(generated),
                outcome=values.get(outcome),
                reward=payment.value,
                length=generated.tokens,
                answer=None if verdict is None else verdict.extracted,
                judge="" if verdict is None else verdict.verifier,
                row=each.row,
            )
        )
    return found


def _deciding(payment: Payment, outcome: str) -> Verdict | None:
    """Return the verdict behind the outcome, else the first that extracted an answer."""
    judged = dict(payment.judged())
    if outcome in judged:
        return judged[outcome]
    return next((each for each in judged.values() if each.extracted is not None), None)


def _voted(each: Answered, outcome: str) -> float | None:
    """Return the outcome of the most common answer, or 0 where no completion has an answer."""
    group = candidates(each, outcome)
    winner = vote([one.answer for one in group], equality(group) or str.__eq__).winner
    return 0.0 if winner is None else group[winner].outcome


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _standard_error(values: Sequence[float]) -> float | None:
    if not values:
        return None
    mean = sum(values) / len(values)
    if len(set(values)) == 1:
        # All alike is not certainty: two of each more (Agresti and Coull, 1998).
        mean = (sum(values) + 2) / (len(values) + 4)
        return math.sqrt(mean * (1 - mean) / (len(values) + 4))
    return math.sqrt(sum((value - mean) ** 2 for value in values)) / len(values)


SHOWN_SAMPLES = 8


def measuring_sampling(config: RunConfig) -> Sampling:
    """Return greedy sampling, with the length of the trainer's completions."""
    tokens = config.evaluation.max_tokens or config.trainer.get("max_completion_length") or 512
    return Sampling(k=1, temperature=0.0, max_tokens=int(tokens), seed=config.seed)


def exam(config: RunConfig, prepared: Prepared, model: Any) -> dict[str, Any]:
    """Measure greedy accuracy on held-out rows and on rows of training, with samples.

    Several processes share the rows out, and each has the same figures. Empty where there is nothing to
    measure with, and where the weights are sharded over processes: then the trainer's own evaluation is what
    there is.
    """
    if prepared.strict is None or not (prepared.heldout or config.evaluation.seen) or not is_whole(model):
        return {}
    backend = local_backend(config, prepared, model)
    sampling = measuring_sampling(config)
    found: dict[str, Any] = {}
    seen = prepared.train[: config.evaluation.seen]
    # Supervised rows may hold no answers to compare with.
    seen = [
        row
        for row in seen
        if all(name in row for name in prepared.strict.columns() if name != "completion_tokens")
    ]
    for name, rows in (("heldout", prepared.heldout), ("seen", seen)):
        if rows:
            measured = _shared_out(backend, rows, prepared, sampling)
            found[name] = {**measured.to_dict(), "samples": samples(measured)}
            if name == "heldout":  # of each row, which later stages are compared with
                found[name]["outcomes"] = [each.outcomes(prepared.outcome)[0] for each in measured.answered]
    return found


def _shared_out(backend: Backend, rows: Sequence[Row], prepared: Prepared, sampling: Sampling) -> Measured:
    """Share rows out over the processes, and return the figures of all rows in each."""
    assert prepared.strict is not None  # noqa: S101  (the caller has looked)
    count = world_size()
    found = gathered(list(answer(backend, rows[rank() :: count], prepared.strict, sampling)))
    return summary([found[place % count][place // count] for place in range(len(rows))], prepared.outcome)


def is_whole(model: Any) -> bool:
    """Return whether this process has all weights: ZeRO-3 and FSDP leave it a shard of each."""
    if world_size() == 1:
        return True
    sharded = {"DTensor", "FlatParameter"}
    return not any(hasattr(each, "ds_id") or type(each).__name__ in sharded for each in model.parameters())


def samples(measured: Measured) -> list[dict[str, Any]]:
    """Return the first few completions, for a report."""
    return [
        {
            "prompt": each.row["prompt"],
            "answer": each.row.get("answer"),
            "completion": each.completions[0].text,
            "reward": each.payments[0].value,
        }
        for each in measured.answered[:SHOWN_SAMPLES]
    ]


def accuracy_line(name: str, found: Mapping[str, Any]) -> str:
    """Return the results of an exam on one line."""
    shown = []
    for part, measured in found.items():
        if measured["accuracy"] is None:
            shown.append(f"{part}: no row could be judged")
        else:
            judged = measured["n"] - measured["unscored"]
            shown.append(f"{part} {measured['accuracy']:.3f} ± {measured['error']:.3f} (n={judged})")
    return f"{name}: greedy accuracy {', '.join(shown)}"
