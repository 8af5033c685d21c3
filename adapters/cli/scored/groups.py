"""``verify-cli groups``: statistics of a reward from the completions of each prompt."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated

import typer
from rich.table import Table

from reward_verifiers.rewards.select import GroupStatistics, Interval
from reward_verifiers.rewards.select.prompt_figures import interval_of
from reward_verifiers.rewards.select.statistics import SIZES
from reward_verifiers.verifiers import ConfigError

from ...files.scored_candidates import Reader, equality
from ..column_options import Options, common_naming, with_columns
from ..console import failing_clearly, literal, stdout

SHARES = {
    "all_right": "nothing to learn from: too easy",
    "all_wrong": "nothing to learn from: too hard",
    "flat_reward": "groups whose rewards are all equal",
    "shaping_only": "same outcome, different rewards: trained on shape alone",
}
"""Shares of groups, and what each says."""
MAX_SIGNATURES = 8
"""Signatures that are shown; a file that was scored by more is not one experiment."""

Files = Annotated[list[str], typer.Argument(help="Scored files of JSON Lines; - for standard input.")]
Outcome = Annotated[
    str | None,
    typer.Option(help="The part that tells right from wrong (default: the first that needs a reference)."),
]


Sort = Annotated[
    bool,
    typer.Option("--sort", help="Gather the rows of each prompt, in the order of their first rows."),
]


@with_columns
def groups(
    options: Options,
    files: Files,
    outcome: Outcome = None,
    sort: Sort = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Show pass@k, the majority vote, and how well a reward tells the completions of a prompt apart."""
    with failing_clearly():
        source, names = common_naming(files, options)
        reader = Reader(outcome, (), names.completion, names.group, sort)
        figures = GroupStatistics()
        equal = None
        signatures: set[str] = set()
        for group in reader.groups(source):
            equal = equal or equality(group)
            figures.add(group, equal)
            if len(signatures) <= MAX_SIGNATURES:
                signatures.update(str(each.row.get("signature")) for each in group)
        if not figures.groups:
            raise ConfigError(f"{', '.join(files)}: no rows")
        if as_json:
            typer.echo(
                json.dumps({**_figures(figures), "signatures": sorted(signatures)}, ensure_ascii=False)
            )
            return
        _print(figures)
        for signature in sorted(signatures):
            stdout().print(literal(f"signature: {signature}", "dim"))


def _figures(figures: GroupStatistics) -> dict[str, object]:
    plain = {
        field.name: getattr(figures, field.name)
        for field in dataclasses.fields(figures)
        if isinstance(getattr(figures, field.name), int | float | None)
    }
    tables = {"pass_at_k": figures.passes, "best_at_k": figures.bests, "collapse_at": figures.collapses}
    return {
        **plain,
        "sizes": dict(sorted(figures.sizes.items())),
        **{name: {k: figures.mean(sums, k) for k in sums} for name, sums in tables.items()},
        "pass_at_k_95": {k: _ends(figures.interval(figures.passes, k)) for k in figures.passes},
        **{f"{name}_95": _ends(share) for name, share in _shares(figures).items()},
    }


def _print(figures: GroupStatistics) -> None:
    console, judged = stdout(), figures.judged_groups
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    sizes = sorted(figures.sizes.items(), key=lambda pair: -pair[1])
    shown = ", ".join(f"{count:,} of {size}" for size, count in sizes[:4]) + (" ..." if sizes[4:] else "")
    table.add_row("prompts", f"{figures.groups:,}", f"groups: {shown}")
    table.add_row("completions", f"{figures.rows:,}", f"{figures.unjudged:,} unscored")
    if judged:
        for name, share in _shares(figures).items():
            shown = f"{_percent(None if share is None else share.mean)}{_between(share)}"
            table.add_row(name.replace("_", " "), shown, SHARES[name])
        table.add_row(
            "deviation", f"{figures.deviation:.4f}", "of rewards within a group (root of the mean variance)"
        )
        step = "-" if figures.smallest_step is None else f"{figures.smallest_step:.4g}"
        table.add_row(
            "resolution",
            f"{figures.distinct / judged:.2f}",
            f"different rewards in a group; smallest step {step}",
        )
    if figures.votes:
        right = _percent(figures.votes_right / figures.votes)
        table.add_row("majority", right, f"of votes are right; {figures.ties:,} ties")
    console.print(table)
    _print_sizes(figures)


def _print_sizes(figures: GroupStatistics) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("k", "prompts", "pass@k", "95 %", "best reward of k", "groups of k that collapse"):
        table.add_column(heading, justify="right")
    for k in SIZES:
        if k not in figures.passes:
            continue
        best, collapse = figures.mean(figures.bests, k), figures.mean(figures.collapses, k)
        table.add_row(
            str(k),
            f"{figures.passes[k][1]:,.0f}",
            f"{100 * (figures.mean(figures.passes, k) or 0.0):.2f} %",
            _between(figures.interval(figures.passes, k)).strip(" ()") or "-",
            "-" if best is None else f"{best:.4f}",
            "-" if collapse is None else f"{100 * collapse:.1f} %",
        )
    if figures.passes:
        stdout().print()
        stdout().print(table)
        stdout().print("intervals: 95 % across prompts, Wilson's", style="dim")


def _shares(figures: GroupStatistics) -> dict[str, Interval | None]:
    """Return shares of the groups with at least one judged completion."""
    judged = figures.judged_groups
    counts = (figures.all_right, figures.all_wrong, figures.flat_rewards, figures.shaped_only)
    return {
        name: interval_of(count / judged, count * (1 - count / judged), judged, judged, bounded=True)
        if judged
        else None
        for name, count in zip(SHARES, counts, strict=True)
    }


def _ends(found: Interval | None) -> list[float | None]:
    return [None, None] if found is None else [found.low, found.high]


def _between(found: Interval | None) -> str:
    if found is None or found.low is None or found.high is None:
        return ""
    return f" ({_percent(found.low)} to {_percent(found.high)})"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
