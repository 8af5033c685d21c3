"""The answer template of Korean grammar questions: ``"{선택·교정 문장}"이/가 옳다. {이유}``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

from rapidfuzz.fuzz import ratio

from ..core.checks import OneOf, Range
from ..core.extraction import Extractor
from ..core.verdicts import Sample, Status, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..extract.answers_and_references import accepted_texts, find_answer
from ..extract.chain import PASSAGE
from ..runtime.patterns import lazy
from ..text.language_consistency import LanguageConsistency
from .contest import exact_match, split_answer
from .particles import josa, josa_fits
from .reason_content import content_problem, has_content
from .template_statements import (
    DEPARTURES,
    FOLDS,
    LONG,
    Statement,
    accepted_sentences,
    claimed_together,
    core,
    read_given,
    read_statement,
    rivals,
    tidy,
    without_quotes,
)

IN_LANGUAGE = 0.9
"""Share of the language's letters from which a reason is in the language."""
GRAM = 8
"""Characters of the n-grams by which repetition is told."""
DISTINCT = 0.6
"""Share of different n-grams below which a reason repeats itself: said twice, it has half."""
# A choice of the question, or a placeholder of the template, that was copied.
_LEFT = lazy(
    r"\{[^{}/]{0,200}/[^{}]{0,200}\}|\{\s?(?:선택·교정 문장|선택|교정|문장|이유|정답|답)\s?\}|[{<‹〈][^{}<>]{0,20}이유[^{}<>]{0,20}[}>›〉]"
)
_SECOND = lazy(r"\"([^\"]{1,400})\"(?:이|가) 옳다[.]")
_LETTER = lazy("[가-힣A-Za-z\u4e00-\u9fff]")
_SOURCE_WORD = lazy(r"(?<![A-Za-z\u4e00-\u9fff])[A-Za-z\u4e00-\u9fff]+(?=\s?[\[(]|[은는이가을를의도로와과])")
_TASK = lazy(r"(?:설명|작성|선택|고르|서술)[가-힣]{0,3}(?:하세요|하시오|십시오|세요|시오)")
_DIGITS = lazy(r"\d+")
# Words with which an answer is said again, and nothing is explained.
_FRAME = lazy("옳은|옳다|옳기|문장|표현|표기|따라서|왜냐하면|그러므로|때문|정답|이다|것")


def format_part(given: Statement | None, right: bool, accepted: list[str], golds: list[Statement]) -> Verdict:
    """Check the form of the template: quotes, particle, 옳다. and a reason."""
    if given is None:
        return part("format", False, "no_statement")
    # A reference that departs from the template is right where a completion departs from it likewise.
    known = {(gold.quotes, gold.form) for gold in golds if gold.sentence == given.sentence}
    if given.departure == "label_in_front":
        return part("format", False, given.departure)
    if (given.quotes, given.form) not in known:
        if given.departure:
            return part("format", False, given.departure, f"the sentence is followed by {given.form!r}")
        if given.quotes != '""':
            return part("format", False, "other_quotes", f"the quotes are {given.quotes}")
        if given.form not in ("이 옳다.", "가 옳다."):
            return part("format", False, "other_wording", f"the quote is followed by {given.form!r}")
    for shown, gold in (
        (given.sentence, "".join(accepted)),
        (given.reason, "".join(g.reason for g in golds)),
    ):
        left = _LEFT.search(shown)
        if left and left.group() not in gold:
            return part("format", False, "choice_left", f"{left.group()!r:.80}")
    if not given.reason and all(gold.reason for gold in golds):
        return part("format", False, "no_reason")
    # Saying the same again is not a second statement, and neither is another accepted sentence.
    same = [given.sentence, *(accepted if right else [])]
    same += [each for gold in golds for each in _SECOND.findall(gold.reason)]
    said = {core(each) for each in _SECOND.findall(given.reason)} - {core(each) for each in same}
    if any(each not in given.sentence for each in said):  # a word of the sentence may be called right, too
        return part("format", False, "several_claims", "a second statement follows")
    if not right and len(claimed_together(given.sentence)) > 1:
        return part("format", False, "several_claims", "two sentences in one statement")
    return part("format", True, "kept")


