"""The calls that a completion makes, in its messages or in its text, as each family of models writes them.

A text is read once from the left, as the hosts of these models do. What a host would cut off or fail to read
is malformed here, too: a call counts where it would have been made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..core.completions import split_completion
from ..core.verdicts import Sample
from .parsed_call import (
    MAX_CALLS,
    MAX_CHARS,
    Call,
    CallError,
    Untyped,
    call_of,
    checked_name,
    json_at,
    strict_json,
)
from .python_calls import read_calls

_ENDS = (
    "</s>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<｜end▁of▁sentence｜>",
)
"""Ends of a turn, where they are left in the text."""
_FUNCTION = re.compile(r"\s*+<function=([^<>\s]++)>")
_PARAMETER = re.compile(r"\s*+<parameter=([^<>\s]++)>")
_GLM_KEY = re.compile(r"\s*+<arg_key>([^<]*+)</arg_key>\s*+<arg_value>")
_MISTRAL_NAME = re.compile(r"\s*+([^\s{\[\]<>]++)\s*+(?:\[CALL_ID\]\w*+)?+\s*+(?:\[ARGS\])?+\s*+(?=\{)")
_DEEPSEEK_CALL = "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"
_DEEPSEEK_CALLS = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
_DEEPSEEK_SEPARATOR = "<｜tool▁sep｜>"
_BUILT_IN = re.compile(r"([\w.]+?)\.call(?=\()")
_BARE_PYTHON = re.compile(r"\[\s*+[^\W\d][\w.]*+\(")
_BARE_CALL = re.compile(r"[^\W\d][\w.]*+\(")


@dataclass(frozen=True)
class Form:
    """A way to write calls.

    Args:
        marks: Texts of which each shows that it is used; none for forms that are a whole response.
        read: The calls of a response.
    """

    marks: tuple[str, ...]
    read: Callable[[str], list[Call]]


def _between(text: str, opening: str, closing: str) -> Iterator[str]:
    """Yield the texts between marks, each up to the first closing one, as hosts cut."""
    place = text.find(opening)
    while place >= 0:
        start = place + len(opening)
        end = text.find(closing, start)
        if end < 0:
            raise CallError(f"{opening} is never closed")
        yield text[start:end]
        place = text.find(opening, end + len(closing))


def _without_ends(text: str) -> str:
    text = text.strip()
    while text.endswith(_ENDS):
        text = text[: -next(len(end) for end in _ENDS if text.endswith(end))].rstrip()
    return text


def _tagged(text: str) -> list[Call]:
    """``<tool_call>`` blocks: Hermes and Qwen2.5/3 (JSON), Qwen3.5 (XML), GLM (keys and values)."""
    found: list[Call] = []
    for body in _between(text, "<tool_call>", "</tool_call>"):
        _counted(found)
        inner = body.strip()
        if inner.startswith("{"):
            found.append(call_of(strict_json(inner)))
        elif inner.startswith("<function="):
            found.append(_xml_call(inner))
        else:
            found.append(_glm_call(inner))
    if not found:
        raise CallError("</tool_call> closes nothing")
    return found


def _xml_call(body: str) -> Call:
    head = _FUNCTION.match(body)
    if head is None or not body.endswith("</function>"):
        raise CallError("a call is <function=NAME> ... </function>")
    arguments: dict[str, str] = {}
    place, end = head.end(), len(body) - len("</function>")
    while (key := _PARAMETER.match(body, place, end)) is not None:
        close = body.find("</parameter>", key.end(), end)
        if close < 0:
            raise CallError(f"<parameter={key.group(1)!s:.80}> is never closed")
        value = body[key.end() : close]
        _add(arguments, key.group(1), value.removeprefix("\n").removesuffix("\n"))
        place = close + len("</parameter>")
    if body[place:end].strip():
        raise CallError(f"no parameter: {body[place:end].strip()!r:.60}")
    return Call(checked_name(head.group(1)), dict(arguments))


def _glm_call(body: str) -> Call:
    start = body.find("<arg_key>")
    name = (body if start < 0 else body[:start]).strip()
    if re.fullmatch(r"[\w.:/-]+", name) is None:
        raise CallError(f"neither a JSON object, nor <function=...>, nor a tool's name: {name!r:.60}")
    arguments: dict[str, str] = {}
    place = len(body) if start < 0 else start
    while (key := _GLM_KEY.match(body, place)) is not None:
        close = body.find("</arg_value>", key.end())
        if close < 0:
            raise CallError("<arg_value> is never closed")
        _add(arguments, key.group(1).strip(), body[key.end() : close])
        place = close + len("</arg_value>")
    if body[place:].strip():
        raise CallError(f"no key with its value: {body[place:].strip()!r:.60}")
    return Call(checked_name(name), dict(arguments))


def _add(arguments: dict[str, str], name: str, value: str) -> None:
    if name in arguments:
        raise CallError(f"the argument {name!r:.80} stands twice")
    arguments[name] = Untyped(value)


def _counted(found: list[Call]) -> None:
    if len(found) >= MAX_CALLS:
        raise CallError(f"more than {MAX_CALLS} calls", "over_limit")


def _mistral(text: str) -> list[Call]:
    """``[TOOL_CALLS][{...}]`` before version 11 of its tokenizer, ``[TOOL_CALLS]f[ARGS]{...}`` from it on."""
    mark = "[TOOL_CALLS]"
    text = _without_ends(text)
    first, *pieces = text.split(mark)
    del first
    if len(pieces) == 1 and pieces[0].lstrip().startswith("["):
        return _listed(strict_json(pieces[0]))
    found: list[Call] = []
    for piece in pieces:
        _counted(found)
        head = _MISTRAL_NAME.match(piece)
        if head is None:
            raise CallError(f"{mark} without a name and its arguments: {piece.strip()!r:.60}")
        arguments, end = json_at(piece, head.end())
        if piece[end:].strip():
            raise CallError(f"there is something after the arguments: {piece[end:].strip()!r:.60}")
        found.append(call_of({"name": head.group(1), "arguments": arguments}))
    return found


def _deepseek(text: str) -> list[Call]:
    found: list[Call] = []
    for block in _between(text, *_DEEPSEEK_CALLS):
        for body in _between(block, *_DEEPSEEK_CALL):
            _counted(found)
            head, separator, rest = body.partition(_DEEPSEEK_SEPARATOR)
            if not separator:
                raise CallError(f"the call has no {_DEEPSEEK_SEPARATOR}")
            if head.strip() == "function":  # V3: the name follows, and the arguments in a fence
                name, _, fenced = rest.strip().partition("\n")
                inner = fenced.strip()
                if not (inner.startswith("```json") and inner.endswith("```") and len(inner) > 9):
                    raise CallError("the arguments stand in a block ```json")
                arguments = strict_json(inner[7:-3])
            else:  # V3.1
                name, arguments = head, strict_json(rest)
            found.append(call_of({"name": name.strip(), "arguments": arguments}))
    if not found:
        raise CallError(f"{_DEEPSEEK_CALL[0]} stands in no block of calls, or a block holds none")
    return found


def _listed(value: object) -> list[Call]:
    if not isinstance(value, list) or not value:
        raise CallError("calls are a list of objects")
    if len(value) > MAX_CALLS:
        raise CallError(f"more than {MAX_CALLS} calls", "over_limit")
    return [call_of(each) for each in value]


def _llama_json(text: str) -> list[Call]:
    """One JSON object, or several with ``;`` between them; with ``<|python_tag|>`` or without."""
    inner = _without_ends(text).removeprefix("<|python_tag|>").strip()
    built_in = _BUILT_IN.match(inner)
    if built_in is not None:
        return read_calls(built_in.group(1) + inner[built_in.end() :])
    if inner.startswith("["):
        return _listed(strict_json(inner))
    found: list[Call] = []
    place = 0
    while place < len(inner):
        _counted(found)
        value, place = json_at(inner, place)
        found.append(call_of(value, ("parameters", "arguments")))
        rest = inner[place:].lstrip()
        if rest and not rest.startswith(";"):
            raise CallError(f"there is something after the call: {rest!r:.60}")
        place = len(inner) - len(rest.removeprefix(";").lstrip()) if rest else len(inner)
    if not found:
        raise CallError("there is no call")
    return found


def _pythonic(text: str) -> list[Call]:
    inner = _without_ends(text).removeprefix("<|python_start|>").removesuffix("<|python_end|>")
    return read_calls(inner)


FORMS: dict[str, Form] = {
    "tagged": Form(("<tool_call>", "</tool_call>"), _tagged),
    "mistral": Form(("[TOOL_CALLS]",), _mistral),
    "deepseek": Form((*_DEEPSEEK_CALLS, *_DEEPSEEK_CALL), _deepseek),
    "llama": Form(("<|python_tag|>",), _llama_json),
    "pythonic": Form(("<|python_start|>",), _pythonic),
}
"""The forms that a response is searched for. Harmony's is no part of a response: see `harmony`."""


