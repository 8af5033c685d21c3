"""Reading functions, classes and modules: their code, and what it reaches."""

from __future__ import annotations

import builtins
import enum
import functools
import sys
import types
from collections.abc import Iterator
from typing import Any

from .bytecode import closure, imports_of, names_reached, names_used
from .owners import SERVICES, file_of, owner_of, sources_of
from .reader_base import NAMED, ReaderBase
from .taken import digest_of

_OF_THE_CLASS = {
    *("__dict__", "__weakref__", "__module__", "__qualname__", "__doc__", "__slotnames__", "__firstlineno__"),
    *("__static_attributes__", "__abstractmethods__", "_abc_impl", "__annotations__", "__annotate__"),
    *("__annotate_func__", "__annotations_cache__", "__match_args__", "__dataclass_fields__", "_token_"),
    *("__dataclass_params__", "__hash__", "__parameters__", "__orig_bases__", "__replace__"),
    *("__setattr__", "__delattr__", "__repr__"),
}
"""Entries of a class that say where it stands, or that other entries say already."""
_PLACED = "<locals>"
_MADE_INIT = "__create_fn__.<locals>.__init__"
"""The qualified name of the ``__init__`` that `dataclass` writes; that of a user's own is never in there."""
_OF_THE_MODULE = {"__file__", "__name__", "__doc__", "__package__", "__spec__", "__loader__", "__builtins__"}
"""Globals that say where a module stands."""
_BUILTINS = frozenset(vars(builtins))


