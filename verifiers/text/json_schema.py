"""The answer is JSON of a given shape."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract import CodeBlock, Extractor, FirstOf, Tag, WholeText
from ..extract.answers import find_answer
from ..runtime.packages import require
from ..runtime.pool import shared_pool
from .schema_loops import loop_in

MAX_JSON_CHARS = 200_000
"""Longest text that is read as JSON."""
VALIDATION_SECONDS = 2.0
"""Processor time for one validation: a schema's patterns and unions can backtrack without end."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class JsonSchema(Verifier):
    """The answer parses as JSON and fits a JSON Schema.

    Validation runs in a worker process, since a schema's patterns can backtrack without end on a text
    made for it. References to other documents are not followed.

    Args:
        schema: The schema as a mapping or as JSON text; kept as canonical JSON. An empty one takes any
            JSON. A row's reference plays no part.
        extract: Where the JSON is: a SOLUTION or answer tag, a json block, or the whole text.

    Raises:
        ConfigError: The schema is not JSON, or not a valid schema.

    >>> JsonSchema({"type": "object", "required": ["x"]}).verify('{"x": 1}').reason
    'valid'
    >>> JsonSchema({"type": "object", "required": ["x"]}).verify('{"y": 1}').detail
    "at the top: 'x' is a required property"
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "valid": "the JSON fits the schema",
        "invalid": "the JSON does not fit the schema",
        "bad_schema": "the schema refers to something that is not in it, or to itself without an end",
        "not_json": "the answer is not JSON",
        "no_answer": "no answer was found, its mark was left open, or thinking never ended",
        "over_limit": "the answer is too long, too deep, or takes too long to validate",
    }
    needs_reference: ClassVar[bool] = False
    depends: ClassVar[tuple[str, ...]] = ("jsonschema",)

    schema: str | Mapping[str, Any] = "{}"
    extract: Extractor = field(default=FirstOf(Tag(), CodeBlock(("json", "jsonc")), WholeText()))

    def __post_init__(self) -> None:
        try:
            loaded = json.loads(self.schema) if isinstance(self.schema, str) else self.schema
            canonical = json.dumps(loaded, sort_keys=True, ensure_ascii=False)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"JsonSchema: the schema is not JSON: {error}") from error
        object.__setattr__(self, "schema", canonical)
        jsonschema = require("jsonschema")
        try:
            jsonschema.validators.validator_for(loaded).check_schema(loaded)
        except jsonschema.SchemaError as error:
            raise ConfigError(f"JsonSchema: not a valid schema: {error.message}") from error
        super().__post_init__()

    def check(self, sample: Sample) -> Verdict:
        if problem := loop_in(str(self.schema)):
            return self.unscored("bad_schema", problem)
        answer = find_answer(self, self.extract, sample, form="raw")
        if isinstance(answer, Verdict):
            return answer
        if len(answer) > MAX_JSON_CHARS:
            return self.scored(0.0, "over_limit", f"longer than {MAX_JSON_CHARS} characters")
        try:
            json.loads(answer)
        except ValueError as error:
            return self.scored(0.0, "not_json", str(error), extracted=answer)
        except RecursionError:
            return self.scored(0.0, "over_limit", "the JSON is nested too deeply")
        outcome = shared_pool().run(
            "verifiers.text.json_schema:_validate", (self.schema, answer), cpu_seconds=VALIDATION_SECONDS
        )
        if not outcome.ok:
            if outcome.by_task:
                return self.scored(0.0, "over_limit", outcome.detail)
            return self.fault("worker", outcome.detail)
        problem, in_schema = outcome.value
        if in_schema:
            return self.unscored("bad_schema", problem)
        if problem:
            return self.scored(0.0, "invalid", problem, extracted=answer)
        return self.scored(1.0, "valid", extracted=answer)


def _validate(schema: str, answer: str) -> tuple[str, bool]:
    """The first problem of a JSON text, "" for none; and whether it is the schema's.

    Runs in the worker process.
    """
    import jsonschema
    import referencing
    import referencing.exceptions

    loaded = json.loads(schema)
    kind = jsonschema.validators.validator_for(loaded)
    # An empty registry: a schema must not make a reward fetch addresses.
    validator = kind(loaded, registry=referencing.Registry())
    try:
        problem = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(answer)))
    except RecursionError:
        return "the JSON is nested too deeply", False
    except referencing.exceptions.Unresolvable as error:
        return f"the schema refers to {error.ref!r}, which is not in it", True
    if problem is None:
        return "", False
    where = problem.json_path if problem.absolute_path else "the top"
    return f"at {where}: {problem.message}"[:500], False
