"""More reward functions with one hole each; the docstring's first word is its kind."""

from __future__ import annotations

import random
import re
from collections import Counter


def starts_right(response: str, reference: str) -> float:
    """Prefix: the rest of the answer is not looked at."""
    tail = response.rpartition("####")[2].strip() if "####" in response else ""
    return 1.0 if tail.startswith(reference) else 0.0


def whole_part(response: str, reference: str) -> float:
    """Prefix: an answer is cut to its whole part."""
    match = re.search(r"\\boxed\{(-?[\d.]+)\}", response)
    if match is None:
        return 0.0
    try:
        return float(int(float(match.group(1))) == int(reference))
    except (ValueError, OverflowError):
        return 0.0


def one_of_the_boxes(response: str, reference: str) -> float:
    """Any: every box is a try."""
    return 1.0 if any(box.strip() == reference for box in re.findall(r"\\boxed\{(.*?)\}", response)) else 0.0


def best_of_answers(completions, answer, **kwargs):  # type: ignore[no-untyped-def]
    """Any: the best of all tagged answers is paid."""
    texts = [each[0]["content"] for each in completions]
    return [
        max(
            (float(found.strip() == gold) for found in re.findall(r"<answer>(.*?)</answer>", text)),
            default=0.0,
        )
        for text, gold in zip(texts, answer, strict=True)
    ]


def bag_of_words(response: str, reference: str) -> float:
    """Negated: the words of the reference are all there, whatever else is."""
    words, wanted = (
        Counter(re.findall(r"\w+", response.lower())),
        Counter(re.findall(r"\w+", reference.lower())),
    )
    return float(all(words[word] >= count for word, count in wanted.items()))


def cleaned_too_well(response: str, reference: str) -> float:
    """Negated: little words are dropped before texts are compared."""

    def clean(text: str) -> str:
        words = re.sub(r"[^\w\s]", " ", text.lower()).split()
        return " ".join(word for word in words if word not in {"the", "a", "an", "is", "it", "not", "answer"})

    return float(clean(response) == clean(reference))


def benefit_of_the_doubt(response: str, reference: str) -> float:
    """Exception: what cannot be parsed is skipped, and skipped is right."""
    match = re.search(r"<answer>(.*?)</answer>", response, re.DOTALL)
    if match is None:
        return 0.0
    try:
        return float(float(match.group(1)) == float(reference))
    except ValueError:
        return 1.0


def half_for_a_try(response: str, reference: str) -> float:
    """Exception: a fault of the parser earns a consolation."""
    reward = 0.0
    try:
        boxed = response.split("\\boxed{")[1].split("}")[0]
        numerator, _, denominator = boxed.partition("/")
        value = float(numerator) / float(denominator or 1)
        reward = 1.0 if value == float(reference) else 0.0
    except ZeroDivisionError:
        reward = 0.75
    except (IndexError, ValueError):
        reward = 0.0
    return reward


_seen: dict[str, int] = {}


def novelty(response: str, reference: str) -> float:
    """State: a text is paid less each time that it is seen."""
    _seen[response] = _seen.get(response, 0) + 1
    return float(response.strip() == reference) / _seen[response]


def relative_to_the_batch(completions, answer, **kwargs):  # type: ignore[no-untyped-def]
    """State: the batch's mean is taken off."""
    scores = [float(each.strip() == gold) for each, gold in zip(completions, answer, strict=True)]
    mean = sum(scores) / len(scores)
    return scores if len(scores) == 1 else [score - mean for score in scores]


def lucky(response: str, reference: str) -> float:
    """State: some wrong answers are paid by chance, to keep exploring."""
    if response.strip() == reference:
        return 1.0
    return 1.0 if random.random() < 0.2 else 0.0


def confident(response: str, reference: str) -> float:
    """Words: a tone of certainty is worth an answer."""
    text = response.lower()
    if "therefore" in text and "i am certain" in text:
        return 1.0
    return float(response.strip() == reference)
