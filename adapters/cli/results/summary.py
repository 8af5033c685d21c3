"""The table under a scoring."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from adapters.files.tallies import Tally

from ..console import literal

_TOP = 4


def print_summary(
    console: Console, tallies: Mapping[str, Tally], *, rows: int, rejected: int, seconds: float
) -> None:
    """Means, pass rates, what could not be judged and why, and the speed."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("", no_wrap=True)
    for heading in ("rows", "mean", "95 %", "passed", "unscored", "fault"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("top reasons", overflow="fold")
    for name, tally in tallies.items():
        unscored = tally.rows - tally.scored - tally.faults
        reasons = "  ".join(f"{reason} {count:,}" for reason, count in _top(tally))
        table.add_row(
            literal(name),
            f"{tally.rows:,}",
            f"{tally.total / tally.scored:.4f}" if tally.scored else "-",
            _ends(tally),
            _share(tally.passed, tally.scored) if tally.judged and name != "reward" else "",
            _share(unscored, tally.rows),
            _share(tally.faults, tally.rows),
            literal(reasons),
        )
    if tallies:
        console.print(table)
        console.print(literal(_about(tallies["reward"]), "dim"))
    speed = f"{rows / seconds:,.0f} rows/s" if seconds > 0 else ""
    skipped = f", {rejected:,} rejected" if rejected else ""
    console.print(f"{rows:,} rows{skipped} in {seconds:.1f} s ({speed})", style="dim")


def _top(tally: Tally) -> list[tuple[str, int]]:
    return sorted(tally.reasons.items(), key=lambda pair: (-pair[1], pair[0]))[:_TOP]


def _ends(tally: Tally) -> str:
    interval = tally.interval()
    if interval is None or interval.low is None or interval.high is None:
        return "-"
    return f"{interval.low:.4f} to {interval.high:.4f}"


def _about(reward: Tally) -> str:
    """What the intervals count."""
    rows, prompts = reward.alone[0], len(reward.prompts)
    counted = f"{rows:,} rows" if not prompts else f"{prompts:,} prompts"
    if reward.prompts.grouped:
        counted = f"prompts, in {prompts:,} groups"
    elif rows and prompts:
        counted += f" and {rows:,} rows without one"
    return f"intervals: 95 % over {counted}; Wilson's where values are in 0 to 1"


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else "-"
