r"""A reference earns 1.0 in whatever it is wrapped: a box, a tag, a sentence, in dollars or in brackets."""

from __future__ import annotations

import functools

import pytest

from tests.support import FIXTURES, rows
from tests.timing import SOAK
from verifiers import MathEquivalence

REFERENCES = [
    text
    for text in dict.fromkeys(
        row["reference"]
        for row in rows(FIXTURES / "cases" / "math_equivalence.jsonl")
        if "spec" not in row and isinstance(row["reference"], str)
    )
    # What has marks or sentences of its own is found by these, and a price is no formula's end.
    if not any(mark in text for mark in ("####", "boxed", "$", "\n", "\\(", "answer"))
    and not text.rstrip().endswith((".", "…"))
]
IN_FORMULAS = (
    "The answer is ${}$.", "So the final answer is: ${}$", "**Answer:** ${}$",
    r"Therefore, the answer is \({}\).", "We add both.\n\nThe answer is:\n\\[\n{}.\n\\]\nThat is all.",
    "The answer is\n$${}$$", "The answer is ${}$. It could be checked; we do not.", "故答案为：${}$。",
    r"The final answer is $\boxed{{{}}}$.",
)  # fmt: skip
IN_TEXT = ("<answer>{}</answer>", "<answer>\n{}\n</answer>", "#### {}")


@functools.cache
def _usable() -> list[str]:
    verifier = MathEquivalence()
    return [text for text in REFERENCES if verifier.verify(f"\\boxed{{{text}}}", text).passed]


@pytest.mark.parametrize(("number", "wrapper"), [*enumerate(IN_FORMULAS + IN_TEXT)])
def test_a_reference_is_paid_in_every_wrapper(number: int, wrapper: str) -> None:
    """Whenever it is paid in a box, which says whether it is a reference at all; ``make soak`` tries all in each."""
    verifier = MathEquivalence()
    tried = _usable() if SOAK else _usable()[number % 3 :: 3]
    lost = [text for text in tried if not verifier.verify(wrapper.format(text), text).passed]
    assert not lost
