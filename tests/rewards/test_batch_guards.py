"""What a row is called, and where lengths begin to count."""

from __future__ import annotations

import pytest

from rewards import Batch, SoftOverlong
from verifiers import ConfigError, Status, Verdict

FAULT = Verdict(verifier="Demo", status=Status.FAULT, score=None, reason="crash", detail="it broke")
RIGHT = Verdict(verifier="Demo", status=Status.SCORED, score=1.0, reason="equal")


def test_a_fault_says_on_which_row() -> None:
    """Unless there is one row, and nobody has a name for it; what is no fault says nothing more."""
    many = Batch(["x"] * 2)
    assert many.placed_at(1, FAULT).detail == "it broke; completions[1]"
    assert many.placed_at(1, RIGHT) is RIGHT
    assert Batch(["x"]).placed_at(0, FAULT) is FAULT
    assert Batch(["x"], place=lambda row: f"line {row + 7}").placed_at(0, FAULT).detail == "it broke; line 7"
    assert [each.detail for each in many.placed([RIGHT, FAULT])] == ["", "it broke; completions[1]"]
    right = [RIGHT, RIGHT]
    assert many.placed(right) is right


def test_penalties_begin_where_a_stretch_does() -> None:
    """One of a single token is a stretch; none, or one longer than the whole, is not."""
    values = SoftOverlong(4, 1)(completions=["a", "b", "c"], completion_tokens=[3, 4, 5])
    assert values == [0.0, -1.0, -1.0]
    whole = SoftOverlong(4, 4)(completions=["a", "b"], completion_tokens=[0, 2])
    assert whole == [0.0, -0.5]
    for cache in (0, 5):
        with pytest.raises(ConfigError):
            SoftOverlong(4, cache)
