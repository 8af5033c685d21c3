"""A schema that never ends is at fault itself, whatever the completion; one that ends is not blamed."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import referencing
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import SOAK, examples
from verifiers import JsonSchema, Status, ToolCall
from verifiers.text.schema_loops import TooDeepError, bounded_depth, loop_in

NAMES = ("a", "b", "c")
REFERENCES = st.sampled_from(["#", *(f"#/$defs/{name}" for name in NAMES), "#anchor"]).map(
    lambda to: {"$ref": to}
)
SCHEMAS = st.recursive(
    REFERENCES | st.sampled_from([{"type": "array"}, {}, True, {"const": {"$ref": "#"}}]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=2).map(lambda each: {"allOf": each}),
        st.lists(inner, min_size=1, max_size=2).map(lambda each: {"anyOf": each}),
        inner.map(lambda each: {"not": each}),
        inner.map(lambda each: {"items": each}),
        inner.map(lambda each: {"properties": {"$ref": each, "x": {}}}),
        inner.map(lambda each: {"if": {"type": "array"}, "then": each}),
        inner.map(lambda each: {"dependentSchemas": {"x": each}}),
        inner.map(lambda each: {"$anchor": "anchor", "items": each}),
    ),
    max_leaves=4,
)
VALUES: tuple[Any, ...] = (1, [], [[]], {}, {"x": 1}, {"$ref": [1], "x": {"x": 1}})


def _never_ends(schema: Any) -> bool:
    checked = jsonschema.Draft202012Validator(schema, registry=referencing.Registry())
    for value in VALUES:
        try:
            with bounded_depth():
                list(checked.iter_errors(value))
        except TooDeepError:
            return True
        except referencing.exceptions.Unresolvable:
            pass
    return False


@settings(deadline=None, max_examples=examples(60))
@given(SCHEMAS, st.dictionaries(st.sampled_from(NAMES), SCHEMAS, max_size=3))
def test_every_schema_that_never_ends_is_known(top: Any, definitions: dict[str, Any]) -> None:
    """By the validator itself, on values that reach every part."""
    schema = {**(top if isinstance(top, dict) else {}), "$defs": definitions}
    if _never_ends(schema):
        assert loop_in(json.dumps(schema))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["array", "integer"], "items": {"$ref": "#"}},
        {"properties": {"$ref": {"type": "string"}, "child": {"$ref": "#"}}},
        {"enum": [{"$ref": "#"}]},
        {"$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {"type": "null"}}}},
    ],
)
def test_schemas_that_end_are_not_blamed(schema: Any) -> None:
    """Trees, properties of such names, what is data, what nothing reaches, and what is reached twice."""
    assert loop_in(json.dumps(schema)) == ""
    assert not _never_ends(schema)


@pytest.mark.parametrize("said", ["{}", "[1]", "no JSON", "", "<think>a"])
def test_the_row_is_not_judged_whatever_the_completion(said: str) -> None:
    """A reference that is unusable is so for all completions alike."""
    for schema in ({"$ref": "#"}, {"anyOf": [{"type": "string"}, {"$ref": "#"}]}):
        verdict = JsonSchema(schema).verify(said)
        assert (verdict.status, verdict.reason) == (Status.UNSCORED, "bad_schema")


@pytest.mark.parametrize(
    "wrap", [{}, {"type": "array"}, {"if": {"type": "array"}, "then": {"items": {"$ref": "#"}}}]
)
def test_no_depth_of_a_value_breaks_the_row(wrap: dict[str, Any]) -> None:
    """A completion cannot choose to be unscored by nesting, wherever the stack runs out."""
    judge = JsonSchema({**wrap, "items": {"$ref": "#"}})
    tool = {
        "name": "f",
        "parameters": {"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": judge_of(wrap)}},
    }
    calls = ToolCall(against="schema")
    for depth in (40, 150, 390):
        value = "[" * depth + "]" * depth
        if depth != 150 or SOAK:
            assert judge.verify(value).status is Status.SCORED
        if depth == 40 and not SOAK:
            continue  # two of the three for each: what is undecided takes all the time that a row has
        said = f'<tool_call>{{"name": "f", "arguments": {{"x": {value}}}}}</tool_call>'
        assert calls.verify(said, tools=[tool]).status is Status.SCORED


def judge_of(wrap: dict[str, Any]) -> dict[str, Any]:
    """The same schema as a definition: it refers to itself by its name."""
    said = json.dumps({**wrap, "items": {"$ref": "#"}})
    return dict(json.loads(said.replace('"#"', '"#/$defs/a"')))


def test_tools_have_schemas_that_end() -> None:
    """Or no call of theirs is judged."""
    tool = {"name": "f", "parameters": {"type": "object", "properties": {"x": {"$ref": "#/properties/x"}}}}
    verdict = ToolCall(against="schema").verify(
        '<tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>', tools=[tool]
    )
    assert (verdict.status, verdict.reason) == (Status.UNSCORED, "bad_tools")
    assert "without an end" in verdict.detail
