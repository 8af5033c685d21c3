"""Classes of a row's references, what they accept and their use, decided before any answer is read."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from ...core.verdicts import ReferenceClass
from ...errors import ConfigError
from ...extract.answers_and_references import accepted_texts, reference_answer
from ...formulas.answer_shapes import Hedge, Shape, Words, bare, nodes
from ...formulas.ball_comparison import without_value
from ...formulas.cost_limits import MAX_ANSWER_CHARS
from ...formulas.exact_values import rational_value
from ...formulas.formula_tree import Apply, Node, Power, walk
from ...reading.answer_readings import Reading
from ...reading.spelling.cleaning import clean
from ...runtime.forks import cached_property
from ...runtime.packages import deferred

_POOL = deferred("reward_verifiers.verifiers.runtime.pool")  # few references are left to a worker

BY_GRAMMAR = ReferenceClass("readable", "grammar")
BY_SYMPY = ReferenceClass("readable", "sympy", "only sympy's parser reads it")
WORDS = ReferenceClass("text only", "words", "words are compared as words")
NO_FORMULA = ReferenceClass("text only", "no_formula", "it has characters that no formula has")
UNREAD = ReferenceClass("text only", "unread", "neither the grammar nor sympy's parser reads it")
UNDEFINED = "it has no value, as a division by zero has none"
TOO_LARGE = "too large to evaluate"

_WITH_POLES = frozenset({"tan", "cot", "sec", "csc", "coth", "csch", "ln", "log", "log_base", "factorial"})
_REMEMBERED = 4096
"""Texts whose class is kept; a group's completions share one."""


@lru_cache(maxsize=_REMEMBERED)
def reference_class(reading: Reading) -> ReferenceClass:
    r"""The class of a reference, whatever will be compared with it.

    Raises:
        RuntimeError: No worker process can be started, or none works any more.

    >>> reference_class(Reading(r"\frac{1}{2}")).kind, reference_class(Reading("{1")).reason
    ('readable', 'bad_reference')
    """
    if reading.number is not None:
        return BY_GRAMMAR
    if not reading.text:
        return _unusable("the reference is empty")
    if reading.option is not None:
        return reference_class(reading.option[1])
    shape = reading.shape
    if isinstance(shape, Hedge):
        return _unusable(f"the reference contradicts itself: {shape.problem}")
    if shape is not None:
        return _defect(shape) or (WORDS if isinstance(bare(shape), Words) else BY_GRAMMAR)
    if reading.has_open_braces:
        return _unusable(f"the braces of the reference do not match: {reading.text!r:.80}")
    if any(each is not None for each in reading.shapes):
        return BY_GRAMMAR
    if reading.is_no_formula or not reading.is_mathematical:
        return NO_FORMULA
    if reading.over_limit:
        return ReferenceClass("unusable", "reference_over_limit", f"the reference: {reading.over_limit}")
    return BY_SYMPY if _sympy_reads(reading.text) else UNREAD


def problem_of(shape: Shape) -> str | None:
    """Why a shape has no value that could be compared; None if it has one."""
    reasons = set(map(without_value, nodes(shape)))
    if "too large" in reasons:
        return TOO_LARGE
    return UNDEFINED if "undefined" in reasons else None


def _unusable(detail: str) -> ReferenceClass:
    return ReferenceClass("unusable", "bad_reference", detail)


def _defect(shape: Shape) -> ReferenceClass | None:
    """Return the defect of a reference that the grammar reads: a division by zero, or its size."""
    for node in nodes(shape):
        inner = [each for each in walk(node) if isinstance(each, Power | Apply)]
        if not inner:
            continue
        problem = without_value(node)
        if any(map(_divides_by_zero, inner)) or (problem and any(map(_is_at_a_pole, inner))):
            return _unusable(f"the reference: {UNDEFINED}")
        if problem == "too large" and rational_value(node) is None:
            return ReferenceClass("unusable", "reference_over_limit", f"the reference: {TOO_LARGE}")
    return None


def _divides_by_zero(node: Node) -> bool:
    """Return whether a number known to be 0 has a negative power, whatever unknowns occur elsewhere."""
    if not isinstance(node, Power):
        return False
    exponent = rational_value(node.exponent)
    return exponent is not None and bool(exponent < 0) and rational_value(node.base) == 0


