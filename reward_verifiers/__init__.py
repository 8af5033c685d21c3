"""The library under a name that no other distribution has: ``from reward_verifiers import MathEquivalence``.

Every public name of `verifiers` is here, the same object; `rewards`, `adapters` and `training` are, too.

>>> import reward_verifiers, verifiers
>>> reward_verifiers.ExactMatch is verifiers.ExactMatch, reward_verifiers.rewards.Pay.__name__
(True, 'Pay')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import verifiers as _verifiers

_DISTRIBUTION = "reward-verifiers"

if getattr(_verifiers, "__distribution__", None) != _DISTRIBUTION:
    raise ImportError(
        f"`import verifiers` finds {getattr(_verifiers, '__file__', None)}, which is another package and not "
        f"{_DISTRIBUTION}'s; the two cannot share an environment. Install {_DISTRIBUTION} in a virtual "
        "environment of its own."
    )

_PACKAGES = ("rewards", "adapters", "training")

if TYPE_CHECKING:
    import adapters as adapters
    import rewards as rewards
    import training as training
    from verifiers import *  # noqa: F403  (the names that type checkers see there)


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(name)
    try:
        return getattr(_verifiers, name)
    except AttributeError:
        raise AttributeError(f"module 'reward_verifiers' has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted({*dir(_verifiers), *_PACKAGES})
