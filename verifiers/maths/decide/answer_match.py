"""Deciding about two answers that are more than plain numbers, cheapest stage first; each gives a reason."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from ...runtime.pool import shared_pool
from ..read.brackets import words_of
from ..read.shapes import Hedge, Items, Matrix, Shape, Value, bare, nodes
from ..read.statements import GROUPED, read
from ..text.cost_bound import over_limit
from ..text.tokens import UnreadableError, tokens
from .balls import without_value
from .policy import Policy
from .shape_agreement import compare_shapes

_COMMAND = re.compile(r"\\[a-zA-Z]+")
_WORD = re.compile(r"[^\W\d_]{3,}|[^\W\d_a-zA-Z]+")
_NUMERIC_WORDS = frozenset(
    """
    sin cos tan sec csc cot arcsin arccos arctan asin acos atan sinh cosh tanh log exp sqrt cbrt root max min
    gcd lcm mod choose floor ceil abs deg degrees rad frac dfrac tfrac times cdot inf infinity and text
    mathrm
    """.split()
)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{[a-zA-Z*]*\}")
_MARKUP = re.compile(r"\\(?:text(?:bf|it|rm|normal)?|mathrm|mbox)\s*(?=\{)|[{}$]|\\[,;:! ]")
_MATHEMATICAL = re.compile(r"[\d\\^=<>+*/_|]")
_PROSE = re.compile(r"[\s\"]*[^\W\d_]{2,}(?:[\s'\-]+[^\W\d_]+)*[\s.\"]*")
_FREE_SPACE = re.compile(r"\s+(?![0-9A-Za-z])|(?<![0-9A-Za-z,])\s+|(?<=,)\s+(?!\d)")
_NO_VALUE = re.compile(
    r":|\d\s*_|\.\.\.|…|\\(?:[lc]?dots|forall|exists|Rightarrow|implies|to|subset|text\s*\{)|\$"
)
"""Times, dots, statements, text, intervals: nothing that a formula parser makes a value of."""
_FOREIGN = re.compile(r"[?#@\"'`~;]|[^\x00-\x7f]")
_UNDEFINED = "it has no value, as a division by zero has none"
_CHOICE = re.compile(r"\(?[A-J]\)?")
# "(B) 12" and "Option B" choose B, if no other letter is offered as well.
_CHOSEN = re.compile(
    r"(?:\\text(?:bf)?\s*\{\s*)?(?:\(([A-J])\)(?!.*\([A-J]\)).{1,40}"
    r"|(?:option|choice|answer)\s*:?\s*\(?([A-J])\)?)\s*\}?",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"\\text(?:bf)?\s*\{\s*\([A-J]\)\s*\}\s*([^\s(].{0,200})")
_BY_ZERO = re.compile(r"/\s*0(?![.\d])|\{\s*0\s*\}")
_FEW = 10  # characters that letters of options have
_LETTERS, _LETTER_LIST = re.compile("[A-J]{2,8}"), re.compile(r"\(?[A-J]\)?(?:\s*,\s*\(?[A-J]\)?)+")
_SEVERAL = "the answer gives several values and the reference one"


def decide_texts(wanted: str, given: str, policy: Policy) -> tuple[str, str]:
    """The reason code of `MathEquivalence` for two cleaned answers, and a sentence for a person.

    Args:
        wanted: The reference.
        given: The answer.
        policy: What counts as the same.

    Raises:
        RuntimeError: No worker process can be started, or none works any more.
    """
    if wanted == given:
        shape = read(given) if _BY_ZERO.search(given) else None
        if shape is not None and _without_value(shape):
            return "bad_reference", f"the reference: {_UNDEFINED}"
        return "equal_text", ""
    one, other = read(wanted), read(given)
    if isinstance(other, Hedge):
        return "several_answers", other.problem
    if _same_text(wanted, given, policy):
        return "equal_text", ""
    choice = _choices(wanted, given) if _may_be_choices(wanted, given) else None
    if choice is not None:
        return choice
    if text := _behind_letter(wanted, given):
        return decide_texts(*text, policy)
    if isinstance(one, Hedge):
        return "bad_reference", f"the reference contradicts itself: {one.problem}"
    first_reason: str | None = None
    for place, (left, right) in enumerate(_readings(wanted, given)):
        if left is None or right is None:
            continue
        reason = compare_shapes(left, right, policy)
        if reason is not None and reason.startswith("equal_"):
            return reason, ""
        first_reason = reason if place == 0 else first_reason
    if first_reason is None or one is None or other is None:
        return _unread(wanted, given, one, other)
    if isinstance(bare(one), Value) and isinstance(several := bare(other), Items) and len(several.items) > 1:
        return "several_answers", _SEVERAL
    return first_reason, ""


def _may_be_choices(wanted: str, given: str) -> bool:
    return len(wanted) <= _FEW or len(given) <= _FEW


def _choices(wanted: str, given: str) -> tuple[str, str] | None:
    """Letters of options: ``B`` and "(B) 12", ``ACD`` and "A, C, D"; None for anything else."""
    for letter, text in ((wanted, given), (given, wanted)):
        if _LETTERS.fullmatch(letter) and _LETTER_LIST.fullmatch(text):
            same_letters = sorted(letter) == sorted(re.findall("[A-J]", text))
            return ("equal_text", "") if same_letters else ("not_equal", "other choices")
        if _CHOICE.fullmatch(letter) and (chosen := _CHOSEN.fullmatch(text)) is not None:
            same_choice = (chosen[1] or chosen[2] or "").casefold() == letter.strip("()").casefold()
            return ("equal_text", "") if same_choice else ("not_equal", "another choice")
    return None


def _behind_letter(wanted: str, given: str) -> tuple[str, str] | None:
    """Both texts without the letter of an option before one of them: "(A) 5" is 5."""
    for place, text in enumerate((wanted, given)):
        if text.startswith("\\text") and (lettered := _LETTERED.fullmatch(text)) is not None:
            return (lettered[1], given) if place == 0 else (wanted, lettered[1])
    return None


def _readings(wanted: str, given: str) -> Iterator[tuple[Shape | None, Shape | None]]:
    """As they stand; then with 70,110 as one number or as two on either side."""
    yield read(wanted), read(given)
    # (1,200) is no number: the reading that joins within brackets is for what cannot be read otherwise.
    ways = [
        [read(text), *([read(text, "nowhere")] if GROUPED.search(text) else [])] for text in (wanted, given)
    ]
    yield from list(itertools.product(ways[0], ways[1]))[1:]


def _same_text(wanted: str, given: str, policy: Policy) -> bool:
    """Whether two texts differ only in what sets them: spaces, and for prose brackets, case, articles."""
    if wanted.replace(" ", "") == given.replace(" ", ""):
        # 1 2 is not 12, but x + 1 is x+1.
        return _FREE_SPACE.sub("", wanted) == _FREE_SPACE.sub("", given)
    if _MATHEMATICAL.search(wanted) and _MATHEMATICAL.search(given) and "\\text" not in wanted + given:
        return False
    one, other = _MARKUP.sub("", wanted), _MARKUP.sub("", given)
    # -x and n! are no prose: whatever is dropped from prose could mean something in a formula.
    if not (_PROSE.fullmatch(one) and _PROSE.fullmatch(other)):
        return False
    return one.strip(" .") == other.strip(" .") if policy.case == "kept" else words_of(one) == words_of(other)


def _same_tokens(wanted: str, given: str) -> bool:
    """Whether two texts that no grammar reads are written with the same signs: a statement of logic, say."""
    try:
        return tokens(wanted) == tokens(given)
    except UnreadableError:
        return False


def _is_no_formula(text: str) -> bool:
    """Whether a text holds words, a time, dots or an interval: ``10 + John's age`` is nothing for sympy.

    Models give such answers often, and sympy takes longer over one than all else over a thousand.
    """
    if "\\lim" not in text and _NO_VALUE.search(text):
        return True
    if not _paired(text):
        return True
    plain = _COMMAND.sub(" ", _ENVIRONMENT.sub(" ", text))
    if not any(map(str.isalnum, plain)) or _FOREIGN.search(plain):
        return True
    return any(word.casefold() not in _NUMERIC_WORDS for word in _WORD.findall(plain))


def _paired(text: str) -> bool:
    """Whether every bracket is closed by its like."""
    open_ones: list[str] = []
    for char in text:
        if char in "([{":
            open_ones.append(char)
        elif char in ")]}" and (not open_ones or open_ones.pop() + char not in ("()", "[]", "{}")):
            return False
    return not open_ones


def _without_value(shape: Shape) -> str | None:
    reasons = set(map(without_value, nodes(shape)))
    if "too large" in reasons:
        return "too large to evaluate"
    return _UNDEFINED if "undefined" in reasons else None


def _unread(wanted: str, given: str, one: Shape | None, other: Shape | None) -> tuple[str, str]:
    """What the grammar does not read, or rigorous arithmetic does not decide: sympy, within its limits."""
    if one is None and other is None and _same_tokens(wanted, given):
        return "equal_text", ""
    if one is None and wanted.count("{") != wanted.count("}"):
        return "bad_reference", f"the braces of the reference do not match: {wanted!r:.80}"
    if (one is None and _is_no_formula(wanted)) or (other is None and _is_no_formula(given)):
        return "not_equal", "compared as text"
    problem = over_limit(given) if other is None else _without_value(other)
    if problem:
        reason = "not_equal" if problem == _UNDEFINED else "over_limit"
        return reason, f"the answer: {problem}"
    problem = over_limit(wanted) if one is None else _without_value(one)
    if problem:
        reason = "bad_reference" if problem == _UNDEFINED else "reference_over_limit"
        return reason, f"the reference: {problem}"
    if not all(shape is None or isinstance(bare(shape), Value | Matrix) for shape in (one, other)):
        return "not_equal", "their parts were not shown to be equal"
    if problem := over_limit(given) or over_limit(wanted):
        return "undecided", f"rigorous arithmetic does not decide, and sympy is not asked: {problem}"
    outcome = shared_pool().run("verifiers.maths.decide.symbolic:decide", (wanted, given))
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
    if one is not None or not _MATHEMATICAL.search(wanted):
        return "not_equal", "compared as text"
    return "bad_reference", f"the reference is not mathematics that can be read: {wanted!r:.80}"
