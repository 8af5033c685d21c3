"""The curves of a run as a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.adapters.audit.log_keys import LENGTH_KEY, SAME_KEY, STRICT_KEY

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
    """Draw what a run logged, a row of panels for each stage that has a history.

    Args:
        histories: Log histories, by the stage's name.
        path: The PNG.

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
    """A mean over the last values, a tenth of all of them."""
    span = max(1, len(values) // 10)
    return [sum(values[max(0, end - span) : end]) / min(span, end) for end in range(1, len(values) + 1)]
