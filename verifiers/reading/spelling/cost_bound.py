"""A static bound on what evaluating a formula could cost, from its text alone.

`9^{9^{9^9}}` must be refused before any number is built: once a bigint power runs, it holds the GIL.
"""

from __future__ import annotations

import re

from ...formulas.cost_limits import (
    MAX_CELLS,
    MAX_EXPONENT,
    MAX_FACTORIAL,
    MAX_NESTING,
    MAX_RANGE,
    MAX_SYMBOLIC_CHARS,
    MAX_SYMBOLIC_DIGITS,
)
from ...runtime.patterns import lazy

_DIGIT_RUN = lazy(r"\d+")
_POWER = lazy(r"\^|\*\*")
# 2^{3} -> 8, innermost first, so that a small tower such as 2^{2^3} is seen to be small.
_SMALL_POWER = lazy(
    r"(?<![\w.^)}])(\d{1,5})\s*(?:\^|\*\*)\s*(?:\{\s*(\d{1,3})\s*\}|\(\s*(\d{1,3})\s*\)|(\d)(?!\d))(?!\s*(?:\^|\*\*))"
)
_FACTORIAL = lazy(r"((?<![\d\s])[\d\s]++|[)}\]!]|[a-zA-Z])\s*+!")
_BINOMIAL = lazy(r"\\[dt]?binom\s*\{?\s*(\d*)|\{\s*(\d+)\s*\\choose")
_RANGE = lazy(r"\\(?:sum|prod|int|iint|lim)(?![a-zA-Z])")
_LETTER = lazy(r"[a-zA-Z]")
_COMMAND = lazy(r"\\[a-zA-Z]+")
_MATRIX_POWER = lazy(r"\\end\s*\{[a-zA-Z]*(?:matrix|array)\}\s*+[)\]]?\s*+(?:\^|\*\*)")


def over_limit(text: str) -> str | None:
    r"""Why a formula is too expensive to evaluate; None when it is not.

    >>> over_limit("9^{9^{9^9}}")
    'a power in an exponent'
    >>> over_limit("2024^{4046}"), over_limit("e^{x^2}"), over_limit("2^{2^3}")
    (None, None, None)
    """
    if len(text) > MAX_SYMBOLIC_CHARS:
        return f"longer than {MAX_SYMBOLIC_CHARS} characters"
    if max(map(len, _DIGIT_RUN.findall(text)), default=0) > MAX_SYMBOLIC_DIGITS:
        return f"a number of more than {MAX_SYMBOLIC_DIGITS} digits"
    if _nesting(text) > MAX_NESTING:
        return f"brackets nested deeper than {MAX_NESTING}"
    if "&" in text and (text.count("&") + text.count(r"\\")) > MAX_CELLS:
        return f"a matrix of more than {MAX_CELLS} cells"
    if _MATRIX_POWER.search(text):
        return "a power of a matrix"
    return _powers(text) or _factorials(text) or _ranges(text)


def _nesting(text: str) -> int:
    depth = deepest = 0
    for char in text:
        if char in "({[":
            depth += 1
            deepest = max(deepest, depth)
        elif char in ")}]":
            depth -= 1
    return deepest


def _powers(text: str) -> str | None:
    for _ in range(MAX_NESTING):
        folded = _SMALL_POWER.sub(_fold, text)
        if folded == text:
            break
        text = folded
    for power in _POWER.finditer(text):
        exponent = _group(text, power.end())
        plain = _COMMAND.sub(" ", exponent)
        has_variable = _LETTER.search(plain) is not None
        if not has_variable and ("!" in plain or _POWER.search(plain)):
            return "a power in an exponent"
        if any(int(run) > MAX_EXPONENT for run in _DIGIT_RUN.findall(plain)):
            return f"an exponent above {MAX_EXPONENT}"
    return None


def _fold(match: re.Match[str]) -> str:
    base, exponent = int(match[1]), int(match[2] or match[3] or match[4])
    value = base**exponent if exponent <= 20 else MAX_EXPONENT + 1
    return str(value) if value <= MAX_EXPONENT else match.group()


def _group(text: str, start: int) -> str:
    """The exponent that begins at `start`: a bracketed group, or a run that a further power extends."""
    while start < len(text) and text[start].isspace():
        start += 1
    if start < len(text) and text[start] in "({":
        depth = 0
        for end in range(start, len(text)):
            if text[end] in "({[":
                depth += 1
            elif text[end] in ")}]":
                depth -= 1
                if depth == 0:
                    rest = text[end + 1 : end + 3].strip()
                    return text[start : end + 1] + ("^" if rest.startswith(("^", "**")) else "")
        return text[start:]
    run = re.compile(r"[-+]?(?:\d+|\\?[a-zA-Z]+)?(?:\s*(?:\^|\*\*|!))*").match(text, start)
    return run.group() if run else ""


def _factorials(text: str) -> str | None:
    for factorial in _FACTORIAL.finditer(text):
        argument = factorial.group(1).strip()
        if argument == "!":
            return "a factorial of a factorial"
        if argument.isdigit() and int(argument) > MAX_FACTORIAL:
            return f"a factorial above {MAX_FACTORIAL}"
        if argument in (")", "}", "]"):
            inner = text[_opening(text, factorial.start(1)) : factorial.start(1)]
            if "!" in inner or _POWER.search(inner):
                return "a factorial of a factorial or power"
            if any(int(run) > MAX_FACTORIAL for run in _DIGIT_RUN.findall(inner)):
                return f"a factorial above {MAX_FACTORIAL}"
    for binomial in _BINOMIAL.finditer(text):
        digits = binomial.group(1) or binomial.group(2)
        if not digits or int(digits) > MAX_FACTORIAL:
            return f"a binomial whose upper number is not below {MAX_FACTORIAL}"
    return None


def _opening(text: str, closing: int) -> int:
    depth = 0
    for position in range(closing, -1, -1):
        if text[position] in ")}]":
            depth += 1
        elif text[position] in "({[":
            depth -= 1
            if depth == 0:
                return position
    return 0


def _ranges(text: str) -> str | None:
    if not _RANGE.search(text):
        return None
    if len(_RANGE.findall(text)) > 2:
        return "more than two nested sums, products or integrals"
    if any(int(run) > MAX_RANGE for run in _DIGIT_RUN.findall(text)):
        return f"a sum or product beyond {MAX_RANGE} terms"
    return None
