r"""From a cleaned answer to its shape: statements and lists here, what is inside them in `brackets`.

What is not certain stays unread (None), and a later stage decides. A qualifier, "for all x" or
``k \in \mathbb{Z}``, is taken off if it is made of such words and signs alone: "42 if any, 41 otherwise" says
two things. ``x > 4 : (4, \infty)`` is one answer in two notations.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from ..formulas.answer_shapes import Cases, Chain, Combined, Items, Named, Numbers, Relation, Shape, mapped
from ..formulas.cost_limits import MAX_LIST, READING, Account, OverBudgetError, UnreadableError
from ..formulas.formula_tree import Node, Symbol, substitute
from ..formulas.regions import region, same_region
from ..language.maths_words import INTRODUCING
from ..runtime.patterns import lazy
from .assembly import assembled
from .brackets import MAX_DEPTH, Level, outward_brackets, read_group
from .matrices import read_condition
from .plain_numbers import read_number
from .relations import RELATIONS, read_point, read_relation
from .single_values import read_moment
from .spelling.tokens import Grouping, all_words, cut, parts_at, split, tokens
from .spelling.wording import as_selections
from .value_names import label_of

_OPENING = frozenset(["for", "where", "with", "when", "whenever"])
_WORDS = """
    for where with when whenever all any some every each positive nonnegative non-negative nonzero natural
    real rational integer integers whole number numbers constant constants arbitrary is are be being a an the
    of and values value both
    """.split()
_SET = r"\\mathbb(?P<set>[A-Z](?:\s*+[_^]\s*+(?:\{\s*+)?(?:>=?\s*+0|[+*])\s*+\}?)?)"
_BOUND = r"(?:>=?\s*+[01](?![\d.])|!=\s*+-?\s*+\d++)"
"""That a letter counts, or is positive: n > 5 says more."""
_EXCEPTED = lazy(r"(?:for|where|with|when)\s++[a-zA-Z]\s*+!=[^<>=]*+")
"""Obvious exceptions where a formula has no value: (x^2 - 9)/(x - 3) for x != 3."""
_TAIL = lazy(
    rf"(?:[(,]\s*+)?(?:\\forall\s*+)?(?:(?:(?:\\(?!in\b|mathbb)[a-z]+|[a-z])(?:\s?_\s?\w)?'?(?![a-z])|(?:{'|'.join(_WORDS)})(?![a-z])"
    rf"|,|\\in\s*+{_SET}|{_BOUND})\s*+)++\)?",
    re.IGNORECASE,
)
_QUANTIFIER = lazy(
    r"\b(?:all|any|some|every|each|integers?|positive|natural|real|constants?|arbitrary)\b|\\in", re.I
)
_EVERY = lazy(r"\b(?:all|every|each)\b|\\forall", re.IGNORECASE)
_LETTER = lazy(r"(?<![\w\\])[a-zA-Z](?!\w)")
_INEQUALITIES = frozenset({"<", "<=", ">", ">=", "!="})
_RELATIONS = _INEQUALITIES | {"="}
_LONGEST = 30  # tokens
_WORD = 4  # letters: a run as long as that is not a product


def unqualified(words: list[str]) -> tuple[list[str], dict[str, str]]:
    r"""A statement without its qualifier, and the name of each letter that stands for any number of a set.

    >>> unqualified(["2", "k", ",", "k", "\\in", "\\mathbbZ"])
    (['2', 'k'], {'k': '#Z:k'})
    >>> unqualified(["5", '"if any', ",", "6"])
    (['5', '"if any', ',', '6'], {})
    """
    depth = 0
    for position, word in enumerate(words):
        depth += word in ("(", "[", "{", "\\{")
        depth -= word in (")", "]", "}", "\\}")
        tail = words[position:]
        if not position or len(tail) > _LONGEST or not _may_begin(word, tail):
            continue
        if depth and not (word == "(" and depth == 1 and words[-1] == ")"):
            continue
        text = " ".join(each.strip('"') for each in tail)
        match = _TAIL.fullmatch(text)
        if match is None:
            continue
        if _EXCEPTED.fullmatch(text):
            return words[:position], {}
        if not _QUANTIFIER.search(text):
            continue
        return _taken_off(words[:position], text, match["set"])
    return words, {}


def _may_begin(word: str, tail: Sequence[str]) -> bool:
    first = word.strip('" ,').casefold().partition(" ")[0]
    return (
        first in _OPENING
        or word == "\\forall"
        or (word in ("(", ",") and ("\\in" in tail or any("integer" in each for each in tail)))
    )


def _taken_off(head: list[str], text: str, domain: str | None) -> tuple[list[str], dict[str, str]]:
    kind = _domain(text, domain)
    letters = sorted(set(_LETTER.findall(text)))
    plain = head[:-1] if head[-1:] == [","] else head
    sides = split(plain, _RELATIONS)
    subjects = [letter for letter in letters if [letter] in sides]
    if not _INEQUALITIES.isdisjoint(plain) and subjects:
        # x > 2 over the whole numbers is not x > 2.
        if kind == "R":
            return plain, {}
        return (
            [*plain, ",", subjects[0], "\\in", f"\\mathbb{kind}"]
            if kind in ("Z", "N")
            else [*head, "\\forall"]
        ), {}
    if len(sides) > 1 and _EVERY.search(text):
        return plain, {}  # f(x) = 2x for all x: of what numbers was said in the question
    arguments = "".join(sides[0]) if len(sides) > 1 else ""
    runs = [word for word in plain if word.isalpha() and len(word) < _WORD]
    found = [letter for letter in letters if letter not in arguments and any(letter in run for run in runs)]
    if not found and not _EVERY.search(text) and domain is None:
        return [*head, "\\forall"], {}  # "for some x": it is unknown for which
    return plain, {letter: f"#{kind}:{letter}" for letter in found}


def _domain(text: str, domain: str | None) -> str:
    """The set of numbers that a qualifier speaks of: "Z" with a sign for what is left out of it."""
    folded = text.casefold()
    positive = "positive" in folded or (domain is not None and any(mark in domain for mark in "+>"))
    if domain is not None:
        letter = domain[0]
    else:
        letter = "N" if "natural" in folded else "Z" if "integer" in folded or "whole" in folded else "R"
    if letter == "Z" and positive and "nonnegative" not in folded and "non-negative" not in folded:
        return "N"
    marks = [word[:4] for word in ("nonnegative", "non-negative", "nonzero", "rational") if word in folded]
    return letter + ("+" if positive and letter != "N" else "") + "".join(marks)


_CONDITIONAL = frozenset({"if", "when", "for", "whenever"})
_ELSE = frozenset({"otherwise", "else", "elsewhere"})
_SEPARATORS = frozenset({",", ";", "and"})
_WRITTEN = (Relation, Chain, Combined, Items, Numbers)
"""Shapes in which a set of numbers is written."""


def one_set(shapes: Sequence[Shape]) -> Shape | None:
    """The first of several notations of one set of numbers; None where they are several sets, or no sets.

    An inequality beside its interval says the same twice; two intervals are two answers, even if they agree.
    """
    if len(shapes) < 2 or not all(isinstance(each, _WRITTEN) or _is_membership(each) for each in shapes):
        return None
    if all(each == Numbers("") for each in shapes):
        return shapes[0]
    if len({_notation(each) for each in shapes}) < len(shapes):
        return None
    found = [region(each) for each in shapes]
    same = (
        one is not None and other is not None and same_region(one, other)
        for one, other in itertools.pairwise(found)
    )
    return shapes[0] if all(same) else None


def _is_membership(shape: Shape) -> bool:
    return isinstance(shape, Named) and shape.sign == "in"


def _notation(shape: Shape) -> str:
    """Return the notation of a set: a condition, or brackets."""
    if isinstance(shape, Combined):
        return _notation(shape.parts[0])
    return "condition" if isinstance(shape, Relation | Chain) else "brackets"


def read_notations(words: list[str], read: Callable[[list[str]], Shape]) -> Shape | None:
    """A set that a colon or semicolon parts from another notation of it; None for anything else."""
    for sign in (":", ";"):
        if sign not in words:
            continue
        try:
            parts = parts_at(words, sign)
            found = one_set([read(part) for part in parts]) if len(parts) > 1 else None
        except UnreadableError:
            continue
        if found is not None:
            return found
    return None


def read_cases(
    words: list[str], value: Callable[[list[str]], Shape], condition: Callable[[list[str]], Shape]
) -> Cases | None:
    """``1 if x > 0, 0 otherwise`` as an expression by cases; None for anything else."""
    if not any(_keyword(word) in _CONDITIONAL | _ELSE for word in words):
        return None
    rows: list[list[str]] = [[]]
    for part in (each for each in split(words, _SEPARATORS) if each):
        marked = any(_keyword(word) in _CONDITIONAL | _ELSE for word in part)
        if marked or not rows[-1]:
            rows.append(part)
        else:
            rows[-1] = [*rows[-1], ",", *part]
    rows = [row for row in rows if row]
    places = [
        next((at for at, word in enumerate(row) if _keyword(word) in _CONDITIONAL | _ELSE), 0) for row in rows
    ]
    if len(rows) < 2 or not all(places) or _keyword(rows[0][places[0]]) in _ELSE:
        return None
    found = []
    for row, at in zip(rows, places, strict=True):
        said = row[at].strip('" ').partition(" ")[2]
        if _keyword(row[at]) in _ELSE:
            if row is not rows[-1] or len(row) > at + 1 or said:
                return None
            found.append((value(row[:at]), condition(['"otherwise'])))
        else:
            rest = [*([f'"{said}'] if said else []), *row[at + 1 :]]
            if not rest:
                return None
            found.append((value(row[:at]), condition(rest)))
    return Cases(tuple(found))


def _keyword(word: str) -> str:
    return word.strip('" ,').casefold().partition(" ")[0]


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
"""Digits that may be one number or two."""


@lru_cache(maxsize=4096)
def read(text: str, grouping: Grouping = "outside", selections: bool = False) -> Shape | None:
    r"""The shape of a cleaned answer; None where it is not mathematics that can be read.

    Args:
        text: A cleaned answer.
        grouping: Notations in which ``1,234`` is one number and not two. Text that they cannot read is read
            in the other ways.
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
        return Account(READING).run(_whole, text, grouping, selections)
    except (UnreadableError, OverBudgetError):
        if grouping != "outside" or not GROUPED.search(text):
            return None
        return read(text, "nowhere", selections) or read(text, "everywhere", selections)


def _whole(text: str, grouping: Grouping, selections: bool) -> Shape:
    words = tokens(text, grouping)
    return _statement((as_selections(words) or words) if selections else words, Level(_statement))


def _statement(words: list[str], level: Level) -> Shape:
    """A whole answer, or what is in brackets.

    Raises:
        UnreadableError: It is not read here.
    """
    if level.depth > MAX_DEPTH or not words:
        raise UnreadableError("nothing is said, or it is nested too deeply")
    words = _trimmed(outward_brackets(_connected(_conditioned(_labelled(words)))))
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
    """Return whether there is a relation outside all brackets."""
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
