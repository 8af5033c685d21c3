"""What a judge's reply means: a verdict in the form that was asked for, or none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

MOST_CHARS = 20_000
"""Characters of a reply that is read: a verdict with its reason takes some hundred."""
_MOST_OBJECTS = 256
"""Opening brackets at which an object is looked for: more than a reply has, and few enough for any text."""
_DROPPED = ("abort", "error")


class FormError(ValueError):
    """A judge answered, and not in the form that was asked for."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a judge said.

    Args:
        text: Its words; "" for none.
        cut: Whether they were cut off at the longest length.
        refusal: What a service says in their place when it declines.
        tokens: Of the request and the reply, where the server counts them.
    """

    text: str
    cut: bool = False
    refusal: str = ""
    tokens: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Opinion:
    """A score on the judge's own scale, with its reason."""

    score: float
    reason: str


def reply_of(content: bytes) -> Reply:
    """The reply in an answer of `/chat/completions`.

    Raises:
        ValueError: It is no such answer, which is the service's failure.
    """
    answer = json.loads(content)
    choices = answer.get("choices") if isinstance(answer, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(first, dict) or not isinstance(message, dict):
        raise ValueError("an answer without a message")
    if first.get("finish_reason") in _DROPPED:
        raise ValueError("a reply that was dropped")
    text, refusal = message.get("content"), message.get("refusal")
    if not isinstance(text, str | None) or not isinstance(refusal, str | None):
        raise ValueError("a message without text")
    usage = answer.get("usage")
    told = usage if isinstance(usage, dict) else {}
    counts = [told.get(name) for name in ("prompt_tokens", "completion_tokens")]
    asked, said = (each if isinstance(each, int) else 0 for each in counts)
    return Reply(text or "", first.get("finish_reason") == "length", refusal or "", (asked, said))


def read(reply: Reply, key: str, meaning: Callable[[Mapping[str, Any]], T]) -> T:
    """The last verdict of a reply.

    Args:
        reply: The reply.
        key: What every verdict has.
        meaning: What a verdict means; a FormError says that it is none.

    Raises:
        FormError: There is none, or the reply is not whole.
    """
    if reply.refusal:
        raise FormError(f"the judge declined: {reply.refusal[:200]}")
    if reply.cut:
        raise FormError("the reply was cut off at max_tokens")
    if len(reply.text) > MOST_CHARS:
        raise FormError(f"the reply has {len(reply.text):,} characters")
    thinking, closed, said = reply.text.rpartition("</think>")
    if not closed and "<think>" in said:
        raise FormError("the judge's thinking has no end")
    last = None
    for found in _objects(said if closed else thinking + said):
        if key in found:
            last = found
    if last is None:
        raise FormError(f"no JSON object with {key!r} in {said[:200]!r}")
    return meaning(last)


def opinion_of(low: int, high: int) -> Callable[[Mapping[str, Any]], Opinion]:
    """How a verdict with a reason and a score from `low` to `high` is read.

    >>> opinion_of(1, 5)({"reason": "Right.", "score": 5})
    Opinion(score=5.0, reason='Right.')
    """

    def meaning(found: Mapping[str, Any]) -> Opinion:
        score = found["score"]
        whole = type(score) is int or (isinstance(score, float) and score.is_integer())
        if not whole or not low <= score <= high:
            raise FormError(f"the score must be a whole number from {low} to {high}, got {score!r:.80}")
        return Opinion(float(score), reason_of(found))

    return meaning


def reason_of(found: Mapping[str, Any]) -> str:
    """The reason of a verdict.

    Raises:
        FormError: There is none.
    """
    reason = found.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise FormError("the verdict has no reason")
    return " ".join(reason.split())


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a text, in order; not those inside of another, or of its strings."""
    place = text.find("{")
    tries = 0
    while place >= 0 and tries < _MOST_OBJECTS:
        tries += 1
        try:
            found, place = _DECODER.raw_decode(text, place)
            yield found
        except (ValueError, RecursionError):
            place += 1
        place = text.find("{", place)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)
