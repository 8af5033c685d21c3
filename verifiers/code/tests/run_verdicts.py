"""What one run is worth: passed, or what was wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ..engine.protocol import Cause, Run
from .compare import same_value, shown
from .outputs import difference, same_output
from .spec import StdioTest

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
    """What a person wants to know about a run that did not end well, on one line."""
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
