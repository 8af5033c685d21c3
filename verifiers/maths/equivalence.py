"""The mathematical answer equals the reference."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Annotated, Any, ClassVar, Literal

from ..core.checks import Range
from ..core.extraction import Extractor
from ..core.verdicts import ReferenceClass, Sample, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..extract.answers_and_references import judge_answer, only_box
from ..extract.maths_answers import MARKED_OR_NUMBER
from ..formulas.cost_limits import MAX_ANSWER_CHARS
from ..formulas.formula_equality import is_equal
from ..runtime.forks import cached_property
from .decide.answer_match import match
from .decide.inquiries import Ask, Asked, Inquiry, PendingError, asked
from .decide.policy import STRICT, Policy
from .decide.question_form import restates
from .decide.reference_classes import References, read, references
from .explanation import show
from .explanation import witness as witness_of
from .question import question


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class MathEquivalence(Verifier):
    r"""The answer means the same as the reference: 1/2, 0.5 and \frac12 are one answer.

    The stages, cheapest first: equal text, exact rationals, polynomial identity, rigorous ball arithmetic at
    several points, structures part by part, and sympy in a worker process, which can be killed, for formulas
    that the grammar does not read. Nothing is rounded, and no text is evaluated as code.

    The whole reference counts, never its last number. If it has a last line ``#### x`` or a ``\boxed{}``,
    that part counts. Equivalence is symmetric, except for `reference_decimals`, decimal commas, unsolved
    equations and names that only the answer has. Named values are compared by name. The row's `prompt` may
    settle an open point: order, letters, base, unit, angle, logarithm, option (`verifiers.maths.question`).

    Args:
        extract: Finds the answer. By default the first kind of mark that occurs: a SOLUTION or answer tag, a
            box, ``####``, an answer phrase, a bare answer, or the last number.
        undecided: Score of an answer that cannot be decided within the limits: "wrong" (0.0, the default, so
            that a policy gains nothing by being unreadable or expensive) or "unscored", for audits.
        percent: "either": 50% is 50 and also 0.5, but 50 is not 0.5. "exact": it is 0.5 only.
        units: "optional": either side may lack the unit after a number, and two units must agree after
            conversion. "required": both sides have a unit, or neither. "ignored": any unit agrees with any
            other.
        degrees: "optional": 90° is 90 and also pi/2, but 90 is not pi/2. "required": it is pi/2 only.
        decimals: "exact": 0.33 is not 1/3; only a decimal of ten digits or more stands for values that round
            to it. "rounded": every decimal does.
        reference_decimals: "rounded": an exact answer that no finite decimal equals (20/3) agrees with a
            reference that is its rounding (6.67) to three significant digits or more, two of them after the
            point. An answer of 6.67 for 20/3 is wrong. "exact": a reference's decimals are exact.
        tolerance: Largest relative difference of equal numbers; 0 for none.
        order: "any": lists without brackets and sets may have any order. "kept": lists keep theirs.
        brackets: "optional": 1, 2 may stand for (1, 2) or {1, 2}, 5 for {5}, and a point for a vector.
            "required": each kind only agrees with itself. (1, 2) never agrees with [1, 2] or {1, 2}.
        intervals: "either": x < 3 is (-infinity, 3). "as_written": inequalities and intervals differ.
        relations: "scaled": 2x = 4y is x = 2y. "as_written": the sides must agree one by one.
        case: "ignored": Yes is yes, and X is x if the question has no other x. "kept": case matters.
        references: If there are several references, "any" of them is accepted, or the answer must have "all"
            of them as its parts.
        restated: Score of an equal answer that only repeats what the row's `prompt` gives, such as 23+77 for
            100 or x^2<4 for (-2, 2), and has another form than the reference: "wrong" (0.0) or "paid".
        strict: No allowances, whatever the fields above say. Answers then fall into classes, as votes need.

    Raises:
        ConfigError: A field has a value that is not listed, or the tolerance is negative or not finite.

    >>> print(MathEquivalence().verify(r"so we get \boxed{\frac12}", "0.5"))
    MathEquivalence 1.00 equal_rational  '\\frac12' for '0.5'
    >>> MathEquivalence().verify(r"<think>\boxed{4}</think> I do not know.", "4").reason
    'not_equal'
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "equal_text": "the same text after cleaning",
        "equal_rational": "the same exact number, or lists of the same numbers",
        "equal_algebra": "the same rational function",
        "equal_numeric": "the same value to hundreds of digits in rigorous arithmetic, at several points",
        "equal_shape": "lists, intervals, sets, unions or relations whose parts are equal",
        "equal_symbolic": "sympy shows that both are equal",
        "not_equal": "the answer differs from the reference",
        "proved_unequal": "exact or rigorous arithmetic proves that the values differ",
        "restates_question": "the answer is equal, but only repeats the question's formula or arithmetic",
        "several_answers": "the answer offers several values, and the reference has one",
        "no_answer": "no answer was found, its mark was left open, or thinking never ended",
        "over_limit": "the answer is too long or too expensive to evaluate",
        "unreadable": "the answer is not mathematics that can be read",
        "undecided": "equality could not be decided within the bounds",
        "reference_over_limit": "the reference is too long or too expensive to evaluate",
    }
    quick: ClassVar[bool] = True
    depends: ClassVar[tuple[str, ...]] = ("python-flint", "sympy", "latex2sympy2_extended")

    extract: Extractor = field(default=MARKED_OR_NUMBER)
    undecided: Literal["wrong", "unscored"] = "wrong"
    percent: Literal["either", "exact"] = "either"
    units: Literal["optional", "required", "ignored"] = "optional"
    degrees: Literal["optional", "required"] = "optional"
    decimals: Literal["exact", "rounded"] = "exact"
    reference_decimals: Literal["rounded", "exact"] = "rounded"
    tolerance: Annotated[float, Range(least=0)] = 0.0
    order: Literal["any", "kept"] = "any"
    brackets: Literal["optional", "required"] = "optional"
    intervals: Literal["either", "as_written"] = "either"
    relations: Literal["scaled", "as_written"] = "scaled"
    case: Literal["ignored", "kept"] = "ignored"
    references: Literal["any", "all"] = "any"
    restated: Literal["wrong", "paid"] = "wrong"
    strict: bool = False

    @cached_property
    def policy(self) -> Policy:
        """Return the policy for equal answers, as the stages read it."""
        if self.strict:
            return STRICT
        shared = {each.name for each in dataclasses.fields(Policy)} & {
            each.name for each in dataclasses.fields(self)
        }
        return Policy(**{name: getattr(self, name) for name in shared})

    def readings(self, verdict: Verdict) -> dict[str, str]:
        sides = {"extracted": verdict.extracted, "expected": verdict.expected}
        return {
            name: show(read(text).shape)
            for name, text in sides.items()
            if text is not None and len(text) <= MAX_ANSWER_CHARS
        }

    def verify(
        self, completion: object, reference: object = None, *, witness: object = False, **fields: object
    ) -> Verdict:
        """Judge one completion; see `Verifier.verify`.

        Args:
            completion: A string, or chat messages.
            reference: Value of the row's answer column.
            witness: Whether to add a proof of the verdict, as plain data: see docs/math.md.
            **fields: Other columns of the row.
        """
        verdict = super().verify(completion, reference, **fields)
        return dataclasses.replace(verdict, witness=self.witness(verdict, fields)) if witness else verdict

    def witness(self, verdict: Verdict, fields: Mapping[str, object]) -> Mapping[str, Any] | None:
        if verdict.extracted is None or verdict.expected is None:
            return None
        sample = self._sample("", verdict.expected, fields)
        policy = self._asked(sample.prompt) if isinstance(sample, Sample) else self.policy
        return witness_of(verdict.expected, verdict.extracted, verdict.reason, policy)

    def fields_read(self) -> tuple[str, ...] | None:
        return ("prompt",)

    def judge_reference(
        self, reference: object, fields: Mapping[str, object] | None = None
    ) -> ReferenceClass:
        r"""Return the class of a reference; of several accepted ones the best counts.

        "readable": the grammar (reason ``grammar``) or only sympy's parser (``sympy``) reads it. "text only":
        ``words``, no formula (``no_formula``), or a formula that neither reads (``unread``). "unusable":
        ``bad_reference``, ``reference_over_limit``, ``no_reference``.

        Args:
            reference: A string, a number, or a list of these.
            fields: Other columns of the row, which do not matter.

        Raises:
            RuntimeError: No worker process can be started, or none works any more.

        >>> [MathEquivalence().judge_reference(text).kind for text in (r"\frac12", r"\zzz{2}", "1/0")]
        ['readable', 'text only', 'unusable']
        """
        if reference is None:
            return super().judge_reference(reference)
        return references(reference, self.references).about

    def check(self, sample: Sample) -> Verdict:
        return self._checked(sample, asked)

    def check_batch(self, samples: Sequence[Sample]) -> Sequence[Verdict]:
        """Judge the easy samples here, then ask workers about all others at once, each question once."""
        known = Asked()
        verdicts: dict[int, Verdict] = {}
        left: Sequence[int] = range(len(samples))
        while left:
            inquiries: dict[int, Inquiry] = {}
            for row in left:
                try:
                    verdicts[row] = self._checked(samples[row], known.answer)
                except PendingError as pending:
                    inquiries[row] = pending.inquiry
                except Exception:
                    verdicts[row] = self._guarded(samples[row])  # by itself: it is tried twice
            known.ask(list(inquiries.values()))
            left = tuple(inquiries)  # with several references one row may have several inquiries
        return [verdicts[row] for row in range(len(samples))]

    def _checked(self, sample: Sample, ask: Ask) -> Verdict:
        known = references(sample.reference, self.references)
        accepted = known.accepted
        if known.about.kind == "unusable":
            first = accepted[0] if accepted else None
            return self.unscored(known.about.reason, known.about.detail, expected=first)
        policy = self._asked(sample.prompt)
        return judge_answer(
            self,
            self.extract,
            sample,
            partial(self._judged, known, policy, ask),
            partial(self._as_a_whole, known, policy),
            accepted=accepted,
            box=only_box(sample) if self.extract is MARKED_OR_NUMBER else None,
        )

    def _asked(self, prompt: str | None) -> Policy:
        """The policy with what a row's question settles."""
        if not prompt or self.strict:
            return self.policy
        return _with_question(self.policy, prompt)

    def _judged(self, known: References, policy: Policy, ask: Ask, answer: str) -> Verdict:
        verdict = self._compare(known.accepted[0], answer, policy, ask)
        others = known.accepted[1:]
        if known.rounded and read(answer).number is not None:
            others += known.rounded
        for expected in others:
            if verdict.passed:
                break
            other = self._compare(expected, answer, policy, ask)
            # Any accepted answer that matches decides; one that cannot be decided must not hide another.
            if other.passed or (verdict.score is not None and other.score is None):
                verdict = other
        if verdict.passed:
            return verdict
        # A sentence may be copied from the reference with the words that say which part of it counts.
        copied = self._as_a_whole(known, policy, answer, True)
        return verdict if copied is None else copied

    def _as_a_whole(
        self, known: References, policy: Policy, text: str, word_for_word: bool
    ) -> Verdict | None:
        """The verdict that a text from which an answer was taken is right as it stands; None if it is not."""
        copied = known.by_words.get(read(text).text)
        if copied is not None:
            return self.scored(1.0, "equal_text", extracted=text, expected=copied)
        for expected in () if word_for_word else known.accepted:
            reason, _ = _judge(expected, text, policy, _unasked)
            question = policy.question if self.restated == "wrong" else None
            if is_equal(reason) and not (question and restates(read(expected), read(text), question)):
                return self.scored(1.0, reason, extracted=text, expected=expected)
        return None

    def _compare(self, expected: str, answer: str, policy: Policy, ask: Ask) -> Verdict:
        reason, detail = _judge(expected, answer, policy, ask)
        if (
            self.restated == "wrong"
            and policy.question is not None
            and is_equal(reason)
            and expected != answer
            and restates(read(expected), read(answer), policy.question)
        ):
            reason, detail = "restates_question", "the question says as much"
        if reason in ("undecided", "over_limit") and self.undecided == "unscored":
            return self.unscored(reason, detail, expected=expected)
        score = 1.0 if is_equal(reason) else 0.0
        return self.scored(score, reason, detail, extracted=answer, expected=expected)


@lru_cache(maxsize=1024)
def _with_question(policy: Policy, prompt: str) -> Policy:
    """One policy for all completions of a group."""
    return dataclasses.replace(policy, question=question(prompt))


def _unasked(inquiry: Inquiry) -> tuple[str, str]:
    """No worker is asked about a sentence: its part is compared next."""
    return "undecided", ""


def _judge(expected: str, answer: str, policy: Policy, ask: Ask) -> tuple[str, str]:
    """A reason and a sentence, where the reference is usable."""
    if expected == answer:
        return "equal_text", ""
    if len(answer) > MAX_ANSWER_CHARS:
        return "over_limit", f"the answer is longer than {MAX_ANSWER_CHARS} characters"
    found = _decided(expected, str(answer), policy)
    return ask(found) if isinstance(found, Inquiry) else found


@lru_cache(maxsize=4096)
def _decided(expected: str, answer: str, policy: Policy) -> tuple[str, str] | Inquiry:
    """Return the finding, which the completions of a group need once, or the question that is left."""
    left: list[Inquiry] = []

    def keep(inquiry: Inquiry) -> tuple[str, str]:
        left.append(inquiry)
        return "undecided", ""

    found = match(read(expected), read(answer), policy, keep)
    return left[0] if left else found
