"""Between components and plain data: what `Component.to_spec` writes, read back."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable
from typing import Any

from ..errors import ConfigError, located, nearest
from .checks import field_types
from .component import Component, Spec, first_field
from .extraction import EXTRACTORS
from .registry import Registry
from .verifier_base import VERIFIERS

Build = Callable[[Any, Any], Any]
"""Makes a field's value from plain data and the field's type."""


def verifier_names() -> list[str]:
    """Return the names of all verifiers, other distributions' included, without importing them."""
    return VERIFIERS.names()


def from_spec(spec: Spec) -> Any:
    """Build a verifier or extractor from plain data, as `Component.to_spec` writes it.

    Args:
        spec: ``"ExactMatch"``, ``{"Tag": "SOLUTION"}`` (its first field), or ``{"Regex": {"pattern": "x",
            "full": True}}`` (fields by name).

    Raises:
        ConfigError: A name or field is unknown (the message suggests the nearest), or a value is unusable.

    >>> from_spec({"MathEquivalence": {"extract": {"Tag": "SOLUTION"}}})
    MathEquivalence(extract=Tag(name='SOLUTION'))
    >>> from_spec("ExactMtach")
    Traceback (most recent call last):
    ...
    reward_verifiers.verifiers.errors.ConfigError: there is no verifier or extractor 'ExactMtach'; did
    you mean 'ExactMatch'?
    """
    return build_named(spec, "a verifier", VERIFIERS, EXTRACTORS)


def build_named(spec: Spec, what: str, *registries: Registry[Any], build: Build | None = None) -> Any:
    """Build a component that one of some registries knows.

    Args:
        spec: A component, its name, or a mapping of its name to its arguments.
        what: Kind of thing being built, for messages.
        registries: Registries to search for the name, in order.
        build: Makes the fields' values.

    Raises:
        ConfigError: An unknown name or field (the nearest one is offered), or an unusable value.
    """
    if isinstance(spec, Component):
        return spec
    if isinstance(spec, str):
        return construct(find_class(spec, *registries), {}, build)
    if isinstance(spec, dict) and len(spec) == 1:
        [(name, arguments)] = spec.items()
        with located(str(name)):
            return construct(find_class(str(name), *registries), arguments, build)
    raise ConfigError(
        f"{what} is written as its name or as {{name: arguments}} with one name, got {spec!r:.120}"
    )


def construct(kind: type[Component], arguments: Any, build: Build | None = None) -> Any:
    """Build a component from plain arguments.

    Args:
        kind: The component.
        arguments: A mapping of fields, or what the first field holds.
        build: Makes a field's value from plain data and the field's type.

    Raises:
        ConfigError: An unknown field (the nearest one is offered), or an unusable value.
    """
    hints = field_types(kind)
    build = build or _value
    values = {}
    if isinstance(arguments, dict):
        names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
        for name, value in arguments.items():
            with located(str(name)):
                if name not in names:
                    raise ConfigError(f"{kind.__name__} has no field {name!r}{nearest(str(name), names)}")
                values[name] = build(value, hints.get(name))
    else:
        first = first_field(kind)
        if first is None:
            raise ConfigError(f"{kind.__name__} takes no argument, got {arguments!r:.80}")
        values[first] = build(arguments, hints.get(first))
    try:
        return kind(**values)
    except TypeError as error:
        raise ConfigError(f"{kind.__name__}: {error}") from error


def holds(hint: Any, kind: type[Component]) -> bool:
    """Return whether a field of that type holds components of a kind, alone or in a tuple."""
    if isinstance(hint, type) and typing.get_origin(hint) is None:
        return issubclass(hint, kind)
    return any(holds(part, kind) for part in typing.get_args(hint))


def find_class(name: str, *registries: Registry[Any]) -> type[Component]:
    """The class of that name in the first registry that knows it.

    Raises:
        ConfigError: None does; the nearest name is offered.
    """
    for registry in registries:
        if name in registry:
            return registry.get(name)
    *nouns, last = dict.fromkeys(registry.noun for registry in registries)
    noun = f"{', '.join(nouns)} or {last}" if nouns else last
    known = [each for registry in registries for each in registry.names()]
    raise ConfigError(f"there is no {noun} {name!r}{nearest(name, known)}")


def _value(value: Any, hint: Any) -> Any:
    """Plain data as a field wants it: components are built from their specs, and lists become tuples."""
    if not holds(hint, Component) or value is None:
        return frozen(value)
    if isinstance(value, list):
        return tuple(_item(position, item) for position, item in enumerate(value))
    return from_spec(value)


def frozen(value: Any) -> Any:
    """Lists, which plain data has, as the tuples that a component can be compared and hashed by."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def _item(position: int, spec: Spec) -> Any:
    with located(position):
        return from_spec(spec)
