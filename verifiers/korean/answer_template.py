"""The answer template of Korean grammar questions: ``"{선택·교정 문장}"이/가 옳다. {이유}``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

from ..core.checks import OneOf, Range
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract import PASSAGE, Extractor
from ..extract.answers import accepted_texts, find_answer
from ..text.language_consistency import LanguageConsistency
from .contest import exact_match, split_answer
from .statements import FOLDS, Statement, accepted_sentences, read_statement
from .template_parts import (
    answer_part,
    claims_part,
    format_part,
    is_accepted,
    josa_part,
    language_part,
    other_claims,
    part,
    reason_part,
)
from .variants import DEPARTURES, read_given

MAX_CHARS = 20_000
"""Longest completion that is read: a sentence and its reason have some hundreds."""
PARTS = ("format", "answer", "josa", "reason", "claims", "language")
OFFICIAL_PARTS = ("answer", "reason")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class KoreanAnswerTemplate(Verifier):
    """The sentence that the answer calls right is the reference's, said once, in the template, with a reason.

    ``robust`` judges as a person would, in parts named ``format``, ``answer``, ``josa``, ``reason``,
    ``claims`` and ``language``; the score is 1.0 where all but ``josa`` are right (references have wrong
    particles, too), and 0.0 otherwise. Spaces and signs inside the sentence count, since many questions
    are about nothing else; runs of white space, invisible characters, the form of curly quotes
    and the Unicode composition do not.

    ``official`` is the contest's scorer (see `verifiers.korean.contest`): the score is its exact match, in
    parts named ``answer`` and ``reason``. What it scores is the response, without
    thinking and answer tags, which that scorer knows nothing of.

    Args:
        mode: ``robust`` or ``official``.
        fold: For ``robust``: differences inside the sentence to be overlooked: ``width`` (full-width forms),
            ``middot``, ``tilde``, ``jamo`` (conjoining letters for the letters themselves).
        min_reason: For ``robust``: letters that a reason has at least, or as many as the reference's has, or
            fewer where it has the content.
        reason_policy: For ``robust``: ``content`` asks that a reason brings what the reference's rests on (its
            rule, a form that it contrasts, its terms) and does not turn it round; ``form`` is content with length.
        extract: Where the statement is: an answer tag, else the whole response.

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

    reference_first: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = {
        "right": "every part but josa is right",
        "equal": "the sentence is an accepted one; in official mode, the official exact match",
        "not_equal": "another sentence, or in official mode another text before the reason",
        "no_statement": "the completion does not begin with a quoted sentence that is said to be right",
        "several_claims": "another version of the sentence is put forward, too",
        "one_claim": "one sentence is said to be right",
        "kept": "the template is kept",
        "no_reason": "no reason follows",
        **DEPARTURES,
        "other_quotes": "the sentence is not in double quotes",
        "other_wording": "it does not say 이 옳다. or 가 옳다., with these spaces and the stop",
        "choice_left": "a choice in braces, or a placeholder of the template, is left in place",
        "right_josa": "the particle fits the sentence's last sound, or readers differ about it",
        "wrong_josa": "the particle does not fit the sentence's last sound",
        "given": "a reason follows",
        "short_reason": "the reason has fewer letters than min_reason",
        "repeated": "the reason says the same over and over",
        "no_content": "the reason names nothing that the reference's reason rests on",
        "reversed": "the reason denies what the reference's affirms, or takes the claim back",
        "restated": "the reason is nothing but the answer again, or the question",
        "over_limit": f"the completion is longer than {MAX_CHARS:,} characters",
        "no_answer": "the completion is empty, its tag was left open, or thinking never ended",
        **{code: f"of the reason: {said}" for code, said in LanguageConsistency.reasons.items()},
    }

    mode: Literal["robust", "official"] = "robust"
    fold: tuple[Annotated[str, OneOf(FOLDS)], ...] = ()
    min_reason: Annotated[int, Range(least=0)] = 15
    reason_policy: Literal["content", "form"] = "content"
    extract: Extractor = field(default=PASSAGE)

    def part_names(self) -> tuple[str, ...]:
        return PARTS if self.mode == "robust" else OFFICIAL_PARTS

    def check(self, sample: Sample) -> Verdict:
        try:
            references = [text for text in accepted_texts(sample.reference) if text.strip()]
        except ConfigError as error:
            return self.unscored("bad_reference", str(error))
        if not references:
            return self.unscored("bad_reference", f"the reference is blank: {sample.reference!r:.80}")
        # Whether a row can be judged must not depend on its completion, so references come first.
        accepted = [sentence for reference in references for sentence in accepted_sentences(reference)]
        if self.mode == "robust" and not accepted:
            return self.unscored(
                "bad_reference",
                f'neither a statement such as "문장"이 옳다. nor a bare sentence: {references[0]!r:.80}',
            )
        # Signs and their width are graded; the contest's scorer sees all of what came.
        text = find_answer(self, self.extract, sample, form="characters" if self.mode == "robust" else "raw")
        if not isinstance(text, Verdict) and len(text) > MAX_CHARS:
            text = self.scored(0.0, "over_limit", f"longer than {MAX_CHARS:,} characters")
        if isinstance(text, Verdict):
            return replace(text, parts=tuple(part(name, False, text.reason) for name in self.part_names()))
        if self.mode == "official":
            return self._officially(text, references)
        return self._robustly(text, accepted, [gold for gold in map(read_statement, references) if gold])

    # The contest's scorer ---------------------------------------------------------------------

    def _officially(self, text: str, references: list[str]) -> Verdict:
        answer, reason = split_answer(text)
        golds = [split_answer(reference) for reference in references]
        matching = [gold for gold in golds if exact_match(answer, gold[0])]
        expected, gold_reason = (matching or golds)[0]
        same = part(
            "answer",
            bool(matching),
            "equal" if matching else "not_equal",
            extracted=answer,
            expected=expected,
        )
        given = part(
            "reason", bool(reason), "given" if reason else "no_reason", extracted=reason, expected=gold_reason
        )
        return self.scored(
            float(bool(matching)), same.reason, extracted=answer, expected=expected, parts=(same, given)
        )

    # As a person would ------------------------------------------------------------------------

    def _robustly(self, text: str, accepted: list[str], golds: list[Statement]) -> Verdict:
        given = read_given(text, accepted)
        right = given is not None and is_accepted(given, accepted, self.fold)
        others = [] if given is None else other_claims(given, right, accepted, golds)
        parts = (
            format_part(given, right, accepted, golds),
            answer_part(given, right, accepted, others, text),
            josa_part(given),
            reason_part(given, golds, self.min_reason, self.reason_policy),
            claims_part(given, others),
            language_part(given, golds),
        )
        wrong = [each for each in parts if each.verifier != "josa" and each.score != 1.0]
        # What is wrong with the answer says more than what is wrong around it.
        first = min(wrong, key=lambda each: each.verifier != "answer", default=None)
        return self.scored(
            1.0 if first is None else 0.0,
            "right" if first is None else first.reason,
            f"{first.verifier}: {first.detail or self.reasons[first.reason]}" if first is not None else "",
            extracted=given.sentence if given else text,
            expected=accepted[0],
            parts=parts,
        )
