"""Comparing JSON with an expected value: laws of the rule, and that a pattern is needed."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import timed
from verifiers import ConfigError, JsonSchema, Regex
from verifiers.text.json_schema import MAX_LIST, Rule

NUMBERS = st.integers(-1000, 1000) | st.floats(-1e6, 1e6, allow_nan=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
RULES = st.builds(Rule, st.booleans(), st.sampled_from([0.0, 0.01]), st.booleans())


@given(value=VALUES, rule=RULES)
def test_a_value_is_itself_by_every_rule(value: Any, rule: Rule) -> None:
    """And each of its fields is as expected."""
    assert rule.same(value, value)
    assert all(field.equal for field in rule.fields(value, value))


@given(given_value=VALUES, wanted=VALUES, rule=RULES)
def test_fields_say_what_the_rule_says(given_value: Any, wanted: Any, rule: Rule) -> None:
    """All are as expected if and only if the values are the same."""
    found = list(rule.fields(given_value, wanted))
    assert all(field.equal for field in found) == rule.same(given_value, wanted)
    assert all(field.equal or field.said for field in found)


@given(items=st.lists(VALUES, max_size=8), seed=st.integers(0, 99))
def test_any_order_means_any(items: list[Any], seed: int) -> None:
    """A list is each of its permutations."""
    other = list(items)
    random.Random(seed).shuffle(other)
    assert Rule(any_order=True).same(other, items)
    assert not Rule(any_order=True).same([*other, "more"], items)


@given(value=st.dictionaries(st.text(max_size=3), VALUES, max_size=4))
def test_a_subset_takes_further_fields(value: dict[str, Any]) -> None:
    """An exact rule does not."""
    more = {**value, "a further one": 1}
    assert Rule(subset=True).same(more, value)
    assert not Rule().same(more, value)


@pytest.mark.parametrize("size", [MAX_LIST, MAX_LIST + 1, 20_000])
def test_long_lists_in_any_order_cost_little(size: int) -> None:
    """Where each item may be each other's partner, too."""
    wanted = [number % 7 for number in range(size)]
    judge = JsonSchema(reference="value", any_order=True)
    verdict, seconds = timed(judge.verify, json.dumps(wanted[::-1]), wanted)
    assert verdict.score == 1.0
    assert seconds < 5
    assert judge.verify(json.dumps([*wanted[1:], 9]), wanted).score == 0.0


def test_each_field_is_a_part() -> None:
    """By its path, with what is wrong."""
    judge = JsonSchema(reference="value", pays="fields")
    verdict = judge.verify('{"a": {"b": 1}, "c": [1]}', {"a": {"b": 2}, "c": [1]})
    assert [(part.verifier, part.score, part.detail) for part in verdict.parts] == [
        ("$.a.b", 0.0, "$.a.b is 1, not 2"),
        ("$.c[0]", 1.0, ""),
    ]
    schema = {"properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]}
    verdict = JsonSchema(schema, pays="fields").verify('{"a": "x", "b": 1}')
    assert [(part.verifier, part.score) for part in verdict.parts] == [("$.a", 0.0), ("$.b", 1.0)]


def test_a_setting_that_pays_everything_is_refused() -> None:
    """A pattern that is missing; a schema beside a reference that is to be one."""
    for options in ({}, {"full": True}):
        with pytest.raises(ConfigError, match="needs a pattern"):
            Regex(**options)  # type: ignore[arg-type]
    for reference in ("schema", "value"):
        with pytest.raises(ConfigError, match="a schema is configured"):
            JsonSchema({"type": "object"}, reference=reference)  # type: ignore[arg-type]
    assert not JsonSchema(reference="unused").reads_reference()
    assert JsonSchema(reference="value").needs_reference


def test_a_value_that_is_deep_is_over_the_limit() -> None:
    """The answer, and the reference."""
    deep = "[" * 50_000 + "]" * 50_000
    judge = JsonSchema(reference="value")
    assert judge.verify(deep, [1]).reason == "over_limit"
    assert judge.verify("[1]", deep).reason == "bad_reference"
