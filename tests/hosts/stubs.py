"""Stand-ins for packages that a host imports and the code under test does not use: GPU kernels, engines, clusters."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
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


class _Stubs(MetaPathFinder, Loader):
    def __init__(self, packages: Sequence[str]) -> None:
        self.packages = packages

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        if not any(name == package or name.startswith(package + ".") for package in self.packages):
            return None
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        def attribute(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return type(name, (Anything,), {})

        module.__getattr__ = attribute  # type: ignore[method-assign]


def stub(*packages: str) -> list[str]:
    """Have imports of packages and modules succeed; those that are installed stay what they are.

    Args:
        *packages: Their names; of modules of a package that is there, too.

    Returns:
        Those that are stand-ins from now on.
    """
    missing = [name for name in packages if "." in name or not _installed(name)]
    sys.meta_path.insert(0, _Stubs(missing))
    return missing


def _installed(package: str) -> bool:
    spec = importlib.util.find_spec(package)
    return spec is not None and spec.origin is not None  # a folder of that name is no package
