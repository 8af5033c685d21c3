"""Local classes whose instances stand for those of classes of the other side."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from .rules import BINARY, COMPARISONS, CONVERSIONS, FORWARDED, Method, UnfitError, function_kind
from .stand_ins import FROZEN, Asker, Far, Remote, RemoteClass, at, believe, doubtful, heed, refresh


def make_class(description: dict[str, Any], bases: tuple[type, ...], link: Asker) -> type:
    """A local class whose instances stand for those of a class of the other side.

    Args:
        description: Text that `rules.describe` wrote.
        bases: Local classes for its bases.
        link: To the other side.

    Raises:
        Exception: Nobody's class is like that.
    """
    core = _core(description.get("core"))
    names = frozenset(str(name) for name in description["d"]) & FORWARDED
    space: dict[str, Any] = {
        "__module__": str(description["m"]),
        "__qualname__": str(description["q"]),
    }
    for name in names - {"__eq__", "__ne__", "__hash__"}:
        if core in FROZEN and name not in ("__str__", "__repr__", "__format__", "__call__"):
            continue
        space[name] = _special(name, core)
    _compare(space, names, str(description["h"]), core)
    kind = function_kind(description.get("f"))
    if kind is not None:
        space["__class__"] = property(lambda self: kind)
    if "dc" in description:
        space["__dataclass_fields__"] = _dataclass_fields(description["dc"])
    ordered = tuple(dict.fromkeys((*(base for base in bases if issubclass(base, Remote)), Remote)))
    plain = tuple(base for base in bases if not issubclass(base, Remote))
    if core is not None and not any(issubclass(base, core) for base in bases):
        plain = (core, *plain)
    made: RemoteClass | None = None
    for choice in (
        (*ordered, *plain),
        (*(base for base in bases if issubclass(base, Remote)), Remote),
        (Remote, *((core,) if core else _errors(bases))),
    ):
        try:
            made = type.__new__(RemoteClass, str(description["n"]), tuple(dict.fromkeys(choice)), dict(space))
            break
        except TypeError:
            continue
    if made is None:
        raise UnfitError("a class like no class")
    type.__setattr__(made, "link", link)
    type.__setattr__(made, "special_names", names)
    type.__setattr__(made, "core", core)
    type.__setattr__(made, "is_function", kind is not None)
    type.__setattr__(
        made, "lineage", frozenset((str(module), str(name)) for module, name in description["l"])
    )
    return made


def _errors(bases: tuple[type, ...]) -> tuple[type, ...]:
    return tuple(base for base in bases if issubclass(base, BaseException))[:1]


def _core(name: Any) -> type | None:
    known = {kind.__name__: kind for kind in (*FROZEN, list, dict, set, bytearray)}
    return None if name is None else known[name]


_ANSWERING = ("__getitem__", "__call__")


def _special(name: str, core: type | None) -> Callable[..., Any]:
    """A special method that asks the other side."""
    if name == "__contains__":
        return _contains
    if name == "__await__":
        return _awaited
    if name in ("__exit__", "__aexit__"):
        return _leaving(name)
    if name in COMPARISONS:
        return _ordering(name, core)
    if name in BINARY:
        return _operator(name, core)

    def special(self: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if name in _ANSWERING and not (name == "__getitem__" and core in (list, dict)):
            heed(self, name, arguments, keywords)
        elif name == "__getitem__" and arguments and not isinstance(arguments[0], Far) and doubtful(self):
            refresh(self)
            return getattr(core, name)(self, *arguments)
        found = at(self)[0].ask("special", self, name, *arguments, **keywords)
        if name not in CONVERSIONS:
            refresh(self)
        return found

    special.__name__ = name
    return special


def _leaving(name: str) -> Callable[..., Any]:
    async def filtered(link: Asker, error: Any, work: Any) -> Any:
        return link.swallows(error, await work)

    def leave(self: Any, kind: Any, error: Any, trace: Any) -> Any:
        link = at(self)[0]
        answer = link.ask("special", self, name, kind, error, trace)
        return link.swallows(error, answer) if name == "__exit__" else filtered(link, error, answer)

    return leave


def _awaited(self: Any) -> Any:
    return at(self)[0].ask("special", self, "__await__")


def _operator(name: str, core: type | None) -> Callable[..., Any]:
    def operate(self: Any, other: Any, *more: Any) -> Any:
        link, _, believed = at(self)
        if not isinstance(other, Far) and not believed:
            # The test's own value is no argument for an object that the test did not make.
            link.doubt()
            return getattr(core, name)(self, other) if hasattr(core, name) else NotImplemented
        found = link.ask("special", self, name, other, *more)
        link.rest_on_word()
        return believe(found) if believed else found

    operate.__name__ = name
    return operate


def _ordering(name: str, core: type | None) -> Callable[[Any, Any], Any]:
    def order(self: Any, other: Any) -> Any:
        link, _, believed = at(self)
        if not isinstance(other, Far) and not believed:
            link.doubt()
            return getattr(core, name)(self, other) if core is not None else NotImplemented
        found = link.ask("special", self, name, other)
        link.rest_on_word()
        if link.strict and not isinstance(found, bool) and found is not NotImplemented:
            raise TypeError(f"{name} of objects of the program is not True or False")
        return found

    order.__name__ = name
    return order


def _contains(self: Any, item: Any) -> Any:
    link, _, believed = at(self)
    if believed or isinstance(item, Far):
        link.rest_on_word()
        return link.ask("special", self, "__contains__", item)
    core = type(self).core
    if core is not None:
        refresh(self)
        return core.__contains__(self, item)
    return any(each is item or each == item for each in self)


def _compare(space: dict[str, Any], names: frozenset[str], hashing: str, core: type | None) -> None:
    """Equality: with the other side's own objects on its word, with plain data never."""
    plain: Any = core

    def equal(self: Any, other: Any) -> Any:
        if core is not None and (core in FROZEN or not isinstance(other, Far)):
            if core not in FROZEN:
                refresh(self)
            return plain.__eq__(self, other)
        link, number, _ = at(self)
        if not isinstance(other, Remote):
            asked = not link.strict and "__eq__" in names
            return link.ask("special", self, "__eq__", other) if asked else NotImplemented
        if at(other)[0] is link and at(other)[1] == number and "__eq__" not in names:
            return True
        if "__eq__" not in names and "__eq__" not in type(other).special_names:  # type: ignore[attr-defined]
            return False
        link.rest_on_word()
        return link.ask("compare", self, "eq", other)

    def unequal(self: Any, other: Any) -> Any:
        found = equal(self, other)
        if isinstance(other, Far) and "__ne__" in names and core is None:
            return at(self)[0].ask("compare", self, "ne", other)
        return found if found is NotImplemented else not found

    def hashed(self: Any) -> int:
        link, number, _ = at(self)
        if core in FROZEN and core is not None:
            return core.__hash__(self)
        return link.ask("special", self, "__hash__") if hashing == "own" else hash((id(link), number))

    space["__eq__"], space["__ne__"] = equal, unequal
    space["__hash__"] = None if hashing == "none" else hashed


