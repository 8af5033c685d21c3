"""Rewards in ms-swift's GRPO (``swift rlhf --rlhf_type grpo``), as reward functions that it knows by name.

A preset needs no code, a recipe of one's own a plug-in file of two lines for ``--external_plugins``::

    swift rlhf --rlhf_type grpo $(python -m adapters.hosts.trainers.ms_swift gsm8k_tags) ...

    from reward_verifiers.adapters.hosts.trainers.ms_swift import register
    register("mine.yaml")  # --reward_funcs mine mine.unscored --reward_weights 1 0

ms-swift pays a row without a reward 0, as if it were wrong, so such a row gets the mean of its group.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from reward_verifiers.rewards import Reward, VerdictCache, load_recipe, preset_names
from reward_verifiers.verifiers import ConfigError

from ..contract.needs import Need
from ..contract.row_logs import FAULT, UNSCORED
from ..contract.unscored import Policy
from ..shared_payments import OnFault
from .swift_batches import SWIFT, UNGROUPED, SwiftBatches
from .trl import trl_reward_weights, weighted_terms

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
        """One number for each completion; None only in columns that weigh nothing."""
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
    """Classes for ms-swift's ``orms`` by their names: the total, then what is only logged.

    These are ``NAME.PART`` for each part, ``NAME.unscored`` and ``NAME.fault`` (1 for a row without a reward,
    and for one that has none because something broke). A batch is judged once for all of them.

    Args:
        recipe: A preset's name, a recipe file, or a reward.
        name: What ms-swift calls it; by default the preset's, the file's or the reward's name.
        weighted: Export the terms of a plain weighted sum instead of the total, for ``--scale_rewards gdpo``.
        unscored: What is done about a row without a reward; by default ``group_mean``.
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
    """The total alone, for ``orms["mine"] = ...`` in a plug-in file.

    Args:
        recipe: As for `recipe_orms`.
        name: As for `recipe_orms`.
        options: As for `recipe_orms`.
    """
    return next(iter(recipe_orms(recipe, name, **options).values()))


def register(recipe: str | Path | Reward, name: str | None = None, **options: Any) -> list[str]:
    """Make a recipe known to ms-swift; the names for ``--reward_funcs``.

    Args:
        recipe: As for `recipe_orms`.
        name: As for `recipe_orms`.
        options: As for `recipe_orms`.

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
    """``--reward_weights`` for all names of a recipe: 1 for the total, 0 for what is only logged.

    Args:
        recipe: As for `recipe_orms`.
        weighted: As for `recipe_orms`.
    """
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
