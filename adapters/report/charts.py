"""The charts of a report as Vega-Lite specifications, which the page draws and pictures hold.

There are curves over the steps of a run, with bands and alarms, and spreads of rewards, lengths, groups,
reasons and sources. Titles that begin with ``t:`` are keys of ``assets/words.json``. Data are figures, never
rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .distributions import KINDS, by_outcome, length_and_reward
from .means import Figures
from .run_logs import RunLogs

SHOWN_REASONS, SHOWN_SOURCES = 20, 40


def pass_at_k_chart(passes: Sequence[Mapping[str, Any]]) -> Chart | None:
    """pass@k against k, with its band."""
    if len(passes) < 2:
        return None
    x = {"field": "k", "type": "quantitative", "title": "k", "scale": {"type": "log", "base": 2},
         "axis": {"values": [each["k"] for each in passes]}}  # fmt: skip
    y = {"field": "mean", "type": "quantitative", "title": "pass@k", "axis": {"format": "%"},
         "scale": {"zero": False}}  # fmt: skip
    tooltip = [
        {"field": "k"},
        *({"field": key, "title": f"t:axis.{key}", "format": ".2%"} for key in ("mean", "low", "high")),
        {"field": "prompts", "title": "t:axis.prompts"},
    ]
    layers: list[Spec] = [
        {
            "mark": {"type": "area", "opacity": 0.2, "aria": False},
            "transform": [{"filter": "isValid(datum.low)"}],
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
        },
        {"mark": {"type": "line", "point": True}, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
    ]
    if not any(each["low"] is not None for each in passes):
        del layers[0]
    return Chart("pass_at_k", {"data": {"values": list(passes)}, "layer": layers})


def stacked_chart(
    name: str, bars: Sequence[Mapping[str, Any]], title: str, log: bool = False
) -> Chart | None:
    """Return a histogram whose bars are divided by outcome."""
    if not bars:
        return None
    domain = [kind for kind in KINDS if any(each["kind"] == kind for each in bars)]
    named = [{**each, "kind": f"t:kind.{each['kind']}"} for each in bars]
    scale = {"domain": [f"t:kind.{kind}" for kind in domain], "range": [COLOURS[kind] for kind in domain]}
    colour = {"field": "kind", "type": "nominal", "title": None, "scale": scale}
    return bars_chart(name, named, title, log=log, colour=colour)


def bars_chart(
    name: str,
    bars: Sequence[Mapping[str, Any]],
    title: str,
    count: str = "t:axis.count",
    *,
    log: bool = False,
    colour: Spec | None = None,
) -> Chart | None:
    """Return a histogram, with a bar for each of a few different values, or for ranges of many."""
    if not bars:
        return None
    single = all(each["low"] == each["high"] for each in bars)
    tooltip = [
        {"field": "low", "title": "t:axis.from", "format": ".4~g"},
        *([] if single else [{"field": "high", "title": "t:axis.to", "format": ".4~g"}]),
        *([{"field": "kind", "title": "t:axis.outcome"}] if colour else []),
        {"field": "count", "title": count, "format": ",d"},
    ]
    x: Spec = {"field": "low", "title": title, "type": "ordinal" if single else "quantitative"}
    if single:
        x["axis"] = {"labelExpr": "format(datum.value, '.4~g')", "labelAngle": 0}
    else:
        x["scale"] = {"type": "log", "nice": False} if log else {"zero": False, "nice": False}
        x["title"] = f"{title}.log" if log else title
    encoding: Spec = {
        "x": x,
        **({} if single else {"x2": {"field": "high"}}),
        "y": {"field": "top", "type": "quantitative", "title": count},
        "y2": {"field": "base"},
        "tooltip": tooltip,
        **({"color": colour} if colour else {}),
    }
    mark = {"type": "bar"} if single else {"type": "rect"}
    return Chart(name, {"data": {"values": _piled(bars)}, "mark": mark, "encoding": encoding})


def _piled(bars: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return bars at the same place, one on top of the other."""
    tops: dict[float, int] = {}
    found = []
    for each in bars:
        base = tops.get(each["low"], 0)
        tops[each["low"]] = base + each["count"]
        found.append({**each, "base": base, "top": tops[each["low"]]})
    return found


