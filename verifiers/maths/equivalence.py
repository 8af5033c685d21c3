"""The mathematical answer equals the reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Literal

from .._answer import accepted_texts, find_answer
from .._base import Verifier
from .._errors import ConfigError
from .._types import Sample, Verdict
from ..extract import MARKED_OR_NUMBER, Boxed, Extractor, HashMarks
from .clean import clean
from .limits import MAX_ANSWER_CHARS
from .matching import match
from .policy import DEFAULT, STRICT, Policy


@dataclass(frozen=True, repr=False)
class MathEquivalence(Verifier):
    r"""The answer means the same as the reference: 1/2, 0.5 and \frac12 are one answer.

    Stages, cheapest first: equal text, exact rationals, lists and tuples of these, then LaTeX with
    sympy in a worker process that can be killed. Nothing is rounded and no text is evaluated as code.
    The whole reference is read, never its last number; ``#### x`` on its last line or one ``\boxed{}``
    marks the part that counts.

    Args:
        extract: Where the answer stands. By default a SOLUTION or answer tag, a box, ``####``, an
            answer phrase, a bare answer, or the last number, whichever kind is present first.
        undecided: What an answer is worth that cannot be decided within the bounds: "wrong" (0.0, the
            default: a policy must not gain by being unreadable) or "unscored", for audits.
        strict: Give no allowance for percent signs, units and brackets: 50% is one half and nothing else,
            and 15 apples are not 15. Then answers fall into classes, as a vote among them needs.

    Raises:
        ConfigError: `undecided` is something else.

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
        "several_answers": "the answer offers more than one value where the reference has one",
        "no_answer": "no answer was found, its mark was left open, or thinking never ended",
        "over_limit": "the answer is too long or too expensive to evaluate",
        "unreadable": "the answer is not mathematics that can be read",
        "undecided": "equality could not be decided within the bounds",
        "reference_over_limit": "the reference is too long or too expensive to evaluate",
    }
    depends: ClassVar[tuple[str, ...]] = ("sympy", "latex2sympy2_extended")

    extract: Extractor = field(default=MARKED_OR_NUMBER)
    undecided: Literal["wrong", "unscored"] = "wrong"
    strict: bool = False

    def __post_init__(self) -> None:
        if self.undecided not in ("wrong", "unscored"):
            raise ConfigError(
                f"MathEquivalence: undecided must be 'wrong' or 'unscored', got {self.undecided!r}"
            )
        super().__post_init__()

    def check(self, sample: Sample) -> Verdict:
        """See `Verifier.check`."""
        try:
            accepted = [reference_answer(text) for text in accepted_texts(sample.reference)]
        except ConfigError as error:
            return self.unscored("bad_reference", str(error))
        if any(map(_is_blank, accepted)):
            return self.unscored("bad_reference", f"the reference is empty: {sample.reference!r:.80}")
        answer = find_answer(self, self.extract, sample)
        if isinstance(answer, Verdict):
            return answer
        verdict = self._compare(accepted[0], answer)
        for expected in accepted[1:]:
            if verdict.passed:
                break
            other = self._compare(expected, answer)
            # Any accepted answer that matches decides; a reference that cannot be read must not hide one.
            if other.passed or (verdict.score is not None and other.score is None):
                verdict = other
        return verdict

    def _compare(self, expected: str, answer: str) -> Verdict:
        reason, detail = _judge(expected, answer, STRICT if self.strict else DEFAULT)
        if reason in ("bad_reference", "reference_over_limit"):
            return self.unscored(reason, detail, expected=expected)
        if reason == "undecided" and self.undecided == "unscored":
            return self.unscored(reason, detail, expected=expected)
        score = 1.0 if reason.startswith("equal_") else 0.0
        return self.scored(score, reason, detail, extracted=answer, expected=expected)


@lru_cache(maxsize=4096)
def reference_answer(text: str) -> str:
    r"""The part of a reference that counts: what one ``####`` line or one box marks, else all of it.

    >>> reference_answer("9 * 2 = 18\n#### 18"), reference_answer(r"thus \boxed{x}"), reference_answer("2x+3")
    ('18', 'x', '2x+3')
    """
    stripped = text.strip()
    if "####" in stripped.rpartition("\n")[2] and (marked := HashMarks().extract(stripped)) and marked.text:
        return marked.text
    if stripped.count("\\boxed") == 1 and (boxed := Boxed().extract(stripped)) is not None:
        return boxed.text or ""
    return stripped


def _judge(expected: str, answer: str, policy: Policy) -> tuple[str, str]:
    """A reason and a sentence."""
    if expected == answer:
        return "equal_text", ""
    if len(answer) > MAX_ANSWER_CHARS:
        return "over_limit", f"the answer is longer than {MAX_ANSWER_CHARS} characters"
    if len(expected) > MAX_ANSWER_CHARS:
        return "reference_over_limit", f"the reference is longer than {MAX_ANSWER_CHARS} characters"
    return match(_cleaned_reference(expected), clean(answer), policy)


@lru_cache(maxsize=4096)
def _is_blank(text: str) -> bool:
    return not clean(text)


@lru_cache(maxsize=4096)
def _cleaned_reference(text: str) -> str:
    return clean(text)
