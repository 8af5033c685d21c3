"""Every compiled pattern of the packages takes time linear in the text, whatever the text repeats.

The patterns are found by importing the packages. Each is run, in the way it is used, on heads that lead to one of
its loops, then repetitions of its own signs, of blanks and of closing signs, and an end that does not fit. `make
test` takes a sample of these texts for each pattern, `make soak` all of them.
"""

from __future__ import annotations

import re
import time

import pytest

from tests.linear.finding import Found, patterns
from tests.linear.growth import FLOOR, MOST, Probe, TooLong, growth, is_suspect, probes, stopped
from tests.support import from_table
from tests.timing import SOAK

TRUSTED: dict[str, str] = {}
"""Patterns that only meet what a user configures, each by its name with the reason why it need not be linear."""
PARTS = 8 if SOAK else 2
"""Tests among which the patterns are dealt out, so that they run side by side; each finds them anew, which takes seconds."""
SAMPLE = None if SOAK else 8
"""Texts for each pattern."""
MEASURED = 6 if SOAK else 2
"""Texts of one pattern that are measured at length, if their short forms give reason to."""
PATIENCE = 1.5
"""Processor seconds for the short texts of one pattern, and for a long one: what needs more is not linear."""


def fault(found: Found, sample: int | None = SAMPLE, patience: float = PATIENCE) -> str:
    """What shows that a pattern is not linear; empty if nothing does."""
    suspects: list[Probe] = []
    for probe in probes(found, sample):
        try:
            with stopped(patience):
                if is_suspect(found, probe):
                    suspects.append(probe)
        except TooLong:
            return f"{probe!r}: more than {patience} s for a short text"
        if len(suspects) == MEASURED:
            break
    for probe in suspects:
        try:
            with stopped(4 * MOST * FLOOR + patience):
                grown = growth(found, probe)
                if grown >= MOST:  # what is not linear is so again; a neighbour of this core is not
                    grown = min(grown, growth(found, probe))
        except TooLong:
            return f"{probe!r}: too long to measure"
        if grown >= MOST:
            return f"{probe!r}: four times the text costs {grown:.1f} times as much"
    return ""


@pytest.mark.slow
def test_patterns_are_found_wherever_they_stand() -> None:
    names = " ".join(each.name for each in patterns())
    for kind in (
        "verifiers.text.label_judging._JUDGING",  # a global
        "verifiers.reading.spelling.tokens._TOKEN",  # in a list
        "verifiers.reading.spelling.cleaning._RULES[",  # in a tuple
        "adapters.audit.audited_rows._COMPILED[",  # in a dictionary
        "rounding()",  # made on request
        "behind(Korean, 'stated')",  # for a language
        "verifiers.reading.spelling.cost_bound._group(): 0",  # written where it is used
    ):
        assert kind in names, kind
    assert len(patterns()) > 800
    assert all(each.uses for each in patterns())


@pytest.mark.parametrize("part", range(PARTS))
def test_every_pattern_is_linear(part: int) -> None:
    faults = {
        each.name: found
        for each in patterns()[part::PARTS]
        if each.name not in TRUSTED and (found := fault(each))
    }
    assert not faults
    assert {*TRUSTED} <= {each.name for each in patterns()}


@pytest.mark.slow
@from_table()
def test_the_law_refuses(pattern: str) -> None:
    assert fault(Found(pattern, re.compile(pattern, re.DOTALL), frozenset({"search"})), None, PATIENCE / 5)


@pytest.mark.parametrize(
    "pattern", [r"B\s*+(?:번)?\s*+(?:맞|옳)", r"(?<!\s)\s++\Z", r"begin.{0,100}end", r"\d[\d,]{0,20}%"]
)
def test_the_law_allows(pattern: str) -> None:
    assert not fault(Found(pattern, re.compile(pattern, re.DOTALL), frozenset({"search"})), None)


if __name__ == "__main__":  # the table: python -m tests.verifiers.test_linear_patterns
    slowest = []
    for each in patterns():
        started = time.process_time()
        print(each.name, fault(each) or "linear", flush=True)
        slowest.append((time.process_time() - started, each.name))
    print(f"{len(patterns())} patterns; the slowest:")
    for taken, name in sorted(slowest, reverse=True)[:10]:
        print(f"  {taken:6.2f} s  {name}")
