"""Selected rows of scored files, as the terminal shows them.

Their texts have the evidence marked, and their verdicts are a tree.
"""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from reward_verifiers.verifiers import ConfigError, Verdict, Verifier, VerifierError, split_completion
from reward_verifiers.verifiers.core import nearest

from ...files.columns import column_of
from ...files.jsonl import Line, Overlong, Source, parse
from ...files.scored_candidates import check_scored, verifier_class
from ..console import literal
from ..verdict_trees import describe, marked, tail

MOST_PROBLEMS = 5
MOST_NAMES = 500

Row = tuple[Line, Mapping[str, Any]]


@dataclass(frozen=True)
class Wanted:
    """Which rows are shown.

    Args:
        part: The part that the other conditions are about; None for any, and for the reward.
        reasons: One of which a verdict gives; any where there are none.
        status: Status of a verdict.
        least: Least value of the part or the reward.
        most: Its greatest value.
        search: A text in the completion, prompt or reference.
        lines: Numbers; any where there are none.
        disagree: Whether two parts have to contradict one another.
        texts: The columns that are searched.
    """

    part: str | None = None
    reasons: tuple[str, ...] = ()
    status: str | None = None
    least: float | None = None
    most: float | None = None
    search: str | None = None
    lines: frozenset[int] = frozenset()
    disagree: bool = False
    texts: tuple[str, ...] = ()

    def has(self, line: Line, row: Mapping[str, Any]) -> bool:
        """Return whether a row is wanted."""
        if self.lines and line.number not in self.lines:
            return False
        own = [pair for pair in named(row) if self.part in (None, pair[0])]
        if self.part is not None and not own and self.part not in row["reward_parts"]:
            return False
        if self.reasons and not any(verdict.get("reason") in self.reasons for _, verdict in own):
            return False
        if self.status is not None and not any(verdict.get("status") == self.status for _, verdict in own):
            return False
        if (self.least is not None or self.most is not None) and not self._in_range(row, own):
            return False
        if self.disagree and not disagreeing(row):
            return False
        return self.search is None or any(self.search in folded(column_of(row, name)) for name in self.texts)

    def _in_range(self, row: Mapping[str, Any], own: list[tuple[str, Mapping[str, Any]]]) -> bool:
        value = row["reward"] if self.part is None else row["reward_parts"].get(self.part)
        if value is None and self.part is not None and own:
            value = own[0][1].get("score")
        if value is None:
            return False
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


def disagreeing(row: Mapping[str, Any]) -> bool:
    """Return whether one of two parts that read a reference passes and another does not."""
    judged = [
        verdict["score"] >= 1.0
        for _, verdict in named(row)
        if verdict.get("score") is not None and _refers(verdict)
    ]
    return len(set(judged)) > 1


def _refers(verdict: Mapping[str, Any]) -> bool:
    kind = verifier_class(verdict.get("verifier"))
    return verdict.get("expected") is not None if kind is None else kind.needs_reference


