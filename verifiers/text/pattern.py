"""A pattern matches the completion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..runtime.packages import require

REGEX_SECONDS = 1.0
"""A pattern that backtracks longer than this over one completion is stopped."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Regex(Verifier):
    r"""The response matches a pattern.

    The pattern is in the syntax of the `regex` package. If a match backtracks for longer than
    `REGEX_SECONDS`, it is stopped and scores 0.0.

    Args:
        pattern: The pattern.
        full: Whether the pattern must match the whole text (stripped), or may match anywhere.
        ignore_case: Whether to fold case.

    Raises:
        ConfigError: There is no pattern, or it does not compile.

    >>> Regex(r"\d{4}-\d{2}-\d{2}").verify("It was on 2024-05-01.").extracted
    '2024-05-01'
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "matched": "the pattern matches",
        "not_matched": "the pattern does not match",
        "timeout": "matching this text takes the pattern too long",
    }
    needs_reference: ClassVar[bool] = False

    pattern: str = ""
    full: bool = False
    ignore_case: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pattern:
            raise ConfigError(
                'Regex needs a pattern, such as Regex("[0-9]+"): without one any text would be paid'
            )
        _compiled(self.pattern, self.ignore_case)

    def check(self, sample: Sample) -> Verdict:
        pattern = _compiled(self.pattern, self.ignore_case)
        match = pattern.fullmatch if self.full else pattern.search
        try:
            found = match(sample.response.strip(), timeout=REGEX_SECONDS)
        except TimeoutError:
            return self.scored(0.0, "timeout", f"the pattern took more than {REGEX_SECONDS:g} s")
        if found is None:
            return self.scored(0.0, "not_matched")
        return self.scored(1.0, "matched", extracted=found.group())


@lru_cache(maxsize=256)
def _compiled(pattern: str, ignore_case: bool) -> Any:
    regex = require("regex")
    try:
        return regex.compile(pattern, regex.IGNORECASE if ignore_case else 0)
    except regex.error as error:
        raise ConfigError(f"Regex: the pattern {pattern!r} does not compile: {error}") from error
