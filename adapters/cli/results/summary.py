"""The table under a scoring."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from reward_verifiers.adapters.files.tallies import Tally

from ..console import literal

_TOP = 4


def print_summary(
    console: Console, tallies: Mapping[str, Tally], *, rows: int, rejected: int, seconds: float
) -> None:
    """Means, pass rates, what could not be judged and why, and the speed."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("", no_wrap=True)
    for heading in ("rows", "mean", "passed", "unscored", "fault"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("top reasons", overflow="fold")
    for name, tally in tallies.items():
        unscored = tally.rows - tally.scored - tally.faults
        reasons = "  ".join(f"{reason} {count:,}" for reason, count in _top(tally))
        table.add_row(
            literal(name),
            f"{tally.rows:,}",
            f"{tally.total / tally.scored:.4f}" if tally.scored else "-",
            _share(tally.passed, tally.scored) if tally.judged and name != "reward" else "",
            _share(unscored, tally.rows),
            _share(tally.faults, tally.rows),
            literal(reasons),
        )
    if tallies:
        console.print(table)
        console.print(literal(_intervals(tallies), "dim"))
    speed = f"{rows / seconds:,.0f} rows/s" if seconds > 0 else ""
    skipped = f", {rejected:,} rejected" if rejected else ""
    console.print(f"{rows:,} rows{skipped} in {seconds:.1f} s ({speed})", style="dim")


def _top(tally: Tally) -> list[tuple[str, int]]:
    return sorted(tally.reasons.items(), key=lambda pair: (-pair[1], pair[0]))[:_TOP]


def _intervals(tallies: Mapping[str, Tally]) -> str:
    """The interval of each mean, and what they count."""
    reward = tallies["reward"]
    rows, prompts = reward.alone[0], len(reward.prompts)
    counted = f"{rows:,} rows" if not prompts else f"{prompts:,} prompts"
    if reward.prompts.grouped:
        counted = f"prompts, in {prompts:,} groups"
    elif rows and prompts:
        counted += f" and {rows:,} rows without one"
    found = ((name, tally.interval()) for name, tally in tallies.items())
    ends = [
        f"{name} {each.low:.4f} to {each.high:.4f}"
        for name, each in found
        if each is not None and each.low is not None and each.high is not None
    ]
    return f"95 % over {counted}: {'; '.join(ends) or 'no intervals of so few'}"


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else "-"
