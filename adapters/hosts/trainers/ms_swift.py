"""Rewards in ms-swift's GRPO (``swift rlhf --rlhf_type grpo``), as reward functions that it knows by name.

A preset needs no code, a recipe of one's own a plug-in file of two lines for ``--external_plugins``::

    swift rlhf --rlhf_type grpo $(python -m adapters.hosts.trainers.ms_swift gsm8k_tags) ...

    from reward_verifiers.adapters.hosts.trainers.ms_swift import register
    register("mine.yaml")  # --reward_funcs mine mine.unscored --reward_weights 1 0

ms-swift pays a row without a reward 0, as if it were wrong, so such a row gets the mean of its group.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from reward_verifiers.rewards import Payment, Reward, VerdictCache, load_recipe, preset_names
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.forks import new_lock

from ..host import Host, Need, needs_of
from ..shared_payments import Evaluation, OnFault
from ..unscored import FAULT, UNSCORED, Policy, group_means, handed_over, is_fault, settle, why
from .trl import trl_reward_weights, weighted_terms

SWIFT = Host("ms-swift", frozenset(Need), ("group_mean", "zero", "raise"))
UNGROUPED = replace(
    SWIFT,
    name="ms-swift with these batches",
    offers=SWIFT.offers - {Need.GROUP},
    unscored=("zero", "raise"),
    cures={
        Need.GROUP: "let each process have whole groups: make --per_device_train_batch_size times "
        "--steps_per_generation (or --gradient_accumulation_steps) a multiple of --num_generations, "
        "which is 2 or more"
    },
)
MEANT: Mapping[Policy, str] = {
    "group_mean": "they get the mean of their group",
    "zero": "they are paid 0",
    "raise": "the run ends",
}

_log = logging.getLogger(__name__)


class SwiftBatches:
    """The columns of numbers that ms-swift's reward functions return, computed once for each batch.

    Args:
        reward: The reward.
        terms: Parts that are paid by themselves, instead of the total.
        unscored: Policy for rows without a reward.
        columns: The reward's columns by the names that the rows have.
        cache: Verdicts to keep.
        on_fault: See `Evaluation`.

    Whether processes share groups is known after `begin`: `shares`.
    """

    def __init__(
        self,
        reward: Reward,
        terms: Sequence[str],
        unscored: Policy,
        columns: Mapping[str, str],
        cache: VerdictCache | None,
        on_fault: OnFault,
    ) -> None:
        self.reward, self.total, self._terms, self._unscored = reward, reward.total_name, terms, unscored
        self._evaluation = Evaluation(reward, columns, None, cache, on_fault)
        self._reads_messages = Need.MESSAGES in needs_of(reward).features
        self._sizes: list[int] = []
        self.shares = self._told = False
        self._lock = new_lock()
        self._read: tuple[object, Sequence[object], dict[str, Any]] | None = None
        self._found: tuple[list[Payment], dict[str, list[float | None]]] | None = None

    def begin(self, args: Any) -> None:
        """Store the trainer's arguments.

        Raises:
            ConfigError: The reward compares completions, and no process has whole groups of them.
        """
        size = getattr(args, "num_generations", None)
        if not isinstance(size, int):
            return
        rows: int = getattr(args, "generation_batch_size", None) or size
        self.shares = rows // max(getattr(args, "world_size", 1), 1) % size != 0
        if self.shares or size < 2:
            UNGROUPED.check(self.reward)
        self._evaluation.group_size = size
        self._sizes = [size, getattr(args, "num_generations_eval", None) or size]

    def columns(
        self, completions: Sequence[object], given: Mapping[str, Any]
    ) -> dict[str, list[float | None]]:
        """Return each function's column: totals and terms, parts, and 1 for rows without a reward.

        Args:
            completions: Length N.
            given: Other arguments of ms-swift.

        Raises:
            ConfigError: The set-up cannot work, and has not worked before.
            UnscoredError: The policy is to raise, and a row has no reward.
        """
        with self._lock:
            messages = given.get("messages")
            if self._read is None or messages is None or self._read[0] is not messages:
                self._read = (messages, *self._readable(completions, given))
            _, completions, columns = self._read
        payments = self._evaluation.payments(completions, columns)
        with self._lock:
            if self._found is None or self._found[0] is not payments:
                self._found = (payments, self._columns(payments, columns.get("prompts")))
            return self._found[1]

    # ------------------------------------------------------------------------------------------

    def _readable(
        self, completions: Sequence[object], given: Mapping[str, Any]
    ) -> tuple[Sequence[object], dict[str, Any]]:
        """Return completions and columns by the names that rewards have for them."""
        count = len(completions)
        messages, tokens, infos = (
            _rows(given.get(name), count) for name in ("messages", "response_token_ids", "rollout_infos")
        )
        if messages is None:
            return completions, dict(given)
        tokens, infos = tokens or [None] * count, infos or [None] * count
        starts = [_start(*row) for row in zip(messages, tokens, infos, strict=True)]
        made: dict[str, Any] = {
            "prompts": [said[:start] for said, start in zip(messages, starts, strict=True)],
            "completion_tokens": [_count(ids) for ids in tokens],
        }
        if self._reads_messages:
            completions = [said[start:] for said, start in zip(messages, starts, strict=True)]
        return completions, {**made, **given}

    def _columns(
        self, payments: list[Payment], prompts: Sequence[object] | None
    ) -> dict[str, list[float | None]]:
        found: dict[str, list[float | None]] = {self.total: settle(payments, "mask").values}
        for part in self.reward.part_names():
            if part != self.total:
                found[part] = [_part(each, part) for each in payments]
        found[UNSCORED] = [float(each.value is None) for each in payments]
        found[FAULT] = [float(is_fault(each)) for each in payments]
        self._tell(payments)
        paid = self._terms or [self.total]
        if self._unscored != "group_mean":
            settle(payments, self._unscored)
            return found | {name: [value or 0.0 for value in found[name]] for name in paid}
        if not self.shares and not any(found[UNSCORED]) and not self._terms:
            return found
        keys = self._keys(prompts, len(payments))
        others = self._elsewhere(keys, [found[name] for name in paid])
        for place, name in enumerate(paid):
            elsewhere = [
                pair for keys_of, columns in others for pair in zip(keys_of, columns[place], strict=True)
            ]
            found[name] = [*group_means(found[name], keys, elsewhere)]
        return found

    def _keys(self, prompts: Sequence[object] | None, count: int) -> list[Hashable]:
        """Return a key that the rows of a group share: the prompt and, where one is drawn twice, its turn."""
        if prompts is None:
            raise ConfigError("ms-swift passed no messages, so nobody knows which rows are of one prompt")
        texts = [json.dumps(prompt, default=repr, skipkeys=True) for prompt in prompts]
        for size in () if self.shares else self._sizes:
            blocks = [texts[start : start + size] for start in range(0, count, size)]
            if all(len(block) == size and len(set(block)) == 1 for block in blocks):
                return [row // size for row in range(count)]
        return [*texts]

    def _elsewhere(self, keys: list[Hashable], columns: list[list[float | None]]) -> list[Any]:
        """Gather values of the other processes, where groups are split over several."""
        if not self.shares:
            return []
        import torch.distributed

        if not torch.distributed.is_initialized():
            return []
        rows: list[Any] = [None] * torch.distributed.get_world_size()
        torch.distributed.all_gather_object(rows, (keys, columns))
        return [each for rank, each in enumerate(rows) if rank != torch.distributed.get_rank()]

    def _tell(self, payments: Sequence[Payment]) -> None:
        without = [each for each in payments if each.value is None]
        if without and not self._told:
            self._told = True
            _log.warning(
                "%d of %d rows have no reward (%s): %s; their share is logged as %s",
                *(len(without), len(payments), why(without[0]), MEANT[self._unscored], UNSCORED),
            )


def _part(payment: Payment, name: str) -> float | None:
    value = None if payment.value is None else payment.values().get(name)
    return None if value is None else handed_over(value)


def _rows(values: Any, count: int) -> list[Any] | None:
    return values if isinstance(values, list) and len(values) == count else None


def _count(tokens: Any) -> int | None:
    """Return the number of generated tokens, in one turn or several; None where ms-swift lacks it."""
    if not isinstance(tokens, list) or not tokens:
        return None
    return sum(len(each) if isinstance(each, list) else 1 for each in tokens)


def _start(messages: Sequence[Any], tokens: Any, infos: Any) -> int:
    """Return the end of a conversation's prompt: its first message that was generated in this step."""
    turns = infos.get("num_turns") if isinstance(infos, dict) else None
    if isinstance(tokens, list) and tokens and isinstance(tokens[0], list):
        turns = len(tokens)
    said = [place for place, each in enumerate(messages) if each.get("role") == "assistant"]
    if not said:
        return len(messages)
    return said[-turns] if isinstance(turns, int) and 1 <= turns <= len(said) else said[-1]


