"""How families of models write calls in plain text, and reading them as their hosts do.

A text is read once from the left. What a host would cut off or fail to read is malformed here, too: a call
counts where it would have been made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .call import MAX_CALLS, Call, CallError, Untyped, call_of, checked_name, json_at, strict_json
from .pythonic import read_calls

_ENDS = (
    "</s>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<｜end▁of▁sentence｜>",
)
"""What ends a turn, where it is left in the text."""
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
    """What stands between marks, up to the first that closes, as hosts cut."""
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
