"""What a run's configuration says of its rewards: the recipe, the part that decides, the columns it reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from reward_verifiers.rewards import Reward, load_recipe
from reward_verifiers.rewards.recipe.build import build_recipe
from reward_verifiers.verifiers import ConfigError, Judge
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, reference_column, tell_reference
from reward_verifiers.verifiers.process.step_model import Rating

from ..config import RunConfig
from ..data import QUESTION, Row

RESERVED = (
    *("self", "prompt", "prompts", "completion", "completions", "completion_ids", "completion_tokens"),
    *("trainer_state", "log_extra", "log_metric", QUESTION),
)
"""What a trainer passes itself, and what is noted here; a data column of such a name does not replace it."""


def reward_of(recipe: Any, key: str = "reward") -> Reward:
    """The reward of a preset, a file, or one that is written out.

    Raises:
        ConfigError: There is none, or it is not a recipe.
    """
    if recipe is None:
        raise ConfigError(f"the key {key!r} is missing: a preset's name, a recipe file, or the reward itself")
    if isinstance(recipe, str):
        return load_recipe(recipe)
    try:
        written = recipe if isinstance(recipe, dict) and "reward" in recipe else {"reward": recipe}
        return build_recipe(written)[0]
    except ConfigError as error:
        path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.path[1:])
        raise ConfigError(f"{key}{path}: {error}") from None


def outcome_part(reward: Reward, wanted: str | None, key: str) -> str:
    """The part that says whether a completion is right: the named one, else the first that reads a reference.

    Raises:
        ConfigError: There is no such part.
    """
    names = reward.part_names()
    if wanted is None:
        reading = (
            name for name, part in reward.parts() if any(each.needs_reference for each in part.verifiers())
        )
        return next(reading, names[0])
    if wanted not in names:
        raise ConfigError(f"{key}: the reward has no part {wanted!r}{nearest(wanted, names)}")
    return wanted


def with_references(rewards: Iterable[Reward | None], rows: Sequence[Row]) -> list[Row]:
    """The rows with their references in the column that rewards read; data may call it otherwise.

    Raises:
        ConfigError: A row has several columns that could hold the reference, and they differ.
    """
    if not any(reward is not None and reward.reads_references() for reward in rewards):
        return list(rows)
    return [_with_reference(row, number) for number, row in enumerate(rows)]


def _with_reference(row: Row, number: int) -> Row:
    try:
        name = reference_column(row, "data.columns: {answer: NAME}")
    except ConfigError as problem:
        raise ConfigError(f"row {number} of the data: {problem}") from None
    if name is None or name == REFERENCE:
        return row
    tell_reference(name)
    return {**row, REFERENCE: row[name]}


def check_columns(reward: Reward, rows: Sequence[Row]) -> None:
    """Refuse rows that lack what a reward reads, before anything is loaded.

    Raises:
        ConfigError: They do; the message offers the nearest name.
    """
    for number, row in enumerate(rows):
        for name in reward.columns_for(row):
            if name not in row and name not in ("completion_tokens", "completion_ids"):
                hint = nearest(name, [each for each in row if each != "prompt"])
                raise ConfigError(
                    f"row {number} of the data has no column {name!r}, which the reward reads{hint} "
                    f"(name it with data.columns, such as {{{name}: solution}})"
                )


def unwatched_opinion(config: RunConfig, reward: Reward) -> str:
    """What to say of a reward that is a model's opinion where nothing would show that it is hacked; else "".

    A policy that is optimised against a reward model is paid more and more, and from some point on for
    something else than what the model was to stand for (Gao et al., arXiv:2210.10760). The alarms see that in
    the distance to a strict measure.
    """
    opinions = {
        type(each).__name__
        for _, part in reward.parts()
        for each in part.verifiers()
        if isinstance(each, Rating | Judge)
    }
    if not opinions or config.evaluation.reward is not None:
        return ""
    return (
        f"note: {', '.join(sorted(opinions))} is a model's opinion, and nothing here would show that it is "
        "being hacked: set evaluation.reward to a strict measure, which the alarms compare it with"
    )
