"""Checking a sample in a worker process, which can be killed."""

from __future__ import annotations

import pickle
from typing import Any, Protocol

from ..errors import ConfigError
from ..runtime.pool import shared_pool
from ..runtime.process import NOT_SENT, Outcome
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
        sample: What is judged. Where its reference or columns do not pickle, the outcome says so.

    Raises:
        ConfigError: The verifier itself cannot be sent, whatever the sample.
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
    outcome = shared_pool().run(f"{__name__}:tried_here", (verifier, parts), ahead=_ahead(type(verifier)))
    if outcome.reason == NOT_SENT:
        _check_sendable(verifier)
    return outcome


def _check_sendable(verifier: Tries) -> None:
    """Tell a set-up that can judge no row from a row that cannot be handed over."""
    try:
        pickle.dumps(verifier)
    except Exception as error:
        raise ConfigError(
            f"{type(verifier).__name__} cannot be sent to a worker process "
            f"({type(error).__name__}: {error}); define functions and classes at the top level of a module"
        ) from error


def _ahead(kind: type) -> tuple[str, ...]:
    """The module of a class, where a worker can import it; what it cannot travels with the task."""
    return (kind.__module__,) if found_by_name(kind, kind.__module__, kind.__qualname__) else ()


def tried_here(verifier: Tries, parts: tuple[Any, ...]) -> dict[str, Any]:
    """What the worker runs."""
    verdict = verifier.tried(Sample(*parts))
    return {**verdict.to_dict(), "trace": verdict.trace}
