"""The completion keeps to a tag format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Annotated, ClassVar, Literal

from ..core.checks import Range
from ..core.completions import THINKING_TAGS
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract.marked_answers import TAG_NAME
from ..runtime.forks import cached_property
from ..runtime.patterns import lazy

UNOPENED = "is closed but never opened"
"""What the detail of a verdict says where the first block has its end alone."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class TagFormat(Verifier):
    """Every tag occurs exactly once, in order, with content, and not inside another.

    A repeated block, a block inside another (an answer tag in the thinking), a block in the wrong order and a
    block with fewer than `min_chars` letters or digits never earn anything, partial credit or not. So
    ``<THINK>.</THINK><SOLUTION>.</SOLUTION>`` scores 0.0.

    Args:
        tags: Names of the blocks, in order.
        partial: Give a completion that breaks no rule but lacks blocks the share of blocks that it has.
            Without it, the score is 1.0 or 0.0.
        min_chars: Least number of letters and digits in each block; a tuple has one number per tag.
        allow_outside: Whether text may be outside the blocks.
        ignore_case: Whether ``<Think>`` counts as ``think``.
        prefilled: Name of the first tag, if the chat template opens it, so that completions begin inside the
            block (as with ``<think>`` in the templates of DeepSeek-R1 and Qwen3).
        opening: Opening tag of a prefilled block: "absent" from completions, where another one is one too
            many; or "either", if templates differ.
        min_after: Least number of letters and digits after the last block, if the answer is plain text.

    Raises:
        ConfigError: Tags repeat or cannot be tag names, or another field is out of range.

    >>> TagFormat(("THINK", "SOLUTION")).verify("<THINK>7*6</THINK><SOLUTION>42</SOLUTION>").score
    1.0
    >>> print(TagFormat(("THINK", "SOLUTION")).verify("<THINK>.</THINK><SOLUTION>.</SOLUTION>"))
    TagFormat 0.00 empty_block
    >>> TagFormat(("think", "answer"), partial=True).verify("<think>7*6</think> 42").score
    0.5
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "well_formed": "all blocks occur once, in order, with content",
        "missing_tag": "an opening or closing tag is not there",
        "repeated_tag": "a tag occurs more than once",
        "wrong_order": "the blocks are not in their order",
        "nested_tag": "a block is inside another",
        "empty_block": "a block holds fewer letters and digits than min_chars",
        "nothing_after": "fewer letters and digits than min_after follow the last block",
        "text_outside": "text is outside the blocks and allow_outside is False",
    }
    needs_reference: ClassVar[bool] = False
    quick: ClassVar[bool] = True

    tags: tuple[str, ...] = ("think", "answer")
    partial: bool = False
    min_chars: int | tuple[int, ...] = 1
    allow_outside: bool = True
    ignore_case: bool = False
    prefilled: str | None = None
    opening: Literal["absent", "either"] = "absent"
    min_after: Annotated[int, Range(least=0)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        tags = self.tags
        bad = [tag for tag in tags if not TAG_NAME.fullmatch(tag)]
        if bad or not tags:
            raise ConfigError(
                f"TagFormat: tags are named by letters, digits, '_', '-' and '.'; got {bad or tags}"
            )
        if len({self._fold(tag) for tag in tags}) < len(tags):
            raise ConfigError(f"TagFormat: tags must be distinct, got {tags}")
        if len(self._minimums()) != len(tags) or min(self._minimums()) < 1:
            raise ConfigError(
                f"TagFormat: min_chars is a number from 1, or one for each of {tags}; got {self.min_chars!r}"
            )
        if self.opening != "absent" and self.prefilled is None:
            raise ConfigError(
                f"TagFormat: opening: {self.opening} is about prefilled; name the first tag there"
            )
        if self.min_after and not self.allow_outside:
            raise ConfigError("TagFormat: min_after is text outside the blocks; leave allow_outside at true")
        if self.prefilled is not None and self._fold(self.prefilled) != self._fold(tags[0]):
            raise ConfigError(
                f"TagFormat: prefilled must be the first tag, {tags[0]!r}, got {self.prefilled!r}"
            )

    def check(self, sample: Sample) -> Verdict:
        text = sample.completion
        if self._marks and not sample.separate_thinking and self._is_plainly_right(text):
            return self.scored(1.0, "well_formed")
        if self.prefilled is not None and not sample.separate_thinking and not self._written(text):
            text = f"<{self.prefilled}>{text}"
        elif sample.separate_thinking and self._fold(self.tags[0]) != "think":
            text = self._renamed(sample, text)
        seen: dict[tuple[str, bool], re.Match[str]] = {}
        for match in _pattern(self.tags, self.ignore_case).finditer(text):
            key = (self._fold(match.group(2)), bool(match.group(1)))
            if key in seen:
                return self.scored(0.0, "repeated_tag", f"{match.group()} occurs more than once")
            seen[key] = match
        found, wanted = list(seen), self._wanted
        if found != wanted and (nested := self._nested(found)):
            return self.scored(0.0, "nested_tag", nested)
        if found != wanted and found != [key for key in wanted if key in seen]:
            shown = " ".join(f"<{'/' if closing else ''}{tag}>" for tag, closing in found)
            return self.scored(0.0, "wrong_order", f"the tags come as {shown}")
        for tag, least in zip(self.tags, self._minimums(), strict=True):
            opening, closing = seen.get((self._fold(tag), False)), seen.get((self._fold(tag), True))
            if opening and closing:
                held = _held(text, opening.end(), closing.start(), least)
                if held < least:
                    return self.scored(
                        0.0, "empty_block", f"<{tag}> holds {held} letters and digits of at least {least}"
                    )
        last = seen.get((self._fold(self.tags[-1]), True))
        if self.min_after and last and _held(text, last.end(), len(text), self.min_after) < self.min_after:
            return self.scored(0.0, "nothing_after", f"what follows {last.group()} is no answer")
        if not self.allow_outside and (outside := self._outside(text, seen)):
            return self.scored(0.0, "text_outside", f"{outside!r:.60} is outside the blocks")
        if len(found) < len(wanted):
            missing = next(key for key in wanted if key not in seen)
            name = f"<{'/' if missing[1] else ''}{missing[0]}>"
            detail = f"{name} is not there"
            if missing == wanted[0] and wanted[1] in seen:
                # Templates of DeepSeek-R1 and Qwen3 open it; nothing else shows whose fault it is.
                detail = f"{name} {UNOPENED}: does the chat template open it? prefilled={self.tags[0]!r}"
            # Complete blocks only: a policy must not earn anything by strewing single tags.
            whole = sum(
                (self._fold(tag), False) in seen and (self._fold(tag), True) in seen for tag in self.tags
            )
            score = whole / len(self.tags) if self.partial else 0.0
            return self.scored(score, "missing_tag", detail)
        return self.scored(1.0, "well_formed")

    @cached_property
    def _marks(self) -> tuple[tuple[str, str, int], ...]:
        """Each opening and closing tag, with how much it holds; empty where more than these is looked at."""
        if self.prefilled is not None or self.min_after or self.ignore_case or not self.allow_outside:
            return ()
        return tuple(
            (f"<{tag}>", f"</{tag}>", least) for tag, least in zip(self.tags, self._minimums(), strict=True)
        )

    def _is_plainly_right(self, text: str) -> bool:
        """Return whether each tag stands in a text once, in order, and holds enough, by strings alone."""
        at = 0
        for opening, closing, least in self._marks:
            start = text.find(opening, at) + len(opening)
            end = text.find(closing, start)
            if start < len(opening) or end < 0 or text.count(opening) > 1 or text.count(closing) > 1:
                return False
            if _held(text, start, end, least) < least:
                return False
            at = end + len(closing)
        return True

    @cached_property
    def _wanted(self) -> list[tuple[str, bool]]:
        """The tags in their order, each with whether it closes a block."""
        return [(self._fold(tag), closing) for tag in self.tags for closing in (False, True)]

    def _fold(self, tag: str) -> str:
        return tag.casefold() if self.ignore_case else tag

    def _written(self, text: str) -> bool:
        """Return whether a completion begins with the first opening tag, and may."""
        found = _pattern(self.tags[:1], self.ignore_case).match(text.lstrip())
        return self.opening == "either" and found is not None and not found.group(1)

    def _minimums(self) -> tuple[int, ...]:
        if isinstance(self.min_chars, tuple):
            return self.min_chars
        return (self.min_chars,) * len(self.tags)

    def _nested(self, found: list[tuple[str, bool]]) -> str:
        """Which block opens inside another that is still open; "" for none."""
        inside: str | None = None
        for tag, closing in found:
            if not closing and inside is not None:
                return f"<{tag}> is inside <{inside}>"
            inside = None if closing else tag
        return ""

    def _renamed(self, sample: Sample, text: str) -> str:
        """Thinking that a server split off, under the name that this format gives to thinking."""
        head = f"<think>{sample.thinking}</think>"
        if self.tags[0].casefold() in THINKING_TAGS and text.startswith(head):
            return f"<{self.tags[0]}>{sample.thinking}</{self.tags[0]}>{text[len(head) :]}"
        return text

    def _outside(self, text: str, seen: Mapping[tuple[str, bool], re.Match[str]]) -> str:
        outside, start = [], 0
        for (_, closing), match in seen.items():
            if not closing:
                outside.append(text[start : match.start()])
            start = match.end()
        outside.append(text[start:])
        return "".join(outside).strip()


def _held(text: str, start: int, end: int, enough: int) -> int:
    """Count the letters and digits between two places, up to `enough`."""
    if enough == 1:
        return int(_COUNTED.search(text, start, end) is not None)
    return sum(1 for _ in islice(_COUNTED.finditer(text, start, end), enough))


_COUNTED = lazy(r"[^\W_]")


@lru_cache(maxsize=256)
def _pattern(tags: tuple[str, ...], ignore_case: bool) -> re.Pattern[str]:
    choice = "|".join(re.escape(tag) for tag in tags)
    return re.compile(rf"<(/?)({choice})>", re.IGNORECASE if ignore_case else 0)
