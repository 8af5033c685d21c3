"""The recipes of a server by name, with the needs of each and the formats that can ask for it."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import load_recipe
from reward_verifiers.verifiers import ConfigError, split_completion
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, reference_column
from reward_verifiers.verifiers.runtime.forks import cached_property

from ..files.chunk_scorer import Scorer
from ..hosts.host import Host, needs_of
from ..hosts.unscored import RowLogs
from .load_limits import ServeError, unreadable


@dataclass(frozen=True, eq=False)
class Served:
    """A recipe that is served.

    Args:
        name: Its name in requests.
        scorer: Scores rows.
        refusals: Why it cannot be asked for in a format, by the format's name.
    """

    name: str
    scorer: Scorer
    refusals: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # What cannot be sent to a worker is told at the start, and one signature is for all of them.
        _ = self.scorer.signature
        object.__setattr__(self, "pickled", lru_cache(maxsize=64)(self._pickled))

    pickled: Any = field(init=False)

    @cached_property
    def logs(self) -> RowLogs:
        """The floats that trainers may log."""
        return RowLogs(self.scorer.reward)

    @cached_property
    def whole(self) -> bool:
        """Whether the rows of a request must be judged as one batch."""
        return self.scorer.reward.needs_groups

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Columns of the data that the recipe reads, which a label can hold."""
        return needs_of(self.scorer.reward).columns

    @cached_property
    def _reads_references(self) -> bool:
        return self.scorer.reward.reads_references()

    def _pickled(self, progress: float) -> bytes:
        scorer = self.scorer
        if progress != scorer.progress:
            scorer = replace(scorer, progress=progress)
            _ = scorer.signature
        return pickle.dumps(scorer)

    def checked(self, rows: Sequence[Any]) -> list[dict[str, Any]]:
        """Return the rows with their references where the recipe looks for them.

        Raises:
            ServeError: 422, one cannot be judged; the message names it and the cure.
        """
        return [self._checked(row, f"rows[{index}]") for index, row in enumerate(rows)]

    def _checked(self, row: Any, place: str) -> dict[str, Any]:
        if not isinstance(row, dict):
            raise unreadable(f"{place} is not an object with a completion and its columns")
        columns = self.scorer.columns
        if REFERENCE not in row and self._reads_references:
            try:
                found = reference_column(row, "'answer'")
            except ConfigError as error:
                raise unreadable(f"{place}: {error}") from None
            row = row if found is None else {**row, REFERENCE: row[found]}
        for column in columns:
            if column not in row and not (column == "completion_tokens" and "completion_ids" in row):
                raise unreadable(
                    f"{place} has no {column!r}{nearest(column, row)}; the recipe {self.name!r} "
                    f"reads {', '.join(columns)}"
                )
        if split_completion(row["completion"]) is None:
            kind = type(row["completion"]).__name__
            raise unreadable(f"{place}.completion is neither text nor chat messages but {kind}")
        checked: dict[str, Any] = row
        return checked


class Recipes:
    """The recipes that a server judges with.

    Args:
        asked: For each recipe what `rewards.load_recipe` takes, or ``NAME=`` and that; the first is what
            requests get that name none.
        hosts: The formats.
        progress: The progress at which schedules are read where a request does not say; None to refuse
            schedules where a format has no place for it.

    Raises:
        ConfigError: A recipe that cannot be read, or judged in any format; two of one name; none.
    """

    def __init__(self, asked: Sequence[str], hosts: Iterable[Host], progress: float | None = None) -> None:
        if not asked:
            raise ConfigError("a server needs a recipe: name one with --recipe")
        hosts = list(hosts)
        self._served = {each.name: each for each in (_served(one, hosts, progress) for one in asked)}
        names = Counter(_named(one)[0] for one in asked)
        [(twice, count), *_] = names.most_common(1)
        if count > 1:
            raise ConfigError(f"two recipes are called {twice!r}; write NAME=RECIPE for one of them")
        self.default = next(iter(self._served.values()))

    def __iter__(self) -> Any:
        return iter(self._served.values())

    def find(self, name: str | None, format_name: str) -> Served:
        """Return the recipe of a request.

        Raises:
            ServeError: 404 where there is none of that name, 422 where it cannot be asked for so.
        """
        if name is None:
            served = self.default
        elif name in self._served:
            served = self._served[name]
        else:
            known = ", ".join(self._served)
            raise ServeError(404, "unknown_recipe", f"there is no recipe {name!r} here; there is: {known}")
        if served.refusals.get(format_name):
            raise unreadable(f"{served.name}: {served.refusals[format_name]}")
        return served


def _named(asked: str) -> tuple[str, str]:
    name, sign, recipe = asked.partition("=")
    if sign:
        return name, recipe
    return Path(asked).stem, asked


def _served(asked: str, hosts: Sequence[Host], progress: float | None) -> Served:
    name, recipe = _named(asked)
    if not name or "/" in name:
        raise ConfigError(f"a recipe's name stands in addresses, so it is no {name!r}; write NAME=RECIPE")
    reward = load_recipe(recipe)
    refusals = {host.name: "; ".join(host.refusals(reward, progress=progress)) for host in hosts}
    if all(refusals.values()):
        raise ConfigError(f"{recipe} cannot be served: " + next(iter(refusals.values())))
    return Served(name, Scorer(reward, progress=1.0 if progress is None else progress), refusals)
