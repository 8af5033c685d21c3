"""One page about a run: what it was, what came of it, how it went, and what the model said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..config import RunConfig
from ..config.run_stages import RATING
from .curves import draw_curves
from .held_out import falls

SHOWN = 4
"""Completions before and after that the page shows."""


def write_report(
    config: RunConfig,
    stages: Mapping[str, tuple[str, RunConfig]],
    metrics: Mapping[str, Mapping[str, Any]],
    notes: Sequence[str] = (),
) -> Path:
    """Write ``report.md``, and ``curves.png`` next to it where matplotlib is installed.

    Args:
        config: The run.
        stages: Its stages, by name.
        metrics: Of those that are done.
        notes: Sentences that belong on the page.
    """
    folder = Path(config.output_dir)
    histories = {
        name: read_history(Path(own.output_dir)) for name, (_, own) in stages.items() if name in metrics
    }
    drawn = draw_curves(histories, folder / "curves.png")
    lines = [f"# {folder.name}", "", *([config.description, ""] if config.description else [])]
    lines += [*_stages(stages, metrics), ""]
    if drawn:
        lines += ["![curves](curves.png)", ""]
    lines += [*(f"- {note}" for note in notes), *([""] if notes else [])]
    lines += _alarms(metrics, config.watch.off)
    lines += _samples(metrics)
    path = folder / "report.md"
    path.write_bytes(("\n".join(lines).rstrip() + "\n").encode("utf-8", "backslashreplace"))
    return path


def read_history(folder: Path) -> list[dict[str, Any]]:
    """A stage's log history; nothing if it has none."""
    path = folder / "history.jsonl"
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _stages(
    stages: Mapping[str, tuple[str, RunConfig]], metrics: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    yield "| stage | what it did | held-out accuracy after | seen | seconds |"
    yield "|---|---|---|---|---|"
    for name, (kind, _) in stages.items():
        found = metrics.get(name)
        if found is None:
            yield f"| {name} | not run | | | |"
            continue
        end = found.get("end", {})
        yield (
            f"| {name} | {_did(kind, found)} | {accuracy(end.get('heldout'))} | "
            f"{accuracy(end.get('seen'))} | {found['seconds']:.0f} |"
        )


def _did(kind: str, found: Mapping[str, Any]) -> str:
    if kind == "select":
        return (
            f"{found['selected']:,} of {found['completions']:,} completions kept; pass rate "
            f"{found['pass_rate'] or 0:.3f}"
        )
    if kind in ("grpo", "rloo"):
        first, last = found.get("reward_first"), found.get("reward_last")
        moved = "" if first is None or last is None else f", reward {first:.3f} → {last:.3f}"
        return f"{found['steps']:,} steps{moved}"
    unit = "pairs" if "pairs" in found else "rows"
    did = f"{found['steps']:,} steps on {found[unit]:,} {unit}"
    right = found.get("heldout", {}).get("accuracy") if kind in RATING else None
    return f"{did}; right about {right[0]:.3f} of those held out" if right else did


def accuracy(measured: Mapping[str, Any] | None) -> str:
    """An accuracy with its standard error, or nothing."""
    if not measured or measured["accuracy"] is None:
        return ""
    return (
        f"{measured['accuracy']:.3f} ± {measured['error']:.3f} (n = {measured['n'] - measured['unscored']})"
    )


def _alarms(metrics: Mapping[str, Mapping[str, Any]], off: Sequence[str]) -> Iterator[str]:
    raised = [(name, alert) for name, found in metrics.items() for alert in found.get("alarms", [])]
    raised += [(name, alert.to_dict()) for name, alert in falls(metrics, off)]
    policies = [found for found in metrics.values() if "alarms" in found]
    if policies and not raised:
        yield from ("No alarm was raised.", "")
    for name, alert in raised:
        level = alert.get("level", "alarm")
        yield f"- **{level} {alert['name']}** in {name} at step {alert['step']}: {alert['message']}"
    if raised:
        yield ""


def _samples(metrics: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The held-out prompts of the last exam, and what was said to the same ones in an exam before it."""
    ends, starts = (
        [each["samples"] for found in metrics.values() if (each := found.get(when, {}).get("heldout"))]
        for when in ("end", "start")
    )
    if not ends:
        return
    yield from ("## Held-out prompts, answered greedily", "")
    yield from ("| prompt | answer | before | after |", "|---|---|---|---|")
    after = {str(each["prompt"]): each for each in ends[-1]}
    # Stages may have measured other rows.
    pairs = (
        [(old, new) for old in before if (new := after.get(str(old["prompt"]))) is not None]
        for before in (*reversed(starts), *ends)
    )
    for old, new in next((found for found in pairs if found), [])[:SHOWN]:
        prompt = old["prompt"] if isinstance(old["prompt"], str) else old["prompt"][-1]["content"]
        cells = (prompt, old["answer"], old["completion"], new["completion"])
        yield "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: Any) -> str:
    """Text inside a table: on one line, as it is, and not too long."""
    shown = "" if text is None else " ".join(str(text).split())
    shown = shown if len(shown) <= 200 else f"{shown[:200]}…"
    return "`" + shown.replace("|", "\\|").replace("`", "'") + "`" if shown else ""
