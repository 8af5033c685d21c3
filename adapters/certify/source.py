"""What a function's own source looks for: texts, patterns, marks, keys, and numbers to compare with.

A pattern is parsed, and written as a text that it matches; with a place for the answer where it captures one.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers.runtime.patterns import parsed

LONGEST = 120
"""Characters of a text that is taken; longer ones are prompts and documentation."""
MOST = 60
"""Texts and numbers of a file."""
MOST_FORMS = 24
"""Forms of answers that are made of a file's patterns, marks and keys."""
SLOT = "{}"
"""Where the answer goes in a form."""
_TAG = re.compile(r"<(\w{1,20})>")
_PATTERN = re.compile(r"[\\(\[*+?|^$]")
_MARKED_BY = frozenset(
    "split rsplit partition rpartition find rfind index rindex removeprefix startswith".split()
)
"""Calls whose argument stands before or behind an answer."""
_READS_JSON = frozenset({"loads", "literal_eval", "safe_load", "raw_decode"})
_WORK = "I work through it step by step."
_IN_CATEGORY: Mapping[str, Callable[[str], bool]] = {
    "DIGIT": str.isdigit,
    "SPACE": str.isspace,
    "WORD": lambda character: character.isalnum() or character == "_",
}


def literals_of(file: str, name: str) -> dict[str, Any]:
    """Return texts, tags, forms and numbers in the code of a function, and in what of its file it uses."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return {}
    statements = _reached(tree, name)
    texts: dict[str, None] = {}
    numbers: dict[float, None] = {}
    tags: dict[str, None] = {}
    forms: dict[str, None] = {}
    for node in _constants(statements):
        if isinstance(node.value, str) and 0 < len(node.value.strip()) <= LONGEST:
            tags.update(dict.fromkeys(_TAG.findall(node.value)))
            texts.update(dict.fromkeys((node.value, *_matched(node.value, slot=False))))
            forms.update(dict.fromkeys(_matched(node.value, slot=True)))
        elif isinstance(node.value, int | float) and not isinstance(node.value, bool):
            numbers[float(node.value)] = None
    forms.update(dict.fromkeys((*_between_marks(statements), *_objects(statements))))
    return {
        "texts": list(texts)[:MOST],
        "tags": list(tags)[:8],
        "forms": list(forms)[:MOST_FORMS],
        "sources": list(_compared(statements, "data_source"))[:1],
        "lengths": [int(each) for each in numbers if 3 < each <= 5000 and each == int(each)][:MOST],
    }


def _reached(tree: ast.Module, name: str) -> list[ast.stmt]:
    """Return the statements of a file that a function uses, itself first; all where it is not found."""
    by_name: dict[str, ast.stmt] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            by_name[statement.name] = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            by_name.update({each.id: statement for each in targets if isinstance(each, ast.Name)})
    if name not in by_name:
        return list(tree.body)
    found = [by_name[name]]
    for statement in found:  # which grows on the way
        used = [each.id for each in ast.walk(statement) if isinstance(each, ast.Name)]
        found += [
            by_name[each] for each in dict.fromkeys(used) if each in by_name and by_name[each] not in found
        ]
    return found


def _constants(statements: list[ast.stmt]) -> Iterator[ast.Constant]:
    """Their constants, without documentation."""
    for statement in statements:
        quoted = {id(each.value) for each in ast.walk(statement) if isinstance(each, ast.Expr)}
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and id(node) not in quoted:
                yield node


def _called(statements: list[ast.stmt]) -> Iterator[tuple[str, ast.Call]]:
    """Their calls of methods, by name; those of ``re`` take patterns."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = node.func.value
                if not (isinstance(owner, ast.Name) and owner.id in ("re", "regex")):
                    yield node.func.attr, node


