"""Methods of a reward and the nodes that they make have the same defaults, and those do what they say."""

from __future__ import annotations

from rewards import Affine, Clip, LengthTarget, Optional, Pay, Penalty, Scale, Sum, When
from verifiers import ExactMatch, TagFormat

REWARD = LengthTarget(10, 10)
TEXTS = ["", "x" * 5, "x" * 10, "x" * 1000]


def test_a_method_makes_the_node_that_it_names() -> None:
    gate = Pay(TagFormat())
    assert REWARD.affine() == Affine(REWARD)
    assert REWARD.penalty() == Penalty(REWARD)
    assert REWARD.clip(low=-1) == Clip(REWARD, low=-1)
    assert REWARD.when(gate) == When(REWARD, gate)
    assert REWARD.when(TagFormat()) == When(REWARD, gate)
    assert REWARD.optional() == Optional(REWARD)
    assert Scale(-1.0, REWARD) == -REWARD
    assert Scale(-2.0, REWARD) == -(2 * REWARD)
    assert REWARD - gate == Sum((REWARD, Scale(-1.0, gate)))
    assert (REWARD + gate) + (gate + REWARD) == Sum((REWARD, gate, gate, REWARD))


def test_defaults_change_nothing() -> None:
    """The line through 0 and 1; a gate that always passes; the whole of what is missing."""
    assert REWARD.affine()(TEXTS) == REWARD(TEXTS)
    assert Affine(REWARD)(TEXTS) == REWARD(TEXTS)
    assert REWARD.when(Pay(TagFormat(("a",))).affine(0, 1))(TEXTS) == REWARD(TEXTS)
    exact = Pay(ExactMatch())
    assert exact.penalty()(["1", "2"], answer=["1", "1"]) == [0.0, -1.0]
    assert exact.when(TagFormat(("a",)))(["1"], answer=["1"]) == [0.0]
