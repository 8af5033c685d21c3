"""Reward functions without a known hole, of the same day and manner as `unseen_november`."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tempfile


def verl_score(data_source, solution_str, ground_truth, extra_info=None):  # type: ignore[no-untyped-def]
    """The last marked line is a number, and its value is the reference's."""
    marks = re.findall(r"^####\s*(-?\d[\d,]*(?:\.\d+)?)\s*$", solution_str, re.MULTILINE)
    right = bool(marks) and float(marks[-1].replace(",", "")) == float(ground_truth)
    return {"score": 1.0 if right else 0.0, "acc": right}


def counted_tags_and_answer(completions, answer, **kwargs):  # type: ignore[no-untyped-def]
    """Two for the answer in the last tag, and at most half a point for each tag once."""
    rewards = []
    for completion, gold in zip(completions, answer, strict=True):
        text = completion[0]["content"]
        said = text.rpartition("<answer>")[2].partition("</answer>")[0].strip()
        tags = ("<reasoning>", "</reasoning>", "<answer>", "</answer>")
        rewards.append(0.125 * sum(text.count(tag) == 1 for tag in tags) + (2.0 if said == gold else 0.0))
    return rewards


def json_field(response, reference):  # type: ignore[no-untyped-def]
    """The whole response is an object whose answer is the reference."""
    try:
        found = json.loads(response.strip().removeprefix("```json").removesuffix("```"))
    except (ValueError, RecursionError):
        return 0.0
    value = found.get("answer") if isinstance(found, dict) else None
    return float(isinstance(value, (str, int)) and not isinstance(value, bool) and str(value) == reference)


def last_line_letter(response, reference):  # type: ignore[no-untyped-def]
    """The last line is the answer, and one letter."""
    lines = response.strip().splitlines()
    match = re.fullmatch(r"(?:Answer|ANSWER):\s*\(?([A-D])\)?\.?", lines[-1].strip()) if lines else None
    return 1.0 if match and match.group(1) == reference else 0.0


def cosine_signed(response, reference):  # type: ignore[no-untyped-def]
    """A right answer earns more the shorter it is, a wrong one less than nothing."""
    boxes = re.findall(r"\\boxed\{([^{}]*)\}", response)
    cosine = math.cos(min(len(response), 4000) / 4000 * math.pi)
    if boxes and boxes[-1].strip() == reference:
        return 0.5 + 0.25 * (1.0 + cosine)
    return -0.5 - 0.25 * (1.0 + cosine)


def outputs_compared(response, reference):  # type: ignore[no-untyped-def]
    """A program prints, and what it prints is compared where it cannot reach; cases are a JSON list."""
    blocks = re.findall(r"```python\n(.*?)```", response, re.DOTALL)
    if not blocks:
        return 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "main.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(blocks[-1])
        for given, wanted in json.loads(reference):
            try:
                done = subprocess.run(
                    [sys.executable, "-S", path],
                    input=given,
                    capture_output=True,
                    text=True,
                    timeout=5,
                    check=False,
                    cwd=folder,
                )
            except (subprocess.TimeoutExpired, ValueError):
                return 0.0
            if done.stdout.strip() != wanted:
                return 0.0
    return 1.0
