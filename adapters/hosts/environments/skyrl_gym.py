"""SkyRL-gym: an environment that pays a recipe.

    from skyrl_gym.envs import register
    from reward_verifiers.adapters.hosts.environments.skyrl_gym import skyrl_environment

    register(id="sums", entry_point=skyrl_environment("gsm8k_tags"))

and ``environment.env_class=sums``, or ``env_class`` in the rows. `skyrl_masking` leaves rows without a reward
out of what SkyRL's trainer learns from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from reward_verifiers.rewards import Payment, Reward
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, reference_column

from ..host import Host, Need, needs_of, reward_of
from ..row_calls import RowCalls
from ..unscored import Policy

SKYRL_GYM = Host(
    "SkyRL-gym",
    frozenset({Need.PROMPT, Need.MESSAGES}),
    ("zero", "raise"),
    cures={Need.GROUP: "an environment sees one trajectory; use a reward that judges each by itself"},
)


class RecipeSteps:
    """Mixin that `skyrl_environment` adds to SkyRL-gym's own class.

    The episode ends with the first completion, unless a subclass has something to say to it: see `observe`.

    Args:
        env_config: SkyRL's configuration of the environment; not read.
        extras: The columns of the data's row, as SkyRL passes them.

    Raises:
        ConfigError: The row lacks a column that the reward reads, and no row before had it.
    """

    calls: ClassVar[RowCalls]
    known: ClassVar[bool] = False
    """Whether a row had all columns: after that one that lacks some is a row without a reward."""

    def __init__(self, env_config: Any = None, extras: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        extras = extras or {}
        self.turns = 0
        self.max_turns = int(extras.get("max_turns") or 1)
        self.row = _row(extras, self.calls, known=self.known)
        type(self).known = True
        self.messages: list[Mapping[str, Any]] = []
        self.payment: Payment | None = None

    def init(self, prompt: Any) -> tuple[Any, dict[str, Any]]:
        """Begin an episode with the prompt as it is; rewards that read the question get it, too."""
        self.turns, self.messages, self.payment = 0, [], None
        self.row["prompt"] = prompt
        return prompt, {}

    def observe(self, action: str) -> str | None:
        """Return the environment's reply, after which another completion follows; None, as here, to end."""
        return None

    def step(self, action: str) -> dict[str, Any]:
        """Pay the completion, or say something to it and pay nothing yet."""
        self.turns += 1
        said = self.observe(action) if self.turns < self.max_turns else None
        self.messages.append({"role": "assistant", "content": action})
        if said is not None:
            observation = {"role": "user", "content": said}
            self.messages.append(observation)
            return {"observations": [observation], "reward": 0.0, "done": False, "metadata": {}}
        completion = action if self.turns == 1 else self.messages
        [self.payment] = self.calls.rows([completion], [self.row])
        [reward] = self.calls.settled([self.payment]).values
        return {"observations": [], "reward": reward, "done": True, "metadata": self.get_metrics()}

    def get_metrics(self) -> dict[str, float]:
        """Return the parts of the payment as floats, under the same names for every row; none before it."""
        return {} if self.payment is None else self.calls.logs.row(self.payment)

    @staticmethod
    def aggregate_metrics(metrics: Sequence[Mapping[str, float]]) -> dict[str, float]:
        """Return the means that SkyRL logs as ``environment/NAME``: of a part, over the rows that have it."""
        paid = [each for each in metrics if each]
        if not paid:
            return {}
        means = {name: sum(each[name] for each in paid) / len(paid) for name in paid[0]}
        for name in means:
            share = means.get(f"{name}/judged", 0.0)
            if share:
                means[name] /= share
        return means


def skyrl_environment(
    recipe: str | Path | Reward,
    *,
    columns: Mapping[str, str] | None = None,
    unscored: Policy | None = None,
    progress: float | None = None,
) -> type[Any]:
    """Return a class of environments that pay a recipe, for SkyRL-gym's `register`.

    Rows of environments that step at the same time are judged together.

    Args:
        recipe: A recipe's name or file, or a reward.
        columns: The reward's columns by the names that the rows have, as in ``{"answer": "solution"}``. By
            default ``reward_spec.ground_truth`` is the answer, if a row has it.
        unscored: Policy for rows without a reward: "zero" (by default), with ``unscored`` counted in the
            metrics, or "raise".
        progress: The progress at which schedules are read; SkyRL-gym does not say how far training is.

    Raises:
        ConfigError: The reward cannot be paid in SkyRL-gym; the message has the cure.
        ImportError: SkyRL-gym is not installed.
    """
    from skyrl_gym.envs.base_text_env import BaseTextEnv

    calls = RowCalls(reward_of(recipe), SKYRL_GYM, unscored, columns=columns, progress=progress)
    return type(
        "RecipeEnvironment", (RecipeSteps, BaseTextEnv), {"calls": calls, "__doc__": RecipeSteps.__doc__}
    )


def _row(extras: Mapping[str, Any], calls: RowCalls, *, known: bool) -> dict[str, Any]:
    """Return the columns of a row of SkyRL's: its own, those in ``extra_info``, and the reference.

    Raises:
        ConfigError: A column that the reward reads is not among them, and the columns are not `known`.
    """
    spec, info = extras.get("reward_spec"), extras.get("extra_info")
    row = {**(info if isinstance(info, Mapping) else {}), **extras}
    if isinstance(spec, Mapping) and "ground_truth" in spec and REFERENCE not in calls.columns:
        row[REFERENCE] = spec["ground_truth"]
    for name in needs_of(calls.reward).columns:
        wanted = calls.columns.get(name, name)
        found = reference_column(row, _CURE) if wanted == REFERENCE else wanted
        if known and found not in row:
            row[wanted] = None
        elif found is None or found not in row:
            raise ConfigError(
                f"{calls.reward.describe()} reads {wanted!r}, and the row has no such column"
                f"{nearest(wanted, row)}; {_CURE}"
            )
        else:
            row[wanted] = row[found]
    return row


_CURE = "put the reference into reward_spec.ground_truth, or name its column: columns={'answer': 'solution'}"
