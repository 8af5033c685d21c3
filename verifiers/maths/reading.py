"""What a cleaned answer is: an exact number, words, a list of these, or something for sympy."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .limits import MAX_LIST
from .numbers import Exact, read_number

# The name of an unknown: a letter, Greek or Latin, a word such as "area", or f(x).
_NAME = re.compile(
    r"(?:(?:[a-zA-Z]|\\(?:alpha|beta|gamma|delta|epsilon|theta|lambda|mu|rho|sigma|tau|phi|varphi|omega|ell))"
    r"(?:_(?:\{[^{}]*\}|\w))?'?|(?!not|sin|cos|tan|log|exp|max|min|mod)[a-zA-Z]{3,}|[a-zA-Z]\s*\(\s*[a-zA-Z]\s*\))"
)
_EQUALS = re.compile(r"(?<![<>!\\:])=(?!=)")
_TEXT = re.compile(r"\\(?:text|textbf|mathrm|mbox|textnormal)\s*\{([^{}]*)\}")
_WORDS = re.compile(r"[^\W\d_][^\W\d_\s.,'\-&()]*(?:[\s.,'\-&]+[^\W\d_]+)*")
_CHOICE = re.compile(r"\(?([A-Z])[).:]?")
_PLAIN = re.compile(r"[\s()]")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_AND = re.compile(
    r"\\text\s*\{\s*(?:and|or|,)\s*\}|(?<=[\s\d])(?:and|or)(?=\s)|(?<=[\d\s])(?:와|과|또는)(?=\s)"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A cleaned answer, and what it was read as."""

    text: str
    number: Exact | None
    words: str | None
    items: tuple[Answer, ...] = ()
    brackets: str = ""


def right_side(text: str, wanted: Answer | None) -> tuple[str, str]:
    """What an answer says: ``x = 5`` says 5, ``17 + 24 = 41`` says 41; ``x = 41 = 42`` hedges."""
    if wanted is not None and text == wanted.text:
        return text, ""
    parts = _EQUALS.split(text)
    if len(parts) == 1 or "," in text or "\\begin" in text:
        return text, ""
    sides = [part.strip() for part in parts]
    if not all(any(map(str.isalnum, side)) for side in sides):
        return text, ""
    if _NAME.fullmatch(sides[-1]) and not _NAME.fullmatch(sides[0]) and read_number(sides[0]):
        sides.reverse()  # 2 = x
    if _NAME.fullmatch(sides[0]):
        sides = sides[1:]
        if not all(sides):
            return text, ""
    if len(sides) > 1 and (same := _one_value(sides)) is not None:
        return (sides[-1], "") if same else (text, f"{text!r:.80} gives several values")
    if len(sides) > 1 and any(re.search(r"[a-zA-Z]", side.replace("\\", "")) for side in sides):
        return text, ""  # an equation
    numbers = [number.value for number in map(read_number, sides) if number is not None]
    if len(set(numbers)) > 1:
        return text, f"{text!r:.80} gives several values"
    return sides[-1], ""


def _one_value(sides: list[str]) -> bool | None:
    """Whether a chain such as ``2 + 2 = 4`` is true; None if it is no calculation, or nobody can say."""
    from .decide import chain  # loads python-flint, which a single number does without

    return None if all(map(read_number, sides)) else chain(sides)


def read_answer(text: str, depth: int = 0) -> Answer:
    """Read a cleaned answer; the items of a list (depth 1) are not split further."""
    number = read_number(text)
    if number is not None:
        return Answer(text, number, None)
    words = _words(text)
    if words is not None or depth:
        return Answer(text, None, words)
    brackets, inner = _unbracketed(text)
    items = _unnamed(_split(inner))
    if len(items) > 1 or brackets == "{}":
        return Answer(text, None, None, tuple(read_answer(item, 1) for item in items), brackets)
    return Answer(text, None, None)


def _words(text: str) -> str | None:
    """A text answer, folded; None when the text is not words."""
    plain = _TEXT.sub(r"\1", text).strip()
    if choice := _CHOICE.fullmatch(plain):
        return choice.group(1)
    if "\\" in plain or not _WORDS.fullmatch(plain):
        return None
    return _PLAIN.sub("", plain).casefold() if len(plain) > 1 else None


def _unbracketed(text: str) -> tuple[str, str]:
    """The brackets around a whole text, "" for none, and what they hold."""
    body = text.replace("\\{", "{").replace("\\}", "}") if text.startswith("\\{") else text
    closing = _BRACKETS.get(body[:1])
    if closing is None or body[-1:] not in (")", "]", "}") or (body[0] == "{" and not text.startswith("\\{")):
        return "", text
    depth = 0
    for position, char in enumerate(body):
        depth += char in "([{"
        depth -= char in ")]}"
        if depth == 0 and position < len(body) - 1:
            return "", text
    return body[0] + body[-1], body[1:-1].strip()


def _split(text: str) -> list[str]:
    """The items of a list: split at top-level commas and "and", but not inside 1,234."""
    if read_number(text) is not None:
        return [text]
    items, depth, start = [], 0, 0
    text = _AND.sub(",", text)
    for position, char in enumerate(text):
        depth += char in "([{"
        depth -= char in ")]}"
        if char in ",;" and depth == 0:
            items.append(text[start:position].strip())
            start = position + 1
    items.append(text[start:].strip())
    return [item for item in items if item] if len(items) <= MAX_LIST else [text]


def _unnamed(items: list[str]) -> list[str]:
    """``x = 2, x = -3`` lists two values of one unknown."""
    sides = [_EQUALS.split(item) for item in items]
    if len(items) > 1 and all(len(side) == 2 for side in sides):
        names = {side[0].strip() for side in sides}
        if len(names) == 1 and _NAME.fullmatch(names.pop()):
            return [side[1].strip() for side in sides]
    return items
