"""The calls that a row expects, and the tools that it offers; and the Berkeley leaderboard's rules for both.

Source: https://github.com/ShishirPatil/gorilla, berkeley-function-call-leaderboard (v4),
eval_checker/ast_eval/ast_checker.py, for single turns. The rules are followed where they tell right from
wrong; `docs/tools.md` has the list of where they do not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .parsed_call import (
    MAX_CALLS,
    MAX_CHARS,
    Call,
    CallError,
    Untyped,
    call_of,
    checked_name,
    shown,
    strict_json,
)
from .python_calls import read_calls


class BadReferenceError(Exception):
    """A reference, or tools, that no completion can be judged with; the message says why."""


@dataclass(frozen=True)
class Tool:
    """A tool, as a row describes it.

    Args:
        name: Its name.
        schema: The JSON Schema of its arguments.
    """

    name: str
    schema: Mapping[str, Any]


# The Berkeley leaderboard names types of Python and Java.
_TYPES = {
    "dict": "object", "float": "number", "double": "number", "tuple": "array", "bool": "boolean",
    "int": "integer", "long": "integer", "str": "string", "String": "string", "list": "array",
}  # fmt: skip


def expected_calls(reference: Any) -> list[Call]:
    """The calls of a reference: a call or a list of them, as data, as JSON or as Python writes calls.

    An empty list means that no call is to be made.

    Raises:
        BadReferenceError: It is none of these.

    >>> [str(call) for call in expected_calls('[{"name": "add", "arguments": {"a": 1}}]')]
    ['add(a=1)']
    >>> expected_calls([])
    []
    """
    try:
        value = _as_data(reference)
        if isinstance(value, Mapping):
            value = [value]
        if not isinstance(value, list | tuple):
            raise BadReferenceError(f"expected calls are a list of calls, got {shown(reference)}")
        if len(value) > MAX_CALLS:
            raise BadReferenceError(f"more than {MAX_CALLS} expected calls")
        return [each if isinstance(each, Call) else _call(each) for each in value]
    except CallError as error:
        raise BadReferenceError(f"{error}, in {shown(reference)}") from None


def _call(value: Any) -> Call:
    if isinstance(value, str):
        [*calls] = read_calls(value)
        if len(calls) != 1:
            raise CallError("several calls in one place of the list")
        return calls[0]
    if not isinstance(value, Mapping):
        raise CallError(f"a call is an object with a name and arguments, got {shown(value)}")
    if "name" not in value and "function" not in value:
        raise CallError(
            "a call has a name and arguments; a reference of the Berkeley leaderboard, {name: {parameter: "
            "[values]}}, needs rules: bfcl"
        )
    plain = {key: dict(each) if isinstance(each, Mapping) else each for key, each in value.items()}
    return call_of(plain, ("arguments", "parameters"), as_text=True, wrapped=True)


def _as_data(reference: Any) -> Any:
    if not isinstance(reference, str):
        return reference
    if len(reference) > MAX_CHARS:
        raise CallError(f"longer than {MAX_CHARS} characters")
    text = reference.strip()
    if not text:
        raise CallError("empty; write [] if no call is due")
    try:
        return strict_json(text)
    except CallError:
        if text[0] in '{"' or text[1:].lstrip()[:1] == "{":
            raise
    return read_calls(text)


def bfcl_calls(reference: Any) -> list[tuple[str, dict[str, list[Any]]]]:
    """The calls of a ground truth of the Berkeley leaderboard: names, and what each parameter may be.

    Raises:
        BadReferenceError: It is of another form.
    """
    try:
        value = strict_json(reference) if isinstance(reference, str) else reference
    except CallError as error:
        raise BadReferenceError(f"{error}, in {shown(reference)}") from None
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list | tuple) or len(value) > MAX_CALLS:
        raise BadReferenceError(
            f"a ground truth is a list of {{name: {{parameter: [values]}}}}: {shown(value)}"
        )
    found = []
    for each in value:
        if not isinstance(each, Mapping) or len(each) != 1:
            raise BadReferenceError(f"a call is {{name: {{parameter: [values]}}}}, got {shown(each)}")
        [(name, given)] = each.items()
        parameters = {} if given is None else given
        if not isinstance(parameters, Mapping) or not all(
            isinstance(values, list | tuple) and values for values in parameters.values()
        ):
            raise BadReferenceError(
                f"each parameter has a list of the values that it may have: {shown(each)}"
            )
        found.append((str(name), {key: list(values) for key, values in parameters.items()}))
    return found


def tools_of(given: Any) -> dict[str, Tool]:
    """The tools of a row, by name: a list, or its JSON, of OpenAI's or bare function descriptions.

    Raises:
        BadReferenceError: They are of another form, or two have one name.

    >>> tools_of([{"name": "now", "parameters": {"type": "dict", "properties": {}}}])["now"].schema["type"]
    'object'
    """
    if isinstance(given, str):
        return dict(_from_text(given))
    return _tools(given)


@lru_cache(maxsize=256)
def _from_text(text: str) -> dict[str, Tool]:
    try:
        return _tools(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise BadReferenceError(f"the tools are not JSON: {error}"[:200]) from None


def _tools(given: Any) -> dict[str, Tool]:
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, list | tuple) or not given:
        raise BadReferenceError(f"tools are a list of descriptions, got {shown(given)}")
    found: dict[str, Tool] = {}
    for each in given:
        inner = each.get("function", each) if isinstance(each, Mapping) else each
        if not isinstance(inner, Mapping):
            raise BadReferenceError(f"a tool is an object with a name and parameters, got {shown(each)}")
        schema = inner.get("parameters") or {"type": "object", "properties": {}}
        try:
            name = checked_name(inner.get("name"))
        except CallError as error:
            raise BadReferenceError(str(error)) from None
        if not isinstance(schema, Mapping):
            raise BadReferenceError(f"the parameters of {name!r:.80} are no schema: {shown(schema)}")
        if name in found:
            raise BadReferenceError(f"two tools are called {name!r:.80}")
        found[name] = Tool(name, _plain_schema(schema, 0))
    return found


def _plain_schema(schema: Any, depth: int) -> Any:
    """A schema with the standard's names of types; "any" is no type at all."""
    if depth > 60:
        raise BadReferenceError("a tool's schema is nested too deeply")
    if isinstance(schema, list | tuple):
        return [_plain_schema(each, depth + 1) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    found: dict[str, Any] = {}
    for key, value in schema.items():
        if value is None and key not in ("const", "default"):
            continue  # an Arrow table fills keys up that other rows have
        if key == "properties" and isinstance(value, Mapping):
            kept = {name: each for name, each in value.items() if each is not None}
            found[key] = {name: _plain_schema(each, depth + 1) for name, each in kept.items()}
        elif key == "type" and isinstance(value, str):
            if value.lower() != "any":
                found[key] = _TYPES.get(value, value)
        elif key in ("enum", "const", "default", "examples"):
            found[key] = value
        else:
            found[key] = _plain_schema(value, depth + 1)
    return found


OMITTED = ""
"""Among a parameter's values: it may be left out."""
_WORD_HYPHEN = re.compile(r"(?<=[^\W\d_]{2})-(?=[^\W\d_]{2})")
_MARK = re.compile(r"(?<![\d\s,._])[\s,._]++(?!\d)")

Expected = tuple[str, Mapping[str, list[Any]]]


def folded(text: str) -> str:
    """A text without what spelling leaves open: case, and spaces and marks between words.

    The leaderboard drops these marks everywhere, and "/", "-", "*" and "^" as well, so that "-5" is "5",
    "1.5" is "15" and "x^2" is "x*2". Here a mark goes only where no digit stands beside it, and a hyphen
    only between words.

    >>> folded("New-York, NY") == folded("new york ny"), folded("-5") == folded("5"), folded("1.5")
    (True, False, '1.5')
    """
    text = _WORD_HYPHEN.sub("", text.casefold().replace("'", '"').strip())
    return _MARK.sub("", text)


def fits(made: Call, expected: Expected, tool: Tool | None) -> bool:
    """Return whether a ground truth accepts a call.

    Args:
        made: The call.
        expected: Its name, and for each parameter the values that it may have.
        tool: As the row describes it, if it does.
    """
    name, parameters = expected
    if made.name != name or not made.arguments.keys() <= parameters.keys():
        return False
    schema = {} if tool is None else tool.schema
    properties = schema.get("properties")
    types = {
        key: each.get("type")
        for key, each in (properties.items() if isinstance(properties, Mapping) else ())
        if isinstance(each, Mapping)
    }
    required = schema.get("required")
    if isinstance(required, list | tuple) and not set(required) <= made.arguments.keys():
        return False
    given = made.arguments
    return all(
        _is_one_of(given[key], values, types.get(key)) if key in given else OMITTED in values
        for key, values in parameters.items()
    )


def _is_one_of(made: Any, accepted: list[Any], kind: Any) -> bool:
    return any(_same(made, value, kind == "number") for value in accepted)


def _same(made: Any, accepted: Any, is_number: bool = False) -> bool:
    """Types count; a whole number stands for a number with a point where the tool's schema says so."""
    if isinstance(made, Untyped) and not isinstance(accepted, str):
        try:
            made = strict_json(made)
        except CallError:
            return False
    if isinstance(accepted, bool) or isinstance(made, bool) or accepted is None or made is None:
        return made is accepted
    if isinstance(accepted, str):
        return isinstance(made, str) and folded(made) == folded(accepted)
    if isinstance(accepted, int | float):
        if not isinstance(made, int | float) or made != accepted:
            return False
        return is_number or isinstance(made, float) == isinstance(accepted, float)
    if isinstance(accepted, list | tuple):
        return (
            isinstance(made, list | tuple)
            and len(made) == len(accepted)
            and all(_same(one, other) for one, other in zip(made, accepted, strict=True))
        )
    if isinstance(accepted, Mapping):
        return _same_mapping(made, accepted)
    return False


def _same_mapping(made: Any, accepted: Mapping[str, Any]) -> bool:
    """In a mapping of the ground truth each key has its list of values, too."""
    if not isinstance(made, Mapping) or not made.keys() <= accepted.keys():
        return False
    for key, values in accepted.items():
        several = values if isinstance(values, list) else [values]
        if not (_is_one_of(made[key], several, None) if key in made else OMITTED in several):
            return False
    return True
