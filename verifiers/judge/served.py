"""What a served model says of samples, and who is to blame where it says nothing."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Protocol

from ..core.verdicts import Sample, Status, TextPart, Verdict
from ..language.openers import only_opens
from ..runtime.forks import new_lock
from .asking import TRIES, Answers, Endpoint, Question, ask_all
from .fence import as_read
from .panel import Vote, agreed
from .prompts import CONTROL, conversation, score_form, score_schema
from .replies import Opinion, opinion_of

REASONS: Mapping[str, str] = {
    "no_answer": "there is no text to judge, or thinking never ended",
    "only_opens": "the text announces an answer and gives none, or holds no more than signs",
    "too_long": "the text is longer than max_chars",
    "broke_form": "no reply about this completion had the form, while every reply about a plain one had it",
    "no_form": "the model's replies do not have the form, about a plain completion neither",
    "no_agreement": "too few samples agree",
    "service_failed": "the service gave no answer",
    "service_refused": "the service does not take this judge: its key, address or model",
}
KEPT = 10_000
"""Verdicts that are remembered in this process; the least recently used go first. About 1 KB each."""


class Served(Protocol):
    """A judge that is served, as far as its verdicts need to know it."""

    @property
    def scale(self) -> tuple[int, int]: ...
    @property
    def of(self) -> TextPart: ...
    @property
    def samples(self) -> int: ...
    @property
    def vote(self) -> Vote: ...
    @property
    def agreement(self) -> float: ...
    @property
    def max_chars(self) -> int: ...
    def endpoint(self) -> Endpoint: ...
    def rubric_text(self) -> str: ...
    def identity(self) -> str: ...
    def scored(self, score: float, reason: str, detail: str = "", *, raw: float | None = None) -> Verdict: ...
    def unscored(self, reason: str, detail: str = "") -> Verdict: ...


def by_server(judge: Served, samples: Sequence[Sample]) -> list[Verdict]:
    """The verdicts on samples, in order."""
    made: dict[int, Verdict] = {}
    asked: dict[int, Question[Opinion]] = {}
    for place, sample in enumerate(samples):
        text = sample.characters(judge.of)
        refused = _refused(judge, sample, text)
        if refused is not None:
            made[place] = refused
            continue
        asked[place] = question = _question(judge, sample, text)
        if (known := _memory.get(_key(judge, question))) is not None:
            made[place] = known
    fresh = [place for place in asked if place not in made]
    endpoint = judge.endpoint()
    answered = dict(zip(fresh, ask_all(endpoint, [asked[place] for place in fresh]), strict=True))
    broken = [place for place in fresh if _formless(answered[place])]
    controls = [_question(judge, samples[place], CONTROL, TRIES) for place in broken]
    # Each reply about the plain completion has to have the form, and they are as many as failed here: a
    # service that fails now and then is not taken for a completion that makes it fail.
    judged = dict(zip(broken, ask_all(endpoint, controls, tries=1), strict=True))
    for place in fresh:
        verdict = _verdict(judge, answered[place], judged.get(place))
        if verdict.status is Status.SCORED:
            _memory.put(_key(judge, asked[place]), verdict)
        made[place] = verdict
    return [made[place] for place in range(len(samples))]


def _refused(judge: Served, sample: Sample, text: str) -> Verdict | None:
    """What is 0.0 without a question to the model; None for the rest."""
    read = as_read(text).strip()
    if (judge.of == "response" and sample.open_thinking) or not read:
        return judge.scored(0.0, "no_answer")
    if len(text) > judge.max_chars:
        detail = f"{len(text):,} characters, and max_chars is {judge.max_chars:,}"
        return judge.scored(0.0, "too_long", detail)
    if only_opens(read) and read != as_read(_shown(sample.reference)).strip():
        return judge.scored(0.0, "only_opens", f"nothing but {read[:80]!r}")
    return None


def _question(judge: Served, sample: Sample, text: str, times: int = 1) -> Question[Opinion]:
    data = {"prompt": sample.prompt, "reference": _shown(sample.reference), "completion": text}
    low, high = judge.scale
    known = {name: each for name, each in data.items() if each or name == "completion"}
    return Question(
        messages=conversation(judge.rubric_text(), "`completion`", score_form(low, high), known),
        schema=score_schema(low, high),
        key="score",
        meaning=opinion_of(low, high),
        samples=judge.samples * times,
    )


def _shown(reference: object) -> str:
    if reference is None or isinstance(reference, str):
        return reference or ""
    return json.dumps(reference, ensure_ascii=False, default=str)


def _formless(answers: Answers[Opinion]) -> bool:
    return not answers.said and bool(answers.formless) and not answers.service


def _verdict(judge: Served, answers: Answers[Opinion], control: Answers[Opinion] | None) -> Verdict:
    if answers.service:
        reason = "service_refused" if answers.refused else "service_failed"
        return judge.unscored(reason, answers.service[:500])
    if control is not None:
        trouble = answers.formless[0][:300]
        if control.service or control.formless:
            why = control.service or control.formless[0]
            return judge.unscored("no_form", f"{trouble}; and of a plain completion: {why[:200]}")
        return judge.scored(0.0, "broke_form", f"{trouble}; a plain completion was judged")
    opinion, agreeing = agreed(answers.said, judge.samples, judge.scale, judge.vote, judge.agreement)
    low, high = judge.scale
    if opinion is None:
        scores = ", ".join(f"{each.score:g}" for each in answers.said)
        missing = f", {len(answers.formless)} without the form" if answers.formless else ""
        return judge.unscored("no_agreement", f"{agreeing} of {judge.samples} agree: {scores}{missing}")
    agreement = "" if judge.samples == 1 else f"{agreeing} of {judge.samples} agree: "
    share = (opinion.score - low) / (high - low)
    return judge.scored(share, "judged", f"{agreement}{opinion.reason}"[:2000], raw=opinion.score)


class _Memory:
    """Verdicts by what was asked, bounded."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Verdict] = OrderedDict()
        self._lock = new_lock()

    def get(self, key: str) -> Verdict | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: str, verdict: Verdict) -> None:
        with self._lock:
            self._kept[key] = verdict
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


_memory = _Memory()


def _key(judge: Served, question: Question[Opinion]) -> str:
    said = f"{judge.identity()}\0{question.same()}"
    return hashlib.blake2b(said.encode(), digest_size=20).hexdigest()
