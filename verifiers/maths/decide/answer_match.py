"""Whether two answers are equal, cheapest stage first; each gives a reason."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ...runtime.pool import shared_pool
from ..formulas.ball_comparison import without_value
from ..formulas.formula_equality import is_equal
from ..formulas.shapes import Hedge, Items, Matrix, Named, Shape, Value, bare, nodes
from ..read.readings import Reading
from ..text.cleaning import clean
from . import rounded_references
from .asked import as_asked, is_another
from .option_agreement import match_options
from .policy import DEFAULT, Policy
from .shape_agreement import compare_shapes

_LONG = 10
"""Digits from which a decimal may be what a computer rounded: see `values`."""
_UNDEFINED = "it has no value, as a division by zero has none"
_SEVERAL = "the answer gives several values and the reference one"


def match(expected: Reading, given: Reading, policy: Policy = DEFAULT) -> tuple[str, str]:
    """The reason code of `MathEquivalence` for two answers, and a sentence for a person.

    Args:
        expected: The reference.
        given: The answer.
        policy: What counts as the same.

    Raises:
        RuntimeError: No worker process can be started, or none works any more.

    >>> match(Reading("0.5"), Reading("1/2"))
    ('equal_rational', '')
    """
    # Plain numbers, which most answers are, take neither the grammar nor python-flint.
    if (one := expected.number) is not None and (other := given.number) is not None:
        if one == other:
            return ("equal_text" if expected.text == given.text else "equal_rational"), ""
        exact = policy.decimals == "exact" and not policy.tolerance
        exact = exact and not (policy.reference_decimals == "rounded" and "." in expected.text)
        if exact and len(expected.text) < _LONG and len(given.text) < _LONG:
            return "not_equal", "the numbers differ"
    verdict = _match_shapes(expected, given, policy)
    if policy.commas == "shown" and not is_equal(verdict[0]):
        verdict = _match_commas(expected, given, policy) or verdict
    return verdict


def _match_commas(expected: Reading, given: Reading, policy: Policy) -> tuple[str, str] | None:
    """Equal, if a comma is decimal where the reference writes a point; None if that makes nothing equal."""
    for comma, point, sure in ((given, expected, True), (expected, given, expected.has_sure_comma)):
        if sure and point.shows_point and comma.with_points is not None:
            pair = (point, comma.with_points) if comma is given else (comma.with_points, point)
            verdict = _match_shapes(*pair, policy)
            return verdict if is_equal(verdict[0]) else None
    return None


def _match_shapes(expected: Reading, given: Reading, policy: Policy) -> tuple[str, str]:
    if expected.text == given.text:
        shape = given.shape if given.may_divide_by_zero else None
        if shape is not None and _without_value(shape):
            return "bad_reference", f"the reference: {_UNDEFINED}"
        return "equal_text", ""
    one, other = expected.shape, given.shape
    if isinstance(other, Hedge):
        return "several_answers", other.problem
    asked = policy.question
    if asked is not None and other is not None and is_another(other, asked) and not isinstance(one, Named):
        return "not_equal", f"the question asks for {asked.asked}"
    if _same_text(expected, given, policy):
        return "equal_text", ""
    if (choice := match_options(expected, given, policy, _match_shapes)) is not None:
        return choice
    if asked is not None and (found := _by_options(expected, given, policy, asked.options)) is not None:
        return found
    if isinstance(one, Hedge):
        return "bad_reference", f"the reference contradicts itself: {one.problem}"
    first_reason: str | None = None
    for place, (left, right) in enumerate(
        _pairs(expected, given) if policy.customs == "assumed" else [(one, other)]
    ):
        if left is None or right is None:
            continue
        pair = (left, right) if asked is None else (as_asked(left, asked), as_asked(right, asked))
        reason = compare_shapes(*pair, policy)
        if is_equal(reason):
            return reason, ""
        first_reason = reason if place == 0 else first_reason
    if policy.reference_decimals == "rounded" and one is not None and other is not None:
        rounded = rounded_references.marked(one, expected.text)
        if rounded is not None and is_equal(reason := compare_shapes(rounded, other, policy)):
            return reason, ""
    if first_reason is None or one is None or other is None:
        return _match_unread(expected, given)
    if isinstance(bare(one), Value) and isinstance(several := bare(other), Items) and len(several.items) > 1:
        return "several_answers", _SEVERAL
    return first_reason, ""


def _by_options(
    expected: Reading, given: Reading, policy: Policy, options: Mapping[str, str]
) -> tuple[str, str] | None:
    """A letter on one side alone stands for what the question has beside it; None where there is no such."""
    texts = [options.get(each.lone_letter.upper()) for each in (expected, given)]
    if (texts[0] is None) == (texts[1] is None):
        return None
    one, other = (
        each if text is None else Reading(clean(text))
        for each, text in zip((expected, given), texts, strict=True)
    )
    return _match_shapes(one, other, replace(policy, question=None))


def _pairs(expected: Reading, given: Reading) -> Iterator[tuple[Shape | None, Shape | None]]:
    """As they are; then with 70,110 as one number or as two on either side."""
    yield expected.shape, given.shape
    yield from itertools.islice(itertools.product(expected.shapes, given.shapes), 1, None)


def _same_text(expected: Reading, given: Reading, policy: Policy) -> bool:
    """Whether two texts differ only in what sets them: spaces, and for prose brackets, case, articles."""
    if expected.text.replace(" ", "") == given.text.replace(" ", ""):
        return expected.tightened == given.tightened
    set_as_text = "\\text" in expected.text or "\\text" in given.text
    if expected.is_mathematical and given.is_mathematical and not set_as_text:
        return False
    if expected.prose is None or given.prose is None:
        return False
    if policy.case == "kept":
        return expected.prose.strip(" .") == given.prose.strip(" .")
    return expected.folded == given.folded


def _without_value(shape: Shape) -> str | None:
    reasons = set(map(without_value, nodes(shape)))
    if "too large" in reasons:
        return "too large to evaluate"
    return _UNDEFINED if "undefined" in reasons else None


def _match_unread(expected: Reading, given: Reading) -> tuple[str, str]:
    """What the grammar does not read, or rigorous arithmetic does not decide: sympy, within its limits."""
    one, other = expected.shape, given.shape
    if one is None and other is None and expected.tokens is not None and expected.tokens == given.tokens:
        return "equal_text", ""
    if one is None and expected.has_open_braces:
        return "bad_reference", f"the braces of the reference do not match: {expected.text!r:.80}"
    if (one is None and expected.is_no_formula) or (other is None and given.is_no_formula):
        return "not_equal", "compared as text"
    problem = given.over_limit if other is None else _without_value(other)
    if problem:
        reason = "not_equal" if problem == _UNDEFINED else "over_limit"
        return reason, f"the answer: {problem}"
    problem = expected.over_limit if one is None else _without_value(one)
    if problem:
        reason = "bad_reference" if problem == _UNDEFINED else "reference_over_limit"
        return reason, f"the reference: {problem}"
    if not all(shape is None or isinstance(bare(shape), Value | Matrix) for shape in (one, other)):
        return "not_equal", "their parts were not shown to be equal"
    if problem := given.over_limit or expected.over_limit:
        return "undecided", f"rigorous arithmetic does not decide, and sympy is not asked: {problem}"
    return _match_in_worker(expected, given)


def _match_in_worker(expected: Reading, given: Reading) -> tuple[str, str]:
    """What sympy says, in a process that can be killed."""
    outcome = shared_pool().run("verifiers.maths.decide.symbolic:decide", (expected.text, given.text))
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
    if expected.shape is not None or not expected.is_mathematical:
        return "not_equal", "compared as text"
    return "bad_reference", f"the reference is not mathematics that can be read: {expected.text!r:.80}"
