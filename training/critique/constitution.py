"""Principles of a constitution, each as two requests: to criticise an answer, and to rewrite it."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError

LISTS = ("principles", "constitution")
"""What a mapping calls its list."""
MOST = 1000
"""Principles of a constitution."""


@dataclass(frozen=True)
class Principle:
    """What an answer should be, as requests.

    Args:
        critique: Asks what is wrong with the answer.
        revision: Asks to rewrite it.
    """

    critique: str
    revision: str


def read_constitution(path: str) -> list[Principle]:
    """The principles of a file.

    Args:
        path: YAML or JSON: a list, alone or under `principles`, of texts ("Do not insult anybody.") or of
            mappings with `critique` and `revision`, as the paper's constitution has them, or with `text`.

    Raises:
        ConfigError: There is no such file, or it holds something else.
    """
    import yaml

    try:
        text = Path(path).read_text(encoding="utf-8")
        found: Any = json.loads(text) if path.endswith(".json") else yaml.safe_load(text)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ConfigError(f"--constitution {path} cannot be read: {str(error)[:200]}") from None
    if isinstance(found, Mapping):
        found = next((found[name] for name in LISTS if name in found), None)
    if not isinstance(found, list) or not 0 < len(found) <= MOST:
        raise ConfigError(
            f"--constitution {path} must hold a list of principles, alone or under 'principles'"
        )
    where = f"--constitution {path}: principle"
    return [_principle(each, f"{where} {number}") for number, each in enumerate(found, 1)]


def _principle(each: Any, where: str) -> Principle:
    if isinstance(each, Mapping) and isinstance(each.get("critique"), str):
        revision = each.get("revision") or each.get("revise")
        if isinstance(revision, str):
            return Principle(each["critique"].strip(), revision.strip())
    text = each.get("text") if isinstance(each, Mapping) else each
    if not isinstance(text, str) or not text.strip():
        raise ConfigError(f"{where} must be a text, or have 'critique' and 'revision', got {each!r:.80}")
    rule = text.strip()
    return Principle(
        f"In what way does your last answer fall short of this principle: {rule} Be brief and specific.",
        f"Rewrite your last answer so that it follows this principle: {rule} Write nothing else.",
    )


def drawn(principles: list[Principle], seed: int, row: int, rounds: int) -> list[Principle]:
    """The principles of a row's rounds: another one each, until there are no more; the same in each run."""
    chance = random.Random(f"{seed}/{row}")  # noqa: S311
    made: list[Principle] = []
    while len(made) < rounds:
        made += chance.sample(principles, len(principles))
    return made[:rounds]
