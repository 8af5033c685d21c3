"""Small things that several files share."""

from __future__ import annotations

import math
from importlib.metadata import PackageNotFoundError, version

from verifiers import __version__


def finite(value: float) -> float | None:
    """The value, or None where it is not a finite number: such a value must never reach an optimizer."""
    return value if math.isfinite(value) else None


def exact(value: float) -> str:
    """A number as a signature shows it: short, and two different ones never alike."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def distribution_version(distribution: str) -> str:
    """The installed version of a distribution, or "absent"."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return __version__ if distribution == "reward-verifiers" else "absent"
