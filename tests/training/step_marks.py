"""A judge of steps for runs of models that cannot calculate: each run of equal characters is a step."""

from __future__ import annotations

from itertools import groupby

from verifiers import Sample, Status, Verdict, verifier


@verifier
def runs(sample: Sample) -> Verdict:
    """Steps of which those that begin with an even digit are right, and those of other signs are not judged."""
    parts, place = [], 0
    for sign, group in groupby(sample.completion):
        end = place + len(list(group))
        score = float(sign in "02468") if sign.isdigit() else None
        status = Status.UNSCORED if score is None else Status.SCORED
        parts.append(Verdict(verifier="runs", status=status, score=score, reason="run", span=(place, end)))
        place = end
    return Verdict(verifier="runs", status=Status.SCORED, score=1.0, reason="runs", parts=tuple(parts))


@verifier
def none(sample: Sample) -> bool:
    """A judgement without steps."""
    return bool(sample.completion)
