"""Preferences of a judge among the completions of a prompt (RLAIF: Lee et al., arXiv:2309.00267)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from reward_verifiers import verifiers
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import deferred

if TYPE_CHECKING:
    from reward_verifiers.verifiers import Judge

    from ..tree.reward import Reward

_JUDGING = deferred("reward_verifiers.verifiers.judge.pairwise_judge")  # for few who choose among completions
How = Literal["pairs", "list"]


@dataclass(frozen=True, slots=True)
class Preference:
    """One completion of a prompt is better than another.

    Args:
        chosen: The place of the better one.
        rejected: That of the worse one.
        margin: Certainty or distance, in (0, 1].
    """

    chosen: int
    rejected: int
    margin: float


def preferences(
    judge: Judge,
    completions: Sequence[object],
    prompt: object = "",
    *,
    how: How = "pairs",
    per_prompt: int = 1,
    margin: float = 0.0,
    asked: int | None = None,
    seed: int = 0,
) -> list[Preference]:
    """Return a judge's preferences in both orders: ties and contradictions are none.

    Args:
        judge: A served judge.
        completions: Completions of one prompt.
        prompt: The question.
        how: "pairs": two at a time. "list": all at once, and in reverse: fewer calls, for judges that can.
        per_prompt: At most this many; no completion is in two of them.
        margin: The least margin.
        asked: For "pairs": how many pairs the judge is asked about, by lot; None for all.
        seed: For the lot.

    Raises:
        ConfigError: The judge is not served, or per_prompt is below 1.
    """
    if per_prompt < 1:
        raise ConfigError(f"preferences: per_prompt must be at least 1, got {per_prompt}")
    if len(completions) < 2:
        return []
    if how == "list":
        found = [Preference(*each) for each in _JUDGING.rank(judge, completions, prompt)]
    else:
        found = _by_pairs(judge, completions, prompt, asked, seed)
    taken: set[int] = set()
    kept: list[Preference] = []
    for each in sorted(found, key=lambda each: -each.margin):
        if len(kept) < per_prompt and each.margin >= margin and not {each.chosen, each.rejected} & taken:
            taken |= {each.chosen, each.rejected}
            kept.append(each)
    return kept


def served_judge(reward: Reward) -> Judge:
    """Return the judge of a reward that has one, as a recipe names it.

    Raises:
        ConfigError: It has none that is served, or several.
    """
    found = [each for each in reward.verifiers() if isinstance(each, verifiers.Judge) and each.url]
    if len(found) != 1:
        raise ConfigError(f"a recipe with one Judge that has a url is needed; {len(found)} are in {reward}")
    return found[0]


def _by_pairs(
    judge: Judge, completions: Sequence[object], prompt: object, asked: int | None, seed: int
) -> list[Preference]:
    places = list(combinations(range(len(completions)), 2))
    if asked is not None and asked < len(places):
        places = sorted(random.Random(f"{seed}{prompt!r}").sample(places, asked))  # noqa: S311
    pairs = [(completions[one], completions[other]) for one, other in places]
    made = []
    for (one, other), found in zip(
        places, _JUDGING.compare(judge, pairs, [prompt] * len(pairs)), strict=True
    ):
        if found.better in ("first", "second"):
            chosen, rejected = (one, other) if found.better == "first" else (other, one)
            made.append(Preference(chosen, rejected, found.margin))
    return made
