"""The response follows the instructions of its row, as the public sets write them.

IFEval, IFBench, M-IFEval, Tulu's and open-instruct's rows.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError, MissingDependencyError
from ..runtime.packages import require
from .counted_texts import EXTRA, MAX_CHARS, Text
from .kinds import Kind, Misread, Outcome, read_kind

_MOST_ASKED = 300_000
"""Longest text that is read as a reference: some repeat the whole request."""
MAX_INSTRUCTIONS = 100
"""Instructions of one row."""

TULU = {
    "verify_keywords": ("keywords:existence", {"keyword_list": "keywords"}),
    "verify_keyword_frequency": ("keywords:frequency", {"word": "keyword", "N": "frequency"}),
    "validate_forbidden_words": ("keywords:forbidden_words", {"forbidden_words": "forbidden_words"}),
    "verify_letter_frequency": ("keywords:letter_frequency", {"letter": "letter", "N": "let_frequency"}),
    "validate_response_language": ("language:response_language", {"language": "language"}),
    "verify_paragraph_count": ("length_constraints:number_paragraphs", {"N": "num_paragraphs"}),
    "validate_word_constraint": (
        "length_constraints:number_words",
        {"N": "num_words", "quantifier": "relation"},
    ),
    "verify_sentence_constraint": (
        "length_constraints:number_sentences",
        {"N": "num_sentences", "quantifier": "relation"},
    ),
    "validate_paragraphs": (
        "length_constraints:nth_paragraph_first_word",
        {"N": "num_paragraphs", "first_word": "first_word", "i": "nth_paragraph"},
    ),
    "verify_postscript": ("detectable_content:postscript", {"postscript_marker": "postscript_marker"}),
    "validate_placeholders": ("detectable_content:number_placeholders", {"N": "num_placeholders"}),
    "verify_bullet_points": ("detectable_format:number_bullet_lists", {"N": "num_bullets"}),
    "validate_title": ("detectable_format:title", {}),
    "validate_choice": ("format:options", {"options": "options"}),
    "validate_highlighted_sections": (
        "detectable_format:number_highlighted_sections",
        {"N": "num_highlights"},
    ),
    "validate_sections": (
        "detectable_format:multiple_sections",
        {"N": "num_sections", "section_splitter": "section_spliter"},
    ),
    "validate_json_format": ("detectable_format:json_format", {}),
    "validate_repeat_prompt": ("combination:repeat_prompt", {"original_prompt": "prompt_to_repeat"}),
    "validate_two_responses": ("combination:two_responses", {}),
    "validate_uppercase": ("change_case:english_capital", {}),
    "validate_lowercase": ("change_case:english_lowercase", {}),
    "validate_frequency_capital_words": (
        "change_case:capital_word_frequency",
        {"N": "capital_frequency", "quantifier": "capital_relation"},
    ),
    "validate_end": ("startend:end_checker", {"end_phrase": "end_phrase"}),
    "validate_quotation": ("startend:quotation", {}),
    "validate_no_commas": ("punctuation:no_comma", {}),
}
"""The functions that rows of Tulu 3 name: the kind of each, and its parameters by the names of IFEval."""
_EXACT = {"verify_keyword_frequency": "relation", "verify_letter_frequency": "let_relation"}
"""Of these Tulu's prompts ask for so many times, no more and no fewer."""


class Asked(NamedTuple):
    """One instruction as a row gives it.

    Args:
        id: Its kind, with or without a language in front.
        parameters: Its parameters; nulls are none.
    """

    id: str
    parameters: dict[str, Any]


class NotInstructionsError(ValueError):
    """A reference is no list of instructions; the message says why."""


