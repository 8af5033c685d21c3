"""A verifier and reward functions of a user's that break in every way that a row can ask for."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from typing import Any

from verifiers import Sample, Status, Verdict, Verifier, verifier

DEEP = 900
"""Levels: JSON holds them, and what goes about them by calls of Python's does not."""


def nested(depth: int, inner: Any = "x") -> Any:
    for _ in range(depth):
        inner = [inner]
    return inner


def _said(**fields: Any) -> Verdict:
    return Verdict(verifier="breaks", status=Status.SCORED, score=1.0, reason="passed", **fields)


def _parts(depth: int) -> Verdict:
    verdict = _said()
    for _ in range(depth):
        verdict = _said(parts=(verdict,))
    return verdict


class Rude(Exception):
    """An exception that cannot even be shown."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


def _recursive() -> Any:
    return _recursive()


def _judged(word: str) -> Any:
    match word:
        case "raise":
            raise RuntimeError("a defect of the user's")
        case "exit":
            raise SystemExit(3)
        case "memory":
            raise MemoryError
        case "recursion":
            return _recursive()
        case "object":
            return _said(detail=object())  # type: ignore[arg-type]
        case "set":
            return _said(extracted={1, 2})  # type: ignore[arg-type]
        case "nan":
            return float("nan")
        case "nan inside":
            return _said(extracted=[float("nan")])  # type: ignore[arg-type]
        case "deep":
            return _parts(5 * DEEP)
        case "itself":
            held: list[Any] = []
            held.append(held)
            return _said(extracted=held)  # type: ignore[arg-type]
        case "text":
            return "no verdict"
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
    return 1.0


BREAKING = (
    "raise", "exit", "memory", "recursion", "object", "set", "nan", "nan inside", "deep", "itself", "text",
)  # fmt: skip
"""What is a fault; ``kill`` ends the process."""
FINE = ("good", "a lone surrogate \ud800", "NUL \0", "\u202e", "")


@verifier
def breaks(response: str) -> Any:
    return _judged(response)


@dataclass(frozen=True, repr=False)
class BreaksByClass(Verifier):
    needs_reference = False

    def check(self, sample: Sample) -> Verdict:
        said = _judged(sample.response)
        return said if isinstance(said, Verdict) else self.scored(said, "passed")


@verifier(isolate=True)
def apart(response: str, z: Any = None) -> Any:
    """The same in a worker process, to which the column ``z`` goes as well."""
    return _judged(response)


def opinion(response: str) -> float:
    """What a judge of the user's thinks."""
    return float(bool(response))


def batched(completions: list[str], **_: Any) -> list[float]:
    """The same for a whole batch, as trainers call functions."""
    return [float(_judged(each)) for each in completions]
