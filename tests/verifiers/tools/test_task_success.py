"""TaskSuccess: where the state is found, whose fault is whose, and that the environment stays as it is."""

from __future__ import annotations

import pytest

from tests.verifiers.tools.tasks import Account, Board
from verifiers import ConfigError, Status, TaskSuccess

HERE = "tests.verifiers.tools.tasks"


def _paid(amount: int) -> Account:
    account = Account()
    account.pay(amount)
    return account


@pytest.mark.parametrize("isolate", [False, True])
def test_state_of_an_environment(isolate: bool) -> None:
    """Public attributes, in this process and in a worker, which the environment could not go to."""
    judge = TaskSuccess(f"{HERE}:is_paid", isolate=isolate)
    verdicts = judge.verify_batch(["x", "y"], environments=[_paid(2), _paid(1)])
    assert [(each.score, each.reason) for each in verdicts] == [(1.0, "done"), (0.0, "not_done")]


def test_state_of_its_own_and_column() -> None:
    """An environment's `state` comes before its attributes, and the row's column before both."""
    judge = TaskSuccess(f"{HERE}:is_paid")
    assert judge.verify("x", environment=Board()).score == 1.0
    assert judge.verify("x", state={"balance": 4}, environment=Board()).score == 0.0


def test_functions_get_a_copy() -> None:
    """What a function does to the state reaches neither the environment nor the next verdict."""
    account = Account()
    assert TaskSuccess(f"{HERE}:changes").verify("x", environments=account).score == 1.0
    assert account.balance == 5


def test_messages_and_reference() -> None:
    """A conversation is judged whole."""
    judge = TaskSuccess(f"{HERE}:was_told")
    said = [
        {"role": "assistant", "content": "", "tool_calls": []},
        {"role": "tool", "name": "lookup", "content": "17"},
        {"role": "assistant", "content": "17"},
    ]
    assert judge.verify(said, "17").score == 1.0
    assert judge.verify(said, "18").score == 0.0
    assert judge.verify("17", "17").score == 0.0
    assert judge.verify(said).reason == "no_reference"


def test_faults_are_never_paid_as_wrong() -> None:
    """A function that raises, or cannot say, leaves the row unscored; so does a row without a state."""
    assert TaskSuccess(f"{HERE}:broken").verify("x", state={}).status is Status.FAULT
    assert TaskSuccess(f"{HERE}:unsure").verify("x").reason == "no_opinion"
    assert TaskSuccess(f"{HERE}:is_paid").verify("x").reason == "no_state"
    assert TaskSuccess(f"{HERE}:share").verify("x", state={"share": 2.0}).status is Status.FAULT
    assert TaskSuccess(f"{HERE}:share").verify("x", state={"share": 0.5}).reason == "partly_done"


def test_columns_are_declared() -> None:
    """A run asks for the columns before it starts; the state may come of an environment."""
    assert TaskSuccess(f"{HERE}:is_paid").columns_needed() == ()
    assert TaskSuccess(f"{HERE}:is_paid").fields_read() is None
    assert TaskSuccess(f"{HERE}:was_told").reads_reference()
    with pytest.raises(ConfigError, match="is not a function"):
        TaskSuccess(f"{HERE}:__doc__")
