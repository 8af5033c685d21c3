"""The answer template of Korean grammar questions: ``"{선택·교정 문장}"이/가 옳다. {이유}``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from rapidfuzz.fuzz import ratio

from .._answer import accepted_texts, find_answer
from .._base import Verifier
from .._errors import ConfigError
from .._types import Sample, Status, Verdict
from ..extract import PASSAGE, Extractor
from ..text.language import LanguageConsistency
from .contest import exact_match, split_answer
from .particles import josa, josa_fits
from .statements import FOLDS, Statement, alternatives, claims, is_hedged, read_statement, tidy

IN_LANGUAGE = 0.9
"""Share of the language's letters from which a reason is in the language."""
GRAM = 8
"""Characters of the n-grams by which repetition is told."""
DISTINCT = 0.6
"""Share of different n-grams below which a reason repeats itself; real ones have 0.9 and more."""
RIVAL = 60.0
"""Likeness, of 100, from which a single-quoted text is another version of the answered sentence."""
MAX_CHARS = 20_000
"""Longest completion that is read: the longest real answer has some 600 characters."""
PARTS = ("format", "answer", "josa", "reason", "claims", "language")
OFFICIAL_PARTS = ("answer", "reason")
_CHOICE = re.compile(r"\{[^{}]*/[^{}]*\}")
_PLACEHOLDER = re.compile(r"\{\s*(?:선택|교정|문장|이유|정답|답)[^{}]*\}")
_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, repr=False)
class KoreanAnswerTemplate(Verifier):
    """The sentence that the answer calls right is the reference's, said once, in the template, with a reason.

    ``robust`` judges as a person would, in parts named ``format``, ``answer``, ``josa``, ``reason``,
    ``claims`` and ``language``; the score is 1.0 where all but ``josa`` are right (references have wrong
    particles, too), and 0.0 otherwise. Spaces and signs inside the sentence count, since half of the
    questions are about nothing else; runs of white space, invisible characters, the form of curly quotes
    and the Unicode composition do not.

    ``official`` is the contest's scorer, bit for bit (see `verifiers.korean.contest`): the score is its
    exact match, in parts named ``answer`` and ``reason``.

    Args:
        mode: ``robust`` or ``official``.
        fold: For ``robust``: differences inside the sentence to be overlooked: ``width`` (full-width forms),
            ``middot``, ``tilde``, ``jamo`` (conjoining letters for the letters themselves).
        min_reason: For ``robust``: letters and digits that a reason has at least, or as many as the
            reference's has.
        extract: Where the statement stands: an answer tag, else the whole answer part.

    Raises:
        ConfigError: An unknown mode or fold, or a negative minimum.

    >>> template = KoreanAnswerTemplate()
    >>> gold = '"몇 월 며칠이야?"가 옳다. 어원이 분명하지 않은 말은 소리 나는 대로 적는다.'
    >>> template.verify(gold, gold).score
    1.0
    >>> spaced = gold.replace("몇 월", "몇월")
    >>> [part.verifier for part in template.verify(spaced, gold).parts if part.score < 1]
    ['answer']
    >>> KoreanAnswerTemplate(mode="official").verify('"몇 월 며칠이야?"가 옳다.', gold).score
    1.0
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "right": "every part but josa is right",
        "equal": "the sentence is an accepted one; in official mode, the official exact match",
        "not_equal": "another sentence, or in official mode another text before the reason",
        "no_statement": "the completion does not begin with a quoted sentence that is said to be right",
        "several_claims": "another sentence is said to be right, too",
        "one_claim": "one sentence is said to be right",
        "kept": "the template is kept",
        "no_reason": "no reason follows",
        "other_quotes": "the sentence does not stand in double quotes",
        "other_wording": "it does not say 이 옳다. or 가 옳다., with these spaces and the stop",
        "choice_left": "a choice in braces, or a placeholder of the template, is left in place",
        "right_josa": "the particle fits the sentence's last sound, or readers differ about it",
        "wrong_josa": "the particle does not fit the sentence's last sound",
        "given": "a reason follows",
        "short_reason": "the reason has fewer letters than min_reason",
        "repeated": "the reason says the same over and over",
        "restated": "the reason is nothing but the answer again",
        "over_limit": f"the completion is longer than {MAX_CHARS:,} characters",
        "no_answer": "the completion is empty, its tag was left open, or thinking never ended",
        **{code: f"of the reason: {said}" for code, said in LanguageConsistency.reasons.items()},
    }

    mode: Literal["robust", "official"] = "robust"
    fold: tuple[str, ...] = ()
    min_reason: int = 15
    extract: Extractor = field(default=PASSAGE)

    def __post_init__(self) -> None:
        if self.mode not in ("robust", "official"):
            raise ConfigError(f"KoreanAnswerTemplate: mode must be 'robust' or 'official', got {self.mode!r}")
        folds = (self.fold,) if isinstance(self.fold, str) else tuple(self.fold)
        object.__setattr__(self, "fold", folds)
        if unknown := [name for name in folds if name not in FOLDS]:
            raise ConfigError(f"KoreanAnswerTemplate: fold takes {', '.join(FOLDS)}; got {unknown}")
        super().__post_init__()
        if self.min_reason < 0:
            raise ConfigError(f"KoreanAnswerTemplate: min_reason must be at least 0, got {self.min_reason}")

    def part_names(self) -> tuple[str, ...]:
        """See `Verifier.part_names`."""
        return PARTS if self.mode == "robust" else OFFICIAL_PARTS

    def check(self, sample: Sample) -> Verdict:
        """See `Verifier.check`."""
        try:
            references = [text for text in accepted_texts(sample.reference) if text.strip()]
        except ConfigError as error:
            return self.unscored("bad_reference", str(error))
        if not references:
            return self.unscored("bad_reference", f"the reference is blank: {sample.reference!r:.80}")
        text = find_answer(self, self.extract, sample)
        if not isinstance(text, Verdict) and len(text) > MAX_CHARS:
            text = self.scored(0.0, "over_limit", f"longer than {MAX_CHARS:,} characters")
        if isinstance(text, Verdict):
            return replace(text, parts=tuple(_part(name, False, text.reason) for name in self.part_names()))
        return (
            self._officially(text, references)
            if self.mode == "official"
            else self._robustly(text, references)
        )

    # The contest's scorer ---------------------------------------------------------------------

    def _officially(self, text: str, references: list[str]) -> Verdict:
        answer, reason = split_answer(text)
        golds = [split_answer(reference) for reference in references]
        matching = [gold for gold in golds if exact_match(answer, gold[0])]
        expected, gold_reason = (matching or golds)[0]
        same = _part(
            "answer",
            bool(matching),
            "equal" if matching else "not_equal",
            extracted=answer,
            expected=expected,
        )
        given = _part(
            "reason", bool(reason), "given" if reason else "no_reason", extracted=reason, expected=gold_reason
        )
        return self.scored(
            float(bool(matching)), same.reason, extracted=answer, expected=expected, parts=(same, given)
        )

    # As a person would ------------------------------------------------------------------------

    def _robustly(self, text: str, references: list[str]) -> Verdict:
        accepted = [sentence for reference in references for sentence in alternatives(reference)]
        if not accepted:
            return self.unscored("bad_reference", f"no sentence in {references!r:.80}")
        statement = read_statement(text)
        golds = [read_statement(reference) for reference in references]
        rivals = _rivals(statement, accepted, references) if statement else []
        parts = (
            self._format(text, statement, accepted, bool(rivals)),
            self._answer(text, statement, accepted, rivals),
            _josa(statement),
            self._reason(statement, max((_letters(gold.reason) for gold in golds if gold), default=0)),
            _claims(statement, rivals),
            _language(statement),
        )
        wrong = [part for part in parts if part.verifier != "josa" and part.score != 1.0]
        # What is wrong with the answer says more than what is wrong around it.
        first = min(wrong, key=lambda part: part.verifier != "answer", default=None)
        return self.scored(
            0.0 if first else 1.0,
            first.reason if first else "right",
            f"{first.verifier}: {first.detail or self.reasons[first.reason]}" if first else "",
            extracted=statement.sentence if statement else text,
            expected=accepted[0],
            parts=parts,
        )

    def _format(self, text: str, statement: Statement | None, accepted: list[str], hedged: bool) -> Verdict:
        if statement is None:
            return _part("format", False, "no_statement")
        if statement.quotes != '""':
            return _part("format", False, "other_quotes", f"the quotes are {statement.quotes}")
        if not (statement.plain and statement.stop and statement.particle in ("이", "가")):
            return _part("format", False, "other_wording")
        shown = tidy(text)
        if (
            _CHOICE.search(statement.sentence) and not any(map(_CHOICE.search, accepted))
        ) or _PLACEHOLDER.search(shown):
            return _part("format", False, "choice_left")
        if hedged:
            return _part("format", False, "several_claims")
        if not statement.reason:
            return _part("format", False, "no_reason")
        return _part("format", True, "kept")

    def _answer(
        self, text: str, statement: Statement | None, accepted: list[str], rivals: list[str]
    ) -> Verdict:
        if statement is None:
            return _part("answer", False, "no_statement", extracted=text[:400], expected=accepted[0])
        same = self._folded(statement.sentence) in [self._folded(sentence) for sentence in accepted]
        shown = {"extracted": statement.sentence, "expected": accepted[0]}
        if same and rivals:
            return _part(
                "answer", False, "several_claims", f"{rivals[0]!r:.80} is said to be right, too", **shown
            )
        return _part("answer", same, "equal" if same else "not_equal", **shown)

    def _folded(self, sentence: str) -> str:
        for name in self.fold:
            sentence = FOLDS[name](sentence)
        return tidy(sentence)

    def _reason(self, statement: Statement | None, usual: int) -> Verdict:
        if statement is None or not statement.reason:
            return _part("reason", False, "no_reason")
        reason = statement.reason
        least = min(self.min_reason, usual) if usual else self.min_reason
        if _letters(reason) < least:
            return _part(
                "reason",
                False,
                "short_reason",
                f"{_letters(reason)} letters of at least {least}",
                extracted=reason,
            )
        grams = [reason[start : start + GRAM] for start in range(len(reason) - GRAM + 1)]
        if grams and len(set(grams)) < DISTINCT * len(grams):
            return _part(
                "reason",
                False,
                "repeated",
                f"{len(set(grams))} different {GRAM}-grams of {len(grams)}",
                extracted=reason,
            )
        left = reason.replace(statement.sentence, "") if statement.sentence else reason
        if left != reason and _letters(left) < least:
            return _part("reason", False, "restated", extracted=reason)
        return _part("reason", True, "given", extracted=reason)


def _part(
    name: str,
    right: bool | float,
    reason: str,
    detail: str = "",
    *,
    extracted: str | None = None,
    expected: str | None = None,
) -> Verdict:
    return Verdict(
        verifier=name, status=Status.SCORED, score=float(right), reason=reason, detail=detail,
        extracted=extracted, expected=expected,
    )  # fmt: skip


def _josa(statement: Statement | None) -> Verdict:
    if statement is None:
        return _part("josa", False, "no_statement")
    fits = josa_fits(statement.sentence, statement.particle, "이/가")
    expected = josa(statement.sentence, "이/가")
    return _part(
        "josa", fits, "right_josa" if fits else "wrong_josa", extracted=statement.particle, expected=expected
    )


def _claims(statement: Statement | None, rivals: list[str]) -> Verdict:
    if statement is None:
        return _part("claims", False, "no_statement")
    if rivals:
        return _part("claims", False, "several_claims", f"{rivals[0]!r:.80} is said to be right, too")
    return _part("claims", True, "one_claim")


def _language(statement: Statement | None) -> Verdict:
    if statement is None or not statement.reason:
        return _part("language", False, "empty")
    found = LanguageConsistency("ko").verify(statement.reason)
    share = found.score or 0.0
    return _part("language", 1.0 if share >= IN_LANGUAGE else share, found.reason, found.detail)


def _rivals(statement: Statement, accepted: list[str], references: list[str]) -> list[str]:
    """Other sentences that are said to be right, as far as the references do not say so themselves."""
    sentence = _bare(statement.sentence)
    golds = [gold for gold in map(read_statement, references) if gold]
    known = {_bare(text) for gold in golds for text, _ in claims(gold.reason)}
    hedged = is_hedged(statement.sentence) and sentence not in set(map(_bare, accepted))
    found = [statement.sentence] if hedged else []
    for text, double in claims(statement.reason):
        bare = _bare(text)
        if bare in sentence or bare in known:
            continue
        # A single-quoted word is what reasons talk about; a single-quoted version of the sentence is a claim.
        if double or ratio(bare, sentence) >= RIVAL:
            found.append(text)
    return found


def _bare(text: str) -> str:
    return tidy(text).strip("-~ .\"'")


def _letters(text: str) -> int:
    return len(_LETTER.findall(text))
