"""Rewards: payments for completions by their verdicts.

>>> from rewards import Pay
>>> from verifiers import ExactMatch, TagFormat
>>> reward = Pay(ExactMatch()) + 0.5 * Pay(TagFormat(("THINK", "SOLUTION")))
>>> reward(completions=["<THINK>6*7</THINK><SOLUTION>42</SOLUTION>", "42"], answer=["42", "42"])
[1.5, 1.0]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from reward_verifiers import lead_here as _lead_here

_EVERYDAY = {
    "Batch": ".tree.batch",
    "Payment": ".tree.payment",
    "Reward": ".tree.reward",
    "Schedule": ".tree.schedules",
    "Splitter": ".tree.splits",
    "VerdictCache": ".cache",
    "from_callable": ".shape.functions",
    "from_trl": ".shape.functions",
    "load_recipe": ".recipe",
    "preset_names": ".recipe",
    "to_recipe": ".recipe",
}
"""Names that everybody needs, with their modules. Nodes, schedules and splitters are found in registries."""
_REGISTRIES = {
    "NODES": ".tree.reward",
    "REWARDS": ".tree.reward",
    "SCHEDULES": ".tree.schedules",
    "SPLITTERS": ".tree.splits",
}

if TYPE_CHECKING:
    from .cache import VerdictCache as VerdictCache
    from .group_rewards import Diversity as Diversity
    from .group_rewards import DuplicatePenalty as DuplicatePenalty
    from .group_rewards import Rank as Rank
    from .group_rewards import WinRate as WinRate
    from .recipe.load import load_recipe as load_recipe
    from .recipe.load import preset_names as preset_names
    from .recipe.load import to_recipe as to_recipe
    from .shape.combinations import First as First
    from .shape.combinations import Max as Max
    from .shape.combinations import Min as Min
    from .shape.combinations import Number as Number
    from .shape.combinations import Product as Product
    from .shape.form_rewards import CosineLength as CosineLength
    from .shape.form_rewards import LengthTarget as LengthTarget
    from .shape.form_rewards import SoftOverlong as SoftOverlong
    from .shape.form_rewards import TagCount as TagCount
    from .shape.functions import CallableReward as CallableReward
    from .shape.functions import TrlFunction as TrlFunction
    from .shape.functions import from_callable as from_callable
    from .shape.functions import from_trl as from_trl
    from .shape.transforms import Affine as Affine
    from .shape.transforms import Clip as Clip
    from .shape.transforms import Penalty as Penalty
    from .shape.transforms import Scheduled as Scheduled
    from .tree.batch import Batch as Batch
    from .tree.gates import Optional as Optional
    from .tree.gates import Route as Route
    from .tree.gates import When as When
    from .tree.pay import Pay as Pay
    from .tree.payment import Payment as Payment
    from .tree.reward import Reward as Reward
    from .tree.schedules import Constant as Constant
    from .tree.schedules import Cosine as Cosine
    from .tree.schedules import Linear as Linear
    from .tree.schedules import Schedule as Schedule
    from .tree.schedules import Steps as Steps
    from .tree.splits import RegexParts as RegexParts
    from .tree.splits import Split as Split
    from .tree.splits import Splitter as Splitter
    from .tree.statement_parts import StatementParts as StatementParts
    from .tree.sums import Named as Named
    from .tree.sums import Scale as Scale
    from .tree.sums import Sum as Sum
    # end of public names


def __getattr__(name: str) -> Any:
    # Loaded when first used: most programs need a few of these.
    if name == "__all__":
        return _all_names()
    if name.startswith("_"):
        raise AttributeError(f"module 'rewards' has no attribute {name!r}")
    home = _EVERYDAY.get(name)
    if home is not None:
        value = getattr(import_module(home, __name__), name)
    else:
        registry = next((each for each in _registries() if name in each.homes()), None)
        if registry is None:
            raise AttributeError(f"module 'rewards' has no attribute {name!r}")
        value = registry.get(name)
    globals()[name] = value
    return value


def _registries() -> list[Any]:
    return [getattr(import_module(home, __name__), name) for name, home in _REGISTRIES.items()]


def _all_names() -> list[str]:
    return sorted({*_EVERYDAY, *(name for registry in _registries() for name in registry.homes())})


def __dir__() -> list[str]:
    return sorted({*globals(), *_all_names()})


_lead_here(__name__)
