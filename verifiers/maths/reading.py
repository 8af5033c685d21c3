r"""From a cleaned answer to its shape: lists, relations and names here, what is inside them in `groups`.

What is not certain stays unread (None), and a later stage decides.
"""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import Literal

from . import groups, regions
from .balls import approximate
from .decide import decide
from .limits import MAX_LIST
from .names import all_words, cut, name_of, split
from .numbers import read_number
from .qualifiers import unqualified
from .shapes import (
    Chain,
    Combined,
    Hedge,
    Infinity,
    Items,
    Named,
    Numbers,
    Ratio,
    Relation,
    Shape,
    Sign,
    Value,
    bare,
    mapped,
)
from .tokens import Grouping, UnreadableError, tokens
from .tree import Node, Product, Symbol, decimal_places, inverse, substitute, symbols

_INTRODUCING = frozenset(
    """
    answer the final is only exactly result value total therefore thus so hence we get 답 정답 답은 정답은
    """.split()
)
# "The minimum value is" before a value.
_SAYS = re.compile(r'"(?!.*\b(?:not|no|never|nor)\b)[^"]{0,60}\b(?:is|are|equals)', re.IGNORECASE)
_CLOSING_WORDS = frozenset(["only", "exactly", "respectively", "total", "altogether"])
_TRIGGERS = frozenset({"for", "where", "with", "when", "whenever", "\\in", "\\forall"})
_SIGNS: dict[str, Sign] = {"=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": "<", ">=": "<="}
_RELATIONS = frozenset(_SIGNS)
_REASONING = frozenset(
    {"\\Rightarrow", "\\to", "\\rightarrow", "\\therefore", "\\because", "\\subset", "\\sim"}
)
_EXCEPT = re.compile(
    r"(?:\\text\s*\{)?\s*(?:all|any|every)?\s*real numbers?,?\s*(?:except|but|other than)(?: for)?\s*\}?\s*"
    r"(?:[a-z]\s*=\s*)?([^{}]+?)\}?",
    re.IGNORECASE,
)
GROUPED = re.compile(r"\d,\d{3}(?!\d)")
"""What may be one number or two."""


@lru_cache(maxsize=4096)
def read(text: str, grouping: Grouping = "outside") -> Shape | None:
    r"""The shape of a cleaned answer; None where it is not mathematics that can be read.

    Args:
        text: A cleaned answer.
        grouping: Where ``1,234`` is one number, rather than two. What cannot be read so is read in the
            other ways.

    >>> read("x = 5").shape
    Value(node=Number(value=Fraction(5, 1)), unit='')
    >>> read("x = 41 = 42").problem
    "'41' and '42' are two values"
    >>> read(r"\int x") is None
    True
    """
    if grouping == "outside" and (number := read_number(text)) is not None:
        return number
    if excepted := _EXCEPT.fullmatch(text):
        text = rf"\mathbb{{R}} \setminus \{{{excepted[1]}\}}"
    try:
        return statement(tokens(text, grouping))
    except UnreadableError:
        if grouping != "outside" or not GROUPED.search(text):
            return None
        return read(text, "nowhere") or read(text, "everywhere")


def statement(words: list[str], depth: int = 0) -> Shape:
    """A whole answer, or what is in brackets.

    Raises:
        UnreadableError: It is not read here.
    """
    if depth > groups.MAX_DEPTH or not words:
        raise UnreadableError("nothing is said, or it is nested too deeply")
    words = _trimmed(groups.french(_connected(_conditioned(words))))
    dummies: dict[str, str] = {}
    if not _TRIGGERS.isdisjoint(words) or '"' in "".join(words):
        words, dummies = unqualified(words)
    if not words:
        raise UnreadableError("nothing is said")
    if not _REASONING.isdisjoint(words):
        raise UnreadableError("a line of reasoning")
    shape = _joined(words, depth)
    return _renamed(shape, dummies) if dummies else shape


def _conditioned(words: list[str]) -> list[str]:
    """``y = x^2 (x > 0)`` as ``y = x^2, x > 0``."""
    if words[-1:] != [")"] or _RELATIONS.isdisjoint(words):
        return words
    depth = 0
    for at in range(len(words) - 1, -1, -1):
        depth += words[at] == ")"
        depth -= words[at] == "("
        if depth == 0:
            inside = words[at + 1 : -1]
            behind_name = at == 1 and len(words[0]) == 1 and words[0].isalpha()
            if (
                at
                and not behind_name
                and words[at - 1] not in _RELATIONS
                and _top(inside)
                and "," not in inside
            ):
                return [*words[:at], ",", *inside]
            return words
    return words


