"""The mathematical answer equals the reference."""

from __future__ import annotations

import re
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
from .cost import over_limit
from .limits import MAX_ANSWER_CHARS, MAX_LIST
from .numbers import Exact, read_number, same_number

# The name of an unknown: a letter, Greek or Latin, a word such as "area", or f(x).
_NAME = re.compile(
    r"(?:(?:[a-zA-Z]|\\(?:alpha|beta|gamma|delta|epsilon|theta|lambda|mu|rho|sigma|tau|phi|varphi|omega|ell))"
    r"(?:_(?:\{[^{}]*\}|\w))?'?|(?!not|sin|cos|tan|log|exp|max|min|mod)[a-zA-Z]{3,}|[a-zA-Z]\s*\(\s*[a-zA-Z]\s*\))"
)
_BASE = re.compile(r"\d\s*_")
_EQUALS = re.compile(r"(?<![<>!\\:])=(?!=)")
_TEXT = re.compile(r"\\(?:text|textbf|mathrm|mbox|textnormal)\s*\{([^{}]*)\}")
_WORDS = re.compile(r"[^\W\d_][^\W\d_\s.,'\-&()]*(?:[\s.,'\-&]+[^\W\d_]+)*")
_CHOICE = re.compile(r"\(?([A-Z])[).:]?")
_PLAIN = re.compile(r"[\s()]")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_AND = re.compile(
    r"\\text\s*\{\s*(?:and|or|,)\s*\}|(?<=[\s\d])(?:and|or)(?=\s)|(?<=[\d\s])(?:와|과|또는)(?=\s)"
)
_OR = re.compile(r"\bor\b|또는")


@dataclass(frozen=True, slots=True)
class _Read:
    """A cleaned answer, and what it was read as."""

    text: str
    number: Exact | None
    words: str | None
    items: tuple[_Read, ...] = ()
    brackets: str = ""


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
        "equal_symbolic": "sympy shows that both are equal",
        "not_equal": "the answer differs from the reference",
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
        if not all(map(clean, accepted)):
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
        reason, detail = _judge(expected, answer)
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


def _judge(expected: str, answer: str) -> tuple[str, str]:
    """A reason and a sentence."""
    if expected == answer:
        return "equal_text", ""
    if len(answer) > MAX_ANSWER_CHARS:
        return "over_limit", f"the answer is longer than {MAX_ANSWER_CHARS} characters"
    if len(expected) > MAX_ANSWER_CHARS:
        return "reference_over_limit", f"the reference is longer than {MAX_ANSWER_CHARS} characters"
    wanted = _read_reference(expected)
    given, hedge = _right_side(clean(answer), wanted)
    if hedge:
        return "several_answers", hedge
    return _match(wanted, _read(given))


@lru_cache(maxsize=4096)
def _read_reference(text: str) -> _Read:
    cleaned = clean(text)
    return _read(_right_side(cleaned, None)[0])


def _right_side(text: str, wanted: _Read | None) -> tuple[str, str]:
    """What an answer says: ``x = 5`` says 5, ``17 + 24 = 41`` says 41; ``x = 41 = 42`` hedges."""
    if wanted is not None and text == wanted.text:
        return text, ""
    parts = _EQUALS.split(text)
    if len(parts) == 1 or "," in text or "\\begin" in text:
        return text, ""
    sides = [part.strip() for part in parts]
    if not all(any(map(str.isalnum, side)) for side in sides):
        return text, ""
    if _NAME.fullmatch(sides[0]):
        sides = sides[1:]
        if not all(sides):
            return text, ""
    elif len(sides) > 1 and any(re.search(r"[a-zA-Z]", side.replace("\\", "")) for side in sides):
        return text, ""  # an equation
    numbers = [number.value for number in map(read_number, sides) if number is not None]
    if len(set(numbers)) > 1:
        return text, f"{text!r:.80} gives several values"
    return sides[-1], ""


def _read(text: str, depth: int = 0) -> _Read:
    number = read_number(text)
    if number is not None:
        return _Read(text, number, None)
    words = _words(text)
    if words is not None or depth:
        return _Read(text, None, words)
    brackets, inner = _unbracketed(text)
    items = _unnamed(_split(inner))
    if len(items) > 1 or brackets == "{}":
        return _Read(text, None, None, tuple(_read(item, 1) for item in items), brackets)
    return _Read(text, None, None)


def _words(text: str) -> str | None:
    """A text answer, folded; None when the text is not words."""
    plain = _TEXT.sub(r"\1", text).strip()
    if choice := _CHOICE.fullmatch(plain):
        return choice.group(1)
    if "\\" in plain or not _WORDS.fullmatch(plain):
        return None
    return _PLAIN.sub("", plain).casefold() if len(plain) > 1 else None


