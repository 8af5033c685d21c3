"""Fitting a value to a field's annotation: one set of checks, and one wording, for every component.

What a field accepts is said once, in its annotation: a type, a `Literal`, a component, a tuple of these, or
``Annotated`` with a `Range` or a `OneOf`. Pydantic reads files here and could do this, too; but components
are checked in every program, and it is not to be loaded in each (`tests/test_imports.py`).
"""

from __future__ import annotations

import functools
import math
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from ..errors import close_match
from ..runtime.records import dataclass

_NOUNS: dict[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a string",
    type(None): "None",
}


@dataclass(frozen=True)
class Range:
    """The numbers that a field accepts. Whatever the range, a number of a component is finite.

    Args:
        least: The smallest number that is accepted.
        most: The largest one.
        above: All accepted numbers are larger than this.
        unit: Counted unit, for messages.

    >>> Range(1, 16).holds(16), Range(above=0).holds(0)
    (True, False)
    """

    least: float | None = None
    most: float | None = None
    above: float | None = None
    unit: str = ""

    def holds(self, number: float) -> bool:
        """Return whether a number lies in the range."""
        return (
            (self.least is None or number >= self.least)
            and (self.most is None or number <= self.most)
            and (self.above is None or number > self.above)
        )

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        if self.least is not None and self.most is not None:
            return f"from {_shown(self.least)} to {_shown(self.most)}{unit}"
        limits = [
            f"above {_shown(self.above)}" if self.above is not None else "",
            f"of at least {_shown(self.least)}" if self.least is not None else "",
            f"of at most {_shown(self.most)}" if self.most is not None else "",
        ]
        return " and ".join(filter(None, limits)) + unit


