"""Equality of two answers, cheapest stage first, each with its reason; options are matched here, too."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from ...formulas.answer_shapes import Hedge, Items, Matrix, Named, Relation, Shape, Value, bare
from ...formulas.cost_limits import HERE, Account, OverBudgetError
from ...formulas.formula_equality import is_equal
from ...formulas.formula_tree import is_finite, symbols
from ...reading.answer_readings import Reading
from ...reading.spelling import wording
from ...reading.spelling.cleaning import clean
from ...runtime.patterns import lazy
from ...units.quantities import without_remark
from .admissible import admissible_pairs, further_readings
from .allowances import with_marked_decimals
from .inquiries import Ask, Found, Inquiry, asked, note
from .integer_parameters import in_coordinates, renamed_parameters, same_numbers
from .names import is_solved_for_another
from .policy import DEFAULT, Policy
from .question_form import differ_by_question, in_asked_form, is_another, stated_value
from .reference_classes import UNDEFINED, problem_of, reference_class
from .shape_agreement import compare_shapes

_FEW = 10
"""Characters that letters of options have."""
_NAMED = lazy(r"[A-J]\s*[=:(_]")
"""Value with one of these letters for its name, and not for its option."""
_OTHER = ("not_equal", "another choice")


def match_options(
    expected: Reading, given: Reading, policy: Policy, compare: Callable[[Reading, Reading, Policy], Found]
) -> Found | None:
    """The verdict on two answers of which one has letters of options; None where letters decide nothing.

    ``B) 12`` is B, and it is 12; against another option with its letter, letter and text must agree.

    Args:
        expected: The reference.
        given: The answer.
        policy: Rules for equal answers.
        compare: Rule for texts without letters.
    """
    if policy.options == "as_written":
        return None
    if len(expected.text) <= _FEW or len(given.text) <= _FEW:
        for short, other in ((expected, given), (given, expected)):
            if short.letter_run and other.letter_list:
                same = short.letter_run == other.letter_list
                return ("equal_text", "") if same else ("not_equal", "other choices")
    one, other_option = expected.option, given.option
    if one and other_option:
        if one[0] != other_option[0]:
            return _OTHER
        return compare(one[1], other_option[1], policy)
    for short, other in ((expected, given), (given, expected)):
        letter = other.option[0] if other.option else other.chosen_letter
        if short.lone_letter and letter:
            return ("equal_text", "") if short.lone_letter == letter else _OTHER
    if other_option and not _NAMED.match(expected.text):
        verdict = compare(expected, other_option[1], policy)
        return verdict if isinstance(verdict, Inquiry) or is_equal(verdict[0]) else None
    if one and not _NAMED.match(given.text):
        return compare(one[1], given, policy)
    return None


_SEVERAL = "the answer gives several values and the reference one"


def match(expected: Reading, given: Reading, policy: Policy = DEFAULT, ask: Ask = asked) -> tuple[str, str]:
    """The reason code of `MathEquivalence` for two answers, and a sentence for a person.

    A reference that is unusable is so for every answer, and any other is for none.

    Args:
        expected: The reference.
        given: The answer.
        policy: Rules for equal answers.
        ask: Answers questions that are too heavy for this process; by default, a worker.

    Raises:
        RuntimeError: No worker process can be started, or none works any more.

    >>> match(Reading("0.5"), Reading("1/2"))
    ('equal_rational', '')
    """
    # Plain numbers, which most answers are, take neither the grammar nor python-flint.
    if (one := expected.number) is not None and (other := given.number) is not None:
        if one == other:
            return ("equal_text" if expected.text == given.text else "equal_rational"), ""
        rounds = policy.reference_decimals == "rounded" and "." in expected.text and not is_finite(other)
        if policy.decimals == "exact" and not (
            policy.tolerance or rounds or expected.is_long or given.is_long
        ):
            return "not_equal", "the numbers differ"
    about = reference_class(expected)
    if about.kind == "unusable":
        return about.reason, about.detail
    try:
        found = Account(HERE).run(judged, expected, given, policy)
    except OverBudgetError:
        found = Inquiry(expected.text, given.text, policy)
    if not isinstance(found, Inquiry):
        if found[0] == "proved_unequal" and (expected.is_rounded or given.is_rounded):
            return "not_equal", "one of them says that it is only about that"
        return found
    return ("not_equal", "compared as text") if about.kind == "text only" else ask(found)


def judged(expected: Reading, given: Reading, policy: Policy) -> Found:
    """Compare by grammar and rigorous arithmetic; return their finding, or the question left to sympy.

    Raises:
        OverBudgetError: It is more work than is allowed.
    """
    found = _match_readings(expected, given, policy)
    if policy.customs == "assumed" and (isinstance(found, Inquiry) or not is_equal(found[0])):
        one, other = expected.chemical, given.chemical
        if one is not None and one == other:
            return "equal_text", ""
        if one is not None and other is not None and isinstance(found, Inquiry):
            return "not_equal", "another chemical formula"
    if policy.commas == "shown" and not isinstance(found, Inquiry) and not is_equal(found[0]):
        return _match_commas(expected, given, policy) or found
    return found


def _match_readings(expected: Reading, given: Reading, policy: Policy) -> Found:
    """Equal under all readings of the texts that are open, or the first that says otherwise."""
    pairs = admissible_pairs(expected, given, policy.question)
    found = [_match_shapes(*pair, policy) for pair in pairs]
    equal = [each for each in found if not isinstance(each, Inquiry) and is_equal(each[0])]
    if len(equal) == len(found) or len(found) == 1:
        return found[0]
    if equal:
        return "not_equal", "equal under one reading of C_n^k, and not under the other"
    return found[0]


def _match_commas(expected: Reading, given: Reading, policy: Policy) -> Found | None:
    """Equal, if a comma is a decimal one where the reference writes a point; else None."""
    for comma, point, sure in ((given, expected, True), (expected, given, expected.has_sure_comma)):
        if sure and point.shows_point and comma.with_points is not None:
            pair = (point, comma.with_points) if comma is given else (comma.with_points, point)
            found = _match_shapes(*pair, policy)
            return found if isinstance(found, Inquiry) or is_equal(found[0]) else None
    return None


def _match_shapes(expected: Reading, given: Reading, policy: Policy) -> Found:
    if expected.text == given.text:
        return "equal_text", ""
    one, other = expected.shape, given.shape
    if isinstance(other, Hedge):
        return "several_answers", other.problem
    question = policy.question
    if (
        question is not None
        and other is not None
        and not isinstance(one, Named)
        and is_another(other, question)
    ):
        return "not_equal", f"the question asks for {question.asked}"
    if (
        question is not None
        and one is not None
        and other is not None
        and differ_by_question(one, other, question)
    ):
        return "not_equal", "the question tells the two names apart"
    if _same_text(expected, given, policy):
        return "equal_text", ""
    if question is not None and _misnames(expected, given, policy, question.options):
        return "not_equal", "the question has another text beside this letter"
    if (choice := match_options(expected, given, policy, _match_shapes)) is not None:
        return choice
    if question is not None:
        found = _by_options(expected, given, policy, question.options)
        if found is not None:
            return found
    first_reason: str | None = None
    pairs = _pairs(expected, given) if policy.customs == "assumed" else [(one, other)]
    for place, (left, right) in enumerate(pairs):
        if left is None or right is None:
            continue
        pair = _unremarked(left, right, policy), right
        if question is not None:
            pair = in_asked_form(pair[0], question), in_asked_form(pair[1], question)
        reason = _compared(*pair, policy)
        if is_equal(reason) and policy.case == "kept" and _differs_in_case(expected, given):
            return "not_equal", "the case of the letters differs"
        if is_equal(reason) and policy.names == "compared" and is_solved_for_another(*pair):
            return "not_equal", "the reference is solved for another unknown"
        if is_equal(reason):
            refuted = _otherwise(*pair, policy)
            return (reason, "") if not refuted else ("not_equal", f"not equal where {refuted}")
        first_reason = reason if place == 0 else first_reason
    if policy.reference_decimals == "rounded" and one is not None and other is not None:
        rounded = with_marked_decimals(one, expected.text)
        if rounded is not None and is_equal(reason := compare_shapes(rounded, other, policy)):
            return reason, ""
    if (reason := _as_stated(expected, given, policy)) is not None:
        return reason, ""
    if first_reason is None or one is None or other is None:
        return _match_unread(expected, given, policy)
    if isinstance(bare(one), Value) and isinstance(several := bare(other), Items) and len(several.items) > 1:
        return "several_answers", _SEVERAL
    return first_reason, ""


def _as_stated(expected: Reading, given: Reading, policy: Policy) -> str | None:
    """The reason why an equation on one side says the number on the other; None where it does not."""
    one, other = expected.shape, given.shape
    if policy.names == "dropped" or one is None or other is None:
        return None
    for shape, text, plain, is_reference in (
        (other, given.text, one, False),
        (one, expected.text, other, True),
    ):
        if (
            not isinstance(inner := bare(plain), Value)
            or symbols(inner.node)
            or not isinstance(shape, Relation)
        ):
            continue
        value = stated_value(shape, text, policy.question, is_reference)
        if value is not None and is_equal(reason := _compared(inner, value, policy)):
            return reason
    return None


def _otherwise(one: Shape, other: Shape, policy: Policy) -> str:
    """The reading under which a pair is not equal; "" where it is under all that are open."""
    if policy.customs == "none":
        return ""
    for said, pair in further_readings(one, other, policy.question):
        if not is_equal(_compared(*pair, policy)):
            return said
    return ""


def _unremarked(one: Shape, other: Shape, policy: Policy) -> Shape:
    """A reference without a remark that an answer need not repeat. Answers may have none of their own."""
    if policy.units == "optional" and isinstance(one, Value) and isinstance(other, Value) and not other.unit:
        return Value(one.node, without_remark(one.unit))
    return one


def _differs_in_case(expected: Reading, given: Reading) -> bool:
    """Return whether two texts are the same words except for their capitals."""
    one, other = ((each.prose or "").strip(" .") for each in (expected, given))
    return one != other and one.casefold() == other.casefold()


def _compared(one: Shape, other: Shape, policy: Policy) -> str | None:
    """The reason code for two shapes; by custom vectors have coordinates, and letters may be integers."""
    if policy.customs == "none":
        return compare_shapes(one, other, policy)
    one, other = in_coordinates(one, other), in_coordinates(other, one)
    reason = compare_shapes(one, other, policy)
    if is_equal(reason):
        return reason
    if same_numbers(one, other):
        return note(one, other, policy, "equal_shape")
    for each in renamed_parameters(one, other, policy.question):
        reason = "not_equal"
        if is_equal(again := compare_shapes(each, other, policy)):
            return again
    return reason


def _misnames(expected: Reading, given: Reading, policy: Policy, options: Mapping[str, str]) -> bool:
    """Return whether an answer gives another option's text with its letter: C) 12 where B) is 12."""
    if given.option is None or expected.option is not None or expected.lone_letter:
        return False
    text = options.get(given.option[0].upper())
    if text is None:
        return False
    found = _match_shapes(expected, Reading(clean(text)), replace(policy, question=None))
    return not isinstance(found, Inquiry) and not is_equal(found[0])


