"""An opinion from outside: a language model, a reward model, a service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.functions import (
    arguments,
    check_vocabulary,
    columns_of,
    load,
    needs_reference,
    parameters_read,
    reads_reference,
)
from ..core.functions.results import ResultError, score_of
from ..core.identity.files import NamedCode
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Judge(Verifier):
    """What a function of yours says, which may ask a model: no provider is built in.

    The function names what it wants, as with `verifiers.verifier` (``response``, ``reference``, ``prompt``,
    ``completion``, ``thinking``, ``messages``, ``sample``, or a column), and returns a number in [0, 1], a
    `Verdict`, or None where it cannot say. A call that raises leaves the row unjudged, since an outage says
    nothing about an answer; catch in the function what a completion can bring about, and return 0.0 for it.

    Args:
        function: Its import path, ``"package.module:name"``; None while no judge is configured, and then
            no row can be judged (as an optional part of a reward it is left out).

    Raises:
        ConfigError: There is nothing at that path that can be called, or it has a parameter ``answer``.

    >>> print(Judge().verify("48+27=75"))
    Judge unscored no_judge
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "judged": "the function gave a score",
        "no_judge": "no function is configured",
        "no_opinion": "the function returned None",
        "judge_failed": "the function raised",
    }
    needs_reference: ClassVar[bool] = False

    function: NamedCode | None = None

    def __post_init__(self) -> None:
        if self.function is not None and not callable(load(self.function)):
            raise ConfigError(f"Judge: {self.function} is not a function")
        if self.function is not None:
            check_vocabulary(load(self.function), f"Judge: {self.function}")
            object.__setattr__(self, "needs_reference", needs_reference(load(self.function)))
        super().__post_init__()

    def check(self, sample: Sample) -> Verdict:
        if self.function is None:
            return self.unscored("no_judge", "give function='package.module:name', or leave the part out")
        function: Callable[..., Any] = load(self.function)
        try:
            said = function(**arguments(function, sample))
        except Exception as error:
            return self.unscored("judge_failed", f"{type(error).__name__}: {error}"[:500])
        if isinstance(said, Verdict):
            return said
        if said is None:
            return self.unscored("no_opinion")
        try:
            score, _ = score_of(said, 0.0, 1.0)
        except ResultError as problem:
            return self.fault("bad_verdict", f"{self.function} {problem}")
        return self.scored(score, "judged")

    def fields_read(self) -> tuple[str, ...] | None:
        return () if self.function is None else parameters_read(load(self.function))

    def reads_reference(self) -> bool:
        return self.function is not None and reads_reference(load(self.function))

    def columns_needed(self) -> tuple[str, ...]:
        return () if self.function is None else columns_of(load(self.function))
