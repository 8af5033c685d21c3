"""What a host offers, and whether a reward can be paid there: asked at the start, never found out later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers import ConfigError

from .needs import Need, needs_of
from .unscored import POLICIES, Policy

CURES: Mapping[Need, str] = {
    Need.GROUP: "use a reward that judges each completion by itself, or a host that passes whole groups",
    Need.TOKENS: "measure lengths with unit='characters' or unit='words', or use a host that passes tokens",
    Need.PROGRESS: "write a number in place of the schedule, or name the progress at which it is read",
    Need.PROMPT: "use a reward that does not read the question, or a host that passes it",
    Need.MESSAGES: "use a reward that reads the completion alone, or a host that passes conversations",
}
"""What helps where a host lacks something, unless the host knows better."""


@dataclass(frozen=True)
class Host:
    """A program that calls rewards, or one of its ways to call them.

    Args:
        name: What messages call it.
        offers: What it has besides completions and the data's columns.
        unscored: What it can do about a row without a reward; the first is the default.
        columns: The data's columns that arrive; None for all of them.
        cures: What helps where it lacks something, for people who use it.

    Raises:
        ConfigError: No policy, an unknown one, or a mean of groups without groups.

    >>> from rewards import load_recipe
    >>> Host("a trainer", frozenset(), ("zero",)).refusals(load_recipe("gsm8k_tags"))
    []
    """

    name: str
    offers: frozenset[Need]
    unscored: tuple[Policy, ...]
    columns: frozenset[str] | None = None
    cures: Mapping[Need, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.unscored or not set(self.unscored) <= set(POLICIES):
            raise ConfigError(f"{self.name}: unscored is some of {', '.join(POLICIES)}, got {self.unscored}")
        if "group_mean" in self.unscored and Need.GROUP not in self.offers:
            raise ConfigError(f"{self.name}: the mean of a group needs a host that passes groups")

    def refusals(self, reward: Reward, *, progress: float | None = None) -> list[str]:
        """Why a reward cannot be paid here, a sentence for each reason, with the cure.

        Args:
            reward: What pays.
            progress: The progress at which schedules are read, where the user has said so.
        """
        needs = needs_of(reward)
        lacking = {
            need: who
            for need, who in needs.features.items()
            if need not in self.offers and not (need is Need.PROGRESS and progress is not None)
        }
        found = [
            f"{who} needs the {need.value}, which {self.name} does not pass: {self._cure(need)}"
            for need, who in lacking.items()
        ]
        if self.columns is not None:
            missing = [column for column in needs.columns if column not in self.columns]
            if missing:
                arriving = ", ".join(sorted(self.columns)) or "no columns"
                found.append(
                    f"the reward reads {', '.join(missing)}, and {self.name} passes {arriving}: "
                    "put what is missing into one of these, or use a host that passes the data's columns"
                )
        return found

    def check(self, reward: Reward, *, progress: float | None = None) -> None:
        """Refuse a reward that cannot be paid here.

        Args:
            reward: What pays.
            progress: As for `refusals`.

        Raises:
            ConfigError: It cannot; the message has the cure.
        """
        found = self.refusals(reward, progress=progress)
        if found:
            raise ConfigError("; ".join(found))

    def policy(self, asked: Policy | None = None) -> Policy:
        """What is done about a row without a reward.

        Raises:
            ConfigError: The host cannot do that.
        """
        if asked is None:
            return self.unscored[0]
        if asked not in self.unscored:
            raise ConfigError(
                f"{self.name} cannot {asked!r} a row without a reward; choose one of "
                + ", ".join(self.unscored)
            )
        return asked

    def _cure(self, need: Need) -> str:
        return self.cures.get(need, CURES[need])
