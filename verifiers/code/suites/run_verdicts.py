"""Verdicts on one run and on a group of them: passed, or the fault.

What a program printed is compared by the rule of a data set or a user. Values are compared in the calling
process, on bytes and JSON data: answers are walked alongside the expected value, no method of theirs is
called and no hash table is built from keys that a program chose. Only single numbers, keys and short texts
are decoded, within the limits below.
"""

from __future__ import annotations

import cmath
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from typing import Any

from ...core.verdicts import Status, Verdict
from ..engine.protocol import Cause, Run
from ..jail.codec import decode, encode
from .spec import StdioTest

MODES = ("trailing", "exact", "tokens", "floats", "unordered_lines", "lines", "numeric_lines")
"""The rules; see `same_output`."""
_NUMBER = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_THREE_PLACES = re.compile(r"[+-]?[0-9]*\.[0-9]{3}")
_MAX_DIGITS = 4000
"""Longer numbers are compared as text; Python refuses to read them."""
_NEAR_ZERO = 1e-8
"""The absolute tolerance of ``numpy.allclose``."""


def same_output(output: bytes, expected: str, mode: str, tolerance: float) -> bool:
    """Return whether a program printed the expected output.

    Args:
        output: Standard output.
        expected: Expected value.
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
    """Return whether two lines hold the same numbers, in any notation."""
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
    return repr(_cut(text))


_SHOWN = 60
_SHOWN_SIZE = 2000
_SHORT = 200
"""Characters of a decimal or a fraction that is read; no test expects a longer one."""
_MAX_KEY_DEPTH = 20
_MAX_FROZEN = 1000
"""Members of a frozen set inside a set that an answer may have: below it, colliding hashes cost nothing."""


def same_value(
    answer: Any, expected: Any, *, json_types: bool, tolerance: float, exact_integers: bool = True
) -> bool:
    """Return whether a function gave the expected answer. Never raises, whatever the answer.

    Types count: "1" is not 1, and a tuple is not a list; 1 and 1.0 are one number.

    Args:
        answer: As `jail.codec.encode` wrote it, or as a program forged it.
        expected: A value that `encode` accepts.
        json_types: `expected` was written as JSON, which has no tuples and no keys but strings: a tuple is
            as good as a list, and a key of 1 as good as "1". True is not 1 then; in Python, whose rules hold
            otherwise, it is.
        tolerance: By which an answer may differ, absolute or relative, where a float or a complex number is
            expected.
        exact_integers: Whether an expected integer is meant exactly all the same.

    >>> same_value({"t": [1, 2]}, [1, 2], json_types=True, tolerance=0)
    True
    >>> same_value(True, 1, json_types=True, tolerance=0)
    False
    """
    try:
        return _Comparison(json_types, tolerance, exact_integers).same(answer, expected)
    except Exception:
        # Forged data may fail in any way that an operation on it can; an honest answer fails in none.
        return False


@dataclass(frozen=True)
class _Comparison:
    """The rules of one comparison; see `same_value`."""

    json_types: bool
    tolerance: float
    exact_integers: bool

    def same(self, answer: Any, expected: Any) -> bool:
        if expected is None or isinstance(expected, str):
            return type(answer) is type(expected) and bool(answer == expected)
        if isinstance(expected, Number):
            if self.json_types and isinstance(expected, bool) != isinstance(answer, bool):
                return False
            return self._number(answer, expected)
        if isinstance(expected, list | tuple):
            items = self._sequence(answer, expected)
            return (
                items is not None
                and len(items) == len(expected)
                and all(self.same(one, other) for one, other in zip(items, expected, strict=True))
            )
        if isinstance(expected, dict):
            return self._dictionary(answer, expected)
        if isinstance(expected, set | frozenset):
            return _same_set(answer, expected)
        return bool(answer == encode(expected))

    def _number(self, answer: Any, expected: Any) -> bool:
        """Python's rule over all its kinds of numbers, so that 0 is 0j and 0.5 is a fraction's half."""
        if isinstance(answer, dict):
            if answer == encode(expected):
                return True  # not a number is itself here; and a long fraction is not reduced
            answer = _tagged_number(answer, plain=self.json_types)
        if isinstance(answer, Number) and answer == expected:
            return True
        exact = Decimal | Fraction | int if self.exact_integers else Decimal | Fraction
        near = int | float | complex if isinstance(expected, complex) else int | float
        if not isinstance(answer, near) or isinstance(expected, exact):
            return False
        return cmath.isclose(answer, expected, rel_tol=self.tolerance, abs_tol=self.tolerance)

    def _sequence(self, answer: Any, expected: list[Any] | tuple[Any, ...]) -> list[Any] | None:
        tuples = answer.get("t") if isinstance(answer, dict) else None
        if self.json_types:
            items = answer if tuples is None else tuples
        else:
            items = tuples if isinstance(expected, tuple) else answer
        return items if isinstance(items, list) else None

    def _dictionary(self, answer: Any, expected: dict[Any, Any]) -> bool:
        pairs = answer.get("d") if isinstance(answer, dict) else None
        if not isinstance(pairs, list) or len(pairs) != len(expected):
            return False
        as_text = self.json_types and all(isinstance(key, str) for key in expected)
        met = set()
        for given, item in pairs:
            key = _json_key(given) if as_text else _hashable(given)
            if key is None or key[0] not in expected or not self.same(item, expected[key[0]]):
                return False
            met.add(key[0])  # members of `expected` only
        return len(met) == len(expected)


def shown(answer: Any) -> str:
    """An answer for a person, as Python would write it."""
    if isinstance(answer, dict) and "g" in answer:
        return f"a generator of {shown(answer['g'])}"
    try:
        return _cut(repr(decode(answer)) if _size(answer) < _SHOWN_SIZE else json.dumps(answer))
    except Exception:  # it may be forged
        return "something that cannot be shown"


def _tagged_number(answer: dict[str, Any], *, plain: bool) -> Any:
    """The number that an answer is written as; None for what is none, or is not `plain`, as JSON's are."""
    if isinstance(answer.get("i"), str):
        return int(answer["i"], 16)
    if isinstance(answer.get("f"), str):
        return float(answer["f"])
    if plain:
        return None
    # Reading a fraction reduces it, which takes long for long ones.
    if answer.get("o") in ("Decimal", "Fraction") and _size(answer) < _SHORT:
        return decode(answer)
    return complex(*map(float, answer["c"])) if "c" in answer else None


