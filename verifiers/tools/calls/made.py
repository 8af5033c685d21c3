"""The calls that a completion makes: in its messages, or in its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...core.completions import split_completion
from ...core.verdicts import Sample
from .call import MAX_CALLS, MAX_CHARS, Call, CallError, call_of
from .harmony import CHANNEL, harmony_calls
from .text_forms import FORMS, bare, marked


class Made(NamedTuple):
    """What a completion does.

    Args:
        calls: In order.
        said: Whether it says anything besides calls.
    """

    calls: list[Call]
    said: bool


def calls_made(sample: Sample, form: str = "auto") -> Made:
    """The calls of a completion, outside its thinking.

    A message with ``tool_calls`` makes these; any other message, and a text, is read for the forms in which
    models write calls.

    Args:
        sample: With the completion.
        form: The form that is read in texts; ``auto`` for whichever is there.

    Raises:
        CallError: It makes a call that no host could read, or writes calls in several forms at once.
    """
    messages = None if sample.split is None else sample.split.messages
    if messages is None:
        return _of_text(sample.completion, sample.response, form)
    calls: list[Call] = []
    said = False
    for message in messages:
        if message.get("role", "assistant") != "assistant":
            continue
        made = _of_message(message, form)
        calls += made.calls
        if len(calls) > MAX_CALLS:
            raise CallError(f"more than {MAX_CALLS} calls", "over_limit")
        said = said or made.said
    return Made(calls, said)


def _of_message(message: Mapping[str, Any], form: str) -> Made:
    split = split_completion([message])
    assert split is not None  # noqa: S101  (messages were taken apart before)
    given = message.get("tool_calls")
    if given is None or (isinstance(given, Sequence) and len(given) == 0):
        content = split.content or ""
        return _of_text(content, split.response, form)
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise CallError("tool_calls must be a list")
    if len(given) > MAX_CALLS:
        raise CallError(f"more than {MAX_CALLS} calls", "over_limit")
    calls = [call_of(_plain(call), ("arguments", "parameters"), as_text=True, wrapped=True) for call in given]
    return Made(calls, bool(split.response.strip()))


def _plain(call: Any) -> Any:
    """A call as data: clients of OpenAI hand over objects with these attributes."""
    if isinstance(call, Mapping) or not hasattr(call, "function"):
        return dict(call) if isinstance(call, Mapping) else call
    function = call.function
    return {"name": getattr(function, "name", None), "arguments": getattr(function, "arguments", None)}


def _of_text(completion: str, response: str, form: str) -> Made:
    if len(completion) > MAX_CHARS:
        raise CallError(f"longer than {MAX_CHARS} characters", "over_limit")
    forms = marked(response)
    calls = harmony_calls(completion) if CHANNEL in completion else []
    if calls:
        forms.append("harmony")
    if len(forms) > 1:
        raise CallError(f"calls in several forms at once: {', '.join(forms)}", "mixed_forms")
    if form not in ("auto", *forms) and forms:
        raise CallError(f"the call is of the form {forms[0]}, and {form} is read", "other_form")
    if calls:
        return Made(calls, bool(response.strip()))
    if forms:
        return Made(FORMS[forms[0]].read(response), True)
    found = bare(response)
    if found is None:
        return Made([], bool(response.strip()))
    if form not in ("auto", found[0]):
        raise CallError(f"the call is of the form {found[0]}, and {form} is read", "other_form")
    return Made(found[1], True)
