"""Groups: the completions of one prompt, which are next to one another."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from itertools import groupby

from reward_verifiers.verifiers import ConfigError


def group_ranges(count: int, keys: Sequence[object] | None = None, size: int | None = None) -> list[range]:
    """The rows of each group, checked.

    Args:
        count: Number of rows.
        keys: What the rows of one group have in common, such as the prompt; length `count`.
        size: Rows of each group. Without it, equal neighbours are one group.

    Returns:
        Ranges of rows, in order, that cover all of them.

    Raises:
        ConfigError: The groups are not known, the rows do not divide into groups of `size`, rows of one
            group differ in their keys, or the rows of one prompt are not next to one another.

    >>> group_ranges(5, ["p", "p", "p", "q", "q"])
    [range(0, 3), range(3, 5)]
    >>> group_ranges(4, size=2)
    [range(0, 2), range(2, 4)]
    """
    frozen = None if keys is None else [_frozen(key) for key in keys]
    if size is not None:
        return _sized(count, frozen, size)
    if frozen is None:
        raise ConfigError(
            "comparing the completions of a prompt needs to know which belong together: "
            "give a prompts column, or group_size"
        )
    ranges, start = [], 0
    seen: dict[Hashable, int] = {}
    repeated = None
    for key, rows in groupby(frozen):
        length = sum(1 for _ in rows)
        ranges.append(range(start, start + length))
        if key in seen:
            repeated = repeated or (seen[key], start)
        seen[key] = start
        start += length
    # A prompt that was drawn twice comes back as a group of the same size; anything else is a layout
    # in which the completions of a prompt are not next to one another.
    if repeated and (len({len(rows) for rows in ranges}) > 1 or len(ranges[0]) == 1):
        raise ConfigError(
            f"the completions of one prompt must follow one another, but rows {repeated[0]} and "
            f"{repeated[1]} have one prompt and others between them; sort the rows by prompt"
        )
    return ranges


def _sized(count: int, keys: Sequence[Hashable] | None, size: int) -> list[range]:
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise ConfigError(f"group_size must be a whole number from 1, got {size!r}")
    if count % size:
        raise ConfigError(f"{count} rows do not divide into groups of {size}")
    ranges = [range(start, start + size) for start in range(0, count, size)]
    for rows in ranges if keys is not None else ():
        if any(keys[row] != keys[rows[0]] for row in rows):  # type: ignore[index]  # keys is not None here
            raise ConfigError(
                f"rows {rows[0]} to {rows[-1]} should be one group of {size}, but their prompts differ"
            )
    return ranges


def _frozen(key: object) -> Hashable:
    """A key that can be compared quickly; chat messages become text."""
    if isinstance(key, str | int | float | None):
        return key
    return json.dumps(key, sort_keys=True, ensure_ascii=False, default=repr)
