"""A report without rows: as Markdown, as JSON, and its charts as a picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from .charts import Chart
from .report_data import Report

MOST_REASONS = 40
"""Reasons that Markdown shows; JSON has all of them."""
COLUMNS = 2
"""Charts that stand side by side in a picture."""
SIZE = {"width": 420, "height": 220}


def as_json(report: Report) -> bytes:
    """Return all figures, with unreadable lines and a run's alarms."""
    logs = report.logs
    found = {
        "title": report.title,
        "files": report.files,
        **report.figures,
        "signatures": report.table.signatures,
        **({"compared": report.compared[0]} if len(report.compared) == 1 else {}),
        **({"comparisons": report.compared} if len(report.compared) > 1 else {}),
        "unreadable": report.unreadable,
        "alarms": [] if logs is None else logs.alarms,
    }
    # Escaped, so that no name in it can break the encoding.
    return (json.dumps(found, indent=1) + "\n").encode()


def as_markdown(report: Report) -> bytes:
    """Return tables for a person; intervals hold 95 %, across prompts."""
    found = report.figures
    lines = [f"# {_cell(report.title)}", "", *_overview(found), ""]
    if report.logs is not None:
        alarms = report.logs.alarms
        lines += [
            f"- **{a['level']} {_cell(a['name'])}** at step {a['step']:g}: {_cell(a['message'])}"
            for a in alarms
        ]
        lines += ["", *([] if alarms else ["No alarm was raised.", ""])]
    parts = ((name, _interval(each), each.get("n", 0)) for name, each in found["parts"].items())
    if not found["runs"]:
        lines += _table("Parts", ("part", "mean [95 %]", "n"), parts)
    runs = (
        (each["run"], each["rows"], _interval(each["accuracy"], _percent), _interval(each["reward"]))
        for each in found["runs"]
    )
    lines += _table("Runs", ("run", "rows", "accuracy [95 %]", "reward [95 %]"), runs)
    for each in report.compared:
        lines += _compared(each)
    passes = (
        (f"pass@{each['k']}", _interval(each, _percent), each["prompts"]) for each in found["pass_at_k"]
    )
    lines += _table("pass@k", ("", "mean [95 %]", "prompts"), passes)
    sources = (
        (each["source"], each["rows"], _interval(each["accuracy"], _percent), _interval(each["reward"]))
        for each in found["sources"]
    )
    lines += _table("Sources", ("source", "rows", "accuracy [95 %]", "reward [95 %]"), sources)
    reasons = (
        (each["part"], each["reason"], each["status"], each["count"], each["meaning"])
        for each in found["reasons"][:MOST_REASONS]
    )
    lines += _table("Reasons", ("part", "reason", "status", "rows", "meaning"), reasons)
    unpaid = ((each["part"], each["reason"], each["count"]) for each in found["reference_unpaid"])
    lines += _table(
        "The reference stands in the response and was not paid", ("part", "reason", "rows"), unpaid
    )
    return ("\n".join(lines).rstrip() + "\n").encode("utf-8", "backslashreplace")


def as_png(report: Report) -> bytes:
    """Return the charts as one picture.

    Raises:
        ModuleNotFoundError: vl-convert-python, of the extra ``report``, is not installed.
    """
    import vl_convert

    words = json.loads(
        (files("reward_verifiers.adapters.report") / "assets" / "words.json").read_text(encoding="utf-8")
    )

    def say(text: str) -> str:
        found = words.get(text.removeprefix("t:")) if text.startswith("t:") else None
        return text if found is None else str(found["en"])

    rows: list[list[dict[str, Any]]] = []
    for number, chart in enumerate(report.charts):
        if number % COLUMNS == 0:
            rows.append([])
        rows[-1].append(_drawn(chart, say))
    spec = {
        "vconcat": [{"hconcat": row, "resolve": _APART} for row in rows],
        "resolve": _APART,
        "config": {"view": {"stroke": None}, "axis": {"titleFontWeight": "normal"}},
        "background": "white",
    }
    picture: bytes = vl_convert.vegalite_to_png(spec, scale=1.5)
    return picture


_APART = {"scale": {"color": "independent", "x": "independent", "y": "independent"}}


def _drawn(chart: Chart, say: Callable[[str], str]) -> dict[str, Any]:
    return {**SIZE, **_named(chart.spec, say), "title": say(f"t:chart.{chart.name}")}


def _named(value: Any, say: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return say(value)
    if isinstance(value, Mapping):
        return {key: _named(each, say) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [_named(each, say) for each in value]
    return value


def _overview(found: Mapping[str, Any]) -> Iterable[str]:
    yield f"- {found['rows']:,} completions of {found['prompts']:,} prompts"
    if not found["runs"]:
        yield f"- reward {_interval(found['reward'])}"
    if found["accuracy"] is not None:
        yield f"- accuracy ({_cell(found['outcome'])}) {_interval(found['accuracy'], _percent)}"
    unscored, faults = found["status"]["unscored"], found["status"]["fault"]
    yield f"- not judged: {unscored:,} unscored, {faults:,} faults"
    if found["groups"]["several"]:
        yield f"- groups whose rewards are all equal: {_percent(found['groups']['flat_rewards'])}"
    yield "- intervals hold 95 %, across prompts (clustered standard errors; Wilson's for shares)"


def _compared(found: Mapping[str, Any]) -> Iterable[str]:
    """Return the table of changes since another scoring."""
    parts = (
        (
            name,
            _number(each.get("before")),
            _interval(
                {"mean": each.get("difference"), "low": each.get("low"), "high": each.get("high")}, _change
            ),
            _number(each.get("p")),
            f"{each['rose']:,}/{each['fell']:,}",
        )
        for name, each in found["parts"].items()
    )
    heads = ("part", "before", "change [95 %]", "p", "rose/fell")
    title = f"What changed since {_cell(found['first'])}"
    return _table(f"{title}: {_cell(found['second'])}" if found.get("run") else title, heads, parts)


def _change(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4g}"


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    if not lines:
        return []
    return [f"## {title}", "", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *lines, ""]


def _interval(found: Mapping[str, Any] | None, shown: Callable[[float | None], str] | None = None) -> str:
    write = shown or _number
    if not found or found.get("mean") is None:
        return "–"
    if found["low"] is None:
        return write(found["mean"])
    return f"{write(found['mean'])} [{write(found['low'])}, {write(found['high'])}]"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _cell(value: object) -> str:
    """Return text for a table's cell: on one line, and literal."""
    text = f"{value:,}" if isinstance(value, int) else " ".join(str(value).split())
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#" else char for char in text)
