"""Stand-ins for what a host imports and the code under test does not use: GPU kernels, engines, clusters."""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class Anything:
    """It can be made, called, and asked for anything, of which nothing comes."""

    def __init__(self, *_: Any, **__: Any) -> None:
        return

    def __call__(self, *_: Any, **__: Any) -> Anything:
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


def _undecorated(thing: Any = None, **_: Any) -> Any:
    return _undecorated if thing is None else thing


class _Stubs(MetaPathFinder, Loader):
    def __init__(self, packages: tuple[str, ...]) -> None:
        self.packages = packages

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        if name.partition(".")[0] not in self.packages:
            return None
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        def attribute(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            # Ray's decorator would hide the class that is to be looked at.
            return _undecorated if name == "remote" else type(name, (Anything,), {})

        module.__getattr__ = attribute  # type: ignore[method-assign]


def stub(*packages: str) -> None:
    """Have every import of packages succeed; what is really there stays what it is.

    Args:
        *packages: Their names.
    """
    sys.meta_path.append(_Stubs(packages))
