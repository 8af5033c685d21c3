"""What `re` reads patterns with is CPython's own: it is asked where it reads them so, and nothing depends on it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from tests.support import FIXTURES, ROOT, rows
from verifiers import MathEquivalence
from verifiers.runtime import patterns
from verifiers.runtime.patterns import parsed

ROWS = [
    (each["completion"], each["reference"], each["prompt"])
    for name in ("first", "third", "more_languages")
    for each in rows(FIXTURES / "own_rows" / f"{name}.jsonl")[::24]
    if each["verifier"] == "MathEquivalence"
]
JUDGE = """
import json, sys
from tests.verifiers.runtime.test_patterns import judged
from verifiers.runtime import patterns
patterns._READ_AS = ""
print(json.dumps([judged(), patterns.parsed("a")]))
"""


def judged() -> list[list[Any]]:
    """What the rows are paid, and why."""
    said = [MathEquivalence().verify(text, right, prompt=asked) for text, right, asked in ROWS]
    return [[each.score, each.reason, each.detail] for each in said]


def test_this_interpreter_reads_patterns_as_expected() -> None:
    """One that does not judges the same, and more slowly; then `_READ_AS` is to be compared with what it reads."""
    assert [(str(kind), value) for kind, value in parsed("ab")] == [("LITERAL", 97), ("LITERAL", 98)]
    with pytest.raises(re.error):
        parsed("(")


def test_a_parser_that_is_missing_or_reads_otherwise_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = patterns._parser.__wrapped__
    assert ask() is not None
    with monkeypatch.context() as patch:
        patch.setattr(patterns, "_READ_AS", "[(LITERAL, 97)]")
        assert ask() is None
    with monkeypatch.context() as patch:
        patch.delattr(re, "_parser")
        patch.setitem(sys.modules, "re._parser", None)
        assert ask() is None


def test_without_the_parser_the_same_is_judged() -> None:
    """Down to the words that explain a verdict."""
    command = [sys.executable, "-c", JUDGE]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    said = judged()
    assert json.loads(done.stdout) == [said, None]
    assert {score for score, *_ in said} == {0.0, 1.0}
