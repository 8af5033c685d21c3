"""One page about a run: its settings and results, curves, held-out accuracy, and completions."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.adapters.audit.chance import CHANCE, share_above
from reward_verifiers.adapters.audit.findings import LENGTH_KEY, SAME_KEY, STRICT_KEY, Alarm

from ..config import RunConfig
from ..config.run_stages import RATING

FALLEN = "heldout_fallen"
CURE = "read the held-out prompts of both stages in report.md; lower the later stage's learning rate or steps"
SEEN = 0.01
"""The chance below which a fall is said of in the report, without an alarm."""


def falls(metrics: Mapping[str, Mapping[str, Any]], off: Collection[str] = ()) -> Iterator[tuple[str, Alarm]]:
    """Yield the stages after which fewer held-out rows are right than after an earlier one.

    The same rows are compared: of those that one stage answers right and the other wrong, as many would go
    one way as the other where nothing has changed, so the chance is a binomial tail (the sign test;
    McNemar 1947). An alarm where it is below `CHANCE`, a note where it is below `SEEN`.

    Args:
        metrics: Metrics of the stages that are done, in their order.
        off: Names of alarms that are not raised.
    """
    if FALLEN in off:
        return
    best: tuple[str, list[float | None]] | None = None
    for name, found in metrics.items():
        measured = (found.get("end") or {}).get("heldout") or {}
        now = measured.get("outcomes")
        if not now:
            continue
        if best is not None and len(best[1]) == len(now):
            lost, won = _changed(best[1], now)
            chance = share_above(lost, lost + won, 0.5)
            if lost > won and chance < SEEN:
                yield name, _alarm(best, now, lost, won, chance, int(found.get("steps") or 0))
        if best is None or len(best[1]) != len(now) or _mean(now) > _mean(best[1]):
            best = name, now


def _changed(before: Sequence[float | None], now: Sequence[float | None]) -> tuple[int, int]:
    """Count the rows that went from better to worse, and from worse to better."""
    pairs = [(a, b) for a, b in zip(before, now, strict=True) if a is not None and b is not None]
    return sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)


def _alarm(
    best: tuple[str, list[float | None]],
    now: Sequence[float | None],
    lost: int,
    won: int,
    chance: float,
    step: int,
) -> Alarm:
    before, after = _mean(best[1]), _mean(now)
    return Alarm(
        FALLEN,
        step,
        f"held-out accuracy is {after:.3f}, and was {before:.3f} after stage {best[0]}: of the same "
        f"{len(now)} rows {lost} are answered worse and {won} better (chance {chance:.1g}); {CURE}",
        {"before": before, "now": after, "chance": chance},
        level="alarm" if chance < CHANCE else "note",
        value=after,
        threshold=before,
        cure=CURE,
    )


def _mean(values: Sequence[float | None]) -> float:
    judged = [value for value in values if value is not None]
    return sum(judged) / len(judged) if judged else 0.0


PANELS: tuple[tuple[str, dict[str, str]], ...] = (
    ("reward", {"reward": "reward", "strict accuracy": STRICT_KEY}),
    ("parts", {}),
    ("tokens of a completion", {"mean length": LENGTH_KEY}),
    (
        "groups without differences, and entropy",
        {"zero variance": SAME_KEY, "entropy": "entropy"},
    ),
    ("KL to the reference, and its coefficient", {"KL": "kl", "beta": "beta"}),
    ("loss", {"loss": "loss"}),
)
"""Titles, and the metrics of each panel by what the legend calls them; ``parts`` shows all parts."""


def draw_curves(histories: Mapping[str, Sequence[Mapping[str, Any]]], path: Path) -> bool:
    """Draw a run's logs, a row of panels for each stage that has a history.

    Returns:
        Whether it was drawn: not without matplotlib (the extra ``report``), nor without a history.
    """
    try:
        import matplotlib
    except ImportError:
        return False
    rows = {name: panels for name, history in histories.items() if (panels := _panels(history))}
    if not rows:
        return False
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    width = max(map(len, rows.values()))
    figure = Figure(figsize=(4.2 * width, 3.1 * len(rows)), layout="constrained")
    axes = figure.subplots(len(rows), width, squeeze=False)
    for row, (name, panels) in enumerate(rows.items()):
        for column in range(width):
            axis = axes[row][column]
            if column >= len(panels):
                axis.axis("off")
                continue
            title, lines = panels[column]
            for label, (steps, values) in lines.items():
                axis.plot(steps, values, linewidth=0.7, alpha=0.35)
                axis.plot(steps, _smoothed(values), label=label, color=axis.lines[-1].get_color())
            axis.set_title(f"{name}: {title}", fontsize=9)
            axis.set_xlabel("step", fontsize=8)
            axis.tick_params(labelsize=8)
            axis.grid(alpha=0.25)
            if len(lines) > 1:
                axis.legend(fontsize=7)
    figure.savefig(path, dpi=110)
    return True


Line = tuple[list[float], list[float]]


def _panels(history: Sequence[Mapping[str, Any]]) -> list[tuple[str, dict[str, Line]]]:
    found = []
    for title, keys in PANELS:
        chosen = keys or _parts(history)
        lines = {label: line for label, key in chosen.items() if (line := _line(history, key))[0]}
        policy = any("reward" in row for row in history)
        # A policy's loss says nothing: its mean is near 0 by construction. Others have no groups.
        if policy == (title == "loss"):
            continue
        if lines and any(len(set(values)) > 1 for _, values in lines.values()):
            found.append((title, lines))
    return found


def _parts(history: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    keys = dict.fromkeys(key for row in history for key in row)
    names = {key.split("/")[1]: key for key in keys if key.startswith("rewards/") and key.endswith("/mean")}
    # What is paid itself needs no second line for its strict twin.
    return {
        name: key
        for name, key in names.items()
        if name not in ("reward", "strict") and name.removeprefix("strict.") not in set(names) - {name}
    }


def _line(history: Sequence[Mapping[str, Any]], key: str) -> Line:
    points = [
        (float(row["step"]), float(row[key]))
        for row in history
        if isinstance(row.get(key), int | float) and math.isfinite(row[key])
    ]
    return [step for step, _ in points], [value for _, value in points]


def _smoothed(values: Sequence[float]) -> list[float]:
    """Return a moving mean over a tenth of all values."""
    span = max(1, len(values) // 10)
    return [sum(values[max(0, end - span) : end]) / min(span, end) for end in range(1, len(values) + 1)]


SHOWN = 4
"""Completions before and after that the page shows."""


def write_report(
    config: RunConfig,
    stages: Mapping[str, tuple[str, RunConfig]],
    metrics: Mapping[str, Mapping[str, Any]],
    notes: Sequence[str] = (),
) -> Path:
    """Write ``report.md``, and ``curves.png`` next to it where matplotlib is installed."""
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
    """Return a stage's log history; empty if it has none."""
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
    """Return an accuracy with its standard error, or nothing."""
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
    """Yield a table of held-out prompts, with completions of the last exam and of an earlier one."""
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
