r"""From a cleaned answer to its shape: statements and lists here, what is inside them in `brackets`.

What is not certain stays unread (None), and a later stage decides.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..formulas.formula_tree import Node, Symbol, substitute
from ..formulas.limits import MAX_LIST, UnreadableError
from ..formulas.meter import READING, OverBudgetError, budget
from ..formulas.shapes import Items, Named, Shape, mapped
from ..language.maths_words import INTRODUCING
from ..runtime.patterns import lazy
from .assembly import assembled
from .brackets import MAX_DEPTH, Level, french, read_group
from .matrices import read_condition
from .notations import one_set, read_cases, read_notations
from .plain_numbers import read_number
from .relations import RELATIONS, read_point, read_relation
from .single_values import read_moment
from .text.qualifiers import unqualified
from .text.selections import as_selections
from .text.token_splitting import all_words, cut, parts_at
from .text.tokens import Grouping, tokens
from .value_names import label_of

_INTRODUCING = frozenset(
    """
    answer the final is only exactly result value total therefore thus so hence we get
    about approximately roughly around
    """.split()
).union(INTRODUCING)
# "The minimum value is" before a value.
_SAYS = lazy(r'"(?!.*\b(?:not|no|never|nor)\b)[^"]{0,60}\b(?:is|are|equals)', re.IGNORECASE)
_CLOSING_WORDS = frozenset(["only", "exactly", "respectively", "total", "altogether"])
_TRIGGERS = frozenset({"for", "where", "with", "when", "whenever", "\\in", "\\forall"})
_REASONING = frozenset(
    {"\\Rightarrow", "\\to", "\\rightarrow", "\\therefore", "\\because", "\\subset", "\\sim"}
)
_EXCEPT = lazy(
    r"(?:\\text\s*+\{)?\s*+(?:all|any|every)?\s*+real numbers?,?\s*+(?:except|but|other than)(?: for)?\s*+"
    r"(?:\}\s*+)?"
    r"(?:[a-z]\s*+=\s*+)?([^{}]+?)\}?",
    re.IGNORECASE,
)
GROUPED = lazy(r"\d,\d{3}(?!\d)")
"""What may be one number or two."""


@lru_cache(maxsize=4096)
def read(text: str, grouping: Grouping = "outside", selections: bool = False) -> Shape | None:
    r"""The shape of a cleaned answer; None where it is not mathematics that can be read.

    Args:
        text: A cleaned answer.
        grouping: Where ``1,234`` is one number, rather than two. What cannot be read that way is read in the
            other ways.
        selections: Whether ``C_5^2`` counts selections, rather than being a square.

    >>> read("x = 5").shape
    Value(node=Number(value=Fraction(5, 1)), unit='')
    >>> read("x = 41 = 42").problem
    "'41' and '42' are two values"
    >>> read(r"\int x") is None
    True
    """
    if grouping == "outside" and (found := read_moment(text) or read_number(text)) is not None:
        return found
    if excepted := _EXCEPT.fullmatch(text):
        text = rf"\mathbb{{R}} \setminus \{{{excepted[1]}\}}"
    try:
        with budget(READING):
            words = tokens(text, grouping)
            return _statement((as_selections(words) or words) if selections else words, Level(_statement))
    except (UnreadableError, OverBudgetError):
        if grouping != "outside" or not GROUPED.search(text):
            return None
        return read(text, "nowhere", selections) or read(text, "everywhere", selections)


def _statement(words: list[str], level: Level) -> Shape:
    """A whole answer, or what is in brackets.

    Raises:
        UnreadableError: It is not read here.
    """
    if level.depth > MAX_DEPTH or not words:
        raise UnreadableError("nothing is said, or it is nested too deeply")
    words = _trimmed(french(_connected(_conditioned(_labelled(words)))))
    cases = read_cases(
        words,
        lambda part: read_group(part, level.below()),
        lambda part: read_condition(part, level.read_inside),
    )
    if cases is not None:
        return cases
    dummies: dict[str, str] = {}
    if not _TRIGGERS.isdisjoint(words) or '"' in "".join(words):
        words, dummies = unqualified(words)
    if not words:
        raise UnreadableError("nothing is said")
    if not _REASONING.isdisjoint(words) and "\\lim" not in words:
        raise UnreadableError("a line of reasoning")
    shape = _joined(words, level)
    return _renamed(shape, dummies) if dummies else shape


def _labelled(words: list[str]) -> list[str]:
    r"""``\text{Ann: } 5`` as ``\text{Ann} : 5``."""
    if not any(word[-1] == ":" and word[0] == '"' for word in words):
        return words
    parted = [[word[:-1].strip(), ":"] if word[0] == '"' and word[-1] == ":" else [word] for word in words]
    return [word for part in parted for word in part if word != '"']


def _conditioned(words: list[str]) -> list[str]:
    """``y = x^2 (x > 0)`` as ``y = x^2, x > 0``."""
    if words[-1:] != [")"] or RELATIONS.isdisjoint(words):
        return words
    depth = 0
    for at in range(len(words) - 1, -1, -1):
        depth += words[at] == ")"
        depth -= words[at] == "("
        if depth == 0:
            inside = words[at + 1 : -1]
            follows_name = at == 1 and len(words[0]) == 1 and words[0].isalpha()
            if (
                at
                and not follows_name
                and words[at - 1] not in RELATIONS
                and _top(inside)
                and "," not in inside
            ):
                return [*words[:at], ",", *inside]
            return words
    return words


def _top(words: list[str]) -> bool:
    """Whether there is a relation outside all brackets."""
    try:
        return bool(cut(words, RELATIONS)[1])
    except UnreadableError:
        return False


def _connected(words: list[str]) -> list[str]:
    """Logical signs between relations are "and" and "or"; between letters they make another formula."""
    if "\\lor" not in words and "\\land" not in words:
        return words
    if RELATIONS.isdisjoint(words):
        raise UnreadableError("a formula of logic")
    return [{"\\lor": "or", "\\land": "and"}.get(word, word) for word in words]


def _trimmed(words: list[str]) -> list[str]:
    """Without words such as "the answer is" in front."""
    says = [bool(_SAYS.fullmatch(word)) for word in words]
    start = 1 if len(words) > 1 and says[0] and sum(says) == 1 else 0
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


def _with_labels(items: list[list[str]], level: Level) -> Shape | None:
    """Values of which each follows its own label; None where one does not."""
    found = [label_of(item) for item in items]
    labels = [each[0] for each in found if each is not None]
    if len(labels) != len(items) or len(set(labels)) != len(items):
        return None
    shapes = [
        Named(each[0], read_relation(each[1], level), None, False) for each in found if each is not None
    ]
    return Items("list", tuple(shapes))


def _joined(words: list[str], level: Level) -> Shape:
    """Parts between semicolons, "or", "and", commas."""
    if (one := read_notations(words, lambda part: _joined(part, level.below()))) is not None:
        return one
    parts = parts_at(words, ";")
    if len(parts) > 1:
        return Items("list", tuple(_joined(part, level.below()) for part in parts))
    words = parts[0] if parts else []
    either = parts_at(words, "or")
    if len(either) > 1 and all("," in part and part.count("=") > 1 for part in either):
        return Items("list", tuple(_joined(part, level.below()) for part in either))
    if len(either) > 1:  # "f(x) = 0 for all x or f(x) = x for all x"
        either = [head if not letters else part for part in either for head, letters in [unqualified(part)]]
    both = [part for each in either for part in parts_at(each, "and")]
    items = [part for each in both for part in parts_at(each, ",")]
    if not items or len(items) > MAX_LIST:
        raise UnreadableError("nothing is said, or too much")
    if len(items) == 1:
        return read_relation(items[0], level)
    if (labelled := _with_labels(items, level)) is not None:
        return labelled
    points = [read_point(item, level, among=True) for item in items]
    shapes = [point or read_relation(item, level) for point, item in zip(points, items, strict=True)]
    if (one := one_set(shapes)) is not None:
        return one
    if len(either) > 1:
        return assembled(shapes, "or")
    return assembled(shapes, "list" if len(items) > len(both) else "and")
