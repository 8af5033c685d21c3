"""What `verify-cli diff` prints."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from ..console import literal, stdout

SHOWN_REASONS = 20


def print_diff(found: dict[str, Any]) -> None:
    """Print what `compare` found, for a person."""
    console = stdout()
    console.print(literal(_matched(found), "dim"))
    for warning in _warnings(found):
        console.print(literal(warning, "yellow"))
    console.print()
    table = _table("", "before", "after", "difference", "95 %", "p", "rose", "fell", "not in both")
    for name, part in found["parts"].items():
        table.add_row(
            literal(name), *_figures(part), f"{part['rose']:,}", f"{part['fell']:,}", f"{part['left_out']:,}"
        )
    console.print(table)
    console.print(literal(_method(found), "dim"))
    outcome = found["outcome"]
    if found["sources"]:
        table = _table(
            found["source_column"],
            "before",
            "after",
            "difference",
            "95 %",
            "p",
            "wrong to right",
            "right to wrong",
        )
        for each in found["sources"]:
            part = each.get("outcome") or each.get("reward", {})
            flips = [part.get(name, 0) for name in ("wrong_to_right", "right_to_wrong")]
            table.add_row(literal(each["source"]), *_figures(part), *(f"{count:,}" for count in flips))
        console.print()
        console.print(table)
    _print_reasons(found)
    if found["flipped"]:
        console.print()
        for each in found["flipped"]:
            flip = each["flip"].replace("_", " ")
            places = (
                f"{each['first']} -> {each['second']}" if each["first"] != each["second"] else each["first"]
            )
            console.print(literal(f"{flip}: {places}: {each['reasons'][0]} -> {each['reasons'][1]}"))
        total = sum(found["parts"][outcome][name] for name in found["parts"][outcome] if "_to_" in name)
        if total > len(found["flipped"]):
            console.print(
                literal(
                    f"{len(found['flipped']):,} of {total:,} flips of {outcome}; --rows N names more", "dim"
                )
            )


def _print_reasons(found: dict[str, Any]) -> None:
    table = _table("part", "before", "after", "rows")
    more = 0
    for name, part in found["parts"].items():
        for change in part.get("changes", ()):
            if table.row_count == SHOWN_REASONS:
                more += 1
                continue
            states = [
                f"{state}: {reason}"
                for state, reason in zip(change["states"], change["reasons"], strict=True)
            ]
            table.add_row(literal(name), *map(literal, states), f"{change['rows']:,}")
        before, after = part.get("reasons", ({}, {}))
        if found["pairs"] < sum(before.values()):  # other completions, of which none is another's counterpart
            for reason in list({**before, **after})[:SHOWN_REASONS]:
                was, now = before.get(reason, 0), after.get(reason, 0)
                if was != now:
                    table.add_row(literal(name), literal(f"{reason}: {was:,}"), f"{now:,}", f"{now - was:+,}")
    if table.row_count:
        stdout().print()
        stdout().print(table)
        if more:
            stdout().print(literal(f"{more:,} more; --json has them", "dim"))


def _matched(found: dict[str, Any]) -> str:
    rows = found["rows"]
    by = (
        f"{found['pairs']:,} pairs of rows"
        if found["compared_by"] == "row"
        else "prompts, by the means of their rows"
    )
    sides = f"{found['first']}: {rows[0]:,} rows, {found['second']}: {rows[1]:,} rows"
    return f"{sides}; compared: {by} (key: {found['key']})"


def _warnings(found: dict[str, Any]) -> list[str]:
    said = [
        f"{count:,} rows are only in {name}"
        for count, name in zip(found["only"], (found["first"], found["second"]), strict=True)
        if count
    ]
    if found["other_completions"]:
        said.append(f"{found['other_completions']:,} rows have another completion: each prompt counts once")
    if found["other_references"]:
        said.append(f"{found['other_references']:,} rows have another reference")
    if found["other_prompts"]:
        said.append(f"{found['other_prompts']:,} rows have another prompt")
    if found["outcome"] is None:
        said.append("which part says whether an answer is right cannot be told; name it with --outcome")
    return said


def _method(found: dict[str, Any]) -> str:
    figures = [part for part in found["parts"].values() if part.get("prompts")]
    prompts = max((part["prompts"] for part in figures), default=0)
    counted = (
        f"{prompts:,} groups of prompts"
        if any(each["grouped"] for each in figures)
        else f"{prompts:,} prompts"
    )
    exact = ", exact" if all(part["exact"] for part in figures) else ""
    return f"intervals: 95 %, bootstrap over {counted}; p: sign-flip test by prompt{exact}"


def _figures(part: dict[str, Any]) -> list[str]:
    if not part.get("pairs"):
        return ["-"] * 5
    low, high = part["low"], part["high"]
    return [
        f"{part['before']:.4f}",
        f"{part['after']:.4f}",
        f"{part['difference']:+.4f}",
        "-" if low is None else f"{low:+.4f} to {high:+.4f}",
        f"{part['p']:.2g}",
    ]


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    texts = ("", "part", "before", "after") if headings[0] == "part" else headings[:1]
    for heading in headings:
        table.add_column(literal(heading), justify="left" if heading in texts else "right", no_wrap=True)
    return table