def _top(words: list[str]) -> bool:
    """Whether there is a relation outside all brackets."""
    try:
        return bool(cut(words, _RELATIONS)[1])
    except UnreadableError:
        return False


def _connected(words: list[str]) -> list[str]:
    """Logical signs between relations are "and" and "or"; between letters they make another formula."""
    if "\\lor" not in words and "\\land" not in words:
        return words
    if _RELATIONS.isdisjoint(words):
        raise UnreadableError("a formula of logic")
    return [{"\\lor": "or", "\\land": "and"}.get(word, word) for word in words]


def _trimmed(words: list[str]) -> list[str]:
    """Without words such as "the answer is" in front."""
    start = 1 if len(words) > 1 and _SAYS.fullmatch(words[0]) else 0
    while start < len(words) and _folded(words[start]) in _INTRODUCING:
        start += 1
    if start and words[start : start + 1] == [":"]:
        start += 1
    rest = words[start:]
    while len(rest) > 1 and (_folded(rest[-1]) in _CLOSING_WORDS or rest[-1] in (",", ";")):
        rest = rest[:-1]
    announced = (
        start > 1 or (words[0][:1] == '"' and start == 1) or (start == 1 and _folded(words[0]) == "answer")
    )
    return rest if rest and (announced or not all_words(rest)) else words


def _folded(word: str) -> str:
    folded = word.strip('" ').casefold()
    return "answer" if folded in ("the answer is", "answer is", "the final answer is", "answer:") else folded


def _renamed(shape: Shape, dummies: dict[str, str]) -> Shape:
    """With the letters that stand for any number of a set under names that say so."""
    names: dict[str, Node] = {letter: Symbol(name) for letter, name in dummies.items()}
    return mapped(shape, lambda node: substitute(node, names))


def _joined(words: list[str], depth: int) -> Shape:
    """Parts between semicolons, "or", "and", commas."""
    parts = _cut(words, ";")
    if len(parts) > 1:
        return Items("list", tuple(_joined(part, depth + 1) for part in parts))
    words = parts[0] if parts else []
    either = _cut(words, "or")
    if len(either) > 1 and all("," in part and part.count("=") > 1 for part in either):
        return Items("list", tuple(_joined(part, depth + 1) for part in either))
    if len(either) > 1:  # "f(x) = 0 for all x or f(x) = x for all x"
        either = [head if not letters else part for part in either for head, letters in [unqualified(part)]]
    both = [part for each in either for part in _cut(each, "and")]
    items = [part for each in both for part in _cut(each, ",")]
    if not items or len(items) > MAX_LIST:
        raise UnreadableError("nothing is said, or too much")
    if len(items) == 1:
        return _relation(items[0], depth)
    shapes = [_relation(item, depth) for item in items]
    if len(either) > 1:
        return assembled(shapes, "or")
    return assembled(shapes, "list" if len(items) > len(both) else "and")


def _cut(words: list[str], at: str) -> list[list[str]]:
    return [part for part in split(words, frozenset({at})) if part] if at in words else [words]


def assembled(items: list[Shape], kind: Literal["or", "and", "list"]) -> Shape:
    """Several statements as one shape.

    Args:
        items: Statements.
        kind: What is between them: "or", "and", or "list" for commas.
    """
    hedge = next((item for item in items if isinstance(item, Hedge)), None)
    if hedge is not None:
        return hedge
    if any(_is_condition(item) for item in items):
        # Over the real numbers everything here is.
        items = [item for item in items if not _is_domain(item, "R")] or items
        operation = (
            kind if kind == "or" else _meant(items) if kind == "list" or _are_intervals(items) else "and"
        )
        if len(items) == 1:
            return items[0]
        if operation in ("or", "and"):
            return Combined(operation, tuple(items))
    names = [item.name for item in items if isinstance(item, Named)]
    bases = {name.partition("_")[0] for name in names}
    if len(names) == len(items) and (
        len(set(names)) == 1 or (len(bases) == 1 and all("_" in name for name in names))
    ):
        # x = 2, x = -3 or x_1 = 2, x_2 = -3 are values of one unknown; tuples stay a list of points.
        items = [bare(item) for item in items]
        if all(isinstance(item, Value) for item in items):
            return Items("{}", tuple(items))
    elif len(set(names)) > 1 and kind == "or":
        return Combined("or", tuple(items))
    elif isinstance(items[0], Named) and len(names) == 1:
        # x = 2, 3 and (x, y) = (1, 2) or (3, 4)
        items = [bare(items[0]), *items[1:]]
    choice = kind == "or" and all(isinstance(item, Value) for item in items)
    return Items("{}" if choice else "list", tuple(groups.spread(items)))  # 1 or 2 is no point


