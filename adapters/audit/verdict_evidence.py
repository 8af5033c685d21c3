"""Evidence in the verdicts themselves: faults, masks, missing answers, parts that contradict one another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

from .audited_rows import Rows
from .chance import CHANCE, share_above
from .findings import LIMITS, MOST_ROWS, Finding, Level, Limits
from .row_traits import Cases, Part
from .time_evidence import FORMAT


def faults(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find rows on which a verifier broke."""
    for part in rows.parts.values():
        if not part.faults.count:
            continue
        share = part.faults.count / rows.count
        level: Level = (
            "alarm" if share >= limits.faults else "warning" if share >= limits.faults / 10 else "note"
        )
        yield Finding(
            "fault",
            level,
            f"{part.verifier or part.name} broke on {part.faults.count:,} of {rows.count:,} rows "
            f"({share:.2%})",
            round(share, 6),
            limits.faults,
            None,
            "these rows teach nothing: see their detail (verify-cli show --status fault), and mend "
            "the verifier",
            part.faults.rows,
            part=part.name,
        )


def unscored(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find unscored rows, by reason."""
    for part in rows.parts.values():
        by_count = sorted(part.unscored.items(), key=lambda each: -each[1].count)
        for reason, cases in by_count[:5]:
            count, share = cases.count, cases.count / rows.count
            yield Finding(
                "unscored",
                "warning" if share > limits.unscored else "note",
                f"{part.name} could not judge {count:,} of {rows.count:,} rows ({share:.2%}): {reason}",
                round(share, 6),
                limits.unscored,
                None,
                "look at the references (verify-cli references), and leave such rows out",
                cases.rows,
                part=part.name,
            )


def masked_by_completion(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find prompts with both scored and unscored completions: a policy can choose to be masked."""
    groups = [places for places in rows.by_group() if len(places) > 1]
    for part in rows.parts.values():
        if not part.unscored:
            continue
        broken = set(part.faults.all)
        mixed = []
        for places in groups:
            missing = [place for place in places if math.isnan(part.scores[place])]
            if 0 < len(missing) < len(places) and not all(place + 1 in broken for place in missing):
                mixed.append(missing[0] + 1)
        if not mixed:
            continue
        share = len(mixed) / len(groups)
        yield Finding(
            "masked_by_completion",
            "alarm" if share > limits.faults else "warning",
            f"{part.name} judges some completions of a prompt and not others, in {len(mixed):,} of "
            f"{len(groups):,} prompts",
            round(share, 6),
            limits.faults,
            None,
            "a completion must not choose to be unscored: give 0.0 for everything that it can cause",
            mixed[:MOST_ROWS],
            part=part.name,
        )


def no_answer_paid(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find rewarded completions that keep the format without any answer in it."""
    form = rows.parts.get(FORMAT)
    outcomes = [part for part in rows.parts.values() if any(part.no_answer)]
    if form is None or not outcomes:
        return
    part = outcomes[0]
    empty = [
        place + 1
        for place in range(rows.count)
        if part.no_answer[place] and form.scores[place] == 1.0 and rows.reward[place] > 0
    ]
    share = len(empty) / rows.count
    if share > limits.no_answer / 10:
        yield Finding(
            "format_without_answer",
            "warning" if share > limits.no_answer else "note",
            f"{len(empty):,} of {rows.count:,} rows ({share:.1%}) keep the format, answer nothing, "
            "and are paid",
            round(share, 4),
            limits.no_answer,
            None,
            "pay the format only together with an answer (`accuracy.when(format)`)",
            empty[:MOST_ROWS],
            part=part.name,
        )


def hidden_answers(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find right answers that are in the thinking alone."""
    hidden = [place + 1 for place in range(rows.count) if rows.in_thinking[place]]
    share = len(hidden) / rows.count if rows.count else 0.0
    if share > limits.in_thinking / 5:
        yield Finding(
            "answer_in_thinking",
            "warning" if share > limits.in_thinking else "note",
            f"{len(hidden):,} of {rows.count:,} rows ({share:.1%}) have the right answer in their "
            "thinking and none outside it",
            round(share, 4),
            limits.in_thinking,
            None,
            "is the completion cut off before its answer, or does the chat template begin inside "
            "the thinking?",
            hidden[:MOST_ROWS],
        )


def reference_unpaid(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find responses that hold their reference and are not right: the extractor may miss phrasings.

    A wrong response may hold it by chance, so more than a note rests on last lines: on how many more hold the
    row's own reference than that of another row. Where a format is asked for and not kept, nothing is wrong.
    """
    by_count = sorted(rows.unpaid.items(), key=lambda each: -each[1].count)
    if not by_count:
        return
    form = rows.parts.get(FORMAT)

    def in_form(cases: Cases) -> list[int]:
        return [row for row in cases.all if form is None or form.scores[row - 1] != 0.0]

    own, others = in_form(rows.own_last), in_form(rows.other_last)
    chance = share_above(len(own), len(own) + len(others), 0.5)
    share, total = len(own) / rows.count, sum(cases.count for _, cases in by_count)
    counts = ", ".join(f"{reason} {cases.count:,}" for reason, cases in by_count[:5])
    yield Finding(
        "reference_unpaid",
        "warning" if share > limits.unpaid and chance < CHANCE else "note",
        f"{total:,} of {rows.count:,} rows hold their reference and are not right ({counts}), "
        f"{len(own):,} of them in the last line",
        round(share, 4),
        limits.unpaid,
        chance,
        "read these rows: if they are right, the extractor does not know their wording (`extract=`)",
        own[:MOST_ROWS] or by_count[0][1].rows,
    )


def disagreement(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find two parts that both read the reference and contradict one another."""
    for one, other in combinations([part for part in rows.parts.values() if _says_right(part)], 2):
        both = [
            place
            for place in range(rows.count)
            if one.scores[place] in (0.0, 1.0) and other.scores[place] in (0.0, 1.0)
        ]
        apart = [place + 1 for place in both if one.scores[place] != other.scores[place]]
        if len(both) < 50 or len(apart) / len(both) < limits.disagreement / 10:
            continue
        share = len(apart) / len(both)
        yield Finding(
            "disagreement",
            "warning" if share > limits.disagreement else "note",
            f"{one.name} and {other.name} contradict one another on {len(apart):,} of {len(both):,} "
            f"rows ({share:.1%})",
            round(share, 4),
            limits.disagreement,
            None,
            "read these rows: one of the two is wrong about them",
            apart[:MOST_ROWS],
            part=one.name,
        )


def cheats(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find rewarded texts that contain known cheats."""
    for name, cases in rows.cheats.items():
        share = cases.count / rows.count
        yield Finding(
            "known_cheat",
            "alarm" if share > limits.faults else "warning",
            f"{cases.count:,} rows that are paid hold a text that {name}",
            round(share, 6),
            limits.faults,
            None,
            "see which part rewarded them, and test the recipe against such texts before you train on it",
            cases.rows,
        )


def _says_right(part: Part) -> bool:
    return part.refers
