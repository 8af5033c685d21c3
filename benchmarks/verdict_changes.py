"""Which verdicts changed since the last release: thousands of rows of our own, frozen with their verdicts.

    python -m benchmarks.verdict_changes              print every change of verdict since the freeze
    python -m benchmarks.verdict_changes --changelog  write them into CHANGELOG.md, by kind
    python -m benchmarks.verdict_changes --freeze     take today's verdicts as those of this version
    python -m benchmarks.verdict_changes --release 0.2.0     raise the version, date the CHANGELOG, freeze

A verdict is part of the interface: rewards, caches and published figures rest on it. The first line of
fixtures/frozen/verdicts.jsonl holds the version, each other line a row with its status, score, reason and
what was extracted. A freeze keeps the rows that were frozen before and adds those drawn from fixtures since
(`frozen_rows`); with `--redraw` it starts anew. tests/test_verdict_changes.py asks that the CHANGELOG names
every kind of change. Within 0.x.y no frozen verdict changes (SECURITY.md): to freeze others wants a new x.
Exit status 1 if a verdict changed, 2 if it may not be frozen.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.frozen_rows import OWN, drawn_rows
from benchmarks.verdicts import Row, difference, rows_of, short
from verifiers import Verdict, from_spec

ROOT = Path(__file__).resolve().parents[1]
FROZEN = ROOT / "fixtures" / "frozen" / "verdicts.jsonl"
CHANGELOG = ROOT / "CHANGELOG.md"
VERSIONED = (ROOT / "pyproject.toml", ROOT / "verifiers" / "__init__.py")
"""Where the version stands."""
JUDGED = ("status", "score", "reason", "extracted")
LIMITS = {"over_limit", "cpu_time", "wall_time", "timeout"}
"""Reasons that a slower machine may give where a faster one knows more: only status and score count then."""
PLACES = 9
"""Decimals of a score that are kept: metrics add up in another order on other machines."""
NAMED = 3
"""Rows that the CHANGELOG names for each kind of change."""


@dataclass(frozen=True)
class Change:
    """A row that is judged otherwise than when it was frozen."""

    row: Row
    now: Row

    @property
    def fields(self) -> list[str]:
        """What differs."""
        compared = ("status", "score") if LIMITS & {self.row["reason"], self.now["reason"]} else JUDGED
        return [name for name in compared if self.row[name] != self.now[name]]

    @property
    def kind(self) -> str:
        """By which verifier, from what to what: how the CHANGELOG names it."""
        spec = self.row["spec"]
        verifier = spec if isinstance(spec, str) else next(iter(spec))
        before, after = _said(self.row), _said(self.now)
        return (
            f"{verifier}: {before} → {after}"
            if before != after
            else f"{verifier}: {before}, other text extracted"
        )

    def __str__(self) -> str:
        asked = f"{self.row['completion']!r:.200} for {self.row['reference']!r:.80}"
        return difference(f"{self.row['id']}: {asked}", self.fields, self.row, self.now)


def project_version() -> str:
    """Of this tree."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def read_frozen(path: Path) -> tuple[str, list[Row]]:
    """The version that was frozen, and its rows."""
    head, *rows = rows_of(path)
    return head["version"], rows


def judge(rows: Iterable[Row]) -> list[Row]:
    """What is said of each row today, in their order."""
    rows = list(rows)
    batches = defaultdict[tuple[str, tuple[str, ...]], list[int]](list)
    for at, row in enumerate(rows):
        columns = tuple(sorted(row.keys() - OWN - set(JUDGED)))
        batches[json.dumps(row["spec"], sort_keys=True), columns].append(at)
    said: dict[int, Row] = {}
    for (spec, names), places in batches.items():
        batch = [rows[at] for at in places]
        columns_of = {name: [row[name] for row in batch] for name in names}
        verdicts = from_spec(json.loads(spec)).verify_columns(
            [row["completion"] for row in batch], [row["reference"] for row in batch], columns_of
        )
        said.update((at, _written(verdict)) for at, verdict in zip(places, verdicts, strict=True))
    return [said[at] for at in range(len(rows))]


def changes(rows: Iterable[Row]) -> list[Change]:
    """The rows whose verdict is another one today."""
    rows = list(rows)
    found = [Change(row, now) for row, now in zip(rows, judge(rows), strict=True)]
    return [each for each in found if each.fields]


def promised(before: str, now: str) -> bool:
    """Whether verdicts of one version hold at another one: SECURITY.md promises it within 0.x.

    >>> promised("0.1.0", "0.1.4"), promised("0.1.4", "0.2.0"), promised("nothing", "0.1.0")
    (True, False, False)
    """
    return before.split(".")[:2] == now.split(".")[:2]


def freeze(path: Path, version: str, rows: Iterable[Row]) -> int:
    """Write rows with today's verdicts; how many there are."""
    rows = list(rows)
    lines: list[Row] = [{"version": version}]
    lines += [{**row, **now} for row, now in zip(rows, judge(rows), strict=True)]
    path.write_text("".join(map(_line, lines)), encoding="utf-8")
    return len(rows)


