"""Reward functions of the user's own: called with a batch by a trainer, or asked for one completion."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field
from typing import Any, ClassVar, overload

from reward_verifiers.verifiers import ConfigError, Sample, SplitCompletion, Status, Verdict
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.columns_and_faults import (
    REFERENCE,
    column_or_none,
    plain_value,
    told,
    trace_of,
)
from reward_verifiers.verifiers.core.function_parameters import (
    arguments,
    check_parameters,
    check_vocabulary,
    columns_of,
    needs_reference,
    parameters_read,
    reads_reference,
    required,
    takes_all,
)
from reward_verifiers.verifiers.core.function_verifier import number_of, waited_for
from reward_verifiers.verifiers.core.held_functions import HoldsFunction, path_of

from ..trainer_arguments import OUTSIDE
from ..tree.batch import Batch
from ..tree.payment import Payment
from ..tree.reward import REWARDS, Reward

_GIVEN = ("completions", "prompts", *OUTSIDE)
"""What a function in TRL's form is always given."""
_OF_TRAINERS = ("completion_ids", "environments")
"""Columns that a trainer adds, and no data hold."""


@dataclass(frozen=True, repr=False)
class _OwnReward(HoldsFunction, Reward):
    """Base of functions of both kinds."""

    path: str
    version: str = field(default="", kw_only=True)
    function: InitVar[Any] = None  # kept as an attribute, which `dataclasses.replace` hands on

    def __post_init__(self, function: Any) -> None:
        self._hold(function)
        super().__post_init__()
        check_parameters(self._judge, self._own_name())

    def _undecorated(self, found: Any) -> Any:
        if not callable(found):
            raise ConfigError(f"{type(self).__name__}: {self.path} is not a function")
        return found

    @property
    def name(self) -> str:
        """The function's name."""
        return self._own_name()

    def _payment(self, value: Any) -> Payment:
        """Return the payment for a function's return value for a row."""
        if value is None:
            return Payment(self.name, None, note="the function returned None", logged=True)
        number = number_of(value)
        if number is None or not math.isfinite(number):
            return self._broken(
                "bad_verdict", f"{self.name} returned {value!r:.80}, which is no finite number"
            )
        return Payment(self.name, number, logged=True)

    def _broken(self, reason: str, detail: str, trace: str = "") -> Payment:
        fault = Verdict(
            verifier=self.name,
            status=Status.FAULT,
            score=None,
            reason=reason,
            detail=detail[:500],
            trace=trace,
        )
        return Payment(self.name, None, verdict=fault, logged=True)

    def _raised(self, error: BaseException) -> Payment:
        return self._broken("exception", told(error), trace_of(error))


def _placed(batch: Batch, payments: list[Payment]) -> list[Payment]:
    """Add the row to each fault."""
    for row, payment in enumerate(payments):
        if payment.verdict is not None:
            payment.verdict = batch.placed_at(row, payment.verdict)
    return payments


@REWARDS.register
@dataclass(frozen=True, repr=False)
class TrlFunction(_OwnReward):
    """Reward with your own reward function in TRL's form, in any range. `from_trl` makes one.

    The function is called once per batch, as a trainer calls it: with ``completions``, ``prompts``, the other
    columns, and ``trainer_state``, ``log_extra``, ``log_metric`` and the like if it names them or takes
    ``**kwargs``. Without a trainer, a required state is None and logging does nothing. The function returns
    one number per completion, or None for an unscored row. If it raises, the batch is masked.

    Args:
        path: Import path of the function, ``"package.module:name"``.
        version: Your version of anything that cannot be read from the function, such as compiled code or a
            service.

    Raises:
        ConfigError: There is no function at that path, or its dependencies cannot be known.
    """

    decorator: ClassVar[str] = "from_trl"

    def needs(self) -> Iterator[str]:
        yield from (name for name in required(self._judge) if name not in (*_GIVEN, *_OF_TRAINERS))

    def pay(self, batch: Batch) -> list[Payment]:
        """See `Reward.pay`.

        Raises:
            ConfigError: The function needs a column that the batch lacks.
        """
        function = self._judge
        if not len(batch):
            return []
        given = self._given(batch)
        for name in required(function):
            if name not in given:
                raise ConfigError(f"{self.name} needs a column {name!r}{nearest(name, batch.columns)}")
        try:
            returned = waited_for(function(**given))
        except Exception as error:
            return _placed(batch, [self._raised(error) for _ in range(len(batch))])
        values = column_or_none(returned)
        if values is None or len(values) != len(batch):
            said = f"{len(values)} values" if values is not None else f"{returned!r:.60}"
            detail = f"{self.name} returned {said} for {len(batch)} completions"
            return [self._broken("bad_verdict", detail) for _ in range(len(batch))]
        return _placed(batch, [self._payment(value) for value in values])

    def _given(self, batch: Batch) -> dict[str, Any]:
        prompts = batch.columns.get("prompts", batch.columns.get("prompt"))
        given: dict[str, Any] = {
            **{name: OUTSIDE[name] for name in required(self._judge) if name in OUTSIDE},
            **batch.arguments,
            **batch.columns,
            "completions": [_as_it_came(each) for each in batch.completions],
            "prompts": [None] * len(batch) if prompts is None else prompts,
        }
        if takes_all(self._judge):
            return given
        names = parameters_read(self._judge) or ()
        return {name: value for name, value in given.items() if name in names}


