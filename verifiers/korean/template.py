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
from .rivals import LONG, core, rivals
from .statements import FOLDS, Statement, accepted_sentences, claimed_together, read_statement, tidy

IN_LANGUAGE = 0.9
"""Share of the language's letters from which a reason is in the language."""
GRAM = 8
"""Characters of the n-grams by which repetition is told."""
DISTINCT = 0.6
"""Share of different n-grams below which a reason repeats itself; real ones have 0.9 and more."""
MAX_CHARS = 20_000
"""Longest completion that is read: the longest real answer has some 600 characters."""
PARTS = ("format", "answer", "josa", "reason", "claims", "language")
OFFICIAL_PARTS = ("answer", "reason")
# A choice of the question, or a placeholder of the template, that was copied.
_LEFT = re.compile(r"\{[^{}/]{0,200}/[^{}]{0,200}\}|\{\s?(?:선택·교정 문장|선택|교정|문장|이유|정답|답)\s?\}")
_SECOND = re.compile(r"\"([^\"]{1,400})\"(?:이|가) 옳다[.]")
_LETTER = re.compile("[가-힣A-Za-z\u4e00-\u9fff]")
_DIGITS = re.compile(r"\d+")
# Words with which an answer is said again, and nothing is explained.
_FRAME = re.compile("옳은|옳다|옳기|문장|표현|표기|따라서|왜냐하면|그러므로|때문|정답|이다|것")


