"""The answer is right by the measure of a reasoning-gym task; many tasks accept several answers."""

from __future__ import annotations

import contextlib
import inspect
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

from ..core.extraction import Extractor
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError, MissingDependencyError
from ..extract.answers_and_references import find_answer
from ..extract.chain import MARKED_OR_WHOLE
from ..runtime.packages import require

_EVALUATION = re.compile(r"\b(?:parse_expr|sympify|eval|exec|compile)\(")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class ReasoningGym(Verifier):
    """The answer is right by the task's own scorer (Reasoning Gym, arXiv:2505.24760).

    The reference is the row's ``entry``, as ``data.source: reasoning_gym:TASK`` provides it; write
    ``{ReasoningGym: {}, reference: entry}`` in a recipe. The scorer reads text of the model, so it runs in a
    process that can be killed. This is no sandbox: tasks whose scorers evaluate the answer as Python
    (countdown, puzzle24 and about ten more) are rejected unless `trusted`.

    Args:
        extract: Finds the answer; without a mark the whole text counts.
        partial: Give the task's partial credit; otherwise only a score of 1 is right.
        trusted: Let scorers evaluate text of the model. Set it only if the whole training runs in a container
            with nothing to lose.
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "solved": "the task accepts the answer",
        "not_solved": "the task does not accept the answer",
        "partly_solved": "the task gives part of the credit",
        "no_answer": "no answer was found, its mark was left open, or thinking never ended",
        "unsafe_task": "the task's scorer evaluates the answer as Python, and `trusted` is not set",
        "unknown_task": "reasoning-gym has no such task, or is not installed",
    }
    depends: ClassVar[tuple[str, ...]] = ("reasoning-gym",)

    extract: Extractor = field(default=MARKED_OR_WHOLE)
    partial: bool = False
    trusted: bool = False
    isolate: bool = field(default=True, kw_only=True)

    def check(self, sample: Sample) -> Verdict:
        entry = sample.reference
        if isinstance(entry, str):
            try:
                entry = json.loads(entry)
            except ValueError:
                entry = None
        if not isinstance(entry, Mapping) or not {"task", "question", "answer"} <= set(entry):
            return self.unscored("bad_reference", "no entry of reasoning-gym with its task")
        answer = find_answer(self, self.extract, sample, form="raw")
        if isinstance(answer, Verdict):
            return answer
        try:
            task = _task(str(entry["task"]))
        except (ConfigError, MissingDependencyError) as error:
            return self.unscored("unknown_task", str(error))
        if not self.trusted and _evaluates(task.__class__):
            return self.unscored("unsafe_task", f"{entry['task']} evaluates answers as Python; see `trusted`")
        given = float(task.score_answer(answer, dict(entry)))
        score = min(max(given, 0.0), 1.0) if self.partial else float(given >= 1.0)
        reason = "solved" if score == 1.0 else "partly_solved" if score else "not_solved"
        return self.scored(
            score,
            reason,
            extracted=answer,
            expected=None if entry["answer"] is None else str(entry["answer"]),
        )


def warm_up() -> None:
    """Import the package in a worker: that takes more processor time than a task is given."""
    with contextlib.suppress(MissingDependencyError):  # every row will say so
        require("reasoning_gym", extra="gym")


@lru_cache(maxsize=64)
def _task(name: str) -> Any:
    """A task's scorer; it does not depend on what the task generates.

    Raises:
        ConfigError: There is no such task.
    """
    gym = require("reasoning_gym", extra="gym")
    try:
        return gym.create_dataset(name, size=1, seed=0)
    except ValueError as error:
        raise ConfigError(f"reasoning_gym has no task {name!r}: {error}") from None


@lru_cache(maxsize=64)
def _evaluates(kind: Any) -> bool:
    """Return whether a task's module calls anything that evaluates text, in its scorer or near it."""
    module = inspect.getmodule(kind)
    return module is None or _EVALUATION.search(inspect.getsource(module)) is not None
