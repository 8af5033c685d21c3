"""What a reference can be used for, decided once and before any answer is looked at."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ...core.verdicts import ReferenceClass
from ...formulas.balls.ball_comparison import without_value
from ...formulas.exact_values import TooLargeError, exact
from ...formulas.formula_tree import Apply, Node, Power, walk
from ...formulas.shapes import Hedge, Shape, Words, bare, nodes
from ...reading.readings import Reading
from ...runtime.pool import shared_pool

BY_GRAMMAR = ReferenceClass("readable", "grammar")
BY_SYMPY = ReferenceClass("readable", "sympy", "only sympy's parser reads it")
WORDS = ReferenceClass("text only", "words", "words are compared as words")
NO_FORMULA = ReferenceClass("text only", "no_formula", "it holds what is no part of a formula")
UNREAD = ReferenceClass("text only", "unread", "neither the grammar nor sympy's parser reads it")
UNDEFINED = "it has no value, as a division by zero has none"
TOO_LARGE = "too large to evaluate"

_WITH_POLES = frozenset({"tan", "cot", "sec", "csc", "coth", "csch", "ln", "log", "log_base", "factorial"})
_REMEMBERED = 4096
"""Texts whose class is kept; a group's completions share one."""


@lru_cache(maxsize=_REMEMBERED)
def reference_class(reading: Reading) -> ReferenceClass:
    r"""The class of a reference, whatever will be compared with it.

    Args:
        reading: The reference.

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
    """What makes a reference unusable that the grammar reads: a division by zero, or its size."""
    for node in nodes(shape):
        inner = [each for each in walk(node) if isinstance(each, Power | Apply)]
        if not inner:
            continue
        problem = without_value(node)
        if any(map(_divides_by_zero, inner)) or (problem and any(map(_is_at_a_pole, inner))):
            return _unusable(f"the reference: {UNDEFINED}")
        if problem == "too large" and _rational(node) is None:
            return ReferenceClass("unusable", "reference_over_limit", f"the reference: {TOO_LARGE}")
    return None


def _divides_by_zero(node: Node) -> bool:
    """Whether a number known to be 0 has a negative power, whatever unknowns there are elsewhere."""
    if not isinstance(node, Power):
        return False
    exponent = _rational(node.exponent)
    return exponent is not None and bool(exponent < 0) and _rational(node.base) == 0


def _is_at_a_pole(node: Node) -> bool:
    """Whether a value is divided by 0, or a function has none where it is asked, as far as balls tell.

    Other values may be unknown for a reason that says nothing against a reference: which root is meant, or
    which of two equal numbers is the larger.
    """
    if isinstance(node, Power):
        exponent = _rational(node.exponent)
        may_be = exponent is not None and exponent.q == 1 and bool(exponent < 0)
        below: tuple[Node, ...] = (node.base,)
    else:
        assert isinstance(node, Apply)  # noqa: S101
        may_be, below = node.function in _WITH_POLES, node.arguments
    return may_be and without_value(node) == "undefined" and not any(map(without_value, below))


def _rational(node: Node) -> Any | None:
    """The rational number that a tree stands for; None where it is none, or too large to build."""
    try:
        return exact(node)
    except TooLargeError:
        return None


@lru_cache(maxsize=_REMEMBERED)
def _sympy_reads(text: str) -> bool:
    """Whether sympy's parser makes anything of a text: the one task for a worker that a reference costs."""
    outcome = shared_pool().run("reward_verifiers.verifiers.maths.decide.by_sympy.symbolic:reads", (text,))
    if not outcome.ok and not outcome.by_task:
        raise RuntimeError(outcome.detail)
    # What its parser fails on is still a text, so that all answers to it are scored.
    return outcome.ok and bool(outcome.value)
