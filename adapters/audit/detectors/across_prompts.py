"""What earns whatever is asked: one text for all prompts, and a verifier that says yes to everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reward_verifiers.verifiers.core import VERIFIERS

from ..audited_rows import Rows
from ..findings import Finding
from ..row_parts import Part, known
from ..thresholds import LIMITS, Limits

FEWEST = 5
"""Prompts in which a text must stand."""
LONG = 40
"""Characters of a text that several prompts hardly have in common by chance."""
ALWAYS = 0.99
GROUPS = 20


def one_completion(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """A text that stands in many prompts, and what it earns there.

    Where few answers are asked for, as of four choices, their texts stand in many prompts without any harm.
    So a text counts by its share of all completions, beside that of the most frequent reference; and one that
    is right in some prompts and wrong in others is judged as it should be.
    """
    prompts = len(set(rows.group))
    if not rows.grouped or prompts < 2 * FEWEST:
        return
    places: dict[int, dict[int, int]] = {}
    for place, (text, group) in enumerate(zip(rows.text, rows.group, strict=True)):
        places.setdefault(text, {}).setdefault(group, place)
    text, where = max(places.items(), key=lambda each: len(each[1]))
    share = len(where) / prompts
    found = list(where.values())
    paid = known(rows.reward[place] for place in found)
    long = rows.length[found[0]] >= LONG
    most = max(limits.one_completion, 2 * _commonest_reference(rows))
    said = sum(each == text for each in rows.text) / rows.count
    many = share >= limits.one_completion and (said >= most or (long and most == limits.one_completion))
    if len(where) < FEWEST or not paid or not (many or long):
        return
    rewards = known(rows.reward)
    mean, overall = sum(paid) / len(paid), sum(rewards) / len(rewards)
    earns = mean > min(rewards) and mean >= overall - 0.05 * (max(rewards) - min(rewards))
    earns = earns and min(paid) == max(paid) and len({rows.expected[place] for place in found}) > 1
    if not many and not earns:
        return
    yield Finding(
        "one_completion",
        "alarm" if many else "warning",
        f"one text stands in {len(where):,} of {prompts:,} prompts and earns {mean:.3f} there; all "
        f"rows earn {overall:.3f}",
        round(share, 4),
        limits.one_completion,
        None,
        "a reward that this text earns everywhere does not look at the question: pay the answer"
        if earns
        else "the policy says the same to every prompt: go back to a checkpoint before",
        [place + 1 for place in found[:20]],
    )


def _commonest_reference(rows: Rows) -> float:
    """The share of the prompts that have it; 0 where references are not known."""
    of_prompt = {
        group: expected for group, expected in zip(rows.group, rows.expected, strict=True) if expected
    }
    return max(Counter(of_prompt.values()).values()) / len(of_prompt) if of_prompt else 0.0


def always_true(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """A part that pays different answers to the same question alike, nearly always in full."""
    groups = [places for places in rows.by_group() if len(places) > 1]
    for part in rows.parts.values():
        if not _judges_answers(rows, part):
            continue
        scores = known(part.scores)
        if len(scores) < 2 * GROUPS or sum(score >= 1.0 for score in scores) / len(scores) < ALWAYS:
            continue
        differing = [places for places in groups if len({rows.last[place] for place in places}) > 1]
        fooled = [places for places in differing if all(part.scores[place] == 1.0 for place in places)]
        several = [
            places for places in fooled if len({rows.last[place] for place in places}) > 2 or len(places) == 2
        ]
        if len(differing) < GROUPS or len(several) < len(groups) * limits.always_true:
            continue
        yield Finding(
            "always_true",
            "alarm",
            f"{part.name} pays completions of the same prompt that end in different answers in full, in "
            f"{len(several):,} of {len(groups):,} prompts",
            round(len(several) / len(groups), 4),
            limits.always_true,
            None,
            f"see what {part.verifier or part.name} compares, on wrong completions (verify-cli "
            "check-verifier)",
            [place + 1 for places in several[:10] for place in places[:2]],
            part=part.name,
        )


def _judges_answers(rows: Rows, part: Part) -> bool:
    """Whether a part says what is right: it looks at a reference, or nothing else is there that does."""
    if part.refers or part.name == rows.outcome:
        return True
    return not _known(part) and not any(other.refers for other in rows.parts.values())


def _known(part: Part) -> bool:
    """Whether it is a verifier of the library that needs no reference, as those of formats."""
    return part.verifier in VERIFIERS
