"""Importing heavy or optional packages at the moment they are used."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from ..errors import MissingDependencyError
from .origin import install_command


def require(module: str, *, extra: str | None = None) -> ModuleType:
    """Import a module, or say how to install it.

    Args:
        module: Import path, for example ``"bert_score"``.
        extra: The extra of this distribution that brings it; None when the base installation should.

    Raises:
        MissingDependencyError: The module, or something that it imports, is not installed.

    >>> require("json").dumps([1])
    '[1]'
    >>> require("no_such", extra="metrics")
    Traceback (most recent call last):
    ...
    reward_verifiers.verifiers.errors.MissingDependencyError: no_such is not installed; run: pip install ...
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name or module
        needed = "" if missing == module else f" (needed by {module})"
        raise MissingDependencyError(
            f"{missing}{needed} is not installed; run: {install_command(extra)}"
        ) from error


class _Deferred:
    """A package by name, imported when something of it is first asked for."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> Any:
        # Python asks here only for what the instance has not kept yet; two threads would keep the same.
        value = getattr(require(self._package), name)
        self.__dict__[name] = value
        return value


def deferred(package: str) -> Any:
    """A heavy package that is imported at its first use: a program that never needs it never loads it.

    What is taken from it is kept: only for packages whose names are not rebound while they are in use.

    Args:
        package: Import path, for example ``"flint"``.

    >>> numbers = deferred("fractions")
    >>> numbers.Fraction(1, 2)
    Fraction(1, 2)
    """
    return _Deferred(package)