PRESETS = Path(__file__).parent / "swift_plugin" / "reward_verifiers_presets.py"
"""A plug-in file that makes every preset known; ms-swift puts its folder on the path."""
LOGGED = (UNSCORED, FAULT)
"""What is counted: 1 for a row without a reward, and for one that has none because something broke."""

OWN = """For a recipe of your own write a plug-in file:
from reward_verifiers.adapters.hosts.trainers.ms_swift import register
register("mine.yaml")"""


class RecipeORM:
    """A recipe, one of its parts or a count, made by `recipe_orms`; ms-swift makes one and calls it.

    Args:
        args: The trainer's arguments, as ms-swift passes them.

    Raises:
        ConfigError: The recipe compares completions, and no process has whole groups.
    """

    batches: ClassVar[SwiftBatches]
    column: ClassVar[str]

    def __init__(self, args: Any = None, **_: Any) -> None:
        self.args = args
        self.batches.begin(args)

    def __call__(self, completions: Sequence[object], **given: Any) -> Any:
        """Return one number for each completion; None only in columns of weight 0."""
        return self.batches.columns(completions, given)[self.column]


class AsyncRecipeORM(RecipeORM):
    """The same as a coroutine function: it works in a thread, alongside other asynchronous rewards."""

    def __init__(self, args: Any = None, **_: Any) -> None:
        super().__init__(args)
        if self.batches.shares:
            # A thread has another GPU for its own than the process, and communication would go astray.
            raise ConfigError(
                "asynchronous=True needs groups that lie within a process, and processes share them here: "
                f"leave it out, or {UNGROUPED.cures[Need.GROUP]}"
            )

    async def __call__(self, completions: Sequence[object], **given: Any) -> Any:
        return await asyncio.to_thread(super().__call__, completions, **given)


