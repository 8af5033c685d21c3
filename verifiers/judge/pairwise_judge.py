"""Which of several completions is better, by a served judge: pairs in both orders, and ranks of lists.

Judges prefer a place: the first or the last of what they are shown (Shi et al., arXiv:2406.07791). So each
question is asked in both orders, and only what both say counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from ..core.completions import split_completion
from ..errors import ConfigError
from ..language.openers import only_opens
from .asking import Answers, Question, ask_all
from .judge_dialogue import FormError, as_read, conversation, reason_of, schema_of
from .opinions import Judge

MOST_LISTED = 26
"""Completions of a list: each has a letter."""

_PAIR = (
    'Reply with one JSON object and nothing else: {"reason": "...", "better": "first" or "second" or "tie"}. '
    "First the reason, in at most three sentences; then which of `first` and `second` is better."
)
_LIST = (
    'Reply with one JSON object and nothing else: {{"reason": "...", "ranking": [...]}}. First the reason, '
    "in at most three sentences; then the names {names}, each once, the best one first."
)
WHICH = "which of `first` and `second` is better"
Outcome = Literal["first", "second", "tie"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A judge's verdict on two completions.

    Args:
        better: Which one, or a "tie": also where the two orders contradict one another. None where the
            judge gave no usable answer.
        margin: Certainty: share of samples, of both orders, for the better one, minus the share for the
            other.
        reason: The first of the judge's reasons that says so, or why there is no answer.
    """

    better: Outcome | None
    margin: float
    reason: str


def compare(
    judge: Judge,
    pairs: Sequence[tuple[object, object]],
    prompts: Sequence[object] | None = None,
    references: Sequence[object] | None = None,
) -> list[Comparison]:
    """Compare completions two by two, in both orders.

    A side with nothing to judge (no text, or an opening alone) loses without a question to the model; two
    such sides are a tie.

    Args:
        judge: A judge with `url`: its rubric, samples and limits count; its scale does not.
        pairs: Length N: two completions each, texts or chat messages.
        prompts: Length N; None for none.
        references: Length N; None for none.

    Raises:
        ConfigError: The judge is not served, or the columns differ in length.
    """
    _check(judge, len(pairs), prompts, references)
    made: dict[int, Comparison] = {}
    questions: list[Question[str]] = []
    asked: list[int] = []
    for place, (first, second) in enumerate(pairs):
        texts = [_text(judge, first), _text(judge, second)]
        empty = [text is None for text in texts]
        if any(empty):
            better: Outcome = "tie" if all(empty) else "second" if empty[0] else "first"
            made[place] = Comparison(better, 0.0 if all(empty) else 1.0, "there is nothing to judge")
            continue
        asked.append(place)
        known = _known(prompts, references, place)
        for one, other in ((0, 1), (1, 0)):
            data = {**known, "first": texts[one] or "", "second": texts[other] or ""}
            questions.append(_question(judge, WHICH, _PAIR, data, "better", _side))
    answers = ask_all(judge.endpoint(), questions)
    for number, place in enumerate(asked):
        made[place] = _compared(judge.samples, answers[2 * number], answers[2 * number + 1])
    return [made[place] for place in range(len(pairs))]


def rank(
    judge: Judge, completions: Sequence[object], prompt: object = "", reference: object = ""
) -> list[tuple[int, int, float]]:
    """Preferences among the completions of one prompt, by rank.

    The list is judged as it stands and in reverse. Of two completions one is preferred if every ranking says
    so.

    Args:
        judge: A judge with `url`.
        completions: Two to 26 of them.
        prompt: The question.
        reference: The reference, if there is one.

    Returns:
        For each preference the places of the better and the worse one, and how far apart they are: the mean
        difference in rank, as a share of the longest list's; the farthest apart first. Empty where the judge
        gave no usable answer.

    Raises:
        ConfigError: The judge is not served, or there are too few or too many completions.
    """
    _check(judge, len(completions), None, None)
    found = [(place, _text(judge, each)) for place, each in enumerate(completions)]
    texts = {place: text for place, text in found if text is not None}
    empty = [place for place in range(len(completions)) if place not in texts]
    if not 2 <= len(completions) <= MOST_LISTED:
        raise ConfigError(f"rank: a list has 2 to {MOST_LISTED} completions, got {len(completions)}")
    orders = [list(texts), list(reversed(texts))]
    rankings: list[list[int]] = []
    if len(texts) > 1:
        known = _known([prompt], [reference], 0)
        questions = [_listed(judge, known, [texts[place] for place in order]) for order in orders]
        for order, answers in zip(orders, ask_all(judge.endpoint(), questions), strict=True):
            if answers.service or len(answers.said) < judge.samples:
                return []
            rankings += [[order[place] for place in each] for each in answers.said]
    else:
        rankings = [list(texts)]
    longest = max(1, len(completions) - 1)
    preferences = []
    for one, other in combinations(range(len(completions)), 2):
        gaps = [_gap([*each, *empty], one, other, empty) for each in rankings]
        if all(gap > 0 for gap in gaps) or all(gap < 0 for gap in gaps):
            mean = sum(gaps) / len(gaps) / longest
            preferences.append((one, other, mean) if mean > 0 else (other, one, -mean))
    return sorted(preferences, key=lambda each: -each[2])


