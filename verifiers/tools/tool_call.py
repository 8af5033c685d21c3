"""The calls of tools that a completion makes, compared with those that are expected."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..runtime.packages import require
from .call_schemas import calls_problem, tools_problem, typed
from .calls_in_text import Made, calls_made
from .expected_calls import BadReferenceError, Tool, bfcl_calls, expected_calls, fits, tools_of
from .parsed_call import Call, CallError, Untyped, strict_json

Weight = Callable[[int, int], float]
"""Fit of the call that was made at one place with the one that is expected at another."""


def same_value(made: Any, expected: Any, text: Callable[[str], str] = str) -> bool:
    """Return whether a value is the expected one, of the same type.

    A whole number stands for a number with a point, as in JSON schemas (5 for 5.0), and never the other way
    round; True is no number. Lists are ordered, keys of objects are not.

    Args:
        made: Arguments of the call; an `Untyped` one is read by the expected type.
        expected: Expected value.
        text: Normalisation of texts before the comparison.

    >>> same_value(5, 5.0), same_value(5.0, 5), same_value(True, 1), same_value("-5", "5")
    (True, False, False, False)
    """
    if isinstance(made, Untyped) and not isinstance(expected, str):
        try:
            made = strict_json(made)
        except CallError:
            return False
    if isinstance(expected, bool) or isinstance(made, bool) or expected is None or made is None:
        return made is expected
    if isinstance(expected, str):
        return isinstance(made, str) and text(str(made)) == text(expected)
    if isinstance(expected, int):
        return isinstance(made, int) and made == expected
    if isinstance(expected, float):
        return isinstance(made, int | float) and made == expected
    if isinstance(expected, list | tuple):
        return (
            isinstance(made, list | tuple)
            and len(made) == len(expected)
            and all(same_value(one, other, text) for one, other in zip(made, expected, strict=True))
        )
    if isinstance(expected, dict):
        return (
            isinstance(made, dict)
            and made.keys() == expected.keys()
            and all(same_value(made[name], value, text) for name, value in expected.items())
        )
    return False


def same_call(made: Call, expected: Call, text: Callable[[str], str] = str) -> bool:
    """Return whether a call has the expected name and arguments."""
    return made.name == expected.name and same_value(made.arguments, expected.arguments, text)


def paired(made: int, expected: int, weight: Weight) -> tuple[float, list[int | None]]:
    """Pair calls so that the sum of weights is the largest there is, each call at most once.

    A greedy pairing can take away what another call needs. The Hungarian method, in the cube of the number.

    Args:
        made: Number of calls that were made.
        expected: Number of those that are expected.
        weight: Weight of a pair, by their places.

    Returns:
        The sum, and for each expected call the place of its partner; None where the pair weighs nothing.
    """
    size = max(made, expected)
    if size == 0:
        return 0.0, []
    weights = [[0.0] * size for _ in range(size)]
    for row in range(expected):
        for column in range(made):
            weights[row][column] = weight(column, row)
    partners = _assignment(weights)
    found: list[int | None] = [
        partners[row] if weights[row][partners[row]] > 0 else None for row in range(expected)
    ]
    return sum(weights[row][column] for row, column in enumerate(found) if column is not None), found


def _assignment(weights: list[list[float]]) -> list[int]:
    """The column of each row in an assignment of the largest weight."""
    size = len(weights)
    of_row, of_column = [0.0] * (size + 1), [0.0] * (size + 1)
    row_of = [0] * (size + 1)
    for row in range(1, size + 1):
        row_of[0] = row
        column = 0
        least = [float("inf")] * (size + 1)
        came_from = [0] * (size + 1)
        used = [False] * (size + 1)
        while row_of[column]:
            used[column] = True
            current, step, following = row_of[column], float("inf"), 0
            for other in range(1, size + 1):
                if used[other]:
                    continue
                slack = -weights[current - 1][other - 1] - of_row[current] - of_column[other]
                if slack < least[other]:
                    least[other], came_from[other] = slack, column
                if least[other] < step:
                    step, following = least[other], other
            for other in range(size + 1):
                if used[other]:
                    of_row[row_of[other]] += step
                    of_column[other] -= step
                else:
                    least[other] -= step
            column = following
        while column:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    found = [0] * size
    for column in range(1, size + 1):
        found[row_of[column] - 1] = column - 1
    return found


def overlap(made: Sequence[str], expected: Sequence[str]) -> float:
    """Return the items common to two lists, as a share of those in either; each as often as it occurs.

    >>> overlap(["add", "add"], ["add"]), overlap([], [])
    (0.5, 1.0)
    """
    common = sum((Counter(made) & Counter(expected)).values())
    either = len(made) + len(expected) - common
    return common / either if either else 1.0


def toolrl_score(made: Sequence[Call], expected: Sequence[Call], text: Callable[[str], str] = str) -> float:
    """ToolRL's correctness, brought from [-3, 3] to [0, 1]: 1.0 for exactly the expected calls.

    ``(names + sum over expected calls of (parameters + values)) / (1 + sum of (1 + number of parameters))``:
    names and parameters are the `overlap` of names, values the number of equal ones, of calls of the same
    name that are paired for the largest sum, where its code pairs greedily.
    Source: ToolRL, https://arxiv.org/abs/2504.13958, section 3.2.
    """

    def weight(place: int, wanted_place: int) -> float:
        call, wanted = made[place], expected[wanted_place]
        if call.name != wanted.name:
            return 0.0
        equal = sum(
            name in call.arguments and same_value(call.arguments[name], value, text)
            for name, value in wanted.arguments.items()
        )
        return overlap(list(call.arguments), list(wanted.arguments)) + equal

    names = overlap([call.name for call in made], [call.name for call in expected])
    most = 1 + sum(1 + len(call.arguments) for call in expected)
    return (names + paired(len(made), len(expected), weight)[0]) / most


MAX_SHOWN = 2000
"""Characters of the calls that a verdict shows."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class ToolCall(Verifier):
    """The completion calls the right tools with the right arguments.

    Calls come from messages with ``tool_calls``, or from text in the forms of Hermes and Qwen, GLM, Llama,
    Mistral, DeepSeek and gpt-oss. Calls inside thinking do not count. The reference is a call or a list of
    calls; ``[]`` asks for none. Texts, numbers and their types are compared exactly.

    Args:
        against: ``reference``, or ``schema``: any calls that fit the row's tools, without a reference.
        rules: ``exact``, or ``bfcl``: the rules of the Berkeley leaderboard, with its ground truths as
            references.
        order: Whether calls may come in ``any`` order or as ``given``.
        credit: ``all`` or nothing, or ``toolrl``: shares for names, parameters and values.
        ignore_case: Whether texts in arguments may differ in case.
        form: Form of calls in texts; by default, whichever occurs.
        tools: Tools for all rows, as a list or JSON; a row's own come first.
        tools_column: Column with a row's tools.

    Raises:
        ConfigError: The tools have another form, or options exclude each other.

    >>> right = '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}</tool_call>'
    >>> ToolCall().verify(right, [{"name": "add", "arguments": {"b": 2, "a": 1}}]).score
    1.0
    >>> print(ToolCall().verify(right, "[]"))
    ToolCall 0.00 needless_call  'add(a=1, b=2)' for 'no call'
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "right_calls": "the calls are those that are expected",
        "right_to_answer": "no call is expected, and the completion answers without one",
        "fits_schema": "each call is one of the row's tools, with arguments that fit its schema",
        "partly_right": "names, parameters or values are right in part",
        "no_call": "a call is expected, and none is made",
        "missing_call": "fewer calls than are expected",
        "extra_call": "more calls than are expected",
        "needless_call": "the completion calls a tool, and no call is expected",
        "wrong_tool": "a call of a tool that is not expected, or that the row does not offer",
        "wrong_arguments": "the right tools, with other arguments",
        "wrong_order": "the expected calls in another order",
        "malformed_call": "a call cannot be read, or names an argument twice",
        "mixed_forms": "calls in several forms, of which a host reads one",
        "other_form": "a call in another form than the one that is read",
        "says_nothing": "no call is expected, and the completion is empty or never ends its thinking",
        "over_limit": "too long, too many calls, or a schema that takes too long",
        "bad_reference": "the reference is no list of calls",
        "bad_tools": "the row's tools are missing, or are no descriptions with schemas",
    }
    reference_first: ClassVar[bool] = True
    depends: ClassVar[tuple[str, ...]] = ("jsonschema",)

    against: Literal["reference", "schema"] = "reference"
    rules: Literal["exact", "bfcl"] = "exact"
    order: Literal["any", "given"] = "any"
    credit: Literal["all", "toolrl"] = "all"
    ignore_case: bool = False
    form: Literal["auto", "tagged", "mistral", "deepseek", "llama", "pythonic", "harmony"] = "auto"
    tools: str | list[Any] = ""
    tools_column: str = "tools"

    def __post_init__(self) -> None:
        if self.tools:
            try:
                tools_of(self.tools)
                given = json.loads(self.tools) if isinstance(self.tools, str) else self.tools
                object.__setattr__(self, "tools", json.dumps(given, sort_keys=True, ensure_ascii=False))
            except (BadReferenceError, TypeError) as error:
                raise ConfigError(f"ToolCall: tools: {error}") from error
        else:
            object.__setattr__(self, "tools", "")
        if self.rules == "bfcl" and (self.credit != "all" or self.ignore_case):
            raise ConfigError(
                "ToolCall: rules: bfcl has its own comparison; leave out credit and ignore_case"
            )
        if self.credit == "toolrl" and self.order == "given":
            raise ConfigError("ToolCall: credit: toolrl pairs calls in any order; leave out order: given")
        if self.against == "schema":
            require("jsonschema")
            object.__setattr__(self, "needs_reference", False)
        super().__post_init__()

    def fields_read(self) -> tuple[str, ...] | None:
        return (self.tools_column,)

    def columns_needed(self) -> tuple[str, ...]:
        return (self.tools_column,) if self.against == "schema" and not self.tools else ()

    def reads_reference(self) -> bool:
        return self.against == "reference"

    def check(self, sample: Sample) -> Verdict:
        try:
            tools = self._tools(sample)
        except BadReferenceError as error:
            return self.unscored("bad_tools", str(error))
        if self.against == "schema":
            return self._by_schema(sample, tools)
        try:
            judged = self._bfcl(sample, tools) if self.rules == "bfcl" else self._exact(sample)
        except BadReferenceError as error:
            return self.unscored("bad_reference", str(error))
        made = self._made(sample)
        if isinstance(made, Verdict):
            return replace(made, expected=judged.shown)
        calls = [typed(call, tools.get(call.name)) for call in made.calls]
        return self._decided(Made(calls, made.said), judged)

    def _tools(self, sample: Sample) -> dict[str, Tool]:
        given = sample.fields.get(self.tools_column)
        if given is None or (isinstance(given, str | list | tuple) and not given):
            given = self.tools
        return tools_of(given) if given else {}

    def _made(self, sample: Sample) -> Made | Verdict:
        try:
            return calls_made(sample, self.form)
        except CallError as error:
            return self.scored(0.0, error.reason, str(error))

    def _exact(self, sample: Sample) -> _Expected:
        expected = expected_calls(sample.reference)
        return _Expected(
            [call.name for call in expected],
            _listed([str(call) for call in expected]),
            lambda call, place: same_call(call, expected[place], self._text),
            expected,
        )

    def _bfcl(self, sample: Sample, tools: Mapping[str, Tool]) -> _Expected:
        expected = bfcl_calls(sample.reference)
        return _Expected(
            [name for name, _ in expected],
            _listed([f"{name}({', '.join(parameters)})" for name, parameters in expected]),
            lambda call, place: fits(call, expected[place], tools.get(call.name)),
            [Call(name, {}) for name, _ in expected],
        )

    def _text(self, text: str) -> str:
        return text.casefold() if self.ignore_case else text

    def _decided(self, made: Made, expected: _Expected) -> Verdict:
        calls, names = made.calls, expected.names
        said: dict[str, Any] = {
            "extracted": _listed([str(call) for call in calls]),
            "expected": expected.shown,
        }
        if not names:
            if calls:
                return self.scored(0.0, "needless_call", **said)
            return self.scored(float(made.said), "right_to_answer" if made.said else "says_nothing", **said)
        if not calls:
            return self.scored(0.0, "no_call", **said)
        total, partners = paired(
            len(calls), len(names), lambda made, wanted: float(expected.same(calls[made], wanted))
        )
        if total == len(names) == len(calls):
            in_order = all(expected.same(call, place) for place, call in enumerate(calls))
            if self.order == "any" or in_order:
                return self.scored(1.0, "right_calls", **said)
            return self.scored(0.0, "wrong_order", **said)
        reason, detail = _problem(calls, expected, partners)
        share = toolrl_score(calls, expected.calls, self._text) if self.credit == "toolrl" else 0.0
        return self.scored(share, "partly_right" if share else reason, detail, **said)

    def _by_schema(self, sample: Sample, tools: Mapping[str, Tool]) -> Verdict:
        if not tools:
            return self.unscored("bad_tools", f"the row has no tools in its column {self.tools_column!r}")
        outcome = tools_problem(tools)
        if not outcome.ok:
            return self.unscored("bad_tools", outcome.detail) if outcome.by_task else self.fault(
                "worker", outcome.detail
            )  # fmt: skip
        if outcome.value:
            return self.unscored("bad_tools", outcome.value)
        made = self._made(sample)
        if isinstance(made, Verdict):
            return made
        calls = [typed(call, tools.get(call.name), finally_=True) for call in made.calls]
        shown = _listed([str(call) for call in calls])
        if not calls:
            return self.scored(0.0, "no_call", extracted=shown)
        unknown = next((call.name for call in calls if call.name not in tools), None)
        if unknown is not None:
            return self.scored(0.0, "wrong_tool", f"the row has no tool {unknown!r:.80}", extracted=shown)
        outcome = calls_problem(tools, calls)
        if not outcome.ok:
            if outcome.by_task:
                return self.scored(0.0, "over_limit", outcome.detail, extracted=shown)
            return self.fault("worker", outcome.detail)
        if outcome.value:
            return self.scored(0.0, "wrong_arguments", outcome.value, extracted=shown)
        return self.scored(1.0, "fits_schema", extracted=shown)


@dataclass(frozen=True)
class _Expected:
    """Calls that a row expects.

    Args:
        names: Names of the tools.
        shown: For a person.
        same: Whether a call is the expected one at a place.
        calls: One for each place.
    """

    names: Sequence[str]
    shown: str
    same: Callable[[Call, int], bool]
    calls: Sequence[Call]


def _listed(calls: Sequence[str]) -> str:
    """Calls on a line; characters that no file can hold are written as codes."""
    listed = "; ".join(calls).encode("utf-8", "backslashreplace").decode() if calls else "no call"
    return listed if len(listed) <= MAX_SHOWN else listed[: MAX_SHOWN - 1] + "…"


def _problem(calls: Sequence[Call], expected: _Expected, partners: Sequence[int | None]) -> tuple[str, str]:
    """The code and a sentence for the first thing that is wrong."""
    if len(calls) < len(expected.names):
        return "missing_call", f"{len(expected.names)} calls are expected, {len(calls)} made"
    if len(calls) > len(expected.names):
        return "extra_call", f"{len(expected.names)} calls are expected, {len(calls)} made"
    if sorted(call.name for call in calls) != sorted(expected.names):
        unexpected = next((call.name for call in calls if call.name not in expected.names), "")
        return "wrong_tool", f"{unexpected!r:.80} is not expected" if unexpected else ""
    place = next(place for place, partner in enumerate(partners) if partner is None)
    return "wrong_arguments", f"no call has the arguments that are expected of {expected.names[place]!r:.80}"