def rates_chart(groups: Mapping[str, Any]) -> Chart | None:
    """Return a chart of groups by their number of right completions."""
    # Groups of one size, the most frequent one: of others "3 right" means something else.
    sizes = {each["of"]: 0 for each in groups["rates"] if each["of"]}
    for each in groups["rates"]:
        if each["of"]:
            sizes[each["of"]] += each["groups"]
    if not sizes:
        return None
    size = max(sizes, key=lambda of: sizes[of])
    counts = {each["right"]: each["groups"] for each in groups["rates"] if each["of"] == size}
    bars = [{"right": right, "of": size, "count": counts.get(right, 0)} for right in range(size + 1)]
    encoding = {
        "x": {"field": "right", "type": "ordinal", "title": "t:axis.right_of", "axis": {"labelAngle": 0}},
        "y": {"field": "count", "type": "quantitative", "title": "t:axis.groups"},
        "tooltip": [
            {"field": "right", "title": "t:axis.right_of"},
            {"field": "of", "title": "t:axis.group_size"},
            {"field": "count", "title": "t:axis.groups", "format": ",d"},
        ],
    }
    return Chart("rates", {"data": {"values": bars}, "mark": {"type": "bar"}, "encoding": encoding})


def length_and_reward_chart(
    found: Mapping[str, list[dict[str, Any]]], figures: Mapping[str, Any]
) -> Chart | None:
    """Length against reward: counts as shades, and the mean of each length."""
    if len(found["means"]) < 2:
        return None
    # All layers show one scale: lengths in equal ratios.
    scale = {"type": "log", "nice": False}
    x = {"type": "quantitative", "title": f"{length_title(figures)}.log", "scale": scale}
    # An interval of few completions may be wide; it does not make the picture small.
    domain = [min(each["low"] for each in found["grid"]), max(each["high"] for each in found["grid"])]
    y = {"type": "quantitative", "title": "t:axis.reward", "scale": {"domain": domain, "nice": False}}
    shade = {
        "field": "count", "type": "quantitative", "title": "t:axis.count",
        "scale": {"type": "log", "scheme": "blues"}, "legend": None,
    }  # fmt: skip
    counted = [{"field": "count", "title": "t:axis.count", "format": ",d"}]
    told = [
        {"field": "length", "title": length_title(figures), "format": ".4~g"},
        *({"field": key, "title": f"t:axis.{key}", "format": ".4~f"} for key in ("mean", "low", "high")),
        {"field": "n", "title": "t:axis.count", "format": ",d"},
    ]
    mean = {"x": {**x, "field": "length"}, "y": {**y, "field": "mean"}}
    layers: list[Spec] = [
        {
            "data": {"values": found["grid"]},
            "mark": {"type": "rect", "opacity": 0.6},
            "encoding": {
                "x": {**x, "field": "left"}, "x2": {"field": "right"},
                "y": {**y, "field": "low"}, "y2": {"field": "high"},
                "color": shade, "tooltip": counted,
            },
        },
        {
            "data": {"values": found["means"]},
            "mark": {"type": "line", "point": {"color": COLOURS["wrong"]}, "color": COLOURS["wrong"]},
            "encoding": {**mean, "tooltip": told},
        },
    ]  # fmt: skip
    ends = [each for each in found["means"] if each.get("low") is not None]
    if ends:
        rule = {"type": "rule", "color": COLOURS["wrong"], "clip": True}
        encoding = {"x": mean["x"], "y": {**y, "field": "low"}, "y2": {"field": "high"}}
        layers.insert(1, {"data": {"values": ends}, "mark": rule, "encoding": encoding})
    return Chart("length_reward", {"layer": layers})


