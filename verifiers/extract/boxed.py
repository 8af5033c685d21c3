r"""The answer inside ``\boxed{}``."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..language.answers.retractions import retraction, said_again
from ..language.maths_words import BETWEEN_BOXES, EITHER
from ..language.signs import TEXT_COMMAND
from ..language.stance import ending
from ..runtime.patterns import lazy

# One token per match, so a scan is linear: a box with or without its brace (a second backslash is
# JSON escaping that was left in), an escaped character, a brace.
_TOKEN = lazy(r"\\{1,2}(?:boxed|fbox)(?![a-zA-Z])\s*(\{)?|\\.|[{}]", re.DOTALL)
# What ``\boxed 7`` takes: a number, a command or one letter. "Put it in \boxed and stop" has none.
_BARE = lazy(r"[-+−]?\.?\d[^\s{}$\\,;]*|\\[a-zA-Z]+|[A-Za-z](?![A-Za-z])")
_ONE_BOX = lazy(r"\\{1,2}(?:boxed|fbox)\s*\{(.*)\}", re.DOTALL)
# What may come between boxes that give one answer together: "and", a comma, the name of the next value.
_BETWEEN = lazy(
    r"(?:[\s$,;&]|\\[,;:! ()\[\]]|\\q?quad|and\b|or\b"
    rf"|{BETWEEN_BOXES}"
    rf"|{TEXT_COMMAND}\{{[^{{}}\d]{{0,40}}(?:\b(?:and|or)|,|"
    rf"{BETWEEN_BOXES}"
    r")\s*\})*"
    r"(?:(?:else|maybe|perhaps|possibly)\b\s*)?(?:[a-zA-Z](?:_\{?\w{1,3}\}?)?\s*=\s*)?"
)
# Signs between boxes that make one formula of them, and a minus sign that was left outside.
_OPERATOR = lazy(
    r"\}[\s$]*+([-+*/|]|\\pm|\\cdot|\\times|\\div|(?:\\[a-z]+\s*+\{)?\s*+to\s*+\}?)[\s$]*+\\{1,2}f?box(?:ed)?\s*\{"
)
_MINUS = lazy(r"(?:^|[=\s$(:])[-−]\\{1,2}f?box(?:ed)?\s*\{\Z")
_LONGEST_BETWEEN = 60  # characters
# The only box of a text, with nothing in it that could nest: most answers, and no scan is needed.
_ONLY_BOX = lazy(r"(?<!\\)\\(?:boxed|fbox)\{([^{}\\]*)\}")
_NAME = lazy(r"([a-zA-Z](?:_\{?\w{1,3}\}?)?)\s*=[\s$]*(?:\\{1,2}f?boxed|\\{1,2}fbox)\s*\Z")
_BEFORE_BOX = 40  # characters that may hold the name of a box
_BEHIND_BOX = 12  # characters in which something may begin that is said of a box
_QUIET = " $.\n)]*"
_ESCAPE = 2  # characters
_FARTHEST = 20_000
"""Characters before the last box in which what it belongs to may begin."""
_MOST = 50  # boxes that are joined


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class Boxed(Extractor):
    r"""The content of the last ``\boxed{}`` or ``\fbox{}``.

    Boxes with only "and", "or" or a comma between them are one answer of several parts.
    Braces are balanced; a box inside a box counts as its content; ``\boxed 7`` is read too.
    A last box that is not closed, or denied right after it, means that there is no answer.

    >>> Boxed().extract(r"\boxed{41}, no, \boxed{\frac{1}{2}.}").text
    '\\frac{1}{2}'
    >>> Boxed().extract(r"$\boxed 7$").text
    '7'
    >>> Boxed().extract(r"$\boxed{3}$ or $\boxed{5}$").text
    '3 or 5'
    >>> Boxed().extract(r"\boxed{41} and \boxed{4").problem
    'the last box is not closed'
    >>> Boxed().extract(r"\boxed{41} is wrong.").problem
    'what is in the last box is denied after it'
    """

    def extract(self, text: str) -> Extraction | None:
        start = max(text.rfind("\\boxed"), text.rfind("\\fbox"))
        if start < 0:
            return None
        base = max(0, start - _FARTHEST)
        found = _last_box(text[base:] if base else text, start - base)
        return found.shifted(base) if found and base else found


def _last_box(text: str, start: int) -> Extraction | None:
    """The box that begins last at `start`, or one around it, with those that belong to it."""
    single = text.count("\\boxed") + text.count("\\fbox") == 1
    if (
        single
        and (only := _ONLY_BOX.match(text, start))
        and text[only.start() - 1 : only.start()] not in ("-", "−")
    ):
        quiet = not text[only.end() : only.end() + _BEHIND_BOX].strip(_QUIET)
        denied = None if quiet else _denied(text, only.span(1))
        return denied or trimmed(text, *only.span(1), "boxed", "the box is empty")
    last: tuple[int, int] | None = None
    before: list[tuple[int, int]] = []  # the boxes that belong to the last one
    open_braces: list[tuple[int, bool]] = []  # where the content starts, and whether it is a box's
    # What stands before the only box, and after it, is not in it. It may begin with a second backslash.
    for token in _TOKEN.finditer(text, max(0, start - 1) if single else 0):
        if token.group(1):
            open_braces.append((token.end(), True))
        elif token.group() == "{":
            open_braces.append((token.end(), False))
        elif token.group() == "}":
            if open_braces:
                inside, is_box = open_braces.pop()
                if is_box:
                    # An enclosing box closes later and takes the place of the one inside it.
                    if last and _belong(text, last, inside):
                        before.append(last)
                    else:
                        before = []
                    last = (inside, token.start())
                    if single:
                        break
        elif len(token.group()) > _ESCAPE and (bare := _BARE.match(text, token.end())):
            last = bare.span()
    unclosed = max((start for start, is_box in open_braces if is_box), default=-1)
    if unclosed >= 0 and (last is None or unclosed > last[1]):
        return Extraction(None, (unclosed, len(text)), "boxed", "the last box is not closed")
    if last is None:
        return None
    if (denied := _denied(text, last)) is not None:
        return denied
    found = trimmed(text, *last, "boxed", "the box is empty")
    if not before and found.text is not None and _MINUS.search(text, max(0, last[0] - _BEFORE_BOX), last[0]):
        return Extraction(f"-({found.text})", found.span, "boxed")
    if before and found.text is not None:
        spans = [*before[-_MOST:], last]
        parts = [text[start:end].strip() for start, end in spans]
        if all(parts):
            return Extraction(_joined(text, spans, parts), (spans[0][0], last[1]), "boxed")
    if found.text is not None and (inner := _ONE_BOX.fullmatch(found.text)) and _is_closed(inner[1]):
        start = found.span[0]
        found = trimmed(text, start + inner.start(1), start + inner.end(1), "boxed", "the box is empty")
    return found


def _denied(text: str, box: tuple[int, int]) -> Extraction | None:
    """What stands for a box of which the text goes on to say that it is wrong: the value put in its place."""
    said = ending(text, box[1] + 1)
    if said is None or said.kind not in ("denied", "corrected") or _checked(text, box, said.end):
        return None
    taken = retraction(text, *box)
    if taken is not None and taken.value is not None:
        return Extraction(text[slice(*taken.value)], taken.value, "correction")
    return Extraction(None, box, "boxed", "what is in the last box is denied after it")


def _checked(text: str, box: tuple[int, int], after: int) -> bool:
    """Whether a new sentence only looks at a box again, and says the same."""
    between = text[box[1] + 1 : after].lstrip(" $)*\n\\]")
    return between.startswith(".") and said_again(text, after, text[slice(*box)])


def _is_closed(content: str) -> bool:
    """Whether no brace closes that was opened outside: 3}+\\boxed{4 is in two boxes."""
    depth = 0
    for token in _TOKEN.finditer(content):
        depth += token.group() == "{" or token.group(1) is not None
        depth -= token.group() == "}"
        if depth < 0:
            return False
    return True


def _belong(text: str, one: tuple[int, int], start: int) -> bool:
    """Whether a box that starts here continues the answer of the box before it."""
    between = text[one[1] + 1 : start]
    opening = between.rfind("\\boxed") if "\\boxed" in between else between.rfind("\\fbox")
    if not 0 <= opening <= _LONGEST_BETWEEN:
        return False
    if _OPERATOR.fullmatch(text[one[1] : start]):
        return True
    return _BETWEEN.fullmatch(between[:opening].rstrip("\\")) is not None


def _joined(text: str, spans: list[tuple[int, int]], parts: list[str]) -> str:
    """The contents of several boxes as one answer, with their names and what comes between them."""
    if len(set(parts)) == 1:
        return parts[0]
    named = []
    for (start, _), part in zip(spans, parts, strict=True):
        name = _NAME.search(text, max(0, start - _BEFORE_BOX), start - 1)
        named.append(f"{name[1]} = {part}" if name else part)
    gaps = [text[one[1] : other[0]] for one, other in itertools.pairwise(spans)]
    operators = [_OPERATOR.fullmatch(gap) for gap in gaps]
    if any(operators):
        signs = [found[1] if found else "," for found in operators]
        return parts[0] + "".join(f" {sign} {part}" for sign, part in zip(signs, parts[1:], strict=True))
    for word, korean in ((" or ", EITHER), (" and ", BETWEEN_BOXES)):
        if all(re.search(rf"\b{word.strip()}\b|{korean}", gap) for gap in gaps):
            return word.join(named)
    return ", ".join(named)
