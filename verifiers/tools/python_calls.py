"""Calls as Python writes them: ``[add(a=1, b=2), find(name="x")]``. Literals only; nothing is evaluated."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from .parsed_call import MAX_CALLS, MAX_DEPTH, Call, CallError, checked_name

_TOKEN = re.compile(
    r"""\s*+(?:
    (?P<text>'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+")
    |(?P<number>(?:\d[\d_]*+\.?+\d*+|\.\d++)(?:[eE][+-]?+\d++)?+)
    |(?P<name>[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+)
    |(?P<sign>[][(){},:=+-])
    )""",
    re.VERBOSE | re.DOTALL,
)
MAX_PYTHON_CHARS = 50_000
"""Longest text that is read as Python: 0.4 s of processor time at worst."""
MAX_NUMBER = 400
"""Characters of a number."""
# What JSON calls them is taken, too: models that write Python calls mix the two.
_NAMES: dict[str, Any] = {
    "True": True, "False": False, "None": None, "true": True, "false": False, "null": None,
}  # fmt: skip
_ESCAPE = re.compile(
    r"\\(?:([\\'\"abfnrtv\n])|(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|([0-7]{1,3}))"
)
_SIMPLE: dict[str, str] = dict(zip("\\'\"abfnrtv\n", ["\\", "'", '"', *"\a\b\f\n\r\t\v", ""], strict=True))
_CLOSES = {"[": "]", "(": ")", "{": "}"}


class _Token(NamedTuple):
    kind: str
    text: str


class _Reader:
    """The tokens of a text, read from the left once."""

    def __init__(self, text: str) -> None:
        self.tokens: list[_Token] = []
        place, end = 0, len(text.rstrip())
        while place < end:
            found = _TOKEN.match(text, place)
            if found is None:
                raise CallError(f"not Python: {text[place : place + 20].strip()!r}")
            self.tokens.append(_Token(str(found.lastgroup), found.group().strip()))
            place = found.end()
        self.place = 0

    def peek(self) -> str:
        return self.tokens[self.place].text if self.place < len(self.tokens) else ""

    def take(self) -> _Token:
        if self.place == len(self.tokens):
            raise CallError("the call is not complete")
        self.place += 1
        return self.tokens[self.place - 1]

    def sign(self, text: str) -> None:
        token = self.take()
        if token.kind != "sign" or token.text != text:
            raise CallError(f"{text!r} is missing before {token.text!r:.40}")

    def items(self, close: str) -> bool:
        """Take the comma or the closing bracket, and return whether another item follows."""
        if self.peek() == ",":
            self.take()
            if self.peek() != close:
                return True
        self.sign(close)
        return False

    def call(self) -> Call:
        token = self.take()
        if token.kind != "name":
            raise CallError(f"a call begins with a name, got {token.text!r:.40}")
        self.sign("(")
        arguments: dict[str, Any] = {}
        more = self.peek() != ")"
        if not more:
            self.take()
        while more:
            name = self.take()
            if name.kind != "name" or "." in name.text or self.peek() != "=":
                raise CallError("arguments are named, and have literal values: name=value")
            self.take()
            if name.text in arguments:
                raise CallError(f"the argument {name.text!r:.80} stands twice")
            arguments[name.text] = self.value(1)
            more = self.items(")")
        return Call(checked_name(token.text), arguments)

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise CallError(f"nested more than {MAX_DEPTH} levels deep")
        kind, text = self.take()
        if kind == "text":
            return _text(text)
        if kind == "number":
            return _number(text)
        if kind == "name" and text in _NAMES:
            return _NAMES[text]
        if kind == "sign" and text in "+-":
            following = self.take()
            if following.kind != "number":
                raise CallError(f"{text!r} stands before {following.text!r:.40}, which is no number")
            number = _number(following.text)
            return -number if text == "-" else number
        if kind == "sign" and text in "[(":
            return self._several(_CLOSES[text], depth)
        if kind == "sign" and text == "{":
            return self._mapping(depth)
        raise CallError(f"{text!r:.40} is no literal")

    def _several(self, close: str, depth: int) -> list[Any]:
        values: list[Any] = []
        if self.peek() == close:
            self.take()
            return values
        opened = self.place
        values.append(self.value(depth + 1))
        has_comma = self.peek() == ","
        while self.items(close):
            values.append(self.value(depth + 1))
        if close == ")" and not has_comma:
            raise CallError(f"brackets around one value, {self.tokens[opened].text!r:.40}, are no literal")
        return values

    def _mapping(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.peek() == "}":
            self.take()
            return found
        while True:
            kind, text = self.take()
            if kind != "text":
                raise CallError(f"keys are texts, got {text!r:.40}")
            key = _text(text)
            if key in found:
                raise CallError(f"the key {key!r:.80} stands twice")
            self.sign(":")
            found[key] = self.value(depth + 1)
            if not self.items("}"):
                return found


def _text(token: str) -> str:
    return str(_ESCAPE.sub(_unescaped, token[1:-1]))


def _unescaped(found: re.Match[str]) -> str:
    simple, code, octal = found.groups()
    if simple is not None:
        return _SIMPLE[simple]
    number = int(octal, 8) if code is None else int(code[1:], 16)
    if number > 0x10FFFF:
        raise CallError(f"no character has the number {number:x}")
    return chr(number)


def _number(token: str) -> int | float:
    if len(token) > MAX_NUMBER:
        raise CallError(f"a number of more than {MAX_NUMBER} characters")
    try:
        if not token.replace("_", "").isdigit():
            value = float(token)
        elif token[0] == "0" and token.strip("0_"):
            raise ValueError
        else:
            return int(token)
    except ValueError:
        raise CallError(f"not a number: {token!r:.40}") from None
    if not math.isfinite(value):
        raise CallError(f"not a finite number: {token!r:.40}")
    return value


def read_calls(text: str) -> list[Call]:
    """The calls of a text that is nothing but calls, in square brackets or one without.

    Raises:
        CallError: It is something else.

    >>> [str(call) for call in read_calls("[add(a=1, b=-2), clock.now()]")]
    ['add(a=1, b=-2)', 'clock.now()']
    """
    if len(text) > MAX_PYTHON_CHARS:
        raise CallError(f"longer than {MAX_PYTHON_CHARS} characters", "over_limit")
    reader = _Reader(text)
    calls: list[Call] = []
    if reader.peek() == "[":
        reader.take()
        more = True
        while more:
            calls.append(reader.call())
            if len(calls) > MAX_CALLS:
                raise CallError(f"more than {MAX_CALLS} calls", "over_limit")
            more = reader.items("]")
    else:
        calls.append(reader.call())
    if reader.place < len(reader.tokens):
        raise CallError(f"there is something after the calls: {reader.peek()!r:.40}")
    return calls
