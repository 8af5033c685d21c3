"""How the time of a search grows with its text."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.timing import SOAK

from .finding import Found
from .texts import BLANKS, CLOSING, shape

SHORT = 1_500
"""Characters of the texts that every probe is tried on first."""
LONGEST = 200_000
FLOOR = 0.05 if SOAK else 0.025
"""Seconds on which growth is measured."""
MOST = 6.0
"""What four times the text may cost, as a multiple."""
TAILS = ("\x00", "")


class Probe(NamedTuple):
    """One way to try a pattern: head, what repeats, tail, and how the pattern is used."""

    head: str
    piece: str
    tail: str
    use: str

    @property
    def short(self) -> int:
        """Characters of its first form: a search that starts anew at each of many words needs more of them."""
        return 4 * SHORT if not self.head and len(self.piece) > 1 else SHORT

    def text(self, length: int) -> str:
        """The text at a length."""
        return (self.head + self.piece * (length // len(self.piece) + 1))[:length] + self.tail


def probes(found: Found, most: int | None = None, seed: int = 0) -> list[Probe]:
    """The probes of a pattern, all of them or a sample that has each kind."""
    heads, bodies, signs = shape(found.pattern.pattern, found.pattern.flags)
    if len(heads) <= 2 and not any(len(each) > 1 for each in heads):
        heads = ("",)
    pieces = dict.fromkeys([*signs, *bodies, *BLANKS, *CLOSING])
    uses = [use for use in ("search", "fullmatch", "match") if use in found.uses]
    if "search" in uses and "match" in uses:
        uses.remove("match")
    made = [
        Probe(head, piece, tail, use) for head in heads for piece in pieces for tail in TAILS for use in uses
    ]
    # What leads to a loop, and the loop's own text, over and over: a search starts anew at each.
    made += [
        Probe("", head + piece, "\x00", use)
        for head in heads
        for piece in (*bodies, *signs)
        for use in uses
        if head
    ]
    if most is not None and len(made) > most:
        # Blanks after each head show most of it; what else there is, is drawn.
        blank = [each for each in made if each.piece in BLANKS[:2] and each.tail][: most // 2]
        made = [*blank, *random.Random(seed).sample(made, most - len(blank))]
    return made


class TooLong(Exception):
    """A search that was stopped."""


@contextmanager
def stopped(after: float) -> Iterator[None]:
    """Stops a search that goes on for longer than some seconds of processor time."""

    def stop(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, after)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def seconds(found: Found, probe: Probe, length: int) -> float:
    """Processor seconds of one use."""
    text: Any = probe.text(length)
    if isinstance(found.pattern.pattern, bytes):
        text = text.encode("utf-8", "surrogatepass")
    call = found.pattern.finditer if probe.use == "search" else getattr(found.pattern, probe.use)
    started = time.thread_time()
    got = call(text)
    if probe.use == "search":
        for _ in got:
            pass
    return time.thread_time() - started


SLOW = 0.0003
"""Seconds for a short text from which its growth is looked at: a quadratic search takes as long."""
SUSPECT = 5.0
"""What four times a short text costs, as a multiple, from which it is measured on a long one."""


def is_suspect(found: Found, probe: Probe) -> bool:
    """Whether a short text gives reason to measure a long one."""
    taken = seconds(found, probe, probe.short)
    if taken < SLOW:
        return False
    taken = min(taken, seconds(found, probe, probe.short))
    quarter = min(seconds(found, probe, probe.short // 4) for _ in range(3))
    return taken >= SLOW and taken > SUSPECT * quarter


def growth(found: Found, probe: Probe) -> float:
    """What four times the text costs, as a multiple, where the text costs `FLOOR`; 0 if none does."""
    length = probe.short // 4
    while (taken := seconds(found, probe, length)) < FLOOR:
        length = 2 * length if taken < FLOOR / 4 else 3 * length // 2
        if length > LONGEST:
            return 0.0
    # What else runs here slows one try, but not all of them: the least of each is what counts.
    least, quadruple = taken, seconds(found, probe, 4 * length)
    for _ in range(TRIES):
        if quadruple < MOST * least or quadruple > 2 * MOST * least:
            break
        least = min(least, seconds(found, probe, length))
        quadruple = min(quadruple, seconds(found, probe, 4 * length))
    return quadruple / least


TRIES = 4
"""Times that a text is tried again whose growth is near `MOST`."""