class RemoteEnum(Far):
    """Mixed into enumerations, which are copied whole: members are values; what they do is asked."""

    def __getattr__(self, name: str) -> Any:
        link = type(self).__dict__.get("link_")
        if link is None or (name.startswith("_") and name.endswith("_")):  # names of `enum` itself, too
            raise AttributeError(name)
        found = link.ask("get", self, name)
        if isinstance(found, Method):
            return lambda *arguments, **keywords: link.ask("method", self, found.name, *arguments, **keywords)
        return found

    @classmethod
    def _missing_(cls, value: Any) -> Any:
        found = super()._missing_(value)  # type: ignore[misc]
        return cls.__dict__["link_"].ask("call", cls, value) if found is None else found


def make_enum(description: dict[str, Any], members: list[tuple[str, Any]], link: Asker) -> Any:
    """A local enumeration like one of the other side."""
    base = {each.__name__: each for each in (enum.Enum, enum.IntEnum, enum.StrEnum, enum.Flag, enum.IntFlag)}[
        description["enum"][0]
    ]
    name, core = str(description["n"]), _core(description.get("core"))
    bases = (RemoteEnum, base) if core is None or issubclass(base, core) else (RemoteEnum, core, base)
    space: Any = enum.EnumType.__prepare__(name, bases)
    for member, value in members:
        if not isinstance(member, str) or not member.isidentifier() or member.startswith("_"):
            raise UnfitError("a member with a name of Python's")
        space[member] = value
    for special in frozenset(description["ed"]) & FORWARDED - {"__eq__", "__ne__", "__hash__"}:
        if core is None or special in ("__str__", "__repr__", "__format__"):
            space[special] = _of_member(special, link)
    space["__module__"], space["__qualname__"] = str(description["m"]), str(description["q"])
    made = enum.EnumType(name, bases, space)
    type.__setattr__(made, "link_", link)
    return made


def _of_member(name: str, link: Asker) -> Callable[..., Any]:
    def special(self: Any, *arguments: Any) -> Any:
        if (name in BINARY or name in COMPARISONS) and not isinstance(arguments[0], Far):
            return NotImplemented
        return link.ask("special", self, name, *arguments)

    return special


def _dataclass_fields(fields: Any) -> dict[str, Any]:
    import dataclasses

    found = {}
    for name, kind in fields:
        field: Any = dataclasses.field()
        field.name, field.type, field._field_type = str(name), str(kind), dataclasses._FIELD  # type: ignore[attr-defined]
        found[field.name] = field
    return found
