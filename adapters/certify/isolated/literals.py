"""What a function's own source says it looks for: texts, patterns, and numbers to compare with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LONGEST = 120
"""Characters of a text that is taken; longer ones are prompts and documentation."""
MOST = 60
"""Texts and numbers of a file."""
_TAG = re.compile(r"<(\w{1,20})>")
_PATTERN = re.compile(r"[\\()\[\]{}*+?|^$.]")
_GROUP = re.compile(r"\((?:\?[:=!<]{1,2}|\?P<\w{1,20}>)?[^()]{0,60}\)[*+?]?")
_CLASS = re.compile(r"(?:\[[^\]]{0,40}\]|\\[dwsDWSb]|\.)(?:[*+?]\??|\{\d{0,4},?\d{0,4}\})?")


def literals_of(file: str, name: str) -> dict[str, Any]:
    """Texts, tags and numbers in the code of a function, and of what it uses of its file.

    Args:
        file: Python source.
        name: The function's name.
    """
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return {}
    texts: dict[str, None] = {}
    numbers: dict[float, None] = {}
    tags: dict[str, None] = {}
    for node in _constants(_reached(tree, name)):
        if isinstance(node.value, str) and 0 < len(node.value.strip()) <= LONGEST:
            tags.update(dict.fromkeys(_TAG.findall(node.value)))
            texts.update(dict.fromkeys(_written(node.value)))
        elif isinstance(node.value, int | float) and not isinstance(node.value, bool):
            numbers[float(node.value)] = None
    return {
        "texts": list(texts)[:MOST],
        "tags": list(tags)[:8],
        "lengths": [int(each) for each in numbers if 3 < each <= 5000 and each == int(each)][:MOST],
    }


def _reached(tree: ast.Module, name: str) -> list[ast.stmt]:
    """The statements of a file that a function uses, itself first; all of them where it is not found."""
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


def _written(text: str) -> Iterator[str]:
    """A text, and what a pattern would match."""
    yield text
    if not _PATTERN.search(text):
        return
    plain = text
    for _ in range(3):  # groups within groups
        plain = _GROUP.sub(lambda found: _first(found.group()), plain)
    plain = _CLASS.sub(lambda found: _sample(found.group()), plain)
    plain = re.sub(r"\\(.)", r"\1", plain).replace("^", "").replace("$", "")
    plain = re.sub(r"(?<=.)[*+?](?!\w)", "", plain)
    if plain.strip() and plain != text:
        yield plain


def _first(group: str) -> str:
    """What a group of a pattern matches: its first choice."""
    if group.startswith(("(?=", "(?!", "(?<=", "(?<!")):
        return ""
    inner = re.sub(r"^\((?:\?:|\?P<\w{1,20}>)?|\)[*+?]?$", "", group)
    return inner.split("|")[0]


def _sample(kind: str) -> str:
    """A character that a class of a pattern matches."""
    if kind.startswith(r"\s"):
        return " "
    if kind.startswith((r"\d", "[0-9", "[-+", "[-", r"[\d", "[+")):
        return "1"
    if kind.startswith(r"\b"):
        return ""
    if kind.startswith(("[^", r"\w", ".", "[a", r"\D", r"\S", r"[\s")):
        return "a"
    return kind[1:2] if kind.startswith("[") else "a"
