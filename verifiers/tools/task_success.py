"""Success of a task, by the state in which it was left."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ..core.function_parameters import (
    arguments,
    check_vocabulary,
    columns_of,
    needs_reference,
    parameters_read,
    reads_reference,
)
from ..core.function_verifier import ResultError, score_of, waited_for
from ..core.owners import NamedCode, load
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError

STATE = "state"
"""Name of the final state in functions, and of the column that may hold it."""
ENVIRONMENTS = ("environments", "environment")
"""Columns that may hold the object of a row's environment; TRL's is the first."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class TaskSuccess(Verifier):
    """Judge the final state of a task by your function.

    The function names its inputs: ``state``, ``messages`` (the conversation with calls and results),
    ``reference``, ``prompt``, or a column. It returns true, false, a number in [0, 1], or None for an
    unscored row. The state is the row's column ``state``, else that of its environment: its attribute
    ``state``, or a copy of all its public attributes. If the function raises, the row is unscored; return 0.0
    for whatever a completion left undone.

    Args:
        function: Import path, ``"package.module:name"``.

    Raises:
        ConfigError: There is nothing to call at that path.

    >>> print(TaskSuccess().verify("done"))
    TaskSuccess unscored no_function
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "done": "the function returned true or 1",
        "not_done": "the function returned false or 0",
        "partly_done": "the function returned a score between 0 and 1",
        "no_opinion": "the function returned None",
        "no_function": "no function is configured",
        "no_state": "the function asks for the state, and the row has neither a state nor an environment",
    }
    needs_reference: ClassVar[bool] = False

    function: NamedCode | None = None

    def __post_init__(self) -> None:
        if self.function is not None:
            function = load(self.function)
            if not callable(function):
                raise ConfigError(f"TaskSuccess: {self.function} is not a function")
            check_vocabulary(function, f"TaskSuccess: {self.function}")
            object.__setattr__(self, "needs_reference", needs_reference(function))
        super().__post_init__()

    def check(self, sample: Sample) -> Verdict:
        if self.function is None:
            return self.unscored("no_function", "give function='package.module:name'")
        function = load(self.function)
        sample = _with_state(sample)
        if STATE in columns_of(function) and STATE not in sample.fields:
            return self.unscored("no_state", "the row has no column 'state', and no environment")
        said = waited_for(function(**arguments(function, sample)))
        if isinstance(said, Verdict):
            return said
        if said is None:
            return self.unscored("no_opinion")
        try:
            score, _ = score_of(said, 0.0, 1.0)
        except ResultError as problem:
            return self.fault("bad_verdict", f"{self.function} {problem}")
        return self.scored(score, "done" if score == 1.0 else "partly_done" if score else "not_done")

    def _isolated(self, sample: Sample) -> Verdict:
        # The environment stays here: what goes to a worker is its state.
        return super()._isolated(_with_state(sample))

    def fields_read(self) -> tuple[str, ...] | None:
        if self.function is None:
            return ()
        read = parameters_read(load(self.function))
        return None if read is None or STATE in read else read

    def reads_reference(self) -> bool:
        return self.function is not None and reads_reference(load(self.function))

    def columns_needed(self) -> tuple[str, ...]:
        if self.function is None:
            return ()
        return tuple(name for name in columns_of(load(self.function)) if name != STATE)


def _with_state(sample: Sample) -> Sample:
    """The sample with the final state for a column, in the place of the environment."""
    found = [name for name in ENVIRONMENTS if _is_environment(sample.fields.get(name))]
    if not found:
        return sample
    fields = {name: value for name, value in sample.fields.items() if name not in found}
    fields.setdefault(STATE, state_of(sample.fields[found[0]]))
    return replace(sample, fields=fields)


def _is_environment(value: Any) -> bool:
    return value is not None and not isinstance(value, str | int | float | list | tuple | Mapping)


def state_of(environment: Any) -> Any:
    """A copy of an environment's state: its ``state``, or all of its public attributes by name.

    >>> class Account:
    ...     def __init__(self): self.balance, self._log = 5, []
    >>> state_of(Account())
    {'balance': 5}
    """
    if hasattr(environment, STATE):
        state = environment.state
        return copy.deepcopy(state() if callable(state) else state)
    public = {name: value for name, value in vars(environment).items() if not name.startswith("_")}
    return copy.deepcopy(public)
