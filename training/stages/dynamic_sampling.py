"""Dynamic sampling: prompts whose completions are all right, or all wrong, are replaced before the update.

A group without differences has advantage 0 throughout: it costs a generation and teaches nothing (DAPO,
arXiv:2503.14476, section 3.2). What is looked at is the outcome, never the shaped sum, where a length
penalty would make every group differ.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from typing import Any

from reward_verifiers.verifiers import ConfigError

from ..config import DynamicSampling
from ..run.run_inputs import outcome_part
from .policy_rewards import RunRewards


class Dynamic:
    """Mixed into a trainer: generates more groups until a batch is full of informative ones."""

    dynamic: DynamicSampling
    run_rewards: RunRewards
    _replayed: tuple[Any, ...] | None = None

    @staticmethod
    def check(base: type[Any], args: Any, dynamic: DynamicSampling, rewards: RunRewards) -> None:
        """Refuse an impossible configuration before anything is loaded.

        Raises:
            ConfigError: Groups would be split over processes, or this TRL has other insides.
        """
        check_trainer("dynamic_sampling", base, args, ("_generate", "_generate_and_score_completions"))
        if dynamic.outcome is not None:
            outcome_part(rewards.reward, dynamic.outcome, "dynamic_sampling.outcome")

    def _generate(self, prompts: list[Any]) -> Any:
        if self._replayed is not None:
            found, self._replayed = self._replayed, None
            return found
        return super()._generate(prompts)  # type: ignore[misc]

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> Any:
        trainer: Any = self
        if trainer.model.training:
            inputs, self._replayed = self._informative(inputs)
        try:
            return super()._generate_and_score_completions(inputs)  # type: ignore[misc]
        finally:
            self._replayed = None

    def _informative(self, inputs: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], tuple[Any, ...]]:
        """Return a full batch with as many informative groups as were found, and its completions."""
        trainer: Any = self
        size = trainer.num_generations
        wanted = len(inputs) // size
        kept: list[Group] = []
        spare: list[Group] = []
        rounds = 0
        while True:
            generated = super()._generate([each["prompt"] for each in inputs])  # type: ignore[misc]
            for group in groups_of(inputs, generated, [size] * (len(inputs) // size)):
                (kept if self._differs(group) else spare).append(group)
            rounds += 1
            # All processes generate together or not at all: sharded models and servers wait for everyone.
            short = trainer.accelerator.gather(_tensor(wanted - len(kept), trainer)).max().item()
            if short <= 0 or rounds > self.dynamic.rounds:
                break
            inputs = self._others(rounds, short, size)
        trainer._log_metric("dynamic/rounds", float(rounds))
        trainer._log_metric("dynamic/informative", min(len(kept), wanted) / wanted)
        chosen = (kept + spare)[:wanted]
        return [row for group in chosen for row in group.inputs], joined(chosen)

    def _differs(self, group: Group) -> bool:
        started = time.perf_counter()
        try:
            return self._informs(group)
        finally:
            self.run_rewards.seconds += time.perf_counter() - started

    def _informs(self, group: Group) -> bool:
        state = self.state  # type: ignore[attr-defined]
        values = outcomes_of(group, self.run_rewards, state, self.dynamic.outcome, "dynamic_sampling.outcome")
        judged = [value for value in values if value is not None]
        if not judged:
            return False
        mean = sum(judged) / len(judged)
        return len(set(judged)) > 1 and self.dynamic.low < mean < self.dynamic.high

    def _others(self, rounds: int, groups: int, size: int) -> list[dict[str, Any]]:
        """Return more prompts, by the step and the round, so that a resumed run draws the same ones."""
        trainer: Any = self
        # A step may take several generations.
        part = trainer._step % trainer.args.gradient_accumulation_steps
        seed = (trainer.args.seed, trainer.state.global_step, part, rounds, trainer.accelerator.process_index)
        rng = random.Random(repr(seed))  # noqa: S311
        rows = len(trainer.train_dataset)
        if not trainer.args.shuffle_dataset:
            # A curriculum: of the prompts that were open until now.
            done = (trainer.state.global_step + 1) / max(trainer.state.max_steps, 1)
            rows = min(rows, max(groups, round(rows * done)))
        numbers = [rng.randrange(rows) for _ in range(groups)]
        return [dict(trainer.train_dataset[number]) for number in numbers for _ in range(size)]


def check_trainer(key: str, base: type[Any], args: Any, names: Sequence[str], whole: bool = True) -> None:
    """Refuse a trainer whose completions cannot be made before it sees them.

    Args:
        key: Key of the configuration, for the message.
        base: The trainer.
        args: Its options.
        names: Its methods that are called, or replaced.
        whole: Whether each process has to hold whole groups.

    Raises:
        ConfigError: This TRL has other insides, or groups would be split over processes.
    """
    if not all(hasattr(base, name) for name in names):
        raise ConfigError(f"{key}: the installed trl generates in another way; use trl 1.16")
    steps = getattr(args, "steps_per_generation", None) or args.gradient_accumulation_steps
    own = args.per_device_train_batch_size * steps
    if whole and own % args.num_generations:
        raise ConfigError(
            f"{key}: each process must hold whole groups, but it holds {own} completions "
            f"(per_device_train_batch_size x steps_per_generation) and a group has {args.num_generations}"
        )


class Group:
    """The completions of one prompt, and their slice of the trainer's output."""

    def __init__(self, inputs: Sequence[dict[str, Any]], generated: tuple[Any, ...]) -> None:
        self.inputs, self.generated = list(inputs), generated
        # TRL: prompt ids, completion ids, ..., and completions as texts or messages somewhere after them.
        self.completion_ids: list[list[int]] = generated[1]
        self.completions: list[Any] = next(
            each
            for each in generated[2:]
            if isinstance(each, list) and each and (isinstance(each[0], str) or _is_messages(each[0]))
        )


