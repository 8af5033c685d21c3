"""A rubric of items, each judged by itself: a text that a judge is asked about, or a rule that decides it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from ..core.checks import Range
from ..core.specs import find_class, from_spec
from ..core.verdicts import Sample, Status, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..language.openers import only_opens
from .asking import Answers, Question, ask_all
from .judge_dialogue import FormError, as_read, conversation, reason_of, schema_of
from .opinions import Judge

MOST_ITEMS = 200
"""Items of a rubric."""
_TEXTS = ("text", "criterion", "description", "title")
_WEIGHTS = ("weight", "points")
_RULES = tuple(f"reward_verifiers.verifiers.{each}." for each in ("text", "answers", "maths", "instructions"))
"""Folders whose verifiers read a text and do nothing else."""
_LISTS = ("rubrics", "rubric", "items", "criteria")
_FORM = (
    'Reply with one JSON object and nothing else: {"reason": "...", "met": true or false}. First the reason, '
    "with the words of the completion that show it; then whether the criterion is met."
)
_ALL_FORM = (
    'Reply with one JSON object and nothing else: {"reason": "...", "met": [true or false, ...]}, with one '
    "value for each criterion, in order. First the reason; then the values."
)


class Item(NamedTuple):
    """One thing that a rubric asks for.

    Args:
        text: Question for a judge; "" if a verifier decides.
        weight: Its points; negative for something that should not occur.
        required: Whether nothing is earned where it is not met.
        verifier: The rule that decides it; None where a judge does.
        spec: The rule as it is written.
    """

    text: str
    weight: float
    required: bool
    verifier: Verifier | None = None
    spec: str = ""

    @property
    def name(self) -> str:
        """Name of its part."""
        return self.text or self.spec


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Rubric(Verifier):
    """Share of a rubric's points that a response earns, item by item.

    An item is a text, about which `judge` is asked, or a verifier, which decides without a call. A negative
    weight costs points if the item applies. There is one part per item, in order, with its evidence. As in
    HealthBench, the score is the sum of the weights earned divided by the sum of the positive weights,
    limited to [0, 1]. A required item that is not met makes it 0.

    Rows can bring their own rubrics: a list of texts, or of mappings with ``text`` (or ``criterion``,
    ``description``, ``title``), ``weight`` (or ``points``), ``required``, ``verifier``. HealthBench's
    ``rubrics`` and RaR's ``rubric`` work unchanged.

    Args:
        items: Rubric for every row, instead of the row's own.
        judge: Judge for texts. Its model, samples and limits count; its own rubric does not.
        calls: ``item`` asks once per item; ``row`` asks once for all items.
        agreement: Least share of samples that must agree about an item, else the row is unscored.

    Raises:
        ConfigError: An item cannot be read, or the rubric has no points to earn.

    >>> polite = {"verifier": {"Keywords": ["sorry"]}, "weight": 2}
    >>> rubric = Rubric(items=(polite, {"verifier": "ExactMatch"}))
    >>> verdict = rubric.verify("I am sorry.", "Yes")
    >>> round(verdict.score, 2), [part.score for part in verdict.parts]
    (0.67, [1.0, 0.0])
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "all_met": "everything that earns is met, and nothing that costs",
        "partly_met": "some points are earned",
        "none_met": "no points are earned",
        "required_missing": "a required item is not met",
        "met": "of a part: it is met",
        "not_met": "of a part: it is not",
        "no_answer": "there is no text to judge, or thinking never ended",
        "only_opens": "the text announces an answer and gives none, or holds no more than signs",
        "too_long": "the text is longer than the judge's max_chars",
        "no_judge": "an item needs a judge, and none is configured",
        "no_form": "the judge's replies do not have the form",
        "no_agreement": "too few samples agree about an item",
        "not_judged": "a rule cannot judge its item on this row",
        "service_failed": "the service gave no answer",
        "service_refused": "the service does not take this judge: its key, address or model",
    }
    graded: ClassVar[bool] = True

    items: tuple[str | Mapping[str, Any], ...] = ()
    judge: Judge = field(default_factory=Judge)
    calls: Literal["item", "row"] = "item"
    agreement: Annotated[float, Range(0, 1)] = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.judge.function is not None:
            raise ConfigError("Rubric: judge is a served model; an item may be a verifier of its own")
        if self.items:
            read_items(self.items)
        object.__setattr__(self, "needs_reference", not self.items)

    def check(self, sample: Sample) -> Verdict:
        return self.check_batch([sample])[0]

    def check_batch(self, samples: Sequence[Sample]) -> Sequence[Verdict]:
        made: dict[int, Verdict] = {}
        rubrics: dict[int, list[Item]] = {}
        asked: list[tuple[int, tuple[int, ...], Question[list[bool]]]] = []
        for row, sample in enumerate(samples):
            try:
                rubrics[row] = (
                    read_items(self.items)
                    if self.items
                    else read_items(_listed(sample.reference), from_row=True)
                )
            except ConfigError as error:
                made[row] = self.unscored("bad_reference", str(error))
                continue
            texts = tuple(at for at, item in enumerate(rubrics[row]) if item.verifier is None)
            if texts and not self.judge.url:
                made[row] = self.unscored("no_judge", "give judge a url and a model")
            elif (refused := self._refused(sample)) is not None:
                made[row] = refused
            elif texts:
                groups = [texts] if self.calls == "row" else [(at,) for at in texts]
                asked += [(row, group, self._question(sample, rubrics[row], group)) for group in groups]
        answered = ask_all(self.judge.endpoint(), [question for _, _, question in asked]) if asked else []
        parts: dict[int, dict[int, Verdict]] = {}
        for (row, group, _), answers in zip(asked, answered, strict=True):
            parts.setdefault(row, {}).update(self._parts(rubrics[row], group, answers))
        for row, sample in enumerate(samples):
            if row not in made:
                made[row] = self._verdict(rubrics[row], parts.get(row, {}), sample)
        return [made[row] for row in range(len(samples))]

    def _refused(self, sample: Sample) -> Verdict | None:
        text = sample.characters(self.judge.of)
        read = as_read(text).strip()
        if sample.open_thinking or not read:
            return self.scored(0.0, "no_answer")
        if len(text) > self.judge.max_chars:
            return self.scored(0.0, "too_long", f"{len(text):,} characters")
        return self.scored(0.0, "only_opens") if only_opens(read) else None

    def _question(self, sample: Sample, rubric: list[Item], group: tuple[int, ...]) -> Question[list[bool]]:
        data = {"prompt": sample.prompt, "completion": sample.characters(self.judge.of)}
        known = {name: each for name, each in data.items() if each or name == "completion"}
        single = self.calls == "item"
        texts = [rubric[at].text for at in group]
        asks = texts[0] if single else "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
        met: dict[str, Any] = {"type": "boolean"}
        if not single:
            met = {"type": "array", "items": met, "minItems": len(group), "maxItems": len(group)}
        return Question(
            messages=conversation(asks, "`completion`", _FORM if single else _ALL_FORM, known),
            schema=schema_of(met=met),
            key="met",
            meaning=_meaning(len(group), single),
            samples=self.judge.samples,
        )

    def _parts(
        self, rubric: list[Item], group: tuple[int, ...], answers: Answers[list[bool]]
    ) -> dict[int, Verdict]:
        if answers.service:
            reason = "service_refused" if answers.refused else "service_failed"
            return {at: self._part(rubric[at], None, reason, answers.service) for at in group}
        if not answers.said:
            return {at: self._part(rubric[at], None, "no_form", answers.formless[0]) for at in group}
        made = {}
        for place, at in enumerate(group):
            votes = [said[place] for said in answers.said]
            agreeing = max(votes.count(True), votes.count(False))
            if agreeing / self.judge.samples <= 0.5 or agreeing / self.judge.samples < self.agreement:
                made[at] = self._part(
                    rubric[at], None, "no_agreement", f"{agreeing} of {self.judge.samples} agree"
                )
            else:
                detail = f"{agreeing} of {len(votes)} samples" if len(votes) > 1 else ""
                made[at] = self._part(rubric[at], 2 * votes.count(True) > len(votes), "", detail)
        return made

    def _part(self, item: Item, met: bool | None, reason: str, detail: str) -> Verdict:
        if met is None:
            verdict = self.unscored(reason, detail[:500])
        else:
            verdict = self.scored(float(met), reason or ("met" if met else "not_met"), detail[:500])
        return replace(verdict, verifier=item.name[:_LONGEST_NAME])

    def _verdict(self, rubric: list[Item], judged: Mapping[int, Verdict], sample: Sample) -> Verdict:
        parts = []
        for at, item in enumerate(rubric):
            if item.verifier is None:
                parts.append(judged[at])
                continue
            given = item.verifier._guarded_batch([sample])[0]
            detail = f"{given.verifier}: {given.reason}. {given.detail}".strip()
            if given.status is Status.SCORED:
                part = self._part(item, given.passed, "", detail)
            else:
                part = self._part(item, None, "not_judged", detail)
            parts.append(replace(part, extracted=given.extracted, span=given.span, parts=(given,)))
        stuck = next((part for part in parts if part.score is None), None)
        if stuck is not None:
            return replace(
                self.unscored(stuck.reason, f"{stuck.verifier}: {stuck.detail}"[:500]), parts=tuple(parts)
            )
        met = [part.score == 1.0 for part in parts]
        most = math.fsum(item.weight for item in rubric if item.weight > 0)
        earned = math.fsum(item.weight for item, is_met in zip(rubric, met, strict=True) if is_met)
        missing = [item for item, is_met in zip(rubric, met, strict=True) if item.required and not is_met]
        score = 0.0 if missing else min(1.0, max(0.0, earned / most))
        reason = "all_met" if score == 1.0 else "partly_met" if score else "none_met"
        detail = f"{earned:g} of {most:g} points, {sum(met)} of {len(met)} items"
        if missing:
            reason, detail = "required_missing", f"{missing[0].name[:_LONGEST_NAME]}; {detail}"
        return self.scored(score, reason, detail, raw=earned, parts=tuple(parts))

    def fields_read(self) -> tuple[str, ...] | None:
        return (
            None
            if self.items and any(item.verifier for item in read_items(self.items))
            else ("prompt", "prompts")
        )


