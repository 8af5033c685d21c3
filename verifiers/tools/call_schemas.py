"""Calls and the schemas of tools: types of untyped arguments, and whether arguments fit.

Schemas are asked in a worker process, since their patterns can backtrack without end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..runtime.pool import shared_pool
from ..runtime.worker_process import Outcome
from ..text.schema_loops import TooDeepError, bounded_depth, loop_in
from .expected_calls import Tool
from .parsed_call import Call, CallError, Untyped, strict_json

VALIDATION_SECONDS = 2.0
"""Processor time for the calls of one completion."""
_JSON_TYPES = ("integer", "number", "boolean", "array", "object", "null")


def typed(call: Call, tool: Tool | None, *, finally_: bool = False) -> Call:
    """A call whose untyped arguments have the types that its tool's schema gives them.

    Args:
        call: As it was made.
        tool: Its tool; None where nothing is known of it.
        finally_: Whether what has no type in the schema is to become one, too: JSON, else text.
    """
    if not any(isinstance(value, Untyped) for value in call.arguments.values()):
        return call
    properties = {} if tool is None else tool.schema.get("properties")
    known = properties if isinstance(properties, Mapping) else {}
    return Call(
        call.name,
        {name: _typed(value, known.get(name), finally_) for name, value in call.arguments.items()},
    )


def _typed(value: Any, schema: Any, finally_: bool) -> Any:
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    if not isinstance(value, Untyped):
        return value
    if kind == "string":
        return str(value)
    if kind not in _JSON_TYPES and not finally_:
        return value
    try:
        return strict_json(value)
    except CallError:
        return str(value)


def tools_problem(tools: Mapping[str, Tool]) -> Outcome:
    """In the outcome's value what is wrong with the schemas, "" for nothing."""
    return _asked("schemas_problem", _as_text(tools))


def calls_problem(tools: Mapping[str, Tool], calls: list[Call]) -> Outcome:
    """In the outcome's value the first argument that does not fit its schema, "" for none."""
    said = json.dumps([[call.name, call.arguments] for call in calls])
    return _asked("arguments_problem", _as_text(tools), said)


def _as_text(tools: Mapping[str, Tool]) -> str:
    return json.dumps({name: _closed(tool.schema) for name, tool in tools.items()}, sort_keys=True)


def _closed(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A function takes no arguments but its own, which the standard leaves open."""
    if "properties" in schema and "additionalProperties" not in schema:
        return {**schema, "additionalProperties": False}
    return schema


def _asked(function: str, *arguments: str) -> Outcome:
    name = f"{__name__}:{function}"
    return shared_pool().run(name, arguments, cpu_seconds=VALIDATION_SECONDS)


def warm_up() -> None:
    """Load what validation needs, before the first task's time counts."""
    _validator({})


def schemas_problem(schemas: str) -> str:
    """Runs in the worker process."""
    import jsonschema

    for name, schema in json.loads(schemas).items():
        if problem := loop_in(json.dumps(schema)):
            return f"the schema of {name!r:.80}: {problem}"[:300]
        try:
            kind = type(_validator(schema))
            with bounded_depth():
                kind.check_schema(schema)
                list(_validator(schema).iter_errors({}))
        except jsonschema.SchemaError as error:
            return f"the schema of {name!r:.80}: {error.message}"[:300]
        except Exception as error:  # references to what is not there, patterns that are none
            return f"the schema of {name!r:.80}: {type(error).__name__}: {error}"[:300]
    return ""


def arguments_problem(schemas: str, calls: str) -> str:
    """Runs in the worker process."""
    import jsonschema

    known = json.loads(schemas)
    for name, arguments in json.loads(calls):
        try:
            with bounded_depth():
                problem = jsonschema.exceptions.best_match(_validator(known[name]).iter_errors(arguments))
        except TooDeepError:
            return f"{name}: the arguments are nested too deeply"
        if problem is not None:
            where = problem.json_path if problem.absolute_path else "the arguments"
            return f"{name}: at {where}: {problem.message}"[:400]
    return ""


def _validator(schema: Any) -> Any:
    import jsonschema
    import referencing

    # An empty registry: a schema must not make a reward fetch addresses.
    return jsonschema.validators.validator_for(schema)(schema, registry=referencing.Registry())
