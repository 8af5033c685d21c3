"""Small things that several files share."""

from __future__ import annotations

import math


def finite(value: float) -> float | None:
    """The value, or None where it is not a finite number: such a value must never reach an optimizer."""
    return value if math.isfinite(value) else None


def exact(value: float) -> str:
    """A number as a signature shows it: short, and two different ones never alike."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