def _shown(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


@dataclass(frozen=True)
class OneOf:
    """The values that a field accepts, where these are the keys of a table and no `Literal` can list them."""

    choices: Collection[str]

    def __hash__(self) -> int:
        return id(self.choices)


@dataclass(frozen=True)
class Renamed:
    """Values of an earlier version with their new names; a field takes both, and holds the new one."""

    values: Mapping[str, str]

    def __hash__(self) -> int:
        return id(self.values)


class MisfitError(Exception):
    """A value that its field does not accept. The message completes "the field must be"."""

    def __init__(self, wanted: str, hint: str = "") -> None:
        super().__init__(wanted)
        self.wanted = wanted
        self.hint = hint


def field_types(kind: type) -> dict[str, Any]:
    """The annotations of a class, resolved; empty where they cannot be."""
    return _field_types(typing.cast("Any", kind))


@functools.cache
def _field_types(kind: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except NameError:  # names that a third party imports for type checkers only
        return {}


def plain_type(hint: Any) -> Any:
    """An annotation without what `Annotated` adds to it."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint


def fit(value: Any, hint: Any) -> Any:
    """The value as a field of that type holds it: a list, or a single item, becomes the tuple that is meant.

    Raises:
        MisfitError: The field does not accept it.

    >>> fit("THINK", tuple[str, ...]), fit(["a", "b"], tuple[str, ...])
    (('THINK',), ('a', 'b'))
    """
    if hint is Any:
        return value
    parts = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _fit_one_of(value, hint, parts)
    if origin is typing.Annotated:
        return _fit_annotated(value, parts)
    if origin is typing.Literal:
        return _fit_choice(value, parts)
    if origin is tuple:
        return _fit_tuple(value, hint, parts)
    if origin is not None:
        base = origin if isinstance(origin, type) else object
        return _accepted(value, isinstance(value, base) if base in _CHECKED_GENERICS else True, hint)
    if hint is float:
        _accepted(value, isinstance(value, int | float) and not isinstance(value, bool), hint)
        if isinstance(value, float) and not math.isfinite(value):
            raise MisfitError(describe_type(hint), "; it must be finite")
        return value
    if hint is int:
        return _accepted(value, isinstance(value, int) and not isinstance(value, bool), hint)
    return _accepted(value, not isinstance(hint, type) or isinstance(value, hint), hint)


_CHECKED_GENERICS = (list, dict, set, frozenset, Mapping, Callable)


def describe_type(hint: Any) -> str:
    """A type as a message names it.

    >>> from typing import Literal
    >>> describe_type(int | None), describe_type(Literal["any", "all"]), describe_type(tuple[str, ...])
    ('a whole number or None', "'any' or 'all'", 'strings')
    """
    parts = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if isinstance(hint, str):
        return hint
    if origin in (typing.Union, types.UnionType):
        return _alternatives(map(describe_type, parts))
    if origin is typing.Literal:
        return _alternatives(map(repr, parts))
    if origin is typing.Annotated:
        return _describe_annotated(parts)
    if origin is tuple and parts[1:] == (Ellipsis,):
        each = describe_type(parts[0])
        return f"{each.removeprefix('a ')}s" if each in ("a string", "a whole number", "a number") else (
            f"a tuple of {each}"
        )  # fmt: skip
    if origin is tuple:
        return f"a tuple ({', '.join(map(describe_type, parts))})"
    if hint in _NOUNS:
        return _NOUNS[hint]
    name = getattr(hint, "__name__", str(hint))
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"


def _accepted(value: Any, good: bool, hint: Any) -> Any:
    if not good:
        raise MisfitError(describe_type(hint))
    return value


def _fit_one_of(value: Any, hint: Any, parts: tuple[Any, ...]) -> Any:
    problems = []
    # A string that may be a string stays one, and so do 1 and True.
    for part in sorted(parts, key=lambda part: type(value) is not plain_type(part)):
        try:
            return fit(value, part)
        except MisfitError as problem:
            problems.append(problem)
    said = [problem for problem in problems if problem.hint]
    raise MisfitError(describe_type(hint), said[0].hint if said else "")


def _fit_choice(value: Any, choices: Iterable[Any]) -> Any:
    # 1 == True, so the type counts as well.
    for choice in choices:
        if value == choice and type(value) is type(choice):
            return value
    listed = list(choices)
    hint = close_match(value, [each for each in listed if isinstance(each, str)])
    raise MisfitError(_alternatives(map(repr, listed)), hint)


def _fit_tuple(value: Any, hint: Any, parts: tuple[Any, ...]) -> tuple[Any, ...]:
    alike = parts[1:] == (Ellipsis,)
    if isinstance(value, list):
        value = tuple(value)
    elif alike and (isinstance(value, str) or not isinstance(value, Iterable)):
        value = (value,)
    if not isinstance(value, tuple) or (parts and not alike and len(value) != len(parts)):
        raise MisfitError(describe_type(hint))
    wanted = parts[:1] * len(value) if alike else parts
    try:
        return tuple(fit(item, part) for item, part in zip(value, wanted, strict=bool(parts)))
    except MisfitError as problem:
        raise MisfitError(describe_type(hint), problem.hint) from None


def _fit_annotated(value: Any, parts: tuple[Any, ...]) -> Any:
    kind, *limits = parts
    for limit in limits:
        if isinstance(limit, Renamed) and isinstance(value, str):
            value = limit.values.get(value, value)
    try:
        value = fit(value, kind)
    except MisfitError as problem:
        raise MisfitError(_describe_annotated(parts), problem.hint) from None
    for limit in limits:
        if isinstance(limit, OneOf):
            _fit_choice(value, tuple(limit.choices))
        if isinstance(limit, Range) and not limit.holds(value):
            raise MisfitError(_describe_annotated(parts))
    return value


def _describe_annotated(parts: tuple[Any, ...]) -> str:
    kind, *limits = parts
    for limit in limits:
        if isinstance(limit, OneOf):
            return _alternatives(map(repr, limit.choices))
        if isinstance(limit, Range):
            return f"{describe_type(kind)} {limit}"
    return describe_type(kind)


def _alternatives(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