def is_accepted(given: Statement, accepted: list[str], fold: tuple[str, ...]) -> bool:
    """Return whether a sentence is an accepted one, or several accepted ones in one statement.

    Args:
        given: The statement that claims it.
        accepted: The accepted sentences.
        fold: Names of `FOLDS`: differences that are overlooked.
    """
    sentence = given.sentence
    if given.quotes == "":  # which quotes are the sentence's own cannot be told
        sentence, accepted = without_quotes(sentence), [without_quotes(each) for each in accepted]
    folded = {_folded(each, fold) for each in accepted}
    return (
        _folded(sentence, fold) in folded
        or {_folded(each, fold) for each in claimed_together(sentence)} <= folded
    )


def answer_part(
    given: Statement | None, right: bool, accepted: list[str], others: list[str], text: str
) -> Verdict:
    """Check that the sentence is an accepted one, and the only one."""
    if given is None:
        return part("answer", False, "no_statement", extracted=text[:400], expected=accepted[0])
    shown = {"extracted": given.sentence, "expected": accepted[0]}
    if right and others:
        return part("answer", False, "several_claims", _also(others), **shown)
    detail = "" if right else _difference(given.sentence, accepted)
    return part("answer", right, "equal" if right else "not_equal", detail, **shown)


def _folded(sentence: str, fold: tuple[str, ...]) -> str:
    for name in fold:
        sentence = FOLDS[name](sentence)
    return tidy(sentence)


def reason_part(given: Statement | None, golds: list[Statement], min_reason: int, policy: str) -> Verdict:
    """Check that the reason is a real one: with the reference's content, no loop, and not the answer again."""
    if given is None or not given.reason:
        return part("reason", False, "no_reason")
    reason = given.reason
    least = min([min_reason, *(_letters(gold.reason) for gold in golds if gold.reason)])
    wanted = [gold.reason for gold in golds if gold.reason] if policy == "content" else []
    problems = [content_problem(reason, gold, given.sentence) for gold in wanted]
    # A reason with the content is long enough.
    if _letters(reason) < least and (
        None not in problems or not any(has_content(gold, given.sentence) for gold in wanted)
    ):
        detail = f"{_letters(reason)} letters of at least {least}"
        return part("reason", False, "short_reason", detail, extracted=reason)
    if _TASK.search(reason) and not any(_TASK.search(gold.reason) for gold in golds):
        return part("reason", False, "restated", "it is the question", extracted=reason)
    # Numbers alone do not make sentences different.
    plain = _DIGITS.sub("", reason)
    grams = [plain[start : start + GRAM] for start in range(len(plain) - GRAM + 1)]
    if grams and len(set(grams)) < DISTINCT * len(grams):
        detail = f"{len(set(grams))} different {GRAM}-grams of {len(grams)}"
        return part("reason", False, "repeated", detail, extracted=reason)
    said = core(given.sentence)
    left = reason.replace(said, "") if len(said) >= LONG else reason
    if left != reason and _letters(_FRAME.sub("", left)) < least:
        return part("reason", False, "restated", extracted=reason)
    if problems and None not in problems:
        assert problems[0] is not None  # noqa: S101
        return part("reason", False, *problems[0], extracted=reason)
    return part("reason", True, "given", extracted=reason)


def part(
    name: str,
    right: bool | float,
    reason: str,
    detail: str = "",
    *,
    extracted: str | None = None,
    expected: str | None = None,
) -> Verdict:
    """A part of the verdict."""
    return Verdict(
        verifier=name, status=Status.SCORED, score=float(right), reason=reason, detail=detail,
        extracted=extracted, expected=expected,
    )  # fmt: skip


def josa_part(statement: Statement | None) -> Verdict:
    """Check that the particle fits the sentence."""
    if statement is None:
        return part("josa", False, "no_statement")
    fits = josa_fits(statement.sentence, statement.particle, "이/가")
    expected = josa(statement.sentence, "이/가")
    return part(
        "josa", fits, "right_josa" if fits else "wrong_josa", extracted=statement.particle, expected=expected
    )


