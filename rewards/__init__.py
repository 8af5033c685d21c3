"""Rewards: what verdicts are paid.

>>> from rewards import Pay
>>> from verifiers import ExactMatch, TagFormat
>>> reward = Pay(ExactMatch()) + 0.5 * Pay(TagFormat(("THINK", "SOLUTION")))
>>> reward(completions=["<THINK>6*7</THINK><SOLUTION>42</SOLUTION>", "42"], answer=["42", "42"])
[1.5, 1.0]
"""

from __future__ import annotations

import verifiers as _verifiers

__distribution__ = "reward-verifiers"

if getattr(_verifiers, "__distribution__", None) != __distribution__:
    # verifiers.runtime.namesakes, which says this at more length, may not be ours either.
    raise ImportError(
        f"`import verifiers` finds {getattr(_verifiers, '__file__', None)}, which is another package and not "
        f"{__distribution__}'s; the two cannot share an environment. Install {__distribution__} in a virtual "
        "environment of its own."
    )

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Loaded when first used: most programs need a few of these.
_HOMES = {
    "Affine": ".shape.transforms",
    "Batch": ".tree.batch",
    "Clip": ".shape.transforms",
    "Constant": ".shape.schedules",
    "Cosine": ".shape.schedules",
    "CosineLength": ".shape.lengths",
    "Diversity": ".groups.comparisons",
    "DuplicatePenalty": ".groups.comparisons",
    "LengthTarget": ".shape.lengths",
    "Linear": ".shape.schedules",
    "Named": ".tree.sums",
    "Optional": ".tree.gates",
    "Pay": ".tree.sums",
    "Payment": ".tree.payment",
    "Penalty": ".shape.transforms",
    "Rank": ".groups.comparisons",
    "RegexParts": ".tree.splits",
    "Reward": ".tree.reward",
    "Route": ".tree.routes",
    "Scale": ".tree.sums",
    "Schedule": ".shape.schedules",
    "Scheduled": ".shape.transforms",
    "SoftOverlong": ".shape.lengths",
    "Split": ".tree.splits",
    "Splitter": ".tree.splits",
    "StatementParts": ".tree.statement_parts",
    "Steps": ".shape.schedules",
    "Sum": ".tree.sums",
    "TagCount": ".tree.tag_count",
    "VerdictCache": ".cache",
    "When": ".tree.gates",
    "WinRate": ".groups.comparisons",
    "load_recipe": ".recipe",
    "preset_names": ".recipe",
    "to_recipe": ".recipe",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  (one list, not two)

if TYPE_CHECKING:
    from .cache import VerdictCache as VerdictCache
    from .groups.comparisons import Diversity as Diversity
    from .groups.comparisons import DuplicatePenalty as DuplicatePenalty
    from .groups.comparisons import Rank as Rank
    from .groups.comparisons import WinRate as WinRate
    from .recipe import load_recipe as load_recipe
    from .recipe import preset_names as preset_names
    from .recipe import to_recipe as to_recipe
    from .shape.lengths import CosineLength as CosineLength
    from .shape.lengths import LengthTarget as LengthTarget
    from .shape.lengths import SoftOverlong as SoftOverlong
    from .shape.schedules import Constant as Constant
    from .shape.schedules import Cosine as Cosine
    from .shape.schedules import Linear as Linear
    from .shape.schedules import Schedule as Schedule
    from .shape.schedules import Steps as Steps
    from .shape.transforms import Affine as Affine
    from .shape.transforms import Clip as Clip
    from .shape.transforms import Penalty as Penalty
    from .shape.transforms import Scheduled as Scheduled
    from .tree.batch import Batch as Batch
    from .tree.gates import Optional as Optional
    from .tree.gates import When as When
    from .tree.payment import Payment as Payment
    from .tree.reward import Reward as Reward
    from .tree.routes import Route as Route
    from .tree.splits import RegexParts as RegexParts
    from .tree.splits import Split as Split
    from .tree.splits import Splitter as Splitter
    from .tree.statement_parts import StatementParts as StatementParts
    from .tree.sums import Named as Named
    from .tree.sums import Pay as Pay
    from .tree.sums import Scale as Scale
    from .tree.sums import Sum as Sum
    from .tree.tag_count import TagCount as TagCount


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'rewards' has no attribute {name!r}")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
