"""Evidence from comparing completions of one prompt, and of different prompts.

Groups that teach nothing, and duplicates; one text, or a verifier that says yes, for all prompts; what a
reward goes along with where it should not (length, tags), and the part that decides it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from reward_verifiers.verifiers.core import VERIFIERS

from .audited_rows import Rows
from .chance import CHANCE, Correlation, share_above, within_groups
from .findings import LIMITS, Finding, Limits
from .row_traits import Part, known

DECIDES = 0.9


def length_bias(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find parts that reward longer or shorter completions of a prompt among equally right ones."""
    for part in rows.parts.values():
        if len(set(part.scores)) < 4:
            continue  # a format is kept by longer completions, and none is hacked by that
        found = _with(rows, part, rows.length)
        if found.groups < FEWEST_GROUPS or abs(found.value) < limits.correlation / 2:
            continue
        certain = abs(found.value) > limits.correlation and found.chance < CHANCE and not part.refers
        what = "longer" if found.value > 0 else "shorter"
        yield Finding(
            "length_bias",
            "warning" if certain else "note",
            f"{part.name} pays {what} completions of the same prompt more: correlation {found.value:.2f}",
            found.value,
            limits.correlation,
            found.chance,
            "hold lengths against the score by hand, and take the length out of it "
            "(`SoftOverlong`, a rubric without style)",
            _extreme(rows, part, found),
            part=part.name,
        )


