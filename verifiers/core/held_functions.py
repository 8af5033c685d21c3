"""Components that hold a function of the user's: how they find it, what they are, and how they travel."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, ClassVar, TypeVar

from ..errors import ConfigError
from .component import Component, blank
from .digests import Held, digest_of, token_of
from .object_reader import Reader, code_digest
from .owners import found_by_name, importable, load, packed, packing, unpacked

H = TypeVar("H", bound="HoldsFunction")


class HoldsFunction(Component):
    """Base of components of a function: that very object, whatever its name.

    A subclass is a dataclass with a field ``path`` and an ``InitVar`` of the name ``function``, which
    `dataclasses.replace` hands on, and calls `_hold` first of all.
    """

    decorator: ClassVar[str] = ""
    """Decorator that makes one of a function, for messages."""

    path: str

    def _hold(self, function: Any) -> None:
        """Keep a function; without one, what is at the path, with the settings that it was given there.

        Raises:
            ConfigError: There is nothing there that fits.
        """
        if function is not None:
            self.__dict__.update(function=function, _mark=token_of(function))
            return
        found = load(self.path)
        if isinstance(found, type(self)):
            self.__dict__.update(function=found._judge, _mark=found._token)
            self._adopt(found)
            return
        function = self._undecorated(found)
        self.__dict__.update(function=function, _mark=token_of(function))

    def _adopt(self: H, found: H) -> None:
        """Take over the settings of what is at the path; what is given beside the path goes first."""

    def _undecorated(self, found: Any) -> Any:
        """The function of what stands at the path and is not of this class.

        Raises:
            ConfigError: It cannot be used.
        """
        raise ConfigError(f"{type(self).__name__}: {self.path} is not decorated with {self.decorator}")

    def runs_own_code(self) -> bool:
        return True

    @property
    def _judge(self) -> Callable[..., Any]:
        """The function itself, which type checkers do not know as an attribute."""
        found: Callable[..., Any] = self.__dict__["function"]
        return found

    @property
    def _token(self) -> str:
        """Mark that distinguishes this very function from others of the same code."""
        return str(self.__dict__["_mark"])

    def _own_name(self) -> str:
        name = self.path.rpartition(":")[2].rpartition(".")[2]
        return "function" if name == "<lambda>" else name

    def _version_hint(self) -> str:
        return f'{self.decorator}(version="1")'

    # What it is -------------------------------------------------------------------------------

    def to_spec(self) -> Any:
        """See `Component.to_spec`.

        Raises:
            ConfigError: No import path leads to this function.
        """
        if not self._is_at_its_path():
            raise ConfigError(
                f"{self.path} cannot stand in a recipe: that path does not lead to this function; define it "
                f"with {self.decorator} at the top level of a module"
            )
        return super().to_spec()

    def describe(self) -> str:
        return self.described(super().to_spec())

    def _is_at_its_path(self) -> bool:
        try:
            found = load(self.path)
        except ConfigError:
            return False
        function, token = _held(found)
        if function is self._judge:
            return True
        # Of a module that was loaded twice, or of one that came from another process.
        return token == self._token and Reader().read(function) == Reader().read(self._judge)

    def held_function(self) -> Held:
        return Held(self._judge, self._token, repr(sorted(super().changed_fields().items())))

    def _holds_own(self) -> bool:
        return True

    def _further(self, reader: Reader) -> list[bytes]:
        reader.own = True
        reader.tokens.append(self._token)
        return [digest_of("function", reader.read(self._judge))]

    # How it travels ---------------------------------------------------------------------------

    def _check_travels(self) -> None:
        module, _, name = self.path.partition(":")
        # What stands at the top of a module, which may still load, is found there by its name.
        if not (name.isidentifier() and isinstance(self._judge, FunctionType) and importable(module)):
            packed(self._judge, self._own_name(), self.taken().unknown)

    def __getstate__(self) -> dict[str, Any]:
        kept = ("function", "_mark", "_packed")
        return {name: value for name, value in super().__getstate__().items() if name not in kept}

    def __reduce_ex__(self, protocol: Any) -> Any:
        state = self.__getstate__()
        if self._is_at_its_path() and found_by_name(load(self.path), *self.path.split(":")):
            return _by_path, (type(self), state, code_digest(self._judge))
        if packing():
            return blank, (type(self),), {**state, "function": self._judge, "_mark": self._token}
        kept = self.__dict__.get("_packed")
        if kept is None:
            kept = self.__dict__["_packed"] = packed(self._judge, self._own_name(), self.taken().unknown)
        return _by_value, (type(self), kept, state, self._token)

    def __copy__(self: H) -> H:
        return self

    def __deepcopy__(self: H, memo: Any) -> H:
        return self


def _by_path(kind: type[H], state: dict[str, Any], code: str) -> H:
    """Rebuild a component from the function at a path, in another process.

    Raises:
        ConfigError: It is not what it was in the process that sent it.
    """
    function, token = _held(load(state["path"]))
    if code_digest(function) != code:
        raise ConfigError(
            f"{state['path']} has changed since this run started, or code that it reaches has; start again"
        )
    return _made(kind, function, token, state)


def _held(found: Any) -> tuple[Any, str]:
    """The function of what stands at a path, with its mark."""
    if isinstance(found, HoldsFunction):
        return found._judge, found._token
    return found, token_of(found)


def _by_value(kind: type[H], payload: bytes, state: dict[str, Any], token: str) -> H:
    return _made(kind, unpacked(payload), token, state, _packed=payload)


def _made(kind: type[H], function: Any, token: str, state: dict[str, Any], **more: Any) -> H:
    made = object.__new__(kind)
    made.__dict__.update(function=function, _mark=token, **more)
    made.__setstate__(state)
    return made


def path_of(function: Any) -> str:
    """Return the import path of a function; for a partial, a method or an object, that of what it calls."""
    while isinstance(function, functools.partial):
        function = function.func
    if not hasattr(function, "__qualname__"):
        function = type(function)
    return f"{getattr(function, '__module__', None) or '__main__'}:{function.__qualname__}"


def place_of(function: Any) -> str:
    """The file and line of a function, for a message."""
    while isinstance(function, functools.partial):
        function = function.func
    code = getattr(inspect.unwrap(function), "__code__", None)
    return "" if code is None else f" ({code.co_filename}:{code.co_firstlineno})"