def _json_key(key: Any) -> tuple[Any] | None:
    """A key as JSON would write it, in a box; None if it cannot be one."""
    if isinstance(key, str):
        return (key,)
    if key is None or isinstance(key, bool | int | float):
        return (json.dumps(key),)
    return None


def _same_set(answer: Any, expected: set[Any] | frozenset[Any]) -> bool:
    items = answer.get("s", answer.get("z")) if isinstance(answer, dict) else None
    if not isinstance(items, list) or len(items) != len(expected):
        return False
    met = set()
    for item in items:
        value = _hashable(item)
        if value is None or value[0] not in expected:
            return False
        met.add(value[0])
    return len(met) == len(expected)


def _hashable(item: Any, depth: int = 0) -> tuple[Any] | None:
    """A member of a set or a key, in a box; None for what cannot be one."""
    if not isinstance(item, dict):
        return None if isinstance(item, list) else (item,)
    tag, body = next(iter(item.items()))
    if tag == "t" or (tag == "z" and len(body) <= _MAX_FROZEN):
        inner = [_hashable(each, depth + 1) for each in body] if depth < _MAX_KEY_DEPTH else [None]
        values = [box[0] for box in inner if box is not None]
        if len(values) < len(inner):
            return None
        return (tuple(values),) if tag == "t" else (frozenset(values),)
    if tag in ("i", "f", "b", "T", "c", "r") or (tag == "o" and _size(item) < _SHORT):
        return (decode(item),)
    return None


def _size(answer: Any) -> int:
    return len(json.dumps(answer))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


Judge = Callable[[Run], tuple[str, str]]
"""From a run to (reason, detail); the reason is "passed" or says what was wrong."""

ON_ITS_WORD = "it rests on what the program says of its own objects"
"""Of a test that compares two objects of the program, which only the program can do."""
_PYTHON_ERROR = re.compile(r"[\w.]+(Error|Exception|Interrupt|Exit)\b")
_TROUBLE = re.compile(
    r"(?:error|exception)\b[^(:]{0,200}:|exception in|panicked|panic:|fatal|out of memory|terminate called",
    re.IGNORECASE,
)
_MOST_SAID = 400
_MEANING = {
    Cause.CPU_TIME: "it used up its processor time",
    Cause.WALL_TIME: "it waited until its wall-clock limit",
    Cause.OVER_BUDGET: "the program used up the budget of all its tests",
    Cause.MEMORY: "it needs more memory than it may use",
    Cause.OUTPUT_LIMIT: "it wrote more than it may",
    Cause.NOT_RUN: "an earlier test made this one pointless",
}


