"""The columns that scoring adds, and the renaming of a row's own columns with their names."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Collection, Mapping
from typing import Any

from .columns import WORD, word

JUDGED = ("reward", "reward_parts", "verdicts", "verdict_parts", "signature")
"""The columns that every scoring adds; those of an earlier scoring, which has all of them, are replaced."""
WRITTEN = (*JUDGED, WORD)
"""The same, with the file's own word on its columns, which files of earlier versions lack."""
KEPT = "input_"
"""What stands before the name of a column that has one of these names and is the row's own."""


def own_columns(row: Mapping[str, Any]) -> list[str]:
    """Return the columns of a row that scoring would overwrite, although no scoring wrote them.

    >>> own_columns({"completion": "4", "reward": 0.5}), own_columns(dict.fromkeys(WRITTEN))
    (['reward'], [])
    """
    return [] if is_judged(row) else [name for name in WRITTEN if name in row]


def is_judged(names: Collection[str]) -> bool:
    """Return whether a row, or a table's header, has the columns that scoring adds."""
    return all(name in names for name in JUDGED)


def without_written(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row to keep: without an earlier scoring, and with its own columns renamed.

    Raises:
        ValueError: The other name is taken, too.

    >>> without_written({"completion": "4", "reward": 0.5})
    {'completion': '4', 'input_reward': 0.5}
    """
    own = own_columns(row)
    taken = next((name for name in own if KEPT + name in row), None)
    if taken is not None:
        raise ValueError(
            f"has columns {taken!r} and {KEPT + taken!r}: scoring writes the first; rename one of them"
        )
    if not own:
        return {name: value for name, value in row.items() if name not in WRITTEN}
    return {KEPT + name if name in own else name: value for name, value in row.items()}


def revived(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scored row from a table as scoring wrote it: cells are text, or have every field there.

    Args:
        row: It has the columns of `JUDGED`.

    >>> row = {"reward": "1.0", "reward_parts": "{'a': 1.0}", "verdicts": "[]", "verdict_parts": "[]"}
    >>> revived({**row, "signature": "a", "note": "1"})["reward_parts"]
    {'a': 1.0}
    """
    said = word(row)
    texts = {"signature", WORD, said.get("completion"), said.get("reference")}
    found = {
        name: _data(cell) if name in JUDGED or _is_nested(cell) else cell
        for name, cell in row.items()
        if name not in texts
    }
    found = {**row, **found}
    found["verdicts"] = _without_nulls(found["verdicts"])
    return found


def _is_nested(cell: Any) -> bool:
    """Return whether a cell's text is an object, or messages, as nested columns and prompts may be."""
    return isinstance(cell, str) and cell.startswith(("{", "[{"))


def _data(cell: Any) -> Any:
    """Parse the text of a cell: JSON, as databases have it, or Python's, as pandas writes it."""
    if isinstance(cell, float) and math.isnan(cell):
        return None
    if not isinstance(cell, str):
        return cell
    if cell.strip().casefold() in ("", "nan", "none", "null"):
        return None
    try:
        return json.loads(cell)
    except ValueError:
        pass
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell


def _without_nulls(value: Any) -> Any:
    """Return verdicts without the fields that only others of the column have."""
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    if isinstance(value, dict):
        return {
            name: _without_nulls(each) for name, each in value.items() if each is not None or name == "score"
        }
    return value
