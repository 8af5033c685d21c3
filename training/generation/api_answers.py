"""Reading the answers of an OpenAI-compatible API."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .sampling_types import Generated
from .stop_texts import cut

# The request was dropped while the model wrote, so what has arrived is not a completion.
DROPPED = ("abort", "error")


def completions(content: bytes, stop: Sequence[str]) -> list[Generated]:
    """The choices of an answer, in the order of their index.

    Args:
        content: The answer, of `/chat/completions` or `/completions`.
        stop: The stop texts that were asked for.

    Returns:
        One completion for each choice. A choice that tells its tokens (`token_ids`) is as long as these;
        otherwise the tokens of the answer (`usage.completion_tokens`) are shared out evenly, and are 0
        where the server counts none.

    Raises:
        ValueError: It is not such an answer; the message shows its beginning.
    """
    answer = json.loads(content)
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if not isinstance(choices, list) or not choices or not all(isinstance(each, dict) for each in choices):
        raise ValueError(f"an answer without choices: {_beginning(answer)}")
    choices.sort(key=lambda each: each["index"] if isinstance(each.get("index"), int) else 0)
    usage = answer.get("usage")
    total = usage.get("completion_tokens") if isinstance(usage, dict) else None
    share = round(total / len(choices)) if isinstance(total, int) else 0
    return [_completion(choice, share, stop) for choice in choices]


def _completion(choice: Mapping[str, Any], share: int, stop: Sequence[str]) -> Generated:
    reason = choice.get("finish_reason")
    if reason in DROPPED:
        raise ValueError(f"a choice that was dropped: {_beginning(choice)}")
    message = choice.get("message")
    if isinstance(message, dict):
        text = message.get("content")
        # A reasoning model that spent all its tokens on thinking, or refused, has none.
        text = "" if text is None else text
        thinking = message.get("reasoning_content") or message.get("reasoning") or None
    else:
        text, thinking = choice.get("text"), None
    if not isinstance(text, str) or not isinstance(thinking, str | None):
        raise ValueError(f"a choice without text: {_beginning(choice)}")
    own = choice.get("token_ids")
    # For a server that ignores stop texts, or leaves the text itself in.
    kept = cut(text, stop)
    return Generated(
        text=kept,
        tokens=len(own) if isinstance(own, list) else share,
        finished=reason != "length" or len(kept) < len(text),
        thinking=thinking,
    )


def _beginning(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:200]
