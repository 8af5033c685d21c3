"""Whether two answers are equal, cheapest stage first; each gives a reason."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ..formulas.ball_comparison import without_value
from ..formulas.formula_equality import is_equal
from ..formulas.meter import HERE, OverBudgetError, budget
from ..formulas.shapes import Hedge, Items, Matrix, Shape, Value, bare, nodes
from ..read.readings import Reading
from .policy import DEFAULT, Policy
from .questions import Ask, Question, asked
from .shape_agreement import compare_shapes

_LONG = 15
"""Digits from which a decimal may be what a computer rounded: see `values`."""
_FEW = 10
"""Characters that letters of options have."""
_UNDEFINED = "it has no value, as a division by zero has none"
_SEVERAL = "the answer gives several values and the reference one"


def match(
    expected: Reading,
    given: Reading,
    policy: Policy = DEFAULT,
    ask: Ask = asked,
) -> tuple[str, str]:
    """The reason code of `MathEquivalence` for two answers, and a sentence for a person.

    Args:
        expected: The reference.
        given: The answer.
        policy: What counts as the same.
        ask: What settles a question that is too much for this process; by default, a worker.

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
        if exact and len(expected.text) < _LONG and len(given.text) < _LONG:
            return "not_equal", "the numbers differ"
    try:
        with budget(HERE):
            found = judged(expected, given, policy)
    except OverBudgetError:
        found = Question(expected.text, given.text, policy)
    return ask(found) if isinstance(found, Question) else found


def judged(expected: Reading, given: Reading, policy: Policy) -> tuple[str, str] | Question:
    """What the grammar and rigorous arithmetic find, or the question that they leave to sympy.

    Args:
        expected: The reference.
        given: The answer.
        policy: What counts as the same.

    Raises:
        OverBudgetError: It is more work than is allowed.
    """
    if expected.text == given.text:
        shape = given.shape if given.may_divide_by_zero else None
        if shape is not None and _without_value(shape):
            return "bad_reference", f"the reference: {_UNDEFINED}"
        return "equal_text", ""
    one, other = expected.shape, given.shape
    if isinstance(other, Hedge):
        return "several_answers", other.problem
    if _same_text(expected, given, policy):
        return "equal_text", ""
    if (choice := _choices(expected, given)) is not None:
        return choice
    if expected.behind_letter is not None:
        return judged(expected.behind_letter, given, policy)
    if given.behind_letter is not None:
        return judged(expected, given.behind_letter, policy)
    if isinstance(one, Hedge):
        return "bad_reference", f"the reference contradicts itself: {one.problem}"
    first_reason: str | None = None
    for place, (left, right) in enumerate(_pairs(expected, given)):
        if left is None or right is None:
            continue
        reason = compare_shapes(left, right, policy)
        if is_equal(reason):
            return reason, ""
        first_reason = reason if place == 0 else first_reason
    if first_reason is None or one is None or other is None:
        return _match_unread(expected, given, policy)
    if isinstance(bare(one), Value) and isinstance(several := bare(other), Items) and len(several.items) > 1:
        return "several_answers", _SEVERAL
    return first_reason, ""


def _choices(expected: Reading, given: Reading) -> tuple[str, str] | None:
    """Letters of options: ``B`` and "(B) 12", ``ACD`` and "A, C, D"; None for anything else."""
    if len(expected.text) > _FEW and len(given.text) > _FEW:
        return None
    for short, other in ((expected, given), (given, expected)):
        if short.letter_run and other.letter_list:
            same_letters = short.letter_run == other.letter_list
            return ("equal_text", "") if same_letters else ("not_equal", "other choices")
        if short.lone_letter and other.chosen_letter:
            same_choice = short.lone_letter == other.chosen_letter
            return ("equal_text", "") if same_choice else ("not_equal", "another choice")
    return None


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


def _match_unread(expected: Reading, given: Reading, policy: Policy) -> tuple[str, str] | Question:
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
    if problem := given.over_limit:
        return "over_limit", f"rigorous arithmetic does not decide, and sympy is not asked: {problem}"
    if problem := expected.over_limit:
        return "undecided", f"rigorous arithmetic does not decide, and sympy is not asked: {problem}"
    return Question(expected.text, given.text, policy)