def _is_condition(item: Shape) -> bool:
    """Whether a statement leaves a range of values."""
    if isinstance(item, Relation):
        return item.sign != "="
    if isinstance(item, Named) and item.sign == "in" and isinstance(item.shape, Items):
        return item.shape.kind != "list"
    endless = isinstance(item, Items) and any(isinstance(end, Infinity) for end in item.items)
    return endless or isinstance(item, Chain) or groups.is_region(item)


def _are_intervals(items: list[Shape]) -> bool:
    return all(isinstance(item, Items) and item.kind != "{}" for item in items)


def _is_domain(item: Shape, name: str = "") -> bool:
    inner = item.shape if isinstance(item, Named) and item.sign == "in" else None
    return isinstance(inner, Numbers) and (not name or inner.name == name)


def _meant(items: list[Shape]) -> Literal["or", "and", "list"]:
    """Conditions between commas: all hold, unless nothing fulfils all of them, as in x < 1, x > 3."""
    if _are_intervals(items):
        return "or"  # (-oo, 1), (3, oo): where a function rises
    if not all(_is_condition(item) for item in items) or any(isinstance(item, Items) for item in items):
        return "list"
    if any(_is_domain(item) for item in items):
        return "and"
    both = regions.region(Combined("and", tuple(items)))
    if both is None:
        return "and" if all(isinstance(item, Relation) for item in items) else "list"
    return "and" if both else "or"


def _relation(words: list[str], depth: int) -> Shape:
    """One relation, chain or membership, or ``name = shape``; else what `groups` reads."""
    near = _cut(words, "\\approx")
    if near != [words]:
        return _approximated(near, depth)
    inside = split(words, frozenset({"\\in"})) if "\\in" in words else []
    if len(inside) == 2:
        name = name_of(inside[0])
        if name is None:
            raise UnreadableError("an expression is in a set")
        return Named(name[0], groups.read_group(inside[1], depth), name[1], name[2], "in")
    sides, signs = cut(words, _RELATIONS) if not _RELATIONS.isdisjoint(words) else ([], [])
    if not signs:
        return groups.read_group(words, depth)
    if not all(sides):
        if signs == ["="] and sides[1]:
            return groups.read_group(sides[1], depth)
        raise UnreadableError("a side of a relation is missing")
    if set(signs) == {"="}:
        return _equation(sides, depth)
    shapes = tuple(groups.read_group(side, depth) for side in sides)
    return _inequality(shapes, signs)


def _inequality(shapes: tuple[Shape, ...], signs: list[str]) -> Shape:
    """Written with ``<``, whichever way round it came."""
    if any(not isinstance(shape, Value | Infinity) for shape in shapes):
        raise UnreadableError("a relation between lists")
    if ("=" in signs or "!=" in signs) and len(signs) > 1:
        raise UnreadableError("a chain of mixed signs")
    if len({sign[0] for sign in signs}) > 1:
        raise UnreadableError("a chain that turns")
    if signs[0][0] == ">":
        shapes, signs = shapes[::-1], signs[::-1]
    plain = tuple(_SIGNS[sign] for sign in signs)
    return Relation(plain[0], *shapes) if len(plain) == 1 else Chain(plain, shapes)


