"""JSON Schemas that refer to themselves without going a step into the value: no validation of them ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
# What applies to the same value, and what to a value inside of it (or to a key).
_HERE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies")
_WITHIN = (
    *("properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties"),
    *("items", "prefixItems", "additionalItems", "contains", "unevaluatedItems"),
)

_BY_NAME = ("properties", "patternProperties", "dependentSchemas", "dependencies")


class TooDeepError(ValueError):
    """A value or a schema is nested too deeply for the validator."""


@contextmanager
def bounded_depth() -> Iterator[None]:
    """Turn an exhausted stack during validation into one error.

    The validator keeps its maps in a library written in Rust, which panics where Python raises
    RecursionError, and a panic is no `Exception`.

    Raises:
        TooDeepError: It ran out.
    """
    try:
        yield
    except BaseException as error:
        if isinstance(error, RecursionError) or type(error).__name__ == "PanicException":
            raise TooDeepError("nested too deeply") from None
        raise


@lru_cache(maxsize=256)
def loop_in(schema: str) -> str:
    """The first loop of a schema, as a sentence; "" for none.

    >>> loop_in('{"$ref": "#"}')
    "the schema refers to itself without an end, by '#'"
    >>> loop_in('{"properties": {"child": {"$ref": "#"}}}')
    ''
    """
    root = json.loads(schema)
    done: set[int] = set()
    waiting: list[Any] = [root]
    seen: set[int] = set()
    while waiting:  # every schema that a value can meet
        each = waiting.pop()
        if not isinstance(each, dict) or id(each) in seen:
            continue
        seen.add(id(each))
        if (found := _from(each, root, done)) is not None:
            return f"the schema refers to itself without an end, by {found!r:.200}"
        waiting += (target for _, target in _here(each, root))
        waiting += _parts(each, _WITHIN)
    return ""


def _from(start: dict[str, Any], root: Any, done: set[int]) -> str | None:
    """The reference by which a loop from a schema closes; None where there is no loop."""
    path: set[int] = {id(start)}
    steps: list[tuple[int, Iterator[tuple[str, Any]]]] = [(id(start), _here(start, root))]
    while steps:
        number, following = steps[-1]
        reference, target = next(following, ("", None))
        if target is None:  # nothing follows
            steps.pop()
            path.discard(number)
            done.add(number)
        elif isinstance(target, dict) and id(target) not in done:
            if id(target) in path:
                return reference
            path.add(id(target))
            steps.append((id(target), _here(target, root)))
    return None


def _here(schema: dict[str, Any], root: Any) -> Iterator[tuple[str, Any]]:
    """The schemas that the same value meets next, with the references that lead there."""
    for name in _REFERENCES:
        reference = schema.get(name)
        if isinstance(reference, str) and (target := _target(reference, root)) is not None:
            yield reference, target
    for each in _parts(schema, _HERE):
        yield "#", each


def _parts(schema: dict[str, Any], names: tuple[str, ...]) -> Iterator[Any]:
    for name in names:
        value = schema.get(name)
        if isinstance(value, list):
            yield from (each for each in value if isinstance(each, dict))
        elif isinstance(value, dict):
            yield from (value.values() if name in _BY_NAME else (value,))


def _target(reference: str, root: Any) -> Any | None:
    """Return the target of a reference within a document."""
    if not reference.startswith("#"):
        return root if isinstance(root, dict) and reference == root.get("$id") else None
    found = root
    if not reference.startswith("#/"):
        return root if reference == "#" else _anchored(reference[1:], root)
    for step in unquote(reference[2:]).split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdecimal() and int(name) < len(found):
            found = found[int(name)]
        else:
            return None
    return found


def _anchored(name: str, root: Any) -> Any | None:
    waiting = [root]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            if name in (each.get("$anchor"), each.get("$dynamicAnchor")) or each.get("$id") == f"#{name}":
                return each
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return None
