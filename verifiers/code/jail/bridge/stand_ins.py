"""Stand-ins for objects of the other side.

A stand-in holds a number. Whatever is done with it is asked of the other side, and the answer is data or
another stand-in. On the side of the tests the answers of a program are believed within bounds (`Remote`).
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Protocol

from .rules import FORWARDED, PREDICATES, READABLE, Method, by_path, is_special

_LOCAL_OF_ERRORS = (
    "__traceback__ __context__ __cause__ __suppress_context__ __notes__ with_traceback add_note args"
).split()
_KEPT = ("__class__", "__copy__", "__deepcopy__")
_LOOKING = ("count", "index", "get", "union", "difference", "intersection", "symmetric_difference")
"""Methods of containers that take a value and change nothing: of subclasses the plain ones are asked."""
FROZEN = (int, float, complex, str, bytes, tuple, frozenset)


class Asker(Protocol):
    """The link's interface for stand-ins."""

    strict: bool
    """Whether answers are a program's, to be believed within bounds."""

    def ask(self, operation: str, target: Any, /, *arguments: Any, **keywords: Any) -> Any:
        """Have the other side do something."""
        ...

    def let_go(self, number: int) -> None:
        """A stand-in is gone."""
        ...

    def rest_on_word(self) -> None:
        """A test rests on what the program says of its own objects."""
        ...

    def doubt(self) -> None:
        """An object of the program was asked to decide what it may not."""
        ...

    discards: bool
    """The tests do not look at what the statement that runs gives."""

    def said(self, value: Any) -> bool:
        """Return whether the other side has said this value since the test began."""
        ...

    def refuse(self, what: str) -> Exception:
        """The test has failed, whoever catches this."""
        ...

    def swallows(self, error: BaseException | None, answer: Any) -> Any:
        """Return whether a context manager of the program may keep an exception from the tests."""
        ...


class Far:
    """Base of all stand-ins for instances."""


class Remote(Far):
    """A stand-in with one attribute of its own: ``_at``, its [link, number, whether it is believed].

    Believed is what the tests made themselves, by calling a class that they name or by operators on what they
    so made: with such objects they may combine and compare plain data. An object that the program returned
    stands in place of an answer, and an answer does not decide whether it is right.
    """

    def __getattribute__(self, name: str) -> Any:
        kind = type(self)
        if name in _KEPT or (is_special(name) and name not in READABLE):
            if name in FORWARDED and name not in kind.special_names:  # type: ignore[attr-defined]
                raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
            return object.__getattribute__(self, name)
        if issubclass(kind, BaseException) and name in _LOCAL_OF_ERRORS:
            return object.__getattribute__(self, name)
        link, _, believed = at(self)
        core = kind.core  # type: ignore[attr-defined]
        if (
            core is not None
            and hasattr(core, name)
            and (core in FROZEN or name in PREDICATES or (name in _LOOKING and doubtful(self)))
        ):
            refresh(self)
            return getattr(core, name).__get__(self)
        if name in PREDICATES and link.strict and not believed:
            link.doubt()
            raise AttributeError(f"{name}() of an object of the program is not believed")
        found = link.ask("get", self, name)
        if isinstance(found, Method):
            return _bound(self, found.name)
        return _heeding(self, name, found) if isinstance(found, Remote) and doubtful(self) else found

    def __setattr__(self, name: str, value: Any) -> None:
        if is_special(name):
            object.__setattr__(self, name, value)
        else:
            at(self)[0].ask("set", self, name, value)

    def __delattr__(self, name: str) -> None:
        at(self)[0].ask("delete", self, name)

    def __copy__(self) -> Any:
        return _like(self, at(self)[0].ask("copy", self))

    def __deepcopy__(self, memo: Any) -> Any:
        return _like(self, at(self)[0].ask("deepcopy", self))

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("an object of the other side cannot be pickled")

    def __del__(self) -> None:
        try:
            link, number, _ = object.__getattribute__(self, "_at")
            link.let_go(number)
        except Exception:  # noqa: S110  (it never got a number)
            pass


class RemoteClass(type):
    """The type of a stand-in for a class, and of its instances' stand-ins."""

    link: Asker
    special_names: frozenset[str]
    core: type | None
    is_function: bool
    lineage: frozenset[tuple[str, str]]
    """Module and name of each class of a library that it is, or derives from."""
    named = False
    """The tests name this class, so what they make of it is theirs to use operators on."""

    def __call__(cls, /, *arguments: Any, **keywords: Any) -> Any:
        made = cls.link.ask("call", cls, *arguments, **keywords)
        return cls.believed(made)

    def believed(cls, made: Any) -> Any:
        """Return the result of calling the class or a method of it, believed where it may be."""
        named = type.__getattribute__(cls, "named")
        return believe(made) if named and type.__instancecheck__(cls, made) else made

    def __getattr__(cls, name: str) -> Any:
        if is_special(name) and name not in READABLE:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        found = cls.link.ask("get", cls, name)
        return _bound(cls, found.name) if isinstance(found, Method) else found

    def __getattribute__(cls, name: str) -> Any:
        if is_special(name) or name in _OWN_OF_CLASSES:
            return type.__getattribute__(cls, name)
        return RemoteClass.__getattr__(cls, name)

    def __setattr__(cls, name: str, value: Any) -> None:
        if is_special(name) or name in _OWN_OF_CLASSES or name.startswith("_abc_"):
            type.__setattr__(cls, name, value)
        else:
            cls.link.ask("set", cls, name, value)

    def __getitem__(cls, item: Any) -> Any:
        return cls.link.ask("item", cls, item)

    def __iter__(cls) -> Iterator[Any]:
        return iter(cls.link.ask("all", cls))

    def __instancecheck__(cls, value: Any) -> bool:
        if type.__instancecheck__(cls, value):
            return True
        return isinstance(value, Remote) and cls.link.ask("isinstance", value, cls) is True

    def __subclasscheck__(cls, other: Any) -> bool:
        if type.__subclasscheck__(cls, other):
            return True
        return isinstance(other, RemoteClass) and cls.link.ask("issubclass", other, cls) is True


