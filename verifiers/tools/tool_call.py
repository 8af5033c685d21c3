"""The calls of tools that a completion makes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..runtime.packages import require
from .calls.bfcl import fits
from .calls.call import Call, CallError
from .calls.comparing import paired, same_call, toolrl_score
from .calls.expected import BadReferenceError, Tool, bfcl_calls, expected_calls, tools_of
from .calls.made import Made, calls_made
from .calls.schemas import calls_problem, tools_problem, typed

MAX_SHOWN = 2000
"""Characters of the calls that a verdict shows."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class ToolCall(Verifier):
    """The completion calls the tools that it should, with the arguments that it should.

    Calls are read from messages with ``tool_calls``, or from the text in the forms of Hermes and Qwen, GLM,
    Llama, Mistral, DeepSeek and gpt-oss; calls inside thinking do not count. The reference is a call or a
    list of them, ``[]`` where none is to be made. Texts, numbers and their types are compared exactly.

    Args:
        against: ``reference``, or ``schema``: any calls that fit the row's tools, and no reference.
        rules: ``exact``, or ``bfcl``: the Berkeley leaderboard's, with its ground truths as references.
        order: Whether calls may come in ``any`` order or as ``given``.
        credit: ``all`` or nothing, or ``toolrl``: a share for names, parameters and values.
        ignore_case: Whether texts in arguments may differ in case.
        form: The form of calls that is read in texts; by default whichever is there.
        tools: The tools of all rows, as a list or JSON; a row's own come first.
        tools_column: The column that holds a row's tools.

    Raises:
        ConfigError: The tools are of another form, or options that exclude one another.

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
        "needless_call": "a call is made where none is expected",
        "wrong_tool": "a call of a tool that is not expected, or that the row does not offer",
        "wrong_arguments": "the right tools, with other arguments",
        "wrong_order": "the expected calls in another order",
        "malformed_call": "what should be a call is none that could be read, or names an argument twice",
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
    """What a row expects.

    Args:
        names: Of the tools.
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
