"""The answer is JSON of a given shape, or of a given value, compared field by field under a stated rule."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from ..core.checks import Range
from ..core.extraction import Extractor
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract.answers_and_references import find_answer
from ..extract.chain import FirstOf, WholeText
from ..extract.code_block import CodeBlock
from ..extract.marked_answers import Tag
from ..language.normalization import nfc
from ..runtime.packages import require
from ..runtime.pool import shared_pool
from .schema_loops import TooDeepError, bounded_depth, loop_in

MAX_LIST = 200
"""Items of a list in any order up to which each is tried with each; a longer one is sorted first."""
MAX_FIELDS = 2_000
"""Fields that are reported one by one."""


class FieldFound(NamedTuple):
    """One field of the expected value, or one that is too many.

    Args:
        path: Its JSON path.
        equal: Whether the answer has it so.
        said: The mistake; "" if there is none.
    """

    path: str
    equal: bool
    said: str = ""


@dataclass(frozen=True)
class Rule:
    """Rule for the equality of a value and the expected one.

    Args:
        subset: Whether objects may have further fields.
        tolerance: Largest difference of numbers, absolute and relative to the expected one.
        any_order: Whether the order of lists counts for nothing.
    """

    subset: bool = False
    tolerance: float = 0.0
    any_order: bool = False

    def fields(self, given: Any, wanted: Any, path: str = "$") -> Iterator[FieldFound]:
        """Every field of the expected value, and each one that is too many, in the order of the expected one.

        >>> [each.path for each in Rule().fields({"a": 1, "c": 3}, {"a": 1, "b": 2}) if not each.equal]
        ['$.b', '$.c']
        """
        if isinstance(wanted, dict) and isinstance(given, dict):
            for name, value in wanted.items():
                where = f"{path}.{name}"
                if name not in given:
                    yield FieldFound(where, False, f"{where} is missing")
                else:
                    yield from self.fields(given[name], value, where)
            for name in given if not self.subset else ():
                if name not in wanted:
                    yield FieldFound(f"{path}.{name}", False, f"{path}.{name} is not expected")
            if not wanted and not given:
                yield FieldFound(path, True)
        elif isinstance(wanted, list) and isinstance(given, list) and not self.any_order and wanted:
            for place, value in enumerate(wanted):
                where = f"{path}[{place}]"
                if place >= len(given):
                    yield FieldFound(where, False, f"{where} is missing")
                else:
                    yield from self.fields(given[place], value, where)
            if len(given) > len(wanted):
                said = f"{path} has {len(given)} items, {len(wanted)} are expected"
                yield FieldFound(f"{path}[{len(wanted)}]", False, said)
        else:
            equal = self.same(given, wanted)
            yield FieldFound(path, equal, "" if equal else f"{path} is {_short(given)}, not {_short(wanted)}")

    def same(self, given: Any, wanted: Any) -> bool:
        """Return whether a value equals the expected one.

        >>> Rule(tolerance=0.01).same({"x": 1.001}, {"x": 1}), Rule().same(True, 1), Rule().same(1.0, 1)
        (True, False, True)
        >>> Rule(any_order=True).same([2, 1], [1, 2]), Rule(subset=True).same({"a": 1, "b": 2}, {"a": 1})
        (True, True)
        """
        if isinstance(wanted, dict):
            return isinstance(given, dict) and self._same_objects(given, wanted)
        if isinstance(wanted, list):
            if not isinstance(given, list) or len(given) != len(wanted):
                return False
            if self.any_order:
                return self._same_bags(given, wanted)
            return all(self.same(one, other) for one, other in zip(given, wanted, strict=True))
        if _is_number(wanted) and _is_number(given):
            return self._same_numbers(given, wanted)
        if isinstance(wanted, str) and isinstance(given, str):
            return nfc(given) == nfc(wanted)
        return type(given) is type(wanted) and bool(given == wanted)

    def _same_objects(self, given: dict[str, Any], wanted: dict[str, Any]) -> bool:
        if not self.subset and given.keys() != wanted.keys():
            return False
        return all(name in given and self.same(given[name], value) for name, value in wanted.items())

    def _same_bags(self, given: Sequence[Any], wanted: Sequence[Any]) -> bool:
        if len(wanted) > MAX_LIST:
            ordered = Rule(self.subset, self.tolerance)
            pairs = zip(sorted(given, key=_order), sorted(wanted, key=_order), strict=True)
            return all(ordered.same(one, other) for one, other in pairs)
        return _matched([[self.same(one, other) for other in wanted] for one in given])

    def _same_numbers(self, given: float, wanted: float) -> bool:
        if not self.tolerance or not (_finite(given) and _finite(wanted)):
            return given == wanted
        return abs(given - wanted) <= max(self.tolerance, self.tolerance * abs(wanted))


def _matched(table: list[list[bool]]) -> bool:
    """Return whether every item has a partner of its own: the first that fits may be another's."""
    partner: dict[int, int] = {}

    def found(item: int, seen: set[int]) -> bool:
        for place, fits in enumerate(table[item]):
            if fits and place not in seen:
                seen.add(place)
                if place not in partner or found(partner[place], seen):
                    partner[place] = item
                    return True
        return False

    return all(found(item, set()) for item in range(len(table)))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _order(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"


MAX_JSON_CHARS = 200_000
"""Longest text that is read as JSON."""
VALIDATION_SECONDS = 2.0
"""Processor time for one validation: a schema's patterns and unions can backtrack without end."""


KEYWORDS = frozenset(
    """
    $schema $ref $defs $dynamicRef definitions type enum const properties patternProperties
    additionalProperties required propertyNames minProperties maxProperties items prefixItems
    additionalItems contains minItems maxItems uniqueItems allOf anyOf oneOf not if then else
    dependentSchemas dependentRequired dependencies pattern format minLength maxLength minimum
    maximum exclusiveMinimum exclusiveMaximum multipleOf
    """.split()
)
"""Names of which a schema has one at least: an object without any would take all JSON."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class JsonSchema(Verifier):
    """The answer is JSON that satisfies a JSON Schema, or that equals an expected value.

    You configure the schema, or it is the row's reference. With ``reference="value"`` the reference is the
    expected value. Validation runs in a worker process, because a schema's patterns can backtrack without end
    on a malicious text. References to other documents are not followed.

    Args:
        schema: Schema for all rows, as a mapping or JSON text. An empty one accepts any JSON, unless the row
            has its own.
        extract: Finds the JSON: a SOLUTION or answer tag, a json block, or the whole text.
        reference: Meaning of a row's reference: its ``schema``, an expected ``value`` (as data or JSON text),
            or ``unused`` if it is for other verifiers. By default it is a schema if you configure none; an
            object beside a configured schema is an error, because it is probably meant to count.
        compare: ``exact``, or ``subset``, where objects may have more fields than expected.
        tolerance: Largest absolute or relative difference of numbers from an expected value.
        any_order: Whether lists may have any order.
        pays: ``all`` or nothing, or the share of ``fields`` that are right: those of the expected value, or
            the top-level properties of the schema. There is one part per field.

    Raises:
        ConfigError: The schema is not JSON or not a valid schema, or you configure one and declare the
            reference to be one.

    >>> JsonSchema({"type": "object", "required": ["x"]}).verify('{"x": 1}').reason
    'valid'
    >>> JsonSchema().verify('{"y": 1}', {"type": "object", "required": ["x"]}).detail
    "at the top: 'x' is a required property"
    >>> JsonSchema(reference="value", pays="fields").verify('{"a": 1, "b": 3}', {"a": 1, "b": 2}).score
    0.5
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "valid": "the JSON fits the schema",
        "invalid": "the JSON does not fit the schema",
        "partly_valid": "with `pays` fields: some properties fit",
        "equal": "the JSON is the expected value",
        "not_equal": "it is another one",
        "partly_equal": "with `pays` fields: some fields are as expected",
        "bad_schema": "the schema refers to something that is not in it, or to itself without an end",
        "bad_reference": "the reference is not the schema or JSON value that `reference` declares",
        "unused_reference": "a schema is configured, and the row's reference would not be used",
        "not_json": "the answer is not JSON",
        "no_answer": "no answer was found, its mark was left open, or thinking never ended",
        "over_limit": "the answer is too long, too deep, or takes too long to validate",
    }
    needs_reference: ClassVar[bool] = False
    depends: ClassVar[tuple[str, ...]] = ("jsonschema",)

    schema: str | Mapping[str, Any] = "{}"
    extract: Extractor = field(default=FirstOf(Tag(), CodeBlock(("json", "jsonc")), WholeText()))
    reference: Literal["auto", "schema", "value", "unused"] = "auto"
    compare: Literal["exact", "subset"] = "exact"
    tolerance: Annotated[float, Range(least=0)] = 0.0
    any_order: bool = False
    pays: Literal["all", "fields"] = "all"

    def __post_init__(self) -> None:
        try:
            loaded = json.loads(self.schema) if isinstance(self.schema, str) else self.schema
            canonical = json.dumps(loaded, sort_keys=True, ensure_ascii=False)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"JsonSchema: the schema is not JSON: {error}") from error
        object.__setattr__(self, "schema", canonical)
        if problem := _problem_of(loaded):
            raise ConfigError(f"JsonSchema: not a valid schema: {problem}")
        super().__post_init__()
        object.__setattr__(self, "needs_reference", self.reference in ("schema", "value"))
        if self.needs_reference and canonical != "{}":
            raise ConfigError(
                f"JsonSchema: a schema is configured, and reference={self.reference!r} brings another"
            )

    def reads_reference(self) -> bool:
        return self.reference != "unused"

    def check(self, sample: Sample) -> Verdict:
        schema, expected = str(self.schema), None
        if sample.reference is not None and self.reference != "unused":
            read = self._of_row(sample.reference)
            if isinstance(read, Verdict):
                return read
            if self.reference == "value":
                expected = read
            elif read is not None:
                schema = json.dumps(read[0], sort_keys=True, ensure_ascii=False)
        if problem := loop_in(schema):
            return self.unscored("bad_schema", problem)
        answer = find_answer(self, self.extract, sample, form="raw")
        if isinstance(answer, Verdict):
            return answer
        if len(answer) > MAX_JSON_CHARS:
            return self.scored(0.0, "over_limit", f"longer than {MAX_JSON_CHARS} characters")
        try:
            given = json.loads(answer)
            if expected is not None:
                return self._compared(answer, given, expected[0])
        except ValueError as error:
            return self.scored(0.0, "not_json", str(error), extracted=answer)
        except RecursionError:
            return self.scored(0.0, "over_limit", "the JSON is nested too deeply")
        return self._validated(answer, schema)

    def _of_row(self, reference: Any) -> tuple[Any] | Verdict | None:
        """Return the row's schema or value, in a tuple since it may be null; None for another verifier's."""
        if str(self.schema) != "{}":
            if not isinstance(_loaded(reference), Mapping):
                return None  # an answer for another verifier of the recipe
            said = (
                'a schema is configured as well; write reference="unused" '
                "if the reference is for other verifiers"
            )
            return self.unscored("unused_reference", said)
        found = _loaded(reference)
        if found is _NOT_JSON:
            return self.unscored("bad_reference", f"not JSON: {reference!r:.80}")
        if self.reference == "value":
            return (found,)
        # True is a schema, too, and would pay for any JSON.
        known = isinstance(found, Mapping) and bool(KEYWORDS & found.keys())
        cure = 'say reference="value" if it is an expected value, or "unused" if it is for other verifiers'
        if not known:
            return self.unscored("bad_reference", f"the reference is no schema: {reference!r:.80}; {cure}")
        if problem := _problem_of(found):
            return self.unscored("bad_reference", f"the reference is no valid schema: {problem}; {cure}")
        return (found,)

    def _compared(self, answer: Any, given: Any, expected: Any) -> Verdict:
        rule = Rule(self.compare == "subset", self.tolerance, self.any_order)
        found = list(islice(rule.fields(given, expected), MAX_FIELDS))
        wrong = [each for each in found if not each.equal]
        return self._by_fields(
            answer, found, wrong[0].said if wrong else "", "equal", "not_equal", "partly_equal"
        )

    def _by_fields(
        self, answer: Any, found: list[FieldFound], detail: str, right: str, wrong: str, partly: str
    ) -> Verdict:
        share = sum(each.equal for each in found) / len(found) if found else float(not detail)
        score = share if self.pays == "fields" else float(not detail)
        reason = right if not detail else partly if 0 < score < 1 else wrong
        parts = tuple(
            replace(
                self.scored(float(each.equal), right if each.equal else wrong, each.said), verifier=each.path
            )
            for each in found
        )
        return self.scored(score, reason, detail, extracted=answer, parts=parts)

    def _validated(self, answer: Any, schema: str) -> Verdict:
        outcome = shared_pool().run(
            f"{__name__}:_validate", (schema, str(answer)), cpu_seconds=VALIDATION_SECONDS
        )
        if not outcome.ok:
            if outcome.by_task:
                return self.scored(0.0, "over_limit", outcome.detail)
            return self.fault("worker", outcome.detail)
        problem, in_schema, fields = outcome.value
        if in_schema:
            return self.unscored("bad_schema", problem)
        found = [FieldFound(path, not said, said) for path, said in fields] if self.pays == "fields" else []
        return self._by_fields(answer, found, problem, "valid", "invalid", "partly_valid")