def _by_options(
    expected: Reading, given: Reading, policy: Policy, options: Mapping[str, str]
) -> Found | None:
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
    """Return whether two texts differ only in setting: spaces, and for prose brackets, case, articles."""
    if expected.text.replace(" ", "") == given.text.replace(" ", ""):
        return expected.tightened == given.tightened
    set_as_text = "\\text" in expected.text or "\\text" in given.text
    if expected.is_mathematical and given.is_mathematical and not set_as_text:
        return False
    if expected.prose is None or given.prose is None:
        return False
    if policy.case == "kept" or policy.customs == "none" or not (expected.is_word and given.is_word):
        return expected.prose.strip(" .") == given.prose.strip(" .")
    return expected.folded == given.folded


def _match_unread(expected: Reading, given: Reading, policy: Policy) -> Found:
    """Compare by sympy, within its limits, what grammar and rigorous arithmetic leave undecided."""
    one, other = expected.shape, given.shape
    if (
        one is None
        and other is None
        and (
            (expected.tokens is not None and expected.tokens == given.tokens)
            or wording.without_idle_spaces(expected.unset) == wording.without_idle_spaces(given.unset)
        )
    ):
        return "equal_text", ""
    if (one is None and expected.is_no_formula) or (other is None and given.is_no_formula):
        return "not_equal", "compared as text"
    problem = given.over_limit if other is None else problem_of(other)
    if problem:
        return "not_equal" if problem == UNDEFINED else "over_limit", f"the answer: {problem}"
    problem = None if one is None else problem_of(one)
    if problem:
        return "undecided", f"the reference: {problem}"
    if not all(shape is None or isinstance(bare(shape), Value | Matrix) for shape in (one, other)):
        return "not_equal", "their parts were not shown to be equal"
    if problem := given.over_limit:
        return "over_limit", f"rigorous arithmetic does not decide, and sympy is not asked: {problem}"
    if problem := expected.over_limit:
        return "undecided", f"rigorous arithmetic does not decide, and sympy is not asked: {problem}"
    return Inquiry(expected.text, given.text, policy)