def named(row: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the verdicts of a row, each with the name of its part."""
    return zip(row["verdict_parts"], row["verdicts"], strict=True)


def folded(value: object) -> str:
    """Return a value as it is searched: in one normal form, without case."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return unicodedata.normalize("NFC", text).casefold()


class WantedRows:
    """The wanted rows, with statistics of the others."""

    def __init__(self, source: Source, wanted: Wanted) -> None:
        self._source, self._wanted = source, wanted
        self.problems: list[str] = []
        self.unreadable = self.count = 0
        self._parts: dict[str, None] = {}
        self._reasons: dict[str, None] = {}

    def rows(self) -> Iterator[Row]:
        """Yield each wanted row with its line.

        Raises:
            ConfigError: The first row is not scored.
        """
        for chunk in self._source.chunks():
            if isinstance(chunk, Overlong):
                self._problem(f"{chunk.file}:{chunk.number}: longer than 16 MB")
                continue
            for line in chunk:
                try:
                    row = parse(line.raw)
                    check_scored(row, line.where)
                except ConfigError as error:
                    if not self.count:
                        raise
                    self._problem(str(error))
                    continue
                except ValueError as error:
                    self._problem(f"{line.where}: {error}")
                    continue
                self.count += 1
                self._note(row)
                if self._wanted.has(line, row):
                    yield line, row

    def _note(self, row: Mapping[str, Any]) -> None:
        if len(self._parts) + len(self._reasons) < MOST_NAMES:
            self._parts.update(dict.fromkeys([*row["reward_parts"], *row["verdict_parts"]]))
            self._reasons.update(dict.fromkeys(str(each.get("reason")) for each in row["verdicts"]))

    def _problem(self, said: str) -> None:
        self.unreadable += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(said)

    def nothing(self) -> str:
        """Return the message where no row is shown."""
        if not self.count:
            return "no rows"
        hints = [
            f"no verdict has the reason {reason!r}{nearest(reason, self._reasons)}"
            for reason in self._wanted.reasons
            if reason not in self._reasons
        ]
        if self._wanted.part is not None and self._wanted.part not in self._parts:
            hints.append(f"no part is called {self._wanted.part!r}{nearest(self._wanted.part, self._parts)}")
        return "; ".join([f"none of {self.count:,} rows is one of these", *hints])


def drawn(rows: Iterator[Row], count: int, seed: int) -> Iterator[Row]:
    """Draw a number of rows at random, in their order, holding only these (Vitter 1985, algorithm R)."""
    chance = random.Random(seed)  # noqa: S311
    held: list[tuple[int, Row]] = []
    for place, row in enumerate(rows):
        if place < count:
            held.append((place, row))
        elif (other := chance.randrange(place + 1)) < count:
            held[other] = (place, row)
    return (row for _, row in sorted(held, key=lambda pair: pair[0]))


@dataclass(frozen=True)
class ShownRows:
    """Prints a row.

    Args:
        console: Console to print to.
        texts: The columns of completion, prompt and reference.
        most: Characters of a completion; None for all.
    """

    console: Console
    texts: tuple[str, ...]
    most: int | None

    def print_of(self, run: str, line: Line, row: Mapping[str, Any], turn: int, first: bool) -> None:
        """Print one row of a run; only the first counterpart shows the fields that all share."""
        self.print(line, row, first or turn > 0, f"{run}  ", not turn)

    def print(
        self, line: Line, row: Mapping[str, Any], first: bool, run: str = "", whole: bool = True
    ) -> None:
        """Print one row, below a line with its place."""
        completion, prompt, reference = (column_of(row, name) for name in self.texts)
        if not first:
            self.console.print()
        self.console.print(literal(f"── {run}{line.where}", "bold"))
        if prompt is not None and whole:
            self.console.print(Text("prompt: ", "dim") + literal(tail(_plain(prompt))))
        verdicts = [
            (name, _verdict(each)) for name, each in zip(row["verdict_parts"], row["verdicts"], strict=True)
        ]
        source = _source(completion)
        spans = [span for _, verdict in verdicts if verdict is not None for span in _spans(verdict)]
        self.console.print(Text("completion:", "dim"))
        self.console.print(marked(source, spans, self.most))
        if reference is not None and whole:
            self.console.print(Text("reference: ", "dim") + literal(tail(_plain(reference))))
        self.console.print(_tree(row, verdicts, source))


def _plain(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[-1], Mapping):
        value = value[-1].get("content", value)  # chat messages: the last one asks
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _source(completion: object) -> str:
    """Return the text in which spans are places."""
    split = split_completion(completion)
    if split is None:
        return _plain(completion)
    return split.completion if split.content is None else split.content


def _spans(verdict: Verdict) -> Iterator[tuple[int, int]]:
    if verdict.span is not None:
        yield verdict.span
    for part in verdict.parts:
        yield from _spans(part)


def _tree(row: Mapping[str, Any], verdicts: list[tuple[str, Verdict | None]], source: str) -> Tree:
    tree = Tree(literal(f"reward: {_value(row['reward'])}", "bold"))
    branches = {
        name: tree.add(literal(f"{name}: {_value(value)}", "bold"))
        for name, value in row["reward_parts"].items()
    }
    for (name, verdict), raw in zip(verdicts, row["verdicts"], strict=True):
        branch = branches.get(name)
        if branch is None:
            branch = branches[name] = tree.add(literal(f"{name}: {_value(raw.get('score'))}", "bold"))
        if verdict is None:
            branch.add(literal(json.dumps(raw, ensure_ascii=False)))
        else:
            describe(branch, verdict, _verifier(verdict.verifier), source)
    return tree


def _value(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def _verdict(raw: Mapping[str, Any]) -> Verdict | None:
    """Return a verdict that may be foreign; None where it is not in our form."""
    try:
        return Verdict.from_dict(dict(raw))
    except (VerifierError, KeyError, TypeError, ValueError, AttributeError):
        return None


def _verifier(name: str) -> Verifier | None:
    kind = verifier_class(name)
    try:
        return None if kind is None else kind()
    except (VerifierError, TypeError):  # it cannot be made without arguments
        return None
