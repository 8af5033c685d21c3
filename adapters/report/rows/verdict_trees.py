"""Verdicts as they are shown: what a file holds, without what a browser cannot read."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from .scored_rows import number

TEXTS = ("verifier", "status", "reason", "detail", "extracted", "expected")
DEEPEST, MOST_PARTS = 8, 1000
"""Parts within parts, and parts of one verdict, that are shown; a verifier of steps has one for each step."""


def plain_verdict(verdict: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """A verdict's own fields, each of its own kind.

    Args:
        verdict: As a file has it, which need not be ours.
        depth: Of the part in its verdict.

    >>> plain_verdict({"reason": "equal", "score": float("nan"), "span": [4, "x"], "more": 1})
    {'reason': 'equal', 'score': None}
    """
    found: dict[str, Any] = {name: verdict[name] for name in TEXTS if isinstance(verdict.get(name), str)}
    found["score"] = number(verdict.get("score"))
    if (raw := number(verdict.get("raw"))) is not None:
        found["raw"] = raw
    span = verdict.get("span")
    if isinstance(span, list) and len(span) == 2 and all(type(each) is int for each in span):
        found["span"] = span
    parts = verdict.get("parts")
    if isinstance(parts, list) and depth < DEEPEST:
        shown = [each for each in islice(parts, MOST_PARTS) if isinstance(each, Mapping)]
        found["parts"] = [plain_verdict(each, depth + 1) for each in shown]
        if len(parts) > MOST_PARTS:
            found["more"] = len(parts) - MOST_PARTS
    return found
