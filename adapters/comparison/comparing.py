"""Two sides compared, as plain data for a terminal, a page and a condition."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import require

from ..files.scored_candidates import right_part
from .figures import STATES, Figures, Matched, OtherCompletionsError, Part, matched, plain
from .side_reading import Read, Side, read
from .sides import REWARD, Columns, Rows

NAMED_ROWS = 10
MOST_CHANGES = 200
"""Pairs of reasons of each part that are in the data."""


def compare(
    first: Side,
    second: Side,
    columns: Columns | None = None,
    outcome: str | None = None,
    named_rows: int = NAMED_ROWS,
) -> dict[str, Any]:
    """Hold two scorings of the same rows, or of the same prompts, against one another.

    Args:
        first: The earlier side.
        second: The later side.
        columns: Names of the columns.
        outcome: The part that says what is right; None for the first that needs a reference.
        named_rows: Rows that are named of each kind of flip.

    Returns:
        Plain data: how rows were matched, each part's means with their difference, flips by reason and by
        source, and the first rows that flipped. Nothing in it depends on the order of rows but their lines.

    Raises:
        ConfigError: Rows are not scored, or nothing says which belong together.
        MissingDependencyError: numpy, which the extra ``report`` brings, is not installed.
    """
    require("numpy", extra="report")  # told before files are read
    with contextlib.ExitStack() as opened:
        both = read(first, second, columns or Columns(), opened)
        wanted, renamed = _outcomes(both, outcome)
        try:
            figures = _counted(both, Figures(False, renamed, wanted, named_rows))
        except OtherCompletionsError:
            figures = _counted(both, Figures(True, renamed, wanted, named_rows))
    if not figures.units:
        raise ConfigError(
            f"no row of {second.name} has the {both.settled.key!r} of one of {first.name}: these are not the "
            "same rows; choose the column that tells rows apart with --key"
        )
    return _data(both, figures, (first.name, second.name), wanted)


def _outcomes(both: Read, wished: str | None) -> tuple[int | None, dict[int, int]]:
    """Return the part that judges correctness, and the second side's part numbers in the first.

    Raises:
        ConfigError: No side has the part that was asked for.
    """
    there = [{*row["verdict_parts"], *row["reward_parts"]} for row in both.heads]
    if wished is not None and not any(wished in names for names in there):
        names = sorted(there[0] | there[1])
        raise ConfigError(f"no part is called {wished!r}{nearest(wished, names)} (choose it with --outcome)")
    found: list[str | None] = []
    for row, own in zip(both.heads, there, strict=True):
        named = dict(zip(row["verdict_parts"], row["verdicts"], strict=True))
        found.append(wished if wished in own else right_part(named))
    ours, theirs = found
    parts = both.names[0].parts
    called = {name: name for name in both.names[1].parts.all()}
    if ours is not None and theirs is not None and ours != theirs:
        called[theirs] = ours
        if ours in there[1]:  # which would be taken for the outcome
            called[ours] = f"{ours} (of the second)"
    renamed = {both.names[1].parts.number(name): parts.number(own) for name, own in called.items()}
    return None if ours is None or theirs is None else parts.number(ours), renamed


def _counted(both: Read, figures: Figures) -> Figures:
    for partition in range(both.partitions):
        sides = (both.spilled[0].read(partition), both.spilled[1].read(partition))
        found = matched(*sides)
        if both.settled.columns.key is None:
            _check_prompts(both, sides, found)
        figures.add(sides, found)
    return figures


def _check_prompts(both: Read, sides: tuple[Rows, Rows], found: Matched) -> None:
    shared = found.shared
    ours, theirs = (side.fields[head[shared]] for side, head in zip(sides, found.heads, strict=True))
    wrong = (ours["prompt"] > 0) & (theirs["prompt"] > 0) & (ours["prompt"] != theirs["prompt"])
    if wrong.any():
        first = [each[wrong][0] for each in (ours, theirs)]
        places = [_place(both, side, int(each["file"]), int(each["line"])) for side, each in enumerate(first)]
        key = both.settled.key
        raise ConfigError(
            f"{places[0]} and {places[1]} have the same {key!r} and different prompts; if they "
            f"are the same questions, use --key {key}, else name a column that identifies rows with --key"
        )


def _place(both: Read, side: int, file: int, line: int) -> str:
    return f"{both.names[side].files[file]}:{line}"


def _data(both: Read, figures: Figures, names: tuple[str, str], outcome: int | None) -> dict[str, Any]:
    parts = both.names[0].parts
    reasons = [side.reasons for side in both.names]
    return {
        "first": names[0],
        "second": names[1],
        "key": both.settled.key,
        "compared_by": "prompt" if figures.by_prompt else "row",
        "rows": figures.rows,
        "pairs": figures.pairs,
        "only": figures.alone,
        "prompts_only": figures.prompts_alone,
        "other_completions": figures.other_completions,
        "other_references": figures.other_references,
        "other_prompts": figures.other_prompts,
        "confidence": 0.95,
        "outcome": None if outcome is None else parts[outcome],
        "parts": {parts[number]: _part(both, number, part) for number, part in sorted(figures.parts.items())},
        "source_column": both.settled.source,
        "sources": list(_sources(both, figures, outcome)),
        "flipped": [
            {
                "flip": f"{STATES[states[0]]}_to_{STATES[states[1]]}",
                "first": _place(both, 0, each[0], each[1]),
                "second": _place(both, 1, each[2], each[3]),
                "reasons": [reasons[0][each[4]], reasons[1][each[5]]],
            }
            for states, each in figures.flipped()
        ],
    }


def _part(both: Read, number: int, part: Part) -> dict[str, Any]:
    made: dict[str, Any] = {
        **(plain(part.difference()) or {"pairs": 0}),
        "rose": part.rose,
        "fell": part.fell,
        "left_out": part.left_out,
        "grouped": part.sums.grouped,
    }
    ours, theirs = (side.reasons for side in both.names)
    if both.names[0].parts[number] == REWARD:
        return made
    named = {(*key[::2], ours[key[1]], theirs[key[3]]): count for key, count in part.changes.items()}
    changes = sorted(named.items(), key=lambda pair: (-pair[1], pair[0]))
    return {
        **made,
        **_flips(part),
        "changes": [
            {"states": [STATES[first], STATES[second]], "reasons": [before, after], "rows": count}
            for (first, second, before, after), count in changes
            if (first, before) != (second, after)
        ][:MOST_CHANGES],
        "reasons": [
            {names[reason]: count for reason, count in side.most_common()}
            for names, side in zip((ours, theirs), part.reasons, strict=True)
        ],
    }


def _flips(part: Part) -> dict[str, int]:
    return {
        f"{before}_to_{after}": part.flips(first, second)
        for first, before in enumerate(STATES)
        for second, after in enumerate(STATES)
        if first != second
    }


def _sources(both: Read, figures: Figures, outcome: int | None) -> Iterator[dict[str, Any]]:
    if both.settled.source is None:
        return
    for number, parts in sorted(figures.sources.items(), key=lambda pair: both.names[0].sources[pair[0]]):
        if not parts:
            continue
        about: dict[str, Any] = {"source": both.names[0].sources[number]}
        for name, part in (
            ("outcome", parts.get(-1 if outcome is None else outcome)),
            ("reward", parts.get(0)),
        ):
            if part is not None:
                about[name] = {**(plain(part.difference(resamples=0)) or {"pairs": 0}), **_flips(part)}
        yield about
