"""Telling this distribution's packages from others of the same names.

PyPI's `verifiers` (PrimeIntellect), `adapters` (AdapterHub) and `rewards` install top-level packages of
the same names as ours, and pip overwrites one with the other without a word.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from .origin import DISTRIBUTION, install_command

PACKAGES = ("verifiers", "rewards", "adapters", "training")


def is_ours(module: ModuleType) -> bool:
    """Whether a package carries this distribution's mark."""
    return getattr(module, "__distribution__", None) == DISTRIBUTION


def require_ours(name: str) -> ModuleType:
    """Import one of our packages, or say which stranger has taken its place.

    Raises:
        ImportError: The package of that name belongs to another distribution.
    """
    module = importlib.import_module(name)
    if not is_ours(module):
        raise ImportError(foreign_message(name, module))
    return module


def foreign_message(name: str, module: ModuleType) -> str:
    """What is in the way, where it is, and what to do about it."""
    from importlib.metadata import packages_distributions

    places = list(getattr(module, "__path__", [])) or [getattr(module, "__file__", "an unknown place")]
    owners = [owner for owner in packages_distributions().get(name, []) if owner != DISTRIBUTION]
    owner = f"the distribution {', '.join(owners)}" if owners else "a local module"
    return (
        f"`import {name}` finds {owner} at {places[0]}, not {DISTRIBUTION}: both have a top-level "
        f"{name!r}, so they cannot share an environment. Install {DISTRIBUTION} in a virtual environment "
        f"of its own (python -m venv .venv; .venv/bin/{install_command()}), or rename the local "
        f"module if {name!r} is yours."
    )