def _is_messages(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def outcomes_of(
    group: Group, run: RunRewards, state: Any, wanted: str | None, key: str
) -> list[float | None]:
    """Return the outcomes of a group's completions.

    Args:
        group: As it was generated.
        run: The run's rewards.
        state: The trainer's.
        wanted: The part of the reward that says so; None for the strict reward's outcome, else the first.
        key: Key of `wanted` in the configuration.
    """
    given = {
        "row": [each["row"] for each in group.inputs],
        "prompts": [each["prompt"] for each in group.inputs],
        "completion_ids": group.completion_ids,
        "trainer_state": state,
    }
    completions = run.texts(group.completions, given)
    if run.strict is not None and wanted is None:
        part, payments = run.outcome, run.measured(completions, given)
    else:
        part = outcome_part(run.reward, wanted, key)
        payments = run.payments(completions, given)
    return [each.values().get(part or "") for each in payments]


def groups_of(
    inputs: Sequence[dict[str, Any]], generated: Sequence[Any], sizes: Sequence[int]
) -> list[Group]:
    """Split generated output by prompt.

    Args:
        inputs: The rows, equal ones side by side.
        generated: As the trainer's ``_generate`` gives it.
        sizes: Number of rows of each prompt.
    """
    count = len(inputs)
    found, start = [], 0
    for size in sizes:
        end = start + size
        own = tuple(_sliced(each, start, end, count) for each in generated)
        found.append(Group(inputs[start:end], own))
        start = end
    return found


def _sliced(value: Any, start: int, end: int, count: int) -> Any:
    """Return some rows of the output for `count` rows; a value that is not one per row stays."""
    if isinstance(value, list) and len(value) == count:
        return value[start:end]
    if isinstance(value, dict):
        return {name: _sliced(each, start, end, count) for name, each in value.items()}
    return value


def joined(groups: Sequence[Group]) -> tuple[Any, ...]:
    """Return the output of `_generate` for all groups, in their order."""
    return tuple(_concatenated(parts) for parts in zip(*(group.generated for group in groups), strict=True))


def _concatenated(parts: Sequence[Any]) -> Any:
    first = parts[0]
    if isinstance(first, list):
        return [each for part in parts for each in part]
    if isinstance(first, dict):
        return {name: _concatenated([part[name] for part in parts]) for name in first}
    return first


def _tensor(value: int, trainer: Any) -> Any:
    import torch

    return torch.tensor([value], device=trainer.accelerator.device)
