"""The response follows the instructions of its row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError, MissingDependencyError
from ..runtime.packages import require
from .kinds import Kind, Misread, Outcome, read_kind
from .references import Asked, NotInstructionsError, asked_of
from .texts import EXTRA, MAX_CHARS, Text

_TOO_LONG = Outcome(False, f"the response is longer than {MAX_CHARS:,} characters", reason="over_limit")


class Instruction(NamedTuple):
    """One instruction of a row, read.

    Args:
        id: As the row has it.
        language: The language in front of its id; "" without one.
        kind: What judges it; or why nothing can.
    """

    id: str
    language: str
    kind: Kind | Misread


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class InstructionFollowing(Verifier):
    """The response follows the instructions of its row: those of IFEval, IFBench, M-IFEval, and Korean ones.

    The reference is what the public sets write: ``{"instruction_id_list": [...], "kwargs": [...]}``, as data
    or as text, also Tulu's and open-instruct's ``ground_truth``. There is one part for each instruction, in
    order. A row with an instruction that cannot be judged (an unknown kind, a missing parameter) has no
    score.

    Args:
        instructions: Instructions of every row, in place of the reference: ids or names of classes, each
            alone or with its parameters, as ``{"length_constraints:number_words": {"num_words": 50}}``.
        counting: ``right``: what the instruction says. ``official``: as the public graders count, faults
            included (docs/instructions.md lists the differences).
        pays: ``share`` of the instructions that are followed, or ``all`` or nothing.
        reading: ``strict``: the response as it is. ``loose``: also without its first line, its last one, and
            stars; the best of these counts, for each instruction by itself.
        language: The language of instructions whose ids name none.

    Raises:
        ConfigError: An instruction that there is not, or one without a parameter that it needs.

    >>> verdict = InstructionFollowing().verify(
    ...     "One. Two, three.",
    ...     {"instruction_id_list": ["punctuation:no_comma", "length_constraints:number_words"],
    ...      "kwargs": [{}, {"relation": "less than", "num_words": 5}]},
    ... )
    >>> verdict.score, [(part.score, part.detail) for part in verdict.parts]
    (0.5, [(0.0, "comma: ','"), (1.0, '3 of less than 5 words')])
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "all_followed": "every instruction is followed",
        "partly_followed": "some instructions are followed",
        "none_followed": "no instruction is followed",
        "followed": "of a part: the instruction is followed",
        "not_followed": "of a part: it is not",
        "empty": "there is no response",
        "over_limit": f"the response is longer than {MAX_CHARS:,} characters",
        "bad_reference": "the reference is no list of instructions",
        "unknown_kind": "there is no such kind of instruction; the nearest name is said",
        "bad_parameters": "an instruction lacks a parameter, or has one that does not fit",
        "not_judged": "whether an instruction is followed cannot be told, whatever the response",
        "unused_reference": "`instructions` are configured and the row brings its own",
    }

    instructions: tuple[str | Mapping[str, Any], ...] = ()
    counting: Literal["right", "official"] = "right"
    pays: Literal["share", "all"] = "share"
    reading: Literal["strict", "loose"] = "strict"
    language: str = "en"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "needs_reference", not self.instructions)
        for each in self._configured():
            if isinstance(each.kind, Misread):
                raise ConfigError(f"InstructionFollowing: {each.kind.said}")

    def fields_read(self) -> tuple[str, ...] | None:
        return ("prompt", "prompts")

    def check(self, sample: Sample) -> Verdict:
        if self.instructions:
            asked = self._configured()
            if _brings_instructions(sample.reference):
                return self.unscored(
                    "unused_reference", "the row brings instructions and others are configured"
                )
        else:
            try:
                asked = read_all(tuple(asked_of(sample.reference)))
            except NotInstructionsError as problem:
                return self.unscored("bad_reference", str(problem))
        parts = tuple(self._parts(asked, sample))
        stuck = next((part for part in parts if part.score is None), None)
        if stuck is not None:
            return replace(self.unscored(stuck.reason, stuck.detail), parts=parts)
        return self._verdict(parts, sample)

    def _configured(self) -> tuple[Instruction, ...]:
        found = []
        for each in self.instructions:
            if isinstance(each, str):
                found.append(Asked(each, {}))
                continue
            for name, parameters in each.items():
                if parameters is not None and not isinstance(parameters, Mapping):
                    raise ConfigError(
                        f"InstructionFollowing: the parameters of {name} are no mapping: {parameters!r:.80}"
                    )
                found.append(Asked(name, dict(parameters or {})))
        return read_all(tuple(found))

    def _verdict(self, parts: tuple[Verdict, ...], sample: Sample) -> Verdict:
        followed = sum(part.score == 1.0 for part in parts)
        share = followed / len(parts)
        detail = f"{followed} of {len(parts)} instructions"
        if not sample.response.strip():
            reason = "empty"
        elif all(part.reason == "over_limit" for part in parts):
            reason = "over_limit"
        else:
            reason = "all_followed" if share == 1 else "partly_followed" if share else "none_followed"
        score = share if self.pays == "share" else float(share == 1)
        wrong = next((part for part in parts if part.score == 0.0), None)
        if wrong is not None:
            detail += f"; {wrong.verifier}: {wrong.detail}"
        return self.scored(score, reason, detail, parts=parts)

    def _parts(self, asked: tuple[Instruction, ...], sample: Sample) -> Iterator[Verdict]:
        texts: dict[tuple[str, bool], list[Text]] = {}
        for each in asked:
            if isinstance(each.kind, Misread):
                yield self._part(each, Outcome(None, each.kind.said, reason=each.kind.reason))
                continue
            language = each.language or self.language
            # Nobody's official grader knows Korean.
            official = (
                self.counting == "official" and language != "ko" and not each.kind.ids[0].startswith("ko:")
            )
            if (language, official) not in texts:
                texts[language, official] = self._texts(sample, language, official)
            outcome = _stuck(each.kind, language, official)
            if outcome is None:
                found = texts[language, official]
                outcome = _best(each.kind, found) if found else _TOO_LONG
            span = None
            # Of a looser reading the places are others.
            if outcome.span is not None and self.reading == "strict":
                span = outcome.span if official else sample.seen("characters").span(*outcome.span)
            yield self._part(each, outcome._replace(span=span))

    def _texts(self, sample: Sample, language: str, official: bool) -> list[Text]:
        """The readings of a response; none of one that is too long."""
        response = sample.response if official else sample.seen("characters").text
        parts = _readings(response, self.reading == "loose") if len(response) <= MAX_CHARS else []
        return [Text(part, language, official=official, prompt=sample.prompt) for part in parts]

    def _part(self, each: Instruction, outcome: Outcome) -> Verdict:
        if outcome.followed is None:
            return replace(self.unscored(outcome.reason or "not_judged", outcome.said), verifier=each.id)
        reason = outcome.reason or ("followed" if outcome.followed else "not_followed")
        verdict = self.scored(float(outcome.followed), reason, outcome.said[:500], span=outcome.span)
        return replace(verdict, verifier=each.id)


