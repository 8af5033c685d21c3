"""``verify-cli show``: selected scored rows on the terminal, and runs side by side."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from reward_verifiers.rewards.select.prompt_figures import prompt_key
from reward_verifiers.verifiers import ConfigError, Status
from reward_verifiers.verifiers.core import nearest

from ...files.columns import Naming, column_of
from ...files.jsonl import Line, Source
from ...files.scored_candidates import right_part
from ..column_options import Options, common_naming, naming_of, with_columns
from ..console import (
    ROWS_FAILED,
    failing_clearly,
    say,
    stdout,
)
from .wanted_rows import Row, ShownRows, Wanted, WantedRows, drawn, folded

Key = tuple[int, int]
"""A prompt, or an id, and which of its rows."""


@dataclass(frozen=True)
class RunRow:
    """A row of a run.

    Args:
        run: The run's name.
        line: Line of the row.
        row: Its columns.
        names: Their names.
    """

    run: str
    line: Line
    row: Mapping[str, Any]
    names: Naming


class SideBySide:
    """The rows of several runs by common key; files are read twice, and few rows are held.

    Args:
        runs: The name, the path and the names of the columns of each.
        wanted: Makes what chooses rows, for each naming; a set of counterparts is shown where one is wanted.
    """

    def __init__(self, runs: Sequence[tuple[str, str, Naming]], wanted: Callable[[Naming], Wanted]) -> None:
        self.runs, self._wanted = runs, wanted
        self.problems: list[str] = []
        self.unreadable = 0
        self._outcomes: dict[Key, list[float | None]] = {}
        self._chosen: set[Key] = set()
        self._read()

    @property
    def shared(self) -> int:
        """Number of rows that more than one run has."""
        return sum(len([each for each in found if each is not None]) > 1 for found in self._outcomes.values())

    @property
    def flipped(self) -> Counter[str]:
        """Counts of the rows that fell and that rose from the first run to the last."""
        return Counter(
            turn for key in self._chosen if (turn := _turn(self._outcomes[key])) in ("fell", "rose")
        )

    def sets(self, limit: int) -> Iterator[list[RunRow]]:
        """Yield the rows of each set of counterparts: those that fell, those that rose, the others in order.

        Args:
            limit: Sets at most; 0 for all.
        """
        order = {"fell": 0, "rose": 1, "differs": 2, "": 3}
        keys = sorted(
            (key for key in self._outcomes if key in self._chosen),
            key=lambda key: order[_turn(self._outcomes[key])],
        )
        keys = keys[:limit] if limit else keys
        held: dict[Key, list[RunRow]] = {key: [] for key in keys}
        for _, each, key in self._rows():
            if key in held:
                held[key].append(each)
        yield from held.values()

    def _read(self) -> None:
        for run, each, key in self._rows(note=True):
            own = self._outcomes.setdefault(key, [None] * len(self.runs))
            own[run] = _outcome(each.row)
            if self._wanted(each.names).has(each.line, each.row):
                self._chosen.add(key)

    def _rows(self, note: bool = False) -> Iterator[tuple[int, RunRow, Key]]:
        for number, (name, path, names) in enumerate(self.runs):
            reading = WantedRows(Source([path]), Wanted())
            turns: Counter[int] = Counter()
            for line, row in reading.rows():
                own = row.get("id")
                of = prompt_key(column_of(row, names.group) if own is None else own)
                turns[of] += 1
                yield number, RunRow(name, line, row, names), (of, turns[of])
            if note:
                self.problems += reading.problems
                self.unreadable += reading.unreadable


def _outcome(row: Mapping[str, Any]) -> float | None:
    named = dict(zip(row["verdict_parts"], row["verdicts"], strict=True))
    part = right_part(named)
    found = row["reward"] if part is None else named[part].get("score")
    return None if found is None else float(found)


def _turn(outcomes: Sequence[float | None]) -> str:
    """Return "fell" or "rose" from the first run to the last, "differs" between others, or ""."""
    first, last = outcomes[0], outcomes[-1]
    if first is not None and last is not None and first != last:
        return "fell" if last < first else "rose"
    return "differs" if len({each for each in outcomes if each is not None}) > 1 else ""


LIMIT = 20
MOST = 2000
"""Characters of a completion that are shown without --full."""

Files = Annotated[list[str], typer.Argument(help="Scored files of any format; - for standard input.")]
Reasons = Annotated[
    list[str] | None, typer.Option(help="Rows with this reason; repeatable.", show_default=False)
]
PartOption = Annotated[str | None, typer.Option(help="The part for --reason, --status, --min and --max.")]
StatusOption = Annotated[str | None, typer.Option(help="Rows with this status: scored, unscored or fault.")]
DisagreeOption = Annotated[
    bool, typer.Option("--disagree", help="Rows on which two parts contradict each other.")
]
Least = Annotated[float | None, typer.Option("--min", help="Lowest reward, or value of --part.")]
Greatest = Annotated[float | None, typer.Option("--max", help="Highest reward, or value of --part.")]
SearchOption = Annotated[
    str | None, typer.Option(help="Text in completion, prompt or reference, ignoring case.")
]
Lines = Annotated[
    list[int] | None, typer.Option(help="Row with this line number; repeatable.", show_default=False)
]
SampleOption = Annotated[int | None, typer.Option(help="Show this many rows, drawn at random.", min=1)]


@with_columns
def show(
    options: Options,
    files: Files,
    reason: Reasons = None,
    part: PartOption = None,
    status: StatusOption = None,
    disagree: DisagreeOption = False,
    least: Least = None,
    most: Greatest = None,
    search: SearchOption = None,
    line: Lines = None,
    sample: SampleOption = None,
    seed: Annotated[int, typer.Option(help="Random seed for --sample.")] = 0,
    limit: Annotated[int, typer.Option(help="Show at most this many rows; 0 for all.", min=0)] = LIMIT,
    pool: Annotated[
        bool, typer.Option("--pool", help="Show the rows of all files one after the other.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Show long completions whole.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print each row as a line of JSON.")] = False,
) -> None:
    """Show scored rows: prompt, completion with its evidence, reference and verdicts.

    Rows of several files stand side by side, matched by prompt or id, changed ones first.

    Control characters and invisible characters appear as codes.
    """
    with failing_clearly():
        known = [each.value for each in Status]
        if status is not None and status not in known:
            raise ConfigError(f"--status {status!r} is none of {', '.join(known)}{nearest(status, known)}")
        text = None if search is None else folded(search)
        lines, reasons = frozenset(line or ()), tuple(reason or ())

        def chosen(names: Naming) -> Wanted:
            texts = (names.completion, names.prompt, names.reference)
            return Wanted(part, reasons, status, least, most, text, lines, disagree, texts)

        if len(files) > 1 and not pool and sample is None and "-" not in files:
            beside = _beside(files, options, chosen)
            if beside.shared:
                _print_sets(beside, limit, None if full else MOST, as_json)
                return
            say("no row of one file belongs to one of another: they are shown one after the other")
        source, names = common_naming(files, options)
        wanted = chosen(names)
        texts = wanted.texts
        reading = WantedRows(source, wanted)
        rows = reading.rows()
        if sample is not None:
            rows = drawn(rows, sample, seed)
            limit = 0
        if not _print(rows, limit, None if as_json else ShownRows(stdout(), texts, None if full else MOST)):
            say(reading.nothing())
        if reading.problems:
            say(f"{reading.unreadable:,} lines could not be read: {'; '.join(reading.problems)}")
            raise SystemExit(ROWS_FAILED)


def _beside(files: list[str], options: Options, chosen: Callable[[Naming], Wanted]) -> SideBySide:
    runs = [(path, naming_of(Source([path]), options)) for path in files]
    names = [Path(path).stem for path in files]
    names = names if len(set(names)) == len(names) else files
    return SideBySide([(name, path, own) for name, (path, own) in zip(names, runs, strict=True)], chosen)


def _print_sets(beside: SideBySide, limit: int, most: int | None, as_json: bool) -> None:
    """Print the rows of runs side by side, and the flips among them."""
    flipped, console = beside.flipped, stdout()
    shown = 0
    for rows in beside.sets(limit):
        if as_json:
            for each in rows:
                place = {"run": each.run, "file": each.line.file, "line": each.line.number}
                typer.echo(json.dumps({**place, "row": each.row}))
        else:
            for turn, each in enumerate(rows):
                texts = (each.names.completion, each.names.prompt, each.names.reference)
                ShownRows(console, texts, most).print_of(each.run, each.line, each.row, turn, first=not shown)
        shown += 1
    first, last = beside.runs[0][0], beside.runs[-1][0]
    fell, rose = flipped["fell"], flipped["rose"]
    say(f"from {first} to {last} {fell:,} rows fell and {rose:,} rose, of {beside.shared:,} judged in both")
    if not shown:
        say("none of these rows is one of these")
    elif limit and shown == limit:
        say(f"showing the first {limit:,} sets of rows; --limit 0 shows all")
    if beside.problems:
        say(f"{beside.unreadable:,} lines could not be read: {'; '.join(beside.problems)}")
        raise SystemExit(ROWS_FAILED)


def _print(rows: Iterator[Row], limit: int, shower: ShownRows | None) -> int:
    """Print rows, as JSON without a shower, and return their number."""
    shown = 0
    for line, row in rows:
        if limit and shown == limit:
            say(f"showing the first {limit:,}; --limit 0 shows all, --sample draws some")
            break
        if shower is None:
            typer.echo(json.dumps({"file": line.file, "line": line.number, "row": row}))
        else:
            shower.print(line, row, first=not shown)
        shown += 1
    return shown
