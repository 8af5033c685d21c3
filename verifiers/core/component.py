"""Verifiers and extractors are configuration: frozen dataclasses that print, compare and travel.

A component's *spec* is plain data in the shortest form that still says everything that differs from
the defaults: ``"ExactMatch"``, ``{"Tag": "SOLUTION"}``, ``{"Regex": {"pattern": "x", "full": true}}``.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import re
import threading
import typing
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

from ..errors import ConfigError
from .checks import MisfitError, field_types, fit
from .digests import Identified, Taken, digest_of, new_token
from .object_reader import Reader
from .owners import (
    LIBRARY,
    Names,
    files_digest,
    found_by_name,
    installed_as,
    library_version,
    load,
    owner_of,
    packed,
    packing,
    unpacked,
    version_of,
)


def names_code(text: str, named: frozenset[str]) -> bool:
    """Return whether a text in a field is the import path of an object; the URL of a server is not."""
    return "code" in named and ":" in text and "://" not in text


def field_digest(value: Any, named: frozenset[str], reader: Reader, name: str) -> bytes:
    """The digest of a field's value.

    Args:
        value: Its content.
        named: Kind of thing that a text in it names, by its annotation.
        reader: Reader.
        name: Its name, for messages.
    """
    if isinstance(value, str) and value and named:
        if "files" in named and (found := files_digest(value)):
            reader.own = True
            return digest_of("files", value, found)
        if names_code(value, named):
            reader.own = True
            return digest_of("code", value, reader.read(load(value), f"`{value}`"))
    return _value(value, reader, name)


def _value(value: Any, reader: Reader, name: str) -> bytes:
    if isinstance(value, Path):
        reader.own = True
        return digest_of("path", str(value), files_digest(value))
    if isinstance(value, int | float) and type(value) in (int, float):
        # 1 and 1.0 in a field are one number, as in the comparison of the fields themselves.
        whole = isinstance(value, float) and value.is_integer()
        return digest_of("number", repr(int(value) if whole else value))
    if type(value) in (tuple, list):
        return digest_of("items", *[_value(each, reader, name) for each in value])
    if isinstance(value, Mapping) and type(value) is dict:
        pairs = [_value(each, reader, name) for pair in value.items() for each in pair]
        return digest_of("mapping", *pairs)
    return reader.read(value, f"the field `{name}`")


def what_is_named(hint: Any) -> frozenset[str]:
    """Return what a text in a field of that type names: "files", "code", or nothing."""
    found = {each.what for each in getattr(hint, "__metadata__", ()) if isinstance(each, Names)}
    for part in typing.get_args(hint):
        found |= what_is_named(part) if not isinstance(part, str) else set()
    return frozenset(found)


def shown_name(value: Any) -> str:
    """Return the name that stands for a field's value that is not data."""
    return getattr(value, "__qualname__", None) or type(value).__qualname__


def same_values(value: Any, default: Any) -> bool:
    """Return whether a value equals the default; an array, whose comparison is another array, does not."""
    try:
        return bool(value == default)
    except Exception:
        return False


_LOCAL = threading.local()
_KNOWN: weakref.WeakKeyDictionary[type, Taken] = weakref.WeakKeyDictionary()


def class_read(kind: type, reader: Reader) -> bytes:
    """The digest of a class that is not this library's; what it reaches is added to what the reader knows."""
    known = _KNOWN.get(kind)
    if kind in _reading():
        return digest_of("circle", kind.__name__)  # a method uses an object of the class
    if known is None or not known.complete:
        own = Reader()
        if owner_of(kind.__module__) == "installed":
            own.distributions.add(kind.__module__.partition(".")[0])
            own.own = True
        _reading().add(kind)
        try:
            known = Taken(own.class_body(kind), own)
        finally:
            _reading().discard(kind)
        _KNOWN[kind] = known
    reader.add(known)
    reader.tokens.append(token_of_class(kind))
    return digest_of("class", known.digest)


def _reading() -> set[type]:
    """The classes that this thread is in the middle of reading."""
    found: set[type] = _LOCAL.__dict__.setdefault("kinds", set())
    return found


def token_of_class(kind: Any) -> str:
    """A mark of this very class, which goes with it to other processes."""
    token = vars(kind).get("_token_")
    if token is None:
        token = new_token()
        kind._token_ = token
    return str(token)


C = TypeVar("C", bound="Component")
_MOST_READS = 4
"""Most readings of a component whose code reaches an unbound name: its module may still load."""
Spec = Any
"""JSON data: a component's name, or a mapping of one name to its arguments."""