def marked(text: str) -> list[str]:
    """The forms whose marks are in a text."""
    return [name for name, form in FORMS.items() if any(mark in text for mark in form.marks)]


def bare(text: str) -> tuple[str, list[Call]] | None:
    """The form and the calls of a response that is nothing but calls without any mark; None for others.

    Raises:
        CallError: It can only be meant as calls, and is malformed.
    """
    inner = _without_ends(text)
    if inner[:1] == "{" or (inner[:1] == "[" and inner[1:].lstrip()[:1] == "{"):
        keys = ('"parameters"', '"arguments"')
        if '"name"' not in inner or not any(key in inner for key in keys):
            return None
        return "llama", _llama_json(inner)
    if _BARE_PYTHON.match(inner) is not None and inner.endswith("]"):
        return "pythonic", read_calls(inner)
    if _BARE_CALL.match(inner) is not None and inner.endswith(")"):
        try:
            return "pythonic", read_calls(inner)
        except CallError:  # "f(x)", a formula
            return None
    return None


CHANNEL = "<|channel|>"
_START, _MESSAGE = "<|start|>", "<|message|>"
_END = re.compile(r"<\|(?:end|call|return|start)\|>")
_RECIPIENT = re.compile(r"(?:^|\s)to=functions\.([^\s<]+)")


def harmony_calls(text: str) -> list[Call]:
    """The calls in a completion of harmony's form, all of it, thinking included: headers tell them apart.

    Source: the harmony response format, https://cookbook.openai.com/articles/openai-harmony.

    Raises:
        CallError: A message to a function is no call.
    """
    found: list[Call] = []
    place = 0
    while (message := text.find(_MESSAGE, place)) >= 0:
        header = text[place:message].rpartition(_START)[2]
        end = _END.search(text, message + len(_MESSAGE))
        closed = len(text) if end is None else end.start()
        recipient = _RECIPIENT.search(header.replace(CHANNEL, " ").replace("<|constrain|>", " "))
        if recipient is not None:
            if len(found) >= MAX_CALLS:
                raise CallError(f"more than {MAX_CALLS} calls", "over_limit")
            if end is not None and end.group() != "<|call|>":
                raise CallError(f"a call ends with <|call|>, not {end.group()}")
            arguments = strict_json(text[message + len(_MESSAGE) : closed])
            found.append(call_of({"name": recipient.group(1), "arguments": arguments}))
        if end is None:
            break
        place = closed if end.group() == _START else end.end()
    return found


class Made(NamedTuple):
    """Calls of a completion, and whether it says anything else.

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
