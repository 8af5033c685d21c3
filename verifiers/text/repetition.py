"""The completion does not say the same thing over and over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from ..core.checks import Range
from ..core.verdicts import Sample, TextPart, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..language.normalization import clean
from ..language.running_text import UNSPACED
from ..runtime.patterns import lazy

MAX_WORD = 24
"""Characters of the longest word that counts as one: text without spaces must not pass as one long word."""
MAX_N = 50
"""Longest n-gram: time and memory grow with it."""
MAX_CHARS = 200_000
"""Characters that are looked at; what repeats itself does so long before."""
_FIRST = 0x10000
"""Where the characters begin that stand for units; there are five times as many as units can be."""
# Han, kana and Thai are written without spaces, so each character is a unit.
_UNIT = lazy(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Repetition(Verifier):
    """Share of distinct n-grams: 1.0 without repetition, near 0.0 in a loop.

    It is the measure of the repetition penalty of Yeo et al., arXiv:2502.03373 (their penalty is
    ``Pay(Repetition()).penalty(size)``). Long texts repeat some n-grams without being loops, so small
    deductions are normal.

    Args:
        n: Units per n-gram.
        unit: ``words`` (split at white space; characters in scripts without spaces, and in words above 24),
            ``characters``, or ``tokens`` (the model's, from a trainer's column ``completion_ids``; of the
            whole completion only).
        of: Judged text: the ``completion``, its ``response``, or its ``thinking``.

    Raises:
        ConfigError: n is out of range, the unit or part is unknown, or the unit is tokens and `of` is a part.

    >>> Repetition(n=2).verify("so it is so it is so it is").score
    0.375
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "distinct": "no n-gram occurs twice",
        "repeated": "some n-grams occur more than once",
        "short": "fewer units than an n-gram has",
        "no_tokens": "the row has no list of token ids in completion_ids",
    }
    needs_reference: ClassVar[bool] = False

    n: Annotated[int, Range(1, MAX_N)] = 3
    unit: Literal["words", "characters", "tokens"] = "words"
    of: TextPart = "completion"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unit == "tokens" and self.of != "completion":
            raise ConfigError(
                f"Repetition: tokens are known of the whole completion only, not of {self.of!r}"
            )

    def check(self, sample: Sample) -> Verdict:
        units: str | list[object]
        if self.unit == "tokens":
            ids: Any = sample.fields.get("completion_ids")
            ids = ids.tolist() if hasattr(ids, "tolist") else ids  # an array or tensor
            if not isinstance(ids, Sequence) or not all(isinstance(each, int) for each in ids):
                return self.unscored("no_tokens", f"no list of ids: {type(ids).__name__}")
            units = list(ids[:MAX_CHARS])
        else:
            text = clean(getattr(sample, self.of)[:MAX_CHARS]).casefold()
            units = list(_units(text)) if self.unit == "words" else text
        total = len(units) - self.n + 1
        if total < 1:
            return self.scored(1.0, "short")
        if not isinstance(units, str):
            # Every unit as one character, so that an n-gram is a slice and no tuple.
            known: dict[object, str] = {}
            units = "".join([known.setdefault(unit, chr(_FIRST + len(known))) for unit in units])
        grams = {units[start : start + self.n] for start in range(total)}
        share = len(grams) / total
        detail = f"{len(grams)} different {self.n}-grams of {total}"
        return self.scored(share, "distinct" if share == 1.0 else "repeated", detail)

    def fields_read(self) -> tuple[str, ...] | None:
        return self.columns_needed()

    def columns_needed(self) -> tuple[str, ...]:
        return ("completion_ids",) if self.unit == "tokens" else ()


def _units(text: str) -> Iterator[str]:
    for unit in _UNIT.findall(text):
        if len(unit) <= MAX_WORD:
            yield unit
        else:
            yield from unit
