r"""What an answer is beyond one value: a list, tuple, interval, set, union, relation.

A shape is read from cleaned text by splitting it at what stands outside all brackets. What is not
certain stays unread (None), and a later stage decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .limits import MAX_CELLS, MAX_LIST
from .parser import parse
from .reading import _NAME
from .tokens import UnreadableError
from .tree import Node, symbols

Kind = Literal["list", "()", "[]", "{}", "(]", "[)"]


@dataclass(frozen=True, slots=True)
class Value:
    """One value, as its text and its tree."""

    text: str
    node: Node


@dataclass(frozen=True, slots=True)
class Infinity:
    """Plus or minus infinity."""

    sign: int


@dataclass(frozen=True, slots=True)
class Items:
    """Several shapes in brackets, or in none ("list")."""

    kind: Kind
    items: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """Intervals and sets that are united."""

    parts: tuple[Items, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of values, all of one length."""

    rows: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """``left < right`` with one of ``< <= =``; greater ones are turned round."""

    sign: str
    left: Value
    right: Value


Shape = Value | Infinity | Items | Union | Matrix | Relation

_INFINITY = re.compile(r"([+-]?)\s*\\infty")
_MEMBER = re.compile(r"\s*\\in(?![a-zA-Z])\s*")
_UNITED = re.compile(r"\\cup(?![a-zA-Z])")
_SIGNS = re.compile(r"(<=|>=|\\leq|\\geq|\\lt(?![a-z])|\\gt(?![a-z])|<|>|=)")
_PLAIN_SIGNS = {"\\leq": "<=", "\\geq": ">=", "\\lt": "<", "\\gt": ">"}
_TURNED = {">": "<", ">=": "<="}
_AND = re.compile(r"\\text\s*\{\s*(?:and|or|,)\s*\}|(?<=[\s\d)])(?:and|or|,\s*and)(?=[\s(])")
_MATRIX = re.compile(r"\\begin\s*\{([pbBvV]?matrix)\}(.*)\\end\s*\{\1\}", re.DOTALL)
_ROWS = re.compile(r"\\\\(?:\s*\[[^\]]*\])?")
_PLUS_MINUS = re.compile(r"\\pm(?![a-zA-Z])")
_KINDS: dict[str, Kind] = {"()": "()", "[]": "[]", "(]": "(]", "[)": "[)"}


def read(text: str) -> Shape | None:
    """The shape of a cleaned answer; None for what is not certain."""
    text = _AND.sub(",", text.replace("$", " ")).strip()
    member = _MEMBER.split(text)
    if len(member) == 2 and _NAME.fullmatch(member[0].strip()):
        text = member[1]
    if _UNITED.search(text):
        parts = [_items(part.strip()) for part in _UNITED.split(text)]
        united = tuple(part for part in parts if part is not None and part.kind != "list")
        return Union(united) if len(united) == len(parts) else None
    items = _items(text)
    if items is not None:
        return items
    return _relation(text) if _SIGNS.search(text) else _value(text)


def _value(text: str) -> Shape | None:
    text = text.strip()
    if found := _INFINITY.fullmatch(text):
        return Infinity(-1 if found.group(1) == "-" else 1)
    if found := _MATRIX.fullmatch(text):
        return _matrix(found.group(1), found.group(2))
    if _PLUS_MINUS.search(text):
        return _plus_minus(text)
    try:
        return Value(text, parse(text))
    except UnreadableError:
        return None


def _matrix(name: str, body: str) -> Matrix | None:
    """The cells of a matrix; None for a determinant, and where a cell is not a value."""
    if name in ("vmatrix", "Vmatrix") or "\\begin" in body:
        return None
    lines = [line for line in _ROWS.split(body) if line.strip()]
    rows = [[_value(cell) for cell in line.split("&")] for line in lines]
    if not rows or len({len(row) for row in rows}) > 1 or sum(map(len, rows)) > MAX_CELLS:
        return None
    cells = [[cell for cell in row if isinstance(cell, Value)] for row in rows]
    if [len(row) for row in cells] != [len(row) for row in rows]:
        return None
    return Matrix(tuple(map(tuple, cells)))


def _plus_minus(text: str) -> Shape | None:
    """``a \\pm b`` is a list of two."""
    if len(_PLUS_MINUS.findall(text)) != 1:
        return None
    both = [_value(_PLUS_MINUS.sub(sign, text)) for sign in "+-"]
    return None if None in both else Items("list", tuple(each for each in both if each is not None))


def _items(text: str) -> Items | None:
    """A bracketed or comma-separated group; None for one value."""
    body = text.replace("\\{", "⦃").replace("\\}", "⦄").strip()
    if not _balanced(body):
        return None
    parts = _split(body)
    if len(parts) > 1:
        return _group("list", parts)
    opening, closing = body[:1], body[-1:]
    if not _encloses(body):
        return None
    inner = _split(body[1:-1])
    if opening == "⦃" and closing == "⦄":
        return _group("{}", [part for part in inner if part])
    kind = _KINDS.get(opening + closing)
    return _group(kind, inner) if kind is not None and len(inner) > 1 else None


