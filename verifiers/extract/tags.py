"""The answer inside XML-like tags."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..errors import ConfigError
from ..runtime.patterns import lazy

TAG_NAME = lazy(r"[^\W\d][\w.-]*")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class Tag(Extractor):
    """The content of the last ``<name>...</name>``.

    A tag that was opened last and never closed means that there is no answer: a truncated completion
    must not be paid for an earlier draft.

    Args:
        name: The tag's name, or several names that mean the same.
        ignore_case: Whether ``<Answer>`` counts for ``answer``.
        keep_stop: Keep one closing full stop: it belongs to a sentence, and not to a number.

    Raises:
        ConfigError: A name that cannot be a tag's.

    >>> Tag("SOLUTION").extract("<SOLUTION>41</SOLUTION> no: <SOLUTION>42.</SOLUTION>").text
    '42'
    >>> Tag("answer").extract("<answer>41</answer> no: <answer>42").problem
    '<answer> is not closed'
    """

    name: str | tuple[str, ...] = ("solution", "answer")
    ignore_case: bool = True
    keep_stop: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        names = (self.name,) if isinstance(self.name, str) else self.name
        bad = [name for name in names if not TAG_NAME.fullmatch(name)]
        if bad or not names:
            raise ConfigError(
                f"Tag: a name is letters, digits, '_', '-' or '.', without < and >; got {bad or names}"
            )
        object.__setattr__(self, "name", names[0] if len(names) == 1 else names)

    def extract(self, text: str) -> Extraction | None:
        if "<" not in text or ">" not in text:
            return None
        opened = None
        found: tuple[int, int] | None = None
        for tag in _pattern(self.name, self.ignore_case).finditer(text):
            if not tag.group(1):
                # A second opening inside an open tag starts the answer anew.
                opened = tag
            elif opened is not None and opened.group(2).casefold() == tag.group(2).casefold():
                found, opened = (opened.end(), tag.start()), None
        if opened is not None:
            return Extraction(None, opened.span(), "tag", f"{opened.group()} is not closed")
        if found is None:
            return None
        return trimmed(text, *found, "tag", "the tag is empty", keep_stop=self.keep_stop)


@lru_cache(maxsize=256)
def _pattern(name: str | tuple[str, ...], ignore_case: bool) -> re.Pattern[str]:
    names = (name,) if isinstance(name, str) else name
    choice = "|".join(re.escape(each) for each in names)
    return re.compile(rf"<(/?)({choice})>", re.IGNORECASE if ignore_case else 0)
