"""What several functions of one trainer share: when a batch is the same, and what its groups are."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hosts.shared_payments import BROKEN, Evaluation
from rewards import Pay, Reward
from verifiers import ConfigError, ExactMatch, TokenF1

RIGHT: Reward = Pay(ExactMatch())


def _evaluation(reward: Reward = RIGHT, size: int | None = None, **columns: str) -> Evaluation:
    return Evaluation(reward, columns, size, None)


@pytest.mark.parametrize(
    ("size", "columns", "expected"),
    [
        (None, {}, None),
        (None, {"prompts": ["p", "p", "q", "q"]}, None),
        (2, {}, 2),
        (2, {"prompts": ["p", "p", "q", "q"]}, 2),
        (2, {"prompts": ["p", "q", "q", "q"]}, None),
        (3, {"prompts": ["p", "p", "q", "q"]}, None),
        (4, {"prompts": ["p", "p", "p", "p"]}, 4),
    ],
)
def test_a_group_size_holds_where_it_fits(size: int | None, columns: dict[str, Any], expected: Any) -> None:
    """Where prompts contradict it, they tell the groups."""
    assert _evaluation(size=size)._size(columns, 4) == expected


def test_a_batch_is_paid_once() -> None:
    """The same objects again are the same batch; equal ones are another."""
    evaluation = _evaluation()
    completions, answers = ["4", "5"], ["4", "4"]
    first = evaluation.payments(completions, {"answer": answers})
    assert [payment.value for payment in first] == [1.0, 0.0]
    assert evaluation.payments(list(completions), {"answer": list(answers)}) is first
    assert evaluation.payments(completions[:1], {"answer": answers[:1]}) is not first
    again = evaluation.payments(completions, {"answer": answers})
    assert evaluation.payments(completions, {"answer": answers, "more": [1, 2]}) is not again
    assert evaluation.payments(["4", "4"], {"answer": answers})[1].value == 1.0
    assert evaluation.payments(["4", "4"], {"answer": ["4", "7"]})[1].value == 0.0


def test_a_column_may_have_another_name() -> None:
    """One that the reward does not read, or that the rows do not have, is told."""
    evaluation = _evaluation(answer="gold")
    assert [each.value for each in evaluation.payments(["4"], {"gold": ["4"]})] == [1.0]
    with pytest.raises(ConfigError, match="no column 'gold' for 'answer'"):
        _evaluation(answer="gold").payments(["4"], {"golds": ["4"]})
    with pytest.raises(ConfigError, match=r"the reward reads no column 'anwser'.*answer"):
        _evaluation(anwser="gold")


def test_nothing_ends_a_run_that_has_worked() -> None:
    """A missing column is told at the first batch, and masks a later one."""
    evaluation = _evaluation(Pay(TokenF1()))
    with pytest.raises(ConfigError, match="column 'answer'"):
        evaluation.payments(["4"], {})
    assert evaluation.payments(["4"], {"answer": ["4"]})[0].value == 1.0
    masked = evaluation.payments(["4", "5"], {})
    assert [(each.value, each.note) for each in masked] == [(None, BROKEN)] * 2
