"""Whether two answers are equal, cheapest stage first; each stage gives a reason and a sentence."""

from __future__ import annotations

import re

from .._pool import shared_pool
from .cost import over_limit
from .numbers import same_number, same_quantity
from .reading import Answer, read_answer

_COMMAND = re.compile(r"\\[a-zA-Z]+")
_WORD = re.compile(r"[A-Za-z]{3,}")
_NUMERIC_WORDS = frozenset(
    "sin cos tan sec csc cot arcsin arccos arctan asin acos atan sinh cosh tanh log exp sqrt cbrt root max min gcd "
    "lcm mod choose floor ceil abs deg degrees rad frac dfrac tfrac times cdot over inf infinity and text mathrm".split()
)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_BASE = re.compile(r"\d\s*_")


def match(wanted: Answer, given: Answer, strict: bool = False) -> tuple[str, str]:
    """The reason code of `MathEquivalence` for two answers, and a sentence for a person.

    Raises:
        RuntimeError: No worker process can be started, or none works any more.
    """
    if wanted.text == given.text:
        return "equal_text", ""
    if wanted.number is not None and given.number is not None:
        agree = same_quantity if strict else same_number
        same = agree(wanted.number, given.number)
        return ("equal_rational", "") if same else ("not_equal", "")
    if wanted.words is not None and given.words is not None:
        same = sorted(wanted.words.split(",")) == sorted(given.words.split(","))
        return ("equal_text", "") if same else ("not_equal", "")
    if (wanted.words is not None and given.number is not None) or (
        given.words is not None and wanted.number is not None and len(given.words) > 1
    ):
        return "not_equal", "one is a number, the other is words"
    if wanted.number is not None and given.items and given.brackets != "{}":
        return "several_answers", "the answer is a list and the reference is one number"
    if wanted.number is not None and given.number is None and not given.items and _holds_words(given.text):
        return "not_equal", "the reference is a number, and the answer holds words, a time or dots"
    if not strict:  # beside a set, 70,110 is two numbers
        wanted, given = _ungrouped(wanted, given), _ungrouped(given, wanted)
    if wanted.items and given.items:
        settled = _match_items(wanted, given, strict)
        if settled is not None:
            return settled
    return _match_symbolic(wanted.text, given.text, strict)


def _ungrouped(answer: Answer, other: Answer) -> Answer:
    grouped = other.brackets == "{}" and _GROUPED.fullmatch(answer.text)
    return read_answer(answer.text.replace(",", ", ")) if grouped else answer


def _holds_words(text: str) -> bool:
    """Whether a text holds words, a time or dots, so that it stands for no number: ``10 + John's age``.

    Models give such answers often, and sympy takes longer over one than all else over a thousand.
    """
    if ":" in text or "..." in text:
        return True
    return any(word.casefold() not in _NUMERIC_WORDS for word in _WORD.findall(_COMMAND.sub(" ", text)))


def _match_items(wanted: Answer, given: Answer, strict: bool) -> tuple[str, str] | None:
    """Compare two lists whose items are all numbers or words; None when sympy must."""
    if not all(item.number or item.words for item in (*wanted.items, *given.items)):
        return None
    if len(wanted.items) != len(given.items):
        return "not_equal", f"{len(given.items)} items where the reference has {len(wanted.items)}"
    brackets = {wanted.brackets, given.brackets}
    # A list without brackets may stand for a set or a point; no other two kinds agree.
    if len(brackets) > 1 and (strict or brackets not in ({"", "{}"}, {"", "()"})):
        return "not_equal", f"{given.brackets} where the reference has {wanted.brackets}"
    ordered = bool(brackets & {"()", "[]", "(]", "[)"})
    left = list(given.items)
    for index, item in enumerate(wanted.items):
        pool = left[:1] if ordered else left
        equal = next((each for each in pool if match(item, each, strict)[0].startswith("equal")), None)
        if equal is None:
            return "not_equal", f"item {index + 1} has no equal"
        left.remove(equal)
    return "equal_rational", ""


def _match_symbolic(expected: str, given: str, strict: bool) -> tuple[str, str]:
    if problem := over_limit(given):
        return "over_limit", f"the answer: {problem}"
    if problem := over_limit(expected):
        return "reference_over_limit", f"the reference: {problem}"
    if _BASE.search(expected) or _BASE.search(given):
        return "not_equal", "numerals with a base are compared as text"
    # They load python-flint, which exact numbers do without.
    from .decide import decide
    from .parts import compare

    decided = decide(expected, given) or compare(expected, given, strict)
    if decided is not None:
        return decided, ""
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
