"""What a run over files asks of an engine, and the engine that is this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ..chunk_scorer import Scored
from ..file_scorer import FileScorer
from ..jsonl import Line

Wait = Callable[[], Scored]
"""Waits for what becomes of a chunk."""


class Engine(Protocol):
    """Scores chunks, several at a time, each as `Scorer.score` does.

    Used from one thread. What it is handed is waited for in the same order.
    """

    @property
    def full(self) -> bool:
        """Whether a result is to be fetched before more is handed in, so that memory stays small."""
        ...

    def submit(self, scorer: FileScorer, lines: Sequence[Line]) -> Wait:
        """Hand in a chunk.

        Args:
            scorer: The file's.
            lines: The chunk.

        Returns:
            A function that waits for the result. It raises `RunError` where the chunk cannot be scored.
        """
        ...

    def close(self) -> None:
        """End what it has started; what nobody waited for is given up."""
        ...


class Here:
    """This process."""

    @property
    def full(self) -> bool:
        """Always: a chunk is scored when it is waited for."""
        return True

    def submit(self, scorer: FileScorer, lines: Sequence[Line]) -> Wait:
        """See `Engine.submit`."""
        return lambda: scorer.scorer.score(*raw(lines))

    def close(self) -> None:
        """There is nothing to end."""


def raw(lines: Sequence[Line]) -> tuple[list[bytes], list[str]]:
    """The bytes of lines, and what messages call them: what `Scorer.score` takes."""
    return [line.raw for line in lines], [line.where for line in lines]