def _group(kind: Kind, parts: list[str]) -> Items | None:
    if len(parts) > MAX_LIST:
        return None
    shapes: list[Shape] = []
    for part in _unnamed(parts):
        text = part.replace("⦃", "\\{").replace("⦄", "\\}").strip()
        shape = _items(text) or _value(text)
        if shape is None:
            return None
        # A plus-minus within a list or set stands for two of its items.
        spread = isinstance(shape, Items) and shape.kind == "list" and kind in ("list", "{}")
        shapes.extend(shape.items if spread and isinstance(shape, Items) else (shape,))
    return Items(kind, tuple(shapes))


def _unnamed(parts: list[str]) -> list[str]:
    """``p = 3, q = 4`` lists two values, if every part has a name of its own or all have the same."""
    sides = [part.split("=") for part in parts]
    if len(parts) < 2 or any(len(side) != 2 or not _NAME.fullmatch(side[0].strip()) for side in sides):
        return parts
    return [side[1] for side in sides]


_OPEN, _CLOSE = "([{⦃", ")]}⦄"


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += char in _OPEN
        depth -= char in _CLOSE
        if depth < 0:
            return False
    return depth == 0


def _encloses(text: str) -> bool:
    """Whether the first bracket closes with the last character."""
    if len(text) < 2 or text[0] not in "([⦃":
        return False
    depth = 0
    for position, char in enumerate(text):
        depth += char in _OPEN
        depth -= char in _CLOSE
        if depth == 0:
            return position == len(text) - 1
    return False


def _split(text: str) -> list[str]:
    """At commas and semicolons outside all brackets, but not inside 1,234."""
    parts, depth, start = [], 0, 0
    for position, char in enumerate(text):
        depth += char in _OPEN
        depth -= char in _CLOSE
        if depth == 0 and char in ",;" and not _thousands(text, position):
            parts.append(text[start:position].strip())
            start = position + 1
    return [*parts, text[start:].strip()]


def _thousands(text: str, position: int) -> bool:
    return (
        re.match(r",\d{3}(?![\d])", text[position:]) is not None
        and re.search(r"(?<![\d,.])\d{1,3}(?:,\d{3})*$", text[:position]) is not None
        and " " not in text[position : position + 2]
    )


def _relation(text: str) -> Shape | None:
    """One relation, a chain around one unknown (an interval), or ``name = shape``."""
    pieces = _SIGNS.split(text)
    sides = [piece.strip() for piece in pieces[::2]]
    signs = [_PLAIN_SIGNS.get(sign, sign) for sign in pieces[1::2]]
    if not all(sides):
        return None
    if signs == ["="]:
        if _NAME.fullmatch(sides[0]) and (named := _items(sides[1])) is not None:
            return named
        left, right = _value(sides[0]), _value(sides[1])
        return Relation("=", left, right) if isinstance(left, Value) and isinstance(right, Value) else None
    if len(signs) == 1:
        return _half_line(sides, signs[0]) or _inequality(sides, signs[0])
    if len(signs) == 2 and "=" not in signs and _NAME.fullmatch(sides[1]):
        return _between(sides, signs)
    return None


def _inequality(sides: list[str], sign: str) -> Relation | None:
    left, right = _value(sides[0]), _value(sides[1])
    if not isinstance(left, Value) or not isinstance(right, Value):
        return None
    if sign in _TURNED:
        return Relation(_TURNED[sign], right, left)
    return Relation(sign, left, right)


def _half_line(sides: list[str], sign: str) -> Items | None:
    """``x < a`` as an interval; None if neither side is an unknown alone."""
    if _NAME.fullmatch(sides[1]) and not _NAME.fullmatch(sides[0]):
        sides, sign = sides[::-1], {"<": ">", ">": "<", "<=": ">=", ">=": "<="}[sign]
    if not _NAME.fullmatch(sides[0]):
        return None
    end = _value(sides[1])
    if end is None or isinstance(end, Items) or (isinstance(end, Value) and symbols(end.node)):
        return None
    if sign[0] == "<":
        return Items("(]" if sign == "<=" else "()", (Infinity(-1), end))
    return Items("[)" if sign == ">=" else "()", (end, Infinity(1)))


def _between(sides: list[str], signs: list[str]) -> Items | None:
    """``a < x <= b`` as an interval."""
    if signs[0][0] != signs[1][0]:
        return None
    low, high = _value(sides[0]), _value(sides[2])
    if low is None or high is None or isinstance(low, Items) or isinstance(high, Items):
        return None
    first, second = signs
    if first[0] == ">":
        low, high, first, second = high, low, second, first
    kind = ("[" if first[1:] else "(") + ("]" if second[1:] else ")")
    return Items(_KINDS[kind], (low, high))
