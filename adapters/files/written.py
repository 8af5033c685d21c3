"""The columns that scoring adds, and what becomes of a row's own that have their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WRITTEN = ("reward", "reward_parts", "verdicts", "verdict_parts", "signature")
"""The columns that scoring adds; those of an earlier scoring, which has all of them, are replaced."""
KEPT = "input_"
"""What stands before the name of a column that has one of these names and is the row's own."""


def own_columns(row: Mapping[str, Any]) -> list[str]:
    """The columns of a row that scoring would write over, although no scoring wrote them.

    >>> own_columns({"completion": "4", "reward": 0.5}), own_columns(dict.fromkeys(WRITTEN))
    (['reward'], [])
    """
    found = [name for name in WRITTEN if name in row]
    return found if len(found) < len(WRITTEN) else []


def without_written(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as it is kept: an earlier scoring left out, columns of its own under other names.

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