def _equation(sides: list[list[str]], depth: int) -> Shape:
    """``x = 5``, ``17 + 24 = 41``, ``x + y = 1``; ``x = 41 = 42`` hedges."""
    name = name_of(sides[0])
    if name is None and (last := name_of(sides[-1])) is not None and last[2]:
        name, sides = last, sides[::-1]  # 2 = x
    if any(one == other for one, other in itertools.pairwise(sides)):
        return Hedge(f"{''.join(sides[0])!r:.40} is said to equal itself")
    names = [name_of(side) for side in sides[:-1]]
    if name is not None and len(names) > 1 and all(each is not None and each[2] for each in names):
        # x = y = 3 gives both.
        value = groups.read_group(sides[-1], depth)
        return Items("list", tuple(Named(each[0], value, each[1], each[2]) for each in names if each))
    shapes = [groups.read_group(side, depth) for side in (sides[1:] if name else sides)]
    if name is not None:
        shape = _one_of(shapes, sides[1:])
        if (
            isinstance(shape, Items)
            and shape.kind == "()"
            and (system := _system(sides[0], shape)) is not None
        ):
            return system
        return shape if isinstance(shape, Hedge) else Named(name[0], shape, name[1], name[2])
    if len(shapes) > 1 and not any(isinstance(shape, Value) and symbols(shape.node) for shape in shapes):
        return _one_of(shapes, sides)
    shapes = [_as_value(shape) for shape in shapes]
    if all(isinstance(shape, Value) for shape in shapes) and _is_identity(shapes):
        return shapes[-1]  # (x + 1)^2 = x^2 + 2x + 1 is a calculation
    right = _one_of(shapes[1:], sides[1:])
    if isinstance(right, Hedge):
        return right
    if not isinstance(shapes[0], Value) or not isinstance(right, Value):
        raise UnreadableError("an equation between lists")
    return Relation("=", shapes[0], right)


def _system(words: list[str], shape: Items) -> Items | None:
    """``(x, y) = (1, 2)`` names every value."""
    names = [name_of(part) for part in split(words[1:-1], frozenset({","}))] if words[0] == "(" else []
    if len(names) != len(shape.items):
        return None
    pairs = zip(names, shape.items, strict=True)
    return Items("()", tuple(Named(name[0], item, name[1], name[2]) for name, item in pairs if name))


def _one_of(shapes: list[Shape], sides: list[list[str]]) -> Shape:
    """The last of several shapes that are said to be one; a hedge if they are not."""
    values = [shape for shape in shapes if isinstance(shape, Value)]
    if len(values) == len(shapes):
        for value, side in zip(values[:-1], sides, strict=False):
            if decide(value.node, values[-1].node) in ("proved_unequal", None):
                return Hedge(f"{''.join(side)!r:.40} and {''.join(sides[-1])!r:.40} are two values")
    elif len(shapes) > 1:
        kept = [shape for shape in shapes if not isinstance(shape, Ratio)]
        if len(kept) != 1 and any(shape != shapes[-1] for shape in shapes):
            raise UnreadableError("several lists are said to be equal")
    return shapes[-1]


def _as_value(shape: Shape) -> Shape:
    """A ratio of two before or behind an equality sign is a division."""
    if isinstance(shape, Ratio) and len(shape.parts) == 2:
        return Value(Product((shape.parts[0].node, inverse(shape.parts[1].node))))
    return shape


def _is_identity(shapes: list[Shape]) -> bool:
    nodes = [shape.node for shape in shapes if isinstance(shape, Value)]
    return all((decide(node, nodes[-1]) or "").startswith("equal_") for node in nodes[:-1])


def _approximated(parts: list[list[str]], depth: int) -> Shape:
    """The exact side of ``1/3 = 0.333``, if the sides are near one another; behind a name what there is."""
    if not parts:
        raise UnreadableError("nothing is near nothing")
    if len(parts) == 1:
        return _relation(parts[0], depth)
    name = name_of(parts[0])
    if name is not None:
        return Named(name[0], _approximated(parts[1:], depth), name[1], name[2])
    shapes = [_relation(part, depth) for part in parts]
    inner = [bare(shape) for shape in shapes]
    numbers = [approximate(shape.node) if isinstance(shape, Value) else None for shape in inner]
    first = numbers[0]
    for number, shape in zip(numbers[1:], inner[1:], strict=True):
        if first is None or number is None or not abs(first - number) < _last_place(shape):
            return Hedge("the approximation is of another value")
    return shapes[0]


def _last_place(shape: Shape) -> float:
    """One unit of the last digit of what was written, from which a rounding is less far away."""
    places = decimal_places(shape.node) if isinstance(shape, Value) else None
    return 10.0 ** -(places or 0)