_LONGEST_NAME = 80


def _meaning(count: int, single: bool) -> Callable[[Mapping[str, Any]], list[bool]]:
    def meaning(found: Mapping[str, Any]) -> list[bool]:
        met = [found["met"]] if single else found["met"]
        if not isinstance(met, list) or len(met) != count or not all(isinstance(each, bool) for each in met):
            raise FormError(f"met must be {count} values true or false, got {found['met']!r:.80}")
        reason_of(found)
        return met

    return meaning


def _listed(reference: Any) -> Sequence[Any]:
    """The items that a row brings."""
    if isinstance(reference, str):
        try:
            reference = json.loads(reference)
        except (ValueError, RecursionError):
            raise ConfigError("a rubric is a list of items, or such a list as JSON") from None
    if isinstance(reference, Mapping):
        reference = next((reference[name] for name in _LISTS if name in reference), None)
    if not isinstance(reference, list | tuple):
        raise ConfigError(f"a rubric is a list of items, got {reference!r:.80}")
    return reference


def read_items(items: Sequence[Any], from_row: bool = False) -> list[Item]:
    """The items of a rubric.

    Args:
        items: As they are written.
        from_row: Whether a row of data brings them, which may name rules that read texts, and nothing that
            runs code or asks a service.

    Raises:
        ConfigError: One cannot be read, or no weight is positive.

    >>> read_items([{"criterion": "Says when to see a doctor.", "points": 5, "tags": []}])[0].weight
    5.0
    """
    if len(items) > MOST_ITEMS:
        raise ConfigError(f"a rubric has at most {MOST_ITEMS} items, got {len(items)}")
    found = [_item(each, from_row) for each in items]
    if not any(item.weight > 0 for item in found):
        raise ConfigError("no item of the rubric has a positive weight, so nothing can be earned")
    return found


