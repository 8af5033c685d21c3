"""An opinion from a function of the user's: a reward model, a service with another interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.function_parameters import arguments
from ..core.function_verifier import ResultError, score_of
from ..core.identity.owners import load
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import Verifier


def by_function(judge: Verifier, path: str, sample: Sample) -> Verdict:
    """What a function says of a sample.

    Args:
        judge: Whose verdict it is.
        path: The function's import path.
        sample: What is judged.
    """
    function: Callable[..., Any] = load(path)
    try:
        said = function(**arguments(function, sample))
    except Exception as error:
        return judge.unscored("judge_failed", f"{type(error).__name__}: {error}"[:500])
    if isinstance(said, Verdict):
        return said
    if said is None:
        return judge.unscored("no_opinion")
    try:
        score, _ = score_of(said, 0.0, 1.0)
    except ResultError as problem:
        return judge.fault("bad_verdict", f"{path} {problem}")
    return judge.scored(score, "judged")
