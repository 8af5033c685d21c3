"""Calls of gpt-oss, whose messages say in their header to whom they go."""

from __future__ import annotations

import re

from .call import MAX_CALLS, Call, CallError, call_of, strict_json

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
