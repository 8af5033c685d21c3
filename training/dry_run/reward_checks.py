"""A reward's payments for attacks, for the completions of a file, and for the model's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reward_verifiers.rewards import Payment, Reward
from reward_verifiers.verifiers import ConfigError

from ..config import Data, RunConfig
from ..data import Row, read_rows
from ..generation import Sampling
from ..run.accuracy_measures import answer
from ..run.run_inputs import Prepared, check_columns, local_backend, outcome_part, with_references
from .reference_checks import Form, Opening, attacks, forms, pay, prompt_text, right_answers

ATTACKED = 20
"""Rows that every attack is tried on."""


@dataclass
class Attacked:
    """Result of an attack.

    Args:
        id: Id of the attack.
        note: Idea of the attack.
        paid: The most that it was paid.
        honest: Reward of the right answer in the right form, on the same row.
        passed: Whether it was accepted as right.
        completion: The completion that was paid most.
    """

    id: str
    note: str
    paid: float
    honest: float
    passed: bool
    completion: str


def check_attacks(rows: Sequence[Row], reward: Reward, openings: Sequence[Opening] = ()) -> list[Attacked]:
    """Try every attack on the first rows.

    Args:
        rows: With usable references.
        reward: The reward.
        openings: End of each row's prompt, after which honest completions begin.
    """
    rows = rows[:ATTACKED]
    part, form = outcome_part(reward, None, "reward"), Form.of(reward)
    answers = right_answers(rows, reward)
    opened = openings or [Opening()] * len(rows)
    honest = [
        honest_pay(row, own, reward, opening)
        for row, own, opening in zip(rows, answers, opened[: len(rows)], strict=True)
    ]
    # The last of them is the shortest: what the verifier takes from the reference.
    rights = [own[-1] if own else "" for own in answers]
    found = []
    for attack in attacks():
        made = [
            attack.on(form, prompt_text(row["prompt"]), right, rights)
            for row, right in zip(rows, rights, strict=True)
        ]
        hit = [index for index, text in enumerate(made) if text is not None]
        texts = [text for text in made if text is not None]
        payments = pay([rows[index] for index in hit], texts, reward)
        scored = [index for index, payment in enumerate(payments) if payment.value is not None]
        if not scored:
            continue
        most = max(
            scored, key=lambda index: (payments[index].values().get(part) == 1.0, payments[index].value)
        )
        found.append(
            Attacked(
                attack.id,
                attack.note,
                payments[most].value or 0.0,
                honest[hit[most]],
                any(payments[index].values().get(part) == 1.0 for index in scored),
                texts[most],
            )
        )
    return found


def honest_pay(row: Row, answers: Sequence[str], reward: Reward, opening: Opening) -> float:
    """Return the reward of the best honest completion behind a prompt with this opening."""
    written = (form for text in answers for form in forms(reward, text))
    tried = list(dict.fromkeys(each for form in written for each in opening.behind(form)))
    return max((payment.value or 0.0 for payment in pay([row] * len(tried), tried, reward)), default=0.0)


def check_file(path: str, data: Data | None, reward: Reward, limit: int) -> list[tuple[str, Payment]]:
    """Return the payments for the completions of a file, each with its text.

    Args:
        path: JSON lines with ``completion`` and the reward's columns.
        data: For its columns' names.
        reward: The reward.
        limit: At most this many.

    Raises:
        ConfigError: The file cannot be read, or lacks a column.
    """
    rows = read_rows(Data(source=path, limit=limit))
    names = data.columns if data else {}
    renamed = [
        {**row, **{ours: row[theirs] for ours, theirs in names.items() if theirs in row}} for row in rows
    ]
    for number, row in enumerate(renamed):
        if "completion" not in row:
            raise ConfigError(f"{path}: row {number} has no column 'completion'")
    renamed = with_references([reward], renamed)
    check_columns(reward, renamed)
    completions = [row["completion"] for row in renamed]
    return list(zip(map(prompt_text, completions), pay(renamed, completions, reward), strict=True))


def check_model(
    config: RunConfig, prepared: Prepared, reward: Reward, count: int
) -> tuple[list[tuple[str, Payment]], int]:
    """Return payments for the model's completions, one per prompt, and the number of cut-off ones."""
    backend = local_backend(config, prepared)
    tokens = config.sample.max_tokens or config.trainer.get("max_completion_length") or 512
    sampling = Sampling(max_tokens=int(tokens), temperature=config.sample.temperature, seed=config.seed)
    answered = list(answer(backend, prepared.train[:count], reward, sampling))
    over = sum(not each.completions[0].finished for each in answered)
    return [(each.completions[0].text, each.payments[0]) for each in answered], over