def read_all(asked: tuple[Asked, ...]) -> tuple[Instruction, ...]:
    """The instructions of a row, each with what judges it."""
    return tuple(
        _read_one(each.id, json.dumps(each.parameters, sort_keys=True, default=repr)) for each in asked
    )


@lru_cache(maxsize=8192)
def _read_one(name: str, parameters: str) -> Instruction:
    found = read_kind(name, json.loads(parameters))
    if isinstance(found, Misread):
        return Instruction(name, "", found)
    return Instruction(name, *found)


def _best(kind: Kind, readings: list[Text]) -> Outcome:
    """The outcome of the first reading that follows the instruction; else that of the response as it is."""
    first: Outcome | None = None
    for text in readings:
        # The official graders have it so: an empty response follows nothing.
        outcome = (
            kind.judge(text) if text.text.strip() else Outcome(False, "there is no response", reason="empty")
        )
        if outcome.followed or outcome.followed is None:
            return outcome
        first = first or outcome
    return first or Outcome(False, "there is no response", reason="empty")


def _stuck(kind: Kind, language: str, official: bool) -> Outcome | None:
    """Why no response can be judged by an instruction; None if responses can."""
    if problem := kind.unusable(language, official):
        return Outcome(None, problem, reason="not_judged")
    try:
        for package in kind.packages(language, official):
            require(package, extra=EXTRA)
    except MissingDependencyError as problem:
        return Outcome(None, str(problem), reason="missing_dependency")
    return None


def _readings(response: str, loose: bool) -> list[str]:
    """A response as it is, and for a loose reading without its first line, its last one, and stars."""
    if not loose:
        return [response]
    lines = response.split("\n")
    cut = [response, *("\n".join(part).strip() for part in (lines[1:], lines[:-1], lines[1:-1]))]
    return [*cut, *(each.replace("*", "") for each in cut)]


def _brings_instructions(reference: Any) -> bool:
    if reference is None:
        return False
    try:
        return bool(asked_of(reference))
    except NotInstructionsError:
        return False
