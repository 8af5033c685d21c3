"""Rubrics and constitutions: what a judge judges by, from a text or a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import ConfigError

SUFFIXES = (".txt", ".md", ".yaml", ".yml", ".json")
LONGEST = 60_000
"""Characters of a rubric: more leaves no room for what is judged."""
LISTS = ("principles", "constitution", "criteria", "rubric")
"""What a mapping calls its list; the first that is there counts."""
_NAMES = ("text", "principle", "critique", "description", "criterion")

QUALITY = (
    "How good is `completion` as an answer to `prompt`: correct, complete, honest about what it does not "
    "know, and no longer than it has to be? Where `reference` is given it is right: what contradicts it is "
    "wrong."
)
"""The rubric of a judge that is given none."""


def rubric_of(named: str, owner: str) -> str:
    """The text of a rubric.

    Args:
        named: The text itself, or a file: text (.txt, .md), or a list of principles (.yaml, .json).
        owner: Who asks, for messages.

    Raises:
        ConfigError: A file that is not there or holds neither text nor principles, or nothing at all.
    """
    path = Path(named) if "\n" not in named and len(named) < 1000 else None
    if path is None or not (path.suffix.lower() in SUFFIXES or _is_file(path)):
        return _checked(named, owner, "rubric")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{owner}: rubric names the file {named}, which cannot be read: {error}") from None
    if path.suffix.lower() not in SUFFIXES[2:]:
        return _checked(text, owner, named)
    principles = principles_in(text, path.suffix.lower(), f"{owner}: {named}")
    return _checked("\n".join(f"{number}. {each}" for number, each in enumerate(principles, 1)), owner, named)


def principles_in(text: str, suffix: str, where: str) -> list[str]:
    """The principles of a constitution: a list of texts or mappings, or a mapping with such a list.

    Raises:
        ConfigError: It holds no such list.
    """
    import yaml

    try:
        found: Any = json.loads(text) if suffix == ".json" else yaml.safe_load(text)
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise ConfigError(f"{where} cannot be read: {str(error)[:200]}") from None
    if isinstance(found, Mapping):
        found = next((found[name] for name in LISTS if name in found), None)
    if isinstance(found, str):
        found = [found]
    principles = [_principle(each) for each in found] if isinstance(found, list) else []
    if not principles or not all(principles):
        raise ConfigError(
            f"{where} must hold a list of principles, each a text or a mapping with {_NAMES[0]!r}, alone or "
            f"under {LISTS[0]!r}"
        )
    return principles


def _principle(each: Any) -> str:
    if isinstance(each, Mapping):
        each = next((each[name] for name in _NAMES if name in each), "")
    return " ".join(each.split()) if isinstance(each, str) else ""


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _checked(text: str, owner: str, named: str) -> str:
    if not text.strip():
        raise ConfigError(f"{owner}: {named} is empty; say what is judged")
    if len(text) > LONGEST:
        raise ConfigError(f"{owner}: {named} has {len(text):,} characters; at most {LONGEST:,} are shown")
    return text.strip()
