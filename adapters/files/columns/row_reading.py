"""What a scorer asks of those who know how the rows of a data set are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class RowReading(Protocol):
    """How the rows of a data set become rows with our names; it is pickled."""

    @property
    def signature(self) -> str:
        """What verdicts depend on."""
        ...

    def read(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row with our names; ValueError says why there is none."""
        ...
