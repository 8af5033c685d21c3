"""Solutions that rows bring along: a row judges others only if its own solution passes its tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import ConfigError
from ...extract import CodeBlock
from ...runtime.bounds import ExpansionError, from_source
from .shape import Row, unpacked

MOST = 3
"""Solutions of a row that are tried: one that passes is enough, as some rows bring dozens of mixed origin."""
_PYTHON = CodeBlock(("python", "python3", "py", "py3"))
_LANGUAGES = {1: False, 2: False, 3: True, 4: False}
"""Languages of DeepMind's CodeContests by their numbers; 3 is Python 3."""


def solutions_of(row: Row, columns: tuple[str, ...], before: str = "") -> list[str]:
    """The programs in Python that a row gives as its solutions; none if what it gives is no program.

    Args:
        row: The row.
        columns: Its columns that may hold some.
        before: What each continues, such as HumanEval's prompt.
    """
    found: list[str] = []
    for column in columns:
        for text in _texts(row.get(column)):
            code = f"{before}{text}" if before and not _is_program(text, before) else _code_in(text)
            if code.strip() and _is_program(code) and code not in found:
                found.append(code)
    return found[:MOST]


def _texts(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        languages, texts = value.get("language"), value.get("solution")
        if not isinstance(languages, list) or not isinstance(texts, list):
            return []
        return [text for language, text in zip(languages, texts, strict=False) if _LANGUAGES.get(language)]
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = unpacked(value, "solutions")
        except ConfigError:
            return [str(value)]
    each = value if isinstance(value, list | tuple) else [value]
    return [text for text in each if isinstance(text, str) and text.strip()][:MOST]


def _code_in(text: str) -> str:
    """The block of a text that has one, and otherwise all of it."""
    found = _PYTHON.extract(text)
    return found.text if found is not None and found.text else text


def _is_program(code: str, before: str = "") -> bool:
    """Whether a text is Python that does something; of one that may continue another, that it defines it."""
    try:
        body = from_source(code).body
    except ExpansionError:
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if before:
        return any(f"def {name}(" in before for name in (getattr(node, "name", "") for node in body) if name)
    return bool(body)