@REWARDS.register
@dataclass(frozen=True, repr=False)
class CallableReward(_OwnReward):
    """Reward with your own function of one completion, in any range. `from_callable` makes one.

    The function asks for its inputs by the names of its parameters, as with `verifiers.verifier`. It returns
    a number, or None for an unscored row. If it raises, the row is masked.

    Args:
        path: Import path of the function, ``"package.module:name"``.
        version: Your version of anything that cannot be read from the function, such as compiled code or a
            service.

    Raises:
        ConfigError: There is no function at that path, or its dependencies cannot be known.
    """

    decorator: ClassVar[str] = "from_callable"

    def __post_init__(self, function: Any) -> None:
        super().__post_init__(function)
        check_vocabulary(self._judge, self._own_name())

    def needs(self) -> Iterator[str]:
        if needs_reference(self._judge):
            yield REFERENCE
        yield from columns_of(self._judge)

    def reads(self) -> Iterator[str]:
        if reads_reference(self._judge):
            yield REFERENCE
        if "messages" in (parameters_read(self._judge) or ()):
            yield "messages"

    def pay(self, batch: Batch) -> list[Payment]:
        return _placed(batch, [self._row(batch, row) for row in range(len(batch))])

    def _row(self, batch: Batch, row: int) -> Payment:
        split = batch.splits[row]
        if not isinstance(split, SplitCompletion):
            return Payment(self.name, None, note="the completion is no text", logged=True)
        fields: Mapping[str, Any] = {name: column[row] for name, column in batch.columns.items()}
        sample = Sample.of(split, plain_value(fields.get(REFERENCE)), fields)
        try:
            return self._payment(waited_for(self._judge(**arguments(self._judge, sample))))
        except Exception as error:
            return self._raised(error)


@overload
def from_trl(function: Callable[..., Any], *, version: str = "") -> TrlFunction: ...
@overload
def from_trl(function: None = None, *, version: str = "") -> Callable[[Callable[..., Any]], TrlFunction]: ...
def from_trl(function: Callable[..., Any] | None = None, *, version: str = "") -> Any:
    """Return a reward that calls a function in the form of TRL's reward functions; also a decorator.

    Args:
        function: It takes ``completions``, ``prompts``, columns and the trainer's other arguments, and
            returns a number or None for each completion.
        version: Your version of anything that cannot be read from the function; change it when its values
            change.

    >>> def short(completions, **kwargs):
    ...     return [-float(len(each)) for each in completions]
    >>> (1 + 0.1 * from_trl(short))(["1234", "12345"])
    [0.6, 0.5]
    """
    if function is None:
        return lambda given: from_trl(given, version=version)
    return TrlFunction(path_of(function), version=version, function=function)


@overload
def from_callable(function: Callable[..., Any], *, version: str = "") -> CallableReward: ...
@overload
def from_callable(
    function: None = None, *, version: str = ""
) -> Callable[[Callable[..., Any]], CallableReward]: ...
def from_callable(function: Callable[..., Any] | None = None, *, version: str = "") -> Any:
    """Return a reward that calls a function once per completion; also a decorator.

    Args:
        function: It names its inputs, as with `verifiers.verifier` (``response``, ``reference``, columns
            ...), and returns a number or None.
        version: Your version of anything that cannot be read from the function; change it when its values
            change.

    >>> from_callable(lambda response, reference: len(reference) - len(response))(["abc"], answer=["a"])
    [-2.0]
    """
    if function is None:
        return lambda given: from_callable(given, version=version)
    return CallableReward(path_of(function), version=version, function=function)


def _as_it_came(completion: object) -> object:
    """Return a completion as the trainer passed it, or a part of one as its text."""
    return completion.completion if isinstance(completion, SplitCompletion) else completion