def recipe_orms(
    recipe: str | Path | Reward,
    name: str | None = None,
    *,
    weighted: bool = False,
    unscored: Policy | None = None,
    columns: Mapping[str, str] | None = None,
    cache: VerdictCache | None = None,
    asynchronous: bool = False,
    on_fault: OnFault = "stop",
) -> dict[str, type[RecipeORM]]:
    """Return classes for ms-swift's ``orms`` by name: the total, then columns that are only logged.

    These are ``NAME.PART`` for each part, ``NAME.unscored`` and ``NAME.fault`` (1 for a row without a reward,
    and for one that has none because something broke). A batch is judged once for all of them.

    Args:
        recipe: A preset's name, a recipe file, or a reward.
        name: Its name in ms-swift; by default that of the preset, file or reward.
        weighted: Export the terms of a plain weighted sum instead of the total, for ``--scale_rewards gdpo``.
        unscored: Policy for rows without a reward; by default ``group_mean``.
        columns: The data set's columns by the names that the reward has for them.
        cache: Verdicts to keep.
        asynchronous: Make asynchronous functions.
        on_fault: "stop" raises where every row of the first batch breaks in the same way; "mask" goes on.

    Raises:
        ConfigError: The recipe cannot be read, or cannot be paid here.

    >>> list(recipe_orms("gsm8k_tags"))
    ['gsm8k_tags', 'gsm8k_tags.accuracy', 'gsm8k_tags.format', 'gsm8k_tags.unscored', 'gsm8k_tags.fault']
    """
    reward = recipe if isinstance(recipe, Reward) else load_recipe(recipe)
    SWIFT.check(reward)
    own = name or (reward.total_name if isinstance(recipe, Reward) else Path(recipe).stem)
    terms = [term for term, _ in weighted_terms(reward)] if weighted else []
    batches = SwiftBatches(reward, terms, SWIFT.policy(unscored), columns or {}, cache, on_fault)
    logged = [] if weighted else [part for part in reward.part_names() if part != reward.total_name]
    paid = {f"{own}.{term}": term for term in terms} or {own: batches.total}
    base = AsyncRecipeORM if asynchronous else RecipeORM
    found = {**paid, **{f"{own}.{each}": each for each in (*logged, *LOGGED)}}
    if len(found) < len(paid) + len(logged) + len(LOGGED):
        raise ConfigError(
            f"a part is called {' or '.join(LOGGED)}, as the counts are; name it with .named('...')"
        )
    return {
        known: type(known, (base,), {"batches": batches, "column": column, "__module__": __name__})
        for known, column in found.items()
    }


def recipe_orm(recipe: str | Path | Reward, name: str | None = None, **options: Any) -> type[RecipeORM]:
    """Return the total alone of `recipe_orms`, for ``orms["mine"] = ...`` in a plug-in file."""
    return next(iter(recipe_orms(recipe, name, **options).values()))


def register(recipe: str | Path | Reward, name: str | None = None, **options: Any) -> list[str]:
    """Register `recipe_orms` in ms-swift, and return the names for ``--reward_funcs``.

    Raises:
        ConfigError: ms-swift has other reward functions of these names.
    """
    orms = import_module("swift.rewards").orms
    found = recipe_orms(recipe, name, **options)
    taken = [known for known in found if known in orms and not _is_ours(orms[known])]
    if taken:
        raise ConfigError(f"ms-swift has a reward function {taken[0]!r}; register the recipe by another name")
    orms.update(found)
    return list(found)


def reward_weights(recipe: str | Path | Reward, *, weighted: bool = False) -> list[float]:
    """Return ``--reward_weights`` for `recipe_orms`: 1 for the total, 0 for logged columns."""
    reward = recipe if isinstance(recipe, Reward) else load_recipe(recipe)
    return [*trl_reward_weights(reward, weighted=weighted), *(0.0 for _ in LOGGED)]


def _is_ours(known: object) -> bool:
    return isinstance(known, type) and known.__module__ == __name__


def main(arguments: Sequence[str]) -> int:
    """Print the options of ``swift rlhf`` for a preset."""
    if len(arguments) != 1 or arguments[0] not in preset_names():
        print(f"name one preset: {', '.join(preset_names())}. {OWN}", file=sys.stderr)
        return 2
    [preset] = arguments
    weights = (f"{weight:g}" for weight in reward_weights(preset))
    print("--external_plugins", PRESETS, "--reward_funcs", *recipe_orms(preset), "--reward_weights", *weights)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
