r"""The answer inside ``\boxed{}``, after ``####`` as in GSM8K, in XML-like tags, or in JSON at the end."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..errors import ConfigError
from ..language.maths_words import BETWEEN_BOXES, EITHER, SYLLABLE_LABELS
from ..language.sentences.retractions import retraction, said_again
from ..language.signs import TEXT_COMMAND
from ..language.spoken_languages import LANGUAGES
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

    Boxes with only "and", "or" or a comma between them are one answer of several parts. Braces are balanced;
    a box inside a box counts as its content; ``\boxed 7`` works as well. If the last box never closes, or the
    text denies it, there is no answer.

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
    """Return the extraction that replaces a box denied after it; None if nothing denies the box."""
    said = ending(text, box[1] + 1)
    if said is None or said.kind not in ("denied", "corrected") or _checked(text, box, said.end):
        return None
    taken = retraction(text, *box)
    if taken is not None and taken.value is not None:
        return Extraction(text[slice(*taken.value)], taken.value, "correction")
    return Extraction(None, box, "boxed", "what is in the last box is denied after it")


def _checked(text: str, box: tuple[int, int], after: int) -> bool:
    """Return whether a new sentence only checks a box again and says the same."""
    between = text[box[1] + 1 : after].lstrip(" $)*\n\\]")
    return between.startswith(".") and said_again(text, after, text[slice(*box)])


def _is_closed(content: str) -> bool:
    """Return whether no brace closes one opened outside: 3}+\\boxed{4 is in two boxes."""
    depth = 0
    for token in _TOKEN.finditer(content):
        depth += token.group() == "{" or token.group(1) is not None
        depth -= token.group() == "}"
        if depth < 0:
            return False
    return True


def _belong(text: str, one: tuple[int, int], start: int) -> bool:
    """Return whether a box that starts at `start` continues the answer of the box before it."""
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


TAG_NAME = lazy(r"[^\W\d][\w.-]*")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class Tag(Extractor):
    """The content of the last ``<name>...</name>``.

    If the last tag never closes, there is no answer: a truncated completion must not earn reward for an
    earlier draft.

    Args:
        name: Name of the tag, or several names with the same meaning.
        ignore_case: Whether ``<Answer>`` counts as ``answer``.
        keep_stop: Keep a final full stop, which belongs to sentences and not to numbers.

    Raises:
        ConfigError: A name cannot be a tag's.

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


_MARK = lazy(r"(?<!#)####(?!#)[ \t]*([^\n#]*)")
# "#### Step 3: multiply" is a Markdown heading. Ahead of further text only a short answer counts.
_ANSWER = lazy(rf"[-+−$€£₩\\(\[{{*]*[\d.].{{0,30}}|[$\\].{{0,80}}|[(*]*[A-Ja-j{SYLLABLE_LABELS}①-⑩][)*]*")
_LONG_RUN = "#" * 500
_WORD = lazy(r"[^\W\d_]{3,}.*[^\W\d_]{3,}")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class HashMarks(Extractor):
    """The rest of the line after the last ``####`` (Cobbe et al., 2021, arXiv:2110.14168).

    On the last line of the text any content counts; before that, Markdown headings do not.

    >>> HashMarks().extract("16 - 7 = 9, 9 * 2 = 18\\n#### 18").text
    '18'
    >>> HashMarks().extract("#### Step 1: add\\n1 + 1 = 2") is None
    True
    """

    def extract(self, text: str) -> Extraction | None:
        if "####" not in text:
            return None
        end_of_text = len(text.rstrip())
        at = len(text)
        while (at := text.rfind("####", 0, at)) >= 0:  # the last one that counts decides
            if text[at - 1 : at] == "#":  # a longer run marks nothing
                while text.endswith(_LONG_RUN, 0, at):
                    at -= len(_LONG_RUN)
                while at and text[at - 1] == "#":
                    at -= 1
                continue
            mark = _MARK.match(text, at)
            rest = mark.group(1).strip() if mark else ""
            if mark and (mark.end() >= end_of_text or (_ANSWER.fullmatch(rest) and not _WORD.search(rest))):
                return trimmed(text, *mark.span(1), "hash_marks", "nothing follows ####")
        return None


_WINDOW = 4096
"""Characters at the end of a text in which the object stands."""
_END = lazy(r"\}(?P<fence>\s{0,4}```)?\s*\Z")
_BEGIN = lazy(r"^[ \t]{0,8}\{", re.MULTILINE)
_PARTED = lazy(r"[\s_-]{1,4}")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class JsonAnswer(Extractor):
    """The answer in a JSON object at the end of the text, plain or in a code block.

    Its key ends in a word for an answer: "answer", "final_answer", "choice". Two such keys are two answers.

    >>> JsonAnswer().extract('{"reasoning": "6 times 7", "final_answer": 42}').text
    '42'
    >>> JsonAnswer().extract('{"answer": "A", "choice": "B"}').problem
    'several values are named as the answer'
    >>> JsonAnswer().extract('{"steps": []}')
    """

    def extract(self, text: str) -> Extraction | None:
        if "}" not in text[-16:] or (end := _END.search(text, max(0, len(text) - 16))) is None:
            return None
        closing = end.start() + 1
        begins = [found.end() - 1 for found in _BEGIN.finditer(text, max(0, closing - _WINDOW), closing)]
        for begin in begins:
            if (read := _object(text[begin:closing])) is not None:
                return _answer(read, text, begin, closing)
        return None


def _object(text: str) -> list[tuple[str, Any]] | None:
    try:
        read = json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, _Pairs) else None


class _Pairs(list[tuple[str, Any]]):
    """The names and values of an object, also of names that it has twice."""


def _answer(read: list[tuple[str, Any]], text: str, begin: int, end: int) -> Extraction | None:
    named = [value for name, value in read if _PARTED.split(name.casefold().strip())[-1] in _names()]
    if len(named) > 1:
        return Extraction(None, (begin, end), "json_answer", "several values are named as the answer")
    if not named or isinstance(named[0], (bool, list)) or named[0] is None:
        return None
    said = named[0] if isinstance(named[0], str) else json.dumps(named[0])
    place = text.rfind(said, begin, end)
    span = (place, place + len(said)) if place >= 0 and said else (begin, end)
    return Extraction(
        said.strip() or None, span, "json_answer", "" if said.strip() else "the answer is empty"
    )


@cache
def _names() -> frozenset[str]:
    return frozenset(name for language in LANGUAGES for name in language.keywords)
