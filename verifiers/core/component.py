"""Verifiers and extractors are configuration: frozen dataclasses that print, compare and travel.

A component's *spec* is plain data in the shortest form that still says everything that differs from
the defaults: ``"ExactMatch"``, ``{"Tag": "SOLUTION"}``, ``{"Regex": {"pattern": "x", "full": true}}``.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from ..errors import ConfigError
from .checks import MisfitError, field_types, fit

Spec = Any
"""JSON data: a component's name, or a mapping of one name to its arguments."""


class Component:
    """Base of everything that is configured by its fields."""

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

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.changed_fields().items())
        return f"{type(self).__name__}({shown})"

    def to_spec(self) -> Spec:
        """The shortest plain data from which `verifiers.from_spec` builds an equal component."""
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
        """The spec on one line, as it appears in signatures.

        >>> from verifiers import Tag
        >>> Tag("SOLUTION").describe()
        'Tag("SOLUTION")'
        """
        spec = self.to_spec()
        if isinstance(spec, str):
            return spec
        [(name, arguments)] = spec.items()
        return f"{name}({json.dumps(arguments, ensure_ascii=False, separators=(',', ':'))})"

    def changed_fields(self) -> dict[str, Any]:
        """The fields whose values differ from their defaults, in order."""
        changed = {}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            default = field.default
            if default is dataclasses.MISSING and field.default_factory is not dataclasses.MISSING:
                default = field.default_factory()
            # 1 == True, so the type counts as well.
            if type(value) is not type(default) or value != default:
                changed[field.name] = value
        return changed


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
