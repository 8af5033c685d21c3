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
    # verifiers._names, which says this at more length, may not be ours either.
    raise ImportError(
        f"`import verifiers` finds {getattr(_verifiers, '__file__', None)}, which is another package and not "
        f"{__distribution__}'s; the two cannot share an environment. Install {__distribution__} in a virtual "
        "environment of its own."
    )

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Loaded when first used: most programs need a few of these.
_HOMES = {
    "Affine": ".shape",
    "Batch": "._batch",
    "Clip": ".shape",
    "Constant": ".schedules",
    "Cosine": ".schedules",
    "CosineLength": ".lengths",
    "Diversity": ".compare",
    "DuplicatePenalty": ".compare",
    "LengthTarget": ".lengths",
    "Linear": ".schedules",
    "Named": ".tree",
    "Optional": ".gates",
    "Pay": ".tree",
    "Payment": "._payment",
    "Penalty": ".shape",
    "Rank": ".compare",
    "RegexParts": ".split",
    "Reward": "._base",
    "Route": ".route",
    "Scale": ".tree",
    "Schedule": ".schedules",
    "Scheduled": ".shape",
    "SoftOverlong": ".lengths",
    "Split": ".split",
    "Splitter": ".split",
    "StatementParts": ".korean",
    "Steps": ".schedules",
    "Sum": ".tree",
    "TagCount": ".tags",
    "VerdictCache": ".cache",
    "When": ".gates",
    "WinRate": ".compare",
    "load_recipe": ".recipe",
    "preset_names": ".recipe",
    "to_recipe": ".recipe",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  (one list, not two)

if TYPE_CHECKING:
    from ._base import Reward as Reward
    from ._batch import Batch as Batch
    from ._payment import Payment as Payment
    from .cache import VerdictCache as VerdictCache
    from .compare import Diversity as Diversity
    from .compare import DuplicatePenalty as DuplicatePenalty
    from .compare import Rank as Rank
    from .compare import WinRate as WinRate
    from .gates import Optional as Optional
    from .gates import When as When
    from .korean import StatementParts as StatementParts
    from .lengths import CosineLength as CosineLength
    from .lengths import LengthTarget as LengthTarget
    from .lengths import SoftOverlong as SoftOverlong
    from .recipe import load_recipe as load_recipe
    from .recipe import preset_names as preset_names
    from .recipe import to_recipe as to_recipe
    from .route import Route as Route
    from .schedules import Constant as Constant
    from .schedules import Cosine as Cosine
    from .schedules import Linear as Linear
    from .schedules import Schedule as Schedule
    from .schedules import Steps as Steps
    from .shape import Affine as Affine
    from .shape import Clip as Clip
    from .shape import Penalty as Penalty
    from .shape import Scheduled as Scheduled
    from .split import RegexParts as RegexParts
    from .split import Split as Split
    from .split import Splitter as Splitter
    from .tags import TagCount as TagCount
    from .tree import Named as Named
    from .tree import Pay as Pay
    from .tree import Scale as Scale
    from .tree import Sum as Sum


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'rewards' has no attribute {name!r}")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
