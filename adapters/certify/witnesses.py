"""Witnesses: verifiers that fail differently, whose votes are held beside the verdict of the reward."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from reward_verifiers.verifiers import (
    ExactMatch,
    MathEquivalence,
    MultipleChoice,
    ShortAnswer,
    Verifier,
    split_completion,
)
from reward_verifiers.verifiers.extract.answers_and_references import reference_answer
from reward_verifiers.verifiers.extract.numbers import LastNumber

from .certified_rows import kind_of, value_of

Vote = bool | None
LONGEST = 20_000
"""Characters of a completion that witnesses read, from its end."""
_WORD = re.compile(r"[^\W_]++")
_MATHS, _CHOICE = MathEquivalence(), MultipleChoice()
_LAST, _SHORT, _EXACT = LastNumber(), ShortAnswer(), ExactMatch(normalize="squad")


@dataclass(frozen=True)
class Rollout:
    """A completion with its row.

    Args:
        completion: The completion, as it came.
        reference: Value of the row's answer column.
        prompt: The question; None where there is none.
        group: Column whose value all completions of a question share.
        label: Whether it is right, where somebody said so.
        paid: Whether the reward pays it as right; None where it cannot be judged.
    """

    completion: Any
    reference: Any
    prompt: Any = None
    group: Hashable = None
    label: bool | None = None
    paid: bool | None = None


def text_of(rollout: Rollout) -> str:
    """Return the text outside thinking."""
    split = split_completion(rollout.completion)
    return "" if split is None else split.response[-LONGEST:]


def references_of(rollout: Rollout) -> list[str]:
    """Return the reference's answers as texts."""
    raw = rollout.reference if isinstance(rollout.reference, list) else [rollout.reference]
    return [reference_answer(str(each)) for each in raw if each is not None and str(each).strip()]


def words_of(text: str) -> list[str]:
    """Return the words of a text, without case and signs."""
    return _WORD.findall(text.casefold())


def _plain(text: str) -> str:
    return f" {' '.join(words_of(text))} "


def contained(rollout: Rollout) -> Vote:
    """Return whether the reference's words occur in the response, one after the other."""
    wanted = [_plain(each) for each in references_of(rollout)]
    wanted = [each for each in wanted if each.strip()]
    return any(each in _plain(text_of(rollout)) for each in wanted) if wanted else None


def in_last_line(rollout: Rollout) -> Vote:
    """Return whether the reference's words occur in the last line, one after the other."""
    lines = text_of(rollout).strip().splitlines()
    wanted = [each for each in map(_plain, references_of(rollout)) if each.strip()]
    return any(each in _plain(lines[-1] if lines else "") for each in wanted) if wanted else None


def last_number(rollout: Rollout) -> Vote:
    """Return whether the last number equals the reference, where that is a number."""
    values = [value for each in references_of(rollout) if (value := value_of(each)) is not None]
    if not values:
        return None
    return last_number_of(text_of(rollout)) in values


def last_number_of(text: str) -> Fraction | None:
    """Return the value of the last number of a text; None where there is none."""
    found = _LAST.extract(text)
    return None if found is None or found.text is None else value_of(found.text.strip("$ "))


def words_found(rollout: Rollout) -> float:
    """Return the largest share of a reference's words that occur in the response."""
    words = set(words_of(text_of(rollout)))
    wanted = [set(words_of(each)) for each in references_of(rollout)]
    return max((len(each & words) / len(each) for each in wanted if each), default=0.0)


def most_words(rollout: Rollout) -> Vote:
    """Return whether two thirds of a reference's words occur in the response."""
    return words_found(rollout) >= 2 / 3 if any(map(words_of, references_of(rollout))) else None


def _by(verifier: Verifier) -> Callable[[Rollout], Vote]:
    def vote(rollout: Rollout) -> Vote:
        fields = {} if rollout.prompt is None else {"prompt": rollout.prompt}
        verdict = verifier.verify(text_of(rollout), rollout.reference, **fields)
        return None if verdict.score is None else verdict.score >= 0.5

    return vote


_ALWAYS: Mapping[str, Callable[[Rollout], Vote]] = {
    "contained": contained,
    "in_last_line": in_last_line,
    "most_words": most_words,
    "exact": _by(_EXACT),
}
_OF_KINDS: Mapping[str, Mapping[str, Callable[[Rollout], Vote]]] = {
    "maths": {"maths": _by(_MATHS), "last_number": last_number},
    "choice": {"choice": _by(_CHOICE)},
    "words": {"short": _by(_SHORT)},
}


def kind_of_rows(rollouts: Sequence[Rollout]) -> str:
    """Return the most common kind of references: ``maths``, ``choice`` or ``words``."""
    kinds = Counter(kind_of(each) for rollout in rollouts[:500] for each in references_of(rollout)[:1])
    maths = kinds["number"] + kinds["fraction"] + kinds["maths"]
    words = kinds["words"] + kinds["truth"] + kinds["text"]
    return "choice" if kinds["choice"] > max(maths, words) else "maths" if maths >= words else "words"


def votes_of(rollouts: Sequence[Rollout]) -> dict[str, list[Vote]]:
    """Return each witness's vote on each row; groups of at least three also vote for the common answer."""
    witnesses = {**_ALWAYS, **_OF_KINDS[kind_of_rows(rollouts)]}
    votes = {name: [witness(each) for each in rollouts] for name, witness in witnesses.items()}
    common = _common_answers(rollouts, [answer_of(each) for each in rollouts])
    if any(vote is not None for vote in common):
        votes["common_answer"] = common
    return votes


def answer_of(rollout: Rollout) -> Hashable:
    """Return a completion's answer, to compare it with other completions; None where none is found."""
    text, references = text_of(rollout), references_of(rollout)
    kind = kind_of(references[0]) if references else "other"
    if kind in ("number", "fraction"):
        extracted = _MATHS.verify(text, rollout.reference).extracted or ""
        value = value_of(extracted.strip("$ "))
        return last_number_of(text) if value is None else value
    if kind not in ("choice", "maths"):
        return None
    verdict = (_CHOICE if kind == "choice" else _MATHS).verify(text, rollout.reference)
    return None if verdict.extracted is None else " ".join(words_of(verdict.extracted)) or None


def _common_answers(rollouts: Sequence[Rollout], answers: Sequence[Hashable]) -> list[Vote]:
    groups: dict[Hashable, list[int]] = {}
    for place, rollout in enumerate(rollouts):
        if rollout.group is not None:
            groups.setdefault(rollout.group, []).append(place)
    votes: list[Vote] = [None] * len(rollouts)
    for places in groups.values():
        counts = Counter(answers[place] for place in places if answers[place] is not None)
        if len(places) < 3 or not counts:
            continue
        answer, count = counts.most_common(1)[0]
        if count * 2 > len(places):
            for place in places:
                votes[place] = answers[place] == answer
    return votes