def claims_part(given: Statement | None, others: list[str]) -> Verdict:
    """Check that one sentence is put forward."""
    if given is None:
        return part("claims", False, "no_statement")
    if others:
        return part("claims", False, "several_claims", _also(others))
    return part("claims", True, "one_claim")


def language_part(given: Statement | None, golds: list[Statement]) -> Verdict:
    """Check that the reason is Korean, or as much as the reference's is."""
    if given is None or not given.reason:
        return part("language", False, "empty")
    found = _share(given.reason)
    if found.reason in ("too_little_text", "empty"):
        return part("language", False, found.reason)
    share = found.score or 0.0
    # A reason that names loanwords or Hanja needs no more Korean than the reference's own.
    wanted = [_share(gold.reason) for gold in golds if gold.reason]
    enough = min([IN_LANGUAGE, *(each.score or 0.0 for each in wanted if each.reason != "too_little_text")])
    return part("language", 1.0 if share >= enough else share, found.reason, found.detail)


def _share(reason: str) -> Verdict:
    """The Korean of a reason; a few source words (flute[fluːt]는, 女性은) do not count."""
    return LanguageConsistency("ko").verify(_SOURCE_WORD.sub(" ", reason, count=4))


def other_claims(given: Statement, right: bool, accepted: list[str], golds: list[Statement]) -> list[str]:
    """Further sentences that are put forward as right, as far as the references do not do so themselves."""
    # Correcting a wrong claim means making two, so the accepted sentence is not an excuse then.
    together = [] if right else [each for each in claimed_together(given.sentence) if each not in accepted]
    hedged = together[1:] if len(together) == len(claimed_together(given.sentence)) else together
    excused = " ".join(gold.reason for gold in golds)
    return hedged + rivals(given.reason, given.sentence, accepted if right else [], excused)


def _also(others: list[str]) -> str:
    return f"{others[0]!r:.80} is put forward, too"


def _difference(sentence: str, accepted: list[str]) -> str:
    """Describe how a sentence differs from the nearest accepted one."""
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


MAX_CHARS = 20_000
"""Longest completion that is read: a sentence and its reason have some hundreds."""
PARTS = ("format", "answer", "josa", "reason", "claims", "language")
OFFICIAL_PARTS = ("answer", "reason")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class KoreanAnswerTemplate(Verifier):
    """The answer follows the template, names the reference's sentence once, and gives a reason.

    ``robust`` judges as a person would, in parts ``format``, ``answer``, ``josa``, ``reason``, ``claims`` and
    ``language``. The score is 1.0 if all but ``josa`` are right (references have wrong particles as well),
    else 0.0. Spaces and signs inside the sentence count, because many questions are about them. Runs of white
    space, invisible characters, curly quotes and Unicode composition do not.

    ``official`` is the contest's scorer (see `verifiers.korean.contest`): the score is its exact match, in
    parts ``answer`` and ``reason``. It gets the response without thinking and answer tags, which it does not
    know.

    Args:
        mode: ``robust`` or ``official``.
        fold: For ``robust``: differences inside the sentence to ignore: ``width`` (full-width forms),
            ``middot``, ``tilde``, ``jamo`` (conjoining letters).
        min_reason: For ``robust``: least number of letters of a reason. As many as the reference's reason has
            are enough, and fewer if the content is there.
        reason_policy: For ``robust``: ``content`` asks for what the reference's reason rests on (its rule, a
            contrasted form, its terms), not contradicted; ``form`` asks for length only.
        extract: Finds the statement: an answer tag, else the whole response.

    Raises:
        ConfigError: The mode or a fold is unknown, or the minimum is negative.

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
        "no_statement": "the completion does not begin with a quoted sentence that it calls right",
        "several_claims": "another version of the sentence is called right as well",
        "one_claim": "one sentence is called right",
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