def reasons_chart(reasons: Sequence[Mapping[str, Any]]) -> Chart | None:
    """Return a chart of the most frequent reasons."""
    if not reasons:
        return None
    shown = sorted(reasons, key=lambda each: -each["count"])[:SHOWN_REASONS]
    bars = [{**each, "label": f"{each['part']}: {each['reason']}"} for each in shown]
    encoding = {
        "y": {"field": "label", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 220}},
        "x": {"field": "count", "type": "quantitative", "title": "t:axis.count"},
        "color": {"field": "part", "type": "nominal", "title": None, "sort": None},
        "tooltip": [{"field": "label"}, {"field": "status"}, {"field": "count", "format": ",d"},
                    {"field": "meaning"}],
    }  # fmt: skip
    return Chart(
        "reasons",
        {
            "data": {"values": bars},
            "mark": {"type": "bar"},
            "encoding": encoding,
            "height": 80 + 18 * len(bars),
        },
    )


def sources_chart(sources: Sequence[Mapping[str, Any]]) -> Chart | None:
    """Return a chart of the accuracy of each source, with its interval."""
    points = [
        {"source": each["source"], "rows": each["rows"], **(each["accuracy"] or {})}
        for each in itertools.islice(sources, SHOWN_SOURCES)
    ]
    points = [each for each in points if "mean" in each]
    if len(points) < 2:
        return None
    y = {"field": "source", "type": "nominal", "title": None, "sort": None, "axis": {"labelLimit": 220}}
    x = {"type": "quantitative", "title": "t:axis.accuracy", "scale": {"zero": False}}
    tooltip = [
        {"field": "source"},
        *({"field": key, "title": f"t:axis.{key}", "format": ".3~f"} for key in ("mean", "low", "high")),
        {"field": "prompts", "title": "t:axis.prompts"},
    ]
    layers: list[Spec] = [
        {
            "mark": {"type": "rule", "strokeWidth": 2},
            "transform": [{"filter": "isValid(datum.low)"}],
            "encoding": {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 60},
            "encoding": {"y": y, "x": {**x, "field": "mean"}, "tooltip": tooltip},
        },
    ]
    if not any(each["low"] is not None for each in points):
        del layers[0]
    return Chart("sources", {"data": {"values": points}, "layer": layers, "height": 50 + 22 * len(points)})


def over_steps(
    found: Mapping[str, Any], figures: Figures, alarms: Sequence[Mapping[str, Any]]
) -> Iterable[Chart | None]:
    """Yield curves of rewards and their reasons over steps."""
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
    """Yield curves of the trainer's logs."""
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


COLOURS = {"right": "#009e73", "partly": "#e69f00", "wrong": "#d55e00", "not_judged": "#8a8a8a"}
"""Of Okabe and Ito, which people tell apart whatever their eyes."""

Spec = dict[str, Any]


@dataclass(frozen=True)
class Chart:
    """A chart.

    Args:
        name: Its key in the page's words: ``chart.NAME`` is the title, ``chart.NAME.note`` the note.
        spec: In Vega-Lite.
    """

    name: str
    spec: Spec


def length_title(found: Mapping[str, Any]) -> str:
    """Return the title of an axis of lengths."""
    return f"t:axis.{found['length_unit']}"


def charts(figures: Figures, found: Mapping[str, Any], logs: RunLogs | None = None) -> list[Chart]:
    """Return all charts for which there are data.

    Args:
        figures: Figures of the rows.
        found: Result of `Figures.all`.
        logs: Log of a training run.
    """
    alarms = [] if logs is None else logs.alarms
    made: list[Chart | None] = [
        *over_steps(found, figures, alarms),
        *([] if logs is None else of_logs(logs)),
        pass_at_k_chart(found["pass_at_k"]),
        stacked_chart("rewards", by_outcome(figures, figures.table.rewards), "t:axis.reward"),
        stacked_chart(
            "lengths", by_outcome(figures, figures.table.lengths, log=True), length_title(found), log=True
        ),
        rates_chart(found["groups"]),
        bars_chart("deviations", found["groups"]["deviations"], "t:axis.deviation", "t:axis.groups"),
        length_and_reward_chart(length_and_reward(figures), found),
        reasons_chart(found["reasons"]),
        sources_chart(found["sources"]),
    ]
    return [each for each in made if each is not None]
