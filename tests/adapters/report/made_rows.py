"""Scored rows that are made up: as many as are wanted, in no time, the same ones each time."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from adapters.files.chunk_scorer import dumps

SOURCES = ("gsm8k", "math", "hrm8k", "대학수학")
WORDS = "the sum of all terms is then equal so we add carry multiply 따라서 정답은 먼저 값을 구하면 조건에서 다음과 같다".split()


def verdict(verifier: str, score: float | None, reason: str, **more: Any) -> dict[str, Any]:
    return {
        "verifier": verifier, "status": "unscored" if score is None else "scored", "score": score,
        "reason": reason, **more,
    }  # fmt: skip


def scored(completion: Any, reward: float | None, parts: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "prompt": "What is it?",
        "completion": completion,
        "answer": "42",
        **more,
        "reward": reward,
        "reward_parts": {name: each["score"] for name, each in parts.items()},
        "verdicts": list(parts.values()),
        "verdict_parts": list(parts),
        "signature": "made up",
    }


def made_rows(
    count: int, group: int = 8, steps: int = 50, words: int = 40, seed: int = 0
) -> Iterator[dict[str, Any]]:
    """Rows of a run that gets better: right more often from step to step, with a few that cannot be judged."""
    rng = random.Random(seed)
    for place in range(count):
        question = place // group
        step = question * steps // max(1, -(-count // group))
        true = question % 97 + 3
        right = rng.random() < 0.15 + 0.6 * step / steps + 0.3 * ((question * 7919) % 11 / 11 - 0.5)
        answer = str(true if right else true + rng.randint(1, 9))
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(words // 2, words * 2)))
        closed = rng.random() < 0.9
        completion = (
            f"<think>{text}</think>\n🙂 답: <answer>{answer}</answer>" if closed else f"<think>{text}"
        )
        start = completion.find(f"<answer>{answer}") + len("<answer>")
        unjudged = question % 211 == 5
        if unjudged:
            accuracy = verdict(
                "MathEquivalence", None, "bad_reference", detail="the reference: it has no value"
            )
        elif not closed:
            accuracy = verdict("MathEquivalence", 0.0, "no_answer", expected=str(true))
        else:
            found = {"extracted": answer, "span": [start, start + len(answer)], "expected": str(true)}
            accuracy = verdict(
                "MathEquivalence", float(right), "equal_text" if right else "not_equal", **found
            )
        form = verdict("TagFormat", float(closed), "well_formed" if closed else "missing_tag")
        paid = None if unjudged else (accuracy["score"] or 0.0) + 0.2 * float(closed)
        yield scored(
            completion, paid, {"accuracy": accuracy, "format": form},
            prompt=f"문제 {question}: {true - 1} + 1 = ?", answer=str(true), step=step, source=SOURCES[question % 4],
            completion_tokens=len(text) // 4,
        )  # fmt: skip


RAN = "document.documentElement.dataset.ran='yes'"
HOSTILE = {
    "script": f'<script>{RAN}</script><img src=x onerror="{RAN}">',
    "closing": f'</script><script>{RAN}</script><!-- --> ]]> <svg onload="{RAN}">',
    "bidi": "the answer is \u202e24\u202c and \u2066hidden\u2069 zero\u200bwidth",
    "surrogate": "lone \ud83d and \udc00 here",
    "control": "nul \x00 bell \x07 escape \x1b[31m red",
    "template": "{{style}} ${1+1} %s \\u003cscript\\u003e javascript:alert(1)",
}


def hostile_rows() -> Iterator[dict[str, Any]]:
    """Texts that try to be more than text, in every place of a row that a page shows."""
    for name, text in HOSTILE.items():
        judged = verdict(
            "MathEquivalence", 0.0, "not_equal", extracted=text, span=[0, len(text)], expected=text,
            detail=text,
        )  # fmt: skip
        own = {**judged, "verifier": text, "parts": [judged]}
        yield scored(
            text, 0.0, {"accuracy": judged, text: own}, prompt=text, source=text, note=text, name=name
        )


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """A file of rows; what has no UTF-8 is escaped."""
    with open(path, "wb") as file:
        for row in rows:
            file.write(dumps(row) + b"\n")
    return path
