"""Keywords, patterns and lengths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

from ..core.functions import load
from ..core.verdicts import Sample, Verdict
from ..core.verifier import Verifier
from ..errors import ConfigError
from ..extract.answers import accepted_texts
from ..language.normalization import clean
from ..runtime.packages import require

REGEX_SECONDS = 1.0
"""A pattern that backtracks longer than this over one completion is stopped."""


@dataclass(frozen=True, repr=False)
class Keywords(Verifier):
    """The completion, outside thinking, mentions the keywords.

    Args:
        words: The keywords; empty to take them from the reference (a string or a list).
        mode: ``all`` of them, ``any`` of them, or the ``fraction`` that is there.
        ignore_case: Whether case is folded.
        whole_words: Whether Latin letters and digits may touch a keyword. Hangul may always follow one,
            since particles do.

    >>> Keywords(("photosynthesis", "light"), mode="fraction").verify("Light drives it.").score
    0.5
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "found": "the keywords are there as the mode asks",
        "partly_found": "a fraction of the keywords is there",
        "not_found": "keywords are missing",
    }
    needs_reference: ClassVar[bool] = False

    words: tuple[str, ...] = ()
    mode: Literal["all", "any", "fraction"] = "all"
    ignore_case: bool = True
    whole_words: bool = True

    def __post_init__(self) -> None:
        words = (self.words,) if isinstance(self.words, str) else tuple(self.words)
        object.__setattr__(self, "words", words)
        if not all(isinstance(word, str) and word.strip() for word in words):
            raise ConfigError(f"Keywords: words must be non-empty strings, got {words}")
        if self.mode not in ("all", "any", "fraction"):
            raise ConfigError(f"Keywords: mode must be 'all', 'any' or 'fraction', got {self.mode!r}")
        super().__post_init__()

    def check(self, sample: Sample) -> Verdict:
        """See `Verifier.check`."""
        words = self.words
        if not words:
            try:
                words = tuple(accepted_texts(sample.reference))
            except ConfigError as error:
                return self.unscored("bad_reference", f"Keywords without words reads the reference: {error}")
        if not all(map(str.strip, words)):
            return self.unscored("bad_reference", f"a keyword is empty: {words!r:.80}")
        text = clean(sample.answer)
        missing = [word for word in words if not self._holds(text, clean(word))]
        share = 1 - len(missing) / len(words)
        expected = ", ".join(words)
        if not missing or (self.mode == "any" and share):
            return self.scored(1.0, "found", expected=expected)
        detail = f"missing: {', '.join(missing)}"
        if self.mode == "fraction" and share:
            return self.scored(share, "partly_found", detail, expected=expected)
        return self.scored(0.0, "not_found", detail, expected=expected)

    def _holds(self, text: str, word: str) -> bool:
        if self.ignore_case:
            text, word = text.casefold(), word.casefold()
        if not self.whole_words:
            return word in text
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            before, after = text[start - 1 : start], text[end : end + 1]
            if not (_touches(before, word[0]) or _touches(after, word[-1])):
                return True
            start = text.find(word, start + 1)
        return False


def _touches(neighbour: str, edge: str) -> bool:
    """Whether a neighbouring character belongs to the same word: both are ASCII letters or digits."""
    return neighbour.isascii() and neighbour.isalnum() and edge.isascii() and edge.isalnum()


@dataclass(frozen=True, repr=False)
class Regex(Verifier):
    r"""A pattern matches the completion outside thinking.

    The pattern is in the syntax of the `regex` package; a match that backtracks for longer than
    `REGEX_SECONDS` is stopped and scores 0.0.

    Args:
        pattern: The pattern.
        full: Whether the pattern must cover the whole text (stripped) or may match anywhere.
        ignore_case: Whether case is folded.

    Raises:
        ConfigError: The pattern does not compile.

    >>> Regex(r"\d{4}-\d{2}-\d{2}").verify("It was on 2024-05-01.").extracted
    '2024-05-01'
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "matched": "the pattern matches",
        "not_matched": "the pattern does not match",
        "timeout": "matching this text takes the pattern too long",
    }
    needs_reference: ClassVar[bool] = False

    pattern: str = ".+"
    full: bool = False
    ignore_case: bool = False

    def __post_init__(self) -> None:
        _compiled(self.pattern, self.ignore_case)
        super().__post_init__()

    def check(self, sample: Sample) -> Verdict:
        """See `Verifier.check`."""
        pattern = _compiled(self.pattern, self.ignore_case)
        match = pattern.fullmatch if self.full else pattern.search
        try:
            found = match(sample.answer.strip(), timeout=REGEX_SECONDS)
        except TimeoutError:
            return self.scored(0.0, "timeout", f"the pattern took more than {REGEX_SECONDS:g} s")
        if found is None:
            return self.scored(0.0, "not_matched")
        return self.scored(1.0, "matched", extracted=found.group())


@lru_cache(maxsize=256)
def _compiled(pattern: str, ignore_case: bool) -> Any:
    regex = require("regex")
    if not isinstance(pattern, str):
        raise ConfigError(f"Regex: pattern must be a string, got {pattern!r}")
    try:
        return regex.compile(pattern, regex.IGNORECASE if ignore_case else 0)
    except regex.error as error:
        raise ConfigError(f"Regex: the pattern {pattern!r} does not compile: {error}") from error


@dataclass(frozen=True, repr=False)
class Length(Verifier):
    """The completion's length lies in a band.

    Args:
        minimum: Least length, in `unit`.
        maximum: Greatest length, in `unit`; None for no bound.
        unit: ``characters``, ``words`` (split at white space) or ``tokens``.
        of: What is measured: the ``completion``, its ``answer`` part, or its ``thinking``.
        counter: For tokens: import path ``"module:function"`` of a function from text to a number.
            Without one the row's ``completion_tokens`` column is read.

    Raises:
        ConfigError: An empty band, or a counter that cannot be imported.

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

    minimum: int = 1
    maximum: int | None = None
    unit: Literal["characters", "words", "tokens"] = "characters"
    of: Literal["completion", "answer", "thinking"] = "completion"
    counter: str | None = None

    def __post_init__(self) -> None:
        if self.unit not in ("characters", "words", "tokens"):
            raise ConfigError(f"Length: unit must be 'characters', 'words' or 'tokens', got {self.unit!r}")
        if self.of not in ("completion", "answer", "thinking"):
            raise ConfigError(f"Length: of must be 'completion', 'answer' or 'thinking', got {self.of!r}")
        if self.minimum < 0 or (self.maximum is not None and self.maximum < self.minimum):
            raise ConfigError(f"Length: the band {self.minimum} to {self.maximum} is empty")
        if self.counter is not None and self.unit != "tokens":
            raise ConfigError(f"Length: a counter counts tokens, but unit is {self.unit!r}")
        super().__post_init__()

    def check(self, sample: Sample) -> Verdict:
        """See `Verifier.check`."""
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
        """See `Verifier.fields_read`."""
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