def _gap(ranking: Sequence[int], one: int, other: int, empty: Sequence[int]) -> int:
    """By how many ranks the one is better; what is empty is last, and no better than what is empty too."""
    if one in empty and other in empty:
        return 0
    return ranking.index(other) - ranking.index(one)


def _check(
    judge: Judge, count: int, prompts: Sequence[object] | None, references: Sequence[object] | None
) -> None:
    if not judge.url:
        raise ConfigError("only a served judge compares completions: give url and model")
    for name, column in (("prompts", prompts), ("references", references)):
        if column is not None and len(column) != count:
            raise ConfigError(f"{name} has {len(column)} rows, but there are {count}")


def _text(judge: Judge, completion: object) -> str | None:
    """Return the part of a completion to judge; None if there is nothing."""
    split = split_completion(completion)
    if split is None or (judge.of == "response" and split.open_thinking):
        return None
    text = split.thinking if judge.of == "thinking" else getattr(split, judge.of)
    read = as_read(str(text)).strip()
    return None if not read or only_opens(read) or len(read) > judge.max_chars else read


def _known(
    prompts: Sequence[object] | None, references: Sequence[object] | None, place: int
) -> dict[str, str]:
    from_row = {
        "prompt": "" if prompts is None else _shown(prompts[place]),
        "reference": "" if references is None else _shown(references[place]),
    }
    return {name: text for name, text in from_row.items() if text}


def _shown(value: object) -> str:
    if isinstance(value, str) or value is None:
        return value or ""
    split = split_completion(value)
    return str(value) if split is None else split.completion


def _question(
    judge: Judge,
    what: str,
    form: str,
    data: Mapping[str, str],
    key: str,
    meaning: Callable[[Mapping[str, Any]], Any],
    **verdict: Any,
) -> Question[Any]:
    schema = schema_of(**(verdict or {key: {"type": "string", "enum": ["first", "second", "tie"]}}))
    messages = conversation(judge.rubric_text(), what, form, data)
    return Question(messages, schema, key, meaning, judge.samples)


def _side(found: Mapping[str, Any]) -> tuple[str, str]:
    if found["better"] not in ("first", "second", "tie"):
        raise FormError(f"better must be 'first', 'second' or 'tie', got {found['better']!r:.80}")
    return found["better"], reason_of(found)


def _compared(samples: int, forward: Answers[Any], backward: Answers[Any]) -> Comparison:
    for answers in (forward, backward):
        if answers.service or len(answers.said) * 2 <= samples:
            return Comparison(None, 0.0, answers.service or "; ".join(answers.formless[:1]))
    turned = {"first": "second", "second": "first", "tie": "tie"}
    votes = [forward.said, [(turned[side], reason) for side, reason in backward.said]]
    shares = [sum((side == "first") - (side == "second") for side, _ in order) / samples for order in votes]
    if shares[0] * shares[1] <= 0:
        return Comparison("tie", 0.0, f"the orders say {shares[0]:+.2g} and {shares[1]:+.2g} for the first")
    better: Outcome = "first" if shares[0] > 0 else "second"
    reason = next(reason for order in votes for side, reason in order if side == better)
    return Comparison(better, abs(sum(shares)) / 2, reason)


def _listed(judge: Judge, known: Mapping[str, str], texts: Sequence[str]) -> Question[list[int]]:
    names = [chr(ord("A") + place) for place in range(len(texts))]

    def meaning(found: Mapping[str, Any]) -> list[int]:
        reason_of(found)
        ranking = found["ranking"]
        if not isinstance(ranking, list) or sorted(map(str, ranking)) != names:
            raise FormError(f"the ranking must hold each of {', '.join(names)} once, got {ranking!r:.80}")
        return [names.index(str(each)) for each in ranking]

    form = _LIST.format(names=", ".join(names))
    ranking = {"type": "array", "items": {"type": "string", "enum": names}}
    data = {**known, **dict(zip(names, texts, strict=True))}
    return _question(judge, "the texts " + ", ".join(names), form, data, "ranking", meaning, ranking=ranking)
