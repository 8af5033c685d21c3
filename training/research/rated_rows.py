"""Training rows for models of steps, outcomes and preferences, read from their sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from reward_verifiers.adapters.audit.labels import is_label
from reward_verifiers.verifiers import ConfigError, Sample
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.completions import question_text, split_completion
from reward_verifiers.verifiers.core.verdicts import TextPart
from reward_verifiers.verifiers.process.step_model import seen_part

from ..config import Data
from ..data import hold_out
from ..data.row_prompts import with_our_names
from ..data.row_sources import read_rows
from .label_formats import Neutral, NotStepsError, StepLabels, read_labels

Row = Mapping[str, Any]


class Asked(Protocol):
    """A row with its question."""

    @property
    def question(self) -> str:
        """The question of the row."""


T = TypeVar("T", bound=Asked)


class Outcome(NamedTuple):
    """A solution, and whether its answer is right."""

    question: str
    text: str
    right: bool


def step_rows(data: Data | Sequence[Data], neutral: Neutral, seed: int) -> list[StepLabels]:
    """Return the labelled solutions of sources that have a label.

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
    """Return the solutions of sources that are known to be right or wrong.

    Args:
        data: Lines of `verify-train label` or `sample`, rows with ``prompt, completion, label``, or pairs of
            ``chosen`` and ``rejected``.
        part: Name of the part, for a scored line.
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
            text = _text(completion, of)
            if text and right is not None:
                found.append(Outcome(question, text, right))
            silent += not text
    if not found and silent:
        raise ConfigError(
            f"data: the solutions have no text in their {of}; head.of: completion includes the thinking"
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
    """Yield every row of sources with its source and number, its columns under our names."""
    for source in [data] if isinstance(data, Data) else data:
        for number, row in enumerate(read_rows(source, seed)):
            yield source.source, number, with_our_names(row, source)


def held_apart(rows: Sequence[T], count: int, seed: int) -> tuple[list[T], list[T]]:
    """Return rows to train on, and all rows of `count` questions to measure with.

    Raises:
        ConfigError: There are no more questions than that.
    """
    questions = [{"prompt": each} for each in dict.fromkeys(row.question for row in rows)]
    _, held = hold_out(questions, count, seed)
    apart = {row["prompt"] for row in held}
    return without_questions(rows, apart), [row for row in rows if row.question in apart]


def without_questions(rows: Sequence[T], questions: set[str]) -> list[T]:
    """Return the rows that ask something else."""
    return [row for row in rows if row.question not in questions]


class Pair(NamedTuple):
    """A question, the answer that was preferred, and the other one."""

    question: str
    chosen: str
    rejected: str


def pair_rows(data: Data | Sequence[Data], of: TextPart, seed: int) -> list[Pair]:
    """Return the pairs of sources, without those that lack two different texts.

    Args:
        data: Rows with ``prompt``, ``chosen`` and ``rejected``, such as `verify-train critique` writes.
        of: ``completion`` or ``response``: what of each side is read.
        seed: For generated rows.

    Raises:
        ConfigError: A row is no pair, or there is nothing to learn.
    """
    found: list[Pair] = []
    for source, number, row in source_rows(data, seed):
        for name in ("prompt", "chosen", "rejected"):
            if name not in row:
                raise ConfigError(
                    f"row {number} of {source} has no column {name!r}{nearest(name, row)}; pairs come from "
                    "verify-train critique, or from a select stage with select.purpose=dpo"
                )
        pair = Pair(question_text(row["prompt"]), _text(row["chosen"], of), _text(row["rejected"], of))
        if pair.question.strip() and pair.chosen and pair.rejected and pair.chosen != pair.rejected:
            found.append(pair)
    if not found:
        raise ConfigError(
            f"data: no pair has a question and two different texts in its {of}; head.of: completion "
            "includes the thinking"
        )
    return found


def _text(completion: Any, of: TextPart) -> str:
    split = split_completion(completion)
    return "" if split is None else seen_part(Sample.of(split), of).text.strip()
