"""Data sets of the Hugging Face hub, by their names: downloaded once, then read from the cache."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.errors import MissingDependencyError
from reward_verifiers.verifiers.runtime.packages import require

from .arrow_rows import EXTRA, Progress, table_rows
from .lines import Line, Overlong


def hub_rows(name: str, progress: Progress) -> Iterator[Line | Overlong]:
    """Every row of a data set, by its number.

    Args:
        name: ``OWNER/NAME``, with ``:CONFIG`` and ``@SPLIT`` where there are several.
        progress: Called with the share that is done.

    Raises:
        ConfigError: It cannot be loaded, or which part of it is meant cannot be told.
        MissingDependencyError: `datasets` is not installed.
    """
    try:
        datasets = require("datasets", extra=EXTRA)
    except MissingDependencyError as missing:
        raise MissingDependencyError(
            f"{name}: no such file; to load a dataset of that name from the Hugging Face hub: {missing}"
        ) from None
    parts = re.match(r"([^:@]+)(?::([^@]+))?(?:@(.+))?$", name)
    assert parts is not None  # noqa: S101  (`places` has seen to it)
    path, config, split = parts.groups()
    try:
        found = datasets.load_dataset(path, config, split=split)
    except Exception as error:
        # Whatever went wrong on the hub: no such data set, no network, a configuration to choose.
        first = str(error).strip().split("\n")[0]
        raise ConfigError(
            f"{name}: no such file, and no dataset of the Hugging Face hub by that name can be loaded: "
            f"{first} (name it as OWNER/NAME:CONFIG@SPLIT; without a network, load it once where there is "
            "one, or save it there with save_to_disk and name the folder)"
        ) from None
    if isinstance(found, dict):
        names = list(found)
        if len(names) != 1:
            shown = ", ".join(f"{name}@{each}" for each in names)
            raise ConfigError(f"{name}: has several splits; name one: {shown}")
        found = found[names[0]]
    total = max(len(found), 1)
    done = 0

    def told(_: float) -> None:
        progress(min(done / total, 1.0))

    for line in table_rows(name, found.with_format("arrow").iter(1024), found.data.schema, told):
        done += 1
        yield line
