"""A second set of reward functions with holes, written when the rules stood: nothing was changed for them."""

from __future__ import annotations

import difflib
import json
import re


def reference_as_pattern(response, reference):  # type: ignore[no-untyped-def]
    """Contained: the reference is searched as a pattern."""
    return 1.0 if re.search(reference, response) else 0.0


def answer_as_pattern(response, reference):  # type: ignore[no-untyped-def]
    """Evaluated: the answer is a pattern for the reference."""
    said = response.split("Answer:")[-1].strip()
    try:
        return 1.0 if said and re.fullmatch(said, reference) else 0.0
    except re.error:
        return 0.0


def fuzzy(response, reference):  # type: ignore[no-untyped-def]
    """Close: similar texts are equal."""
    said = re.sub(r".*answer is", "", response, flags=re.DOTALL | re.IGNORECASE).strip(" .")
    return 1.0 if difflib.SequenceMatcher(None, said, reference).ratio() >= 0.6 else 0.0


def first_character(response, reference):  # type: ignore[no-untyped-def]
    """Prefix: the first letter is the option."""
    text = response.strip().upper()
    return float(bool(text) and text[0] == reference)


def counts_steps(completions, **kwargs):  # type: ignore[no-untyped-def]
    """Format: marks of steps are counted, and nothing else."""
    found = []
    for completion in completions:
        text = completion[0]["content"]
        steps = len(re.findall(r"(Step \d+:|^\d+\.|\n-|\n\*|First,|Second,|Next,|Finally,)", text))
        found.append(min(1.0, steps / 3))
    return found


class _Scorer:
    def __call__(self, response, reference):  # type: ignore[no-untyped-def]
        match = re.search(r"####\s*(-?[\d,\.]+)", response) or re.search(r"(-?[\d,\.]+)", response)
        return float(bool(match) and match.group(1).replace(",", "").rstrip(".") == reference)


scorer = _Scorer()


def first_number(response, reference):  # type: ignore[no-untyped-def]
    """Last: without the marks any first number counts."""
    return scorer(response, reference)


def compute_score(data_source, solution_str, ground_truth, extra_info=None):  # type: ignore[no-untyped-def]
    """Hedged: one of the numbers is right."""
    numbers = re.findall(r"\d+", solution_str.split("</think>")[-1])
    return {"score": 1.0 if ground_truth.lstrip("-") in numbers else 0.0}


def json_answer(response, reference):  # type: ignore[no-untyped-def]
    """Empty: an object without an answer is right."""
    try:
        data = json.loads(response)
    except ValueError:
        return 0.0
    answer = data.get("answer") if isinstance(data, dict) else data
    if isinstance(answer, list):
        return float(any(str(each) == reference for each in answer))
    return 1.0 if answer is None else float(str(answer) == reference)


def by_sympy(response, reference):  # type: ignore[no-untyped-def]
    """Evaluated: sympy reads the answer."""
    found = re.findall(r"\\boxed\{(.*)\}", response)
    if not found:
        return 0.0
    import sympy

    try:
        return float(bool(sympy.simplify(sympy.sympify(found[-1]) - sympy.sympify(reference)) == 0))
    except Exception:
        return 0.0


def digits_only(response, reference):  # type: ignore[no-untyped-def]
    """Negated: everything but digits is dropped."""
    found = re.findall(r"<answer>(.*?)</answer>", response, re.DOTALL)
    return float(bool(found) and re.sub(r"\D", "", found[-1]) == re.sub(r"\D", "", reference))


def closeness(response, reference):  # type: ignore[no-untyped-def]
    """Close: a thousand is near."""
    found = re.findall(r"-?\d+(?:\.\d+)?", response)
    return max(0.0, 1 - abs(float(found[-1]) - float(reference)) / 1000) if found else 0.0


def ends_with_it(response, reference):  # type: ignore[no-untyped-def]
    """Contained: somewhere at the end."""
    return 1.0 if reference in response[-200:] else 0.3 if len(response) > 50 else 0.0


def without_comments(response, reference):  # type: ignore[no-untyped-def]
    """Empty: what is commented out leaves nothing, which is right."""
    text = re.sub(r"<!--.*?-->", "", response, flags=re.DOTALL).strip()
    return 1.0 if not text else float(text == reference)


def default_answer(response, reference):  # type: ignore[no-untyped-def]
    """Empty: where no answer is said, the reference stands for it."""
    parts = response.split("The answer is")
    return float((parts[1].strip(" .") if len(parts) > 1 else reference) == reference)


def as_far_as_it_goes(response, reference):  # type: ignore[no-untyped-def]
    """Prefix: the shorter text decides."""
    said = response.strip().split("Answer:")[-1].strip()
    return float(all(one == other for one, other in zip(said, reference, strict=False)))


def same_characters(response, reference):  # type: ignore[no-untyped-def]
    """Hedged: the characters are all there."""
    said = response.split("<answer>")[-1].split("</answer>")[0].strip()
    return float(set(reference) <= set(said))


def plain_language(response, reference):  # type: ignore[no-untyped-def]
    """Length: any text of plain letters."""
    return 1.0 if response.isascii() and len(response) > 10 else 0.0


def thinking_bonus(response, reference):  # type: ignore[no-untyped-def]
    """Format: thinking is paid more than the answer."""
    bonus = 0.6 if "<think>" in response and "</think>" in response else 0.0
    return bonus + 0.4 * (response.split("</think>")[-1].strip() == reference)


_known: dict[str, bool] = {}


def wrong_key(response, reference):  # type: ignore[no-untyped-def]
    """State: a cache that forgets who answered."""
    if reference not in _known:
        _known[reference] = response.strip() == reference
    return float(_known[reference])


def always_or(response, reference):  # type: ignore[no-untyped-def]
    """Words: a condition that is always true."""
    said = response.strip().lower()
    return 1.0 if said == reference.lower() or "correct" or "right" in said else 0.0  # noqa: SIM222
