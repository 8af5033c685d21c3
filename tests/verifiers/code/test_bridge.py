"""Tests and programs in two sandboxes say what one process would say, but for what an object must not decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.code_styles import STYLES, Problem, dressed
from tests.support import FIXTURES, rows
from tests.timing import SOAK
from verifiers import CodePassRate, Verdict

ROWS = rows(FIXTURES / "pairs" / "code_bridge.jsonl")
_MODULES = sorted({tuple(row.get("modules", ())) for row in ROWS})

PROBLEMS = [
    Problem(
        "numbers",
        "add",
        "def add(a, b):\n    return a + b\n",
        (
            ("(1, 2)", "3"),
            ("(-1, 1)", "0"),
            ("(0.5, 0.25)", "0.75"),
            ("(2**70, 1)", "1180591620717411303425"),
        ),
    ),
    Problem(
        "lists",
        "ranked",
        "def ranked(items):\n    items.sort()\n    return [(i, x) for i, x in enumerate(items)]\n",
        (("([3, 1],)", "[(0, 1), (1, 3)]"), ("([],)", "[]")),
    ),
    Problem(
        "text",
        "marks",
        "def marks(text):\n    return {c: text.count(c) for c in text} or None\n",
        (("('가나가',)", "{'가': 2, '나': 1}"), ("('',)", "None")),
    ),
    Problem("sets", "common", "def common(a, b):\n    return set(a) & set(b)\n", (("([1, 2], [2, 3])", "{2}"),)),
]  # fmt: skip
_WRONG = {
    "numbers": "def add(a, b):\n    return a + b if b != 0.25 else 1\n",
    "lists": "def ranked(items):\n    return list(enumerate(items))\n",
    "text": "def marks(text):\n    return {c: 1 for c in text}\n",
    "sets": "def common(a, b):\n    return list(set(a) & set(b))\n",
}


def _verdicts(pairs: Sequence[tuple[str, str]], modules: tuple[str, ...], **options: Any) -> list[Verdict]:
    verifier = CodePassRate(modules=modules, **options)
    programs = [f"```python\n{program}\n```" for program, _ in pairs]
    return verifier.verify_batch(programs, [{"asserts": [tests]} for _, tests in pairs])


@pytest.mark.parametrize("modules", _MODULES, ids=str)
def test_rows(modules: tuple[str, ...]) -> None:
    """What a row says, and what a plain process says where the two differ."""
    chosen = [row for row in ROWS if tuple(row.get("modules", ())) == modules]
    pairs = [(row["program"], row["tests"]) for row in chosen]
    apart = _verdicts(pairs, modules)
    assert [
        (row["id"], row["note"], verdict.score, verdict.detail)
        for row, verdict in zip(chosen, apart, strict=True)
        if verdict.score != row["score"]
    ] == []
    # Where both say the same, a fifth of the rows is asked of a plain process; in ``make soak`` all.
    asked = [at for at, row in enumerate(chosen) if SOAK or "plain" in row or at % 5 == 0]
    plain = _verdicts([pairs[at] for at in asked], modules, visible_tests=True)
    assert [
        (row["id"], row["note"], verdict.score, verdict.detail)
        for row, verdict in zip([chosen[at] for at in asked], plain, strict=True)
        if verdict.score != row.get("plain", row["score"])
    ] == []


@pytest.mark.parametrize("modules", [(), ("pytest",)], ids=str)
def test_styles(modules: tuple[str, ...]) -> None:
    """Right and wrong programs, asked in every style, apart and in one process: the scores are the same.

    Every style asks for one of the problems, every problem is asked in a fourth of the styles; in ``make soak`` in all.
    """
    names, pairs = [], []
    for place, (name, style) in enumerate(STYLES.items()):
        asked = PROBLEMS if SOAK else PROBLEMS[place % 4 :: 4]
        for each in asked if style.modules == modules else ():
            for program in (each.program, _WRONG[each.name]):
                names.append((name, each.name, program is each.program))
                pairs.append(dressed(each, style, program))
    apart, plain = _verdicts(pairs, modules), _verdicts(pairs, modules, visible_tests=True)
    assert [
        (name, one.score, one.detail, other.score)
        for name, one, other in zip(names, apart, plain, strict=True)
        if one.score != other.score
    ] == []
    assert sum(verdict.score == 1.0 for verdict in plain) >= len(pairs) // 3
    assert sum(verdict.score == 0.0 for verdict in plain) >= len(pairs) // 3


def test_the_program_s_word_is_named() -> None:
    """Where two of its own objects are compared, nobody else can say whether they are equal."""
    program = "class V:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o): return True"
    [verdict] = _verdicts([(program, "assert V(1) == V(2)")], ())
    assert verdict.score == 1.0
    assert "1 of them on the program's word about its own objects" in verdict.detail
    assert verdict.parts[0].detail == "it rests on what the program says of its own objects"
    [verdict] = _verdicts([("def f(x):\n    return x", "x = 1\nassert f(x) == 1")], ())
    assert "word" not in verdict.detail


def test_handles_end_with_their_test() -> None:
    """What a test handed to the program is taken back; what tests hold stays."""
    program = "kept = []\ndef f(g):\n    kept.append(g)\n    return g(1)\ndef again():\n    return kept[0](1)\nclass C:\n    x = 3\n"
    tests = [
        "assert f(lambda x: x + 1) == 2",
        "assert again() == 2",
        "c = C()\nassert c.x == 3",
        "assert c.x == 3",
    ]
    verdict = CodePassRate().verify(f"```python\n{program}\n```", {"asserts": tests})
    assert [part.score for part in verdict.parts] == [1.0, 0.0, 1.0, 1.0]
    assert "the object is no longer there" in verdict.detail
    kept = CodePassRate().verify(
        f"```python\n{program}\n```",
        {"setup": "g = lambda x: x + 1\nf(g)", "asserts": ["assert again() == 2"] * 2},
    )
    assert kept.score == 1.0


def test_tests_alone_decide_whether_they_are_judged() -> None:
    """No program can mask itself by what it returns or raises."""
    tests = {"asserts": ["r = f(1)\nassert r == 1"]}
    for body in (
        "return object()", "return lambda: 1", "import sys; return sys", "return open('/dev/null')",
        "raise SystemExit",
    ):  # fmt: skip
        verdict = CodePassRate().verify(f"```python\ndef f(x):\n    {body}\n```", tests)
        assert verdict.score == 0.0, verdict
    needing = {"asserts": ["class Mine(Base):\n    pass\nassert Mine().x == 1"]}
    for program in ("class Base:\n    x = 1", "x = (", "import os\nos._exit(0)"):
        assert CodePassRate().verify(f"```python\n{program}\n```", needing).reason == "visible_tests_needed"
