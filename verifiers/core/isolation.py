"""Checking a sample in a worker process, which can be killed."""

from __future__ import annotations

from typing import Any, Protocol

from ..runtime.pool import shared_pool
from ..runtime.process import Outcome
from .identity.travel import found_by_name
from .verdicts import Sample, Verdict


class Tries(Protocol):
    """A verifier, as far as a worker needs to know it."""

    def tried(self, sample: Sample) -> Verdict:
        """The verdict of one sample; never raises."""
        ...


def check_in_worker(verifier: Tries, sample: Sample) -> Outcome:
    """What becomes of a sample in a worker; its value is the verdict as plain data.

    The verifier's module is imported ahead of the first sample, at no sample's cost.

    Args:
        verifier: Anything that pickles, with `tried`.
        sample: What is judged; its reference and columns must pickle, too.
    """
    parts = (
        sample.completion,
        sample.response,
        sample.thinking,
        sample.open_thinking,
        sample.separate_thinking,
        sample.reference,
        dict(sample.fields),
        sample.split,
    )
    return shared_pool().run(
        "verifiers.core.isolation:tried_here", (verifier, parts), ahead=_ahead(type(verifier))
    )


def _ahead(kind: type) -> tuple[str, ...]:
    """The module of a class, where a worker can import it; what it cannot travels with the task."""
    return (kind.__module__,) if found_by_name(kind, kind.__module__, kind.__qualname__) else ()


def tried_here(verifier: Tries, parts: tuple[Any, ...]) -> dict[str, Any]:
    """What the worker runs."""
    verdict = verifier.tried(Sample(*parts))
    return {**verdict.to_dict(), "trace": verdict.trace}