def _unbracketed(text: str) -> tuple[str, str]:
    """The brackets around a whole text, "" for none, and what they hold."""
    body = text.replace("\\{", "{").replace("\\}", "}") if text.startswith("\\{") else text
    closing = _BRACKETS.get(body[:1])
    if closing is None or body[-1:] not in (")", "]", "}") or (body[0] == "{" and not text.startswith("\\{")):
        return "", text
    depth = 0
    for position, char in enumerate(body):
        depth += char in "([{"
        depth -= char in ")]}"
        if depth == 0 and position < len(body) - 1:
            return "", text
    return body[0] + body[-1], body[1:-1].strip()


def _split(text: str) -> list[str]:
    """The items of a list: split at top-level commas and "and", but not inside 1,234."""
    if read_number(text) is not None:
        return [text]
    items, depth, start = [], 0, 0
    text = _AND.sub(",", text)
    for position, char in enumerate(text):
        depth += char in "([{"
        depth -= char in ")]}"
        if char in ",;" and depth == 0:
            items.append(text[start:position].strip())
            start = position + 1
    items.append(text[start:].strip())
    return [item for item in items if item] if len(items) <= MAX_LIST else [text]


def _unnamed(items: list[str]) -> list[str]:
    """``x = 2, x = -3`` lists two values of one unknown."""
    sides = [_EQUALS.split(item) for item in items]
    if len(items) > 1 and all(len(side) == 2 for side in sides):
        names = {side[0].strip() for side in sides}
        if len(names) == 1 and _NAME.fullmatch(names.pop()):
            return [side[1].strip() for side in sides]
    return items


def _match(wanted: _Read, given: _Read) -> tuple[str, str]:
    if wanted.text == given.text:
        return "equal_text", ""
    if wanted.number is not None and given.number is not None:
        same = same_number(wanted.number, given.number)
        return ("equal_rational", "") if same else ("not_equal", "")
    if wanted.words is not None and given.words is not None:
        same = wanted.words == given.words
        return ("equal_text", "") if same else ("not_equal", "")
    if (wanted.words is not None and given.number is not None) or (
        given.words is not None and wanted.number is not None and len(given.words) > 1
    ):
        return "not_equal", "one is a number, the other is words"
    if wanted.number is not None and given.items and given.brackets != "{}":
        return "several_answers", "the answer is a list and the reference is one number"
    if wanted.items and given.items:
        settled = _match_items(wanted, given)
        if settled is not None:
            return settled
    return _match_symbolic(wanted.text, given.text)


def _match_items(wanted: _Read, given: _Read) -> tuple[str, str] | None:
    """Compare two lists whose items are all numbers or words; None when sympy must."""
    if not all(item.number or item.words for item in (*wanted.items, *given.items)):
        return None
    if len(wanted.items) != len(given.items):
        return "not_equal", f"{len(given.items)} items where the reference has {len(wanted.items)}"
    brackets = {wanted.brackets, given.brackets}
    # A list without brackets may stand for a set or a point; no other two kinds agree.
    if len(brackets) > 1 and brackets not in ({"", "{}"}, {"", "()"}):
        return "not_equal", f"{given.brackets} where the reference has {wanted.brackets}"
    ordered = bool(brackets & {"()", "[]", "(]", "[)"})
    left = list(given.items)
    for index, item in enumerate(wanted.items):
        pool = left[:1] if ordered else left
        match = next((each for each in pool if _match(item, each)[0].startswith("equal")), None)
        if match is None:
            return "not_equal", f"item {index + 1} has no equal"
        left.remove(match)
    return "equal_rational", ""


def _match_symbolic(expected: str, given: str) -> tuple[str, str]:
    if problem := over_limit(given):
        return "over_limit", f"the answer has {problem}" if problem.startswith(
            "a"
        ) else f"the answer is {problem}"
    if problem := over_limit(expected):
        return "reference_over_limit", f"the reference: {problem}"
    if _BASE.search(expected) or _BASE.search(given):
        return "not_equal", "numerals with a base are compared as text"
    from .._pool import shared_pool

    outcome = shared_pool().run("verifiers.maths.symbolic:decide", (expected, given))
    if not outcome.ok:
        if outcome.by_task:
            return "undecided", outcome.detail
        raise RuntimeError(outcome.detail)
    if outcome.value == "equal":
        return "equal_symbolic", ""
    if outcome.value == "unequal":
        return "not_equal", ""
    if outcome.value == "answer":
        return "unreadable", "the answer is not mathematics that can be read"
    if outcome.value == "undecided":
        return "undecided", "sympy could not decide"
    if "\\" not in expected and not re.search(r"\d", expected):
        return "not_equal", "compared as text"
    return "bad_reference", f"the reference is not mathematics that can be read: {expected!r:.80}"
