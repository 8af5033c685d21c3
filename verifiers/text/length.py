"""The completion's length lies in a band."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from ..core.checks import Range
from ..core.owners import NamedCode, load
from ..core.verdicts import Sample, TextPart, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Length(Verifier):
    """The length of the completion lies in a range.

    Args:
        minimum: Least length, in `unit`.
        maximum: Greatest length, in `unit`; None for no limit.
        unit: ``characters``, ``words`` (split at white space) or ``tokens``.
        of: Measured text: the ``completion``, its ``response``, or its ``thinking``.
        counter: For tokens: import path ``"module:function"`` of a function from text to number. Without it,
            the row's column ``completion_tokens`` counts.

    Raises:
        ConfigError: The range is empty, or the counter cannot be imported.

    >>> Length(minimum=2, maximum=5, unit="words").verify("one two three").reason
    'in_band'
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "in_band": "the length lies in the band",
        "too_short": "shorter than the minimum",
        "too_long": "longer than the maximum",
        "no_token_count": "the row has no completion_tokens and no counter is configured",
    }
    needs_reference: ClassVar[bool] = False

    minimum: Annotated[int, Range(least=0)] = 1
    maximum: Annotated[int, Range(least=0)] | None = None
    unit: Literal["characters", "words", "tokens"] = "characters"
    of: TextPart = "completion"
    counter: NamedCode | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.maximum is not None and self.maximum < self.minimum:
            raise ConfigError(f"Length: the band {self.minimum} to {self.maximum} is empty")
        if self.counter is not None and self.unit != "tokens":
            raise ConfigError(f"Length: a counter counts tokens, but unit is {self.unit!r}")

    def check(self, sample: Sample) -> Verdict:
        length = self._measured(sample)
        if length is None:
            return self.unscored(
                "no_token_count", "give the row a completion_tokens column, or configure counter="
            )
        detail = f"{length} {self.unit}"
        if length < self.minimum:
            return self.scored(0.0, "too_short", f"{detail}, at least {self.minimum}")
        if self.maximum is not None and length > self.maximum:
            return self.scored(0.0, "too_long", f"{detail}, at most {self.maximum}")
        return self.scored(1.0, "in_band", detail)

    def fields_read(self) -> tuple[str, ...] | None:
        return ("completion_tokens",) if self.unit == "tokens" and self.counter is None else ()

    def _measured(self, sample: Sample) -> int | None:
        text: str = getattr(sample, self.of)
        if self.unit == "characters":
            return len(text)
        if self.unit == "words":
            return len(text.split())
        if self.counter is not None:
            return int(load(self.counter)(text))
        count = sample.fields.get("completion_tokens")
        return count if isinstance(count, int) and not isinstance(count, bool) else None