_OWN_OF_CLASSES = ("link", "special_names", "core", "is_function", "lineage", "named", "believed", "mro")


def at(value: Any) -> list[Any]:
    """The link of a stand-in, its number, and whether it is believed."""
    found: list[Any] = object.__getattribute__(value, "_at")
    return found


def place(value: Any, link: Asker, number: int) -> Any:
    """Let a stand-in stand for an object."""
    object.__setattr__(value, "_at", [link, number, False])
    object.__setattr__(value, "_descends", False)
    return value


def descend(value: Any) -> None:
    """A stand-in is for what an object gave that the tests made."""
    if issubclass(type(value), Remote):
        object.__setattr__(value, "_descends", True)


def descends(value: Any) -> bool:
    """Return whether a stand-in is for an object that the tests made, or for one that such a one gave."""
    return issubclass(type(value), Remote) and object.__getattribute__(value, "_descends") is True


def doubtful(value: Any) -> bool:
    """Return whether an object replaces an answer: the tests made neither it nor its giver."""
    return at(value)[0].strict and not descends(value) and not type(value).is_function


def heed(value: Any, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """The law of the bridge, for what is asked of an object by a method, an item or a call.

    A plain value that the tests hand to an object in place of an answer may be what they expect, and what
    it says then is its own word: such a test has failed. What the program said itself is no secret. Methods
    of a library's own classes are known to do what they do, and where the statement looks at nothing,
    nothing is believed.

    Raises:
        Exception: So it is.
    """
    link = at(value)[0]
    copies = name == "_replace" and type(value).core is tuple
    kind: Any = type(value)
    if not doubtful(value) or link.discards or copies or _is_known(kind, name):
        return
    given = (*arguments, *keywords.values())
    if any(
        not isinstance(each, Far | RemoteClass) and not callable(each) and not link.said(each)
        for each in given
    ):
        raise link.refuse(f"what {name}() of an object of the program says of a value is not believed")


@cache
def _is_known(kind: Any, name: str) -> bool:
    """Return whether a class is a library's, and the method one that this class has there."""
    module, path = str(getattr(kind, "__module__", "")), str(getattr(kind, "__qualname__", ""))
    if module.partition(".")[0] not in sys.stdlib_module_names - _NOT_IMPORTED and module not in sys.modules:
        return False
    with contextlib.suppress(Exception):
        importlib.import_module(module)
    found = by_path(module, path)
    return isinstance(found, type) and any(name in vars(each) for each in found.__mro__[:-1])


_NOT_IMPORTED = frozenset({"antigravity", "idlelib", "lib2to3", "test", "this", "turtledemo", "__main__"})


def believes(value: Any) -> bool:
    """Return whether a value is a believed stand-in."""
    return issubclass(type(value), Remote) and at(value)[2]


def believe(value: Any) -> Any:
    """The same value, which the tests made."""
    if issubclass(type(value), Remote):
        at(value)[2] = True
        descend(value)
    return value


def _like(value: Any, made: Any) -> Any:
    return believe(made) if believes(value) else made


def _bound(owner: Any, name: str) -> Callable[..., Any]:
    """A method of an object of the other side."""
    link = owner.link if isinstance(owner, RemoteClass) else at(owner)[0]

    def method(*arguments: Any, **keywords: Any) -> Any:
        if isinstance(owner, Remote):
            heed(owner, name, arguments, keywords)
        made = link.ask("method", owner, name, *arguments, **keywords)
        if isinstance(owner, RemoteClass):
            return owner.believed(made)
        refresh(owner)
        return made

    method.__name__ = method.__qualname__ = name
    method.__self__ = owner  # type: ignore[attr-defined]
    return method


def _heeding(owner: Any, name: str, found: Any) -> Any:
    """A function that an object has in place of a method, which answers in its stead."""
    if not type(found).is_function:
        return found

    def method(*arguments: Any, **keywords: Any) -> Any:
        heed(owner, name, arguments, keywords)
        return found(*arguments, **keywords)

    return method


def refresh(value: Any) -> None:
    """Copy anew what a subclass of list, dict or set holds: some functions of Python look at it directly."""
    core = type(value).core
    if core in (list, dict, set):
        held = at(value)[0].ask("core", value)
        core.clear(value)
        (core.extend if core is list else core.update)(value, held)