def asked_of(reference: Any) -> list[Asked]:
    """The instructions of a reference.

    Args:
        reference: A mapping with ``instruction_id_list`` (also ``instruction_id``, ``instructions``) and
            ``kwargs``; one with Tulu's ``func_name``; a list of one of these; or one of these as JSON or as
            Python writes it.

    Raises:
        NotInstructionsError: It is none of these.

    >>> asked_of('{"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}')
    [Asked(id='punctuation:no_comma', parameters={})]
    >>> asked_of({"func_name": "validate_placeholders", "N": 3, "quantifier": None})
    [Asked(id='detectable_content:number_placeholders', parameters={'num_placeholders': 3})]
    """
    if isinstance(reference, str):
        reference = _read(reference)
    if isinstance(reference, list | tuple) and reference:
        found = [each for part in reference for each in asked_of(part)]
    elif isinstance(reference, Mapping):
        found = _of_mapping(reference)
    else:
        raise NotInstructionsError(
            f"it is no mapping with instruction_id_list and kwargs, but {reference!r:.80}"
        )
    if not found:
        raise NotInstructionsError("it lists no instruction")
    if len(found) > MAX_INSTRUCTIONS:
        raise NotInstructionsError(f"it lists {len(found)} instructions, more than {MAX_INSTRUCTIONS}")
    return found


def _read(text: str) -> Any:
    if len(text) > _MOST_ASKED:
        raise NotInstructionsError(f"it is longer than {_MOST_ASKED:,} characters")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as problem:
        raise NotInstructionsError(f"it is neither JSON nor a Python literal: {text[:80]!r}") from problem


def _of_mapping(row: Mapping[str, Any]) -> list[Asked]:
    if "func_name" in row:
        return [_of_tulu(row)]
    names = next(
        (row[key] for key in ("instruction_id_list", "instruction_id", "instructions") if key in row), None
    )
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, Sequence) or not all(isinstance(each, str) for each in names):
        raise NotInstructionsError("it has no list instruction_id_list of names")
    given = row.get("kwargs")
    if isinstance(given, str):
        given = _read(given)
    if given is None:
        given = [None] * len(names)
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, Sequence) or len(given) != len(names):
        raise NotInstructionsError(f"it has {len(names)} instructions and not as many kwargs")
    if not all(each is None or isinstance(each, Mapping) for each in given):
        raise NotInstructionsError("its kwargs are no mappings")
    return [
        Asked(name, {key: value for key, value in (each or {}).items() if value is not None})
        for name, each in zip(names, given, strict=True)
    ]


def _of_tulu(row: Mapping[str, Any]) -> Asked:
    name = str(row["func_name"])
    if name not in TULU:
        return Asked(name, {})
    kind, renamed = TULU[name]
    parameters = {ours: row[theirs] for theirs, ours in renamed.items() if row.get(theirs) is not None}
    if name in _EXACT:
        parameters.setdefault(_EXACT[name], "exactly")
    return Asked(kind, parameters)


_TOO_LONG = Outcome(False, f"the response is longer than {MAX_CHARS:,} characters", reason="over_limit")


class Instruction(NamedTuple):
    """One instruction of a row, read.

    Args:
        id: As the row has it.
        language: The language in front of its id; "" without one.
        kind: Class that judges it, or the reason why none can.
    """

    id: str
    language: str
    kind: Kind | Misread


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class InstructionFollowing(Verifier):
    """The response follows the instructions of its row: IFEval's, IFBench's, M-IFEval's, and Korean ones.

    The reference has the form of the public datasets: ``{"instruction_id_list": [...], "kwargs": [...]}``, as
    data or text, or Tulu's and open-instruct's ``ground_truth``. There is one part per instruction, in order.
    A row with an instruction that cannot be judged (an unknown kind, a missing parameter) is unscored.

    Args:
        instructions: Instructions for every row, instead of the reference: ids or class names, alone or with
            parameters: ``{"length_constraints:number_words": {"num_words": 50}}``.
        counting: ``right`` counts what the instruction says. ``official`` counts as the public graders do,
            with their faults (docs/instructions.md lists the differences).
        pays: ``share`` of the instructions followed, or ``all`` or nothing.
        reading: ``strict`` reads the response as it is. ``loose`` also tries it without its first line, its
            last line, and asterisks; the best counts, for each instruction separately.
        language: Language of instructions whose ids name none.

    Raises:
        ConfigError: An instruction does not exist, or lacks a parameter.

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