def changelog_heading(version: str) -> str:
    """Above the changes since a version."""
    return f"### Verdicts that changed since {version}"


def changelog_section(version: str, found: Iterable[Change]) -> str:
    """What the CHANGELOG says of the changes: their kinds, how many rows, and the first of them."""
    kinds = defaultdict[str, list[str]](list)
    for each in found:
        kinds[each.kind].append(each.row["id"])
    if not kinds:
        return ""
    lines = [
        f"- {kind} ({len(ids)} {'row' if len(ids) == 1 else 'rows'}, such as {', '.join(ids[:NAMED])})"
        for kind, ids in sorted(kinds.items())
    ]
    return "\n".join([changelog_heading(version), "", *lines, "", ""])


def with_section(changelog: str, version: str, section: str) -> str:
    """The CHANGELOG with that section in the place of an older one, or first under [Unreleased]."""
    old = re.compile(re.escape(changelog_heading(version)) + r"\n.*?(?=^##|\Z)", re.DOTALL | re.MULTILINE)
    text = old.sub("", changelog)
    return re.sub(
        r"^## \[Unreleased\]\n\n", lambda head: head[0] + section, text, count=1, flags=re.MULTILINE
    )


def released(changelog: str, version: str, day: str) -> str:
    """The CHANGELOG whose unreleased part is that of a version, with an empty one above it.

    >>> print(released("## [Unreleased]\\n\\n- new\\n", "0.2.0", "2026-11-27"))
    ## [Unreleased]
    <BLANKLINE>
    ## [0.2.0] - 2026-11-27
    <BLANKLINE>
    - new
    <BLANKLINE>
    """
    return changelog.replace("## [Unreleased]\n", f"## [Unreleased]\n\n## [{version}] - {day}\n", 1)


def with_version(text: str, version: str) -> str:
    """A file that names the version once, with another one.

    >>> with_version('__version__ = "0.1.0"', "0.2.0")
    '__version__ = "0.2.0"'
    """
    return re.sub(
        r'^((?:__version__|version) = ")[^"]*', rf"\g<1>{version}", text, count=1, flags=re.MULTILINE
    )


def _said(row: Row) -> str:
    score = "" if row["score"] is None else f" {row['score']:.3g}"
    return f"{row['status']}{score} `{row['reason']}`"


def _written(verdict: Verdict) -> Row:
    return {
        "status": verdict.status.value,
        "score": None if verdict.score is None else round(verdict.score, PLACES),
        "reason": verdict.reason,
        "extracted": short(verdict.extracted),
    }


def _line(row: Row) -> str:
    """As JSON, in letters that can be read; half a surrogate pair has none."""
    line = json.dumps(row, ensure_ascii=False)
    return (line if line.isprintable() else json.dumps(row)) + "\n"


def _asked(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in JUDGED}


def main(arguments: list[str] | None = None) -> int:
    """Print, write down or freeze."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frozen", type=Path, default=FROZEN, help="the frozen file")
    parser.add_argument("--changelog", action="store_true", help="write the changes into CHANGELOG.md")
    parser.add_argument("--freeze", action="store_true", help="take today's verdicts for this version's")
    parser.add_argument("--release", metavar="VERSION", help="--changelog, another version, and --freeze")
    parser.add_argument(
        "--redraw", action="store_true", help="with --freeze: draw all rows from fixtures anew"
    )
    parser.add_argument("--shown", type=int, default=1000, help="changes to print")
    options = parser.parse_args(arguments)
    path: Path = options.frozen
    version, rows = read_frozen(path) if path.exists() else ("nothing", [])
    found = [] if options.redraw else changes(rows)
    for each in found[: options.shown]:
        print(each)
    print(f"{len(rows)} rows frozen at {version}: {len(found)} are judged otherwise now")
    section = changelog_section(version, found)
    if section:
        print(f"\n{section.strip()}")
    target = options.release or project_version()
    freezes = options.freeze or options.release
    if freezes and promised(version, target) and (found or (options.redraw and changes(rows))):
        print(
            f"error: verdicts changed since {version}, and {target} promises the same ones; "
            "raise the version to the next 0.x, or take the changes back",
            file=sys.stderr,
        )
        return 2
    if options.changelog or options.release:
        text = with_section(CHANGELOG.read_text(encoding="utf-8"), version, section)
        if options.release:
            text = released(text, target, datetime.now(UTC).date().isoformat())
            for file in VERSIONED:
                file.write_text(with_version(file.read_text(encoding="utf-8"), target), encoding="utf-8")
        CHANGELOG.write_text(text, encoding="utf-8")
    if freezes:
        kept = {} if options.redraw else {row["id"]: _asked(row) for row in rows}
        drawn = {row["id"]: row for row in drawn_rows(ROOT / "fixtures")}
        count = freeze(path, target, {**drawn, **kept}.values())
        print(f"{count} rows frozen at {target}")
        return 0
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
