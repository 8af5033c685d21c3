"""What models of steps and of outcomes learn from: labelled steps, and solutions that are right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from reward_verifiers.adapters.audit.labels import is_label
from reward_verifiers.verifiers import ConfigError, Sample
from reward_verifiers.verifiers.core.completions import question_text, split_completion
from reward_verifiers.verifiers.core.verdicts import TextPart
from reward_verifiers.verifiers.process.step_model import seen_part

from ..config import Data
from ..data import hold_out
from ..data.row_prompts import with_our_names
from ..data.row_sources import read_rows
from .formats import Neutral, NotStepsError, read_labels
from .step_labels import StepLabels

Row = Mapping[str, Any]


class Asked(Protocol):
    """A row with its question."""

    @property
    def question(self) -> str:
        """What was asked."""


T = TypeVar("T", bound=Asked)


class Outcome(NamedTuple):
    """A solution, and whether its answer is right."""

    question: str
    text: str
    right: bool


def step_rows(data: Data | Sequence[Data], neutral: Neutral, seed: int) -> list[StepLabels]:
    """The labelled solutions of sources that have a label.

    Raises:
        ConfigError: A row is of no known format, or there is nothing to learn.
    """
    found: list[StepLabels] = []
    for source, number, row in source_rows(data, seed):
        try:
            found += read_labels(row, neutral)
        except NotStepsError as error:
            raise ConfigError(f"row {number} of {source}: {error}") from None
    kept = [row for row in found if row.question.strip() and any(each is not None for each in row.labels)]
    if not kept:
        raise ConfigError("data: no step has a label; see labels in the file, and verify-train label")
    return kept


def outcome_rows(
    data: Data | Sequence[Data], part: Callable[[Row], str], of: TextPart, seed: int
) -> list[Outcome]:
    """The solutions of sources of which it is known whether they are right.

    Args:
        data: Lines of `verify-train label` or `sample`, rows with ``prompt, completion, label``, or pairs of
            ``chosen`` and ``rejected``.
        part: Of a scored line: the part that says so.
        of: ``completion`` or ``response``.
        seed: For generated rows.

    Raises:
        ConfigError: A row is none of these, or there is nothing to learn.
    """
    found: list[Outcome] = []
    silent = 0
    for source, number, row in source_rows(data, seed):
        question = question_text(row.get("prompt"))
        told = list(_solutions(row, part))
        if not question or not told:
            raise ConfigError(
                f"row {number} of {source}: outcomes are read from lines of verify-train label or sample, "
                "from prompt, completion, label, or from prompt, chosen, rejected; the row has: "
                f"{', '.join(map(str, row))}"
            )
        for completion, right in told:
            split = split_completion(completion)
            text = "" if split is None else seen_part(Sample.of(split), of).text.strip()
            if text and right is not None:
                found.append(Outcome(question, text, right))
            silent += not text
    if not found and silent:
        raise ConfigError(
            f"data: the solutions have no text in their {of}; head.of: completion takes the thinking, too"
        )
    if not found:
        raise ConfigError("data: of no solution it is known whether it is right")
    return found


def _solutions(row: Row, part: Callable[[Row], str]) -> Iterator[tuple[Any, bool | None]]:
    if "chosen" in row and "rejected" in row:
        yield row["chosen"], True
        yield row["rejected"], False
    elif "completion" in row:
        if "outcome" in row:
            yield row["completion"], is_label(row["outcome"])
        elif "reward_parts" in row:
            value = row["reward_parts"].get(part(row))
            yield row["completion"], None if value is None else value >= 1.0
        elif "label" in row:
            yield row["completion"], is_label(row["label"])


def source_rows(data: Data | Sequence[Data], seed: int) -> Iterator[tuple[str, int, Row]]:
    """Every row of sources, with its source and number, and its columns by our names."""
    for source in [data] if isinstance(data, Data) else data:
        for number, row in enumerate(read_rows(source, seed)):
            yield source.source, number, with_our_names(row, source)


def held_apart(rows: Sequence[T], count: int, seed: int) -> tuple[list[T], list[T]]:
    """Rows to train on, and all rows of `count` questions to measure with.

    Raises:
        ConfigError: There are no more questions than that.
    """
    questions = [{"prompt": each} for each in dict.fromkeys(row.question for row in rows)]
    _, held = hold_out(questions, count, seed)
    apart = {row["prompt"] for row in held}
    return without_questions(rows, apart), [row for row in rows if row.question in apart]


def without_questions(rows: Sequence[T], questions: set[str]) -> list[T]:
    """The rows that ask something else."""
    return [row for row in rows if row.question not in questions]
