"""The JSON Schema of recipes, so that editors complete and check them."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, Literal

from reward_verifiers.verifiers.core import (
    EXTRACTORS,
    VERIFIERS,
    Component,
    Extractor,
    OneOf,
    Range,
    Registry,
    Verifier,
    arguments_of,
    field_types,
    first_field,
    sentence_of,
)

from ..tree.reward import NODES, REWARDS, Reward
from ..tree.schedules import SCHEDULES, Schedule
from ..tree.splits import SPLITTERS, Splitter
from .build import AffineModel, ClipModel

_KINDS = {Reward: "reward", Verifier: "verifier", Extractor: "extractor", Schedule: "schedule",
          Splitter: "splitter"}  # fmt: skip
_PLAIN = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


def recipe_schema() -> dict[str, Any]:
    """Return the schema of a recipe file (JSON Schema 2020-12).

    >>> sorted(recipe_schema()["properties"])
    ['$schema', 'description', 'reward']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A reward recipe of reward-verifiers",
        "type": "object",
        "required": ["reward"],
        "additionalProperties": False,
        "properties": {
            "$schema": {"type": "string"},
            "description": {"type": "string"},
            "reward": _ref("reward"),
        },
        "$defs": {
            "reward": _node({**_classes(VERIFIERS), **_classes(REWARDS)}),
            "verifier": _choice(_classes(VERIFIERS)),
            "extractor": _choice(_classes(EXTRACTORS)),
            "schedule": _choice(_classes(SCHEDULES)),
            "splitter": _choice(_classes(SPLITTERS)),
        },
    }


def _classes(registry: Registry[Any]) -> dict[str, type[Component]]:
    return {name: registry.get(name) for name in registry.names()}


def _numbers(model: type[Any]) -> dict[str, Any]:
    return {each.name: {"type": "number"} for each in dataclasses.fields(model)}


def _node(named: dict[str, type[Component]]) -> dict[str, Any]:
    """Return the schema of a reward: a name, or a mapping with one head and the steps after it."""
    node, number = _ref("reward"), {"type": "number"}
    heads: dict[str, Any] = {
        "pay": {**_ref("verifier"), "description": "Pay a verifier's score."},
        "sum": {"type": "array", "items": node, "minItems": 1, "description": "The sum of rewards."},
        **{
            name: {"type": "array", "items": node, "minItems": 1, "description": sentence_of(NODES.get(kind))}
            for name, kind in (("product", "Product"), ("max", "Max"), ("min", "Min"), ("first", "First"))
        },
        "route": _mapping(
            {"by": {"type": "string"}, "routes": _table(node), "otherwise": node},
            ["by", "routes"],
            "A reward for each value of a column.",
        ),
        "split": _mapping(
            {
                "by": _ref("splitter"),
                "into": _table(node),
                "reference": {"type": "string"},
                "otherwise": number,
            },
            ["by", "into"],
            "A reward for each part of an answer.",
        ),
        "of": {**node, "description": "A reward, to take further steps with it."},
        **{name: _component(kind) for name, kind in named.items()},
    }
    steps: dict[str, Any] = {
        "reference": {"type": "string", "description": "The column with the references."},
        "part": {"type": "string", "description": "The part of the verdict that counts."},
        "scheduled": {**_table(_ref("schedule")), "description": "Parameters that move over training."},
        "name": {"type": "string", "description": "The name in explanations and logs."},
        "affine": _mapping(_numbers(AffineModel), [], "scale * value + shift."),
        "penalty": {
            "type": "number",
            "exclusiveMinimum": 0,
            "description": "Penalty for the missing share.",
        },
        "clip": _mapping(_numbers(ClipModel), [], "Limits of the value."),
        "when": {**node, "description": "A gate: pay only if this reaches `at`."},
        "otherwise": {"type": "number", "description": "What a failed gate pays."},
        "at": {"type": "number", "description": "The value from which the gate passes."},
        "optional": {"type": "boolean", "description": "Leave the term out if it has no value."},
        "weight": {"anyOf": [number, _ref("schedule")], "description": "A factor, or a schedule of it."},
    }
    mapping = {
        "type": "object",
        "properties": {**heads, **steps},
        "additionalProperties": False,
        "oneOf": [{"required": [head]} for head in heads],
    }
    return {"anyOf": [{"enum": sorted(named)}, number, mapping]}


def _choice(named: dict[str, type[Component]]) -> dict[str, Any]:
    """Return the schema of a component: its name, or its name with arguments."""
    mapping = {
        "type": "object",
        "properties": {name: _component(kind) for name, kind in named.items()},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    return {"anyOf": [{"enum": sorted(named)}, mapping]}


def _component(kind: type[Component]) -> dict[str, Any]:
    """Return the schema of a component's arguments: a mapping of fields, or the value of the first."""
    hints, said = field_types(kind), arguments_of(kind)
    fields = {}
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]  # components are dataclasses
        shown = {"description": said[field.name]} if field.name in said else {}
        fields[field.name] = {**_type(hints.get(field.name)), **shown}
    required = [
        field.name
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]
    forms = [_mapping(fields, required, "")]
    first = first_field(kind)
    if first is not None and required in ([], [first]):
        forms.append(_type(hints.get(first)))
    return {"anyOf": forms, "description": sentence_of(kind)}


def _type(hint: Any) -> dict[str, Any]:
    parts = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if origin is typing.Annotated:
        return {**_type(parts[0]), **_limits(parts[1:])}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_type(part) for part in parts]}
    if origin is tuple:
        # A single string stands for a tuple of one, where a field takes names.
        items = _type(parts[0]) if parts[1:] == (Ellipsis,) else {}
        listed = {"type": "array", "items": items}
        return {"anyOf": [listed, items]} if items.get("type") == "string" else listed
    for kind, name in _KINDS.items():
        if isinstance(hint, type) and issubclass(hint, kind):
            return _ref(name)
    return {}


def _limits(limits: tuple[Any, ...]) -> dict[str, Any]:
    """Return the constraints that `Annotated` adds to a type."""
    found: dict[str, Any] = {}
    for limit in limits:
        if isinstance(limit, OneOf):
            found = {"enum": sorted(limit.choices)}
        if isinstance(limit, Range):
            named = {"minimum": limit.least, "maximum": limit.most, "exclusiveMinimum": limit.above}
            found = {name: number for name, number in named.items() if number is not None}
    return found


def _mapping(properties: dict[str, Any], required: list[str], description: str) -> dict[str, Any]:
    mapping = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        mapping["required"] = required
    return {**mapping, "description": description} if description else mapping


def _table(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": items, "minProperties": 1}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}