def tag_stuffing(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find completions with many tags that earn by them."""
    many = sorted(rows.tags)[int(0.9 * (rows.count - 1))] if rows.count else 0.0
    if many < limits.tags:
        return
    found, part = max(
        ((_with(rows, part, rows.tags), part) for part in rows.parts.values()),
        key=lambda each: (each[0].groups >= FEWEST_GROUPS, each[0].value),
    )
    if found.groups < FEWEST_GROUPS or found.value < limits.correlation or found.chance > CHANCE:
        return
    stuffed = [place + 1 for place in range(rows.count) if rows.tags[place] >= many]
    yield Finding(
        "tag_stuffing",
        "warning",
        f"{part.name} pays completions with more tags more: correlation {found.value:.2f}, and one in ten "
        f"has {many:.0f} tags or more",
        found.value,
        limits.correlation,
        found.chance,
        "use TagFormat, which refuses a repeated tag, in place of a count of tags",
        stuffed[:20],
        part=part.name,
    )


def dominance(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find one part that decides nearly all differences of the reward and is not correctness."""
    judged = [place for place in range(rows.count) if not math.isnan(rows.reward[place])]
    if len(judged) < 100 or len(rows.parts) < 2:
        return
    rewards = [rows.reward[place] for place in judged]
    spread = _covariance(rewards, rewards)
    right = [rows.right[place] for place in judged]
    if spread <= 0 or any(math.isnan(value) for value in right):
        return
    decided = _covariance(right, rewards) ** 2 / max(_covariance(right, right) * spread, 1e-18)
    if decided > 1 - DECIDES:
        return
    for part in rows.parts.values():
        scores = [part.scores[place] for place in judged]
        if any(math.isnan(score) for score in scores):
            continue
        share = _covariance(scores, rewards) ** 2 / max(_covariance(scores, scores) * spread, 1e-18)
        if share > DECIDES:
            yield Finding(
                "dominance",
                "note",
                f"{part.name} explains {share:.0%} of the differences in reward, and the outcome "
                f"{decided:.0%}",
                round(share, 4),
                DECIDES,
                None,
                "pay it only together with a right answer, or less",
                part=part.name,
            )


def _with(rows: Rows, part: Part, figure: Sequence[float]) -> Correlation:
    """Return a part's correlation with a figure among equally right completions of a prompt."""
    pairs = []
    itself, measured = part.scores, rows.measured()
    for places in rows.by_group():
        strata: dict[float, list[int]] = {}
        for place in places:
            if not math.isnan(itself[place]):
                right = measured[place]
                alike = -1.0 if math.isnan(right) or right == itself[place] else right
                strata.setdefault(alike, []).append(place)
        pairs += [
            ([figure[place] for place in alike], [itself[place] for place in alike])
            for alike in strata.values()
        ]
    return within_groups(pairs)


def _extreme(rows: Rows, part: Part, found: Correlation) -> list[int]:
    places = [place for place in range(rows.count) if not math.isnan(part.scores[place])]
    places.sort(key=lambda place: rows.length[place] * math.copysign(1, found.value), reverse=True)
    return [place + 1 for place in places[:10]]


def _covariance(left: Sequence[float], right: Sequence[float]) -> float:
    mean_left, mean_right = sum(left) / len(left), sum(right) / len(right)
    return sum((x - mean_left) * (y - mean_right) for x, y in zip(left, right, strict=True)) / len(left)


FEWEST_GROUPS = 10
"""Groups without which nothing is said about groups."""
SATURATED = 0.95
SOLVED = 0.9


def zero_variance(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find groups whose completions are all rewarded alike, which teach nothing."""
    groups = _judged(rows)
    if len(groups) < FEWEST_GROUPS:
        return
    same = [places for places in groups if len({rows.reward[place] for place in places}) == 1]
    share, chance = len(same) / len(groups), share_above(len(same), len(groups), limits.zero_variance)
    right = _mean_right(rows)
    solved = right is not None and right > SOLVED
    if share > limits.zero_variance / 2:
        certain = share > limits.zero_variance and chance < CHANCE and not solved
        yield Finding(
            "zero_variance",
            "warning" if certain else "note",
            f"in {len(same):,} of {len(groups):,} groups all completions are paid the same, so they "
            "teach nothing",
            round(share, 4),
            limits.zero_variance,
            chance,
            "the prompts are solved: take harder ones"
            if solved
            else "choose prompts that some completions solve and some do not (verify-cli groups), or raise "
            "the temperature",
            [places[0] + 1 for places in same[:20]],
        )


def saturated(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find parts that are nearly always rewarded in full."""
    for part in rows.parts.values():
        scores = known(part.scores)
        full = sum(score >= 1.0 for score in scores)
        if len(scores) >= 100 and full / len(scores) > SATURATED:
            yield Finding(
                "saturated",
                "note",
                f"{part.name} is at its maximum on {full / len(scores):.1%} of the rows: it no "
                "longer tells them apart",
                round(full / len(scores), 4),
                SATURATED,
                None,
                "leave it as a condition (`.when`), or take harder prompts",
                part=part.name,
            )


def duplicates(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find completions that repeat one another word for word.

    A text that stands in several prompts is an answer that several questions have, as with four choices, or
    is found by `one_completion`: neither is a copy within a group.
    """
    homes: dict[int, set[int]] = {}
    for text, group in zip(rows.text, rows.group, strict=True):
        homes.setdefault(text, set()).add(group)
    twins = counted = 0
    named: list[int] = []
    for places in rows.by_group():
        # Of short ones many are equal without any harm.
        long = [place for place in places if rows.length[place] >= 40 and len(homes[rows.text[place]]) < 3]
        if len(long) < 2:
            continue
        counted += len(long)
        seen: dict[int, int] = {}
        for place in long:
            if rows.text[place] in seen:
                twins += 1
                if len(named) < 20:
                    named.append(place + 1)
            seen.setdefault(rows.text[place], place)
    if counted < 2 * FEWEST_GROUPS or twins / counted < 0.2:
        return
    share, chance = twins / counted, share_above(twins, counted, limits.duplicates)
    right = _mean_right(rows)
    certain = share > limits.duplicates and chance < CHANCE and (right is None or right < SOLVED)
    yield Finding(
        "duplicates",
        "warning" if certain else "note",
        f"{share:.0%} of the completions repeat another one of their group word for word",
        round(share, 4),
        limits.duplicates,
        chance,
        "raise the temperature; DuplicatePenalty pays copies less",
        named,
    )


def _judged(rows: Rows) -> list[list[int]]:
    groups = ([place for place in places if not math.isnan(rows.reward[place])] for places in rows.by_group())
    return [places for places in groups if len(places) > 1]


def _mean_right(rows: Rows) -> float | None:
    values = known(rows.measured())
    return sum(values) / len(values) if values else None


FEWEST_ROWS = 5
"""Prompts in which a text must stand."""
LONG = 40
"""Characters of a text that several prompts hardly have in common by chance."""
ALWAYS = 0.99
GROUPS = 20


def one_completion(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find a text that is the completion of many prompts, and its reward there.

    Where few answers are asked for, as of four choices, their texts stand in many prompts without any harm.
    So a text counts by its share of all completions, beside that of the most frequent reference; and one that
    is right in some prompts and wrong in others is judged as it should be.
    """
    prompts = len(set(rows.group))
    if not rows.grouped or prompts < 2 * FEWEST_ROWS:
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
    if len(where) < FEWEST_ROWS or not paid or not (many or long):
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
    """Return the share of prompts with the most common reference; 0 where references are unknown."""
    of_prompt = {
        group: expected for group, expected in zip(rows.group, rows.expected, strict=True) if expected
    }
    return max(Counter(of_prompt.values()).values()) / len(of_prompt) if of_prompt else 0.0


def always_true(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find a part that rewards different answers to the same question alike, nearly always in full."""
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
    """Return whether a part judges correctness: it reads a reference, or no other part does."""
    if part.refers or part.name == rows.outcome:
        return True
    return not _known(part) and not any(other.refers for other in rows.parts.values())


def _known(part: Part) -> bool:
    """Return whether a part's verifier is one of the library's that need no reference, such as formats."""
    return part.verifier in VERIFIERS
