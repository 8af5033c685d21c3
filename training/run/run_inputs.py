"""Inputs of every stage: tokenizer, rows, rewards and generator; errors in them are found here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Reward, load_recipe
from reward_verifiers.rewards.recipe.build import build_recipe
from reward_verifiers.verifiers import ConfigError, Judge
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, reference_column, tell_reference
from reward_verifiers.verifiers.process.step_model import Rating

from ..agent_tools import ToolBackend, given_tools, set_response_template
from ..config import Data, RunConfig
from ..config.trainer_options import prompt_limit
from ..data import QUESTION, Row, hold_out, load_rows, same_kind, with_short_prompts, without
from ..environment import main_first
from ..generation import Backend, Sampling, ServerBackend, TransformersBackend
from ..models.model_loading import check_model, check_template, load_model, load_tokenizer, reader
from ..models.model_places import locate

RESERVED = (
    *("self", "prompt", "prompts", "completion", "completions", "completion_ids", "completion_tokens"),
    *("trainer_state", "log_extra", "log_metric", QUESTION),
)
"""What a trainer passes itself, and what is noted here; a data column of such a name does not replace it."""


def reward_of(recipe: Any, key: str = "reward") -> Reward:
    """Return the reward of a preset, of a file, or of a reward that is written out.

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
    """Return the part that judges correctness: the named one, else the first that reads a reference.

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
    """Return the rows with their references in the column that rewards read.

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
    """Refuse rows that lack a column that a reward reads, before anything is loaded.

    Raises:
        ConfigError: They lack one; the message offers the nearest name.
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
    """Return a note if a model's opinion is the reward and no measure would show its hacking; else "".

    A policy that is optimised against a reward model earns more and more, and from some point on for the
    wrong thing (Gao et al., arXiv:2210.10760). The alarms see that in the distance to a strict measure.
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


NO_DATA = "the key 'data' is missing: {source: FILE, HUB-ID, reasoning_gym:TASK or module:function}"


@dataclass(frozen=True)
class Prepared:
    """A run's rows and rewards.

    Args:
        name: Name of the model, as configured; of a server's, if one samples.
        place: Folder or id from which transformers loads the model.
        tokenizer: The model's.
        train: Rows to train on.
        heldout: Rows to measure with.
        reward: The reward; None if the configuration has none.
        strict: Measure: the evaluation's reward, else the training reward.
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
        """Return the number of rows, and why there are not more, as text."""
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
    """Return the paying reward, the measuring one, and the part of it that is the accuracy.

    Raises:
        ConfigError: A recipe is missing or wrong, or has no such part.
    """
    reward = reward_of(config.reward) if needs_reward or config.reward is not None else None
    evaluation = config.evaluation
    strict = reward if evaluation.reward is None else reward_of(evaluation.reward, "evaluation.reward")
    outcome = "" if strict is None else outcome_part(strict, evaluation.outcome, "evaluation.outcome")
    return reward, strict, outcome


def one_source(data: Data | list[Data] | None) -> Data:
    """Return the first source, whose form is used where a single one is needed."""
    first = data[0] if isinstance(data, list) else data
    assert first is not None  # noqa: S101  (prepare has asked for it)
    return first


def backend_of(config: RunConfig, prepared: Prepared) -> Backend:
    """Return the generator: the configured server, or the model, loaded here."""
    sample = config.sample
    if sample.server is not None:
        return ServerBackend(sample.server, sample.server_model or config.model.name)
    return local_backend(config, prepared)


def local_backend(config: RunConfig, prepared: Prepared, model: Any = None) -> Backend:
    """Return the model in this process, with prompts and readings as in the trainer."""
    backend = TransformersBackend(
        load_model(config.model, prepared.place) if model is None else model,
        prepared.tokenizer,
        batch_size=config.sample.batch_size,
        chat_template_kwargs=config.model.chat_template_kwargs,
        read=reader(config.model, prepared.tokenizer),
    )
    given = given_tools(config)
    if not given.calls or not prepared.chat:
        return backend
    set_response_template(prepared.tokenizer)
    return ToolBackend(backend, given, config.trainer.get("max_tool_calling_iterations"))


def sampling_of(config: RunConfig, k: int | None = None) -> Sampling:
    """Return the settings for sampling completions."""
    sample = config.sample
    tokens = sample.max_tokens or config.trainer.get("max_completion_length") or 512
    return Sampling(
        k=k or sample.k,
        temperature=sample.temperature,
        top_p=sample.top_p,
        top_k=sample.top_k,
        max_tokens=int(tokens),
        stop=tuple(sample.stop),
        seed=config.seed,
    )
