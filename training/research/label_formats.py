"""Solutions in steps with their correctness, and the formats of label files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from reward_verifiers.verifiers.core.completions import question_text


@dataclass(frozen=True, slots=True)
class StepLabels:
    """The steps of a solution with their labels.

    Args:
        question: As text.
        steps: In order, without the white space around them.
        labels: Whether each step is right; None where that is not known.
        soft: Degree of correctness of each, in [0, 1]; None if unknown.
        outcome: Whether the solution's answer is right; None where that is not known.
        by: End of the steps (`verifiers.process.steps.By`); "" if unknown.

    Raises:
        ValueError: Steps and labels differ in number, or a soft label is out of range.

    >>> StepLabels("8+7+1?", ("8+7=16.", "16+1=17."), (False, None)).first_error
    0
    """

    question: str
    steps: tuple[str, ...]
    labels: tuple[bool | None, ...]
    soft: tuple[float | None, ...] = ()
    outcome: bool | None = None
    by: str = ""

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.steps):
            raise ValueError(f"{len(self.steps)} steps have {len(self.labels)} labels")
        if self.soft and len(self.soft) != len(self.steps):
            raise ValueError(f"{len(self.steps)} steps have {len(self.soft)} soft labels")
        if not all(each is None or 0.0 <= each <= 1.0 for each in self.soft):
            raise ValueError("soft labels must be in [0, 1]")

    @property
    def first_error(self) -> int | None:
        """The number of the first wrong step, from 0; -1 if all are right, None if unknown."""
        for place, label in enumerate(self.labels):
            if label is not True:
                return None if label is None else place
        return -1

    def targets(self, soft: bool) -> tuple[float | None, ...]:
        """Return a model's target for each step.

        Args:
            soft: Degree of correctness of a step if known, else 1 or 0. A step without a label has no target.
        """
        hard = [None if label is None else float(label) for label in self.labels]
        if not soft or not self.soft:
            return tuple(hard)
        return tuple(
            None if label is None else label if each is None else each
            for label, each in zip(hard, self.soft, strict=True)
        )


Neutral: TypeAlias = Literal["positive", "negative", "skip"]
"""What PRM800K's rating 0 says of a step: right, wrong, or nothing."""
FormatName: TypeAlias = Literal["trl", "prm800k", "processbench"]
Row: TypeAlias = Mapping[str, Any]
TAG = "ки"
_FIRST_STEP = re.compile(r"Step 1:")
_NEUTRAL: Mapping[Neutral, bool | None] = {"positive": True, "negative": False, "skip": None}


class NotStepsError(ValueError):
    """A row is of no known format, or is broken; the message says how."""


def read_labels(row: Row, neutral: Neutral = "positive") -> list[StepLabels]:
    """Return the labelled solutions of a row of any known format; none of an unusable row.

    Args:
        row: Row of `verify-train label` or TRL's stepwise datasets (``prompt, completions, labels``), of
            PRM800K (``question, label``), of ProcessBench (``problem, steps, label``), or of Math-Shepherd
            (``input, label``).
        neutral: For PRM800K: TRL's script reads 0 as wrong, Qwen's models and OpenR as right.

    Raises:
        NotStepsError: It is none of these.
    """
    for names, read in _READERS:
        if all(name in row for name in names):
            try:
                return list(read(row, neutral))
            except (TypeError, KeyError, AttributeError, IndexError, ValueError) as error:
                raise NotStepsError(f"a row with {', '.join(names)}: {error}") from None
    raise NotStepsError(
        "steps are read from prompt, completions, labels (verify-train label, TRL), from question, label "
        "(PRM800K), from problem, steps, label (ProcessBench), or from input, label (Math-Shepherd); the row "
        f"has: {', '.join(map(str, row))}"
    )


def written_as(name: FormatName, row: Row) -> dict[str, Any] | None:
    """Return a row of `verify-train label` in another format; None where that format cannot hold it.

    Args:
        name: ``trl``: steps up to the first without a label, since TRL's trainer takes truth values alone.
            ``prm800k``: ratings 1, -1 and null. ``processbench``: the first error; not written where it is
            not known.
        row: The line.

    >>> row = {"prompt": "2+2?", "completions": ["2+2=5.", "So 5."], "labels": [False, None]}
    >>> written_as("trl", row)
    {'prompt': '2+2?', 'completions': ['2+2=5.'], 'labels': [False]}
    >>> written_as("processbench", row)["label"]
    0
    """
    [found] = read_labels(row)
    if name == "trl":
        known = next((at for at, label in enumerate(found.labels) if label is None), len(found.labels))
        if not known:
            return None
        return {
            "prompt": found.question,
            "completions": list(found.steps[:known]),
            "labels": list(found.labels[:known]),
        }
    if name == "processbench":
        if found.first_error is None or not found.steps:
            return None
        return {
            "problem": found.question,
            "steps": list(found.steps),
            "final_answer_correct": found.outcome,
            "label": found.first_error,
        }
    return _as_prm800k(found)


def _as_prm800k(found: StepLabels) -> dict[str, Any]:
    ratings = [None if label is None else 1 if label else -1 for label in found.labels]
    steps = [
        {
            "completions": [{"text": step, "rating": rating, "flagged": None}],
            "human_completion": None,
            "chosen_completion": 0,
        }
        for step, rating in zip(found.steps, ratings, strict=True)
    ]
    return {
        "question": {"problem": found.question},
        "label": {"steps": steps, "finish_reason": "found_error" if False in found.labels else "solution"},
    }


