r"""Shapes between commas and relation signs: brackets, sets, unions, ratios, choices of signs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import cast

from ..formulas.answer_shapes import (
    Chain,
    Combined,
    Items,
    Kind,
    Matrix,
    Named,
    Numbers,
    Ratio,
    Relation,
    Shape,
    Value,
    Words,
    mapped,
)
from ..formulas.cost_limits import MAX_LIST, UnreadableError
from ..formulas.formula_tree import Node, Symbol, substitute
from ..runtime.records import dataclass
from .assembly import spread
from .formula_parser import scalar
from .matrices import read_matrices, transposed, with_bars, with_columns
from .single_values import read_clock, read_quantity, read_special
from .spelling.tokens import encloses, split
from .value_names import is_label, name_of

MAX_DEPTH = 12
"""Deepest nesting of lists, sets and tuples."""
_MAX_SIGNS = 4
"""Plus-minus signs of one item: each doubles what it stands for."""
ELEMENT = "@element"
"""The unknown of a set that is given by a condition."""
_KINDS: dict[str, Kind] = {"()": "()", "[]": "[]", "(]": "(]", "[)": "[)", "\\langle\\rangle": "()"}
_SET_SIGNS = frozenset({"\\cup", "\\cap", "\\setminus"})


@dataclass(frozen=True, slots=True)
class Level:
    """Depth in brackets, and the reader of statements, which brackets may hold whole.

    Args:
        statement: Reads a whole statement.
        depth: Number of brackets around it.
    """

    statement: Callable[[list[str], Level], Shape]
    depth: int = 0

    def below(self) -> Level:
        """The level one bracket deeper."""
        return Level(self.statement, self.depth + 1)

    def read_inside(self, words: list[str]) -> Shape:
        """Read words in brackets at this level: a whole statement again."""
        return self.statement(words, self.below())


def read_group(words: list[str], level: Level) -> Shape:
    """One item: a bracketed group, a set, a matrix, a ratio, a time, or a value with its unit.

    Raises:
        UnreadableError: It is none of these.
    """
    if level.depth > MAX_DEPTH:
        raise UnreadableError("nested too deeply")
    if not words:
        raise UnreadableError("an item is missing")
    if len(words) == 1 and words[0] == "\\dots":
        return Words("...")
    words = _united(words) if "U" in words else words
    if (column := transposed(words)) is not None:
        return Matrix(tuple((read_group(part, level.below()),) for part in column))
    if words[0].startswith("\\mathbb") and words[1:2] == ["-"]:
        words = [words[0], "\\setminus", *words[2:]]
    if len(words) == 3 and words[1].strip('"') == "to" and words[0].isdecimal() and words[2].isdecimal():
        words = [words[0], ":", words[2]]
    if words[0] == "{" and encloses(words):
        return level.read_inside(words[1:-1])
    if not _SET_SIGNS.isdisjoint(words) and len(split(words, _SET_SIGNS)) > 1:
        return _operation(words, level)
    if "\\pm" in words or "\\mp" in words:
        return _both_signs(words, level)
    special = read_special(words)
    if special is not None:
        return special
    words = with_bars(words) if "\\det" in words else words
    words = with_columns(words) if "," in words and "(" in words else words
    if "\\begin:" in "".join(words) and (matrix := _environments(words, level)) is not None:
        return matrix
    if encloses(words) and (group := _bracketed(words, level)) is not None:
        return group
    if ":" in words and (parted := _parted(words, level)) is not None:
        return parted
    return read_quantity(words)


def _environments(words: list[str], level: Level) -> Shape | None:
    """Matrices, systems and cases."""
    return read_matrices(words, lambda cell: read_group(cell, level.below()), level.read_inside)


def _united(words: list[str]) -> list[str]:
    """A capital U between brackets is a union."""
    found = list(words)
    for at in range(1, len(words) - 1):
        if words[at] == "U" and words[at - 1] in (")", "]", "\\}") and words[at + 1] in ("(", "[", "\\{"):
            found[at] = "\\cup"
    return found


def outward_brackets(words: list[str]) -> list[str]:
    """``]1, 2[`` is (1, 2)."""
    if len(words) > 3 and (words[0] == "]" or words[-1] == "[") and words[0] in "[]" and words[-1] in "[]":
        return ["(" if words[0] == "]" else "[", *words[1:-1], ")" if words[-1] == "[" else "]"]
    return words


def _operation(words: list[str], level: Level) -> Shape:
    """Unions bind loosest, then intersections, then differences."""
    for sign, operation in (("\\cup", "or"), ("\\cap", "and"), ("\\setminus", "without")):
        parts = split(words, frozenset({sign}))
        if len(parts) > 1:
            shapes = tuple(read_group(part, level.below()) for part in parts)
            if not all(_may_be_set(shape) for shape in shapes):
                raise UnreadableError("a set operation on something that is not a set")
            return Combined(operation, shapes)  # type: ignore[arg-type]  # one of the three
    raise UnreadableError("no operation")


def _may_be_set(shape: Shape) -> bool:
    named = isinstance(shape, Value) and isinstance(shape.node, Symbol) and shape.node.name.isupper()
    return named or isinstance(shape, Items | Numbers | Combined | Named)


def _both_signs(words: list[str], level: Level) -> Shape:
    r"""Every choice of signs for ``\pm``; the signs of ``\mp`` follow. In a set each item has its own."""
    if encloses(words) and words[0] == "\\{":
        parts = [level.read_inside(part) for part in split(words[1:-1], frozenset({",", ";"})) if part]
        return Items("{}", tuple(spread(parts)))
    places = [at for at, word in enumerate(words) if word == "\\pm"]
    if not 0 < len(places) <= _MAX_SIGNS:
        raise UnreadableError("too many plus-minus signs")
    # With a minus-plus all signs change together; otherwise each for itself, as in ± a ± b.
    together = "\\mp" in words
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
        found.append(read_group([other if word == "\\mp" else word for word in chosen], level.below()))
    return Items("list", tuple(found))


def _bracketed(words: list[str], level: Level) -> Shape | None:
    """Read brackets that enclose everything; None if they only hold a value together."""
    opening, closing = words[0], words[-1]
    inner = words[1:-1]
    if opening == "\\{" and closing == "\\}":
        return _set(inner, level)
    parts = split(inner, frozenset({",", ";"}))
    kind = _KINDS.get(opening + closing)
    if kind is None:
        return None
    if len(parts) == 1:
        if opening == "[":
            return Items("[]", (level.read_inside(inner),))
        return None if _is_value(words) else level.read_inside(inner)
    if len(parts) > MAX_LIST:
        raise UnreadableError("a list that is too long")
    return Items(
        kind,
        tuple(level.read_inside(part) if "=" in part else read_group(part, level.below()) for part in parts),
    )


def _is_value(words: list[str]) -> bool:
    try:
        return not scalar(words)[1]
    except UnreadableError:
        return False


def _set(inner: list[str], level: Level) -> Shape:
    r"""``\{1, 2\}``, ``\{x \mid x < 3\}``."""
    for bar in ("|", ":"):
        parts = split(inner, frozenset({bar}))
        if len(parts) != 2:
            continue
        head, *domain = split(parts[0], frozenset({"\\in"}))
        name = name_of(head)
        if name is None:
            return level.read_inside([*parts[0], ",", *parts[1]])  # {2k | k in Z}
        if not name[2]:
            return Items("{}", (level.read_inside(parts[1]),))  # {(x, y) | x + y = 1}, of points
        return _built(name, domain, level.read_inside(parts[1]))
    items = [level.read_inside(part) for part in split(inner, frozenset({",", ";"})) if part]
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


def _parted(words: list[str], level: Level) -> Shape | None:
    """``3:4:5``, ``20:34``, ``Paolo: 18``; None where the colons are inside brackets."""
    parts = split(words, frozenset({":"}))
    if len(parts) == 1:
        return None
    name = name_of(parts[0])
    if name is not None and not name[2] and len(parts) == 2 and is_label(parts[0]):
        return Named(name[0], read_group(parts[1], level.below()), None, False)
    clock = read_clock(parts)
    if clock is not None:
        return clock
    values = tuple(read_quantity(part) for part in parts)
    if not all(isinstance(value, Value) for value in values):
        return None
    return Ratio(cast("tuple[Value, ...]", values))
