"""``module:function`` in a configuration: what the user's own code gives a run."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from reward_verifiers.verifiers import ConfigError


def imported(path: str, key: str) -> Any:
    """What ``module:function`` names.

    Raises:
        ConfigError: It cannot be imported.
    """
    module, _, name = path.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"{key}: cannot import {path}: {error}") from None


def with_seed(function: Callable[..., Any], options: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Options for a function, with the run's seed where it takes one and none is given."""
    takes = "seed" in inspect.signature(function).parameters
    return {**({"seed": seed} if takes else {}), **options}
