"""Curves over the steps of a run, with bands and alarms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..figures.means import Figures
from ..run_logs import RunLogs
from .specs import COLOURS, Chart, Spec, length_title


def over_steps(
    found: Mapping[str, Any], figures: Figures, alarms: Sequence[Mapping[str, Any]]
) -> Iterable[Chart | None]:
    """Curves of what completions of each step were paid, and why."""
    steps = found["steps"]
    if not steps:
        return
    yield _curves("steps.reward", _points(steps, {"reward": "reward"}), "t:axis.reward", alarms)
    parts = [
        {"step": each["step"], "name": name, **value}
        for each in steps
        for name, value in each["parts"].items()
        if value
    ]
    yield _curves("steps.parts", parts, "t:axis.value", alarms)
    names = list(figures.table.reasons)
    reasons = [
        {"step": each["step"], "name": names[reason] or "–", "count": count}
        for each in steps
        for reason, count in each["reasons"].items()
    ]
    yield _layers("steps.reasons", reasons) if reasons else None
    lengths = [{"step": each["step"], "name": "", "mean": each["length"]} for each in steps]
    yield _curves("steps.length", lengths, length_title(found), alarms)
    flat = [
        {"step": each["step"], "name": "", "mean": each["flat"]} for each in steps if each["flat"] is not None
    ]
    yield _curves("steps.flat", flat, "t:axis.share", alarms) if flat else None


def of_logs(logs: RunLogs) -> Iterable[Chart]:
    """Curves of what the trainer logged."""
    for name, lines in logs.panels():
        yield _curves(f"logs.{name}", lines, "t:axis.value", logs.alarms)


def _points(steps: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {"step": each["step"], "name": name, **each[key]}
        for each in steps
        for name, key in names.items()
        if each[key]
    ]


def _curves(
    name: str, points: Sequence[Mapping[str, Any]], title: str, alarms: Sequence[Mapping[str, Any]]
) -> Chart:
    several = len({each["name"] for each in points}) > 1
    colour: Spec = (
        {"color": {"field": "name", "type": "nominal", "title": None, "sort": None}} if several else {}
    )
    x = {"field": "step", "type": "quantitative", "title": "t:axis.step", "scale": {"nice": False}}
    layers: list[Spec] = []
    if any(each.get("low") is not None for each in points):
        band = {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}
        layers.append(
            {
                "mark": {"type": "area", "opacity": 0.2, "aria": False, "clip": True},
                "transform": [{"filter": "isValid(datum.low)"}],
                "encoding": {"x": x, **band, **colour},
            }
        )
    y = {"field": "mean", "type": "quantitative", "title": title, "scale": {"zero": False}}
    tooltip = [
        *([{"field": "name", "title": "t:axis.part"}] if several else []),
        {"field": "step", "title": "t:axis.step"},
        *({"field": key, "title": f"t:axis.{key}", "format": ".4~f"} for key in ("mean", "low", "high")),
    ]
    drawn = {"type": "line", "point": {"size": 14}} if len(points) < 400 else {"type": "line"}
    layers.append({"mark": drawn, "encoding": {"x": x, "y": y, "tooltip": tooltip, **colour}})
    if alarms:
        told = [{"field": "step", "title": "t:axis.step"}, {"field": "name"}, {"field": "message"}]
        rule = {"type": "rule", "color": COLOURS["wrong"], "strokeDash": [4, 3], "strokeWidth": 1.5}
        marks = [{"step": each["step"], "name": each["name"], "message": each["message"]} for each in alarms]
        layers.append({"data": {"values": marks}, "mark": rule, "encoding": {"x": x, "tooltip": told}})
        text = {"type": "text", "align": "left", "dx": 4, "dy": 6, "baseline": "top", "fontSize": 10}
        layers.append(
            {
                "data": {"values": marks},
                "mark": {**text, "color": COLOURS["wrong"]},
                "encoding": {"x": x, "y": {"value": 0}, "text": {"field": "name"}},
            }
        )
    return Chart(name, {"data": {"values": list(points)}, "layer": layers})


def _layers(name: str, points: Sequence[Mapping[str, Any]]) -> Chart:
    encoding = {
        "x": {"field": "step", "type": "quantitative", "title": "t:axis.step", "scale": {"nice": False}},
        "y": {
            "field": "count", "type": "quantitative", "stack": "normalize", "title": "t:axis.share",
            "axis": {"format": "%"},
        },
        "color": {"field": "name", "type": "nominal", "title": None},
        "tooltip": [{"field": "step"}, {"field": "name"}, {"field": "count"}],
    }  # fmt: skip
    # An area needs a value at every step.
    filled = [{"impute": "count", "key": "step", "groupby": ["name"], "value": 0}]
    return Chart(
        name,
        {
            "data": {"values": list(points)},
            "transform": filled,
            "mark": {"type": "area"},
            "encoding": encoding,
        },
    )
