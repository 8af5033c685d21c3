"""Comparing what a program printed with what it should have printed, by the rule of a data set or a user."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal

MODES = ("trailing", "exact", "tokens", "floats", "unordered_lines", "lines", "numeric_lines")
"""The rules; see `same_output`."""
_NUMBER = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_THREE_PLACES = re.compile(r"[+-]?[0-9]*\.[0-9]{3}")
_SHOWN = 60
_MAX_DIGITS = 4000
"""Longer numbers are compared as text; Python refuses to read them."""
_NEAR_ZERO = 1e-8
"""The absolute tolerance of ``numpy.allclose``."""


def same_output(output: bytes, expected: str, mode: str, tolerance: float) -> bool:
    """Whether a program printed what it should.

    Args:
        output: Standard output.
        expected: What it should be.
        mode: "exact"; "trailing" (white space at the ends of lines and of the text does not count);
            "tokens" (no white space counts but as a separator); "floats" (tokens, and those that are
            expected as decimal fractions may differ by `tolerance`, absolute or relative);
            "unordered_lines" (lines in any order, each as often); "lines" (LiveCodeBench: line by line, white
            space at their ends aside; a line of numbers by its values); or "numeric_lines" (APPS: lines that
            are not blank, token by token; an expected decimal fraction may differ by `tolerance` of its size,
            or in what follows its third place where it is written to three).
        tolerance: For "floats" and "numeric_lines".

    >>> same_output(b"1 2 \\n", "1 2", "trailing", 0)
    True
    >>> same_output(b"0.33333334\\n", "0.333333333", "floats", 1e-6)
    True
    """
    if mode == "exact":
        return output == expected.encode("utf-8", "surrogatepass")
    text = output.decode("utf-8", "surrogateescape")
    if mode == "trailing":
        return _lines(text) == _lines(expected)
    if mode == "unordered_lines":
        return Counter(filter(None, _lines(text))) == Counter(filter(None, _lines(expected)))
    if mode == "lines":
        return _pairwise(_stripped(text), _stripped(expected), _same_line)
    if mode == "numeric_lines":
        said_lines, wanted_lines = (list(filter(None, _stripped(each))) for each in (text, expected))
        return _pairwise(
            said_lines,
            wanted_lines,
            lambda one, other: _pairwise(one.split(), other.split(), lambda a, b: _near(a, b, tolerance)),
        )
    said, wanted = text.split(), expected.split()
    if mode == "tokens":
        return said == wanted
    return _pairwise(said, wanted, lambda one, other: _same_number(one, other, tolerance))


def difference(output: bytes, expected: str) -> str:
    """The first line in which an output differs, for a person."""
    said, wanted = _lines(output.decode("utf-8", "backslashreplace")), _lines(expected)
    if not said:
        return f"expected {_short(wanted[0] if wanted else '')}, got no output"
    for number, (one, other) in enumerate(zip(said, wanted, strict=False), 1):
        if one != other:
            return f"line {number}: expected {_short(other)}, got {_short(one)}"
    if len(said) != len(wanted):
        return f"expected {len(wanted)} lines, got {len(said)}"
    return f"expected {_short(expected)}, got {_short(output.decode('utf-8', 'backslashreplace'))}"


def _pairwise(said: list[str], wanted: list[str], same: Callable[[str, str], bool]) -> bool:
    return len(said) == len(wanted) and all(
        one == other or same(one, other) for one, other in zip(said, wanted, strict=True)
    )


def _same_line(said: str, wanted: str) -> bool:
    """Whether two lines hold the same numbers, however they are written."""
    return _pairwise(
        said.split(),
        wanted.split(),
        lambda one, other: _are_numbers(one, other) and Decimal(one) == Decimal(other),
    ) and all(_are_numbers(each, each) for each in wanted.split())


def _near(said: str, wanted: str, tolerance: float) -> bool:
    if not _are_numbers(said, wanted):
        return False
    if _INTEGER.fullmatch(wanted):
        return _same_number(said, wanted, 0.0)
    one, other = float(said), float(wanted)
    if not (math.isfinite(one) and math.isfinite(other)):
        return False
    if abs(one - other) <= _NEAR_ZERO + tolerance * abs(other):
        return True
    return bool(_THREE_PLACES.fullmatch(wanted)) and round(one, 3) == round(other, 3)


def _same_number(said: str, wanted: str, tolerance: float) -> bool:
    if not _are_numbers(said, wanted):
        return False
    if _INTEGER.fullmatch(wanted):
        # An integer is meant exactly: a relative tolerance would pass 10^18 + 1 for 10^18.
        return math.isfinite(float(said)) and Decimal(said) == int(wanted)
    # 1e400 and 1e500 are both read as infinity.
    return math.isfinite(float(wanted)) and math.isclose(
        float(said), float(wanted), rel_tol=tolerance, abs_tol=tolerance
    )


def _are_numbers(said: str, wanted: str) -> bool:
    return max(len(said), len(wanted)) <= _MAX_DIGITS and bool(
        _NUMBER.fullmatch(said) and _NUMBER.fullmatch(wanted)
    )


def _stripped(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def _lines(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