def _text(node: ast.AST | None) -> str:
    """Return a constant's text; nothing where it is none."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else ""


def _between_marks(statements: list[ast.stmt]) -> Iterator[str]:
    """Yield the forms of an answer behind a mark, and between two."""
    calls = [(name, _text(call.args[0])) for name, call in _called(statements) if call.args]
    marks = [text for name, text in calls if name in _MARKED_BY and text.strip() and len(text) < 40]
    marks = [text for text in dict.fromkeys(marks) if len(text.strip()) > 1][:4]
    yield from (f"{mark}{SLOT}" for mark in marks)
    yield from (f"{mark.rstrip()} {SLOT}" for mark in marks)
    yield from (f"{first}{SLOT}{last}" for first, last in permutations(marks, 2))


def _objects(statements: list[ast.stmt]) -> Iterator[str]:
    """Yield the forms of an answer in an object of JSON, for each key that code which reads one asks for."""
    calls = list(_called(statements))
    if not any(name in _READS_JSON for name, _ in calls):
        return
    keys = [_text(call.args[0]) for name, call in calls if name in ("get", "pop") and call.args]
    for statement in statements:
        keys += [_text(each.slice) for each in ast.walk(statement) if isinstance(each, ast.Subscript)]
    keys += [text for _, text in _compared_with(statements)]
    keys = [key for key in dict.fromkeys(keys) if key and '"' not in key][:5]
    for key in keys:
        others = "".join(f'"{other}": "{_WORK}", ' for other in keys if other != key)
        for start in dict.fromkeys(("", others)):
            yield f'{{{start}"{key}": "{SLOT}"}}'
            yield f'```json\n{{{start}"{key}": "{SLOT}"}}\n```'


def _compared_with(statements: list[ast.stmt]) -> Iterator[tuple[ast.expr, str]]:
    """Yield what is compared with a text, or with one of several, and the text."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Compare):
                for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
                    several = other.elts if isinstance(other, ast.List | ast.Tuple | ast.Set) else [other]
                    yield from ((one, text) for each in several if (text := _text(each)))


def _compared(statements: list[ast.stmt], name: str) -> Iterator[str]:
    """Yield the texts with which a variable is compared."""
    for one, text in _compared_with(statements):
        if isinstance(one, ast.Name) and one.id == name:
            yield text


def _matched(text: str, *, slot: bool) -> Iterator[str]:
    """Yield texts that a pattern matches; with ``slot``, one for each group, the answer's place in it."""
    if not _PATTERN.search(text):
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read = parsed(text)
    except (re.error, OverflowError, RecursionError):
        return
    if read is None:
        return
    groups = range(1, read.state.groups)[:4] if slot else (0,)
    for group, often in product(groups, (1, 0)):
        made = _written(read, (group, often), {})
        if made.strip() and made != text and (not slot or (SLOT in made and made != SLOT)):
            yield made


def _written(read: Any, slot: tuple[int, int], groups: dict[int, str]) -> str:
    """Return a text that a parsed pattern matches.

    Args:
        read: The pattern, as `parsed` gives it.
        slot: The group in which the answer's place is, and how often what may be missing is written.
        groups: Output for groups.
    """
    made = ""
    for kind, value in read:
        match str(kind):
            case "LITERAL":
                made += chr(value)
            case "NOT_LITERAL":
                made += "a" if value != ord("a") else "b"
            case "ANY":
                made += "a"
            case "IN":
                made += _member(value)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, inner = value
                made += _written(inner, slot, groups) * min(max(least, slot[1]), most, LONGEST)
            case "SUBPATTERN":
                groups[value[0]] = SLOT if value[0] == slot[0] else _written(value[3], slot, groups)
                made += groups[value[0]]
            case "ATOMIC_GROUP":
                made += _written(value, slot, groups)
            case "BRANCH":
                made += _written(value[1][0], slot, groups)
            case "GROUPREF":
                made += groups.get(value, "")
    return made[: LONGEST * 2]


def _member(members: Sequence[tuple[Any, Any]]) -> str:
    """Return a character of a class."""
    said = [(str(kind), value) for kind, value in members]
    wanted = said[0][0] != "NEGATE"
    listed = [chr(value) for kind, value in said if kind == "LITERAL"]
    firsts = [chr(value[0]) for kind, value in said if kind == "RANGE"]
    tried = (*"1aA", *firsts, *listed, *" -.,")
    return next((each for each in tried if any(_belongs(each, one) for one in said) is wanted), "")


def _belongs(character: str, member: tuple[str, Any]) -> bool:
    kind, value = member
    if kind == "RANGE":
        return bool(value[0] <= ord(character) <= value[1])
    if kind == "CATEGORY":
        name = str(value).removeprefix("CATEGORY_").removeprefix("NOT_")
        return _IN_CATEGORY[name](character) is not ("NOT_" in str(value))
    return kind == "LITERAL" and chr(value) == character
