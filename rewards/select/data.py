"""Training data from judged completions: rejection sampling, STaR, preference pairs, best-of-N."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from verifiers import ConfigError

from .candidates import Candidate

Prefer = Literal["shortest", "best", "first", "random"]


def best_of_n(group: Sequence[Candidate]) -> Candidate | None:
    """The completion that is paid most; of equals the first. None if none could be paid without a hint.

    >>> best_of_n([Candidate("a", 0.0, 0.1), Candidate("b", 1.0, 1.1)]).completion
    'b'
    """
    paid = [each for each in group if each.reward is not None and not each.hinted]
    return max(paid, key=lambda each: each.reward or 0.0, default=None)


def rejection_sample(
    group: Sequence[Candidate],
    per_prompt: int = 1,
    prefer: Prefer = "shortest",
    dedupe: bool = True,
    seed: int = 0,
) -> list[Candidate]:
    """Right completions of a prompt, for supervised training (RFT: Yuan et al., arXiv:2308.01825).

    Args:
        group: The completions of a prompt.
        per_prompt: At most this many, so that easy prompts do not fill the data.
        prefer: The "shortest" right ones, the "best" paid, the "first", or a "random" choice.
        dedupe: Take a text once, whatever its white space and case.
        seed: For the random choice.

    Raises:
        ConfigError: per_prompt below 1, or an unknown preference.

    >>> group = [Candidate("4, since 2+2", 1.0, length=12), Candidate("4", 1.0, length=1)]
    >>> rejection_sample(group)[0].completion
    '4'
    """
    return _chosen(
        [each for each in group if each.passed and each.accepted], per_prompt, prefer, dedupe, seed
    )


def star_sample(
    group: Sequence[Candidate],
    per_prompt: int = 1,
    prefer: Prefer = "shortest",
    dedupe: bool = True,
    seed: int = 0,
) -> list[Candidate]:
    """Right completions of a prompt; those of hinted prompts only where no other is right.

    STaR: Zelikman et al., arXiv:2203.14465: a model that fails is shown the answer, and learns from the
    reasoning that leads there. Such rows stay marked (`Candidate.hinted`), and never count as passes.

    Args:
        group: The completions of a prompt, hinted ones among them.
        per_prompt: As for `rejection_sample`.
        prefer: As for `rejection_sample`.
        dedupe: As for `rejection_sample`.
        seed: As for `rejection_sample`.

    >>> [each.hinted for each in star_sample([Candidate("5", 0.0), Candidate("4", 1.0, hinted=True)])]
    [True]
    """
    own = rejection_sample(group, per_prompt, prefer, dedupe, seed)
    hinted = [each for each in group if each.right and each.hinted and each.accepted]
    return own or _chosen(hinted, per_prompt, prefer, dedupe, seed)


def preference_pairs(
    group: Sequence[Candidate],
    per_prompt: int = 1,
    pairing: Literal["length", "reward"] = "length",
    margin: float = 0.0,
) -> list[tuple[Candidate, Candidate]]:
    """Pairs of a right and a wrong completion of a prompt, for DPO (Rafailov et al., arXiv:2305.18290).

    A completion that could not be judged is on neither side, and none is in two pairs.

    Args:
        group: The completions of a prompt.
        per_prompt: At most this many pairs.
        pairing: By "length": the pairs that differ least in it, so that length is not what is learned; or
            by "reward": the best paid right one with the worst paid wrong one.
        margin: The least difference in reward.

    Raises:
        ConfigError: per_prompt below 1, or an unknown pairing.

    >>> group = [Candidate("4", 1.0, 1.0, 1), Candidate("it is 5", 0.0, 0.0, 7), Candidate("5", 0.0, 0.0, 1)]
    >>> [(chosen.completion, rejected.completion) for chosen, rejected in preference_pairs(group)]
    [('4', '5')]
    """
    _check(per_prompt)
    if pairing not in ("length", "reward"):
        raise ConfigError(f"preference_pairs: pairing must be 'length' or 'reward', got {pairing!r}")
    possible = [
        (chosen, rejected)
        for chosen in range(len(group))
        for rejected in range(len(group))
        if group[chosen].passed and group[chosen].accepted and group[rejected].wrong
        and not group[rejected].hinted and _gap(group[chosen], group[rejected]) >= margin
    ]  # fmt: skip
    if pairing == "length":
        possible.sort(key=lambda pair: abs(group[pair[0]].length - group[pair[1]].length))
    else:
        possible.sort(key=lambda pair: -_gap(group[pair[0]], group[pair[1]]))
    taken: set[int] = set()
    pairs: list[tuple[Candidate, Candidate]] = []
    for chosen, rejected in possible:
        if len(pairs) < per_prompt and not {chosen, rejected} & taken:
            taken |= {chosen, rejected}
            pairs.append((group[chosen], group[rejected]))
    return pairs


def _gap(chosen: Candidate, rejected: Candidate) -> float:
    return (chosen.reward or 0.0) - (rejected.reward or 0.0)


def _chosen(
    right: list[Candidate], per_prompt: int, prefer: Prefer, dedupe: bool, seed: int
) -> list[Candidate]:
    _check(per_prompt)
    if prefer == "shortest":
        right = sorted(right, key=lambda each: each.length)
    elif prefer == "best":
        right = sorted(right, key=lambda each: -(each.reward or 0.0))
    elif prefer == "random":
        # The group's own texts seed it too: the choice does not depend on the groups before.
        right = random.Random(f"{seed}{[each.same_text() for each in right]}").sample(right, len(right))  # noqa: S311
    elif prefer != "first":
        raise ConfigError(f"prefer must be 'shortest', 'best', 'first' or 'random', got {prefer!r}")
    seen: set[str] = set()
    chosen: list[Candidate] = []
    for each in right:
        text = each.same_text() if dedupe else ""
        if text and text in seen:
            continue
        seen.add(text)
        chosen.append(each)
    return chosen[:per_prompt]


def _check(per_prompt: int) -> None:
    if isinstance(per_prompt, bool) or not isinstance(per_prompt, int) or per_prompt < 1:
        raise ConfigError(f"per_prompt must be a whole number from 1, got {per_prompt!r}")
