"""Candidates of a selection, and training data from judged completions.

Rejection sampling, STaR, preference pairs, best-of-N.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import field
from math import fsum
from typing import Any, Literal

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.language.normalization import clean
from reward_verifiers.verifiers.runtime.records import dataclass

TINY = 1e-9
"""By which differences of scores are too small or too large for no other reason than that they are binary."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judged completion of a prompt.

    Args:
        completion: A string or chat messages.
        outcome: Verdict on the answer, right or graded, never a shaped sum; None if it is unscored.
        reward: Its reward; None if it has none.
        length: In tokens if they were counted, else in characters.
        answer: Extracted answer.
        judge: The name of the verifier that took it.
        accepted: Whether it meets whatever else is asked, such as the format.
        graded: The outcome is a grade, as a judge or a metric gives it: a higher one is better, and none is
            right. Otherwise an answer is right or it is not.
        pass_at: The least outcome that is right.
        hinted: The prompt gave the answer away (STaR). Never counts as a pass.
        row: Its row.
    """

    completion: Any
    outcome: float | None
    reward: float | None = None
    length: int = 0
    answer: str | None = None
    judge: str = ""
    accepted: bool = True
    graded: bool = False
    pass_at: float = 1.0
    hinted: bool = False
    row: Mapping[str, Any] = field(default_factory=dict)

    @property
    def right(self) -> bool:
        """Whether the answer is right, entirely so unless `pass_at` says less; hinted or not."""
        return self.outcome is not None and self.outcome >= self.pass_at - TINY

    @property
    def passed(self) -> bool:
        """Whether the model found the right answer by itself."""
        return self.right and not self.hinted

    @property
    def wrong(self) -> bool:
        """Whether the answer was judged, and is not right."""
        return self.outcome is not None and not self.right

    def same_text(self) -> str:
        """Return a text that is the same for completions that say the same."""
        return clean(
            self.completion if isinstance(self.completion, str) else repr(self.completion)
        ).casefold()


def pass_rate(group: list[Candidate]) -> float | None:
    """Return the share of judged completions that pass, or of grades their mean, without hinted ones.

    None if there are none.
    """
    judged = [each for each in group if each.outcome is not None and not each.hinted]
    passed = [(each.outcome or 0.0) if each.graded else float(each.passed) for each in judged]
    return fsum(passed) / len(judged) if judged else None


Prefer = Literal["shortest", "best", "first", "random"]


Pairing = Literal["length", "reward"]
Measure = Literal["reward", "outcome"]
"""What says which of two completions is better: what they are paid, or the verdict on the answer."""


def best_of_n(group: Sequence[Candidate], by: Measure = "reward") -> Candidate | None:
    """Return the completion with the highest reward, first of equals; None without an unhinted paid one.

    Args:
        group: The completions of a prompt.
        by: "outcome" for the one with the highest outcome.

    >>> best_of_n([Candidate("a", 0.0, 0.1), Candidate("b", 1.0, 1.1)]).completion
    'b'
    """
    paid = [each for each in group if _value(each, by) is not None and not each.hinted]
    return max(paid, key=lambda each: _value(each, by) or 0.0, default=None)


def rejection_sample(
    group: Sequence[Candidate],
    per_prompt: int = 1,
    prefer: Prefer = "shortest",
    dedupe: bool = True,
    seed: int = 0,
) -> list[Candidate]:
    """Return right completions, for supervised training (RFT: Yuan et al., arXiv:2308.01825).

    Of graded ones those with the highest grades, unless that is 0: none is right, but some are better.

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
    own = [each for each in group if each.accepted and not each.hinted]
    good = [each for each in own if (each.graded and (each.outcome or 0.0) > 0.0) or each.passed]
    return _chosen(good, per_prompt, prefer, dedupe, seed)


def star_sample(
    group: Sequence[Candidate],
    per_prompt: int = 1,
    prefer: Prefer = "shortest",
    dedupe: bool = True,
    seed: int = 0,
) -> list[Candidate]:
    """Return right completions of a prompt, hinted ones only where no other is right.

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
    pairing: Pairing = "length",
    margin: float = 0.0,
    by: Measure = "reward",
) -> list[tuple[Candidate, Candidate]]:
    """Return pairs of a right and a wrong completion, for DPO (Rafailov et al., arXiv:2305.18290).

    Of graded completions the one with the higher grade is chosen, and `margin` is the least difference in
    grade. A completion that could not be judged is on neither side, and none is in two pairs.

    Args:
        group: The completions of a prompt.
        per_prompt: At most this many pairs.
        pairing: By "length": the pairs that differ least in it, so that length is not what is learned; or
            by "reward": the best paid right one with the worst paid wrong one.
        margin: The least difference in what `by` names.
        by: Quantity behind "reward" and `margin`; for graded completions always the outcome.

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
        if _better(group[chosen], group[rejected], margin, by)
    ]
    if pairing == "length":
        possible.sort(key=lambda pair: abs(group[pair[0]].length - group[pair[1]].length))
    else:
        possible.sort(key=lambda pair: -_gap(group[pair[0]], group[pair[1]], by))
    taken: set[int] = set()
    pairs: list[tuple[Candidate, Candidate]] = []
    for chosen, rejected in possible:
        if len(pairs) < per_prompt and not {chosen, rejected} & taken:
            taken |= {chosen, rejected}
            pairs.append((group[chosen], group[rejected]))
    return pairs


def _better(chosen: Candidate, rejected: Candidate, margin: float, by: Measure) -> bool:
    if chosen.hinted or rejected.hinted or not chosen.accepted:
        return False
    if chosen.outcome is None or rejected.outcome is None:
        return False
    differs = chosen.outcome > rejected.outcome if chosen.graded else chosen.right and rejected.wrong
    return differs and _gap(chosen, rejected, by) >= margin - TINY


def _gap(chosen: Candidate, rejected: Candidate, by: Measure) -> float:
    by = "outcome" if chosen.graded else by
    return (_value(chosen, by) or 0.0) - (_value(rejected, by) or 0.0)


def _value(each: Candidate, by: Measure) -> float | None:
    return each.outcome if by == "outcome" else each.reward


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
    # Sorting is stable: of equal grades the preferred ones come first.
    right = sorted(right, key=lambda each: -(each.outcome or 0.0) if each.graded else 0.0)
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