_NOT_JSON = object()


def _loaded(reference: Any) -> Any:
    """A reference as data; text is read as JSON."""
    if not isinstance(reference, str):
        try:
            json.dumps(reference)
        except (TypeError, ValueError, RecursionError):
            return _NOT_JSON
        return reference
    try:
        return json.loads(reference) if len(reference) <= MAX_JSON_CHARS else _NOT_JSON
    except (ValueError, RecursionError):
        return _NOT_JSON


def _problem_of(schema: Any) -> str:
    """Why something is no valid schema; "" if it is one."""
    jsonschema = require("jsonschema")
    try:
        with bounded_depth():
            jsonschema.validators.validator_for(schema).check_schema(schema)
    except jsonschema.SchemaError as error:
        return str(error.message)[:300]
    except TooDeepError:
        return "it is nested too deeply"
    return ""


def _validate(schema: str, answer: str) -> tuple[str, bool, list[tuple[str, str]]]:
    """The first problem of a JSON text, "" for none; whether it is the schema's; each property with its own.

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
        with bounded_depth():
            errors = list(islice(validator.iter_errors(json.loads(answer)), MAX_FIELDS))
            problem = jsonschema.exceptions.best_match(iter(errors))
    except TooDeepError:
        return "the JSON is nested too deeply", False, []
    except referencing.exceptions.Unresolvable as error:
        return f"the schema refers to {error.ref!r}, which is not in it", True, []
    if problem is None:
        return "", False, _properties(loaded, {})
    where = problem.json_path if problem.absolute_path else "the top"
    by_name: dict[str, str] = {}
    for each in errors:
        named = [str(each.absolute_path[0])] if each.absolute_path else _missing(each)
        for name in named:
            by_name.setdefault(name, str(each.message)[:300])
    said = f"at {where}: {problem.message}"[:500]
    found = _properties(loaded, by_name)
    # What is wrong at the top, such as a list in place of an object, leaves no property right.
    if any(not each.absolute_path and not _missing(each) for each in errors):
        found = [(path, detail or said) for path, detail in found]
    return said, False, found


def _properties(schema: Any, wrong: Mapping[str, str]) -> list[tuple[str, str]]:
    """The properties that a schema names at the top, each with what is wrong with it."""
    if not isinstance(schema, dict):
        return []
    required = schema.get("required")
    names = dict.fromkeys([*schema.get("properties", {}), *(required if isinstance(required, list) else [])])
    return [(f"$.{name}", wrong.get(name, "")) for name in list(names)[:MAX_FIELDS]]


def _missing(error: Any) -> list[str]:
    """The properties that an error at the top says are missing."""
    if error.validator != "required" or error.absolute_path or not isinstance(error.instance, dict):
        return []
    return [name for name in error.validator_value if name not in error.instance]