@dataclass(frozen=True, repr=False)
class KoreanAnswerTemplate(Verifier):
    """The sentence that the answer calls right is the reference's, said once, in the template, with a reason.

    ``robust`` judges as a person would, in parts named ``format``, ``answer``, ``josa``, ``reason``,
    ``claims`` and ``language``; the score is 1.0 where all but ``josa`` are right (references have wrong
    particles, too), and 0.0 otherwise. Spaces and signs inside the sentence count, since half of the
    questions are about nothing else; runs of white space, invisible characters, the form of curly quotes
    and the Unicode composition do not.

    ``official`` is the contest's scorer (see `verifiers.korean.contest`): the score is its exact match, in
    parts named ``answer`` and ``reason``. What it scores is the answer part of a completion, without
    thinking and answer tags, which that scorer knows nothing of.

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
        "several_claims": "another version of the sentence is put forward, too",
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
        folds = (self.fold,) if isinstance(self.fold, str) else self.fold
        if not isinstance(folds, tuple | list):
            raise ConfigError(
                f"KoreanAnswerTemplate: fold takes names of {', '.join(FOLDS)}; got {folds!r:.80}"
            )
        object.__setattr__(self, "fold", tuple(folds))
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
        accepted = [sentence for reference in references for sentence in accepted_sentences(reference)]
        if not accepted:
            return self.unscored(
                "bad_reference",
                f'neither a statement such as "문장"이 옳다. nor a bare sentence: {references[0]!r:.80}',
            )
        golds = [gold for gold in map(read_statement, references) if gold]
        given = read_statement(text)
        others = [] if given is None else _others(given, accepted, golds)
        parts = (
            self._format(given, accepted, golds),
            self._answer(given, accepted, others, text),
            _josa(given),
            self._reason(given, golds),
            _claims(given, others),
            _language(given, golds),
        )
        wrong = [part for part in parts if part.verifier != "josa" and part.score != 1.0]
        # What is wrong with the answer says more than what is wrong around it.
        first = min(wrong, key=lambda part: part.verifier != "answer", default=None)
        return self.scored(
            0.0 if first else 1.0,
            first.reason if first else "right",
            f"{first.verifier}: {first.detail or self.reasons[first.reason]}" if first else "",
            extracted=given.sentence if given else text,
            expected=accepted[0],
            parts=parts,
        )

    def _format(self, given: Statement | None, accepted: list[str], golds: list[Statement]) -> Verdict:
        if given is None:
            return _part("format", False, "no_statement")
        # A reference that departs from the template is right where a completion departs from it likewise.
        known = {(gold.quotes, gold.form) for gold in golds if gold.sentence == given.sentence}
        if (given.quotes, given.form) not in known:
            if given.quotes != '""':
                return _part("format", False, "other_quotes", f"the quotes are {given.quotes}")
            if given.form not in ("이 옳다.", "가 옳다."):
                return _part("format", False, "other_wording", f"the quote is followed by {given.form!r}")
        for shown, gold in (
            (given.sentence, "".join(accepted)),
            (given.reason, "".join(g.reason for g in golds)),
        ):
            left = _LEFT.search(shown)
            if left and left.group() not in gold:
                return _part("format", False, "choice_left", f"{left.group()!r:.80}")
        if not given.reason and all(gold.reason for gold in golds):
            return _part("format", False, "no_reason")
        # To say the same again is no second statement, nor is another accepted one.
        same = [given.sentence, *(accepted if given.sentence in accepted else [])]
        same += [each for gold in golds for each in _SECOND.findall(gold.reason)]
        if {core(each) for each in _SECOND.findall(given.reason)} - {core(each) for each in same}:
            return _part("format", False, "several_claims", "a second statement follows")
        return _part("format", True, "kept")

    def _answer(self, given: Statement | None, accepted: list[str], others: list[str], text: str) -> Verdict:
        if given is None:
            return _part("answer", False, "no_statement", extracted=text[:400], expected=accepted[0])
        folded = [self._folded(sentence) for sentence in accepted]
        together = [self._folded(sentence) for sentence in claimed_together(given.sentence)]
        same = self._folded(given.sentence) in folded or all(each in folded for each in together)
        shown = {"extracted": given.sentence, "expected": accepted[0]}
        if same and others:
            return _part("answer", False, "several_claims", _also(others), **shown)
        detail = "" if same else _difference(given.sentence, accepted)
        return _part("answer", same, "equal" if same else "not_equal", detail, **shown)

    def _folded(self, sentence: str) -> str:
        for name in self.fold:
            sentence = FOLDS[name](sentence)
        return tidy(sentence)

    def _reason(self, given: Statement | None, golds: list[Statement]) -> Verdict:
        if given is None or not given.reason:
            return _part("reason", False, "no_reason")
        reason = given.reason
        least = min([self.min_reason, *(_letters(gold.reason) for gold in golds if gold.reason)])
        if _letters(reason) < least:
            detail = f"{_letters(reason)} letters of at least {least}"
            return _part("reason", False, "short_reason", detail, extracted=reason)
        # Numbered sentences are no different ones.
        plain = _DIGITS.sub("", reason)
        grams = [plain[start : start + GRAM] for start in range(len(plain) - GRAM + 1)]
        if grams and len(set(grams)) < DISTINCT * len(grams):
            detail = f"{len(set(grams))} different {GRAM}-grams of {len(grams)}"
            return _part("reason", False, "repeated", detail, extracted=reason)
        said = _bare(given.sentence)
        left = _bare(reason).replace(said, "") if len(said) >= LONG else _bare(reason)
        if left != _bare(reason) and _letters(_FRAME.sub("", left)) < least:
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


def _claims(given: Statement | None, others: list[str]) -> Verdict:
    if given is None:
        return _part("claims", False, "no_statement")
    if others:
        return _part("claims", False, "several_claims", _also(others))
    return _part("claims", True, "one_claim")


def _language(given: Statement | None, golds: list[Statement]) -> Verdict:
    if given is None or not given.reason:
        return _part("language", False, "empty")
    found = _share(given.reason)
    if found.reason == "no_letters":
        return _part("language", False, "no_letters")
    share = found.score or 0.0
    # A reason that names loanwords or Hanja needs no more Korean than the reference's own.
    enough = min([IN_LANGUAGE, *(_share(gold.reason).score or 0.0 for gold in golds if gold.reason)])
    return _part("language", 1.0 if share >= enough else share, found.reason, found.detail)


def _share(reason: str) -> Verdict:
    return LanguageConsistency("ko").verify(reason)


def _others(given: Statement, accepted: list[str], golds: list[Statement]) -> list[str]:
    """Further sentences that are put forward as right, as far as the references do not do so themselves."""
    together = claimed_together(given.sentence)
    hedged = [each for each in together if each not in accepted] if len(together) > 1 else []
    if given.sentence in accepted:
        hedged = []
    excused = " ".join(gold.reason for gold in golds)
    return hedged[1:] + rivals(given.reason, given.sentence, accepted, excused)


def _also(others: list[str]) -> str:
    return f"{others[0]!r:.80} is put forward, too"


def _difference(sentence: str, accepted: list[str]) -> str:
    """How a sentence differs from the nearest accepted one."""
    nearest = max(accepted, key=lambda each: ratio(each, sentence))
    if sentence.replace(" ", "") == nearest.replace(" ", ""):
        return "it differs in spaces only"
    return (
        "it differs in signs or spaces only" if _bare(sentence) == _bare(nearest) else "it differs in wording"
    )


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, tidy(text)))


def _letters(text: str) -> int:
    return len(_LETTER.findall(text))