class CodeReader(ReaderBase):
    """Reads code."""

    def _code(self, code: types.CodeType) -> bytes:
        shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        return digest_of(
            "code",
            repr(shape),
            repr(names),
            code.co_code,
            getattr(code, "co_exceptiontable", b""),
            *[self.read(each) for each in code.co_consts],
        )

    def _function(self, function: types.FunctionType) -> bytes:
        code = function.__code__
        # Not `__module__` and `__qualname__`: a decorator copies these from the function that it wraps.
        module = str(function.__globals__.get("__name__", ""))
        loaded = sys.modules.get(module)
        ours = loaded is not None and vars(loaded) is function.__globals__
        named = self._not_own(module) if ours else None
        if named is not None and _PLACED not in code.co_qualname:
            return digest_of("function", named, module, code.co_qualname)
        self.own = True
        return digest_of(
            "function",
            self.read(code),
            self.read(function.__defaults__, "the defaults"),
            self.read(function.__kwdefaults__, "the defaults"),
            *[self._cell(name, cell) for name, cell in closure(function)],
            *(self._globals(code, function.__globals__) if named is None else ()),
        )

    def _cell(self, name: str, cell: types.CellType) -> bytes:
        try:
            return digest_of("cell", self.read(cell.cell_contents, f"the closure's `{name}`"))
        except ValueError:  # not filled yet
            self.complete = False
            return digest_of("cell", name)

    def _globals(self, code: types.CodeType, namespace: dict[str, Any]) -> Iterator[bytes]:
        for name in names_reached(code):
            if name in _OF_THE_MODULE:
                continue
            if name in namespace:
                value = namespace[name]
                yield digest_of("global", name, self.read(value, f"the global `{name}`"))
                if isinstance(value, types.ModuleType):  # `urllib.request`, where only `urllib` is a global
                    below = [f"{value.__name__}.{each}" for each in names_used(code)]
                    yield from (self._module_named(each) for each in below if each in sys.modules)
            elif name not in _BUILTINS:
                self.complete = False
                yield digest_of("global", name)
        package = namespace.get("__package__")
        for name in imports_of(code):
            yield self._module_named(name)
            if package:  # it may be meant relative to the package
                yield self._module_named(f"{package}.{name}")

    def _module_named(self, name: str) -> bytes:
        if name in SERVICES and len(self.unknown) < NAMED:
            self.unknown.append(f"the module `{name}` asks a service")
        if (named := self._not_own(name)) is not None:
            return digest_of("module", named, name)
        self.own = True
        found = sources_of(name)
        for each in found:
            if str(file_of(each)).endswith((".so", ".pyd")):
                self.unknown.append(f"the module `{each}` is compiled")
        return digest_of("module", name, *[digest for _, digest in sorted(found.items())])

    def _module(self, module: types.ModuleType) -> bytes:
        name = module.__name__
        if self._not_own(name) is not None or sources_of(name):
            return self._module_named(name)
        self.own = True
        held = [(each, value) for each, value in vars(module).items() if not each.startswith("__")]
        return digest_of("module", *[digest_of(each, self.read(value, f"`{name}.{each}`"))
                                     for each, value in sorted(held, key=lambda pair: pair[0])])  # fmt: skip

    def _named(self, value: Any, module: str) -> bytes | None:
        """What stands for something that a module holds which is not the user's own: ``random.choice``.

        Such an object may have a state of its own, as a generator of random numbers has, or the environment.
        """
        owner = None if module == "builtins" else self._not_own(module)
        name = None if owner is None else _held_by(module).get(id(value))
        return None if name is None else digest_of("named", str(owner), module, name)

    def _method(self, method: types.MethodType) -> bytes:
        if (named := self._named(method, type(method.__self__).__module__)) is not None:
            return named
        return digest_of(
            "method", self.read(method.__func__), self.read(method.__self__, "the object itself")
        )

    def _partial(self, partial: functools.partial[Any]) -> bytes:
        held = (partial.func, partial.args, partial.keywords)
        return digest_of("partial", *[self.read(each, "the partial's arguments") for each in held])

    def _wrapper(self, value: Any) -> bytes:
        inner = getattr(value, "__func__", None) or getattr(value, "__wrapped__", None)
        return digest_of(type(value).__name__, self.read(inner))

    def _property(self, value: property) -> bytes:
        return digest_of("property", *[self.read(each) for each in (value.fget, value.fset, value.fdel)])

    def _builtin(self, value: Any) -> bytes:
        module, owner = getattr(value, "__module__", None), getattr(value, "__self__", None)
        if isinstance(owner, types.ModuleType):
            module = owner.__name__
        elif owner is not None and not isinstance(owner, type):
            if (held := self._named(value, type(owner).__module__)) is not None:
                return held
            return digest_of("builtin", value.__name__, self.read(owner, "the object itself"))
        elif isinstance(owner, type):
            module = owner.__module__
        elif isinstance(getattr(value, "__objclass__", None), type):
            if owner_of(value.__objclass__.__module__) == "own":
                return digest_of("slot", value.__name__)
            module = value.__objclass__.__module__
        if module is None or (named := self._not_own(module)) is None:
            return self._unread(value, "is compiled")
        return digest_of("builtin", named, getattr(value, "__qualname__", str(value)))

    def _class(self, kind: type) -> bytes:
        module = kind.__module__
        if (named := self._not_own(module)) is not None:
            return digest_of("class", named, module, kind.__qualname__)
        return self.class_body(kind)

    def class_body(self, kind: type) -> bytes:
        """The digest of a class by what it is made of, wherever it stands."""
        self.own = True
        held = [(name, value) for name, value in vars(kind).items() if not _is_made(name, value)]
        if issubclass(kind, enum.Enum):
            held = [(each.name, each.value) for each in kind]
        return digest_of(
            "class",
            kind.__name__,
            *[self.read(base) for base in kind.__bases__],
            *[digest_of(name, self.read(value, f"`{kind.__name__}.{name}`"))
              for name, value in sorted(held, key=lambda pair: pair[0])],
        )  # fmt: skip


@functools.lru_cache(maxsize=512)
def _held_by(module: str) -> dict[int, str]:
    """The objects that a module holds under names, by their ids: they live as long as it does."""
    loaded = sys.modules.get(module)
    return {} if loaded is None else {id(value): name for name, value in vars(loaded).items()}


def _is_made(name: str, value: Any) -> bool:
    """Whether an entry of a class says nothing of its own: where it stands, or what `dataclass` made."""
    if name in _OF_THE_CLASS:
        return True
    code = getattr(value, "__code__", None)
    return name == "__init__" and code is not None and code.co_qualname == _MADE_INIT
