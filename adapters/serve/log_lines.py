"""What a server logs: each kind of trouble once with all that is known, then only how often it came back.

Whoever can ask a server could otherwise fill its disk.
"""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

from reward_verifiers.verifiers.runtime.forks import new_lock

MOST_KINDS = 200
"""Kinds that are told apart; later ones count as one."""

Kind = tuple[str, ...]


class OncePerKind(logging.Filter):
    """Lets the first record of a kind through, and then the tenth, the hundredth ..., with their number.

    A kind is a logger's name, a message before its values are filled in, and the type of the exception.

    >>> heard = OncePerKind()
    >>> def told(row):
    ...     return heard.filter(logging.LogRecord("server", 30, "", 0, "row %s broke", (row,), None))
    >>> [number for number in range(1, 200) if told(number)]
    [1, 10, 100]
    >>> heard.summary()
    ['server: row %s broke: 199 times in all']
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = new_lock()
        self._counts: Counter[Kind] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """See `logging.Filter`."""
        kind = _kind(record)
        with self._lock:
            if kind not in self._counts and len(self._counts) >= MOST_KINDS:
                kind = ("others",)
            self._counts[kind] += 1
            count = self._counts[kind]
        if count == 1:
            return True
        if str(count).rstrip("0") != "1":
            return False
        record.msg, record.args = f"{record.getMessage()} ({count:,} times by now)", ()
        record.exc_info = record.exc_text = None  # it was told the first time
        return True

    def summary(self) -> list[str]:
        """A line for each kind that came more than once."""
        with self._lock:
            return [
                f"{': '.join(kind)}: {count:,} times in all"
                for kind, count in self._counts.items()
                if count > 1
            ]

    def watch(self, *loggers: logging.Logger) -> None:
        """Filter what loggers are told."""
        for each in loggers:
            each.addFilter(self)

    def leave(self, *loggers: logging.Logger) -> None:
        """Filter it no longer."""
        for each in loggers:
            each.removeFilter(self)


def _kind(record: logging.LogRecord) -> Kind:
    error: Any = record.exc_info[0] if isinstance(record.exc_info, tuple) else None
    name = () if error is None else (error.__name__,)
    return (record.name, str(record.msg).strip()[:200], *name)


LOG = logging.getLogger("reward_verifiers.adapters.serve")
"""What all modules of the server log to."""
