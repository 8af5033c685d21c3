r"""The answer inside ``\boxed{}``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ._base import Extraction, Extractor, trimmed

# One token per match, so a scan is linear: a box with or without its brace (a second backslash is
# JSON escaping that was left in), an escaped character, a brace.
_TOKEN = re.compile(r"\\{1,2}(?:boxed|fbox)(?![a-zA-Z])\s*(\{)?|\\.|[{}]", re.DOTALL)
# What ``\boxed 7`` takes: a number, a command or one letter. "Put it in \boxed and stop" has none.
_BARE = re.compile(r"[-+−]?\.?\d[^\s{}$\\,;]*|\\[a-zA-Z]+|[A-Za-z](?![A-Za-z])")
_ONE_BOX = re.compile(r"\\{1,2}(?:boxed|fbox)\s*\{(.*)\}", re.DOTALL)
# The only box of a text, with nothing in it that could nest: most answers, and no scan is needed.
_ONLY_BOX = re.compile(r"(?<!\\)\\(?:boxed|fbox)\{([^{}\\]*)\}")
_ESCAPE = 2  # characters


@dataclass(frozen=True, repr=False)
class Boxed(Extractor):
    r"""The content of the last ``\boxed{}`` or ``\fbox{}``; several boxes are never joined.

    Braces are balanced; a box inside a box counts as its content; ``\boxed 7`` is read too.
    A last box that is not closed means that there is no answer.

    >>> Boxed().extract(r"\boxed{41}, no, \boxed{\frac{1}{2}.}").text
    '\\frac{1}{2}'
    >>> Boxed().extract(r"$\boxed 7$").text
    '7'
    >>> Boxed().extract(r"\boxed{41} and \boxed{4").problem
    'the last box is not closed'
    """

    def extract(self, text: str) -> Extraction | None:
        """See `Extractor.extract`."""
        if "\\boxed" not in text and "\\fbox" not in text:
            return None
        if text.count("\\boxed") + text.count("\\fbox") == 1 and (only := _ONLY_BOX.search(text)):
            return trimmed(text, *only.span(1), "boxed", "the box is empty")
        last: tuple[int, int] | None = None
        open_braces: list[tuple[int, bool]] = []  # where the content starts, and whether it is a box's
        for token in _TOKEN.finditer(text):
            if token.group(1):
                open_braces.append((token.end(), True))
            elif token.group() == "{":
                open_braces.append((token.end(), False))
            elif token.group() == "}":
                if open_braces:
                    start, is_box = open_braces.pop()
                    if is_box:
                        # An enclosing box closes later and takes the place of the one inside it.
                        last = (start, token.start())
            elif len(token.group()) > _ESCAPE and (bare := _BARE.match(text, token.end())):
                last = bare.span()
        unclosed = max((start for start, is_box in open_braces if is_box), default=-1)
        if unclosed >= 0 and (last is None or unclosed > last[1]):
            return Extraction(None, (unclosed, len(text)), "boxed", "the last box is not closed")
        if last is None:
            return None
        found = trimmed(text, *last, "boxed", "the box is empty")
        if found.text is not None and (inner := _ONE_BOX.fullmatch(found.text)):
            start = found.span[0]
            found = trimmed(text, start + inner.start(1), start + inner.end(1), "boxed", "the box is empty")
        return found
