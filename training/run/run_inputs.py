"""What every stage begins with: the tokenizer, the rows, the rewards. Whatever can be wrong is found here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers import ConfigError

from ..config import Data, RunConfig
from ..config.trainer_options import prompt_limit
from ..data import Row, hold_out, load_rows, same_kind, with_short_prompts, without
from ..environment import main_first
from ..models.model_checks import check_model
from ..models.model_loading import check_template, load_tokenizer
from ..models.model_places import locate
from .reward_recipes import check_columns, outcome_part, reward_of, with_references

NO_DATA = "the key 'data' is missing: {source: FILE, HUB-ID, reasoning_gym:TASK or module:function}"


@dataclass(frozen=True)
class Prepared:
    """A run's rows and rewards.

    Args:
        name: Of the model, as configured; of a server's, if one samples.
        place: What transformers loads the model from.
        tokenizer: The model's.
        train: Rows to train on.
        heldout: Rows to measure with.
        reward: What pays; None where the configuration has none.
        strict: What measures: the evaluation's reward, else the one that pays.
        outcome: The part of `strict` that is the accuracy.
        too_long: Rows of both that were left out for their long prompts.
    """

    name: str
    place: str
    tokenizer: Any
    train: list[Row]
    heldout: list[Row]
    reward: Reward | None
    strict: Reward | None
    outcome: str
    too_long: int = 0

    def told(self) -> str:
        """How many rows there are, and why there are not more."""
        shown = f"{len(self.train):,} rows to train on, {len(self.heldout):,} held out"
        if self.too_long:
            shown += f"; {self.too_long:,} more have prompts beyond trainer.max_prompt_length"
        return shown

    @property
    def chat(self) -> bool:
        """Whether the tokenizer has a chat template."""
        return bool(self.tokenizer.chat_template)


def prepare(config: RunConfig, *, needs_reward: bool, completions: bool = False) -> Prepared:
    """Find the model, read the rows, and build the rewards.

    Args:
        config: The run.
        needs_reward: Whether the stage pays for completions.
        completions: Whether the stage learns completions: they are added to the rows to train on.

    Raises:
        ConfigError: Something is missing or wrong; nothing heavy has been loaded yet.
    """
    reward, strict, outcome = rewards_of(config, needs_reward=needs_reward)
    evaluation = config.evaluation
    if not config.data:
        raise ConfigError(NO_DATA)
    with main_first():
        place = locate(config.model, Path(config.output_dir), config.seed)
    check_model(config.model, place)
    tokenizer = load_tokenizer(config.model, place)
    chat = bool(tokenizer.chat_template)
    train = load_rows(config.data, chat, config.seed, completions=completions)
    if messages := next((row["prompt"] for row in train if not isinstance(row["prompt"], str)), None):
        check_template(tokenizer, config.model, messages)
    if evaluation.data is not None:
        heldout = load_rows(evaluation.data, chat, config.seed)
    else:
        train, heldout = hold_out(train, evaluation.holdout, config.seed)
    heldout = heldout[: evaluation.limit]
    train = without(train, heldout)
    same_kind([*train, *heldout])
    every = len(train) + len(heldout)
    most = prompt_limit(config)
    train, heldout = (with_short_prompts(rows, tokenizer, most) for rows in (train, heldout))
    too_long = every - len(train) - len(heldout)
    train, heldout = (with_references((reward, strict), rows) for rows in (train, heldout))
    if reward is not None:
        check_columns(reward, train if needs_reward else [])
    if strict is not None:
        check_columns(strict, heldout)
    name = (config.sample.server_model or config.model.name) if config.sample.server else config.model.name
    return Prepared(name, place, tokenizer, train, heldout, reward, strict, outcome, too_long)


def rewards_of(config: RunConfig, *, needs_reward: bool) -> tuple[Reward | None, Reward | None, str]:
    """What pays, what measures, and the part of it that is the accuracy.

    Args:
        config: The run.
        needs_reward: Whether the stage pays for completions.

    Raises:
        ConfigError: A recipe is missing or wrong, or has no such part.
    """
    reward = reward_of(config.reward) if needs_reward or config.reward is not None else None
    evaluation = config.evaluation
    strict = reward if evaluation.reward is None else reward_of(evaluation.reward, "evaluation.reward")
    outcome = "" if strict is None else outcome_part(strict, evaluation.outcome, "evaluation.outcome")
    return reward, strict, outcome


def one_source(data: Data | list[Data] | None) -> Data:
    """The first source, whose form is used where a single one is needed."""
    first = data[0] if isinstance(data, list) else data
    assert first is not None  # noqa: S101  (prepare has asked for it)
    return first
