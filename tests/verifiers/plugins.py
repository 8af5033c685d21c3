"""Verifiers as a third party would write them, at a module's top level."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from verifiers import Sample, Verdict, Verifier, verifier


@verifier
def even(response: str) -> bool:
    """Whether the answer is even."""
    return int(response) % 2 == 0


@verifier
def share(weight: float) -> float:
    """Reads a column."""
    return weight


@verifier
def cannot_say() -> None:
    """Judges nothing."""


@verifier
def text() -> str:
    """Returns what no verifier may."""
    return "yes"


@verifier(isolate=True)
def isolated_even(response: str) -> bool:
    """The same as `even`, in a worker."""
    return int(response) % 2 == 0


@verifier(isolate=True)
def hanging(response: str) -> bool:
    """Holds the GIL."""
    return len(response) < 9**9**9


@verifier(isolate=True)
def dying(response: str) -> bool:
    """Ends its process."""
    os.abort()


@verifier(isolate=True)
def isolated_echo(sample: Sample) -> bool:
    """Whether the answer repeats the question, judged in a worker."""
    return sample.response == sample.prompt


@dataclass(frozen=True, repr=False)
class Echo(Verifier):
    """The answer repeats the question: what a verifier sees of a row's prompt."""

    reasons: ClassVar[Mapping[str, str]] = {"same": "the question", "other": "another text"}
    needs_reference: ClassVar[bool] = False

    def check(self, sample: Sample) -> Verdict:
        same = bool(sample.prompt) and sample.response == sample.prompt
        return self.scored(float(same), "same" if same else "other", extracted=sample.prompt)

    def fields_read(self) -> tuple[str, ...] | None:
        return ("prompt",)