def output_judge(test: StdioTest, mode: str, tolerance: float) -> Judge:
    """For a test on standard input and output; see `outputs.same_output`."""

    def judge(run: Run) -> tuple[str, str]:
        if run.cause is not Cause.OK:
            return run.cause.value, why(run)
        if any(same_output(run.output, each, mode, tolerance) for each in (test.output, *test.accepted)):
            return "passed", ""
        return "wrong_output", printable(difference(run.output, test.output))

    return judge


def value_judge(
    wanted: Sequence[Any], tolerance: float, *, json_types: bool = False, exact: bool = True
) -> Judge:
    """For a call that must return one of the `wanted` values; see `compare.same_value`."""

    def judge(run: Run) -> tuple[str, str]:
        if run.cause is not Cause.OK:
            return run.cause.value, why(run)
        if "v" not in run.answer:
            return "unreadable_answer", printable(f"it returned {run.answer.get('u')}")
        answer = run.answer["v"]
        for each in wanted:
            if same_value(answer, each, json_types=json_types, tolerance=tolerance, exact_integers=exact):
                return "passed", ""
        return "wrong_answer", printable(f"expected {_written(wanted[0])}, got {shown(answer)}")

    return judge


def script_judge(run: Run) -> tuple[str, str]:
    """For a test that is code: a `Judge` itself."""
    if run.cause is Cause.OK:
        if run.answer.get("p") is not True:
            return "unreadable_answer", "the tester said nothing"
        return "passed", ON_ITS_WORD if run.answer.get("w") is True else ""
    if isinstance(run.answer, dict) and run.answer.get("x") == "AssertionError":
        return "failed_assertion", printable(str(run.answer.get("m") or "an assertion does not hold"))
    return run.cause.value, why(run)


def why(run: Run) -> str:
    """Return the cause of a run's failure for a person, on one line."""
    lines = run.errors.decode("utf-8", "backslashreplace").strip().splitlines()
    said = lines[-1] if lines else ""
    if not _PYTHON_ERROR.match(said):
        # Python says what happened last; compilers and other runtimes say it first.
        said = next((line for line in lines if _TROUBLE.search(line)), said)
    text = ": ".join(part for part in (run.detail, said[:200]) if part) or _MEANING.get(run.cause, "")
    return printable(text)


def printable(text: str) -> str:
    """A text on one line that every terminal and file takes, whatever a program put into it."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text[:_MOST_SAID])


def _written(value: Any) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "a long number"
    return text if len(text) <= 80 else text[:80] + "…"


_WARN_FROM = 0.5
"""Share of tests above which the verdict mentions that one answer to everything earns so much."""


def verdict_of_test(name: str, reason: str, detail: str) -> Verdict:
    """The verdict of one test."""
    score = 1.0 if reason == "passed" else 0.0
    return Verdict(verifier=name, status=Status.SCORED, score=score, reason=reason, detail=detail)


def share(tests: Sequence[Verdict]) -> str:
    """Return the share of the tests that passed."""
    return f"{sum(test.passed for test in tests)}/{len(tests)}"


def group(name: str, tests: Sequence[Verdict]) -> Verdict:
    """The verdict of a group of tests."""
    failed = next((test for test in tests if not test.passed), None)
    return Verdict(
        verifier=name,
        status=Status.SCORED,
        score=sum(test.passed for test in tests) / len(tests),
        reason="all_passed" if failed is None else failed.reason,
        detail=f"{share(tests)} passed",
        parts=tuple(tests),
    )


def summary(
    counted: Sequence[Verdict],
    public: Sequence[Verdict],
    hidden: Sequence[Verdict],
    constant: float,
    isolation: str,
) -> str:
    """Summarize the outcome of the tests for a person.

    Args:
        counted: The tests that are paid for.
        public: Those that the problem statement shows.
        hidden: The others.
        constant: Reward of a program that always gives one answer.
        isolation: Isolation of the program.
    """
    said = [f"{sum(test.passed for test in counted)} of {len(counted)} tests passed"]
    if public and hidden:
        said[0] += f" (public {share(public)}, hidden {share(hidden)})"
    failed = next((test for test in counted if not test.passed), None)
    if failed is not None:
        said.append(f"{failed.verifier}: {failed.detail or failed.reason}"[:400])
    believed = sum(test.passed and test.detail == ON_ITS_WORD for test in counted)
    if believed:
        said.append(f"{believed} of them on the program's word about its own objects")
    if constant > max(_WARN_FROM, 1.5 / len(counted)):
        said.append(f"one answer to all tests would score {constant:.2f}")
    said.append(f"isolation: {isolation}")
    if isolation == "none":
        said.append("WARNING: nothing protects this machine from the program")
    return "; ".join(said)