def _item(each: Any, from_row: bool) -> Item:
    if isinstance(each, str):
        each = {"text": each}
    if not isinstance(each, Mapping):
        raise ConfigError(f"an item is a text or a mapping, got {each!r:.80}")
    weight = next((each[name] for name in _WEIGHTS if each.get(name) is not None), 1)
    if (
        not isinstance(weight, int | float)
        or isinstance(weight, bool)
        or not math.isfinite(weight)
        or weight == 0
    ):
        raise ConfigError(f"the weight of an item is a number other than 0, got {weight!r:.80}")
    required = bool(each.get("required", False))
    if (spec := each.get("verifier")) is not None:
        if from_row:
            name = next(iter(spec), "") if isinstance(spec, Mapping) else spec
            kind = find_class(str(name), VERIFIERS)
            if not kind.__module__.startswith(_RULES):
                raise ConfigError(f"a row's own rubric may not name {name}; give such items in the recipe")
        rule = (
            spec
            if isinstance(spec, Verifier)
            else from_spec(dict(spec) if isinstance(spec, Mapping) else spec)
        )
        return Item("", float(weight), required, rule, repr(rule))
    text = next((each[name] for name in _TEXTS if isinstance(each.get(name), str) and each[name].strip()), "")
    if not text:
        raise ConfigError(f"an item has a text or a verifier, got {dict(each)!r:.80}")
    return Item(" ".join(text.split()), float(weight), required)
