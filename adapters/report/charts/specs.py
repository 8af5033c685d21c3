"""What charts are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

COLOURS = {"right": "#009e73", "partly": "#e69f00", "wrong": "#d55e00", "not_judged": "#8a8a8a"}
"""Of Okabe and Ito, which people tell apart whatever their eyes."""

Spec = dict[str, Any]


@dataclass(frozen=True)
class Chart:
    """A chart.

    Args:
        name: What the page's words call it: ``chart.NAME`` is its title, ``chart.NAME.note`` what it shows.
        spec: In Vega-Lite.
    """

    name: str
    spec: Spec


def length_title(found: Mapping[str, Any]) -> str:
    """What an axis of lengths is called."""
    return f"t:axis.{found['length_unit']}"