def _stepwise(row: Row, neutral: Neutral) -> Iterator[StepLabels]:
    """Read TRL's format, with the additions of `verify-train label`."""
    steps = tuple(_text(each) for each in row["completions"])
    soft = row.get("soft") or ()
    labels = tuple(_truth(each) for each in row["labels"])
    # Labels that are shares, as OpenRLHF takes them.
    shares = tuple(each if _is_share(each) else None for each in row["labels"])
    if not soft and any(each is not None for each in shares):
        soft = shares
        labels = tuple(
            each > 0 if each is not None else label for each, label in zip(shares, labels, strict=True)
        )
    outcome = row.get("outcome")
    yield StepLabels(
        question_text(row["prompt"]),
        steps,
        labels,
        tuple(None if each is None else float(each) for each in soft),
        outcome if isinstance(outcome, bool) else None,
        str(row.get("steps_by", "")),
    )


def _process_bench(row: Row, neutral: Neutral) -> Iterator[StepLabels]:
    """Read a first error: steps before it are right, and those after it have no label."""
    steps, first = tuple(_text(each) for each in row["steps"]), row["label"]
    if not isinstance(first, int) or isinstance(first, bool) or not -1 <= first < len(steps):
        raise ValueError(f"label must be -1 or the number of a step, got {first!r}")
    labels = tuple(first < 0 or at < first or (None if at > first else False) for at in range(len(steps)))
    right = row.get("final_answer_correct")
    yield StepLabels(_text(row["problem"]), steps, labels, (), right if isinstance(right, bool) else None)


def _prm800k(row: Row, neutral: Neutral) -> Iterator[StepLabels]:
    """Read the labeller's path, and each step not taken, at the end of its beginning."""
    question, label = _text(row["question"]["problem"]), row["label"]
    if label.get("finish_reason") == "bad_problem":
        return
    rated: dict[Any, bool | None] = {1: True, 0: _NEUTRAL[neutral], -1: False}
    steps: list[str] = []
    labels: list[bool | None] = []
    for each in label["steps"]:
        texts = [(_text(one["text"]), rated.get(one["rating"])) for one in each["completions"] or ()]
        chosen, human = each["chosen_completion"], each["human_completion"]
        for place, (text, right) in enumerate(texts):
            if place != chosen and right is not None:
                yield StepLabels(question, (*steps, text), (*labels, right))
        if chosen is not None:
            taken = texts[chosen]
        elif human is not None:
            own = human if isinstance(human, dict) else {"text": human}
            # People wrote what they held to be right, and seldom rated it.
            taken = (_text(own["text"]), rated.get(own.get("rating"), True))
        elif any(right is not None for _, right in texts):
            return
        else:
            break
        steps.append(taken[0])
        labels.append(taken[1])
    if steps:
        yield StepLabels(question, tuple(steps), tuple(labels))


def _math_shepherd(row: Row, neutral: Neutral) -> Iterator[StepLabels]:
    """Read steps that end in a tag, with the label + or - in its place; the question may hold a tag."""
    pieces = _text(row["input"]).split(TAG)
    said = _text(row["label"])
    marks: list[bool | None] = []
    at = 0
    for piece in pieces[:-1]:
        if not said.startswith(piece, at):
            raise ValueError("input and label are different texts")
        at += len(piece)
        mark = TAG if said.startswith(TAG, at) else said[at : at + 1]
        if mark not in ("+", "-", TAG):
            raise ValueError(f"label has {mark!r} in the place of a tag")
        marks.append(None if mark == TAG else mark == "+")
        at += len(mark)
    first = next((place for place, piece in enumerate(pieces) if _FIRST_STEP.search(piece)), None)
    if first is not None:
        cut = _FIRST_STEP.search(pieces[first]).start()  # type: ignore[union-attr]
    else:
        first, cut = 0, pieces[0].rfind("?") + 1
    if not marks or first >= len(marks) or not cut + first:
        return
    question = "".join([*pieces[:first], pieces[first][:cut]]).strip()
    steps = [pieces[first][cut:].strip(), *(piece.strip() for piece in pieces[first + 1 : -1])]
    kept = [(step, mark) for step, mark in zip(steps, marks[first:], strict=True) if step]
    if question and kept:
        yield StepLabels(question, tuple(step for step, _ in kept), tuple(mark for _, mark in kept))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text is needed, got {value!r:.60}")
    return value


def _truth(value: object) -> bool | None:
    """Return a label; TRL's trainer ignores -100."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    if value == -100 or _is_share(value):
        return None
    raise ValueError(f"a label must be true, false or null, got {value!r:.40}")


def _is_share(value: object) -> bool:
    return isinstance(value, float) and 0.0 <= value <= 1.0


_READERS: Sequence[tuple[tuple[str, ...], Callable[[Row, Neutral], Iterator[StepLabels]]]] = (
    (("prompt", "completions", "labels"), _stepwise),
    (("problem", "steps", "label"), _process_bench),
    (("question", "label"), _prm800k),
    (("input", "label"), _math_shepherd),
)
