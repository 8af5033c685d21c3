"""The library under a name that no other distribution has: ``from reward_verifiers import MathEquivalence``.

Every public name of `verifiers` is here, the same object; `rewards`, `adapters` and `training` are, too.

>>> import reward_verifiers, verifiers
>>> reward_verifiers.ExactMatch is verifiers.ExactMatch, reward_verifiers.rewards.Pay.__name__
(True, 'Pay')
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module, util
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

import verifiers as _verifiers

_DISTRIBUTION = "reward-verifiers"

if getattr(_verifiers, "__distribution__", None) != _DISTRIBUTION:
    raise ImportError(
        f"`import verifiers` finds {getattr(_verifiers, '__file__', None)}, which is another package and not "
        f"{_DISTRIBUTION}'s; the two cannot share an environment. Install {_DISTRIBUTION} in a virtual "
        "environment of its own."
    )

_PACKAGES = ("verifiers", "rewards", "adapters", "training")

if TYPE_CHECKING:
    import adapters as adapters
    import rewards as rewards
    import training as training
    from verifiers import *  # noqa: F403  (the names that type checkers see there)


class _Same(MetaPathFinder, Loader):
    """Finds ``reward_verifiers.rewards.tree`` as ``rewards.tree``: one class, whatever it is called."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        if package != __name__ or name.partition(".")[0] not in _PACKAGES:
            return None
        found = util.find_spec(name)
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        return ModuleSpec(fullname, self, origin=found.origin, is_package=is_package)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(spec.name.partition(".")[2])
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run; it keeps the name that it has."""
        alias = module.__spec__.name if module.__spec__ else ""
        module.__spec__ = self._specs.pop(alias, module.__spec__)

    def get_code(self, fullname: str) -> CodeType | None:
        """For ``python -m``."""
        name = fullname.partition(".")[2]
        loader = getattr(util.find_spec(name), "loader", None)
        return loader.get_code(name) if loader is not None else None


sys.meta_path.insert(0, _Same())  # before the one that would find a second copy in the path of the first


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(name)
    try:
        return getattr(_verifiers, name)
    except AttributeError:
        raise AttributeError(f"module 'reward_verifiers' has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted({*dir(_verifiers), *_PACKAGES})
