"""Costs that mean the same on a busy machine: processor time, not the clock on the wall."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
HANG = 300.0
"""Seconds after which a test gives up what it waits for. No machine is so busy: it is there for what hangs."""
SOAK = bool(os.environ.get("SOAK"))
"""Whether ``make soak`` runs: the full sizes and many examples, for which `make test` is too short."""


def timed(work: Callable[..., T], *arguments: Any) -> tuple[T, float]:
    """What a call returns, and the processor time that it took in all threads of this process."""
    started = time.process_time()
    value = work(*arguments)
    return value, time.process_time() - started


def slowness() -> float:
    """How many times slower than a quiet core this one is at the moment: what shares it slows every step."""
    return max(1.0, timed(_work)[1] / QUIET)


QUIET = 0.02
"""Seconds that `_work` takes on a quiet core of a machine that is not fast."""


def _work() -> int:
    total = 0
    for number in range(100_000):
        total += number * number % 7
    return total


def within(seconds: float, most: float) -> bool:
    """Whether a quiet core would have taken no longer; how busy this one is, is only asked where that decides."""
    return seconds < most or seconds < most * slowness()


def affordable(work: Callable[[str], Any], text: str, most: float, tries: int = 5) -> bool:
    """Whether a text costs no more: the least of some tries, since the first one loads and compiles.

    A space after the text makes each try another text, so that no cache answers for it.
    """
    return any(within(timed(work, text + " " * number)[1], most) for number in range(tries))


def until(holds: Callable[[], Any]) -> None:
    """Wait until something holds, however long that takes here."""
    deadline = time.monotonic() + HANG
    while not holds():
        assert time.monotonic() < deadline, "it hangs"
        time.sleep(0.02)


def children_seconds() -> float:
    """Processor time of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def examples(many: int) -> int:
    """How many examples a property is tried on: half as many in the suite, ten times as many in ``make soak``.

    What the suite has not drawn, ``make soak`` draws: the suite is run for each change, and has minutes.
    """
    return 10 * many if SOAK else many // 2
