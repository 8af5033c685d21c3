"""A connection to a Ray cluster: the one that is there, one that is named, or one on this machine alone."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import require
from reward_verifiers.verifiers.runtime.pool import available_cores

STORE_BYTES = 256 << 20
"""Shared memory of a cluster that is started here: what travels is some megabytes for each actor."""
STORE_BYTES_EACH = 16 << 20


class Session:
    """Ray, initialised; what this has started it also ends.

    Args:
        address: Of a cluster; None for the one that this process is connected to already, else for that of
            the environment variable ``RAY_ADDRESS``, else for a start on this machine.
        cores: Of a start on this machine; None for all that this process may use.

    Raises:
        MissingDependencyError: Ray is not installed.
        ConfigError: There is no cluster at the address, or none can be started here.
    """

    def __init__(self, address: str | None = None, cores: int | None = None) -> None:
        self.ray: Any = require("ray", extra="ray")
        self.mine = not self.ray.is_initialized()
        if not self.mine:
            return
        where = address or os.environ.get("RAY_ADDRESS") or "local"
        options: dict[str, Any] = {}
        if where == "local":
            cores = cores or available_cores()
            store = STORE_BYTES + cores * STORE_BYTES_EACH
            options = {"num_cpus": cores, "include_dashboard": False, "object_store_memory": store}
            # Ray would report its use to its makers.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            self.ray.init(address=where, log_to_driver=False, logging_level=logging.ERROR, **options)
        except Exception as error:  # a node that does not start in time is no more than an Exception
            done = "started here" if where == "local" else f"reached at {where}"
            raise ConfigError(f"no Ray cluster can be {done}: {error}") from error

    @property
    def cores(self) -> int:
        """Of all machines of the cluster, at least 1."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 0)))

    def close(self) -> None:
        """End what was started, or leave the cluster."""
        if self.mine:
            self.ray.shutdown()


def search_path() -> list[str]:
    """Where this process finds modules: actors look there after everywhere else, as worker processes do."""
    return [os.path.abspath(entry) for entry in sys.path]


def extend_search_path(entries: list[str]) -> None:
    """Look for modules in these places, too."""
    sys.path.extend(entry for entry in entries if entry not in sys.path)
