"""What the model said in a sample of inspect_ai, as chat messages in the form that verifiers read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def model_messages(state: Any) -> list[Mapping[str, Any]]:
    """The conversation from the model's first message on, ending in what it answered.

    Messages of the input are no words of the model's, examples with an assistant's answers included. What
    solvers put in place of an answer (``state.output``) is the answer, as for inspect_ai's own scorers.

    Args:
        state: inspect_ai's `TaskState`.
    """
    own = _own(state.messages, state.input)
    found = [_message(message) for message in own]
    if getattr(state.output, "choices", None):
        answered = state.output.completion
        said = next((message for message in reversed(own) if message.role == "assistant"), None)
        if said is None or said.text != answered:
            found.append(_message(state.output.message) if said is None else _text(answered))
    return found or [_text("")]


def _own(messages: Sequence[Any], asked: Any) -> Sequence[Any]:
    given = set() if isinstance(asked, str) else {message.id for message in asked} - {None}
    start = 0
    for place, message in enumerate(messages):
        if message.source == "input" or message.id in given:
            start = place + 1
    while start < len(messages) and messages[start].role != "assistant":
        start += 1
    return messages[start:]


def _text(text: str) -> Mapping[str, Any]:
    return {"role": "assistant", "content": text}


def _message(message: Any) -> Mapping[str, Any]:
    found: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.role == "tool":
        if message.tool_call_id:
            found["tool_call_id"] = message.tool_call_id
        if message.function:
            found["name"] = message.function
    if message.role != "assistant":
        return found
    thinking = _thinking(message.content)
    if thinking:
        found["reasoning_content"] = thinking
    if message.tool_calls:
        found["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.function, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    return found


def _thinking(content: Any) -> str:
    """What a provider passed on of the thinking; of a redacted one only a summary can be read."""
    if isinstance(content, str):
        return ""
    parts = [part for part in content if part.type == "reasoning"]
    return "".join((part.summary or "") if part.redacted else part.reasoning for part in parts)
