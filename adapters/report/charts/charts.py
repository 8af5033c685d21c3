"""All charts for which there are data, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..figures.distributions import by_outcome, length_and_reward
from ..figures.means import Figures
from ..run_logs import RunLogs
from .curves import of_logs, over_steps
from .specs import Chart, length_title
from .spreads import (
    bars_chart,
    length_and_reward_chart,
    pass_at_k_chart,
    rates_chart,
    reasons_chart,
    sources_chart,
    stacked_chart,
)


def charts(figures: Figures, found: Mapping[str, Any], logs: RunLogs | None = None) -> list[Chart]:
    """All charts for which there are data.

    Args:
        figures: Of the rows.
        found: What `Figures.all` gave.
        logs: What a training run logged.
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
