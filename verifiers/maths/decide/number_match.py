"""Whether two cleaned answers are equal: plain numbers here, which most answers are, the rest in `stages`.

python-flint and the grammar are loaded for the rest alone.
"""

from __future__ import annotations

from ..read.formula_tree import Number
from ..read.plain_numbers import read_number
from ..read.shapes import Value
from .policy import DEFAULT, Policy

_LONG = 15
"""Digits from which a decimal may be what a computer rounded: see `values`."""


def match(wanted: str, given: str, policy: Policy = DEFAULT) -> tuple[str, str]:
    """The reason code of `MathEquivalence` for two cleaned answers, and a sentence for a person.

    Args:
        wanted: The reference.
        given: The answer.
        policy: What counts as the same.

    Raises:
        RuntimeError: No worker process can be started, or none works any more.
    """
    one = read_number(wanted)
    other = read_number(given) if one is not None else None
    if one is not None and other is not None and _plain(one) and _plain(other):
        if one.node == other.node:
            return ("equal_text" if wanted == given else "equal_rational"), ""
        exact = policy.decimals == "exact" and not policy.tolerance
        if exact and len(wanted) < _LONG and len(given) < _LONG:
            return "not_equal", "the numbers differ"
    from .answer_match import decide_texts

    return decide_texts(wanted, given, policy)


def _plain(value: Value) -> bool:
    return isinstance(value.node, Number) and not value.unit
