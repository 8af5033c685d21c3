"""Labelling of a file's solutions by a model's rollouts into another file, safe against a kill.

A second opinion on the steps may be asked: Zhang et al., arXiv:2501.07301, find that labels by rollouts alone
are noisy, and that models which learn only those that a judge agrees with are better than models that learn
three times as many.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers import ConfigError, Verdict
from reward_verifiers.verifiers.process.steps import Steps

from ..config import RunConfig
from ..data import Row
from ..generation import Backend, Generated, Prompt, Sampling
from ..run.accuracy_measures import judge
from ..run.run_inputs import Prepared, outcome_part, sampling_of
from ..run.sampled_rows import json_line, kept_lines, whole_lines
from .model_generator import rendering
from .rollouts import Labelled, Order, Solution, labelled, seed_of


@dataclass
class ModelRolls:
    """Completes solutions by a backend, and judges them by a reward, which may read the reference.

    Args:
        backend: Source of the samples.
        sampling: How: `k` completions of a beginning, which with it are at most `max_tokens` long.
        rendered: A prompt as the text after which a completion begins.
        count: Tokens of a text.
        reward: The reward.
        part: The part of it that says what is right: 1.0 is.
        spent: Tokens that were generated, by the number of the solution.
    """

    backend: Backend
    sampling: Sampling
    rendered: Callable[[Prompt], str]
    count: Callable[[str], int]
    reward: Reward
    part: str
    spent: dict[int, int] = field(default_factory=dict)

    def of(self, rows: Sequence[Row]) -> Callable[[Sequence[tuple[int, str]], int], list[list[bool | None]]]:
        """Return the function that `rollouts.labelled` calls, for solutions of these rows."""
        self.spent = {}
        return lambda starts, seed: self._rolled(rows, starts, seed)

    def outcome(self, row: Row, text: str, tokens: int, ended: bool) -> bool | None:
        """Return whether a completion is right; None where it was unscored."""
        return self._right(row, [Generated(text, tokens, ended)])[0]

    def _rolled(
        self, rows: Sequence[Row], starts: Sequence[tuple[int, str]], seed: int
    ) -> list[list[bool | None]]:
        lengths = [self.count(prefix) for _, prefix in starts]
        # What is as long as a completion may be cannot be continued: nothing is known of it.
        open_ = [place for place, length in enumerate(lengths) if length < self.sampling.max_tokens]
        found: list[list[bool | None]] = [[] for _ in starts]
        if not open_:
            return found
        room = self.sampling.max_tokens - min(lengths[place] for place in open_)
        prompts = [self.rendered(rows[starts[place][0]]["prompt"]) + starts[place][1] for place in open_]
        sampling = dataclasses.replace(self.sampling, max_tokens=room, seed=seed)
        for place, made in zip(open_, self.backend.generate(prompts, sampling), strict=True):
            number, prefix = starts[place]
            self.spent[number] = self.spent.get(number, 0) + sum(each.tokens for each in made)
            whole = [
                dataclasses.replace(each, text=prefix + each.text, tokens=lengths[place] + each.tokens)
                for each in made
            ]
            found[place] = self._right(rows[number], whole)
        return found

    def _right(self, row: Row, made: Sequence[Generated]) -> list[bool | None]:
        values = [payment.values().get(self.part) for payment in judge(row, made, self.reward)]
        return [None if value is None else value >= 1.0 for value in values]


RIGHT = 0.5
"""What a part must be worth to count as right; models of steps say shares."""


def opinions(
    reward: Reward, row: Row, text: str, spans: Sequence[tuple[int, int]]
) -> tuple[bool | None, ...]:
    """Return the verdicts of a reward's verifiers on steps; None where there are none.

    Args:
        reward: Its verifiers give verdicts with parts that have a place, as `EquationChain` and `PrmScore`.
        row: The row of the solution.
        text: The solution.
        spans: Its steps.
    """
    [payment] = judge(row, [Generated(text, 0, True)], reward)
    parts = list(_placed(payment.verdicts))
    return tuple(_opinion(parts, start, end) for start, end in spans)


def agreed(labels: Sequence[bool | None], second: Sequence[bool | None]) -> tuple[bool | None, ...]:
    """Return the labels that a second opinion shares, with None for the others.

    >>> agreed((True, True, False, None), (True, False, None, True))
    (True, None, None, None)
    """
    return tuple(label if label == other else None for label, other in zip(labels, second, strict=True))


def _placed(verdicts: Sequence[Verdict]) -> Iterator[tuple[int, int, float]]:
    """Yield the innermost parts that have a place and a score."""
    for verdict in verdicts:
        for part in verdict.parts:
            if part.parts:
                yield from _placed([part])
            elif part.span is not None and part.score is not None:
                yield part.span[0], part.span[1], part.score


def _opinion(parts: Sequence[tuple[int, int, float]], start: int, end: int) -> bool | None:
    said: list[bool | None] = []
    for first, last, score in parts:
        if first < end and start < last:
            # What is wrong somewhere in several steps is not known to be wrong in this one.
            inside = start <= first and last <= end
            said.append(True if score >= RIGHT else False if inside else None)
    if False in said:
        return False
    return True if said and None not in said else None


WINDOW = 16
"""Solutions that are labelled together, and that a kill loses at most."""
LEFT_BEHIND = (
    *("reward", "reward_parts", "verdicts", "verdict_parts", "signature", "sampler"),
    *("chosen", "search", "completion_tokens", "finished"),
)
"""Columns of scored solutions that say something else than labels do."""
_COUNTED = (
    *("solutions", "right solutions", "without steps", "steps", "right", "wrong", "not known"),
    *("rollouts", "unjudged rollouts", "rollout tokens"),
)


@dataclass(frozen=True)
class Labeller:
    """Labelling of every solution.

    Args:
        rolls: Completes and judges.
        steps: Definition of a step.
        order: Which steps are asked for.
        seed: Each window has its own, of this and its first row.
        second: Second judge of steps, who must agree with a label; None for none.
        name: Name of the whole set-up: only the same set-up continues a file.
    """

    rolls: ModelRolls
    steps: Steps
    order: Order
    seed: int
    second: Reward | None
    name: str

    def lines(self, rows: Sequence[Row], first: int) -> list[str]:
        """Return the lines of a window of solutions."""
        solutions = [self._solution(row) for row in rows]
        found = labelled(solutions, self.rolls.of(rows), self.order, seed_of(self.seed, first))
        return [
            self._line(row, solution, each, first + place)
            for place, (row, solution, each) in enumerate(zip(rows, solutions, found, strict=True))
        ]

    def _solution(self, row: Row) -> Solution:
        text = solution_text(row)
        if text is None:
            return Solution("", (), None)
        tokens, ended = row.get("completion_tokens"), row.get("finished", True) is not False
        counted = tokens if isinstance(tokens, int) else self.rolls.count(text)
        return Solution.of(text, self.steps, self.rolls.outcome(row, text, counted, ended), ended)

    def _line(self, row: Row, solution: Solution, found: Labelled, number: int) -> str:
        spent = self.rolls.spent.get(number % WINDOW, 0)
        tallies = found.tallies
        line: dict[str, Any] = {
            **{name: value for name, value in row.items() if name not in LEFT_BEHIND},
            "completions": solution.steps,
            "labels": found.labels,
            "soft": [None if each is None else each.soft for each in tallies],
            "soft_interval": [None if each is None else each.interval for each in tallies],
            "rollouts": [0 if each is None else each.judged for each in tallies],
            "unjudged": [0 if each is None else each.unjudged for each in tallies],
            "spans": solution.spans,
            "steps_by": self.steps.by,
            "outcome": solution.outcome,
            "rollout_tokens": spent,
            "labeller": self.name,
        }
        if self.second is not None:
            second = opinions(self.second, row, solution.text, solution.spans)
            line |= {"by_rollouts": found.labels, "second": second, "labels": agreed(found.labels, second)}
        return json_line(line)


def solution_text(row: Row) -> str | None:
    """Return the completion of a row as text; None where a model cannot continue it.

    Thinking that a server tells apart stands before the text, where no prefix of the text reaches.
    """
    completion = row["completion"]
    if isinstance(completion, list):
        if len(completion) != 1 or completion[0].get("reasoning_content"):
            return None
        completion = completion[0].get("content")
    return completion if isinstance(completion, str) else None


def labeller_of(
    config: RunConfig,
    prepared: Prepared,
    backend: Backend,
    rollouts: int,
    steps: Steps,
    order: Order,
    second: Reward | None,
) -> Labeller:
    """Return the labeller of a run.

    Args:
        config: The run: its model samples, and its reward pays.
        prepared: Its tokenizer and reward.
        backend: Source of the samples.
        rollouts: Completions from each step.
        steps: Definition of a step.
        order: Which steps are asked for.
        second: Second judge, who must agree with labels; None for none.
    """
    reward, tokenizer = prepared.reward, prepared.tokenizer
    assert reward is not None  # noqa: S101  (prepare has asked for it)
    part = outcome_part(reward, None, "reward")
    sampling = sampling_of(config, rollouts)
    agreed = "" if second is None else f", shared by {second.signature()}"
    return Labeller(
        ModelRolls(
            backend,
            sampling,
            rendering(tokenizer, config.model.chat_template_kwargs),
            lambda text: len(tokenizer(text=text, add_special_tokens=False)["input_ids"]),
            reward,
            part,
        ),
        steps,
        order,
        config.seed,
        second,
        f"{prepared.name} {sampling} {steps} {order}, {part} of {reward.signature()}{agreed}",
    )


def label_rows(
    labeller: Labeller, rows: Sequence[Row], path: Path, say: Callable[[str], object] = lambda line: None
) -> None:
    """Label every solution, keeping those that the file holds in whole windows.

    Args:
        labeller: The labelling.
        rows: With ``prompt`` and ``completion``.
        path: JSON lines; what a kill has torn off its end is labelled again, to the same bytes.
        say: Told now and then how many rows are done.

    Raises:
        ConfigError: The file was begun by another labelling, or holds other solutions.
        GenerationError: The model gave no completion.
    """
    done, size = _whole(path, rows, labeller.name)
    with kept_lines(path, size, done, len(rows), "labelled", "solutions", say) as write:
        while done < len(rows):
            part = rows[done : done + WINDOW]
            lines = labeller.lines(part, done)
            done += len(part)
            write("".join(lines), done)


def _whole(path: Path, rows: Sequence[Row], name: str) -> tuple[int, int]:
    """Return the number of rows that the file holds in whole windows, and their bytes."""
    done = size = 0
    for count, (line, end) in enumerate(whole_lines(path), 1):
        if line.get("labeller") != name:
            raise ConfigError(
                f"{path} was begun by {line.get('labeller')!s:.240}, and this is {name:.240}; choose "
                "another file, or delete it"
            )
        if count > len(rows) or _key(rows[count - 1]) != _key(line):
            raise ConfigError(f"{path} holds other solutions; choose another file, or delete it")
        if count % WINDOW == 0 or count == len(rows):
            done, size = count, end
    return done, size


def _key(row: Mapping[str, Any]) -> str:
    return json.dumps([row.get("prompt"), row.get("completion")], default=str)


def counted(path: Path) -> dict[str, int]:
    """Count a label file: solutions, steps, labels of each kind, rollouts, tokens, agreement."""
    found: dict[str, int] = dict.fromkeys(_COUNTED, 0)
    for line, _ in whole_lines(path):
        found["solutions"] += 1
        found["right solutions"] += line["outcome"] is True
        found["without steps"] += not line["completions"]
        found["rollouts"] += sum(line["rollouts"])
        found["unjudged rollouts"] += sum(line["unjudged"])
        found["rollout tokens"] += line["rollout_tokens"]
        found["steps"] += len(line["labels"])
        for label in line["labels"]:
            found["right" if label else "not known" if label is None else "wrong"] += 1
        for before, second in zip(line.get("by_rollouts", ()), line.get("second", ()), strict=True):
            if before is not None:
                said = "silent" if second is None else "agrees" if second == before else "disagrees"
                found[f"second: {said}"] = found.get(f"second: {said}", 0) + 1
    return found


def check_solutions(rows: Sequence[Row], path: str) -> None:
    """Refuse rows that are no solutions, before anything is loaded.

    Raises:
        ConfigError: One has no prompt or no completion, or there are none.
    """
    if not rows:
        raise ConfigError(f"{path} has no rows")
    for number, row in enumerate(rows):
        for name in ("prompt", "completion"):
            if not isinstance(row.get(name), str | list):
                raise ConfigError(
                    f"row {number} of {path} has no {name!r}; solutions are lines with the prompt that the "
                    "model saw and its completion, as verify-train sample writes them"
                )