class Component(Identified):
    """Base of everything that is configured by its fields.

    Components are equal, with equal hashes, if they have the same `identity` and the same classes and
    functions.
    """

    depends: ClassVar[tuple[str, ...]] = ()
    """Distributions whose versions can change a verdict; they go into the signature."""
    _is_ours: ClassVar[bool] = True

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._is_ours = owner_of(cls.__module__) == "library"
        # `dataclass` writes a comparison of fields into every class that has none of its own.
        for name in ("__eq__", "__hash__"):
            if name not in vars(cls):
                setattr(cls, name, getattr(cls, name))
        if "__post_init__" in vars(cls):
            cls.__post_init__ = _then_sealed(cls.__post_init__)  # type: ignore[method-assign]

    def __post_init__(self) -> None:
        """Fit every field to its annotation. A subclass that has its own calls this one first.

        Raises:
            ConfigError: A field holds what its annotation does not allow: found here, not row by row.
        """
        hints = field_types(type(self))
        for field in dataclasses.fields(self):  # type: ignore[arg-type]  # subclasses are dataclasses
            value = getattr(self, field.name)
            if field.name not in hints:
                continue
            try:
                fitted = fit(value, hints[field.name])
            except MisfitError as problem:
                raise ConfigError(
                    f"{type(self).__name__}: {field.name} must be {problem.wanted}, "
                    f"got {value!r:.80}{problem.hint}"
                ) from None
            if fitted is not value:
                object.__setattr__(self, field.name, fitted)

        if type(self).__post_init__ is Component.__post_init__:
            self._seal()

    # What it is -------------------------------------------------------------------------------

    def identity(self) -> str:
        """Return everything that a verdict depends on besides the row; fixed when the component is made.

        It covers the configuration, the versions of `depends` and of all distributions that it reaches, and a
        digest of your own code (with closures, defaults and modules), of files that it names, and of
        `version`. Signatures, caches, `--resume` and equality use it.

        >>> from verifiers import ExactMatch
        >>> ExactMatch().identity() == ExactMatch().identity() != ExactMatch(ignore_case=True).identity()
        True
        """
        return "|".join([self.describe(), *self.versions(), f"#{self.taken().digest}"])

    def versions(self) -> list[str]:
        """Return the versions of this library and of the distributions that a verdict depends on."""
        taken = self.taken()
        named = {f"{each}:{version_of(each)}" for each in taken.depends}
        named |= {installed_as(each) for each in taken.distributions}
        return [f"{LIBRARY}:{library_version()}", *sorted(named)]

    def taken(self) -> Taken:
        """Return findings about the component; those of this library's are computed on demand."""
        kept: Taken | None = self.__dict__.get("_taken")
        if kept is None or not (kept.complete or self.__dict__["_reads"] >= _MOST_READS):
            kept = self._read()
            self.__dict__.update(_taken=kept, _reads=self.__dict__.get("_reads", 0) + 1)
        return kept

    def _seal(self) -> None:
        # What is made of this library's own classes and plain data cannot change before it is asked for.
        if not self._is_ours or self._holds_own():
            taken = self.taken()
            if taken.unknown and not self._said():
                raise ConfigError(
                    f"{self._own_name()}: its dependencies cannot be known: {'; '.join(taken.unknown)}. "
                    f"Say it with {self._version_hint()}, and change that when its verdicts change"
                )
            if getattr(self, "isolate", False):
                self._check_travels()

    def _check_travels(self) -> None:
        """Refuse what cannot go to a worker process.

        Raises:
            ConfigError: It holds something open.
        """
        packed(self.__getstate__(), self._own_name(), self.taken().unknown)

    def _own_name(self) -> str:
        return type(self).__name__

    def _version_hint(self) -> str:
        return 'version="1"'

    def _said(self) -> str:
        """Return the author's version of what cannot be read: a field, or an attribute of the class."""
        return str(getattr(self, "version", "") or getattr(type(self), "version", ""))

    def runs_own_code(self) -> bool:
        """Return whether code outside this library judges or pays: its class, or code in its fields."""
        return not self._is_ours or self._holds_own()

    def _holds_own(self) -> bool:
        """Return whether the fields name code, which may change after construction, or be unreadable."""
        return any(
            names_code(str(getattr(self, name)), named)
            for name, named in _fields_read(cast("Any", type(self)))
        )

    def _read(self) -> Taken:
        reader = Reader()
        kind = type(self)
        parts = [kind.__name__.encode(), kind.__module__.encode(), self._said().encode()]
        if not self._is_ours:
            parts.append(class_read(kind, reader))
        for name, named in _fields_read(cast("Any", kind)):
            parts += [name.encode(), field_digest(getattr(self, name), named, reader, name)]
        parts += self._further(reader)
        reader.depends |= set(self.depends)
        return Taken(digest_of(*parts), reader)

    def _further(self, reader: Reader) -> list[bytes]:
        """Return what a verdict depends on besides the class and its fields."""
        return []

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        if other is self:
            return True
        ours, theirs = self.taken(), other.taken()
        return ours.digest == theirs.digest and ours.tokens == theirs.tokens

    def __hash__(self) -> int:
        return hash(self.taken().digest)

    # How it travels ---------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        return {
            **fields,
            **{name: value for name, value in self.__dict__.items() if name not in ("_taken", "_reads")},
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    def __reduce_ex__(self, protocol: Any) -> Any:
        kind = type(self)
        if packing():
            return blank, (kind,), self.__getstate__()
        if found_by_name(kind, kind.__module__, kind.__qualname__):
            return _made_again, (kind, self.__getstate__())
        return _made_again_by_value, (_packed_class(kind), self.__getstate__())

    # How it is shown --------------------------------------------------------------------------

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.changed_fields().items())
        return f"{type(self).__name__}({shown})"

    def to_spec(self) -> Spec:
        """Return the shortest plain data from which `verifiers.from_spec` builds an equal component."""
        changed = {name: _plain(value) for name, value in self.changed_fields().items()}
        name = type(self).__name__
        if not changed:
            return name
        first = first_field(type(self))
        # A mapping as the only argument would read as keyword arguments, so it is written out.
        if first is not None and list(changed) == [first] and not isinstance(changed[first], dict):
            return {name: changed[first]}
        return {name: changed}

    def describe(self) -> str:
        """Return the spec on one line, as in signatures.

        >>> from verifiers import Tag
        >>> Tag("SOLUTION").describe()
        'Tag("SOLUTION")'
        """
        return self.described(self.to_spec())

    @staticmethod
    def described(spec: Spec) -> str:
        """Return a spec on one line."""
        if isinstance(spec, str):
            return spec
        [(name, arguments)] = spec.items()
        shown = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"), default=shown_name)
        return f"{name}({shown})"

    def changed_fields(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, in order."""
        changed = {}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            default = field.default
            if default is dataclasses.MISSING and field.default_factory is not dataclasses.MISSING:
                default = field.default_factory()
            # 1 == True, so the type counts as well.
            if type(value) is not type(default) or not same_values(value, default):
                changed[field.name] = value
        return changed


@functools.cache
def _fields_read(kind: Any) -> tuple[tuple[str, frozenset[str]], ...]:
    """The fields that are compared, and what the text in them names."""
    hints = field_types(kind)
    return tuple(
        (field.name, what_is_named(hints.get(field.name)))
        for field in dataclasses.fields(kind)
        if field.compare
    )


def _then_sealed(post_init: Any) -> Any:
    @functools.wraps(post_init)
    def sealing(self: Component, *given: Any) -> None:
        post_init(self, *given)
        if type(self).__post_init__ is sealing:  # and not one that a subclass calls on its way
            self._seal()

    return sealing


def blank(kind: type[C]) -> C:
    """A component without its fields, which are set next: it may hold itself."""
    return object.__new__(kind)


def _made_again(kind: type[Component], state: dict[str, Any]) -> Component:
    made = blank(kind)
    made.__setstate__(state)
    return made


def _made_again_by_value(payload: bytes, state: dict[str, Any]) -> Component:
    return _made_again(unpacked(payload), state)


def _packed_class(kind: type[Component]) -> bytes:
    token_of_class(kind)  # it travels along
    return packed(kind, kind.__qualname__)


def first_field(kind: type[Component]) -> str | None:
    """The field that a component's short form fills."""
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]  # subclasses are dataclasses
        if not field.kw_only:
            return field.name
    return None


def _plain(value: Any) -> Any:
    if isinstance(value, Component):
        return value.to_spec()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


_ARGUMENTS = re.compile(r"Args:\n((?:[ ]+.*\n?|\n)+?)(?=\S|\Z|\n\n?\S)")
_ENTRY = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def sentence_of(kind: type) -> str:
    """The first line of a class's docstring."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def arguments_of(kind: type) -> dict[str, str]:
    """The Args section of a class's docstring and of its bases', by field."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        section = _ARGUMENTS.search(inspect.cleandoc(each.__doc__ or "") + "\n")
        for entry in _ENTRY.finditer(section.group(1)) if section else ():
            found[entry.group(1)] = " ".join(entry.group(2).split())
    return found