def _is_at_a_pole(node: Node) -> bool:
    """Return whether a value is divided by 0, or a function is at a pole, as far as balls tell.

    Other values may be unknown for a reason that says nothing against a reference: which root is meant, or
    which of two equal numbers is the larger.
    """
    if isinstance(node, Power):
        exponent = rational_value(node.exponent)
        may_be = exponent is not None and exponent.q == 1 and bool(exponent < 0)
        below: tuple[Node, ...] = (node.base,)
    else:
        assert isinstance(node, Apply)  # noqa: S101
        may_be, below = node.function in _WITH_POLES, node.arguments
    return may_be and without_value(node) == "undefined" and not any(map(without_value, below))


@lru_cache(maxsize=_REMEMBERED)
def _sympy_reads(text: str) -> bool:
    """Return whether sympy's parser reads a text: the only task for a worker that a reference costs."""
    outcome = _POOL.shared_pool().run(
        "reward_verifiers.verifiers.maths.decide.symbolic:reads",
        (text,),
        fork=True,  # the parser's time is exponential where powers nest: what is ended costs no new worker
    )
    if not outcome.ok and not outcome.by_task:
        raise RuntimeError(outcome.detail)
    # What its parser fails on is still a text, so that all answers to it are scored.
    return outcome.ok and bool(outcome.value)


_LONGEST_REMEMBERED = 4 * MAX_ANSWER_CHARS
"""Characters of a text that is remembered, so that what is kept is bounded."""


class References:
    """The accepted answers of a row.

    Args:
        about: Their possible uses.
        accepted: The accepted answers that are usable; all of them, if none is.
        reference: Value of the row's answer column.
    """

    def __init__(self, about: ReferenceClass, accepted: tuple[str, ...], reference: object) -> None:
        self.about = about
        self.accepted = accepted
        self.reference = reference

    @cached_property
    def rounded(self) -> tuple[str, ...]:
        """The decimals that stand beside exact values, for answers in decimals alone."""
        return tuple(each for text in self.accepted for each in _rounded(text))

    @cached_property
    def by_words(self) -> dict[str, str]:
        """The accepted answers, and those as they are written, by their cleaned text."""
        written = [each for each in accepted_texts(self.reference) if reference_answer(each) in self.accepted]
        return {read(each).text: each for each in reversed((*self.accepted, *written))}


def references(reference: object, which: Literal["any", "all"]) -> References:
    """Return the references that the row's answer column accepts.

    Args:
        reference: A string, a number, or a list of these.
        which: Whether any of several is accepted, or all of them make up one answer.
    """
    if type(reference) is str and len(reference) <= _LONGEST_REMEMBERED:
        return _of_text(reference, which)
    return _of(reference, which)


def _of(reference: object, which: Literal["any", "all"]) -> References:
    try:
        accepted = [reference_answer(text) for text in accepted_texts(reference)]
    except ConfigError as error:
        return References(ReferenceClass("unusable", "bad_reference", str(error)), (), reference)
    if which == "all" and not any(map(_is_blank, accepted)):
        accepted = ["; ".join(accepted)]
    classes = [_class_of(text) for text in accepted]
    if which == "all":
        return References(max(classes, key=_rank), tuple(accepted), reference)
    usable = [text for text, about in zip(accepted, classes, strict=True) if about.kind != "unusable"]
    return References(min(classes, key=_rank), tuple(usable or accepted), reference)


def _rounded(text: str) -> list[str]:
    """The decimals that a reference gives beside an exact value: ``3\\sqrt2 \\approx 4.24``."""
    exact, *decimals = read(text).text.split("\\approx")
    return [each.strip() for each in decimals if exact.strip() and read(each).number is not None]


_of_text = lru_cache(maxsize=_REMEMBERED)(_of)


def _class_of(text: str) -> ReferenceClass:
    if len(text) > MAX_ANSWER_CHARS:
        detail = f"the reference is longer than {MAX_ANSWER_CHARS} characters"
        return ReferenceClass("unusable", "reference_over_limit", detail)
    return reference_class(read(text))


def _is_blank(text: str) -> bool:
    return len(text) <= MAX_ANSWER_CHARS and not read(text).text


def _rank(about: ReferenceClass) -> int:
    return ("readable", "text only", "unusable").index(about.kind)


def read(text: str) -> Reading:
    """One reading for a reference and for every completion of a group that gives the same answer."""
    return _read(text) if len(text) <= _LONGEST_REMEMBERED else Reading(clean(text))


@lru_cache(maxsize=_REMEMBERED)
def _read(text: str) -> Reading:
    return Reading(clean(text))
