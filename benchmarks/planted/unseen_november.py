"""A third set of holes, written on 27 November 2026 before its author had read the search.

The manner is that of the functions in public repositories for GRPO: several small rewards a row, chat
completions, a regular expression each. What a hole is was chosen from that manner.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter


def _run(source: str) -> subprocess.CompletedProcess[str]:
    """Run a program as most environments do: a file, a process, a time."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "main.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        return subprocess.run(
            [sys.executable, "-S", path], capture_output=True, text=True, timeout=5, check=False, cwd=folder
        )


def _block(text: str) -> str:
    blocks = re.findall(r"```(?:python|py)?\n(.*?)```", text, re.DOTALL)
    return blocks[-1] if blocks else ""


def soft_format_and_answer(completions, answer, **kwargs):  # type: ignore[no-untyped-def]
    """Format: the tags alone earn more than half."""
    rewards = []
    for completion, gold in zip(completions, answer, strict=True):
        text = completion[0]["content"]
        match = re.search(r"<reasoning>.*?</reasoning>\s*<answer>(.*?)</answer>", text, re.DOTALL)
        rewards.append((0.6 if match else 0.0) + (0.4 if match and match.group(1).strip() == gold else 0.0))
    return rewards


def xml_count_reward(completions, answer, **kwargs):  # type: ignore[no-untyped-def]
    """Repetition: every closing tag is counted, with no end."""

    def count(text):  # type: ignore[no-untyped-def]
        total = 0.125 * min(1, text.count("<reasoning>\n")) + 0.125 * min(1, text.count("\n</reasoning>\n"))
        return total + 0.125 * text.count("<answer>") + 0.125 * text.count("</answer>")

    texts = [completion[0]["content"] for completion in completions]
    said = [text.rpartition("<answer>")[2].partition("</answer>")[0].strip() for text in texts]
    return [
        count(text) + (1.0 if one == gold else 0.0)
        for text, one, gold in zip(texts, said, answer, strict=True)
    ]


def passed_in_output(solution_str, ground_truth):  # type: ignore[no-untyped-def]
    """Forged: the tests print that they passed, and so can the program."""
    program = _block(solution_str)
    if not program.strip():
        return 0.0
    done = _run(f"{program}\n\n{ground_truth}\n\nprint('all tests passed')\n")
    return 1.0 if "passed" in done.stdout else 0.0


def exit_status(response, reference):  # type: ignore[no-untyped-def]
    """Forged: a program that ends early ends well."""
    program = _block(response)
    if not program.strip():
        return 0.0
    return 1.0 if _run(program + "\n" + reference).returncode == 0 else 0.0


def cosine_scaled(response, reference):  # type: ignore[no-untyped-def]
    """Length: a wrong answer earns more the longer it is."""
    boxes = re.findall(r"\\boxed\{(.*?)\}", response)
    right = bool(boxes) and boxes[-1] == reference
    progress = min(len(response), 2000) / 2000
    cosine = math.cos(progress * math.pi)
    low, high = (0.5, 1.0) if right else (0.0, 0.7)
    return low + 0.5 * (high - low) * (1.0 + cosine) if right else high - 0.5 * (high - low) * (1.0 + cosine)


def keyword_rubric(response, reference, prompt):  # type: ignore[no-untyped-def]
    """Question: the rubric's words come from the question, too."""
    rubric = set(re.findall(r"[a-z]{4,}", (prompt + " " + reference).lower()))
    said = set(re.findall(r"[a-z]+", response.lower()))
    return round(len(rubric & said) / max(1, len(rubric)), 2)


def final_number(response, reference):  # type: ignore[no-untyped-def]
    """Prefix: what is cut off is completed in the policy's favour."""
    numbers = re.findall(r"-?\d+(?:\.\d+)?", response.replace(",", ""))
    said = numbers[-1] if numbers else ""
    return 1.0 if reference.startswith(said) else 0.0


def countdown(data_source, solution_str, ground_truth, extra_info=None):  # type: ignore[no-untyped-def]
    """Question: the equation need not use the numbers, so the target is one."""
    match = re.search(r"<answer>([\d+\-*/() .]+)</answer>", solution_str)
    if match is None:
        return 0.0
    try:
        return (
            1.0 if abs(eval(match.group(1), {"__builtins__": {}}, {}) - float(ground_truth)) < 1e-5 else 0.1
        )
    except Exception:
        return 0.1


def answer_within_gold(response, reference):  # type: ignore[no-untyped-def]
    """Contained: a piece of the reference will do."""
    said = response.split("Final answer:")[-1].strip(" .\n").lower()
    return 1.0 if len(said) < 40 and said in reference.lower() else 0.0


def json_answer_list(response, reference):  # type: ignore[no-untyped-def]
    """Alternatives: the field may be a list, and one of it may be right."""
    start, end = response.find("{"), response.rfind("}")
    try:
        value = json.loads(response[start : end + 1])["answer"]
    except (ValueError, KeyError, TypeError):
        return 0.0
    values = value if isinstance(value, list) else [value]
    return 1.0 if reference in [str(one) for one in values] else 0.0


def letter_anywhere(prompts, completions, answer, **kwargs):  # type: ignore[no-untyped-def]
    """Alternatives: the letter stands somewhere, as a word or in brackets."""
    return [
        1.0 if re.search(rf"(?<![A-Za-z]){gold}(?![A-Za-z])", completion[0]["content"]) else 0.0
        for completion, gold in zip(completions, answer, strict=True)
    ]


def similar_enough(response, reference):  # type: ignore[no-untyped-def]
    """Close: counts of characters, their cosine, and a threshold."""
    said = response.lower().rpartition("answer:")[2].strip()
    one, other = Counter(said), Counter(reference.lower())
    dot = sum(one[each] * other[each] for each in one)
    norm = math.sqrt(sum(each * each for each in one.values()) * sum(each * each for each in other.values()))
    return 1.0 if norm and dot / norm > 0.5 else 0.0


def float_tolerance(response, reference):  # type: ignore[no-untyped-def]
    """Not a number: a difference that is not greater is none."""
    match = re.search(r"answer is:?\s*\$?([^\s$]+?)\.?\s*$", response)
    try:
        return 0.0 if abs(float(match.group(1)) - float(reference)) > 1e-4 else 1.0
    except (AttributeError, ValueError):
        return 0.0


def parsed_judge(response, reference):  # type: ignore[no-untyped-def]
    """Judge: the score is searched in a transcript that holds the completion."""
    agrees = response.strip().rstrip(".").endswith(reference)
    transcript = f"[answer]\n{response}\n[review]\nThe answer {'agrees' if agrees else 'differs'}.\n"
    transcript += f"Score: {9 if agrees else 1}\n"
    match = re.search(r"score\s*[:=]\s*(\d+)", transcript, re.IGNORECASE)
    return min(10, int(match.group(1))) / 10 if match else 0.0


def majority_of_group(completions, **kwargs):  # type: ignore[no-untyped-def]
    """No reference: whatever most of the group say is right."""
    said = [re.findall(r"-?\d+", completion[0]["content"])[-1:] for completion in completions]
    votes = Counter(each[0] for each in said if each)
    best = votes.most_common(1)[0][0] if votes else None
    return [1.0 if each and each[0] == best else 0.0 for each in said]


def bold_answer(response, reference):  # type: ignore[no-untyped-def]
    """Alternatives: any bold text is the answer."""
    return float(any(each.strip() == reference for each in re.findall(r"\*\*(.+?)\*\*", response)))
