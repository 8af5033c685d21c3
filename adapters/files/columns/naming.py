"""What the columns of a file are called: as somebody says, as the file itself says, or as is usual.

Scoring writes what it used into a column of text, which JSON Lines, CSV and Parquet keep alike, so that
whatever reads the scored file needs not be told again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from .aliases import completion_column, reference_column
from .paths import column_names, has_column
from .spreading import COMPLETION

WORD = "scored_from"
"""The column of that text."""
KEYS = {
    "completion": COMPLETION,
    "reference": "answer",
    "prompt": "prompt",
    "group": "prompt",
    "tokens": "completion_tokens",
    "messages": "messages",
}
"""What columns are for, and what they are called where nobody says anything."""
GROUPS = ("prompt", "prompts", "question", "problem", "instruction", "query")
"""Columns that the completions of one prompt share; the first that is there is taken."""


@dataclass(frozen=True)
class Naming:
    """What the columns of a file are called.

    Args:
        completion: The completions.
        reference: The references.
        prompt: The questions, as people are shown them.
        group: What the completions of one prompt have in common.
        tokens: The completions' lengths.
        messages: The conversations.
        said: What the file says besides: ``recipe``, and ``rows`` where it is of a known data set.
    """

    completion: str = KEYS["completion"]
    reference: str = KEYS["reference"]
    prompt: str = KEYS["prompt"]
    group: str = KEYS["group"]
    tokens: str = KEYS["tokens"]
    messages: str = KEYS["messages"]
    said: Mapping[str, str] = field(default_factory=dict, compare=False)


def naming(row: Mapping[str, Any], where: str, asked: Mapping[str, str]) -> Naming:
    """What the columns of a file with this first row are called.

    Args:
        row: The first row.
        where: What messages call it.
        asked: What somebody says, by the keys of `KEYS`.

    Raises:
        ConfigError: The completions are not there, or several columns could hold them.

    >>> naming({"text": "It's 4.", "scored_from": '{"completion": "text"}'}, "x:1", {}).completion
    'text'
    """
    said = word(row)
    known = {key: asked.get(key) or said.get(key) for key in KEYS}
    completion = known["completion"] or completion_column(row, where) or COMPLETION
    check_column(row, completion, "completion", where)
    group = known["group"] or group_column(row, known["prompt"])
    return Naming(
        completion,
        known["reference"] or usual_reference(row, where),
        known["prompt"] or (KEYS["prompt"] if has_column(row, KEYS["prompt"]) else group),
        group,
        known["tokens"] or KEYS["tokens"],
        known["messages"] or KEYS["messages"],
        said,
    )


def usual_reference(row: Mapping[str, Any], where: str) -> str:
    """The column of references where nobody says which it is; the usual name where it is not certain."""
    try:
        return reference_column(row, where) or KEYS["reference"]
    except ConfigError:
        return KEYS["reference"]


def group_column(row: Mapping[str, Any], prompt: str | None = None) -> str:
    """The column that the completions of one prompt share, where nobody says which it is.

    >>> group_column({"question": "2+2?", "output": "4"})
    'question'
    """
    wanted = GROUPS if prompt in (None, *GROUPS[:1]) else (prompt, *GROUPS)
    return next((name for name in wanted if has_column(row, name)), KEYS["group"])


def check_column(row: Mapping[str, Any], name: str, key: str, where: str) -> None:
    """Refuse a file whose first row lacks a column that is needed.

    Raises:
        ConfigError: It does; the message offers the nearest name.
    """
    if not has_column(row, name):
        hint = nearest(name, column_names(row))
        raise ConfigError(f"{where} has no column {name!r}{hint} (choose it with --{key}-field)")


def word(row: Mapping[str, Any]) -> dict[str, str]:
    """What a row says of itself; nothing where no scoring wrote it.

    >>> word({"scored_from": '{"completion": "text", "recipe": 7}'})
    {'completion': 'text'}
    """
    said = row.get(WORD)
    if isinstance(said, str):
        try:
            said = json.loads(said)
        except (ValueError, RecursionError):
            return {}
    if not isinstance(said, dict):
        return {}
    return {str(key): value for key, value in said.items() if isinstance(value, str) and value}


def written_word(row: Mapping[str, Any], names: Mapping[str, str], about: Mapping[str, str]) -> str:
    """The text that `word` reads: the columns that a first row has, and what else is known.

    Args:
        row: The first row.
        names: Columns by the keys of `KEYS`.
        about: ``recipe`` and ``rows``; empty values are left out.
    """
    there = {key: name for key, name in names.items() if has_column(row, name)}
    said = {key: value for key, value in about.items() if value}
    return json.dumps({**there, **said}, ensure_ascii=False)
