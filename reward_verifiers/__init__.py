"""The library: `verifiers` judge, `rewards` pay, `adapters` connect, `training` trains.

Inside, every import uses this name, which no other distribution has. The four short names lead to the same
modules wherever they are free:

>>> import reward_verifiers.rewards, rewards, verifiers
>>> rewards is reward_verifiers.rewards, verifiers.ExactMatch is reward_verifiers.ExactMatch
(True, True)
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module, util
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

PACKAGES = ("verifiers", "rewards", "adapters", "training")
"""The parts, and the short names that lead to them."""

if TYPE_CHECKING:
    from . import adapters as adapters
    from . import rewards as rewards
    from . import training as training
    from .verifiers import *  # noqa: F403  (the names that type checkers see there)

_HERE = os.path.dirname(os.path.abspath(__file__))
_ABOVE = os.path.dirname(_HERE)
_FIRST = os.path.join(_HERE, PACKAGES[0])
# In a wheel the parts lie in here. In a checkout they lie beside this folder, which has links to them for
# type checkers alone.
_PARTS = _HERE if os.path.isdir(_FIRST) and not os.path.islink(_FIRST) else _ABOVE
_SAID = "REWARD_VERIFIERS_NAMES_SAID"


class NameTakenWarning(UserWarning):
    """A short name leads to something else in this environment. The long name works; nothing need be done."""


class _Names:
    """Finds the parts, and ``rewards.tree`` as ``reward_verifiers.rewards.tree``: one module, two names."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, inner = fullname.partition(".")
        if package == __name__ and inner in PACKAGES:
            folder = os.path.join(_PARTS, inner)
            return util.spec_from_file_location(
                fullname, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
            )
        if not inner or package not in PACKAGES or not _is_ours(package):
            return None
        found = util.find_spec(f"{__name__}.{fullname}")
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        # `importlib.abc` has a base class for it, and takes half as long as all the rest of this import.
        return ModuleSpec(fullname, self, origin=found.origin, is_package=is_package)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(f"{__name__}.{spec.name}")
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run; it keeps the name that it has."""
        alias = module.__spec__.name if module.__spec__ else ""
        module.__spec__ = self._specs.pop(alias, module.__spec__)

    def get_code(self, fullname: str) -> CodeType | None:
        """For ``python -m``."""
        name = f"{__name__}.{fullname}"
        loader = getattr(util.find_spec(name), "loader", None)
        return loader.get_code(name) if loader is not None else None


def lead_here(name: str) -> None:
    """Make a short name lead to its part, from where its own file is loaded; nothing under the long name."""
    if name in PACKAGES:
        sys.modules[name] = import_module(f"{__name__}.{name}")


def taken_names() -> dict[str, str]:
    """The short names that lead to something else here, with the file or folder that they lead to.

    A name that nothing has is not among them: it is taken by nobody, and leads nowhere.
    """
    taken = {}
    for name in PACKAGES:
        loaded = sys.modules.get(name)
        if loaded is not None:
            place = getattr(loaded, "__file__", None) or next(iter(getattr(loaded, "__path__", ())), "")
        else:
            try:
                spec = util.find_spec(name)
            except (ImportError, ValueError):
                continue
            place = (spec.origin or next(iter(spec.submodule_search_locations or ()), "")) if spec else None
        if place is not None and not _lies_here(name, str(place)):
            taken[name] = str(place)
    return taken


def _is_ours(package: str) -> bool:
    module = sys.modules.get(package)
    return module is not None and module is sys.modules.get(f"{__name__}.{package}")


def _lies_here(name: str, place: str) -> bool:
    own = (os.path.join(_PARTS, name, "__init__.py"), os.path.join(_ABOVE, f"{name}.py"))
    return os.path.abspath(place) in own or os.path.realpath(place) in map(os.path.realpath, own)


def _say_taken() -> None:
    """Say once, and not again in the processes that this one starts, which short names are not ours."""
    if os.environ.get(_SAID) or not (taken := taken_names()):
        return
    os.environ[_SAID] = "1"
    places = "; ".join(f"`{name}` is {place}" for name, place in taken.items())
    warnings.warn(
        f"another package has a short name of reward-verifiers ({places}): write "
        f"`from reward_verifiers import ...` and `from reward_verifiers.{next(iter(taken))} import ...`",
        NameTakenWarning,
        stacklevel=3,  # where the user imports it
    )


sys.meta_path.insert(0, _Names())  # before the one that would load a second copy from the same file
_say_taken()


def __getattr__(name: str) -> Any:
    if name in PACKAGES:
        return import_module(f"{__name__}.{name}")
    try:
        return getattr(import_module(f"{__name__}.verifiers"), name)
    except AttributeError:
        raise AttributeError(f"module 'reward_verifiers' has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted({*dir(import_module(f"{__name__}.verifiers")), *PACKAGES})
