r"""What stands between commas and relation signs: brackets, sets, ratios, times, values with units."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import cast

from ...language.english_numerals import read_words
from ...units.quantities import CURRENCIES, read_unit
from ..text.limits import MAX_LIST
from ..text.tokens import UnreadableError, is_word
from . import matrices
from .formula_parser import scalar
from .formula_tree import Node, Number, Symbol, substitute
from .plain_numbers import read_number, with_unit
from .shapes import (
    Chain,
    Clock,
    Combined,
    Infinity,
    Items,
    Kind,
    Named,
    Numbers,
    Numeral,
    Ratio,
    Relation,
    Shape,
    Value,
    Words,
    mapped,
)
from .value_names import all_words, encloses, name_of, split

MAX_DEPTH = 12
"""Deepest nesting of lists, sets and tuples."""
_MAX_SIGNS = 4
"""Plus-minus signs of one item: each doubles what it stands for."""
ELEMENT = "@element"
"""The unknown of a set that is given by a condition."""
_KINDS: dict[str, Kind] = {"()": "()", "[]": "[]", "(]": "(]", "[)": "[)", "\\langle\\rangle": "()"}
_SET_SIGNS = frozenset({"\\cup", "\\cap", "\\setminus"})
_HALVES = {"am": 0, "pm": 12}
_DAY = 12
_SYNONYMS: dict[str, Shape] = {
    "infinitely many": Infinity(1), "infinite": Infinity(1), "infinitely many solutions": Infinity(1),
    "all real numbers": Numbers("R"), "all reals": Numbers("R"), "real numbers": Numbers("R"),
    "no solution": Numbers(""), "no solutions": Numbers(""), "no real solution": Numbers(""),
    "no real solutions": Numbers(""), "empty set": Numbers(""), "해가 없다": Numbers(""),
    "해 없음": Numbers(""), "없다": Numbers(""), "none": Numbers(""), "there are no solutions": Numbers(""),
    "모든 실수": Numbers("R"), "모든 정수": Numbers("Z"), "모든 자연수": Numbers("N"),
    "all integers": Numbers("Z"), "all positive integers": Numbers("N"), "positive integers": Numbers("N"),
    "all natural numbers": Numbers("N"),
}  # fmt: skip
_FOLDED = re.compile(r"\b(?:the|a|an)\b|[^\w\s]")


def read_group(words: list[str], depth: int) -> Shape:
    """One item: a bracketed group, a set, a matrix, a ratio, a time, or a value with its unit.

    Raises:
        UnreadableError: It is none of these.
    """
    if depth > MAX_DEPTH:
        raise UnreadableError("nested too deeply")
    if not words:
        raise UnreadableError("an item is missing")
    if len(words) == 1 and words[0] == "\\dots":
        return Words("...")
    words = _united(words) if "U" in words else words
    if words[0].startswith("\\mathbb") and words[1:2] == ["-"]:
        words = [words[0], "\\setminus", *words[2:]]
    if len(words) == 3 and words[1].strip('"') == "to" and words[0].isdecimal() and words[2].isdecimal():
        words = [words[0], ":", words[2]]
    if words[0] == "{" and encloses(words):
        return read_inner(words[1:-1], depth)
    if not _SET_SIGNS.isdisjoint(words) and len(split(words, _SET_SIGNS)) > 1:
        return _operation(words, depth)
    if "\\pm" in words or "\\mp" in words:
        return _both_signs(words, depth)
    special = _special(words)
    if special is not None:
        return special
    if "\\begin:" in "".join(words) and (matrix := matrices.read_matrices(words, depth)) is not None:
        return matrix
    if encloses(words) and (group := _bracketed(words, depth)) is not None:
        return group
    if ":" in words and (parted := _parted(words, depth)) is not None:
        return parted
    return read_quantity(words)


def words_of(text: str) -> Words:
    """Text, folded: case, articles and punctuation do not matter.

    >>> words_of("The Evelyn!")
    Words(text='evelyn')
    """
    return Words(" ".join(_FOLDED.sub(" ", text.casefold()).split()))


def is_region(shape: Shape) -> bool:
    """Whether a shape is a set of numbers, rather than a number."""
    if isinstance(shape, Named):
        return shape.sign == "in" and is_region(shape.shape)
    return isinstance(shape, Numbers | Combined) or (
        isinstance(shape, Items) and shape.kind in ("(]", "[)", "{}")
    )


def spread(items: Iterable[Shape]) -> list[Shape]:
    """Items with what stands for several of them, such as ``\\pm 1``, in its parts."""
    found: list[Shape] = []
    for item in items:
        found.extend(item.items if isinstance(item, Items) and item.kind == "list" else (item,))
    if len(found) > MAX_LIST:
        raise UnreadableError("a list that is too long")
    return found


def read_inner(words: list[str], depth: int) -> Shape:
    """What is in brackets: a whole statement again."""
    from .statements import statement  # which needs this module

    return statement(words, depth + 1)


def _united(words: list[str]) -> list[str]:
    """A capital U between brackets is a union."""
    found = list(words)
    for at in range(1, len(words) - 1):
        if words[at] == "U" and words[at - 1] in (")", "]", "\\}") and words[at + 1] in ("(", "[", "\\{"):
            found[at] = "\\cup"
    return found


def french(words: list[str]) -> list[str]:
    """``]1, 2[`` is (1, 2)."""
    if len(words) > 3 and (words[0] == "]" or words[-1] == "[") and words[0] in "[]" and words[-1] in "[]":
        return ["(" if words[0] == "]" else "[", *words[1:-1], ")" if words[-1] == "[" else "]"]
    return words


def _operation(words: list[str], depth: int) -> Shape:
    """Unions bind loosest, then intersections, then differences."""
    for sign, operation in (("\\cup", "or"), ("\\cap", "and"), ("\\setminus", "without")):
        parts = split(words, frozenset({sign}))
        if len(parts) > 1:
            shapes = tuple(read_group(part, depth + 1) for part in parts)
            if not all(_may_be_set(shape) for shape in shapes):
                raise UnreadableError("an operation on what is no set")
            return Combined(operation, shapes)  # type: ignore[arg-type]  # one of the three
    raise UnreadableError("no operation")


def _may_be_set(shape: Shape) -> bool:
    named = isinstance(shape, Value) and isinstance(shape.node, Symbol) and shape.node.name.isupper()
    return named or isinstance(shape, Items | Numbers | Combined | Named)


def _both_signs(words: list[str], depth: int) -> Shape:
    r"""Every choice of signs for ``\pm``; the signs of ``\mp`` follow. In a set each item has its own."""
    if encloses(words) and words[0] == "\\{":
        parts = [read_inner(part, depth) for part in split(words[1:-1], frozenset({",", ";"})) if part]
        return Items("{}", tuple(spread(parts)))
    places = [at for at, word in enumerate(words) if word == "\\pm"]
    if not 0 < len(places) <= _MAX_SIGNS:
        raise UnreadableError("too many plus-minus signs")
    # With a minus-plus, or within one value, all signs change together: ± a ± b is not four values for sure.
    together = "\\mp" in words or (len(places) > 1 and not encloses(words))
    choices = (
        [("+",) * len(places), ("-",) * len(places)]
        if together
        else itertools.product("+-", repeat=len(places))
    )
    found = []
    for choice in choices:
        chosen = list(words)
        for at, sign in zip(places, choice, strict=True):
            chosen[at] = sign
        other = "-" if choice[0] == "+" else "+"
        found.append(read_group([other if word == "\\mp" else word for word in chosen], depth + 1))
    return Items("list", tuple(found))


def _special(words: Sequence[str]) -> Shape | None:
    """Infinities, named sets, numerals with a base, and words that stand for these."""
    if words[-1] == "\\infty" and len(words) <= 2:
        return Infinity(-1 if words[0] == "-" else 1) if words[0] in ("-", "+", "\\infty") else None
    if words[0].startswith("\\mathbb"):
        behind = "".join(words[1:])
        if not behind:
            return Numbers(words[0][7:])
        if words[0] == "\\mathbbZ" and behind.replace("{", "").replace("}", "") in ("^+", "_+", "_>0"):
            return Numbers("N")
        if words[0] == "\\mathbbR" and behind.replace("{", "").replace("}", "") in ("^+", "_+", "_>0"):
            return Items("()", (Value(Number(Fraction(0))), Infinity(1)))
    if list(words) in (["\\varnothing"], ["\\{", "\\}"]):
        return Numbers("")
    if not "".join(words).isascii():
        number = read_number(" ".join(word.strip('"') for word in words))
        if number is not None:
            return number
    if all_words(words):
        text = " ".join(word.strip('"') for word in words)
        if (spelled := read_number(text)) is not None:
            return spelled
        folded = words_of(text)
        return _SYNONYMS.get(folded.text) or folded
    if len(words) > 4 and words[0] == "(" and words[2] == ")" and words[3] == "_":
        words = [words[1], *words[3:]]  # (101)_2
    base = [word for word in words[2:] if word not in ("{", "}", "(", ")")] if words[1:2] == ["_"] else []
    if len(base) == 1 and (said := read_words("".join(base).strip('{}"'))) is not None:
        base = [str(said)]  # 4210_{\\text{five}}
    if words[0].isalnum() and words[0][0].isdecimal() and (digits := "".join(base)).isdecimal():
        return Numeral(words[0], int(digits)) if len(base) == 1 else None
    return None


def _bracketed(words: list[str], depth: int) -> Shape | None:
    """What is in brackets that enclose everything; None if they only hold a value together."""
    opening, closing = words[0], words[-1]
    inner = words[1:-1]
    if opening == "\\{" and closing == "\\}":
        return _set(inner, depth)
    parts = split(inner, frozenset({",", ";"}))
    kind = _KINDS.get(opening + closing)
    if kind is None:
        return None
    if len(parts) == 1:
        if opening == "[":
            return Items("[]", (read_inner(inner, depth),))
        return None if _is_value(words) else read_inner(inner, depth)
    if len(parts) > MAX_LIST:
        raise UnreadableError("a list that is too long")
    return Items(
        kind, tuple(read_inner(part, depth) if "=" in part else read_group(part, depth + 1) for part in parts)
    )


def _is_value(words: list[str]) -> bool:
    try:
        return not scalar(words)[1]
    except UnreadableError:
        return False


def _set(inner: list[str], depth: int) -> Shape:
    r"""``\{1, 2\}``, ``\{x \mid x < 3\}``."""
    for bar in ("|", ":"):
        parts = split(inner, frozenset({bar}))
        if len(parts) != 2:
            continue
        head, *domain = split(parts[0], frozenset({"\\in"}))
        name = name_of(head)
        if name is None:
            return read_inner([*parts[0], ",", *parts[1]], depth)  # {2k | k in Z}
        if not name[2]:
            return Items("{}", (read_inner(parts[1], depth),))  # {(x, y) | x + y = 1}, of points
        if name[2]:
            return _built(name, domain, read_inner(parts[1], depth))
    items = [read_inner(part, depth) for part in split(inner, frozenset({",", ";"})) if part]
    return Items("{}", tuple(spread(items))) if items else Numbers("")


def _built(name: tuple[str, Node | None, bool], domain: list[list[str]], shape: Shape) -> Shape:
    """The numbers of a domain for which something holds; how they are called there does not matter."""
    element: dict[str, Node] = {name[0]: Symbol(ELEMENT)}
    shape = mapped(shape, lambda node: substitute(node, element))
    if domain and domain[0][:1] != ["\\mathbbR"]:
        words = domain[0]
        if len(words) != 1 or not words[0].startswith("\\mathbb"):
            raise UnreadableError("a domain that has no name")
        return Combined("and", (Named(ELEMENT, Numbers(words[0][7:]), None, True, "in"), shape))
    if isinstance(shape, Named) and shape.name == name[0]:
        shape = shape.shape  # {x | x = 2k}
    if isinstance(shape, Relation | Chain | Combined):
        return shape
    return Named(ELEMENT, shape, None, True, "in")


def _parted(words: list[str], depth: int) -> Shape | None:
    """``3:4:5``, ``20:34``, ``Paolo: 18``; None where the colons are inside brackets."""
    parts = split(words, frozenset({":"}))
    if len(parts) == 1:
        return None
    name = name_of(parts[0])
    if name is not None and not name[2] and len(parts) == 2 and all_words(parts[0]):
        return Named(name[0], read_group(parts[1], depth + 1), None, False)
    clock = _clock(parts)
    if clock is not None:
        return clock
    values = tuple(read_quantity(part) for part in parts)
    if not all(isinstance(value, Value) for value in values):
        return None
    return Ratio(cast("tuple[Value, ...]", values))


def _clock(parts: list[list[str]]) -> Clock | None:
    """A time, if seconds, a half of the day or a leading zero say so."""
    half = "".join(parts[-1][1:]).strip('" ').casefold().replace(".", "").replace('"', "")
    numbers = [part[0] for part in parts if part]
    if len(numbers) != len(parts) or len(parts) > 3 or any(len(part) > 1 for part in parts[:-1]):
        return None
    if not all(number.isdecimal() and len(number) <= 2 for number in numbers):
        return None
    if any(len(number) != 2 or int(number) >= 60 for number in numbers[1:]):
        return None
    if half not in _HALVES and (half or not (len(parts) == 3 or any(number[0] == "0" for number in numbers))):
        return None
    hours = int(numbers[0])
    if half in _HALVES and 0 < hours <= _DAY:
        hours = hours % _DAY + _HALVES[half]
    seconds = int(numbers[2]) if len(numbers) > 2 else 0
    return Clock(hours * 3600 + int(numbers[1]) * 60 + seconds, half in _HALVES)


def read_quantity(words: list[str]) -> Shape:
    """A value, with a currency before or a unit behind it."""
    currency = ""
    kept = list(words)
    if len(kept) > 3 and kept[-3] == "(" and kept[-1] == ")" and is_word(kept[-2]):
        kept[-3:] = [kept[-2]]  # 5 (cm)
    for at in (0, 1):
        if (
            kept[at : at + 1]
            and kept[at] in CURRENCIES
            and (at == 0 or kept[0] in "+-")
            and len(kept) > at + 1
        ):
            currency = CURRENCIES[kept.pop(at)]
            break
    try:
        node, rest = scalar(kept)
        unit = _unit(rest)
        if unit is not None:
            return with_unit(node, unit or currency)
    except UnreadableError:
        rest = []
    node, rest = scalar(kept, spelled=True)
    unit = _unit(rest)
    if unit is None:
        raise UnreadableError(f"{rest[0]!r} is left over")
    return with_unit(node, unit or currency)


def _unit(words: Sequence[str]) -> str | None:
    if not words:
        return ""
    if len(words) > 1 and words[0] == "mod":
        return "mod " + "".join(words[1:]).strip("{}()")
    if words[0] == "(" and words[-1] == ")":
        words = words[1:-1]
    if not words or not (is_word(words[0]) or words[0] in CURRENCIES):
        return None
    text = " ".join(word.lstrip('"').strip() for word in words)
    return read_unit(" " + text.replace(" ^ ", "^").replace("{ ", "{").replace(" }", "}"), words[0][0] == '"')
