"""Pay for form: shaping by length, and partial credit for tags.

A band of lengths is a verifier: ``0.3 * Pay(Length(100, 2000))``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from reward_verifiers.verifiers.core import ConfigError, Range, TextPart
from reward_verifiers.verifiers.extract.marked_answers import TAG_NAME

from ..tree.batch import Batch
from ..tree.payment import Payment, exact
from ..tree.reward import REWARDS, Reward, check_names
from ..tree.sums import operand

Unit = Literal["characters", "words", "tokens"]

MIN_SCALE = 1e-6
"""The least scale of `LengthTarget`: below it, lengths would be worth numbers that are no longer finite."""


@dataclass(frozen=True, repr=False)
class _ByLength(Reward):
    """A value from the length of the completion, or of a part of it."""

    def pay(self, batch: Batch) -> list[Payment]:
        """See `Reward.pay`.

        Raises:
            ConfigError: Lengths are in tokens, and no column gives them.
        """
        unit, of = self._measure()
        name = self.name
        return [
            Payment(name, None, (), None, f"the number of {unit} is not known", True)
            if length is None
            else Payment(name, self.value(length), (), None, f"{length:,} {unit}", True)
            for length in batch.lengths(of, unit)
        ]

    def needs(self) -> Iterator[str]:
        if self._measure()[0] == "tokens":
            yield "completion_tokens"

    def value(self, length: int) -> float:
        """Return the reward for a length."""
        raise NotImplementedError

    def _measure(self) -> tuple[str, str]:
        return "tokens", "completion"

    def __post_init__(self) -> None:
        super().__post_init__()
        unit, of = self._measure()
        if unit == "tokens" and of != "completion":
            raise ConfigError(
                f"{type(self).__name__}: tokens are counted for the whole completion only, got of={of!r}"
            )


@REWARDS.register
@dataclass(frozen=True, repr=False)
class LengthTarget(_ByLength):
    """Reward lengths near a target: ``-|length - target| / scale``. Use `clip` to set a floor.

    Args:
        target: Desired length.
        scale: Distance from the target that costs 1.
        unit: ``characters``, ``words`` or ``tokens``.
        of: Measured text: the ``completion``, its ``response``, or its ``thinking``.

    Raises:
        ConfigError: The target is below 0, the scale below 1e-6, or the unit is tokens and `of` is a part.

    >>> LengthTarget(500, 1000)(completions=["x" * 300])
    [-0.2]
    """

    target: Annotated[int, Range(least=0)] = 500
    scale: Annotated[float, Range(least=MIN_SCALE)] = 1000.0
    unit: Unit = "characters"
    of: TextPart = "completion"

    def value(self, length: int) -> float:
        """Return the reward for a length."""
        return -abs(length - self.target) / self.scale if length != self.target else 0.0

    def _measure(self) -> tuple[str, str]:
        return self.unit, self.of


@REWARDS.register
@dataclass(frozen=True, repr=False)
class SoftOverlong(_ByLength):
    """Penalise completions that come close to the limit of generation.

    The penalty is 0 up to ``maximum - cache`` tokens, falls linearly to -1 at `maximum`, and stays -1 beyond:
    DAPO's soft overlong punishment (arXiv:2503.14476, equation 13). The length comes from a trainer's
    ``completion_ids`` or from a column ``completion_tokens``.

    Args:
        maximum: Limit of generation, in tokens.
        cache: Number of tokens before the limit in which the penalty grows.

    Raises:
        ConfigError: ``0 < cache <= maximum`` does not hold.

    >>> SoftOverlong(512, 128)(completions=["a", "b", "c"], completion_tokens=[384, 448, 600])
    [0.0, -0.5, -1.0]
    """

    maximum: int
    cache: int

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.cache <= self.maximum:
            raise ConfigError(
                f"SoftOverlong: cache lies between 1 and maximum, got {self.cache} of {self.maximum}"
            )

    def value(self, length: int) -> float:
        """Return the reward for a length."""
        start = self.maximum - self.cache
        if length <= start:
            return 0.0
        return max((start - length) / self.cache, -1.0)


@REWARDS.register
@dataclass(frozen=True, repr=False)
class CosineLength(Reward):
    r"""Reward short right answers more, and punish long wrong answers less.

    Between the ends the curve is half a cosine (Yeo et al., Demystifying Long Chain-of-Thought Reasoning,
    arXiv:2502.03373, section 4). A completion longer than `maximum` gets `exceeded`. The defaults suit
    rewards in [-1, 1]; the paper has 2, 1, -10, 0 and -10.

    Args:
        correct: Reward that tells right from wrong: 1 is right, any other value wrong.
        maximum: Greatest length, in `unit`.
        unit: ``tokens``, ``characters`` or ``words``.
        right_short: Reward of a right answer of length 0.
        right_long: Reward of a right answer of length `maximum`.
        wrong_short: Reward of a wrong answer of length 0.
        wrong_long: Reward of a wrong answer of length `maximum`.
        exceeded: Reward of a longer completion.

    Raises:
        ConfigError: The maximum is below 1, or an end is not finite.

    >>> from rewards import Pay
    >>> from verifiers import ExactMatch
    >>> by_length = CosineLength(Pay(ExactMatch()), 100)
    >>> by_length(["4", "5", "4"], answer=["4"] * 3, completion_tokens=[0, 0, 100])
    [1.0, -1.0, 0.5]
    """

    correct: Reward
    maximum: Annotated[int, Range(least=1)]
    unit: Unit = "tokens"
    right_short: float = 1.0
    right_long: float = 0.5
    wrong_short: float = -1.0
    wrong_long: float = -0.5
    exceeded: float = -1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_names(self.parts())

    @property
    def is_part(self) -> bool:
        return True

    def children(self) -> tuple[Reward, ...]:
        return (self.correct,)

    def needs(self) -> Iterator[str]:
        if self.unit == "tokens":
            yield "completion_tokens"

    def pay(self, batch: Batch) -> list[Payment]:
        return [
            self._row(part, length)
            for part, length in zip(
                batch.pay(self.correct), batch.lengths("completion", self.unit), strict=True
            )
        ]

    def _row(self, part: Payment, length: int | None) -> Payment:
        if part.value is None or length is None:
            note = f"the number of {self.unit} is not known" if length is None else ""
            return part.under(self.name, None, note, logged=True)
        right = part.value >= 1.0
        if length > self.maximum:
            value = self.exceeded
        else:
            short, long = (
                (self.right_short, self.right_long) if right else (self.wrong_short, self.wrong_long)
            )
            value = long + (short - long) * (1.0 + math.cos(math.pi * length / self.maximum)) / 2.0
        note = f"{'right' if right else 'wrong'} in {length:,} {self.unit}, by"
        return Payment(self.name, value, (part,), note=note, logged=True)

    def describe(self) -> str:
        ends = "".join(
            f", {name}={exact(value) if isinstance(value, float) else value}"
            for name, value in self.changed_fields().items()
            if name not in ("correct", "maximum")
        )
        return f"CosineLength({operand(self.correct)}, {self.maximum}{ends})"


@REWARDS.register
@dataclass(frozen=True, repr=False)
class TagCount(Reward):
    """Reward the share of opening and closing tags that occur exactly once (open-r1's tag-count reward).

    It helps a model that never closes a block, but it also rewards scattered tags in any order.
    `TagFormat(partial=True)` rewards complete blocks only.

    Args:
        tags: Tag names.

    Raises:
        ConfigError: There are no tags, tags repeat, or one cannot be a tag name.

    >>> TagCount(("think", "answer"))(completions=["<think>so</think> 4", "<think><think>"])
    [0.5, 0.0]
    """

    tags: tuple[str, ...] = ("think", "answer")

    def __post_init__(self) -> None:
        object.__setattr__(self, "tags", (self.tags,) if isinstance(self.tags, str) else tuple(self.tags))
        super().__post_init__()
        if (
            not self.tags
            or len(set(self.tags)) < len(self.tags)
            or not all(map(TAG_NAME.fullmatch, self.tags))
        ):
            raise ConfigError(f"TagCount: tags are different tag names, got {self.tags}")

    def pay(self, batch: Batch) -> list[Payment]:
        pattern = re.compile("|".join(rf"</?{re.escape(tag)}>" for tag in self.tags))
        return [
            Payment(self.name, None, (), None, "not text", True)
            if text is None
            else self._row(pattern.findall(text))
            for text in batch.texts("completion")
        ]

    def _row(self, found: list[str]) -> Payment:
        once = [tag for tag in found if found.count(tag) == 1] if len(found) < 1000 else []
        value = len(once) / (2 * len(self.tags))
        return Payment(self.name, value, (), None, f"{len(once)} of {2 * len(self.tags)} tags once", True)
