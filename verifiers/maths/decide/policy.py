"""Policy for the same answer where mathematics alone does not decide."""

from __future__ import annotations

from typing import Literal

from ...runtime.records import dataclass
from ..question import Question


@dataclass(frozen=True, slots=True)
class Policy:
    """The allowances of `MathEquivalence`, with its defaults; see there."""

    percent: Literal["either", "exact"] = "either"
    units: Literal["optional", "ignored", "required"] = "optional"
    degrees: Literal["optional", "required"] = "optional"
    decimals: Literal["exact", "rounded"] = "exact"
    reference_decimals: Literal["rounded", "exact"] = "rounded"
    tolerance: float = 0.0
    order: Literal["any", "kept"] = "any"
    brackets: Literal["optional", "required"] = "optional"
    intervals: Literal["either", "as_written"] = "either"
    relations: Literal["scaled", "as_written"] = "scaled"
    case: Literal["ignored", "kept"] = "ignored"
    names: Literal["compared", "dropped"] = "compared"
    question: Question | None = None
    """Facts that the row's question settles, if the row has one."""
    customs: Literal["assumed", "none"] = "assumed"
    """Customs that count where nothing else does: k is any integer, C a constant, log has one of two bases, a
    long decimal was printed by a computer, B chooses what stands after (B)."""
    options: Literal["either", "as_written"] = "either"
    commas: Literal["shown", "as_written"] = "shown"


DEFAULT = Policy()
STRICT = Policy(
    percent="exact",
    units="required",
    degrees="required",
    brackets="required",
    intervals="as_written",
    names="dropped",
    reference_decimals="exact",
    customs="none",
    options="as_written",
    commas="as_written",
)
"""No allowance: what is equal falls into classes, as a vote among answers needs."""
